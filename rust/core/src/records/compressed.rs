//! nnue-pytorch's compressed position, 24 bytes without counters, which Lichess took over.
//!
//! Bytes 0-7 the occupied squares, big-endian; 8-23 the men: P p N n B b R r Q q K k from 0, 12 a
//! pawn with the en passant square behind it, 13 and 14 a white and a black rook with a castling
//! right, 15 a black king with Black to move.

use super::{Fault, check_men, grant, man, may_castle, put, read_men, write_men};
use crate::en_passant::Push;
use crate::planes::{Expand, State};
use crate::position::{BLACK, BLACK_TO_MOVE, Board, CHESS960, COUNTERS_ABSENT, Position};
use crate::rows::Encode;
use crate::square;
use crate::unheld::Unheld;

/// Writes compressed positions.
#[derive(Clone, Copy, Debug)]
pub struct Compressed(pub State);

const PAWN: u8 = 1;
const ROOK: u8 = 4;
const KING: u8 = 6;
const PUSHED_PAWN: u8 = 12;
const WHITE_UNMOVED_ROOK: u8 = 13;
const BLACK_UNMOVED_ROOK: u8 = 14;
const BLACK_KING_TO_MOVE: u8 = 15;

/// Writes the men of the canonical `position`.
#[inline(always)]
pub(super) fn write_position(position: &Position, out: &mut [u8]) {
    let pushed = if position.en_passant == square::NONE {
        0
    } else {
        Push::over(position.en_passant, position.side_to_move()).to
    };
    write_men(position.occupied(), out, |square| {
        let (code, black) = man(position, square);
        match code {
            PAWN if pushed >> square & 1 == 1 => PUSHED_PAWN,
            ROOK if may_castle(position, square, black) => {
                if black {
                    BLACK_UNMOVED_ROOK
                } else {
                    WHITE_UNMOVED_ROOK
                }
            }
            KING if black && position.flags & BLACK_TO_MOVE != 0 => BLACK_KING_TO_MOVE,
            _ => 2 * (code - 1) + u8::from(black),
        }
    });
}

/// The position of `occupied` squares and their men, without counters.
pub(super) fn read_position(occupied: u64, men: &[u8], chess960: bool) -> Result<Position, Fault> {
    let mut position = Position { flags: COUNTERS_ABSENT, ..Position::EMPTY };
    position.flags |= if chess960 { CHESS960 } else { 0 };
    read_men(occupied, men, |square, code| {
        match code {
            PUSHED_PAWN => {
                let black = match square >> 3 {
                    3 => false,
                    4 => true,
                    _ => return Err(Fault::EnPassant(square)),
                };
                if position.en_passant != square::NONE {
                    return Err(Fault::Pawns);
                }
                position.en_passant = if black { square + 8 } else { square - 8 };
                put(&mut position, square, PAWN, black);
            }
            WHITE_UNMOVED_ROOK | BLACK_UNMOVED_ROOK => {
                let black = code == BLACK_UNMOVED_ROOK;
                grant(&mut position, square, black)?;
                put(&mut position, square, ROOK, black);
            }
            BLACK_KING_TO_MOVE => {
                position.flags |= BLACK_TO_MOVE;
                put(&mut position, square, KING, true);
            }
            _ => put(&mut position, square, code / 2 + 1, code % 2 == 1),
        }
        Ok(())
    })?;
    Ok(position)
}

/// Whether only a black king could say that Black is to move, and there is none.
pub(super) fn turn_is_lost(position: &Position) -> bool {
    let board = Board::of(position);
    position.side_to_move() == BLACK && board.kings & board.men[BLACK] == 0
}

impl Encode for Compressed {
    type Cell = u8;
    const BLANK: u8 = 0;

    fn width(&self) -> usize {
        24
    }

    #[inline(always)]
    fn encode<X: Expand>(
        &self,
        _: X,
        position: &Position,
        _: &[Option<Position>],
        out: &mut [u8],
    ) -> Result<(), Unheld> {
        let position = self.0.of(position);
        check_men(&position)?;
        if turn_is_lost(&position) {
            return Err(Unheld::BlackToMove);
        }
        out[..8].copy_from_slice(&position.occupied().to_be_bytes());
        write_position(&position, &mut out[8..24]);
        Ok(())
    }
}

/// The position of 24 bytes.
///
/// # Errors
/// Why they are none.
pub fn read_compressed(record: &[u8; 24], chess960: bool) -> Result<Position, Fault> {
    let [o0, o1, o2, o3, o4, o5, o6, o7, men @ ..] = *record;
    let occupied = u64::from_be_bytes([o0, o1, o2, o3, o4, o5, o6, o7]);
    if occupied.count_ones() > super::MEN {
        return Err(Fault::Men(occupied.count_ones()));
    }
    read_position(occupied, &men, chess960)
}
