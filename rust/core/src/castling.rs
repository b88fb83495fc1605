//! Castling rights as rook files: how X-FEN letters name them, and which of them hold.

use crate::position::{BLACK, Board, Position, WHITE};

/// A file mask, bit *f* for file *f*.
pub type Files = u8;

const A_FILE: Files = 0b0000_0001;
const H_FILE: Files = 0b1000_0000;
const E_FILE: Files = 0b0001_0000;

/// The lowest file of `files`, or none.
#[inline(always)]
const fn lowest(files: Files) -> Files {
    files & files.wrapping_neg()
}

/// The highest file of `files`, or none.
#[inline(always)]
const fn highest(files: Files) -> Files {
    ((H_FILE as u32) >> files.leading_zeros()) as Files
}

/// `files` if `condition` holds, without a branch.
#[inline(always)]
pub(crate) const fn only_if(condition: bool, files: Files) -> Files {
    files & (condition as Files).wrapping_neg()
}

/// The files below the single file of `king`.
#[inline(always)]
const fn below(king: Files) -> Files {
    king.wrapping_sub(1)
}

/// The files above the single file of `king`.
#[inline(always)]
const fn above(king: Files) -> Files {
    !(king | king.wrapping_sub(1))
}

/// One side's men on its back rank that matter for castling.
#[derive(Clone, Copy, Debug)]
pub struct BackRank {
    kings: Files,
    rooks: Files,
    sole_king: bool,
}

impl BackRank {
    /// The back rank of `side`.
    #[inline(always)]
    pub const fn of(board: &Board, side: usize) -> Self {
        let shift = if side == WHITE { 0 } else { 56 };
        let kings = board.kings & board.men[side];
        Self {
            kings: (kings >> shift) as u8,
            rooks: ((board.rooks & board.men[side]) >> shift) as u8,
            sole_king: kings.count_ones() == 1,
        }
    }

    /// The files that X-FEN's `K` and `Q` name: the outermost rook on that side of the king, or
    /// the corner where there is none.
    #[inline(always)]
    pub const fn xfen(self) -> [Files; 2] {
        let king_here = self.kings.count_ones() == 1;
        let h_side = only_if(king_here, self.rooks & above(self.kings));
        let a_side = only_if(king_here, self.rooks & below(self.kings));
        [
            highest(h_side) | only_if(h_side == 0, H_FILE),
            lowest(a_side) | only_if(a_side == 0, A_FILE),
        ]
    }

    /// Which of `rights` hold in standard chess: king on the e-file, rook on its corner.
    #[inline(always)]
    pub const fn standard(self, rights: Files) -> Files {
        let king_home = self.sole_king & (self.kings == E_FILE);
        only_if(king_home, rights & self.rooks & (A_FILE | H_FILE))
    }

    /// Which of `rights` hold in Chess960: the king between at most one rook on either side.
    #[inline(always)]
    pub const fn chess960(self, rights: Files) -> Files {
        let with_rook = only_if(self.sole_king & (self.kings != 0), rights & self.rooks);
        lowest(with_rook & below(self.kings)) | highest(with_rook & above(self.kings))
    }

    /// Whether `rights` name a rook on the h-side and one on the a-side of the only king here.
    #[inline(always)]
    pub const fn wings(self, rights: Files) -> [bool; 2] {
        [rights & above(self.kings) != 0, rights & below(self.kings) != 0]
    }

    /// Whether `K` (`kingside`) or `Q` leaves open which rook is meant: a second own rook stands
    /// on that side of the king.
    #[inline(always)]
    pub const fn is_ambiguous(self, kingside: bool) -> bool {
        let side = if kingside { above(self.kings) } else { below(self.kings) };
        self.kings.count_ones() == 1 && (self.rooks & side).count_ones() > 1
    }
}

/// The rights of `position` that hold, White's and Black's.
#[inline(always)]
pub const fn valid(position: &Position, board: &Board, chess960: bool) -> [Files; 2] {
    let white = BackRank::of(board, WHITE);
    let black = BackRank::of(board, BLACK);
    if chess960 {
        [white.chess960(position.castling[WHITE]), black.chess960(position.castling[BLACK])]
    } else {
        [white.standard(position.castling[WHITE]), black.standard(position.castling[BLACK])]
    }
}

/// A castling letter with its meaning on a board.
#[derive(Clone, Copy, Debug)]
pub struct Letter {
    /// [`WHITE`] or [`BLACK`].
    pub side: usize,
    /// The rook's file.
    pub file: Files,
    /// Written by file although it names no inner rook, the one thing X-FEN writes by file.
    pub shredder: bool,
    /// K or Q with a second own rook on that side of the king.
    pub ambiguous: bool,
}

/// Resolves one castling letter, or `None` if it is none.
pub const fn resolve(letter: u8, board: &Board) -> Option<Letter> {
    let side = if letter.is_ascii_lowercase() { BLACK } else { WHITE };
    let back = BackRank::of(board, side);
    let [k, q] = back.xfen();
    let (file, by_file, ambiguous) = match letter.to_ascii_lowercase() {
        b'k' => (k, false, back.is_ambiguous(true)),
        b'q' => (q, false, back.is_ambiguous(false)),
        file @ b'a'..=b'h' => (1 << (file - b'a'), true, false),
        _ => return None,
    };
    let is_inner = back.rooks & file != 0 && file != k && file != q;
    Some(Letter { side, file, shredder: by_file && !is_inner, ambiguous })
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn back(kings: Files, rooks: Files) -> BackRank {
        BackRank { kings, rooks, sole_king: true }
    }

    #[test]
    fn xfen_letters_name_the_outermost_rook() {
        assert_eq!(back(E_FILE, 0b1000_0011).xfen(), [0b1000_0000, 0b1]);
        assert_eq!(back(E_FILE, 0b0010_0010).xfen(), [0b0010_0000, 0b10]);
        assert_eq!(back(E_FILE, 0).xfen(), [H_FILE, A_FILE]);
        assert_eq!(back(0, 0b0010_0000).xfen(), [H_FILE, A_FILE]);
        assert_eq!(back(A_FILE, 0b1000_0000).xfen(), [H_FILE, A_FILE]);
    }

    #[test]
    fn rights_hold_by_the_rules_of_each_game() {
        let inner = back(E_FILE, 0b1000_0011);
        assert_eq!(inner.standard(0b1000_0010), H_FILE);
        assert_eq!(inner.chess960(0b1000_0010), 0b1000_0010);
        assert_eq!(inner.chess960(0b1000_0011), 0b1000_0001, "the inner right is surplus");
        assert_eq!(back(0b1000, 0b1000_0001).standard(0b1000_0001), 0);
        assert_eq!(back(0b1000, 0b1000_0001).chess960(0b1000_0001), 0b1000_0001);
        assert!(inner.is_ambiguous(false) && !inner.is_ambiguous(true));
    }
}
