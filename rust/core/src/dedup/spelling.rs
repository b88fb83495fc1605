//! How a row was written, to tell in what a duplicate differs from the first of its group.

use super::record::{PLAIN, Record};
use crate::hash::{fold, hash};
use crate::position::{BLACK, COUNTERS_ABSENT, Position, WHITE};

/// The words of a record with its spelling: a hash of the row, then bits 0-31 the counters (all set if absent),
/// 32-55 a hash of the castling field, 56-62 the en passant square and 63 the side to move.
pub const SPELLED: usize = PLAIN + 2;

/// In what a row differs from the first of its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// In nothing: the same text, or the same packed position.
    SameText,
    /// In the counters alone.
    Counters,
    /// In the en passant square.
    EnPassant,
    /// In the castling field, but not in the square.
    Castling,
    /// In the side to move, but in none of these. Only where sides are not compared.
    Side,
    /// In the spelling of another field, or in blanks.
    Spelling,
}

/// Every cause by name.
pub const CAUSES: [(&str, Cause); 6] = [
    ("same_text", Cause::SameText),
    ("counters", Cause::Counters),
    ("en_passant", Cause::EnPassant),
    ("castling", Cause::Castling),
    ("side", Cause::Side),
    ("spelling", Cause::Spelling),
];

/// Notes in `record` how `position` was written: `row`, whose castling field is `castling`.
#[inline(always)]
pub(super) fn spell(
    record: &mut Record<SPELLED>,
    position: &Position,
    row: &[u8],
    castling: &[u8],
) {
    let counters = match position.flags & COUNTERS_ABSENT {
        0 => u64::from(position.halfmove) | u64::from(position.fullmove) << 16,
        _ => u64::from(u32::MAX),
    };
    let letters = fold(hash(castling), 0x9e37_79b9_7f4a_7c15) >> 40;
    let state = u64::from(position.en_passant) | (position.side_to_move() as u64) << 7;
    record.rest_mut().copy_from_slice(&[hash(row), counters | letters << 32 | state << 56]);
}

/// Notes in `record` the packed `position`.
#[inline(always)]
pub(super) fn spell_packed(record: &mut Record<SPELLED>, position: &Position) {
    let rights = [position.castling[WHITE], position.castling[BLACK]];
    spell(record, position, bytemuck::bytes_of(position), &rights);
}

/// In what the row of `record` differs from the `first` of its group.
#[inline]
pub fn cause(record: &Record<SPELLED>, first: &Record<SPELLED>) -> Cause {
    let [row, fields] = [0, 1].map(|i| record.rest()[i] ^ first.rest()[i]);
    if row == 0 {
        Cause::SameText
    } else if fields >> 56 & 127 != 0 {
        Cause::EnPassant
    } else if fields << 8 >> 40 != 0 {
        Cause::Castling
    } else if fields >> 63 != 0 {
        Cause::Side
    } else if fields != 0 {
        Cause::Counters
    } else {
        Cause::Spelling
    }
}
