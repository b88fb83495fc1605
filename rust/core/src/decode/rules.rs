//! What a board must keep to, and how the flow sees it.

use super::{Allowed, CLASSES};
use crate::bitboard::{BACK_RANKS, DARK};
use crate::position::{BLACK, WHITE};

/// Which rules hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// One king a side, no pawn on a back rank, no more men than pawns can have become; then kings
    /// that are not adjacent and not both in check.
    Legal,
    /// One king a side and no pawn on a back rank.
    Kings,
    /// None.
    None,
}

/// The rules and what a promoted man costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constraints {
    /// Which rules hold.
    pub rules: Rules,
    /// The log score that each promoted man is charged; infinity rules them out.
    pub penalty: f64,
}

/// The classes of the flow: those of the scores, with bishops of dark and of light squares apart.
pub(super) const KINDS: usize = 15;

/// The class of each.
pub(super) const CLASS: [u8; KINDS] = [0, 1, 2, 3, 3, 4, 5, 6, 7, 8, 9, 9, 10, 11, 12];

/// The kinds that are kings.
pub(super) const KINGS: [usize; 2] = [7, 14];

/// The kinds that are pawns.
pub(super) const PAWNS: [usize; 2] = [1, 8];

/// The pawns that a side begins with.
pub(super) const PAWN_COUNT: u8 = 8;

/// No bound.
pub(super) const ANY: u8 = 64;

/// The men of each kind that a side begins with; pawns are counted together with what they became.
const NATIVE: [u8; KINDS] = [ANY, 0, 2, 1, 1, 2, 1, 1, 0, 2, 1, 1, 2, 1, 1];

/// The kind of `class` on `square`.
pub(super) const fn kind(class: u8, square: usize) -> usize {
    let light = (DARK >> square & 1 == 0) as usize;
    match class {
        0..=2 => class as usize,
        3 => 3 + light,
        4..=8 => class as usize + 1,
        9 => 10 + light,
        _ => class as usize + 2,
    }
}

/// The side whose men `kind` are.
pub(super) const fn side(kind: usize) -> Option<usize> {
    match kind {
        0 => None,
        1..=7 => Some(WHITE),
        _ => Some(BLACK),
    }
}

impl Constraints {
    /// How many of `kind` there may be without promotion.
    pub(super) const fn native(&self, kind: usize) -> u8 {
        match self.rules {
            Rules::Legal => NATIVE[kind],
            Rules::Kings if Self::is_king(kind) => 1,
            Rules::Kings | Rules::None => ANY,
        }
    }

    /// Whether there must be exactly one of `kind`.
    pub(super) fn is_exact(&self, kind: usize) -> bool {
        self.rules != Rules::None && Self::is_king(kind)
    }

    const fn is_king(kind: usize) -> bool {
        kind == KINGS[WHITE] || kind == KINGS[BLACK]
    }

    /// What one more of `kind` beyond the native ones costs, if pawns can have become it.
    pub(super) fn toll(&self, kind: usize) -> Option<f64> {
        if self.rules != Rules::Legal || kind == 0 || Self::is_king(kind) {
            None
        } else if PAWNS.contains(&kind) {
            Some(0.0)
        } else {
            Some(self.penalty).filter(|penalty| penalty.is_finite())
        }
    }

    /// The classes that each square may have.
    pub(super) fn allowed(&self) -> &'static Allowed {
        const ALL: u16 = (1 << CLASSES) - 1;
        const ANYWHERE: Allowed = [ALL; 64];
        const NO_BACK_PAWNS: Allowed = {
            let mut allowed = ANYWHERE;
            let mut square = 0;
            while square < 64 {
                if BACK_RANKS >> square & 1 == 1 {
                    allowed[square] = ALL & !(1 << 1 | 1 << 7);
                }
                square += 1;
            }
            allowed
        };
        match self.rules {
            Rules::None => &ANYWHERE,
            Rules::Legal | Rules::Kings => &NO_BACK_PAWNS,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_and_classes_agree() {
        for square in 0..64 {
            for class in 0..CLASSES as u8 {
                assert_eq!(CLASS[kind(class, square)], class);
            }
        }
        assert_eq!([kind(3, 0), kind(3, 1)], [3, 4], "a1 is dark");
    }
}
