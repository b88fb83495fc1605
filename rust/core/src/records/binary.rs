//! Lichess's binary FEN: a compressed position of any number of men, then the counters.
//!
//! Eight bytes of occupied squares and half a byte a man are followed by halfmove clock and ply as
//! LEB128 and a byte for the variant; what is not written is 0.

use super::Fault;
use super::compressed::{read_position, turn_is_lost, write_position};
use crate::planes::State;
use crate::position::{BLACK_TO_MOVE, CHESS960, COUNTERS_ABSENT, Position};

/// Writes binary FENs.
#[derive(Clone, Copy, Debug)]
pub struct BinaryFen {
    /// What of the state counts.
    pub state: State,
    /// Whether a position of Chess960 says so.
    pub with_variant: bool,
}

const STANDARD: u8 = 0;
const CHESS_960: u8 = 2;
const FROM_POSITION: u8 = 3;

impl BinaryFen {
    /// Appends the binary FEN of `position` to `out`.
    pub fn write(self, position: &Position, out: &mut Vec<u8>) {
        let position = self.state.of(position);
        let occupied = position.occupied();
        out.extend_from_slice(&occupied.to_be_bytes());
        let start = out.len();
        out.resize(start + occupied.count_ones().div_ceil(2) as usize, 0);
        write_position(&position, &mut out[start..]);
        let black_to_move = u32::from(position.flags & BLACK_TO_MOVE);
        let ply = 2 * (u32::from(position.fullmove) - 1) + black_to_move;
        let has_variant = self.with_variant && position.flags & CHESS960 != 0;
        let has_ply = ply > 1 || turn_is_lost(&position) || has_variant;
        if position.halfmove > 0 || has_ply {
            write_number(position.halfmove.into(), out);
        }
        if has_ply {
            write_number(ply, out);
        }
        if has_variant {
            out.push(CHESS_960);
        }
    }
}

fn write_number(mut number: u32, out: &mut Vec<u8>) {
    while number > 0x7f {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// The position of a binary FEN.
///
/// # Errors
/// Why it is none.
pub fn read_binary(bytes: &[u8], chess960: bool) -> Result<Position, Fault> {
    let length = Fault::Length(bytes.len());
    let (first, rest) = bytes.split_first_chunk::<8>().ok_or(length)?;
    let occupied = u64::from_be_bytes(*first);
    let men = occupied.count_ones().div_ceil(2) as usize;
    let (men, mut rest) = rest.split_at_checked(men).ok_or(length)?;
    let halfmove = read_number(&mut rest);
    let ply = read_number(&mut rest);
    let variant = rest.first().copied().unwrap_or(STANDARD);
    if ![STANDARD, CHESS_960, FROM_POSITION].contains(&variant) {
        return Err(Fault::Variant(variant));
    }
    if rest.len() > 1 {
        return Err(length);
    }
    let mut position = read_position(occupied, men, chess960 || variant == CHESS_960)?;
    let fits = |number: u64| u16::try_from(number).map_err(|_| Fault::Counter(number));
    position.halfmove = fits(halfmove)?;
    position.fullmove = fits(ply / 2 + 1)?;
    position.flags |= (ply % 2) as u8 * BLACK_TO_MOVE;
    // What is not written says 0 and 1.
    position.flags &= !COUNTERS_ABSENT;
    Ok(position)
}

/// Reads a number, 0 at the end.
fn read_number(bytes: &mut &[u8]) -> u64 {
    let (mut number, mut shift) = (0, 0);
    while let Some((&byte, rest)) = bytes.split_first() {
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift.min(56);
        shift += 7;
        if byte & 0x80 == 0 {
            break;
        }
    }
    number
}
