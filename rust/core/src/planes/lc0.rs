//! Lc0's 112 planes in four of its input formats.

use super::found::{Fault, Found, PASSED, Wings, constant, count, flat, single};
use super::history::{Fill, History, STEPS};
use super::layout::Form;
use super::maia::full;
use super::symmetry::Symmetry;
use super::view::{View, men};
use crate::bitboard::is_single;
use crate::position::Position;
use crate::square;

const STEP: usize = 13;
const REPEATED: usize = 12;
const REST: usize = STEP * STEPS;
const ZEROS: usize = 110;
const ONES: usize = 111;
const CLOCK: usize = 109;

/// The plane of the colour, or in the canonical forms of the en passant square.
pub(super) const COLOUR: usize = 108;

/// Eight steps of men and repetition, castling, colour or en passant, clock, zeros, ones.
pub(super) fn words(form: Form, view: &View, history: &History, fill: Fill, words: &mut [u64]) {
    let canonical = form >= Form::Canonicalization;
    let current = &history.known()[0];
    for step in 0..STEPS {
        let out = &mut words[STEP * step..][..STEP];
        let position = history.known().get(step);
        if canonical && step > 0 && ends_before(current, history, step) {
            break;
        }
        match position {
            Some(position) => {
                out[..12].copy_from_slice(&men(position, view.turn));
                out[REPEATED] = full(history.is_among(step, step + 1..STEPS));
            }
            None => match history.filler(fill, view.turn) {
                Some(men) => {
                    out[..12].copy_from_slice(&men);
                }
                None => break,
            },
        }
    }
    let [own, other] = view.rights;
    if form == Form::Classical {
        let rooks = [own.queenside, own.kingside, other.queenside, other.kingside];
        words[REST..REST + 4].copy_from_slice(&rooks.map(|rook| full(rook != 0)));
    } else {
        words[REST] = own.queenside | other.queenside;
        words[REST + 1] = own.kingside | other.kingside;
    }
    words[COLOUR] =
        if canonical { on_last_rank(view.en_passant) } else { full(view.black_to_move) };
    words[CLOCK] = u64::from(view.halfmove);
    words[ONES] = !0;
    if canonical {
        let symmetry = Symmetry::of(words);
        for word in &mut words[..=COLOUR] {
            *word = symmetry.apply(*word);
        }
    }
}

/// Whether the history of a canonical form ends before `step`: with what cannot be taken back.
fn ends_before(current: &Position, history: &History, step: usize) -> bool {
    let known = history.known();
    let newer = &known[(step - 1).min(known.len() - 1)];
    let shown = &known[step.min(known.len() - 1)];
    newer.halfmove == 0 || shown.castling != current.castling || shown.en_passant != square::NONE
}

/// Lc0 marks the file of an en passant capture on the last rank.
const fn on_last_rank(target: u64) -> u64 {
    target << 16
}

/// Reads the state of [`words`] into `found`.
pub(super) fn find(form: Form, words: &[u64], found: &mut Found) -> Result<(), Fault> {
    let canonical = form >= Form::Canonicalization;
    for step in 0..STEPS {
        flat(words, STEP * step + REPEATED)?;
    }
    found.rights = if form == Form::Classical {
        let right = |i| flat(words, REST + i);
        Wings::Named([[right(1)?, right(0)?], [right(3)?, right(2)?]])
    } else {
        constant(words, REST + 2, 0)?;
        constant(words, REST + 3, 0)?;
        Wings::Rooks(rooks(words, found)?)
    };
    if canonical {
        found.en_passant = single(words, COLOUR, on_last_rank(PASSED), found.turn)? >> 16;
    }
    found.halfmove = Some(count(words, CLOCK)?);
    constant(words, ZEROS, 0)?;
    constant(words, ONES, !0)
}

/// The rooks with a right: on their side's back rank, on the wing of the king that the plane is of.
fn rooks(words: &[u64], found: &Found) -> Result<u64, Fault> {
    const ROOK: usize = 3;
    const KING: usize = 5;
    let mut rooks = 0;
    for (plane, kingside) in [(REST, false), (REST + 1, true)] {
        let mut wrong = words[plane];
        for (side, rank) in [(0, 0xff), (6, 0xff << 56)] {
            let king = found.men[side + KING];
            let below = king.wrapping_sub(1);
            let wing = if kingside { !(king | below) } else { below };
            if is_single(king) && king & rank != 0 {
                let named = words[plane] & rank & wing & found.men[side + ROOK];
                // A side has one right on each wing.
                wrong &= !(named & named.wrapping_neg());
            }
        }
        if wrong != 0 {
            let square = found.turn.set(wrong).trailing_zeros() as u8;
            return Err(Fault::Castling { plane, square });
        }
        rooks |= words[plane];
    }
    Ok(rooks)
}
