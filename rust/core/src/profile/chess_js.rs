//! chess.js 1.4.0: `validateFen`, of which the first failing of eleven criteria counts.
//!
//! - Exactly six fields between runs of what a regular expression calls `\s`, none around them.
//! - Counters are what `parseInt` reads from the start of the field; the fullmove number is above 0.
//! - The en passant square is on rank 6 for White and on rank 3 for Black; nothing else of it is
//!   looked at. Castling is any mix of `K`, `Q`, `k`, `q` and `-`.
//! - Ranks have no adjacent digits, but the digit 0 counts.
//! - One king a side, and no pawn on the first or last rank; checks are not looked at.
//!
//! Castling rights are never refused for the board, and Chess960 does not exist here. Limit: bytes
//! that are no UTF-8 are refused, for the program takes strings.

use super::setup::{Ranks, characters, turned};
use crate::bitboard::{BACK_RANKS, is_single};
use crate::castling::BackRank;
use crate::en_passant;
use crate::position::{BLACK, Board, Position, WHITE};
use crate::problem::EP_WRONG_RANK;
use crate::square;

/// Whether the FEN of `position` is accepted.
#[inline(always)]
pub(super) fn accepts_position(position: &Position, board: &Board) -> bool {
    let spelled = |side: usize| {
        let [k, q] = BackRank::of(board, side).xfen();
        position.castling[side] & !(k | q) == 0
    };
    (position.fullmove > 0) & spelled(WHITE) & spelled(BLACK) & is_taken(position, board)
}

#[inline(always)]
const fn is_taken(position: &Position, board: &Board) -> bool {
    is_single(board.kings & board.men[WHITE])
        & is_single(board.kings & board.men[BLACK])
        & (board.pawns & BACK_RANKS == 0)
        & (en_passant::defects(position, board) & EP_WRONG_RANK == 0)
}

/// Whether `text` is accepted.
pub(super) fn accepts(text: &[u8]) -> Option<bool> {
    let text = str::from_utf8(text).ok()?;
    if text.starts_with(is_space) || text.ends_with(is_space) {
        return None;
    }
    let mut fields = text.split(is_space).filter(|field| !field.is_empty()).map(str::as_bytes);
    let ranks = Ranks { zero: true, ..Ranks::default() };
    let men = ranks.read(characters(fields.next()?))?;
    let mut position = turned(men.position, fields.next()?)?;
    let is_castling = fields.next()?.iter().all(|letter| b"KQkq-".contains(letter));
    position.en_passant = match fields.next()? {
        b"-" => square::NONE,
        &[file, rank] => square::parse([file, rank])?,
        _ => return None,
    };
    let halfmove = is_positive(fields.next()?).is_some();
    let fullmove = is_positive(fields.next()?) == Some(true);
    let whole = is_castling && halfmove && fullmove && fields.next().is_none();
    Some(whole && is_taken(&position, &Board::of(&position)))
}

/// What `\s` matches.
fn is_space(character: char) -> bool {
    character == '\u{feff}' || (character.is_whitespace() && character != '\u{85}')
}

/// Whether the number that `parseInt` reads from `field` is above 0; `None` if it is none or below.
fn is_positive(field: &[u8]) -> Option<bool> {
    let (negative, digits) = match field {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, field),
    };
    let digits = &digits[..digits.iter().take_while(|byte| byte.is_ascii_digit()).count()];
    let positive = digits.iter().any(|&digit| digit != b'0');
    let is_below_zero = negative && positive;
    if digits.is_empty() || is_below_zero { None } else { Some(positive) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_from_the_start() {
        assert_eq!(is_positive(b"0"), Some(false));
        assert_eq!(is_positive(b"-0x"), Some(false));
        for field in [&b"1"[..], b"+5", b"005", b"1.5", b"12abc", b"1_0", b"99999999999"] {
            assert_eq!(is_positive(field), Some(true), "{field:?}");
        }
        for field in [&b""[..], b"-", b"+", b"-1", b"abc", b"\xd9\xa5"] {
            assert_eq!(is_positive(field), None, "{field:?}");
        }
    }
}
