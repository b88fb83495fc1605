//! The symmetry that lc0's canonical formats choose.

/// What is done to every plane, in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Symmetry {
    flip: bool,
    mirror: bool,
    transpose: bool,
}

const FILES_A_TO_D: u64 = 0x0f0f_0f0f_0f0f_0f0f;
const RANKS_5_TO_8: u64 = 0xffff_ffff_0000_0000;
/// Above the diagonal from h1, within the lower right quarter.
const ABOVE: u64 = 0xe0c0_8000;
/// The diagonal from h1, within the lower right quarter.
const DIAGONAL: u64 = 0x1020_4080;
const QUEENSIDE: usize = 104;
const KINGSIDE: usize = 105;

/// `set` with its files reversed.
const fn flipped(set: u64) -> u64 {
    set.reverse_bits().swap_bytes()
}

/// `set` reflected in the diagonal from h1 to a8.
const fn transposed(set: u64) -> u64 {
    let mut out = 0;
    let mut left = set;
    while left != 0 {
        let square = left.trailing_zeros();
        let (file, rank) = (square & 7, square >> 3);
        out |= 1 << ((7 - file) * 8 + (7 - rank));
        left &= left - 1;
    }
    out
}

impl Symmetry {
    /// The symmetry of a board whose planes are `words`: none where a right is left; else the own
    /// king goes to the files e to h, without pawns also to the ranks 1 to 4 and on or below the
    /// diagonal, where the smaller of two boards decides.
    pub(super) fn of(words: &[u64]) -> Self {
        let mut symmetry = Self::default();
        if words[QUEENSIDE] | words[KINGSIDE] != 0 {
            return symmetry;
        }
        let king = words[5];
        symmetry.flip = king & FILES_A_TO_D != 0;
        if words[0] | words[6] != 0 {
            return symmetry;
        }
        symmetry.mirror = king & RANKS_5_TO_8 != 0;
        let king = symmetry.apply(king);
        symmetry.transpose =
            king & ABOVE != 0 || (king & DIAGONAL != 0 && symmetry.is_larger(words));
        symmetry
    }

    /// Whether the transposed board is the smaller one, by the first of these sets that differs.
    fn is_larger(self, words: &[u64]) -> bool {
        let union =
            |planes: std::ops::Range<usize>| words[planes].iter().fold(0, |all, set| all | set);
        let both = |role: usize| words[role] | words[role + 6];
        let sets = [union(0..12), union(0..6), both(5), both(4), both(3), both(1), both(2)];
        let turned = sets.map(|set| self.apply(set));
        let differing = turned.into_iter().find(|&set| set != transposed(set));
        differing.is_some_and(|set| set > transposed(set))
    }

    /// Where the squares of `set` go.
    pub(super) const fn apply(self, set: u64) -> u64 {
        let mut set = set;
        if set == 0 || set == !0 {
            return set;
        }
        if self.flip {
            set = flipped(set);
        }
        if self.mirror {
            set = set.swap_bytes();
        }
        if self.transpose {
            set = transposed(set);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_diagonal_stays() {
        const H1_TO_A8: u64 = 0x0102_0408_1020_4080;
        assert_eq!(transposed(H1_TO_A8), H1_TO_A8);
        // h2 goes to g1, a1 to h8.
        assert_eq!(transposed(1 << 15), 1 << 6);
        assert_eq!(transposed(1), 1 << 63);
        assert_eq!(flipped(1), 1 << 7);
    }
}
