//! The decoder against exhaustive search over the boards that a few free squares allow.
#![allow(missing_docs, clippy::unwrap_used)]

use fenpack_core::attacks::attackers;
use fenpack_core::decode::{
    CLASSES, Constraints, Decoded, Decoder, Empty, Fault, Given, Kind, Layout, Margins, Rules,
    Status, Turning, flag, position,
};
use fenpack_core::position::{BLACK, WHITE};
use fenpack_core::{Board, Level, Position};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const ROW: usize = 64 * CLASSES;

/// A decoder of logits in the order of squares and classes.
fn decoder(rules: Rules, penalty: f64) -> Decoder {
    let plane = |class: usize| std::array::from_fn(|square| square * CLASSES + class);
    let men = std::array::from_fn(|man| plane(man + 1));
    let layout = Layout::new(men, vec![plane(0)], Empty::Column);
    let usual = Box::new([[0.0; 64]; CLASSES]);
    Decoder::new(Kind::Logits, &layout, &[Turning::Upright], Constraints { rules, penalty }, usual)
}

fn decode(decoder: &Decoder, row: &[f32]) -> (Result<Decoded, Fault>, Margins) {
    let mut results = [Err(Fault { status: Status::Null, square: None })];
    let mut margins = [Margins { margin: [0.0; 64], runner_up: [0; 64] }];
    for level in Level::available() {
        let before = results[0];
        let given = |_| Some(Given::default());
        decoder.decode_rows(level, row, ROW, given, &mut results, Some(&mut margins));
        if let (Ok(one), Ok(other)) = (before, results[0]) {
            assert_eq!(one.position, other.position, "{level:?}");
        }
        let with_margins = results[0];
        decoder.decode_rows(level, row, ROW, given, &mut results, None);
        match (with_margins, results[0]) {
            (Ok(one), Ok(other)) => assert_eq!(one.position, other.position),
            (one, other) => assert_eq!(one.err(), other.err()),
        }
    }
    let [margins] = margins;
    (results[0], margins)
}

/// The score of a board, if it keeps to the rules of the flow.
fn score(row: &[f32], classes: &[u8; 64], penalty: f64) -> Option<f64> {
    let count = |class: u8, keep: &dyn Fn(usize) -> bool| {
        (0..64).filter(|&square| classes[square] == class && keep(square)).count() as i32
    };
    let mut promoted = 0;
    for first in [0_u8, 6] {
        let all = |_: usize| true;
        let light = |square: usize| (square ^ square >> 3) & 1 == 1;
        let dark = |square: usize| !light(square);
        if count(first + 6, &all) != 1 {
            return None;
        }
        let excess = (count(first + 2, &all) - 2).max(0)
            + (count(first + 4, &all) - 2).max(0)
            + (count(first + 5, &all) - 1).max(0)
            + (count(first + 3, &light) - 1).max(0)
            + (count(first + 3, &dark) - 1).max(0);
        let back = |square: usize| !(8..56).contains(&square);
        if count(first + 1, &back) > 0 || count(first + 1, &all) + excess > 8 {
            return None;
        }
        promoted += excess;
    }
    let gain: f64 = (0..64).map(|s| f64::from(row[s * CLASSES + classes[s] as usize])).sum();
    let charge = if promoted > 0 { penalty * f64::from(promoted) } else { 0.0 };
    Some(gain - charge).filter(|score| *score > f64::NEG_INFINITY)
}

/// Whether the kings are apart and at most one is in check.
fn kings_are_fine(position: &Position) -> bool {
    let board = Board::of(position);
    let attacked = |side: usize| {
        let king = (board.kings & board.men[side]).trailing_zeros() as u8;
        attackers(&board, board.occupied(), king, side ^ 1)
    };
    let (white, black) = (attacked(WHITE), attacked(BLACK));
    (white | black) & board.kings == 0 && (white == 0 || black == 0)
}

/// Every board that differs from `fixed` on the `free` squares only.
fn boards(fixed: [u8; 64], free: &[usize]) -> Vec<[u8; 64]> {
    let mut all = vec![fixed];
    for &square in free {
        all = all
            .into_iter()
            .flat_map(|board| {
                (0..CLASSES as u8).map(move |class| {
                    let mut board = board;
                    board[square] = class;
                    board
                })
            })
            .collect();
    }
    all
}

fn classes(position: &Position) -> [u8; 64] {
    std::array::from_fn(|square| {
        position.letter(square as u8).map_or(0, |letter| {
            b"PNBRQKpnbrqk".iter().position(|&known| known == letter).unwrap() as u8 + 1
        })
    })
}

/// With men for nothing, a third knight that could as well be a bishop stays the argmax, whether or
/// not margins are asked for.
#[test]
fn a_tie_stays_the_argmax() {
    let mut row = vec![f32::NEG_INFINITY; ROW];
    for (square, class) in [(1, 2), (4, 6), (6, 2), (18, 2), (18, 3), (60, 12)] {
        row[square * CLASSES + class] = 0.0;
    }
    for square in (0..64).filter(|square| ![1, 4, 6, 18, 60].contains(square)) {
        row[square * CLASSES] = 0.0;
    }
    let (found, margins) = decode(&decoder(Rules::Legal, 0.0), &row);
    let found = found.unwrap();
    assert_eq!((found.position.letter(18), found.changed), (Some(b'N'), 0));
    assert_eq!((margins.margin[18], margins.runner_up[18]), (0.0, 3));
}

/// Scores that the temperature rounds to one keep their order, whether or not margins are asked for.
#[test]
fn rounding_does_not_change_the_argmax() {
    let mut lows = (0..).map(|i| f32::from_bits(1.5_f32.to_bits() + i));
    let low = lows.find(|low| low / 3.0 == low.next_up() / 3.0).unwrap();
    let mut row = vec![-9.0; ROW];
    for square in (0..64).filter(|square| ![4, 18, 60].contains(square)) {
        row[square * CLASSES] = 0.0;
    }
    row[4 * CLASSES + 6] = 0.0;
    row[60 * CLASSES + 12] = 0.0;
    row[18 * CLASSES] = low;
    row[18 * CLASSES + 2] = low.next_up();
    let (found, margins) = decode(&decoder(Rules::Legal, 4.0).scaled(3.0, 1e-6), &row);
    let found = found.unwrap();
    assert_eq!((found.position.letter(18), found.changed), (Some(b'N'), 0));
    assert_eq!((margins.margin[18], margins.runner_up[18]), (0.0, 0));
}

/// A prior that its weight makes more than a float can hold forbids nothing.
#[test]
fn an_enormous_prior_forbids_nothing() {
    let mut row = vec![0.0; ROW];
    row[4 * CLASSES + 6] = 9.0;
    row[60 * CLASSES + 12] = 9.0;
    let mut shares = [[0.0; 64]; CLASSES];
    shares[2][18] = f32::MAX;
    shares.iter_mut().for_each(|plane| plane[20] = f32::MIN);
    let (found, margins) = decode(&decoder(Rules::Legal, 4.0).with_prior(&shares, 1e6), &row);
    assert_eq!(found.unwrap().position.letter(18), Some(b'N'));
    assert!(margins.margin.iter().all(|margin| *margin >= 0.0));
}

fn config() -> ProptestConfig {
    let mut config = ProptestConfig::with_cases(if cfg!(miri) { 1 } else { 256 });
    config.rng_seed = RngSeed::Fixed(33);
    config.failure_persistence = None;
    config
}

fn case() -> impl Strategy<Value = ([u8; 64], Vec<usize>, Vec<f32>, f64)> {
    let man = prop_oneof![6 => Just(0_u8), 1 => 1_u8..13];
    let board = proptest::collection::vec(man, 64);
    let free = proptest::sample::subsequence((0..64).collect::<Vec<_>>(), 4);
    let scores = proptest::collection::vec(-8_i8..8, 4 * CLASSES);
    let penalty = prop_oneof![Just(0.0), Just(1.5), Just(4.0), Just(f64::INFINITY)];
    (board, free, scores, penalty).prop_map(|(board, free, scores, penalty)| {
        let mut fixed: [u8; 64] = board.try_into().unwrap();
        // The fixed part has no king and no pawn on a back rank more often than not.
        for (square, class) in fixed.iter_mut().enumerate() {
            if matches!(*class, 6 | 12) || (!(8..56).contains(&square) && matches!(*class, 1 | 7)) {
                *class = 0;
            }
        }
        (fixed, free, scores.into_iter().map(|score| f32::from(score) / 2.0).collect(), penalty)
    })
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn finds_what_exhaustive_search_finds((fixed, free, scores, penalty) in case()) {
        let mut row = vec![f32::NEG_INFINITY; ROW];
        for square in 0..64 {
            row[square * CLASSES + fixed[square] as usize] = 0.0;
        }
        for (i, &square) in free.iter().enumerate() {
            row[square * CLASSES..][..CLASSES].copy_from_slice(&scores[i * CLASSES..][..CLASSES]);
        }
        let (found, margins) = decode(&decoder(Rules::Legal, penalty), &row);
        let all: Vec<_> = boards(fixed, &free)
            .into_iter()
            .filter_map(|board| Some((score(&row, &board, penalty)?, board)))
            .collect();
        let most = |keep: &dyn Fn(&[u8; 64]) -> bool| {
            let scores = all.iter().filter(|(_, board)| keep(board)).map(|(score, _)| *score);
            scores.fold(f64::NEG_INFINITY, f64::max)
        };
        let best = most(&|_| true);
        let Ok(found) = found else {
            prop_assert_eq!(best, f64::NEG_INFINITY);
            prop_assert_eq!(found.unwrap_err().status, Status::Infeasible);
            return Ok(());
        };
        let board = classes(&found.position);
        let reached = score(&row, &board, penalty);
        prop_assert!(reached.is_some(), "the board breaks a rule");
        let fine = most(&|board| kings_are_fine(&position(board)));
        if found.flags & (flag::KINGS_ADJACENT | flag::BOTH_IN_CHECK) != 0 {
            prop_assert_eq!(reached, Some(best));
            // With four free squares the bound is never met, so there is no better board.
            prop_assert_eq!(fine, f64::NEG_INFINITY);
        } else {
            prop_assert!(kings_are_fine(&found.position));
            prop_assert_eq!(reached, Some(fine));
        }
        if found.flags & flag::NEXT_BEST == 0 {
            for &square in &free {
                let other = most(&|other| other[square] != board[square]);
                let margin = f64::from(margins.margin[square]);
                prop_assert_eq!(margin, best - other, "square {}", square);
                let named = margins.runner_up[square];
                if margin.is_finite() {
                    prop_assert_eq!(most(&|other| other[square] == named), other);
                }
            }
        }
    }

    #[test]
    fn an_enormous_penalty_is_the_last_resort((fixed, free, scores, _) in case()) {
        let mut row = vec![f32::NEG_INFINITY; ROW];
        for square in 0..64 {
            row[square * CLASSES + fixed[square] as usize] = 0.0;
        }
        for (i, &square) in free.iter().enumerate() {
            row[square * CLASSES..][..CLASSES].copy_from_slice(&scores[i * CLASSES..][..CLASSES]);
        }
        // The free squares have less than this to gain.
        let reached = |penalty| match decode(&decoder(Rules::Legal, penalty), &row).0 {
            Ok(found) => Ok(score(&row, &classes(&found.position), 100.0)),
            Err(fault) => Err(fault),
        };
        prop_assert_eq!(reached(100.0), reached(1e308));
    }

    #[test]
    fn kings_rule_alone((fixed, free, scores, _) in case()) {
        let mut row = vec![f32::NEG_INFINITY; ROW];
        for square in 0..64 {
            row[square * CLASSES + fixed[square] as usize] = 0.0;
        }
        for (i, &square) in free.iter().enumerate() {
            row[square * CLASSES..][..CLASSES].copy_from_slice(&scores[i * CLASSES..][..CLASSES]);
        }
        let keeps = |board: &[u8; 64]| {
            let count = |class: u8| board.iter().filter(|&&found| found == class).count();
            let back = |square: usize| !(8..56).contains(&square) && matches!(board[square], 1 | 7);
            count(6) == 1 && count(12) == 1 && !(0..64).any(back)
        };
        let gain = |board: &[u8; 64]| -> f32 {
            (0..64).map(|s| row[s * CLASSES + board[s] as usize]).sum()
        };
        let all = boards(fixed, &free);
        let best = all.iter().filter(|board| keeps(board)).map(gain);
        let best = best.fold(f32::NEG_INFINITY, f32::max);
        match decode(&decoder(Rules::Kings, 4.0), &row).0 {
            Ok(found) => {
                let board = classes(&found.position);
                prop_assert!(keeps(&board));
                prop_assert_eq!(gain(&board), best);
            }
            Err(fault) => {
                prop_assert_eq!(fault.status, Status::Infeasible);
                prop_assert_eq!(best, f32::NEG_INFINITY);
            }
        }
    }
}
