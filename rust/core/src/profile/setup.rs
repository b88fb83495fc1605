//! What the readers of all programs share: ranks of men, squares, plain numbers.

use crate::position::{BLACK_TO_MOVE, Position};

/// What a program's reader takes in a rank beside piece letters and the digits 1 to 8.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ranks {
    /// Digits side by side.
    pub(super) adjacent_digits: bool,
    /// The digit 0.
    pub(super) zero: bool,
    /// `~` behind a piece.
    pub(super) promoted: bool,
}

/// The men of a placement, and which of them are marked as promoted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Men {
    /// The board, White to move.
    pub(super) position: Position,
    /// The squares with a `~`.
    pub(super) promoted: u64,
}

impl Ranks {
    /// Reads eight ranks of eight squares; every program wants these.
    pub(super) fn read(self, text: impl Iterator<Item = char>) -> Option<Men> {
        let mut men = Men { position: Position::EMPTY, promoted: 0 };
        let (mut rank, mut file) = (7u8, 0u8);
        let mut previous = '/';
        for character in text {
            match character {
                '/' if file == 8 && rank > 0 => {
                    rank -= 1;
                    file = 0;
                }
                '0'..='8' if character != '0' || self.zero => {
                    if previous.is_ascii_digit() && !self.adjacent_digits {
                        return None;
                    }
                    file += character as u8 - b'0';
                    if file > 8 {
                        return None;
                    }
                }
                '~' if self.promoted && previous.is_ascii_alphabetic() => {
                    men.promoted |= 1 << (rank * 8 + file - 1);
                }
                _ => {
                    if file == 8 {
                        return None;
                    }
                    men.put(rank * 8 + file, character)?;
                    file += 1;
                }
            }
            previous = character;
        }
        (rank == 0 && file == 8).then_some(men)
    }
}

impl Men {
    fn put(&mut self, square: u8, letter: char) -> Option<()> {
        let role = "PNBRQK".find(letter.to_ascii_uppercase())?;
        for (bit, plane) in self.position.code.iter_mut().enumerate() {
            *plane |= ((role as u64 + 1) >> bit & 1) << square;
        }
        self.position.black |= u64::from(letter.is_ascii_lowercase()) << square;
        Some(())
    }
}

/// `position` with the side to move that `turn` names, `w` or `b`.
pub(super) fn turned(position: Position, turn: &[u8]) -> Option<Position> {
    let flags = match turn {
        b"w" => 0,
        b"b" => BLACK_TO_MOVE,
        _ => return None,
    };
    Some(Position { flags, ..position })
}

/// Bytes as the characters of the same number, so that none beyond ASCII is a letter or a digit.
pub(super) fn characters(text: &[u8]) -> impl Iterator<Item = char> {
    text.iter().map(|&byte| char::from(byte))
}
