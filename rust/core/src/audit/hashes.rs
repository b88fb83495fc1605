//! What two rows must share to count as one, as hashes: of their texts, boards and states.

use crate::castling;
use crate::hash::{MIX, fold, hash, pair};
use crate::position::{BLACK, Position, WHITE};
use crate::square;

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

    #[test]
    fn where_the_fields_end_is_not_part_of_the_text() {
        let text = b"  8/8/8/8/8/8/8/8 w - - 0 1";
        let [whole, fields] = of_text(text, 2, 23);
        assert_eq!(of_text(&text[2..], 0, 21)[1], fields);
        assert_ne!(of_text(&text[2..], 0, 21)[0], whole);
        assert_eq!(hash(b""), 0);
    }
}
