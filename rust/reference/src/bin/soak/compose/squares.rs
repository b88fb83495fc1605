//! En passant squares, with captures that pins and opened lines forbid.

use fenpack_reference::Setup;
use fenpack_reference::board::{Board, Colour, Role, Square};

use super::{LINES, PIECES, add, add_kings, anywhere, man};
use crate::random::Random;

/// Names the square behind a pawn that may have been pushed, if there is one.
pub(super) fn push(setup: &mut Setup, random: &mut Random) {
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
pub(super) fn capture(setup: &mut Setup, random: &mut Random) {
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
    loop {
        let mut board = setup.board;
        add_kings(&mut board, random);
        let is_clear = board.at(target).is_none() && board.at(origin).is_none();
        if is_clear || random.percent(20) {
            setup.board = board;
            break;
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
