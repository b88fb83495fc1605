//! From whose side the board is seen.

use crate::position::{BLACK, Position};

/// Whose board is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Perspective {
    /// White's, always.
    #[default]
    White,
    /// The mover's: with Black to move ranks are reversed and colours swapped.
    Mover,
    /// The mover's, by turning the board: with Black to move ranks and files are reversed and
    /// colours swapped.
    MoverRotated,
}

impl Perspective {
    /// What is done to a board with `side` to move.
    #[inline(always)]
    pub const fn turn(self, side: usize) -> Turn {
        match self {
            Self::Mover if side == BLACK => Turn::Mirror,
            Self::MoverRotated if side == BLACK => Turn::Rotate,
            _ => Turn::None,
        }
    }
}

/// What is done to a board. All but `None` swap the colours too; each undoes itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Nothing.
    None,
    /// Ranks are reversed.
    Mirror,
    /// Ranks and files are reversed.
    Rotate,
}

impl Turn {
    /// Where the squares of `set` go.
    #[inline(always)]
    pub const fn set(self, set: u64) -> u64 {
        match self {
            Self::None => set,
            Self::Mirror => set.swap_bytes(),
            Self::Rotate => set.reverse_bits(),
        }
    }

    /// Whether colours are swapped.
    #[inline(always)]
    pub const fn swaps(self) -> bool {
        !matches!(self, Self::None)
    }

    /// The bit planes of the piece codes of `position` and the men of the upper side.
    #[inline(always)]
    pub fn planes(self, position: &Position) -> ([u64; 3], u64) {
        let upper =
            if self.swaps() { position.occupied() & !position.black } else { position.black };
        let [c0, c1, c2] = position.code;
        ([self.set(c0), self.set(c1), self.set(c2)], self.set(upper))
    }
}
