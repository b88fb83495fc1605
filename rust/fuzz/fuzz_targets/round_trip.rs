//! What is written of a position reads as that position.
#![no_main]

use fenpack_core::en_passant;
use fenpack_core::parse;
use fenpack_core::position::COUNTERS_ABSENT;
use fenpack_core::problem;
use fenpack_core::rows::{self, Canonical};
use fenpack_core::write::{write, write_after};
use fenpack_core::{Board, Counters, Dialect, EnPassant, Position};
use fenpack_fuzz::{CASTLING, COUNTERS, GAMES};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    for chess960 in GAMES {
        if let Some(position) = parse::careful(text, chess960).position() {
            round_trips(position, chess960);
        }
    }
    if let Some(position) = parse::placement_only(text).position() {
        round_trips(position, false);
    }
});

fn round_trips(position: &Position, chess960: bool) {
    for castling in CASTLING {
        for counters in COUNTERS {
            let mut fen = Vec::new();
            write(position, castling, counters, &mut fen);
            let reading = parse::careful(&fen, chess960);
            assert_eq!(reading.position(), Some(&with(position, counters)));
            let can_be_standard = counters != Counters::Drop
                && (chess960 || spells_kq(&fen))
                && en_passant::defects(position, &Board::of(position)) & problem::EP_WRONG_RANK
                    == 0
                && (counters == Counters::Reset || position.fullmove > 0);
            assert_eq!(reading.accepted(Dialect::Fen, chess960).is_some(), can_be_standard);

            let placement = fen.iter().position(|&byte| byte == b' ').unwrap_or(0);
            let mut after = Vec::new();
            write_after(&fen[..placement], position, castling, counters, &mut after);
            assert_eq!(after, fen);

            let choice = Canonical { castling, counters, en_passant: EnPassant::AsGiven, chess960 };
            let (mut column, mut ends) = (Vec::new(), Vec::new());
            let packed = position.to_bytes();
            let formatted = rows::format(&[None, Some(&packed)], choice, &mut column, &mut ends);
            assert_eq!((formatted, &ends[..]), (Ok(()), &[0, fen.len()][..]));
            assert_eq!(column, fen);
        }
    }
}

/// What the text with these `counters` says.
fn with(position: &Position, counters: Counters) -> Position {
    let flags = position.flags & !COUNTERS_ABSENT;
    match counters {
        Counters::Keep => Position { flags, ..*position },
        Counters::Reset => Position { flags, halfmove: 0, fullmove: 1, ..*position },
        Counters::Drop => {
            let flags = flags | COUNTERS_ABSENT;
            Position { flags, halfmove: 0, fullmove: 1, ..*position }
        }
    }
}

/// Whether the third field has no letter but those of the standard.
fn spells_kq(fen: &[u8]) -> bool {
    let field = fen.split(|&byte| byte == b' ').nth(2).unwrap_or_default();
    field.iter().all(|letter| b"KQkq-".contains(letter))
}
