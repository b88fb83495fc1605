//! The 119 planes of AlphaZero in the order of pgx.

use super::found::{Fault, Found, Wings, constant, count, flat, plies};
use super::history::{History, STEPS};
use super::maia::full;
use super::view::{View, men};

const STEP: usize = 14;
const REST: usize = STEP * STEPS;

/// Eight steps of men and repetitions, colour, plies, castling rights, clock.
pub(super) fn words(view: &View, history: &History, words: &mut [u64]) {
    let known = history.known();
    for (step, words) in words[..REST].chunks_exact_mut(STEP).enumerate() {
        // A step before the first position has no men and has not been seen before.
        let mut repeated = false;
        if let Some(position) = known.get(step) {
            words[..12].copy_from_slice(&men(position, view.turn));
            repeated = history.is_among(step, 0..STEPS);
        }
        words[12] = full(!repeated);
        words[13] = full(repeated);
    }
    words[112] = full(view.black_to_move);
    words[113] = u64::from(view.plies());
    let [own, other] = view.rights;
    let rooks = [own.queenside, own.kingside, other.queenside, other.kingside];
    words[114..118].copy_from_slice(&rooks.map(|rook| full(rook != 0)));
    words[118] = u64::from(view.halfmove);
}

/// Reads the state of [`words`] into `found`.
pub(super) fn find(words: &[u64], found: &mut Found) -> Result<(), Fault> {
    for step in 0..STEPS {
        let new = flat(words, STEP * step + 12)?;
        constant(words, STEP * step + 13, full(!new))?;
    }
    let right = |plane| flat(words, plane);
    found.rights = Wings::Named([[right(115)?, right(114)?], [right(117)?, right(116)?]]);
    found.halfmove = Some(count(words, 118)?);
    found.fullmove = Some(plies(words, 113, found.black_to_move)?);
    Ok(())
}

/// The plane of the colour.
pub(super) const COLOUR: usize = 112;
