//! Whatever the bytes, they get an answer, and everything said of one text agrees.
#![no_main]

use fenpack_core::decode;
use fenpack_core::diagnosis::diagnose;
use fenpack_core::judgement::{Depth, Pass, judge};
use fenpack_core::parse::{self, Known};
use fenpack_core::problem::{self, Problems};
use fenpack_core::{Dialect, Level, Position, Profile, Reading, Row};
use fenpack_fuzz::{GAMES, accepts, is_valid, repair, survey};
use libfuzzer_sys::fuzz_target;

/// The codes that make a text unreadable wherever they stand.
const HOPELESS: Problems = problem::EMPTY
    | problem::NON_ASCII
    | problem::VARIANT_SYNTAX
    | problem::RANK_COUNT
    | problem::RANK_WIDTH
    | problem::BAD_PIECE_CHAR
    | problem::BAD_CASTLING_CHARS
    | problem::BAD_EP_SYNTAX
    | problem::BAD_HALFMOVE
    | problem::BAD_FULLMOVE
    | problem::COUNTER_OVERFLOW;

/// The hints that only a text can have.
const OF_TEXT: Problems = problem::CASTLING_SHREDDER | problem::CASTLING_AMBIGUOUS;

fuzz_target!(|text: &[u8]| {
    for chess960 in GAMES {
        let reading = parse::careful(text, chess960);
        reads_well(&reading);
        dialects_agree(text, &reading, chess960);
        verdicts_follow_the_codes(text, &reading, chess960);
        repairs_leave_nothing_to_repair(text, &reading, chess960);
        for dialect in [Dialect::Lenient, Dialect::Fen, Dialect::Placement] {
            diagnosis_is_complete(text, dialect, chess960);
        }
    }
    if let Some(placement) = decode::read_text(text) {
        let position = decode::position(&placement.classes);
        assert_eq!(Position::from_bytes(&position.to_bytes()), Ok(position));
    }
});

fn reads_well(reading: &Reading) {
    let Reading { position, problems, known } = reading;
    assert_eq!(Position::from_bytes(&position.to_bytes()), Ok(*position));
    assert_eq!(problems & !(problem::SYNTAX | OF_TEXT), 0);
    assert!(position.castling.iter().all(|files| files.count_ones() <= 2));
    match known {
        Known::Position => assert_eq!(problems & HOPELESS, 0),
        _ => assert_ne!(problems & problem::SYNTAX, 0),
    }
}

fn dialects_agree(text: &[u8], reading: &Reading, chess960: bool) {
    if let Some(position) = reading.accepted(Dialect::Fen, chess960) {
        assert_eq!(Some(position), reading.accepted(Dialect::Lenient, chess960));
        assert_eq!(reading.problems & problem::SYNTAX, 0);
        assert_eq!(text.split(|&byte| byte == b' ').count(), 6);
        let board = text.split(|&byte| byte == b' ').next().unwrap_or_default();
        let alone = parse::placement_only(board);
        let alone = alone.accepted(Dialect::Placement, chess960).expect("a standard placement");
        assert_eq!((alone.code, alone.black), (position.code, position.black));
    }
    let alone = parse::placement_only(text);
    reads_well(&alone);
    if let Some(position) = alone.position() {
        let Position { code, black, .. } = *position;
        assert_eq!(
            Position { code, black, ..parse::placement_only(b"8/8/8/8/8/8/8/8").position },
            *position
        );
    }
}

fn verdicts_follow_the_codes(text: &[u8], reading: &Reading, chess960: bool) {
    let row = [Some(Row::from(text))];
    let all = judge(reading, chess960, Depth::All);
    let of_text = problem::SYNTAX | OF_TEXT;
    for (depth, judged) in [
        (Depth::Syntax, 0),
        (Depth::Legal, problem::ILLEGAL),
        (Depth::Reachable, problem::ILLEGAL | problem::UNREACHABLE),
        (Depth::All, Problems::MAX),
    ] {
        if reading.known >= Known::Turn || depth == Depth::Syntax {
            assert_eq!(judge(reading, chess960, depth), all & (judged | of_text));
        }
        for strict in [false, true] {
            let pass = Pass { depth, strict, chess960 };
            let passes = reading.known == Known::Position && all & pass.failing() == 0;
            assert_eq!(survey(Level::Portable, &row, pass), [(all, passes)]);
            assert_eq!(is_valid(Level::Portable, &row, pass), [passes]);
        }
    }
    for profile in Profile::ALL {
        let accepted = profile.accepts(text, chess960);
        assert_eq!(accepts(Level::Portable, &row, profile, chess960), [accepted]);
    }
}

fn repairs_leave_nothing_to_repair(text: &[u8], reading: &Reading, chess960: bool) {
    let repaired =
        |text: &[u8]| repair(Level::Portable, &[Some(Row::from(text))], chess960).pop().flatten();
    let Some((fen, repairs)) = repaired(text) else {
        return assert_eq!(reading.position(), None);
    };
    assert_eq!(repairs == 0, fen == text);
    let again = parse::careful(&fen, chess960);
    assert!(again.accepted(Dialect::Fen, chess960).is_some());
    assert_eq!(judge(&again, chess960, Depth::All) & repairs, 0);
    assert_eq!(repaired(&fen), Some((fen, 0)));
}

fn diagnosis_is_complete(text: &[u8], dialect: Dialect, chess960: bool) {
    let reading = match dialect {
        Dialect::Placement => parse::placement_only(text),
        Dialect::Lenient | Dialect::Fen => parse::careful(text, chess960),
    };
    let diagnosis = diagnose(text, dialect, chess960);
    assert_eq!(diagnosis.readable, reading.known == Known::Position);
    assert_eq!(diagnosis.problems & of_syntax(), reading.problems & of_syntax());
    assert!(diagnosis.readable || diagnosis.repaired.is_none());
    assert_ne!(diagnosis.repaired.as_deref(), Some(text));
    let shown = diagnosis.places.iter().fold(0, |shown, place| shown | place.finding.problem);
    assert_eq!(shown, diagnosis.problems);
    for place in diagnosis.places {
        let finding = place.finding;
        assert!(finding.problem.is_power_of_two());
        assert!(finding.span.start <= finding.span.end && finding.span.end <= text.len());
        assert!(finding.rank.is_none_or(|rank| (1..=8).contains(&rank)));
    }
}

const fn of_syntax() -> Problems {
    problem::SYNTAX | OF_TEXT
}
