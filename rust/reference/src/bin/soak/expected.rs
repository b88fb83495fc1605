//! The codes and the text that fenpack should give, from what the second reading says.

use fenpack_core::problem::{self as codes, Problems};
use fenpack_core::rows::Canonical;
use fenpack_core::{Castling, Counters, EnPassant};
use fenpack_reference::board::{Colour, Role};
use fenpack_reference::status::{self, Status};
use fenpack_reference::{Rules, Setup, castling, en_passant, write};

/// The codes that are compared.
pub(crate) const COMPARED: Problems =
    codes::ILLEGAL | codes::EP_NOT_CAPTURABLE | codes::EP_NOT_LEGAL;

const SAME: [(Status, Problems); 11] = [
    (status::NO_WHITE_KING, codes::NO_WHITE_KING),
    (status::NO_BLACK_KING, codes::NO_BLACK_KING),
    (status::TOO_MANY_WHITE_PAWNS, codes::WHITE_PAWNS_GT_8),
    (status::TOO_MANY_BLACK_PAWNS, codes::BLACK_PAWNS_GT_8),
    (status::PAWNS_ON_BACKRANK, codes::PAWN_ON_BACK_RANK),
    (status::TOO_MANY_WHITE_PIECES, codes::WHITE_MEN_GT_16),
    (status::TOO_MANY_BLACK_PIECES, codes::BLACK_MEN_GT_16),
    (status::OPPOSITE_CHECK, codes::OPPOSITE_CHECK),
    (status::EMPTY, codes::BOARD_EMPTY),
    (status::TOO_MANY_CHECKERS, codes::TOO_MANY_CHECKERS),
    (status::IMPOSSIBLE_CHECK, codes::IMPOSSIBLE_CHECK),
];

/// The codes of `setup`, whose flags by fenpack's rules are `status`.
pub(crate) fn problems(setup: &Setup, status: Status, chess960: bool) -> Problems {
    let board = &setup.board;
    let mut problems = 0;
    for (flag, code) in SAME {
        if status & flag != 0 {
            problems |= code;
        }
    }
    for (colour, code) in
        [(Colour::White, codes::EXTRA_WHITE_KING), (Colour::Black, codes::EXTRA_BLACK_KING)]
    {
        if board.kings(colour).count() > 1 {
            problems |= code;
        }
    }
    if status & status::OPPOSITE_CHECK != 0
        && board.king(setup.turn.other(), Rules::FENPACK).is_some_and(|king| {
            board.attackers(king, setup.turn).any(|(_, attacker)| attacker.role == Role::King)
        })
    {
        problems |= codes::KINGS_ADJACENT;
    }
    if status & status::BAD_CASTLING_RIGHTS != 0 {
        problems |= rights(setup, chess960);
    }
    if setup.en_passant.is_some() {
        problems |= square(setup);
    }
    problems
}

/// A right that fails in Chess960 is impossible; one that fails in standard chess alone needs it.
fn rights(setup: &Setup, chess960: bool) -> Problems {
    let named = castling::named(&setup.castling, &setup.board, Rules::FENPACK);
    let loose = castling::held(&named, &setup.board, Rules::FENPACK, true);
    let strict = castling::held(&named, &setup.board, Rules::FENPACK, chess960);
    let mut problems = 0;
    for side in 0..2 {
        for file in (0..8).filter(|&file| named[side][file]) {
            if !loose[side][file] {
                problems |= codes::CASTLING_IMPOSSIBLE;
            } else if !strict[side][file] {
                problems |= codes::CASTLING_NEEDS_960;
            }
        }
    }
    problems
}

fn square(setup: &Setup) -> Problems {
    let faults = en_passant::faults(setup);
    let valid = en_passant::valid(setup).is_some();
    let capturable = valid && !en_passant::captures(setup).is_empty();
    let legal = en_passant::is_legal(setup, Rules::FENPACK);
    [
        (faults.wrong_rank, codes::EP_WRONG_RANK),
        (faults.no_pawn, codes::EP_NO_PAWN),
        (faults.occupied, codes::EP_OCCUPIED),
        (valid && !capturable, codes::EP_NOT_CAPTURABLE),
        (capturable && !legal, codes::EP_NOT_LEGAL),
    ]
    .into_iter()
    .filter(|&(raised, _)| raised)
    .fold(0, |problems, (_, code)| problems | code)
}

/// The canonical text of `setup`.
pub(crate) fn text(setup: &Setup, chess960: bool, choice: Canonical) -> String {
    let square = match choice.en_passant {
        EnPassant::Legal => write::EnPassant::Legal,
        EnPassant::Xfen => write::EnPassant::Xfen,
        EnPassant::Valid | EnPassant::AsGiven => write::EnPassant::Given,
        EnPassant::Drop => write::EnPassant::Never,
    };
    let shredder = choice.castling == Castling::Shredder;
    let epd = write::epd(setup, Rules::FENPACK, chess960, square, shredder);
    match choice.counters {
        Counters::Keep => format!("{epd} {} {}", setup.halfmove, setup.fullmove),
        Counters::Reset => format!("{epd} 0 1"),
        Counters::Drop => epd,
    }
}
