//! python-chess 1.11.2: `chess.Board(fen, chess960=…).is_valid()`.
//!
//! Tested against the library itself (tests/test_profiles.py), standard and Chess960.
//!
//! - Fields are split as `str.split` does, at any Unicode white space; the last five may be missing.
//! - A placement may mark a piece with `~`; the Kelvin sign is a White king. A promoted king counts
//!   as a king but is never in check and never castles.
//! - Castling letters come White's first, at most two a side. A lone `Q` or `q` without a rook on
//!   the back rank vanishes instead of being flagged.
//! - Counters are what `int` reads: a sign, single underscores between digits, digits of any script,
//!   at most 4300 of them.
//! - `status()` is every illegal code but one rule: two men that only check by moving are no
//!   impossible check.
//!
//! Limits: digits are those of Unicode 14 (Python 3.11), and the limit of 4300 digits is the default
//! one; bytes that are no UTF-8 are refused, for the library takes `str`.

use super::setup::{Ranks, turned};
use crate::attacks::aligned;
use crate::castling;
use crate::legality;
use crate::position::{BLACK, Board, Position, WHITE};
use crate::problem::{CASTLING_IMPOSSIBLE, CASTLING_NEEDS_960, IMPOSSIBLE_CHECK, KINGS_ADJACENT};
use crate::problem::{OPPOSITE_CHECK, Problems};
use crate::square;

const A_FILE: u8 = 1;

/// Whether the FEN of `position` is accepted.
#[inline(always)]
pub(super) fn accepts_position(position: &Position, board: &Board, chess960: bool) -> bool {
    let checkers = legality::checkers(board, position.side_to_move() ^ 1);
    let illegal = legality::illegal(position, board, checkers, chess960);
    illegal == 0 || (illegal & !FORGIVABLE == 0 && forgives(position, board, chess960))
}

/// The codes that this program does not always see.
const FORGIVABLE: Problems = CASTLING_IMPOSSIBLE | IMPOSSIBLE_CHECK;

#[cold]
#[inline(never)]
fn forgives(position: &Position, board: &Board, chess960: bool) -> bool {
    let mut position = *position;
    for side in [WHITE, BLACK] {
        if position.castling[side] == A_FILE && is_rookless(board, side) {
            position.castling[side] = 0;
        }
    }
    is_valid(&position, board, 0, chess960)
}

/// Whether `side` has no rook on its back rank.
const fn is_rookless(board: &Board, side: usize) -> bool {
    board.rooks & board.men[side] & (0xff << (56 * side)) == 0
}

/// Whether `status()` is `STATUS_VALID`, with no right left to vanish.
fn is_valid(position: &Position, board: &Board, promoted: u64, chess960: bool) -> bool {
    let side = position.side_to_move();
    let is_royal = |side: usize| board.kings & board.men[side] & promoted == 0;
    let checkers = if is_royal(side) { legality::checkers(board, side ^ 1) } else { 0 };
    let mut illegal = legality::illegal(position, board, checkers, chess960);
    if !is_royal(side ^ 1) {
        illegal &= !(OPPOSITE_CHECK | KINGS_ADJACENT);
    }
    for side in [WHITE, BLACK] {
        if !is_royal(side) && position.castling[side] != 0 {
            illegal |= CASTLING_NEEDS_960;
        }
    }
    if position.en_passant == square::NONE && checkers.count_ones() == 2 {
        let king = (board.kings & board.men[side]).trailing_zeros() as u8;
        let first = checkers.trailing_zeros() as u8;
        let second = 63 - checkers.leading_zeros() as u8;
        if !aligned(king, first, second) {
            illegal &= !IMPOSSIBLE_CHECK;
        }
    }
    illegal == 0
}

/// Whether `text` is accepted.
pub(super) fn accepts(text: &[u8], chess960: bool) -> Option<bool> {
    let mut fields = str::from_utf8(text).ok()?.split(is_space).filter(|field| !field.is_empty());
    let ranks = Ranks { promoted: true, ..Ranks::default() };
    let letters = fields.next()?.chars().map(|letter| if letter == KELVIN { 'K' } else { letter });
    let men = ranks.read(letters)?;
    let mut position = turned(men.position, fields.next().unwrap_or("w").as_bytes())?;
    let board = Board::of(&position);
    let rights = fields.next().unwrap_or("-").as_bytes();
    if rights != b"-" {
        position.castling = castling(rights, &board, men.promoted)?;
    }
    position.en_passant = match fields.next().unwrap_or("-").as_bytes() {
        b"-" => square::NONE,
        &[file, rank] => square::parse([file, rank])?,
        _ => return None,
    };
    let counters = is_counter(fields.next().unwrap_or("0"))
        && is_counter(fields.next().unwrap_or("1"))
        && fields.next().is_none();
    Some(counters && is_valid(&position, &board, men.promoted, chess960))
}

/// The sign of the unit kelvin, whose lower case is `k`.
const KELVIN: char = '\u{212a}';

/// What `str.split` splits at.
fn is_space(character: char) -> bool {
    matches!(character, '\u{1c}'..='\u{1f}') || character.is_whitespace()
}

/// The rights of a castling field; `None` if it is none.
fn castling(field: &[u8], board: &Board, promoted: u64) -> Option<[u8; 2]> {
    let whites = field.iter().take_while(|letter| letter.is_ascii_uppercase()).count();
    if whites > 2 || field.len() - whites > 2 {
        return None;
    }
    let mut rights = [0; 2];
    for (i, &byte) in field.iter().enumerate() {
        let letter = castling::resolve(byte, board)?;
        if (letter.side == WHITE) != (i < whites) {
            return None;
        }
        let royal = board.kings & board.men[letter.side] & promoted == 0;
        if !(byte.eq_ignore_ascii_case(&b'q') && royal && is_rookless(board, letter.side)) {
            rights[letter.side] |= letter.file;
        }
    }
    Some(rights)
}

/// The most digits that `int` takes.
const MOST_DIGITS: usize = 4300;

/// Whether `int` reads `text` as a number that is not negative.
fn is_counter(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mut digits, mut zero, mut previous) = (0, true, '_');
    for character in unsigned.chars() {
        if character == '_' {
            if previous == '_' {
                return false;
            }
        } else if let Some(digit) = digit(character) {
            digits += 1;
            zero &= digit == 0;
        } else {
            return false;
        }
        previous = character;
    }
    let negative = text.starts_with('-') && !zero;
    previous != '_' && digits <= MOST_DIGITS && !negative
}

/// The value of a decimal digit of any script.
fn digit(character: char) -> Option<u32> {
    let code = u32::from(character);
    if code < 0x80 {
        return character.to_digit(10);
    }
    let block = ZEROS.partition_point(|&zero| zero <= code).checked_sub(1)?;
    Some(code - ZEROS[block]).filter(|&digit| digit < 10)
}

/// The digits zero beyond ASCII (general category Nd of Unicode 14), nine more behind each.
const ZEROS: [u32; 65] = [
    0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66,
    0x0de6, 0x0e50, 0x0ed0, 0x0f20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90,
    0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
    0x104a0, 0x10d30, 0x11066, 0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650,
    0x116c0, 0x11730, 0x118e0, 0x11950, 0x11c50, 0x11d50, 0x11da0, 0x16a60, 0x16ac0, 0x16b50,
    0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e950, 0x1fbf0,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters() {
        for text in ["0", "007", "+5", "-0", "1_0", "٥", "1_٥", "𝟗", "70000000000000000000"] {
            assert!(is_counter(text), "{text}");
        }
        for text in
            ["", "-", "+", "_1", "1_", "1__0", "+-5", "-5", "1.5", "0x1", "²", "５a", "\u{2212}1"]
        {
            assert!(!is_counter(text), "{text}");
        }
        assert!(is_counter(&"1".repeat(MOST_DIGITS)));
        assert!(!is_counter(&"0".repeat(MOST_DIGITS + 1)));
    }
}
