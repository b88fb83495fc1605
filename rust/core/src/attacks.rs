//! Which men attack a square.

use crate::bitboard::{FILE_A, FILE_H};
use crate::position::{Board, WHITE};

/// The rank, the file, the diagonal and the anti-diagonal through a square: the squares below it
/// and those above.
#[derive(Clone, Copy)]
struct Lines {
    below: [u64; 4],
    above: [u64; 4],
}

static LINES: [Lines; 64] = {
    const STEPS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];
    let mut lines = [Lines { below: [0; 4], above: [0; 4] }; 64];
    let mut square = 0;
    while square < 64 {
        let mut line = 0;
        while line < 4 {
            let (file, rank) = STEPS[line];
            lines[square].below[line] = ray(square, -file, -rank);
            lines[square].above[line] = ray(square, file, rank);
            line += 1;
        }
        square += 1;
    }
    lines
};

static KNIGHT: [u64; 64] =
    leaps([(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
static KING: [u64; 64] =
    leaps([(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]);

const fn step(square: usize, file: i32, rank: i32) -> Option<usize> {
    let file = (square % 8) as i32 + file;
    let rank = (square / 8) as i32 + rank;
    if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
        Some((rank * 8 + file) as usize)
    } else {
        None
    }
}

const fn ray(mut square: usize, file: i32, rank: i32) -> u64 {
    let mut squares = 0;
    while let Some(next) = step(square, file, rank) {
        squares |= 1 << next;
        square = next;
    }
    squares
}

const fn leaps(steps: [(i32, i32); 8]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < 8 {
            if let Some(next) = step(square, steps[i].0, steps[i].1) {
                table[square] |= 1 << next;
            }
            i += 1;
        }
        square += 1;
    }
    table
}

impl Lines {
    #[inline(always)]
    const fn through(square: u8) -> &'static Self {
        &LINES[(square & 63) as usize]
    }

    /// The squares seen along `line` up to and including the first occupied ones.
    ///
    /// The difference between the nearest blocker above and the nearest below fills the squares
    /// between them.
    #[inline(always)]
    const fn seen(&self, line: usize, occupied: u64) -> u64 {
        let above = self.above[line] & occupied;
        let below = self.below[line] & occupied;
        let nearest_below = u64::MAX << (63 - (below | 1).leading_zeros());
        let nearest_above = above & above.wrapping_neg();
        (self.above[line] | self.below[line])
            & nearest_above.wrapping_shl(1).wrapping_add(nearest_below)
    }
}

/// The squares a rook sees from `square`.
#[inline(always)]
pub const fn rook(square: u8, occupied: u64) -> u64 {
    let lines = Lines::through(square);
    lines.seen(0, occupied) | lines.seen(1, occupied)
}

/// The squares a bishop sees from `square`.
#[inline(always)]
pub const fn bishop(square: u8, occupied: u64) -> u64 {
    let lines = Lines::through(square);
    lines.seen(2, occupied) | lines.seen(3, occupied)
}

/// The squares a knight sees from `square`.
#[inline(always)]
pub const fn knight(square: u8) -> u64 {
    KNIGHT[(square & 63) as usize]
}

/// The squares a king sees from `square`.
#[inline(always)]
pub const fn king(square: u8) -> u64 {
    KING[(square & 63) as usize]
}

/// The squares that pawns of `side` on `pawns` attack.
#[inline(always)]
pub const fn pawns(side: usize, pawns: u64) -> u64 {
    if side == WHITE {
        ((pawns & !FILE_A) << 7) | ((pawns & !FILE_H) << 9)
    } else {
        ((pawns & !FILE_A) >> 9) | ((pawns & !FILE_H) >> 7)
    }
}

/// The men of `attacker`, kings included, that attack `square` when `occupied` blocks the lines.
#[inline(always)]
pub const fn attackers(board: &Board, occupied: u64, square: u8, attacker: usize) -> u64 {
    let lines = Lines::through(square);
    let straight = board.rooks | board.queens;
    let diagonal = board.bishops | board.queens;
    let sliders = [straight, straight, diagonal, diagonal];
    // All four lines in step, so that they share vector instructions where there are any.
    let mut seen = [0; 4];
    let mut line = 0;
    while line < 4 {
        seen[line] = lines.seen(line, occupied) & sliders[line];
        line += 1;
    }
    let men = (seen[0] | seen[1])
        | (seen[2] | seen[3])
        | (knight(square) & board.knights)
        | (king(square) & board.kings)
        | (pawns(attacker ^ 1, 1 << square) & board.pawns);
    men & board.men[attacker]
}

/// Whether `a`, `b` and `c` lie on one rank, file or diagonal.
#[inline(always)]
pub const fn aligned(a: u8, b: u8, c: u8) -> bool {
    let lines = Lines::through(a);
    let pair = (1 << b) | (1 << c);
    let mut i = 0;
    while i < 4 {
        if (lines.above[i] | lines.below[i]) & pair == pair {
            return true;
        }
        i += 1;
    }
    false
}

/// The squares strictly between `a` and `b`; none if they are on no common line.
pub const fn between(a: u8, b: u8) -> u64 {
    let (from, to) = (Lines::through(a), Lines::through(b));
    let target = 1 << (b & 63);
    let mut i = 0;
    while i < 4 {
        if from.above[i] & target != 0 {
            return from.above[i] & to.below[i];
        }
        if from.below[i] & target != 0 {
            return from.below[i] & to.above[i];
        }
        i += 1;
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks square by square, the definition itself.
    fn walk(square: usize, occupied: u64, steps: [(i32, i32); 4]) -> u64 {
        let mut seen = 0;
        for (file, rank) in steps {
            let mut at = square;
            while let Some(next) = step(at, file, rank) {
                seen |= 1 << next;
                at = next;
                if occupied >> next & 1 == 1 {
                    break;
                }
            }
        }
        seen
    }

    #[test]
    #[cfg_attr(miri, ignore = "too many rows")]
    fn lines_agree_with_a_walk() {
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..20_000 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let occupied = random & random.rotate_left(21);
            let square = (random >> 58) as u8;
            let at = usize::from(square);
            assert_eq!(
                rook(square, occupied),
                walk(at, occupied, [(1, 0), (-1, 0), (0, 1), (0, -1)])
            );
            assert_eq!(
                bishop(square, occupied),
                walk(at, occupied, [(1, 1), (-1, -1), (-1, 1), (1, -1)])
            );
        }
    }

    #[test]
    fn squares_between() {
        assert_eq!(between(0, 63), 0x0040_2010_0804_0200);
        assert_eq!(between(63, 0), 0x0040_2010_0804_0200);
        assert_eq!(between(60, 4), 0x0010_1010_1010_1000);
        assert_eq!(between(7, 56), 0x0002_0408_1020_4000);
        assert_eq!(between(0, 10), 0);
        assert_eq!(between(0, 1), 0);
        assert_eq!(between(9, 9), 0);
    }

    #[test]
    fn alignment() {
        assert!(aligned(0, 9, 63) && aligned(4, 60, 20) && aligned(0, 3, 7));
        assert!(!aligned(0, 9, 62) && !aligned(4, 61, 20));
    }
}
