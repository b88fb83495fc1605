//! Fast readers of the piece placement field, one per instruction set.
//!
//! A fast reader answers only for a clean and canonical field; whatever it refuses goes to the
//! careful parser, which knows why.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;

#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub use avx512::Avx512;
pub use portable::Portable;

use crate::planes::Expand;

/// The men of a placement field and the field's length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Men {
    /// The bit planes of [`crate::Position::code`].
    pub code: [u64; 3],
    /// The squares of Black's men.
    pub black: u64,
    /// The index of the space that ends the field.
    pub end: usize,
}

/// The bytes of a row that the tail after the placement may take.
pub const TAIL: usize = 32;

/// A fast reader.
pub trait Placement: Expand {
    /// Reads the placement at the start of `window`, whose first `len` bytes are the row.
    ///
    /// Bytes beyond `len` belong to other rows and change nothing.
    fn men(self, window: &[u8], len: usize) -> Option<Men>;

    /// The bits of those bytes of `tail` that are spaces.
    fn spaces(self, tail: &[u8; TAIL]) -> u32;
}

/// A row loop, compiled once per instruction set.
pub trait Task {
    /// What the loop returns.
    type Output;

    /// Runs the loop; mark it `#[inline(always)]` so that it is compiled for the set of `P`.
    fn run<P: Placement>(self, placement: P) -> Self::Output;
}
