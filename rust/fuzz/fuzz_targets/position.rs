//! Forty bytes are refused everywhere, or are a position of which everything can be made.
#![no_main]

use fenpack_core::audit;
use fenpack_core::canonical::canonical;
use fenpack_core::dedup::{self, Taking};
use fenpack_core::diagnosis::diagnose;
use fenpack_core::judgement::{Depth, judge, judge_position};
use fenpack_core::key::key;
use fenpack_core::legality::is_chess960;
use fenpack_core::nnue::{Features, Views};
use fenpack_core::parse;
use fenpack_core::perspective::Perspective;
use fenpack_core::planes::{Cell, Fill, Form, Half, Layout, Planes, Squares, State, Words};
use fenpack_core::position::{BLACK_TO_MOVE, CHESS960, COUNTERS_ABSENT};
use fenpack_core::problem;
use fenpack_core::records::{
    BinaryFen, ChessBoards, Compressed, PackedBoards, read_binary, read_compressed,
    read_packed_board,
};
use fenpack_core::row::NotAPosition;
use fenpack_core::rows::{self, Canonical};
use fenpack_core::tokens::{self, Tokens, Vocabulary};
use fenpack_core::write::write;
use fenpack_core::zobrist::zobrist;
use fenpack_core::{
    Board, By, Castling, Counters, Dialect, EnPassant, Identity, Level, Position, Profile,
};
use fenpack_fuzz::{Bytes, CASTLING, EN_PASSANT, GAMES, encode};
use libfuzzer_sys::fuzz_target;

/// The hints that only a text can have.
const OF_TEXT: u64 = problem::SYNTAX | problem::CASTLING_SHREDDER | problem::CASTLING_AMBIGUOUS;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes(data);
    let raw = Bytes(data).array();
    let (position, accepted) = bytes.position();
    loops_agree(&raw, accepted);
    for castling in CASTLING {
        is_judged_as_its_text(&position, castling);
    }
    for chess960 in GAMES {
        is_the_same_when_canonical(&position, chess960);
    }
    let state = State { en_passant: bytes.pick(&EN_PASSANT), chess960: bytes.toss() };
    is_held_by_records(&position, state);
    is_held_by_tokens(&position, state, &mut bytes);
    has_the_features_of_its_men(&position, bytes.toss());
    let layout = bytes.pick(&Layout::ALL);
    let mut perspective =
        bytes.pick(&[Perspective::White, Perspective::Mover, Perspective::MoverRotated]);
    if layout.is_relative() {
        perspective = layout.perspective();
    }
    let squares = bytes.pick(&[Squares::A1, Squares::A8]);
    let fill = bytes.pick(&[Fill::FenOnly, Fill::No, Fill::Always]);
    let words = Words { layout, perspective, squares, state, fill };
    let channels_last = bytes.toss();
    let steps = usize::from(bytes.byte()) % 10;
    let earlier: Vec<Position> = (0..steps).map(|_| bytes.position().0).collect();
    is_held_by_planes(&position, &earlier, words, channels_last);
});

/// The loops over packed rows take what [`Position::from_bytes`] takes.
fn loops_agree(raw: &[u8; Position::SIZE], accepted: bool) {
    let expected = match Position::from_bytes(raw) {
        Ok(_) => Ok(()),
        Err(reason) => {
            assert!(!reason.to_string().is_empty());
            Err(NotAPosition { row: 1, reason })
        }
    };
    assert_eq!(expected.is_ok(), accepted);
    let rows = [None, Some(raw)];
    for chess960 in GAMES {
        let (mut text, mut ends) = (Vec::new(), Vec::new());
        let choice = Canonical { chess960, ..Canonical::default() };
        assert_eq!(rows::format(&rows, choice, &mut text, &mut ends), expected);
        let taking = Taking { by: By::Position, chess960, row: 0 };
        assert_eq!(dedup::take_positions(&rows, taking, &mut Vec::new()), expected);
        let mut part = audit::Part::new(1);
        let start = audit::Start::default();
        assert_eq!(audit::take_positions(&rows, chess960, start, &mut part), expected);
        for level in Level::available() {
            let mut problems = [0; 2];
            let judged =
                rows::validate_positions(level, &rows, chess960, Depth::All, &mut problems);
            assert_eq!(judged, expected);
            for profile in Profile::ALL {
                let mut valid = [0];
                let judged = rows::accepts_positions(level, &rows, profile, chess960, &mut valid);
                assert_eq!(judged, expected);
            }
        }
    }
}

/// A position has the codes, and the acceptance by other programs, of its text.
fn is_judged_as_its_text(position: &Position, castling: Castling) {
    let chess960 = is_chess960(position, false);
    let position = Position { flags: position.flags & !COUNTERS_ABSENT, ..*position };
    let board = Board::of(&position);
    let mut fen = Vec::new();
    write(&position, castling, Counters::Keep, &mut fen);
    let reading = parse::careful(&fen, chess960);
    let writable = position.castling.iter().all(|files| files.count_ones() <= 2);
    assert_eq!(reading.position(), Some(&position).filter(|_| writable));
    if writable {
        let codes = judge_position(&position, &board, chess960, Depth::All);
        assert_eq!(judge(&reading, chess960, Depth::All) & !OF_TEXT, codes);
        assert_eq!(diagnose(&fen, Dialect::Lenient, chess960).problems & !OF_TEXT, codes);
    }
    if castling == Castling::Xfen && writable {
        for profile in Profile::ALL {
            let accepted = profile.accepts_position(&position, &board, chess960);
            assert_eq!(accepted, profile.accepts(&fen, chess960), "{}", profile.name());
        }
    }
}

fn is_the_same_when_canonical(position: &Position, chess960: bool) {
    let identities = |position: &Position| {
        By::ALL.map(|(_, by)| Identity::of(position, &Board::of(position), by, chess960))
    };
    let polyglot = |position: &Position| zobrist(position, &Board::of(position), chess960);
    for rule in [EnPassant::Legal, EnPassant::Xfen, EnPassant::Valid, EnPassant::AsGiven] {
        let clean = canonical(position, rule, chess960);
        assert_eq!(canonical(&clean, rule, chess960), clean);
        assert_eq!(identities(&clean), identities(position));
        assert_eq!(key(&identities(&clean)[0]), key(&identities(position)[0]));
        if rule != EnPassant::Legal {
            assert_eq!(polyglot(&clean), polyglot(position));
        }
    }
}

fn is_held_by_records(position: &Position, state: State) {
    let held = state.of(position);
    let chess960 = held.flags & CHESS960 != 0;
    let uncounted = Position { flags: held.flags & (BLACK_TO_MOVE | CHESS960), ..held };
    let (record, refused) = encode(&Compressed(state), position, &[]);
    if refused.is_none() {
        let flags = uncounted.flags | COUNTERS_ABSENT;
        let expected = Position { flags, halfmove: 0, fullmove: 1, ..held };
        let record = record.first_chunk().expect("a whole record");
        assert_eq!(read_compressed(record, chess960), Ok(expected));
    }
    let (record, refused) = encode(&PackedBoards(state), position, &[]);
    if refused.is_none() {
        let record = record.first_chunk().expect("a whole record");
        assert_eq!(read_packed_board(record, chess960), Ok(uncounted));
    }
    let mut record = Vec::new();
    BinaryFen { state, with_variant: true }.write(position, &mut record);
    assert_eq!(read_binary(&record, false), Ok(uncounted));
    encode(&ChessBoards, position, &[]);
}

fn is_held_by_tokens(position: &Position, state: State, bytes: &mut Bytes<'_>) {
    let perspective =
        bytes.pick(&[Perspective::White, Perspective::Mover, Perspective::MoverRotated]);
    let squares = bytes.pick(&[Squares::A1, Squares::A8]);
    for vocabulary in [
        Vocabulary::Squares { perspective, squares },
        Vocabulary::Searchless,
        Vocabulary::ChessTransformers,
    ] {
        let (ids, refused) = encode(&Tokens::<i64>::new(vocabulary, state), position, &[]);
        let (narrow, also) = encode(&Tokens::<u8>::new(vocabulary, state), position, &[]);
        assert_eq!(refused, also);
        assert_eq!(ids, narrow.into_iter().map(i64::from).collect::<Vec<_>>());
        if refused.is_none() {
            let black_to_move = position.flags & BLACK_TO_MOVE != 0;
            let read = tokens::read(vocabulary, &ids, black_to_move, state).expect("tokens");
            has_the_men(&read, position);
        }
    }
}

fn has_the_men(read: &Position, position: &Position) {
    assert_eq!(Position::from_bytes(&read.to_bytes()), Ok(*read));
    assert_eq!((read.code, read.black), (position.code, position.black));
    assert_eq!(read.side_to_move(), position.side_to_move());
}

fn has_the_features_of_its_men(position: &Position, mover_first: bool) {
    let kings = Board::of(position).kings.count_ones();
    let men = position.occupied().count_ones();
    for (features, unseen) in [
        (Features::Chess768, 0),
        (Features::HalfKp, kings),
        (Features::HalfKaV2Hm, 0),
        (Features::HalfKaV2HmTrainer, 0),
    ] {
        let (numbers, refused) = encode(&Views::new(features, mover_first), position, &[]);
        assert!(numbers.iter().all(|&number| number < features.count() as i32));
        let active = numbers.iter().filter(|&&number| number >= 0).count();
        assert_eq!(active as u32, if refused.is_none() { 2 * (men - unseen) } else { 0 });
    }
}

fn is_held_by_planes(position: &Position, earlier: &[Position], words: Words, channels_last: bool) {
    let black_to_move = position.flags & BLACK_TO_MOVE != 0;
    // The canonical forms forget colour and symmetry.
    let forgets = matches!(words.layout, Layout::Lc0(form) if form >= Form::Canonicalization);
    let (packed, refused) = encode(&words, position, earlier);
    assert_eq!(refused, None);
    let read = words.read_packed(&packed, black_to_move).expect("words");
    if !forgets {
        has_the_men(&read, position);
    }
    has_the_cells::<u8>(position, earlier, words, channels_last, 255, &read);
    has_the_cells::<Half>(position, earlier, words, channels_last, 65_504, &read);
    has_the_cells::<f32>(position, earlier, words, channels_last, u32::MAX, &read);
}

/// Planes of `T` refuse the position or are read as `expected`.
fn has_the_cells<T: Cell + std::fmt::Debug>(
    position: &Position,
    earlier: &[Position],
    words: Words,
    channels_last: bool,
    limit: u32,
    expected: &Position,
) {
    let planes = Planes::<T>::new(words, channels_last, limit);
    let (cells, refused) = encode(&planes, position, earlier);
    if refused.is_none() {
        let read = planes.read(&cells, position.flags & BLACK_TO_MOVE != 0);
        assert_eq!(read.as_ref(), Ok(expected));
    }
}
