//! A short soak, and whether it would see a fault.
#![allow(clippy::unwrap_used)]

use fenpack_core::Level;
use fenpack_core::problem as codes;

use super::{Options, soak};
use crate::answers::{Answers, PLAIN};
use crate::compare::compare_row;
use crate::tally::Tally;

fn short(rows: u64, canonical: bool) -> Tally {
    let mut arguments = vec!["--rows".to_owned(), rows.to_string()];
    if canonical {
        arguments.push("--canonical".to_owned());
    }
    let tally = soak(&Options::read(arguments.into_iter()).unwrap());
    assert_eq!(tally.wrong, 0, "{tally}");
    tally
}

#[test]
fn fenpack_says_what_the_second_reading_says() {
    let tally = short(150_000, false);
    for (name, count) in tally.met(codes::ILLEGAL) {
        assert!(count > 50 || name == "board_empty", "{name}: {count}");
    }
    assert_eq!(tally.differences.len(), 3, "{tally}");
    assert!(tally.both > 75_000 && tally.accepted > 30_000, "{tally}");
}

#[test]
fn canonical_text_is_that_of_the_second_reading() {
    let tally = short(50_000, true);
    assert!(tally.squares.iter().all(|&count| count > 2000), "{tally}");
}

#[test]
fn a_fault_is_seen() {
    let text = b"4k3/8/8/8/2pPp3/8/8/R3K2R b KQ d3 0 1".to_vec();
    let level = Level::Portable;
    let faults = |spoil: fn(&mut Answers)| {
        let mut answers = Answers::of(level, std::slice::from_ref(&text), false, &[PLAIN]);
        spoil(&mut answers);
        compare_row(&answers, 0, &text, false, &[PLAIN], &mut Tally::default()).len()
    };
    assert_eq!(faults(|_| ()), 0);
    assert_eq!(faults(|answers| answers.problems[0] ^= codes::OPPOSITE_CHECK), 1);
    assert_eq!(faults(|answers| answers.problems[0] ^= codes::CASTLING_NEEDS_960), 1);
    assert_eq!(faults(|answers| answers.problems[0] ^= codes::EP_NOT_LEGAL), 1);
    assert_eq!(faults(|answers| answers.legal[0] ^= 1), 1);
    assert_eq!(faults(|answers| answers.accepted[0] ^= 1), 1);
    assert_eq!(faults(|answers| answers.texts[0].text[0] ^= 1), 1);
    // Not read: refused without a reason, and legal all the same.
    assert_eq!(faults(|answers| answers.texts[0].known[0] ^= 1), 2);
}
