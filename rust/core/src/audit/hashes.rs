//! What two rows must share to count as one, as hashes: of their texts, boards and states.

use crate::castling;
use crate::position::{BLACK, Position, WHITE};
use crate::square;

const MIX: [u64; 4] =
    [0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db, 0x8ebc_6af0_9c88_c6e3, 0x5899_65cc_7537_4cc3];

/// Both halves of a product, folded.
#[inline(always)]
const fn fold(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    product as u64 ^ (product >> 64) as u64
}

/// A hash of two words.
#[inline(always)]
pub(super) const fn pair(a: u64, b: u64) -> u64 {
    fold(fold(a ^ MIX[2], b ^ MIX[3]) ^ MIX[0], MIX[1])
}

/// The two words of 16 bytes.
#[inline(always)]
fn words(bytes: &[u8; 16]) -> [u64; 2] {
    bytemuck::pod_read_unaligned(bytes)
}

/// A hash of `bytes`.
#[inline(always)]
fn hash(bytes: &[u8]) -> u64 {
    let mut hash = bytes.len() as u64;
    let (blocks, rest) = bytes.as_chunks::<16>();
    for block in blocks {
        let [first, second] = words(block);
        hash = fold(first ^ MIX[0], second ^ MIX[1] ^ hash);
    }
    if !rest.is_empty() {
        // The last 16 bytes, whichever of them were read already.
        let [first, second] = match bytes.last_chunk() {
            Some(block) => words(block),
            None => {
                let mut block = [0; 16];
                block[..rest.len()].copy_from_slice(rest);
                words(&block)
            }
        };
        hash = fold(first ^ MIX[1], second ^ MIX[0] ^ hash);
    }
    hash
}

/// The hashes of a text and of its first four fields, which are `text[start..end]`.
#[inline(always)]
pub(super) fn of_text(text: &[u8], start: usize, end: usize) -> [u64; 2] {
    let fields = hash(&text[start..end]);
    let opening = if start == 0 { fields } else { hash(&text[..end]) };
    [pair(opening, hash(&text[end..])), pair(fields, 0)]
}

/// A hash of the board alone.
#[inline(always)]
pub(super) const fn of_board(position: &Position) -> u64 {
    let [c0, c1, c2] = position.code;
    pair(fold(c2 ^ MIX[1], position.black ^ fold(c0 ^ MIX[0], c1 ^ MIX[2])), 0)
}

/// A hash of the `board`'s hash, the side to move, the `rights` that hold and an en passant square.
#[inline(always)]
pub(super) const fn with_state(
    board: u64,
    position: &Position,
    rights: [castling::Files; 2],
    en_passant: u8,
) -> u64 {
    let side = position.side_to_move() as u64;
    let rights = (rights[WHITE] as u64) << 8 | (rights[BLACK] as u64) << 16;
    pair(board, side | rights | ((square::NONE - en_passant) as u64) << 24)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn neighbouring_texts_differ() {
        let text = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let mut seen = HashSet::new();
        let mut texts = 0;
        for end in 0..=text.len() {
            for at in 0..end {
                for bit in 0..8 {
                    let mut text = text[..end].to_vec();
                    text[at] ^= 1 << bit;
                    seen.insert(pair(hash(&text), 0));
                    texts += 1;
                }
            }
        }
        assert_eq!(seen.len(), texts);
    }

    #[test]
    fn where_the_fields_end_is_not_part_of_the_text() {
        let text = b"  8/8/8/8/8/8/8/8 w - - 0 1";
        let [whole, fields] = of_text(text, 2, 23);
        assert_eq!(of_text(&text[2..], 0, 21)[1], fields);
        assert_ne!(of_text(&text[2..], 0, 21)[0], whole);
        assert_eq!(hash(b""), 0);
    }
}
