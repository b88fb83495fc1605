//! Every instruction set says of every row of a column what the careful parser says of it alone.
#![no_main]

use fenpack_core::audit;
use fenpack_core::canonical::canonical;
use fenpack_core::dedup::{self, Taking};
use fenpack_core::judgement::{Depth, Pass, judge};
use fenpack_core::parse;
use fenpack_core::repair::{repaired, repairs};
use fenpack_core::row::MaybeRow;
use fenpack_core::rows::Canonical;
use fenpack_core::write::write;
use fenpack_core::{By, Castling, Counters, Dialect, Level, Profile, Row};
use fenpack_fuzz::{
    CASTLING, COUNTERS, GAMES, accepts, canonicalize, is_valid, parse, repair, survey,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let texts: Vec<&[u8]> = data.split(|&byte| byte == b'\n').collect();
    // In one buffer other rows surround a row; the last one ends with the buffer.
    let start = |text: &[u8]| text.as_ptr().addr() - data.as_ptr().addr();
    let column: Vec<MaybeRow<'_>> =
        texts.iter().map(|text| Some(Row::new(&data[start(text)..], text.len()))).collect();
    // Alone in an allocation of its size, a read past a row is a read past the allocation.
    let boxed: Vec<Box<[u8]>> = texts.iter().map(|&text| text.into()).collect();
    let alone: Vec<MaybeRow<'_>> = boxed.iter().map(|text| Some(Row::from(&**text))).collect();
    for level in Level::available() {
        for chess960 in GAMES {
            for rows in [&column, &alone] {
                reads_as_the_careful_parser(level, rows, &texts, chess960);
                judges_as_the_careful_parser(level, rows, &texts, chess960);
                writes_as_the_careful_parser(level, rows, &texts, chess960);
                takes_as_the_portable_path(level, rows, chess960);
            }
        }
    }
});

fn each<T>(texts: &[&[u8]], of: impl Fn(&[u8]) -> T) -> Vec<T> {
    texts.iter().map(|text| of(text)).collect()
}

fn reads_as_the_careful_parser(
    level: Level,
    rows: &[MaybeRow<'_>],
    texts: &[&[u8]],
    chess960: bool,
) {
    for dialect in [Dialect::Lenient, Dialect::Fen, Dialect::Placement] {
        let expected = each(texts, |text| match dialect {
            Dialect::Placement => parse::placement_only(text).position().copied(),
            _ => parse::careful(text, chess960).accepted(dialect, chess960).copied(),
        });
        assert_eq!(parse(level, rows, dialect, chess960), expected);
    }
}

fn judges_as_the_careful_parser(
    level: Level,
    rows: &[MaybeRow<'_>],
    texts: &[&[u8]],
    chess960: bool,
) {
    for depth in [Depth::Syntax, Depth::Legal, Depth::Reachable, Depth::All] {
        for strict in [false, true] {
            let pass = Pass { depth, strict, chess960 };
            let expected = each(texts, |text| {
                let reading = parse::careful(text, chess960);
                let problems = judge(&reading, chess960, Depth::All);
                (problems, reading.position().is_some() && problems & pass.failing() == 0)
            });
            assert_eq!(survey(level, rows, pass), expected);
            let valid: Vec<bool> = expected.into_iter().map(|(_, valid)| valid).collect();
            assert_eq!(is_valid(level, rows, pass), valid);
        }
    }
    for profile in Profile::ALL {
        let expected = each(texts, |text| profile.accepts(text, chess960));
        assert_eq!(accepts(level, rows, profile, chess960), expected);
    }
}

fn writes_as_the_careful_parser(
    level: Level,
    rows: &[MaybeRow<'_>],
    texts: &[&[u8]],
    chess960: bool,
) {
    for castling in CASTLING {
        for counters in COUNTERS {
            let choice = Canonical { castling, counters, chess960, ..Canonical::default() };
            let expected = each(texts, |text| {
                let reading = parse::careful(text, chess960);
                let position = canonical(reading.position()?, choice.en_passant, chess960);
                let mut fen = Vec::new();
                write(&position, castling, counters, &mut fen);
                Some(fen)
            });
            assert_eq!(canonicalize(level, rows, choice), expected);
        }
    }
    let expected = each(texts, |text| {
        let reading = parse::careful(text, chess960);
        let position = repaired(reading.position()?, chess960);
        let mut fen = Vec::new();
        write(&position, Castling::Xfen, Counters::Keep, &mut fen);
        Some((fen, repairs(&reading, chess960)))
    });
    assert_eq!(repair(level, rows, chess960), expected);
}

/// Records of a deduplication and counts of an audit.
fn takes_as_the_portable_path(level: Level, rows: &[MaybeRow<'_>], chess960: bool) {
    let [(records, part), (expected, expected_part)] = [level, Level::Portable].map(|level| {
        let taking = Taking { by: By::Position, chess960, row: 0 };
        let (mut records, mut part) = (Vec::new(), audit::Part::new(2));
        dedup::take_texts(level, rows, taking, &mut records);
        audit::take_texts(level, rows, chess960, audit::Start::default(), &mut part);
        (records, part)
    });
    assert_eq!(records, expected);
    assert_eq!(part.hashes, expected_part.hashes);
}
