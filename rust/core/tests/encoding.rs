//! Every instruction set writes the same numbers, and what is written can be read back.
#![allow(missing_docs, clippy::unwrap_used)]

use fenpack_core::nnue::{Features, Views};
use fenpack_core::perspective::Perspective;
use fenpack_core::planes::{Cell, Fill, Form, Half, Layout, Planes, Squares, State, Words};
use fenpack_core::rows::{self, Block, BlockRows, Encode, Refusal};
use fenpack_core::tokens::{self, Tokens, Vocabulary};
use fenpack_core::{Level, Position, Row};
use proptest::prelude::*;

/// Any board: each square empty or with one of the twelve men.
fn positions() -> impl Strategy<Value = Position> {
    let men = prop::collection::vec(prop_oneof![3 => Just(0u8), 1 => 1..13u8], 64);
    let state = (any::<bool>(), 0..65u8, any::<[u8; 2]>(), any::<u16>(), any::<u16>());
    (men, state).prop_map(|(men, (black, en_passant, castling, halfmove, fullmove))| {
        let mut position = Position { en_passant, castling, halfmove, fullmove, ..Position::EMPTY };
        position.flags = u8::from(black);
        for (square, man) in men.into_iter().enumerate() {
            let code = if man > 6 { man - 6 } else { man };
            for (bit, plane) in position.code.iter_mut().enumerate() {
                *plane |= u64::from(code >> bit & 1) << square;
            }
            position.black |= u64::from(man > 6) << square;
        }
        position
    })
}

/// The numbers of `position` on every level, which must be one answer.
fn encoded<E: Encode<Cell: PartialEq + std::fmt::Debug>>(
    encoder: &E,
    position: &Position,
) -> (Vec<E::Cell>, Option<Refusal>) {
    let bytes = position.to_bytes();
    let answers = Level::available().into_iter().map(|level| {
        let (mut out, mut refused) = (vec![E::BLANK; encoder.width()], None);
        let rows = [Some(&bytes)];
        let block = Block { rows: BlockRows::Packed(&rows), earlier: &[], chess960: false };
        rows::encode(level, block, encoder, &mut out, |_, refusal| refused = Some(refusal));
        (out, refused)
    });
    let mut answers: Vec<_> = answers.collect();
    let first = answers.remove(0);
    for answer in answers {
        assert_eq!(answer, first);
    }
    first
}

fn word_choices() -> impl Strategy<Value = Words> {
    let layouts = prop::sample::select(&Layout::ALL[..]);
    let perspectives = prop::sample::select(
        &[Perspective::White, Perspective::Mover, Perspective::MoverRotated][..],
    );
    let squares = prop::sample::select(&[Squares::A1, Squares::A8][..]);
    (layouts, perspectives, squares).prop_map(|(layout, perspective, squares)| Words {
        layout,
        perspective: if layout.is_relative() { layout.perspective() } else { perspective },
        squares,
        state: State::default(),
        fill: Fill::default(),
    })
}

fn planes_agree<T: Cell + std::fmt::Debug>(words: Words, last: bool, position: &Position) {
    let planes = Planes::<T>::new(words, last, 65_504);
    let (cells, refused) = encoded(&planes, position);
    if refused.is_some() {
        return;
    }
    let (packed, _) = encoded(&words, position);
    let channels = packed.len();
    for (plane, word) in packed.into_iter().enumerate() {
        let count = words.layout.counts().iter().find(|count| count.plane == plane);
        for square in 0..64 {
            let at = if last { square * channels + plane } else { plane * 64 + square };
            let expected = match count {
                Some(count) => T::of(word as f32 / f32::from(count.divisor)),
                None if word >> square & 1 == 1 => T::ONE,
                None => T::ZERO,
            };
            assert_eq!(cells[at], expected, "plane {plane} square {square}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(miri) { 4 } else { 2_000 }, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn planes_are_words_spread(position in positions(), words in word_choices(), last: bool) {
        let fractions = words.layout.counts().iter().any(|count| count.divisor > 1);
        if !fractions && position.halfmove < 256 {
            planes_agree::<u8>(words, last, &position);
        }
        planes_agree::<Half>(words, last, &position);
        planes_agree::<f32>(words, last, &position);
    }

    #[test]
    fn words_are_read_back(position in positions(), words in word_choices()) {
        let (packed, _) = encoded(&words, &position);
        let black = position.flags & 1 == 1;
        let read = words.read_packed(&packed, black).unwrap();
        if matches!(words.layout, Layout::Lc0(form) if form >= Form::Canonicalization) {
            // The canonical forms forget colour and symmetry.
            return Ok(());
        }
        prop_assert_eq!((read.code, read.black), (position.code, position.black));
    }

    #[test]
    fn tokens_are_read_back(position in positions(), black: bool) {
        for vocabulary in [
            Vocabulary::Squares { perspective: Perspective::Mover, squares: Squares::A8 },
            Vocabulary::Squares { perspective: Perspective::White, squares: Squares::A1 },
            Vocabulary::ChessTransformers,
            Vocabulary::Searchless,
        ] {
            let state = State::default();
            let (ids, refused) = encoded(&Tokens::<i64>::new(vocabulary, state), &position);
            if refused.is_some() {
                continue;
            }
            let black = if matches!(vocabulary, Vocabulary::Squares { .. }) {
                position.flags & 1 == 1
            } else {
                black
            };
            let read = tokens::read(vocabulary, &ids, black, state).unwrap();
            prop_assert_eq!((read.code, read.black), (position.code, position.black));
            prop_assert_eq!(read.flags & 1, position.flags & 1);
        }
    }

    #[test]
    fn features_are_those_of_the_men(position in positions(), mover_first: bool) {
        for features in [
            Features::Chess768,
            Features::HalfKp,
            Features::HalfKaV2Hm,
            Features::HalfKaV2HmTrainer,
        ] {
            let (numbers, refused) = encoded(&Views::new(features, mover_first), &position);
            let active = numbers.iter().filter(|&&number| number >= 0).count();
            let kings = if features == Features::HalfKp { 2 } else { 0 };
            let men = position.occupied().count_ones() as usize;
            prop_assert!(refused.is_some() || active == 2 * (men - kings));
            prop_assert!(numbers.iter().all(|&number| number < features.count() as i32));
        }
    }
}

#[test]
fn texts_and_packed_rows_give_the_same() {
    let fens = [
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - -",
        "nonsense",
    ];
    for level in Level::available() {
        let texts =
            [Some(Row::from(fens[0].as_bytes())), Some(Row::from(fens[1].as_bytes())), None];
        let words = Words {
            layout: Layout::Maia2,
            perspective: Perspective::White,
            squares: Squares::A1,
            state: State::default(),
            fill: Fill::No,
        };
        let (mut out, mut refused) = ([1; 54], vec![]);
        let block = Block { rows: BlockRows::Texts(&texts), earlier: &[], chess960: false };
        rows::encode(level, block, &words, &mut out, |row, why| refused.push((row, why)));
        assert_eq!(refused, [(2, Refusal::Null)]);
        assert_eq!(out[36..], [0; 18]);
        for (row, fen) in fens[..2].iter().enumerate() {
            let reading = fenpack_core::parse::careful(fen.as_bytes(), false);
            let (packed, _) = encoded(&words, reading.position().unwrap());
            assert_eq!(packed, out[18 * row..][..18]);
        }
        let texts = [Some(Row::from(fens[2].as_bytes()))];
        let block = Block { rows: BlockRows::Texts(&texts), earlier: &[], chess960: false };
        let mut why = None;
        rows::encode(level, block, &words, &mut out[..18], |_, refusal| why = Some(refusal));
        assert_eq!(why, Some(Refusal::Unreadable));
    }
}
