//! Stockfish of August 2026: `Position::set`, strict since March 2026, returns no error.
//!
//! - The text is a C++ stream: any of its six kinds of blank ends a field, but only before the
//!   counters may there be more than one. An empty castling field and a missing en passant square
//!   count as none.
//! - Castling takes up to four letters in any order, repeated or not, or only dashes. Rights that do
//!   not hold are dropped without a word, also where the king left its rank; Chess960 rights hold in
//!   either mode.
//! - An en passant square on the wrong rank is refused; any other is kept or dropped without a word.
//! - A counter that is no number counts as 0 and ends the reading, and what follows the counters is
//!   not read (EPD operations, a seventh field). 32767 and 100000 are the most that is taken.
//! - Refused as unsupported: not one king a side, a king that can be captured, kings side by side,
//!   pawns on the first or last rank, more pawns and promoted men than eight a side, bishops counted
//!   whatever their squares' colour.
//!
//! Limits: the rules are those of the tables that running the program gave, which is no dependency
//! to test with. Inferred, not run: blanks before the counters in any number, three and four dashes,
//! nothing behind the blank after the side to move.

use super::setup::{Ranks, characters, turned};
use crate::legality;
use crate::position::{BLACK, Board, Position, WHITE};
use crate::problem::EP_WRONG_RANK;
use crate::{en_passant, square};

/// The most that each counter may be.
const MOST: [i64; 2] = [32767, 100_000];

/// The castling letters that a field may hold.
const LETTERS: usize = 4;

/// Whether the FEN of `position` is accepted.
#[inline(always)]
pub(super) fn accepts_position(position: &Position, board: &Board) -> bool {
    let letters = position.castling.map(u8::count_ones);
    (letters[WHITE] + letters[BLACK] <= LETTERS as u32) & (i64::from(position.halfmove) <= MOST[0])
        && is_supported(position, board)
}

#[inline(always)]
fn is_supported(position: &Position, board: &Board) -> bool {
    (legality::men(board) == 0)
        & (legality::checkers(board, position.side_to_move()) == 0)
        & !has_excess(board, WHITE)
        & !has_excess(board, BLACK)
        & (en_passant::defects(position, board) & EP_WRONG_RANK == 0)
}

/// Whether `side` has more than eight pawns and men that must be promoted.
#[inline(always)]
const fn has_excess(board: &Board, side: usize) -> bool {
    let men = board.men[side];
    (board.pawns & men).count_ones()
        + (board.queens & men).count_ones().saturating_sub(1)
        + (board.rooks & men).count_ones().saturating_sub(2)
        + (board.bishops & men).count_ones().saturating_sub(2)
        + (board.knights & men).count_ones().saturating_sub(2)
        > 8
}

/// Whether `text` is accepted.
pub(super) fn accepts(text: &[u8]) -> Option<bool> {
    let (placement, rest) = text.split_at(text.iter().position(is_space)?);
    let ranks = Ranks { adjacent_digits: true, ..Ranks::default() };
    let men = ranks.read(characters(placement))?;
    let [_, turn, blank, rest @ ..] = rest else { return None };
    let mut position = turned(men.position, &[*turn])?;
    if !is_space(blank) {
        return None;
    }
    let (rights, rest) = rest.split_at(rest.iter().position(is_space).unwrap_or(rest.len()));
    if !is_castling(rights) {
        return None;
    }
    let (target, counters) = match rest {
        [] | [_] => (square::NONE, &[][..]),
        [_, b'-', rest @ ..] => (square::NONE, rest),
        [_, file, rank, rest @ ..] => (square::parse([*file, *rank])?, rest),
        _ => return None,
    };
    position.en_passant = target;
    Some(are_counters(counters) && is_supported(&position, &Board::of(&position)))
}

/// The blanks of the C locale.
const fn is_space(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// Whether a castling field is taken.
fn is_castling(field: &[u8]) -> bool {
    let is_letter = |byte: &u8| matches!(byte.to_ascii_lowercase(), b'a'..=b'h' | b'k' | b'q');
    field.len() <= LETTERS && (field.iter().all(is_letter) || field.iter().all(|&b| b == b'-'))
}

/// Whether the two counters that `text` begins with are in range; the first that is no number ends
/// the reading.
fn are_counters(mut text: &[u8]) -> bool {
    for most in MOST {
        let Some((value, rest)) = number(text) else { return true };
        if !(0..=most).contains(&value) {
            return false;
        }
        text = rest;
    }
    true
}

/// The number that `text` begins with, behind blanks and a sign, and what follows it.
fn number(text: &[u8]) -> Option<(i64, &[u8])> {
    let text = &text[text.iter().take_while(|byte| is_space(byte)).count()..];
    let (sign, text) = match text {
        [b'-', rest @ ..] => (-1, rest),
        [b'+', rest @ ..] => (1, rest),
        _ => (1, text),
    };
    let (digits, rest) =
        text.split_at(text.iter().take_while(|byte| byte.is_ascii_digit()).count());
    if digits.is_empty() {
        return None;
    }
    let value = digits.iter().fold(0i64, |value, digit| {
        value.saturating_mul(10).saturating_add(i64::from(digit - b'0'))
    });
    Some((sign * value, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_read_as_from_a_stream() {
        for text in ["", " ", " 0 1", "3 5", " +5 1", " 1_0 1", " 1.5", " 12abc 9", " - 1", " 3+3"]
        {
            assert!(are_counters(text.as_bytes()), "{text:?}");
        }
        for text in [" 32767 100000", " 0 0", " 0 abc", " 5 1 x y", " \u{665} -1", " -0 1"] {
            assert!(are_counters(text.as_bytes()), "{text:?}");
        }
        for text in [" -1 1", " 32768 1", " 99999999999999999999 1", " 0 -1", " 0 100001"] {
            assert!(!are_counters(text.as_bytes()), "{text:?}");
        }
    }

    #[test]
    fn castling_fields() {
        for field in ["", "-", "--", "KQkq", "qkQK", "KKkk", "HAha", "KBQk", "E"] {
            assert!(is_castling(field.as_bytes()), "{field}");
        }
        for field in ["-KQ", "K-", "KQkqK", "x", "KQkqKQkq", "i"] {
            assert!(!is_castling(field.as_bytes()), "{field}");
        }
    }
}
