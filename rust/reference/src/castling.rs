//! Which castling rights a field names, and which of them hold.

use crate::Rules;
use crate::board::{Board, Colour, Man, Role, Square};

/// The files of the rooks that may castle, White's and Black's.
pub type Rights = [[bool; 8]; 2];

/// The letters of a file from the a-file on, as White's rights are written.
const FILES: [char; 8] = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];

/// Whether `field` is `-`, or at most two letters for White and then at most two for Black.
pub fn is_readable(field: &str) -> bool {
    let white = field.chars().take_while(char::is_ascii_uppercase).count();
    let black = field.chars().skip(white).take_while(char::is_ascii_lowercase).count();
    let known = |letter: char| matches!(letter.to_ascii_uppercase(), 'K' | 'Q' | 'A'..='H');
    field == "-"
        || (white <= 2
            && black <= 2
            && white + black == field.chars().count()
            && field.chars().all(known))
}

/// The rook files that the letters of `field` name.
pub fn named(field: &str, board: &Board, rules: Rules) -> Rights {
    let mut rights = Rights::default();
    if field == "-" {
        return rights;
    }
    for colour in Colour::BOTH {
        let king = board.king(colour, rules);
        let is_own = |letter: &char| letter.is_ascii_uppercase() == (colour == Colour::White);
        for letter in field.chars().filter(is_own) {
            let file = match letter.to_ascii_uppercase() {
                'K' => Some(kingside(board, colour, king).unwrap_or(7)),
                'Q' => {
                    let is_lone = king.is_some() && rooks(board, colour).next().is_none();
                    let file = queenside(board, colour, king).unwrap_or(0);
                    (rules.lone_queenside || !is_lone).then_some(file)
                }
                letter => FILES.iter().position(|&file| file == letter),
            };
            if let Some(file) = file {
                rights[colour as usize][file] = true;
            }
        }
    }
    rights
}

/// The rights of `named` that hold.
///
/// In standard chess the king stands on the e-file and the rook in a corner. In Chess960 the king
/// stands anywhere on its back rank, and of the rooks named on either side of it the outermost
/// counts.
pub fn held(named: &Rights, board: &Board, rules: Rules, chess960: bool) -> Rights {
    let mut held = Rights::default();
    for colour in Colour::BOTH {
        let side = colour as usize;
        let files: Vec<usize> = rooks(board, colour).filter(|&file| named[side][file]).collect();
        if files.is_empty() || board.king(colour, rules).is_none() {
            continue;
        }
        let is_king = |man: Man| man.colour == colour && man.role == Role::King && !man.promoted;
        if chess960 {
            let is_home = |&file: &usize| board.at(back_rank(colour, file)).is_some_and(is_king);
            let Some(king) = (0..8).rev().find(is_home) else { continue };
            let first = files.first().filter(|&&file| file < king);
            let last = files.last().filter(|&&file| file > king);
            for &file in first.into_iter().chain(last) {
                held[side][file] = true;
            }
        } else if board.at(back_rank(colour, 4)).is_some_and(is_king) {
            for file in files.into_iter().filter(|file| [0, 7].contains(file)) {
                held[side][file] = true;
            }
        }
    }
    held
}

/// The field for rights that hold: `K` and `Q` for the outermost rooks and otherwise the file's
/// letter, or always the file's letter.
pub fn written(held: &Rights, board: &Board, rules: Rules, shredder: bool) -> String {
    let mut field = String::new();
    for colour in Colour::BOTH {
        let files = held[colour as usize];
        if files == [false; 8] {
            continue;
        }
        let Some(king) = board.king(colour, rules) else { continue };
        for file in (0..8).rev().filter(|&file| files[file]) {
            let kingside = file as i8 >= king.file;
            let beyond = if kingside { file + 1..8 } else { 0..file };
            let is_outermost = !rooks(board, colour).any(|other| beyond.contains(&other));
            let letter = match (shredder || !is_outermost, kingside) {
                (true, _) => FILES[file],
                (false, true) => 'K',
                (false, false) => 'Q',
            };
            field.push(match colour {
                Colour::White => letter,
                Colour::Black => letter.to_ascii_lowercase(),
            });
        }
    }
    if field.is_empty() { "-".to_owned() } else { field }
}

fn back_rank(colour: Colour, file: usize) -> Square {
    Square::new(file as i8, colour.back_rank())
}

/// The files of the rooks of `colour` on its back rank.
fn rooks(board: &Board, colour: Colour) -> impl Iterator<Item = usize> + '_ {
    (0..8).filter(move |&file| board.is(back_rank(colour, file), colour, Role::Rook))
}

/// The file of the last rook, if it stands after the king.
///
/// A king elsewhere than on its back rank stands after every square of rank 1 and before every
/// square of rank 8.
fn kingside(board: &Board, colour: Colour, king: Option<Square>) -> Option<usize> {
    let king = king?.index();
    rooks(board, colour).last().filter(|&file| king < back_rank(colour, file).index())
}

/// The file of the first rook, if it stands before the king.
fn queenside(board: &Board, colour: Colour, king: Option<Square>) -> Option<usize> {
    let king = king?.index();
    rooks(board, colour).next().filter(|&file| back_rank(colour, file).index() < king)
}
