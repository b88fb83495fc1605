//! The canonical form of a position: rights that hold, an en passant square that means something.

use crate::castling;
use crate::en_passant::{self, Capture};
use crate::legality::is_chess960;
use crate::position::{Board, Position};
use crate::square;

/// Which en passant squares are kept. An invalid one never is, by any rule but `AsGiven`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EnPassant {
    /// If a capture is legal.
    #[default]
    Legal,
    /// If a pawn stands beside the pushed pawn (X-FEN, pseudo-legal).
    Xfen,
    /// If it is valid.
    Valid,
    /// Always, valid or not.
    AsGiven,
    /// Never.
    Drop,
}

impl EnPassant {
    /// The en passant square of `position` under this rule.
    #[inline(always)]
    pub fn of(self, position: &Position, board: &Board) -> u8 {
        if position.en_passant == square::NONE || self == Self::AsGiven {
            return position.en_passant;
        }
        let keep = self != Self::Drop
            && en_passant::defects(position, board) == 0
            && (self == Self::Valid
                || match en_passant::capture(position, board) {
                    Capture::Nobody => false,
                    Capture::Illegal => self == Self::Xfen,
                    Capture::Legal => true,
                });
        if keep { position.en_passant } else { square::NONE }
    }
}

/// `position` with the castling rights that hold, the en passant square that `rule` keeps, and a
/// fullmove number of at least 1.
#[inline(always)]
pub fn canonical(position: &Position, rule: EnPassant, chess960: bool) -> Position {
    let board = Board::of(position);
    let mut canonical = *position;
    canonical.castling = castling::valid(position, &board, is_chess960(position, chess960));
    canonical.en_passant = rule.of(position, &board);
    canonical.fullmove = position.fullmove.max(1);
    canonical
}
