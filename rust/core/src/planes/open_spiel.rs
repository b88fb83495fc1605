//! The planes of OpenSpiel's chess observation.

use super::found::{Fault, Found, Wings, count, flat};
use super::maia::full;
use super::view::View;

/// The plane of a man of [`View::men`]: K Q R B N P, the lower side before the upper.
const fn plane_of(man: usize) -> usize {
    2 * (5 - man % 6) + man / 6
}

const EMPTY: usize = 12;
const REPETITIONS: usize = 13;
/// Earlier ones: the third ends the game.
const MOST_REPETITIONS: u64 = 2;

/// Interleaved roles, empty squares, repetitions, turn, clock, castling rights.
pub(super) fn words(view: &View, words: &mut [u64]) {
    let mut occupied = 0;
    for (man, set) in view.men.into_iter().enumerate() {
        words[plane_of(man)] = set;
        occupied |= set;
    }
    words[EMPTY] = !occupied;
    words[REPETITIONS] = 0;
    words[14] = full(view.lower_to_move());
    words[15] = u64::from(view.halfmove);
    let [lower, upper] = view.rights;
    let rooks = [lower.queenside, lower.kingside, upper.queenside, upper.kingside];
    words[16..20].copy_from_slice(&rooks.map(|rook| full(rook != 0)));
}

/// Reads [`words`] into `found`, whose turn is known.
pub(super) fn find(words: &[u64], found: &mut Found) -> Result<(), Fault> {
    found.men = std::array::from_fn(|man| words[plane_of(man)]);
    let occupied = found.men.iter().fold(0, |all, set| all | set);
    let wrong = words[EMPTY] ^ !occupied;
    if wrong != 0 {
        return Err(Fault::Empty { set: wrong, plane: EMPTY });
    }
    if words[REPETITIONS] > MOST_REPETITIONS {
        let value = words[REPETITIONS] as f32 / 2.0;
        return Err(Fault::NotACount { plane: REPETITIONS, value });
    }
    let lower_to_move = flat(words, 14)?;
    found.black_to_move = lower_to_move == found.turn.swaps();
    found.halfmove = Some(count(words, 15)?);
    let right = |plane| flat(words, plane);
    found.rights = Wings::Named([[right(17)?, right(16)?], [right(19)?, right(18)?]]);
    Ok(())
}
