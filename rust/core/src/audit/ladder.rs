//! The ladder of identities: distinct rows from the text down to the board.

use super::distinct::{Count, Distinct};

/// The number of rungs.
pub const RUNGS: usize = 6;

/// The rungs by name, each coarser than the one before.
///
/// `text` is the row as it is; `fields` its first four fields; `position` what the FIDE rules of
/// repetition compare: the board, the side to move, the castling rights that hold and the en
/// passant square if a capture is legal; the others what their names say, rights that hold again.
pub const LADDER: [&str; RUNGS] =
    ["text", "fields", "position", "board_side_rights", "board_side", "board"];

/// The sets that the rungs are counted from. Most rows share their board with few others, so a set
/// that serves two rungs saves much: rows with and without a legal en passant square are kept apart
/// and so are boards by the side to move, which leaves one rung a sum and the next a union.
pub(super) const SETS: usize = 7;
/// Texts; the next set is that of their first four fields.
pub(super) const TEXT: usize = 0;
const FIELDS: usize = 1;
/// Board, side and rights of positions without a legal en passant square.
pub(super) const UNTARGETED: usize = 2;
/// Positions with one.
pub(super) const TARGETED: usize = 3;
/// Board, side and rights of those.
pub(super) const WITHOUT_TARGET: usize = 4;
/// Boards with White to move; the next set is that of boards with Black to move.
pub(super) const WHITE_TO_MOVE: usize = 5;
const BLACK_TO_MOVE: usize = 6;

/// The sets of hashes behind the rungs.
#[derive(Clone, Debug)]
pub struct Ladder {
    /// One set for each kind of hash of a [`super::Part`].
    pub sets: [Distinct; SETS],
}

impl Ladder {
    /// Without rows, each set counted exactly up to `limit` values.
    pub fn new(limit: usize) -> Self {
        Self { sets: std::array::from_fn(|_| Distinct::new(limit)) }
    }

    /// The distinct rows on each rung.
    pub fn counts(&mut self) -> [Count; RUNGS] {
        let counts = self.sets.each_mut().map(Distinct::count);
        let sum = |one: Count, two: Count| Count {
            distinct: one.distinct + two.distinct,
            exact: one.exact && two.exact,
        };
        let [.., untargeted, _, without, white, black] = &mut self.sets;
        [
            counts[TEXT],
            counts[FIELDS],
            sum(counts[UNTARGETED], counts[TARGETED]),
            untargeted.union(without),
            sum(counts[WHITE_TO_MOVE], counts[BLACK_TO_MOVE]),
            white.union(black),
        ]
    }
}
