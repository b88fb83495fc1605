//! One row as it is compared: its identity and its number, and what else the caller keeps of it.

use bytemuck::{Pod, Zeroable};

use crate::hash::{MIX, fold};
use crate::identity::Identity;

/// The words of a record that holds nothing else.
pub const PLAIN: usize = 5;

/// The number of rows that records can tell apart.
pub const MOST_ROWS: u64 = 1 << (64 - Identity::STATE_BITS);

const STATE: usize = PLAIN - 1;
const STATE_MASK: u64 = (1 << Identity::STATE_BITS) - 1;

/// Four words of board, one with the state below the row number, and the caller's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub struct Record<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Record<WORDS> {
    /// The record of row `row`, which must be below [`MOST_ROWS`]; the caller's words are 0.
    #[inline(always)]
    pub fn new(identity: &Identity, row: u64) -> Self {
        debug_assert!(row < MOST_ROWS && identity.state >> Identity::STATE_BITS == 0);
        let mut words = [0; WORDS];
        words[..STATE].copy_from_slice(&identity.board);
        words[STATE] = row << Identity::STATE_BITS | u64::from(identity.state);
        Self(words)
    }

    /// The row number.
    #[inline(always)]
    pub const fn row(&self) -> u64 {
        self.0[STATE] >> Identity::STATE_BITS
    }

    /// The caller's words.
    #[inline(always)]
    pub fn rest(&self) -> &[u64] {
        &self.0[PLAIN..]
    }

    /// The caller's words, to be set.
    #[inline(always)]
    pub fn rest_mut(&mut self) -> &mut [u64] {
        &mut self.0[PLAIN..]
    }

    /// Whether two rows have the same identity.
    #[inline(always)]
    pub fn is_same(&self, other: &Self) -> bool {
        let [a, b] = [&self.0, &other.0];
        let board = (a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3]);
        board | ((a[STATE] ^ b[STATE]) & STATE_MASK) == 0
    }
}

/// The hash that records are sorted by: its high bits choose a partition, its low ones a slot.
#[derive(Clone, Copy, Debug)]
pub struct Hash {
    kept: u64,
}

impl Default for Hash {
    fn default() -> Self {
        Self::truncated(64)
    }
}

impl Hash {
    /// A hash of which only the low `bits` are kept, to see that collisions do no harm.
    pub const fn truncated(bits: u32) -> Self {
        Self { kept: if bits == 0 { 0 } else { u64::MAX >> 64u32.saturating_sub(bits) } }
    }

    /// The hash of the identity in `record`.
    #[inline(always)]
    pub const fn of<const WORDS: usize>(self, record: &Record<WORDS>) -> u64 {
        let words = &record.0;
        let men = fold(words[0] ^ MIX[0], words[1] ^ MIX[1]);
        let rest = fold(words[2] ^ MIX[1], words[3] ^ MIX[2]);
        fold(fold(men ^ MIX[2], rest ^ MIX[0]), (words[STATE] & STATE_MASK) ^ MIX[1]) & self.kept
    }
}
