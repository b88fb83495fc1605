//! Next-best boards, until one has kings apart and at most one side in check.
//!
//! What is wrong shows on few squares: the kings, a checker of each, the empty squares between.
//! Every board with the same there is wrong too, so the boards that are left fall into one part
//! for each of these squares: the first that differs. Parts are taken in the order of their best
//! boards, each solved from its parent by one path.

use super::board::{self, Fault};
use super::flow::Flow;
use crate::bitboard::squares;

/// The boards looked at before giving up.
const BOARDS: usize = 32;

/// The boards of one part.
struct Part {
    best: Flow,
    /// What its best board has less than the best of all.
    lost: f64,
    /// Squares that have to be as they are.
    kept: u64,
}

/// What was found.
pub(super) struct Found {
    /// The board, in the flow that holds it.
    pub(super) flow: Flow,
    /// How many better ones were wrong.
    pub(super) refused: usize,
    /// What is wrong with it, if nothing better was found.
    pub(super) fault: Option<Fault>,
    /// The squares that were kept in the search, and how much better it is than what else is left.
    pub(super) kept: (u64, f64),
}

/// The best board that passes, or that of `best` if the bound is reached.
pub(super) fn passing(best: Flow) -> Found {
    let Some((fault, _)) = board::fault(&best.classes()) else {
        return Found { flow: best, refused: 0, fault: None, kept: (0, f64::INFINITY) };
    };
    let mut parts = vec![Part { best: best.clone(), lost: 0.0, kept: 0 }];
    for refused in 0..BOARDS {
        let Some(part) = take_best(&mut parts) else { break };
        let Some((_, shown)) = board::fault(&part.best.classes()) else {
            let next = parts.iter().map(|other| other.lost).fold(f64::INFINITY, f64::min);
            let kept = (part.kept, next - part.lost);
            return Found { flow: part.best, refused, fault: None, kept };
        };
        let mut rest = part.best;
        let mut kept = part.kept;
        for square in squares(shown & !part.kept) {
            let mut other = rest.clone();
            if let Some(lost) = other.forbid(square as usize) {
                parts.push(Part { best: other, lost: part.lost + lost, kept });
            }
            rest.keep(square as usize);
            kept |= 1 << square;
        }
    }
    Found { flow: best, refused: 0, fault: Some(fault), kept: (0, f64::INFINITY) }
}

/// The part with the best board, the first of several.
fn take_best(parts: &mut Vec<Part>) -> Option<Part> {
    let mut best = 0;
    for (i, part) in parts.iter().enumerate() {
        if part.lost < parts[best].lost {
            best = i;
        }
    }
    (!parts.is_empty()).then(|| parts.remove(best))
}
