//! The five fields after a clean placement, read with few branches.

use super::placement::{Placement, TAIL};
use crate::position::WHITE;
use crate::row::Row;
use crate::square;

/// The fields after the placement, in canonical form.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tail {
    pub(super) black_to_move: bool,
    /// The castling letters K, Q, k, q as bits 0 to 3.
    pub(super) letters: u8,
    pub(super) en_passant: u8,
    pub(super) halfmove: u16,
    pub(super) fullmove: u16,
    pub(super) has_counters: bool,
}

impl Tail {
    /// Whether `side`'s K and Q are given.
    #[inline(always)]
    pub(super) const fn rights(&self, side: usize) -> (bool, bool) {
        let letters = if side == WHITE { self.letters } else { self.letters >> 2 };
        (letters & 1 != 0, letters & 2 != 0)
    }
}

/// Room behind the tail, so that a field is loaded as one word wherever it starts.
const PADDED: usize = TAIL + 4;

/// Reads the tail of `row` from the space at `start`; the counters may be absent if `EPD`.
#[inline(always)]
pub(super) fn read<P: Placement, const EPD: bool>(
    placement: P,
    row: Row<'_>,
    start: usize,
) -> Option<Tail> {
    let len = row.len() - start;
    if len > TAIL {
        return None;
    }
    let mut bytes = [0; PADDED];
    let rest = &row.window()[start..];
    let padded = rest.first_chunk::<PADDED>();
    let bytes: &[u8; PADDED] = match padded {
        Some(chunk) => chunk,
        None => {
            bytes[..len].copy_from_slice(&rest[..len]);
            &bytes
        }
    };
    let in_row = u32::MAX >> (TAIL - len);
    let spaces = placement.spaces(bytes.first_chunk()?) & in_row;
    let count = spaces.count_ones();
    if spaces & 0b111 != 0b101 || (count != 5 && !(EPD && count == 3)) {
        return None;
    }
    let turn = bytes[1];
    if (turn != b'w') & (turn != b'b') {
        return None;
    }
    let after_turn = spaces & !0b111;
    let castling_end = after_turn.trailing_zeros() as usize;
    let letters = castling(word(bytes, 3), castling_end - 3)?;
    let mut tail = Tail {
        black_to_move: turn == b'b',
        letters,
        en_passant: square::NONE,
        halfmove: 0,
        fullmove: 1,
        has_counters: count == 5,
    };
    if EPD && count == 3 {
        tail.en_passant = en_passant(bytes, castling_end + 1, len)?;
        return Some(tail);
    }
    let after_castling = after_turn & (after_turn - 1);
    let en_passant_end = after_castling.trailing_zeros() as usize;
    let after_en_passant = after_castling & (after_castling - 1);
    let halfmove_end = after_en_passant.trailing_zeros() as usize;
    tail.en_passant = en_passant(bytes, castling_end + 1, en_passant_end)?;
    tail.halfmove = number(word(bytes, en_passant_end + 1), halfmove_end - en_passant_end - 1)?;
    tail.fullmove = number(word(bytes, halfmove_end + 1), len - halfmove_end - 1)?;
    (tail.fullmove != 0).then_some(tail)
}

/// The four bytes at `start`; fields start within the tail, so the padding is never passed.
#[inline(always)]
fn word(bytes: &[u8; PADDED], start: usize) -> u32 {
    bytes[start..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

/// The castling fields in canonical order, hashed by a multiplication without collisions.
const CASTLING_FACTOR: u32 = {
    let mut factor = 1u32;
    while !is_perfect(factor) {
        factor = factor.wrapping_mul(2_891_336_453).wrapping_add(2);
    }
    factor
};

/// An empty slot holds the word of `-`, which hashes to another slot and so never matches here.
const CASTLING: [(u32, u8); 64] = {
    let mut table = [(castling_word(0), 0); 64];
    let mut letters = 0;
    while letters < 16 {
        let word = castling_word(letters);
        table[castling_slot(word, CASTLING_FACTOR)] = (word, letters);
        letters += 1;
    }
    table
};

const fn castling_word(letters: u8) -> u32 {
    let mut word = 0;
    let mut at = 0;
    let mut i = 0;
    while i < 4 {
        if letters >> i & 1 == 1 {
            word |= (b"KQkq"[i] as u32) << at;
            at += 8;
        }
        i += 1;
    }
    if letters == 0 { b'-' as u32 } else { word }
}

const fn castling_slot(word: u32, factor: u32) -> usize {
    (word.wrapping_mul(factor) >> 26) as usize
}

const fn is_perfect(factor: u32) -> bool {
    let mut taken = 0u64;
    let mut letters = 0;
    while letters < 16 {
        let slot = 1 << castling_slot(castling_word(letters), factor);
        if taken & slot != 0 {
            return false;
        }
        taken |= slot;
        letters += 1;
    }
    true
}

#[inline(always)]
fn castling(word: u32, length: usize) -> Option<u8> {
    if length.wrapping_sub(1) > 3 {
        return None;
    }
    let word = word & (u32::MAX >> (32 - 8 * length));
    let (key, letters) = CASTLING[castling_slot(word, CASTLING_FACTOR)];
    // A NUL at the end of the field would leave the word as it is.
    let whole = letters.count_ones().max(1) as usize == length;
    ((key == word) & whole).then_some(letters)
}

#[inline(always)]
fn en_passant(bytes: &[u8; PADDED], start: usize, end: usize) -> Option<u8> {
    let word = word(bytes, start);
    let (first, second) = (word as u8, (word >> 8) as u8);
    let absent = (end - start == 1) & (first == b'-');
    let (file, rank) = (first.wrapping_sub(b'a'), second.wrapping_sub(b'1'));
    let present = (end - start == 2) & (file < 8) & (rank < 8);
    if !(absent | present) {
        return None;
    }
    Some(if present { rank * 8 + file } else { square::NONE })
}

/// A decimal number of one to four digits without a leading zero.
#[inline(always)]
fn number(word: u32, length: usize) -> Option<u16> {
    if length.wrapping_sub(1) > 3 {
        return None;
    }
    // Right-align the digits, most significant first in memory, and pad with zero digits.
    let padding = 32 - 8 * length as u32;
    let zeros = 0x3030_3030u32.unbounded_shr(32 - padding);
    let digits = word.unbounded_shl(padding) | zeros;
    let value = digits.wrapping_sub(0x3030_3030);
    let no_digits = (digits.wrapping_add(0x4646_4646) | value) & 0x8080_8080 != 0;
    let leading_zero = (length > 1) & (word & 0xff == u32::from(b'0'));
    if no_digits | leading_zero {
        return None;
    }
    let pairs = (value.wrapping_mul(1 + (10 << 8)) >> 8) & 0x00ff_00ff;
    Some((pairs.wrapping_mul(1 + (100 << 16)) >> 16) as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        for value in 0..=9999u16 {
            let text = value.to_string();
            let mut bytes = *b"!!!!";
            bytes[..text.len()].copy_from_slice(text.as_bytes());
            assert_eq!(number(u32::from_le_bytes(bytes), text.len()), Some(value));
        }
        assert_eq!(number(u32::from_le_bytes(*b"01!!"), 2), None);
        assert_eq!(number(u32::from_le_bytes(*b"1:!!"), 2), None);
        assert_eq!(number(u32::from_le_bytes(*b"1/!!"), 2), None);
        assert_eq!(number(u32::from_le_bytes(*b"1234"), 5), None);
        assert_eq!(number(u32::from_le_bytes(*b"1234"), 0), None);
    }

    #[test]
    #[cfg_attr(miri, ignore = "too many words")]
    fn castling_fields() {
        assert_eq!(castling(u32::from_le_bytes(*b"KQkq"), 4), Some(15));
        assert_eq!(castling(u32::from_le_bytes(*b"Kq w"), 2), Some(9));
        assert_eq!(castling(u32::from_le_bytes(*b"-   "), 1), Some(0));
        assert_eq!(castling(u32::from_le_bytes(*b"QK  "), 2), None);
        assert_eq!(castling(u32::from_le_bytes(*b"--  "), 2), None);
        let canonical: Vec<_> = (0..16).map(castling_word).collect();
        for word in 0..=u32::from(u16::MAX) {
            for length in 1..=2 {
                let masked = word & (u32::MAX >> (32 - 8 * length));
                let whole = (masked.leading_zeros() / 8) as usize == 4 - length;
                let known = whole && canonical.contains(&masked);
                assert_eq!(castling(word, length).is_some(), known, "{word:#x} {length}");
            }
        }
    }
}
