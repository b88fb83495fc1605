//! The text of a setup, with the rights that hold.

use crate::board::{Board, Colour, Role, Square};
use crate::{Rules, Setup, castling, en_passant};

/// Which valid en passant squares are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnPassant {
    /// Those with a legal capture.
    Legal,
    /// Those with a pawn beside the pushed one.
    Xfen,
    /// All.
    Given,
    /// None.
    Never,
}

/// The first four fields of `setup`, as they read in FEN.
pub fn epd(
    setup: &Setup,
    rules: Rules,
    chess960: bool,
    choice: EnPassant,
    shredder: bool,
) -> String {
    let named = castling::named(&setup.castling, &setup.board, rules);
    let held = castling::held(&named, &setup.board, rules, chess960);
    let turn = match setup.turn {
        Colour::White => "w",
        Colour::Black => "b",
    };
    let kept = match choice {
        EnPassant::Legal => en_passant::is_legal(setup, rules),
        EnPassant::Xfen => !en_passant::captures(setup).is_empty(),
        EnPassant::Given => true,
        EnPassant::Never => false,
    };
    let square = en_passant::valid(setup).filter(|_| kept);
    [
        placement(&setup.board),
        turn.to_owned(),
        castling::written(&held, &setup.board, rules, shredder),
        square.map_or_else(|| "-".to_owned(), Square::name),
    ]
    .join(" ")
}

/// The text of `setup`: six fields.
pub fn fen(
    setup: &Setup,
    rules: Rules,
    chess960: bool,
    choice: EnPassant,
    shredder: bool,
) -> String {
    let epd = epd(setup, rules, chess960, choice, shredder);
    format!("{epd} {} {}", setup.halfmove, setup.fullmove)
}

/// The first field.
pub fn placement(board: &Board) -> String {
    let mut field = String::new();
    for rank in (0..8).rev() {
        let mut empty = 0;
        for file in 0..8 {
            let Some(man) = board.at(Square::new(file, rank)) else {
                empty += 1;
                continue;
            };
            push_empty(&mut field, empty);
            empty = 0;
            let letter = match man.role {
                Role::Pawn => 'p',
                Role::Knight => 'n',
                Role::Bishop => 'b',
                Role::Rook => 'r',
                Role::Queen => 'q',
                Role::King => 'k',
            };
            field.push(match man.colour {
                Colour::White => letter.to_ascii_uppercase(),
                Colour::Black => letter,
            });
        }
        push_empty(&mut field, empty);
        if rank > 0 {
            field.push('/');
        }
    }
    field
}

fn push_empty(field: &mut String, empty: u8) {
    if empty > 0 {
        field.push(char::from(b'0' + empty));
    }
}
