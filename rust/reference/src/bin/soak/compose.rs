//! Positions made up: any board, kings in check, castling rights, en passant squares.

use fenpack_reference::Setup;
use fenpack_reference::board::{Board, Colour, Man, Role, Square};
use fenpack_reference::write::placement;

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
const LEAPS: [(i8, i8); 8] =
    [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)];

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
        1 => check(&mut setup, random),
        _ => castle(&mut setup, random),
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
            push(&mut setup, random);
        }
        None => capture(&mut setup, random),
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
            let near = board.king(colour.other(), fenpack_reference::Rules::FENPACK);
            let square = match near {
                Some(near) if random.percent(4) => step(near, *random.choose(&LINES)),
                _ => Some(anywhere(random)),
            };
            if let Some(square) = square.filter(|&square| board.at(square).is_none()) {
                board.put(square, man(colour, Role::King));
            }
        }
    }
}

fn step(square: Square, (files, ranks): (i8, i8)) -> Option<Square> {
    square.step(files, ranks)
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

/// A king of the side to move with one to four men that would attack it.
fn check(setup: &mut Setup, random: &mut Random) {
    let king = anywhere(random);
    let other = setup.turn.other();
    setup.board.put(king, man(setup.turn, Role::King));
    for _ in 0..1 + random.below(4) {
        let role =
            *random.choose(&[Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen]);
        let from = match role {
            Role::Pawn => king.step(*random.choose(&[-1, 1]), -other.forward()),
            Role::Knight => step(king, *random.choose(&LEAPS)),
            _ => {
                let lines: Vec<(i8, i8)> = LINES
                    .into_iter()
                    .filter(|(files, ranks)| match role {
                        Role::Bishop => files * ranks != 0,
                        Role::Rook => files * ranks == 0,
                        _ => true,
                    })
                    .collect();
                let (files, ranks) = *random.choose(&lines);
                let far = 1 + random.below(7) as i8;
                king.step(files * far, ranks * far)
            }
        };
        if let Some(from) = from {
            add(&mut setup.board, from, other, role);
        }
    }
    add_men(&mut setup.board, random, 4);
    add_kings(&mut setup.board, random);
    if random.percent(30) {
        push(setup, random);
    }
}

/// Kings and rooks on the back ranks, and letters that mostly name them.
fn castle(setup: &mut Setup, random: &mut Random) {
    let mut field = String::new();
    for colour in Colour::BOTH {
        let rank = colour.back_rank();
        let king = if random.percent(60) { 4 } else { random.below(8) as i8 };
        let off = random.percent(5);
        setup.board.put(
            Square::new(king, if off { random.below(8) as i8 } else { rank }),
            man(colour, Role::King),
        );
        let mut letters = String::new();
        for _ in 0..random.below(4) {
            let file = *random.choose(&[0, 0, 0, 7, 7, 7, 1, 2, 3, 5, 6]);
            let owner = if random.percent(4) { colour.other() } else { colour };
            add(&mut setup.board, Square::new(file, rank), owner, Role::Rook);
            let letter = match random.below(6) {
                0 => char::from(b'A' + file as u8),
                1 => *random.choose(&['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'K', 'Q']),
                _ if file > king => 'K',
                _ => 'Q',
            };
            letters.push(if colour == Colour::White {
                letter
            } else {
                letter.to_ascii_lowercase()
            });
        }
        if !random.percent(3) {
            letters.truncate(2);
        }
        field.push_str(&letters);
    }
    setup.castling = if field.is_empty() { "-".to_owned() } else { field };
    if random.percent(5) {
        setup.castling = random.choose(&RIGHTS).to_string();
    }
    let most = *random.choose(&[0, 2, 8]);
    add_men(&mut setup.board, random, most);
    add_kings(&mut setup.board, random);
}

/// Names the square behind a pawn that may have been pushed, if there is one.
fn push(setup: &mut Setup, random: &mut Random) {
    let forward = setup.turn.forward();
    let rank = if setup.turn == Colour::White { 4 } else { 3 };
    let pushed: Vec<Square> = (0..8)
        .map(|file| Square::new(file, rank))
        .filter(|&square| setup.board.is(square, setup.turn.other(), Role::Pawn))
        .collect();
    if pushed.is_empty() {
        return;
    }
    let pawn = *random.choose(&pushed);
    setup.en_passant = pawn.step(0, forward);
    if random.percent(60) {
        for files in [-1, 1] {
            if let Some(square) = pawn.step(files, 0).filter(|_| random.percent(60)) {
                add(&mut setup.board, square, setup.turn, Role::Pawn);
            }
        }
    }
    if random.percent(80) {
        for ranks in [forward, 2 * forward] {
            if let Some(square) = pawn.step(0, ranks)
                && setup.board.at(square).is_some_and(|man| man.role != Role::King)
            {
                setup.board.put(square, None);
            }
        }
    }
}

/// A pushed pawn with capturers beside it, and a king with a slider on a line through one of the
/// squares that a push or a capture opens.
fn capture(setup: &mut Setup, random: &mut Random) {
    let (own, other) = (setup.turn, setup.turn.other());
    let forward = own.forward();
    let rank = if own == Colour::White { 4 } else { 3 };
    let pawn = Square::new(random.below(8) as i8, rank);
    let target = Square::new(pawn.file, rank + forward);
    let origin = Square::new(pawn.file, rank + 2 * forward);
    setup.board.put(pawn, man(other, Role::Pawn));
    setup.en_passant = Some(target);
    let mut opened = vec![pawn, origin, target];
    for files in [-1, 1] {
        if let Some(square) = pawn.step(files, 0).filter(|_| random.percent(60)) {
            setup.board.put(square, man(own, Role::Pawn));
            opened.push(square);
        }
    }
    let is_free = |board: &Board, square: Square| {
        board.at(square).is_none() && square != target && square != origin
    };
    if random.percent(75) {
        let through = *random.choose(&opened);
        let (files, ranks) = *random.choose(&LINES);
        let (near, far) = (1 + random.below(4) as i8, 1 + random.below(4) as i8);
        let king = through.step(files * near, ranks * near);
        let slider = through.step(-files * far, -ranks * far);
        let kind = if files * ranks == 0 { Role::Rook } else { Role::Bishop };
        if let Some(king) = king.filter(|&square| is_free(&setup.board, square)) {
            setup.board.put(king, man(own, Role::King));
        }
        if let Some(slider) = slider.filter(|&square| is_free(&setup.board, square)) {
            let role = if random.percent(40) { Role::Queen } else { kind };
            setup.board.put(slider, man(other, role));
        }
    }
    for _ in 0..random.below(8) {
        let square = anywhere(random);
        let back = square.rank == 0 || square.rank == 7;
        let colour = *random.choose(&Colour::BOTH);
        let role = if random.percent(50) && !back { Role::Pawn } else { *random.choose(&PIECES) };
        if is_free(&setup.board, square) {
            setup.board.put(square, man(colour, role));
        }
    }
    let mut board = setup.board;
    add_kings(&mut board, random);
    if board.at(target).is_none() && board.at(origin).is_none() || random.percent(20) {
        setup.board = board;
    } else {
        for (colour, file) in [(own, 0), (other, 7)] {
            let corner = Square::new(file, own.back_rank());
            if setup.board.kings(colour).next().is_none() {
                setup.board.put(corner, man(colour, Role::King));
            }
        }
    }
    match random.below(25) {
        0 => setup.en_passant = Some(anywhere(random)),
        1 => setup.board.put(target, man(*random.choose(&Colour::BOTH), *random.choose(&PIECES))),
        2 => setup.board.put(origin, man(*random.choose(&Colour::BOTH), *random.choose(&PIECES))),
        3 => setup.board.put(pawn, man(other, *random.choose(&PIECES))),
        4 => setup.turn = other,
        _ => {}
    }
}
