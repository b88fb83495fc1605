//! shakmaty 0.30.1: `Fen::from_ascii`, then `Chess::from_setup` in the castling mode.
//!
//! - Fields are split at runs of blanks and underscores; the last five may be missing.
//! - A placement may mark a piece with `~`, and a pocket may follow it, in brackets or as a ninth
//!   part; a game without pockets ignores both.
//! - Check counters may stand in field 5 (`3+3`, `+0+0`) or behind the fullmove number; ignored too.
//! - A right given twice is one right; more than two files for a side are refused.
//! - A counter that outgrows 32 bits saturates, and what follows in its field is not looked at.
//! - The position must show no illegal code, and no promoted men that its pawns do not allow,
//!   bishops counted on each colour of squares.

use super::setup::{Ranks, characters, turned};
use crate::castling;
use crate::legality;
use crate::position::{Board, Position};
use crate::reachability;
use crate::square;

/// Whether the FEN of `position` is accepted.
#[inline(always)]
pub(super) fn accepts_position(position: &Position, board: &Board, chess960: bool) -> bool {
    let checkers = legality::checkers(board, position.side_to_move() ^ 1);
    legality::illegal(position, board, checkers, chess960) == 0
        && reachability::promotion_excess(board) == 0
}

/// The men that a pocket may hold.
const POCKET: usize = 64;

/// Whether `text` is accepted.
pub(super) fn accepts(text: &[u8], chess960: bool) -> Option<bool> {
    let mut fields =
        text.split(|&byte| byte == b' ' || byte == b'_').filter(|field| !field.is_empty());
    let (placement, pocket) = split_pocket(fields.next()?)?;
    if pocket.len() > POCKET || !pocket.iter().all(|letter| b"PNBRQKpnbrqk".contains(letter)) {
        return None;
    }
    let ranks = Ranks { adjacent_digits: true, promoted: true, zero: false };
    let men = ranks.read(characters(placement))?;
    let mut position = turned(men.position, fields.next().unwrap_or(b"w"))?;
    let board = Board::of(&position);
    let rights = fields.next().unwrap_or(b"-");
    if rights != b"-" {
        for &letter in rights {
            let letter = castling::resolve(letter, &board)?;
            position.castling[letter.side] |= letter.file;
        }
    }
    position.en_passant = match fields.next().unwrap_or(b"-") {
        b"-" => square::NONE,
        &[file, rank] => square::parse([file, rank])?,
        _ => return None,
    };
    let mut field = fields.next();
    let mut counted = field.is_some_and(is_check_counters);
    if counted {
        field = fields.next();
    }
    let clocks = field.is_none_or(is_counter) && fields.next().is_none_or(is_counter);
    field = fields.next();
    if let Some(last) = field
        && !counted
    {
        counted = is_check_counters(last);
        field = if counted { fields.next() } else { field };
    }
    Some(clocks && field.is_none() && accepts_position(&position, &board, chess960))
}

/// The eight ranks and the pocket behind them.
fn split_pocket(field: &[u8]) -> Option<(&[u8], &[u8])> {
    if let Some(open) = field.strip_suffix(b"]") {
        let at = open.iter().position(|&byte| byte == b'[')?;
        return Some((&open[..at], &open[at + 1..]));
    }
    let mut slashes = field.iter().enumerate().filter(|(_, byte)| **byte == b'/');
    Some(match slashes.nth(7) {
        Some((at, _)) => (&field[..at], &field[at + 1..]),
        None => (field, b""),
    })
}

/// The most checks that can remain.
const CHECKS: u32 = 3;

/// Whether `field` is check counters, remaining (`3+3`) or given (`+0+0`, the last with a sign even).
fn is_check_counters(field: &[u8]) -> bool {
    let is_few = |digits: &[u8]| number(digits).is_some_and(|checks| checks <= CHECKS);
    let mut parts = field.splitn(3, |&byte| byte == b'+');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(white), Some(black), None) => is_few(white) && is_few(black),
        (Some(b""), Some(white), Some(black)) => {
            is_few(white)
                && match black {
                    [b'-', zero @ ..] => number(zero) == Some(0),
                    [b'+', black @ ..] | black => is_few(black),
                }
        }
        _ => false,
    }
}

/// A number of plain digits that 32 bits hold.
fn number(digits: &[u8]) -> Option<u32> {
    str::from_utf8(digits).ok().filter(|_| digits.first() != Some(&b'+'))?.parse().ok()
}

/// Whether `field` is a counter; where it outgrows 32 bits, its end is not looked at.
fn is_counter(field: &[u8]) -> bool {
    let mut value = 0u32;
    for byte in field {
        let tens = value.checked_mul(10);
        if !byte.is_ascii_digit() {
            return false;
        }
        let Some(tens) = tens else { return true };
        value = tens.saturating_add(u32::from(byte - b'0'));
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pockets_and_checks() {
        assert_eq!(split_pocket(b"8/8[Qp]"), Some((&b"8/8"[..], &b"Qp"[..])));
        assert_eq!(split_pocket(b"8/8]"), None);
        assert_eq!(split_pocket(b"1/2/3/4/5/6/7/8/"), Some((&b"1/2/3/4/5/6/7/8"[..], &b""[..])));
        for field in [&b"3+3"[..], b"+0+0", b"0+1", b"+3+-0", b"+1++2"] {
            assert!(is_check_counters(field), "{field:?}");
        }
        for field in [&b"4+0"[..], b"3", b"+", b"++", b"3+", b"+0+-1", b"1+1+1", b"+0+4"] {
            assert!(!is_check_counters(field), "{field:?}");
        }
    }

    #[test]
    fn counters_saturate() {
        assert!(is_counter(b"4294967296") && is_counter(b"99999999999x") && is_counter(b"007"));
        assert!(!is_counter(b"+5") && !is_counter(b"1.5") && !is_counter(b"999999999x"));
    }
}
