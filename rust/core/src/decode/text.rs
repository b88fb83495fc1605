//! Placements as recognizers print them.

use crate::parse;
use crate::position::{BLACK, WHITE};

/// A placement read from text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The class of each square in LERF order.
    pub classes: [u8; 64],
    /// The side to move, if fields follow.
    pub turn: Option<usize>,
}

/// No placement with its fields or its file name is longer.
const LONGEST: usize = 512;

/// The ends of names of picture files.
const EXTENSIONS: [&str; 8] = [".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".svg", ".txt"];

/// Reads a placement: eight ranks from the eighth down with `/`, `-`, `|` or `_` between them, or 64
/// characters without. Empty squares are digits or `.`, `x`, `_` (and blanks among 64 characters).
/// A byte order mark, a line end, a `+` and a picture's extension are taken off; the other fields of
/// a FEN may follow.
pub fn read(text: &[u8]) -> Option<Placement> {
    if text.len() > LONGEST {
        return None;
    }
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let end = text.iter().rposition(|byte| !b"\r\n".contains(byte)).map_or(0, |last| last + 1);
    let line = &text[..end];
    if let Some(classes) = unseparated(line) {
        return Some(Placement { classes, turn: None });
    }
    let line = line.trim_ascii();
    let cut = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
    let (field, rest) = line.split_at(cut);
    let turn = if rest.is_empty() { None } else { Some(turn(rest)?) };
    let field = bare(field);
    let classes = unseparated(field)
        .or_else(|| b"/-|_".iter().find_map(|&separator| separated(field, separator)))?;
    Some(Placement { classes, turn })
}

/// The field without what a file name adds.
fn bare(field: &[u8]) -> &[u8] {
    let is_end = |end: &&&str| {
        let start = field.len().checked_sub(end.len());
        start.is_some_and(|start| field[start..].eq_ignore_ascii_case(end.as_bytes()))
    };
    let length = EXTENSIONS.iter().find(is_end).map_or(0, |end| end.len());
    let field = &field[..field.len() - length];
    field.strip_suffix(b"+").unwrap_or(field)
}

/// The side to move of the fields after a placement, if they can be read.
fn turn(rest: &[u8]) -> Option<usize> {
    let mut text = b"8/8/8/8/8/8/8/8".to_vec();
    text.extend_from_slice(rest);
    parse::careful(&text, false).position()?;
    match rest.trim_ascii_start().first()? {
        b'w' | b'W' => Some(WHITE),
        b'b' | b'B' => Some(BLACK),
        _ => None,
    }
}

/// The class of a letter or of a sign for an empty square.
fn class(byte: u8) -> Option<u8> {
    match byte {
        b'.' | b'x' | b'_' | b' ' | b'1' => Some(0),
        _ => b"PNBRQKpnbrqk".iter().position(|&letter| letter == byte).map(|i| i as u8 + 1),
    }
}

/// Reads 64 characters from a8 to h1.
fn unseparated(text: &[u8]) -> Option<[u8; 64]> {
    let text: &[u8; 64] = text.try_into().ok()?;
    let mut classes = [0; 64];
    for (i, &byte) in text.iter().enumerate() {
        classes[i ^ 56] = class(byte)?;
    }
    Some(classes)
}

/// Reads eight ranks with `separator` between them.
fn separated(text: &[u8], separator: u8) -> Option<[u8; 64]> {
    let mut classes = [0; 64];
    let mut ranks = 0;
    for rank in text.split(|&byte| byte == separator) {
        let row = 7_usize.checked_sub(ranks)?;
        let mut file = 0;
        for &byte in rank {
            let (class, squares) = match byte {
                b'1'..=b'8' => (0, usize::from(byte - b'0')),
                b' ' => return None,
                _ => (class(byte)?, 1),
            };
            if file + squares > 8 {
                return None;
            }
            classes[row * 8 + file..][..squares].fill(class);
            file += squares;
        }
        if file != 8 {
            return None;
        }
        ranks += 1;
    }
    (ranks == 8).then_some(classes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placement(text: &str) -> Option<String> {
        let placement = read(text.as_bytes())?;
        let mut fen = Vec::new();
        let position = crate::decode::position(&placement.classes);
        crate::write::write(&position, crate::Castling::Xfen, crate::Counters::Drop, &mut fen);
        Some(String::from_utf8_lossy(&fen).split(' ').next()?.to_owned())
    }

    #[test]
    fn spellings_of_one_board() {
        const BOARD: &str = "4k3/8/8/3p4/8/8/4P3/4K2R";
        let flat = "....k......................p........................P.......K..R";
        for text in [
            BOARD.to_owned(),
            BOARD.replace('/', "-"),
            BOARD.replace('/', "_"),
            BOARD.replace('/', "|"),
            flat.to_owned(),
            flat.replace('.', " "),
            flat.replace('.', "1"),
            flat.replace('.', "_"),
            format!("{BOARD} b - - 0 1\r\n"),
            format!("\u{feff}{BOARD}"),
            format!("{}+.png", BOARD.replace('/', "-")),
        ] {
            assert_eq!(placement(&text).as_deref(), Some(BOARD), "{text:?}");
        }
    }

    #[test]
    fn nothing_else() {
        for text in [
            "",
            "Model can't find valid chessboard layout",
            "9/8/8/8/8/8/8/8",
            "0/8/8/8/8/8/8/8",
            "8/8/8/8/8/8/8",
            "8/8/8/8/8/8/8/8/8",
            "7/8/8/8/8/8/8/8",
            "8/8/8/8/8/8/8/8\0",
            "8/8/8/8/8/8/8/8 nonsense",
        ] {
            assert_eq!(placement(text), None, "{text:?}");
        }
    }
}
