//! Two fast paths and one truth: every instruction set gives what the careful parser gives.
#![allow(missing_docs, clippy::unwrap_used)]

use fenpack_core::canonical::canonical;
use fenpack_core::judgement::{Depth, Pass, judge};
use fenpack_core::parse::{self, Known};
use fenpack_core::row::MaybeRow;
use fenpack_core::rows::{self, Canonical};
use fenpack_core::write::write;
use fenpack_core::{Counters, Dialect, EnPassant, Level, Position, Profile, Row};
use proptest::prelude::*;

const SEEDS: [&str; 18] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqr1k1/pppn1pbp/3p1np1/4p1B1/2PP4/3BPN1P/PP1N1PP1/R2QK2R b KQ - 1 9",
    "8/1p1r2p1/p4k1p/4p3/5p1P/Pr3P2/1PR2KP1/8 w - - 0 30",
    "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "r1b1r1k1/p1pq1pb1/1pNp1np1/3P2n1/P1P1p2p/2B1P2P/1PB2PP1/RN1Q1RK1 w - - 4 17",
    "1n1n1n1n/n1n1n1n1/1n1n1n1n/n1n1n1n1/1N1N1N1N/N1N1N1N1/1N1N1N1N/N1N1N1N1 w KQkq e3 123 4567",
    "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1",
    "rr2k2r/8/8/8/8/8/8/RR2K2R w KBkb - 0 30",
    "kkkkkkkk/pppppppp/8/8/8/8/PPPPPPPP/KKKKKKKK w KQkq a6 65535 65535",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "8/8/8/8/8/8/5kK1/8 w - - 99 9999",
    "8/8/8/8/8/8/8/8 w \0 - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w K\0 - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
    "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6",
    "1n1n1n1n/n1n1n1n1/1n1n1n1n/n1n1n1n1/1N1N1N1N/N1N1N1N1/1N1N1N1N/N1N1N1N1 b - e3",
    "8/8/8/8/8/8/5kK1/8 b - -",
];

const BYTES: &[u8] = b"pnbrqkPNBRQK12345678/ -wbKQkqabcdefgh09_;~[]+\t\r\n\0\x7f\x80\xff";

/// A seed with a few bytes deleted, doubled, replaced or inserted.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let edit = (0..4usize, any::<prop::sample::Index>(), prop::sample::select(BYTES));
    (prop::sample::select(&SEEDS[..]), prop::collection::vec(edit, 0..4)).prop_map(
        |(seed, edits)| {
            let mut text = seed.as_bytes().to_vec();
            for (kind, at, byte) in edits {
                if text.is_empty() {
                    break;
                }
                let at = at.index(text.len());
                match kind {
                    0 => drop(text.remove(at)),
                    1 => text.insert(at, text[at]),
                    2 => text[at] = byte,
                    _ => text.insert(at, byte),
                }
            }
            text
        },
    )
}

fn anything() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        4 => mutated(),
        1 => prop::collection::vec(prop::sample::select(BYTES), 0..120),
        1 => prop::collection::vec(any::<u8>(), 0..120),
    ]
}

/// Everything the row loops say of one row in a buffer.
#[derive(Debug, PartialEq)]
struct Answers {
    problems: u64,
    valid: [u64; 4],
    positions: [Option<Position>; 2],
    canonical: Option<Vec<u8>>,
}

fn answers(level: Level, row: MaybeRow<'_>, chess960: bool) -> Answers {
    let rows = [row];
    let passes = [
        Pass { depth: Depth::Syntax, strict: false, chess960 },
        Pass { depth: Depth::Legal, strict: false, chess960 },
        Pass { depth: Depth::Legal, strict: true, chess960 },
    ];
    let mut valid = [0; 4];
    for (pass, word) in passes.into_iter().zip(&mut valid) {
        rows::is_valid(level, &rows, pass, std::slice::from_mut(word));
    }
    let mut problems = [0];
    rows::survey(level, &rows, passes[1], &mut problems, &mut valid[3..]);
    let positions = [Dialect::Lenient, Dialect::Fen].map(|dialect| {
        let (mut out, mut known) = ([Position::EMPTY], [0]);
        let refused = rows::parse(level, &rows, dialect, chess960, &mut out, &mut known);
        assert_eq!(refused as u64, 1 - known[0]);
        (known[0] == 1).then_some(out[0])
    });
    let choice = Canonical { en_passant: EnPassant::Legal, chess960, ..Canonical::default() };
    let (mut text, mut ends, mut known) = (Vec::new(), Vec::new(), [0]);
    rows::canonicalize(level, &rows, choice, &mut text, &mut ends, &mut known);
    assert_eq!(ends, [text.len()]);
    let canonical = (known[0] == 1).then_some(text);
    Answers { problems: problems[0], valid, positions, canonical }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(miri) { 20 } else { 20_000 }, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn programs_read_clean_text_as_the_fast_paths_do(text in anything(), chess960: bool) {
        let row = [Some(Row::from(text.as_slice()))];
        for profile in Profile::ALL {
            let accepted = profile.accepts(&text, chess960);
            for level in Level::available() {
                let mut valid = [0];
                rows::accepts(level, &row, profile, chess960, &mut valid);
                prop_assert_eq!(valid[0] == 1, accepted, "{} {}", profile.name(), level.name());
            }
        }
    }

    #[test]
    fn repairs_leave_nothing_to_repair(text in anything(), chess960: bool) {
        let repair = |text: &[u8]| {
            let level = Level::available()[0];
            let (mut out, mut ends, mut repairs, mut known) = (Vec::new(), Vec::new(), [0], [0]);
            let row = [Some(Row::from(text))];
            rows::repair(level, &row, chess960, &mut out, &mut ends, &mut repairs, &mut known);
            (known[0] == 1).then_some((out, repairs[0]))
        };
        let careful = parse::careful(&text, chess960);
        let repaired = repair(&text);
        prop_assert_eq!(repaired.is_some(), careful.known == Known::Position);
        if let Some((fen, repairs)) = repaired {
            prop_assert_eq!(repairs == 0, fen == text);
            let again = parse::careful(&fen, chess960);
            prop_assert!(again.accepted(Dialect::Fen, chess960).is_some());
            prop_assert_eq!(judge(&again, chess960, Depth::All) & repairs, 0);
            prop_assert_eq!(repair(&fen), Some((fen, 0)));
        }
    }

    #[test]
    fn levels_agree_whatever_surrounds_the_row(
        text in anything(),
        before in prop::collection::vec(any::<u8>(), 0..20),
        after in prop::collection::vec(prop::sample::select(BYTES), 0..120),
        chess960: bool,
    ) {
        let careful = parse::careful(&text, chess960);
        let reference = answers(Level::Portable, Some(Row::from(text.as_slice())), chess960);
        prop_assert_eq!(reference.positions[0], careful.position().copied());
        prop_assert_eq!(reference.problems, judge(&careful, chess960, Depth::All));
        prop_assert_eq!(reference.valid[0] == 1, careful.known == Known::Position);

        let buffer = [before.as_slice(), &text, &after].concat();
        let row = Row::new(&buffer[before.len()..], text.len());
        // A buffer of exactly the row, so that a read past its end is a read past an allocation.
        let alone = text.clone().into_boxed_slice();
        for level in Level::available() {
            prop_assert_eq!(&answers(level, Some(row), chess960), &reference, "{:?}", level);
            let alone = answers(level, Some(Row::from(&*alone)), chess960);
            prop_assert_eq!(&alone, &reference, "{:?} alone", level);
        }
    }

    #[test]
    fn canonical_text_is_that_of_the_careful_reading(text in anything(), chess960: bool) {
        let careful = parse::careful(&text, chess960);
        for counters in [Counters::Keep, Counters::Reset, Counters::Drop] {
            let choice = Canonical { counters, chess960, ..Canonical::default() };
            let written = careful.position().map(|position| {
                let mut out = Vec::new();
                let position = canonical(position, choice.en_passant, chess960);
                write(&position, choice.castling, counters, &mut out);
                out
            });
            for level in Level::available() {
                let (mut out, mut ends, mut known) = (Vec::new(), Vec::new(), [0]);
                let row = [Some(Row::from(text.as_slice()))];
                rows::canonicalize(level, &row, choice, &mut out, &mut ends, &mut known);
                prop_assert_eq!(&(known[0] == 1).then_some(out), &written, "{:?}", level);
            }
        }
    }

    #[test]
    fn canonical_text_is_idempotent_and_standard(text in mutated(), chess960: bool) {
        let row = Some(Row::from(text.as_slice()));
        if let Some(canonical) = answers(Level::Portable, row, chess960).canonical {
            let again = answers(Level::Portable, Some(Row::from(canonical.as_slice())), chess960);
            prop_assert_eq!(again.canonical.as_ref(), Some(&canonical));
            prop_assert!(again.positions[1].is_some(), "strict FEN");
        }
    }
}

#[test]
fn fast_paths_take_clean_text() {
    for level in Level::available() {
        for seed in
            SEEDS.iter().filter(|seed| !["KB", "65535", "\0"].iter().any(|odd| seed.contains(odd)))
        {
            struct Fast<'a>(Row<'a>);
            impl parse::placement::Task for Fast<'_> {
                type Output = [bool; 2];
                fn run<P: parse::placement::Placement>(self, placement: P) -> [bool; 2] {
                    let fast = parse::fast(placement, self.0, false);
                    [fast.is_some(), parse::fast_epd(placement, self.0, false).is_some()]
                }
            }
            let long = seed.split(' ').next().unwrap().len() >= 64;
            let has_counters = seed.split(' ').count() == 6;
            let [fen, epd] = fenpack_core::isa::dispatch(level, Fast(Row::from(seed.as_bytes())));
            assert!(epd || (long && level != Level::Portable), "{level:?} {seed}");
            assert_eq!(fen, epd && has_counters, "{level:?} {seed}");
        }
    }
}
