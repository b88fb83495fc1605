//! The six fields of a text.

use crate::board::{Board, Colour, Man, Role, Square};
use crate::{castling, counter};

/// What a text says, read but not judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The men.
    pub board: Board,
    /// The side to move.
    pub turn: Colour,
    /// The castling field.
    pub castling: String,
    /// The en passant square as given.
    pub en_passant: Option<Square>,
    /// The halfmove clock, in decimal.
    pub halfmove: String,
    /// The fullmove number, in decimal.
    pub fullmove: String,
}

impl Setup {
    /// Reads `text` if python-chess does.
    ///
    /// It parts the fields at any white space and supplies those that are missing from the end.
    pub fn read(text: &[u8]) -> Option<Setup> {
        let text = std::str::from_utf8(text).ok()?;
        let mut fields = text.split(is_blank).filter(|field| !field.is_empty());
        let board = placement(fields.next()?)?;
        let turn = match fields.next() {
            None | Some("w") => Colour::White,
            Some("b") => Colour::Black,
            Some(_) => return None,
        };
        let castling = fields.next().unwrap_or("-");
        let en_passant = match fields.next() {
            None | Some("-") => None,
            Some(name) => Some(square(name)?),
        };
        let halfmove = counter::read(fields.next().unwrap_or("0"))?;
        let mut fullmove = counter::read(fields.next().unwrap_or("1"))?;
        if fullmove == "0" {
            fullmove = "1".to_owned();
        }
        if fields.next().is_some() || !castling::is_readable(castling) {
            return None;
        }
        let castling = castling.to_owned();
        Some(Setup { board, turn, castling, en_passant, halfmove, fullmove })
    }
}

/// What Python's `str.split` parts at.
fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || ('\x1c'..='\x1f').contains(&letter)
}

fn placement(field: &str) -> Option<Board> {
    let mut board = Board::EMPTY;
    let mut ranks = field.split('/');
    for rank in (0..8).rev() {
        let mut file = 0;
        let mut last = None;
        for letter in ranks.next()?.chars() {
            if let Some(empty) = letter.to_digit(10) {
                if !(1..=8).contains(&empty) || last.is_some_and(|last: char| last.is_ascii_digit())
                {
                    return None;
                }
                file += empty as i8;
            } else if letter == '~' {
                last.filter(|&last| man(last).is_some())?;
                let square = Square::new(file - 1, rank);
                board.put(square, board.at(square).map(|man| Man { promoted: true, ..man }));
            } else {
                let square = Square::new(0, rank).step(file, 0)?;
                board.put(square, Some(man(letter)?));
                file += 1;
            }
            if file > 8 {
                return None;
            }
            last = Some(letter);
        }
        if file != 8 {
            return None;
        }
    }
    ranks.next().is_none().then_some(board)
}

fn man(letter: char) -> Option<Man> {
    let role = match letter {
        'P' | 'p' => Role::Pawn,
        'N' | 'n' => Role::Knight,
        'B' | 'b' => Role::Bishop,
        'R' | 'r' => Role::Rook,
        'Q' | 'q' => Role::Queen,
        // The Kelvin sign, whose small letter is a k.
        'K' | 'k' | '\u{212a}' => Role::King,
        _ => return None,
    };
    let colour = if letter.is_uppercase() { Colour::White } else { Colour::Black };
    Some(Man { colour, role, promoted: false })
}

fn square(name: &str) -> Option<Square> {
    match *name.as_bytes() {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
            Some(Square::new((file - b'a') as i8, (rank - b'1') as i8))
        }
        _ => None,
    }
}
