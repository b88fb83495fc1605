//! Bishops behind their own unmoved pawns, in standard chess only (4.5, 4.6).
//!
//! A pawn on its second rank has never moved. Where such pawns stand on every diagonal neighbour
//! of a back-rank square, no bishop has ever passed between that square and the rest of the board.

use crate::attacks::pawns;
use crate::bitboard::{BACK_RANKS, DARK, FILE_A, FILE_H, LIGHT, RANK_1, RANK_2, RANK_7, RANK_8};
use crate::position::{BLACK, Board, WHITE};
use crate::problem::*;

/// Where a side's bishops begin.
const HOMES: u64 = (FILE_A << 2 | FILE_A << 5) & BACK_RANKS;

/// The back-rank squares whose every diagonal neighbour holds an unmoved pawn of that rank's side.
#[inline(always)]
pub(super) const fn closed(board: &Board) -> u64 {
    let white = board.pawns & board.men[WHITE] & RANK_2;
    let black = board.pawns & board.men[BLACK] & RANK_7;
    let behind = white >> 8 | black << 8;
    (behind << 1 | FILE_A) & (behind >> 1 | FILE_H) & BACK_RANKS
}

/// The bishops on their own back rank.
#[inline(always)]
const fn on_back_rank(board: &Board) -> u64 {
    board.bishops & (board.men[WHITE] & RANK_1 | board.men[BLACK] & RANK_8)
}

/// The bishops in a closed cage where none can have begun.
#[inline(always)]
pub(super) const fn caged(board: &Board, closed: u64) -> u64 {
    on_back_rank(board) & closed & !HOMES
}

/// The unmoved pawns that bar `caged` bishops.
pub(super) const fn bars(board: &Board, caged: u64) -> u64 {
    let white = pawns(WHITE, caged & RANK_1) & board.men[WHITE];
    let black = pawns(BLACK, caged & RANK_8) & board.men[BLACK];
    (white | black) & board.pawns
}

/// The code of 4.6.
#[inline(always)]
pub(super) const fn problems(board: &Board, closed: u64) -> Problems {
    flag(caged(board, closed) != 0, CAGED_BISHOP)
}

/// The bishops of `side` that must be promoted because they stand outside the closed cage of the
/// home square of their colour.
#[inline(always)]
pub(super) const fn away(board: &Board, closed: u64, side: usize) -> u64 {
    let homes = HOMES & if side == WHITE { RANK_1 } else { RANK_8 };
    let bishops = board.bishops & board.men[side] & !homes;
    let mut away = 0;
    if closed & homes & DARK != 0 {
        away |= bishops & DARK;
    }
    if closed & homes & LIGHT != 0 {
        away |= bishops & LIGHT;
    }
    away
}

/// Whether some bishop is [`away`] from a closed cage.
#[inline(always)]
pub(super) const fn is_bishop_away(board: &Board, closed: u64) -> bool {
    away(board, closed, WHITE) | away(board, closed, BLACK) != 0
}

/// A side's bishops by what the cages say of them.
pub(super) struct Bishops {
    /// Promoted for certain, [`away`] from a closed cage.
    pub(super) away: u32,
    /// The others, on dark and on light squares.
    pub(super) free: [u32; 2],
}

/// The bishops of `side`, counted.
pub(super) const fn bishops(board: &Board, closed: u64, side: usize) -> Bishops {
    let away = away(board, closed, side);
    let others = board.bishops & board.men[side] & !away;
    Bishops {
        away: away.count_ones(),
        free: [(others & DARK).count_ones(), (others & LIGHT).count_ones()],
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{codes, expect};
    use crate::problem::*;

    #[test]
    fn no_bishop_enters_a_closed_cage() {
        expect(&[
            ("8/4K1k1/8/8/8/8/1P6/B7 w - - 0 1", CAGED_BISHOP),
            ("7k/8/8/8/8/8/6P1/4K2B b - - 0 60", CAGED_BISHOP),
            ("4k1b1/5p1p/8/8/8/8/8/4K3 w - - 0 60", CAGED_BISHOP),
            ("4k3/8/8/8/8/8/1P6/2B1K3 w - - 0 60", 0),
            ("4k3/8/8/8/8/8/P7/1B2K3 w - - 0 60", 0),
            ("4k1b1/8/8/8/8/8/5P1P/4K3 w - - 0 60", 0),
        ]);
    }

    #[test]
    fn no_bishop_leaves_a_closed_cage() {
        expect(&[
            ("rnbqkbnr/pppppppp/8/8/8/B7/PPPPPPPP/RN1QKBNR w KQkq - 0 3", HOME_BISHOP_EXCESS),
            ("rnbqk1nr/pppppppp/8/8/3b4/8/PPPPPPPP/RNBQKBNR w KQkq - 0 9", HOME_BISHOP_EXCESS),
            ("rnbqkbnr/pppppp1p/6p1/8/8/6P1/PPPPPPBP/RNBQK1NR w KQkq - 2 3", 0),
            ("4k3/8/8/8/8/B7/PP1P4/4K3 w - - 0 60", 0),
        ]);
    }

    #[test]
    fn chess960_bishops_begin_anywhere() {
        let array = "nqrnbkrb/pppppppp/8/8/8/8/PPPPPPPP/NQRNBKRB w KQkq - 0 1";
        assert_eq!(codes(array, true), 0);
        assert_eq!(codes(array, false), CAGED_BISHOP | HOME_BISHOP_EXCESS);
    }
}
