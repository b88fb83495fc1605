//! The planes of Maia-1 and Maia-2.

use super::found::{Fault, Found, PASSED, Wings, flat, single};
use super::view::View;

/// The four castling rights as full planes: K and Q of the lower side, then of the upper.
fn rights(view: &View) -> [u64; 4] {
    let [lower, upper] = view.rights;
    [lower.kingside, lower.queenside, upper.kingside, upper.queenside].map(|rook| full(rook != 0))
}

/// A full or an empty plane.
pub(super) const fn full(set: bool) -> u64 {
    (set as u64).wrapping_neg()
}

fn find_rights(words: &[u64], first: usize) -> Result<Wings, Fault> {
    let right = |i| flat(words, first + i);
    Ok(Wings::Named([[right(0)?, right(1)?], [right(2)?, right(3)?]]))
}

/// Pieces, turn, castling rights, en passant square.
pub(super) fn two(view: &View, words: &mut [u64]) {
    words[..12].copy_from_slice(&view.men);
    words[12] = full(view.lower_to_move());
    words[13..17].copy_from_slice(&rights(view));
    words[17] = view.en_passant;
}

/// Reads [`two`] into `found`, whose turn is known.
pub(super) fn find_two(words: &[u64], found: &mut Found) -> Result<(), Fault> {
    let lower_to_move = flat(words, 12)?;
    found.black_to_move = lower_to_move == found.turn.swaps();
    found.rights = find_rights(words, 13)?;
    found.en_passant = single(words, 17, PASSED, found.turn)?;
    Ok(())
}

/// Pieces of mover and opponent, whether White is to move, castling rights.
pub(super) fn one(view: &View, words: &mut [u64]) {
    words[..12].copy_from_slice(&view.men);
    words[12] = full(!view.black_to_move);
    words[13..17].copy_from_slice(&rights(view));
}

/// Reads the state of [`one`] into `found`.
pub(super) fn find_one(words: &[u64], found: &mut Found) -> Result<(), Fault> {
    found.rights = find_rights(words, 13)?;
    Ok(())
}
