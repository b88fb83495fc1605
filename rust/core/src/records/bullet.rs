//! bulletformat's `ChessBoard`: the men as the mover sees them.
//!
//! Bytes 0-7 the occupied squares, 8-23 the men (bit 3 for the opponent, then P N B R Q K from 0),
//! 24-25 score, 26 result, 27 own king, 28 the opponent's king as the opponent sees it, 29-31 free.

use super::{check_men, man, write_men};
use crate::bitboard::is_single;
use crate::perspective::Perspective;
use crate::planes::Expand;
use crate::position::{BLACK, Board, Position, WHITE};
use crate::rows::Encode;
use crate::unheld::Unheld;

/// Writes `ChessBoard`s with score and result 0.
#[derive(Clone, Copy, Debug)]
pub struct ChessBoards;

impl Encode for ChessBoards {
    type Cell = u8;
    const BLANK: u8 = 0;

    fn width(&self) -> usize {
        32
    }

    #[inline(always)]
    fn encode<X: Expand>(
        &self,
        _: X,
        position: &Position,
        _: &[Option<Position>],
        out: &mut [u8],
    ) -> Result<(), Unheld> {
        check_men(position)?;
        let turn = Perspective::Mover.turn(position.side_to_move());
        let ([c0, c1, c2], upper) = turn.planes(position);
        let seen = Position { code: [c0, c1, c2], black: upper, ..Position::EMPTY };
        let board = Board::of(&seen);
        let kings = [board.kings & board.men[WHITE], board.kings & board.men[BLACK]];
        for (side, kings) in kings.into_iter().enumerate() {
            if !is_single(kings) {
                let side = if turn.swaps() { side ^ 1 } else { side };
                return Err(Unheld::Kings { side, count: kings.count_ones() });
            }
        }
        out.fill(0);
        out[..8].copy_from_slice(&seen.occupied().to_le_bytes());
        write_men(seen.occupied(), &mut out[8..24], |square| {
            let (code, opponent) = man(&seen, square);
            (code - 1) | u8::from(opponent) << 3
        });
        out[27] = kings[WHITE].trailing_zeros() as u8;
        out[28] = kings[BLACK].trailing_zeros() as u8 ^ 56;
        Ok(())
    }
}
