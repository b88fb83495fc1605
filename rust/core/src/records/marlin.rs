//! marlinformat's `PackedBoard`, of which viriformat's games begin with one.
//!
//! Bytes 0-7 the occupied squares, 8-23 the men (bit 3 for Black, then P N B R Q K from 0, 6 for a
//! rook with a castling right), 24 Black to move in bit 7 and the en passant square or 64, 25
//! halfmove clock, 26-27 fullmove number, 28-29 evaluation, 30 result, 31 free.

use super::{Fault, check_men, grant, man, may_castle, put, read_men, write_men};
use crate::planes::{Expand, State};
use crate::position::{BLACK_TO_MOVE, CHESS960, Position};
use crate::rows::Encode;
use crate::square;
use crate::unheld::Unheld;

/// Writes `PackedBoard`s with evaluation and result 0.
#[derive(Clone, Copy, Debug)]
pub struct PackedBoards(pub State);

const ROOK: u8 = 4;
const UNMOVED_ROOK: u8 = 6;

impl Encode for PackedBoards {
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
        let position = self.0.of(position);
        check_men(&position)?;
        let Ok(halfmove) = u8::try_from(position.halfmove) else {
            return Err(Unheld::Number {
                name: "halfmove clock",
                value: position.halfmove.into(),
                limit: u8::MAX.into(),
            });
        };
        out.fill(0);
        out[..8].copy_from_slice(&position.occupied().to_le_bytes());
        write_men(position.occupied(), &mut out[8..24], |square| {
            let (code, black) = man(&position, square);
            let unmoved = code == ROOK && may_castle(&position, square, black);
            (if unmoved { UNMOVED_ROOK } else { code - 1 }) | u8::from(black) << 3
        });
        out[24] = position.en_passant | (position.flags & BLACK_TO_MOVE) << 7;
        out[25] = halfmove;
        out[26..28].copy_from_slice(&position.fullmove.to_le_bytes());
        Ok(())
    }
}

/// The position of a `PackedBoard`.
///
/// # Errors
/// Why it is none.
pub fn read_packed_board(record: &[u8; 32], chess960: bool) -> Result<Position, Fault> {
    let [o0, o1, o2, o3, o4, o5, o6, o7, men @ .., turn, halfmove, f0, f1, _, _, _, _] = *record;
    let men: [u8; 16] = men;
    let occupied = u64::from_le_bytes([o0, o1, o2, o3, o4, o5, o6, o7]);
    if occupied.count_ones() > super::MEN {
        return Err(Fault::Men(occupied.count_ones()));
    }
    let mut position = Position::EMPTY;
    position.flags = turn >> 7 | if chess960 { CHESS960 } else { 0 };
    position.en_passant = turn & 0x7f;
    position.halfmove = halfmove.into();
    position.fullmove = u16::from_le_bytes([f0, f1]);
    if position.en_passant > square::NONE {
        return Err(Fault::Target(position.en_passant));
    }
    read_men(occupied, &men, |square, code| {
        let black = code & 8 != 0;
        match code & 7 {
            7 => return Err(Fault::Man { square, code }),
            UNMOVED_ROOK => {
                grant(&mut position, square, black)?;
                put(&mut position, square, ROOK, black);
            }
            code => put(&mut position, square, code + 1, black),
        }
        Ok(())
    })?;
    Ok(position)
}
