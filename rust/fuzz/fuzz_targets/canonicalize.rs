//! Canonical text is standard, stays as it is, and means the position that it is made of.
#![no_main]

use fenpack_core::judgement::{Depth, judge};
use fenpack_core::key::key;
use fenpack_core::parse;
use fenpack_core::problem::{self, Problems};
use fenpack_core::rows::Canonical;
use fenpack_core::zobrist::zobrist;
use fenpack_core::{
    Board, By, Castling, Counters, Dialect, EnPassant, Identity, Level, Position, Row,
};
use fenpack_fuzz::{CASTLING, COUNTERS, EN_PASSANT, GAMES, canonicalize};
use libfuzzer_sys::fuzz_target;

/// What no canonical text has.
const MENDED: Problems = problem::CASTLING_IMPOSSIBLE
    | problem::CASTLING_NEEDS_960
    | problem::EP_WRONG_RANK
    | problem::EP_NO_PAWN
    | problem::EP_OCCUPIED;

fuzz_target!(|text: &[u8]| {
    for chess960 in GAMES {
        let reading = parse::careful(text, chess960);
        for en_passant in EN_PASSANT {
            for castling in CASTLING {
                for counters in COUNTERS {
                    let choice = Canonical { en_passant, castling, counters, chess960 };
                    match (canonical(text, choice), reading.position()) {
                        (Some(fen), Some(position)) => {
                            is_standard(&fen, choice);
                            assert_eq!(canonical(&fen, choice).as_ref(), Some(&fen));
                            means_the_same(&fen, position, choice);
                        }
                        (fen, position) => assert_eq!((fen, position), (None, None)),
                    }
                }
            }
        }
    }
});

fn canonical(text: &[u8], choice: Canonical) -> Option<Vec<u8>> {
    canonicalize(Level::available()[0], &[Some(Row::from(text))], choice).pop().flatten()
}

fn is_standard(fen: &[u8], Canonical { castling, counters, chess960, .. }: Canonical) {
    let reading = parse::careful(fen, chess960);
    let expected = if counters == Counters::Drop { problem::FIELD_COUNT } else { 0 };
    assert_eq!(reading.problems & problem::SYNTAX, expected);
    assert_eq!(judge(&reading, chess960, Depth::All) & MENDED, 0);
    if counters != Counters::Drop && (chess960 || castling == Castling::Xfen) {
        assert!(reading.accepted(Dialect::Fen, chess960).is_some());
    }
}

fn means_the_same(fen: &[u8], position: &Position, choice: Canonical) {
    let reading = parse::careful(fen, choice.chess960);
    let written = reading.position().expect("canonical text is readable");
    let [before, after] = [position, written].map(|position| {
        By::ALL.map(|(_, by)| Identity::of(position, &Board::of(position), by, choice.chess960))
    });
    // Without its en passant square a position may be another one.
    let same = if choice.en_passant == EnPassant::Drop { 1.. } else { 0.. };
    assert_eq!(before[same.clone()], after[same]);
    if choice.en_passant != EnPassant::Drop {
        assert_eq!(key(&before[0]), key(&after[0]));
    }
    // Polyglot's key also counts a capture that is not legal.
    if matches!(choice.en_passant, EnPassant::Xfen | EnPassant::Valid) {
        let polyglot = |position| zobrist(position, &Board::of(position), choice.chess960);
        assert_eq!(polyglot(position), polyglot(written));
    }
}
