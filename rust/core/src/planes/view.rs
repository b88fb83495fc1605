//! A position as a layout sees it: turned, with the state that has a meaning.

use crate::canonical::{EnPassant, canonical};
use crate::perspective::{Perspective, Turn};
use crate::position::{BLACK, Board, Position, WHITE};
use crate::square;

/// What of a position's state counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Which en passant squares are kept.
    pub en_passant: EnPassant,
    /// Whether castling rights are judged as in Chess960.
    pub chess960: bool,
}

impl State {
    /// `position` with the rights that hold and the en passant square that counts.
    #[inline]
    pub fn of(self, position: &Position) -> Position {
        canonical(position, self.en_passant, self.chess960)
    }
}

/// The rook squares of a side's castling rights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Rights {
    /// The rook on the h-side of the king, if it may castle.
    pub kingside: u64,
    /// The rook on the a-side of the king, if it may castle.
    pub queenside: u64,
}

impl Rights {
    /// The rights of `side` in the canonical `position`.
    pub(super) const fn of(position: &Position, board: &Board, side: usize) -> Self {
        let rooks = (position.castling[side] as u64) << if side == WHITE { 0 } else { 56 };
        let king = board.kings & board.men[side];
        let below = king.wrapping_sub(1);
        Self { kingside: rooks & !(king | below), queenside: rooks & below }
    }
}

/// A position as a layout sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// P N B R Q K of the lower side, then of the upper.
    pub men: [u64; 12],
    /// The castling rights of the lower and of the upper side.
    pub rights: [Rights; 2],
    /// The en passant square, or nothing.
    pub en_passant: u64,
    /// Whether Black is to move, however the board is turned.
    pub black_to_move: bool,
    /// What was done to the board.
    pub turn: Turn,
    /// The halfmove clock.
    pub halfmove: u16,
    /// The fullmove number.
    pub fullmove: u16,
}

impl View {
    /// The view of the canonical `position` from `perspective`.
    pub(super) fn of(position: &Position, perspective: Perspective) -> Self {
        let board = Board::of(position);
        let turn = perspective.turn(position.side_to_move());
        let turned = |side| {
            let Rights { kingside, queenside } = Rights::of(position, &board, side);
            Rights { kingside: turn.set(kingside), queenside: turn.set(queenside) }
        };
        let lower = if turn.swaps() { BLACK } else { WHITE };
        let target = if position.en_passant == square::NONE { 0 } else { 1 << position.en_passant };
        Self {
            men: men(position, turn),
            rights: [turned(lower), turned(lower ^ 1)],
            en_passant: turn.set(target),
            black_to_move: position.side_to_move() == BLACK,
            turn,
            halfmove: position.halfmove,
            fullmove: position.fullmove,
        }
    }

    /// Whether the lower side is to move.
    pub(super) const fn lower_to_move(&self) -> bool {
        !self.black_to_move || self.turn.swaps()
    }

    /// The number of plies from the start of the game.
    pub(super) fn plies(&self) -> u32 {
        2 * (u32::from(self.fullmove.max(1)) - 1) + u32::from(self.black_to_move)
    }
}

/// P N B R Q K of the lower side of `position`, turned, then of the upper.
#[inline(always)]
pub(super) fn men(position: &Position, turn: Turn) -> [u64; 12] {
    let (code, upper) = turn.planes(position);
    sets(code, upper)
}

/// P N B R Q K of the lower side, then of the `upper`, of men whose piece codes `code` spells.
#[inline(always)]
pub(super) const fn sets([c0, c1, c2]: [u64; 3], upper: u64) -> [u64; 12] {
    let [p, n, b] = [c0 & !c1 & !c2, !c0 & c1 & !c2, c0 & c1 & !c2];
    let [r, q, k] = [!c0 & !c1 & c2, c0 & !c1 & c2, !c0 & c1 & c2];
    [
        p & !upper,
        n & !upper,
        b & !upper,
        r & !upper,
        q & !upper,
        k & !upper,
        p & upper,
        n & upper,
        b & upper,
        r & upper,
        q & upper,
        k & upper,
    ]
}
