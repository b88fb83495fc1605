//! Positions made up: any board, kings in check, castling rights, en passant squares.

mod checks;
mod rights;
mod squares;

use fenpack_reference::board::{Board, Colour, Man, Role, Square};
use fenpack_reference::write::placement;
use fenpack_reference::{Rules, Setup};

use crate::random::Random;

const PIECES: [Role; 8] = [
    Role::Knight,
    Role::Knight,
    Role::Bishop,
    Role::Bishop,
    Role::Rook,
    Role::Rook,
    Role::Queen,
    Role::Queen,
];

const LINES: [(i8, i8); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

const RIGHTS: [&str; 24] = [
    "-", "-", "-", "KQkq", "KQkq", "KQ", "kq", "K", "Q", "k", "q", "Kq", "Qk", "HAha", "HA", "ha",
    "AHah", "QK", "KK", "qk", "KA", "GB", "HQ", "KB",
];
const HALFMOVES: [&str; 12] =
    ["0", "0", "0", "0", "1", "7", "49", "100", "101", "150", "9999", "65535"];
const FULLMOVES: [&str; 12] =
    ["1", "1", "2", "30", "30", "75", "120", "999", "10000", "65535", "0", "65535"];
const ODD_COUNTERS: [&str; 14] = [
    "00",
    "007",
    "+5",
    "-0",
    "1_0",
    "65536",
    "70000",
    "99999999999",
    "٥",
    "-1",
    "x",
    "1.5",
    "-",
    "0100",
];

/// The text of a position made up.
pub(crate) fn anything(random: &mut Random) -> Vec<u8> {
    let mut setup = empty(random);
    match random.below(3) {
        0 => scatter(&mut setup, random),
        1 => checks::give(&mut setup, random),
        _ => rights::give(&mut setup, random),
    }
    text(&setup, random)
}

/// The text of a position with an en passant square: made up, or one of `seeds` after a push.
pub(crate) fn en_passant(random: &mut Random, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut setup = empty(random);
    let seed = Setup::read(random.choose::<Vec<u8>>(seeds)).filter(|_| random.percent(40));
    match seed {
        Some(seed) => {
            setup = seed;
            squares::push(&mut setup, random);
        }
        None => squares::capture(&mut setup, random),
    }
    text(&setup, random)
}

fn empty(random: &mut Random) -> Setup {
    let counter = |random: &mut Random, usual: &[&str]| {
        let of = if random.percent(2) { &ODD_COUNTERS[..] } else { usual };
        (*random.choose(of)).to_owned()
    };
    Setup {
        board: Board::EMPTY,
        turn: *random.choose(&Colour::BOTH),
        castling: if random.percent(70) { "-" } else { random.choose(&RIGHTS) }.to_owned(),
        en_passant: random.percent(10).then(|| anywhere(random)),
        halfmove: counter(random, &HALFMOVES),
        fullmove: counter(random, &FULLMOVES),
    }
}

fn text(setup: &Setup, random: &mut Random) -> Vec<u8> {
    let turn = if setup.turn == Colour::White { "w" } else { "b" };
    let square = setup.en_passant.map_or_else(|| "-".to_owned(), Square::name);
    let placement = placement(&setup.board);
    let mut fields = vec![&placement, turn, &setup.castling, &square];
    if !random.percent(3) {
        fields.extend([&*setup.halfmove, &setup.fullmove]);
    }
    fields.join(" ").into_bytes()
}

fn anywhere(random: &mut Random) -> Square {
    Square::new(random.below(8) as i8, random.below(8) as i8)
}

fn man(colour: Colour, role: Role) -> Option<Man> {
    Some(Man { colour, role, promoted: false })
}

/// Puts a man on an empty square.
fn add(board: &mut Board, square: Square, colour: Colour, role: Role) {
    if board.at(square).is_none() {
        board.put(square, man(colour, role));
    }
}

/// Adds up to `most` men, mostly such as occur.
fn add_men(board: &mut Board, random: &mut Random, most: usize) {
    for _ in 0..random.below(most + 1) {
        let square = anywhere(random);
        let colour = *random.choose(&Colour::BOTH);
        let back = square.rank == 0 || square.rank == 7;
        if random.percent(50) && (!back || random.percent(3)) {
            add(board, square, colour, Role::Pawn);
        } else {
            add(board, square, colour, *random.choose(&PIECES));
        }
    }
}

/// Adds the kings that are missing, and now and then leaves one out or adds one too many.
fn add_kings(board: &mut Board, random: &mut Random) {
    for colour in Colour::BOTH {
        let wanted = if random.percent(4) { random.below(4) } else { 1 };
        while board.kings(colour).count() < wanted {
            let near = board.king(colour.other(), Rules::FENPACK);
            let (files, ranks) = *random.choose(&LINES);
            let square = match near {
                Some(near) if random.percent(4) => near.step(files, ranks),
                _ => Some(anywhere(random)),
            };
            if let Some(square) = square.filter(|&square| board.at(square).is_none()) {
                board.put(square, man(colour, Role::King));
            }
        }
    }
}

/// Any board, from nearly empty to too full.
fn scatter(setup: &mut Setup, random: &mut Random) {
    if random.percent(1) {
        return;
    }
    let most = *random.choose(&[0, 3, 6, 10, 10, 20, 30, 50]);
    add_kings(&mut setup.board, random);
    add_men(&mut setup.board, random, most);
}
