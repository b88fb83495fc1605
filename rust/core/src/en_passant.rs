//! En passant: whether the target square can be right, who can capture, and whether that is legal.

use crate::attacks::attackers;
use crate::bitboard::{beside, is_single, squares};
use crate::position::{Board, Position, WHITE};
use crate::problem::{self, Problems, flag};
use crate::square;

/// The squares of the double push that an en passant target stands for.
#[derive(Clone, Copy, Debug)]
pub struct Push {
    /// The square the pawn came from.
    pub from: u64,
    /// The target square it passed.
    pub over: u64,
    /// The square it stands on.
    pub to: u64,
}

impl Push {
    /// The push over `target` by the side that is not to move.
    ///
    /// The squares mean something only if `target` is on the right rank.
    #[inline(always)]
    pub const fn over(target: u8, side_to_move: usize) -> Self {
        let over = 1u64 << (target & 63);
        if side_to_move == WHITE {
            Self { from: over << 8, over, to: over >> 8 }
        } else {
            Self { from: over >> 8, over, to: over << 8 }
        }
    }

    /// The pawns of `side_to_move` that stand beside the pushed pawn.
    #[inline(always)]
    pub const fn capturers(self, board: &Board, side_to_move: usize) -> u64 {
        beside(self.to) & board.pawns & board.men[side_to_move]
    }
}

/// Why the en passant square of `position` cannot be right; 0 if it can, or if there is none.
#[inline(always)]
pub const fn defects(position: &Position, board: &Board) -> Problems {
    if position.en_passant == square::NONE {
        return 0;
    }
    let side = position.side_to_move();
    let rank = if side == WHITE { 5 } else { 2 };
    if position.en_passant >> 3 != rank {
        return problem::EP_WRONG_RANK;
    }
    let push = Push::over(position.en_passant, side);
    flag(push.to & board.pawns & board.men[side ^ 1] == 0, problem::EP_NO_PAWN)
        | flag((push.from | push.over) & board.occupied() != 0, problem::EP_OCCUPIED)
}

/// What a valid en passant square is worth to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capture {
    /// No pawn stands beside the pushed pawn.
    Nobody,
    /// A pawn stands beside it, but capturing leaves the own king attacked.
    Illegal,
    /// A capture is legal.
    Legal,
}

/// Judges the en passant square of `position`, which must be free of [`defects`].
///
/// Each capture is made on the board and the king looked at, so pins, lines opened through either
/// vacated square and checks that the capture answers are all exact. Without exactly one king
/// there is nothing to leave attacked and every capture counts.
#[inline]
pub fn capture(position: &Position, board: &Board) -> Capture {
    let side = position.side_to_move();
    let push = Push::over(position.en_passant, side);
    let capturers = push.capturers(board, side);
    if capturers == 0 {
        return Capture::Nobody;
    }
    let king = board.kings & board.men[side];
    if !is_single(king) {
        return Capture::Legal;
    }
    let king = king.trailing_zeros() as u8;
    let is_safe = |capturer: u8| {
        let occupied = (board.occupied() & !(1 << capturer) & !push.to) | push.over;
        attackers(board, occupied, king, side ^ 1) & !push.to == 0
    };
    if squares(capturers).any(is_safe) { Capture::Legal } else { Capture::Illegal }
}
