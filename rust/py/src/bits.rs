//! One bit a row, set by many threads.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::jobs::bit_words;

/// `len` words without a bit.
pub(crate) fn zeroes(len: usize) -> Vec<AtomicU64> {
    std::iter::repeat_with(AtomicU64::default).take(len).collect()
}

/// Sets the bit of `row`.
#[inline(always)]
pub(crate) fn set(bits: &[AtomicU64], row: usize) {
    bits[row / 64].fetch_or(1 << (row % 64), Relaxed);
}

/// Whether the bit of `row` is set.
#[inline(always)]
pub(crate) fn is_set(bits: &[AtomicU64], row: usize) -> bool {
    bits[row / 64].load(Relaxed) >> (row % 64) & 1 == 1
}

/// The bits of `len` rows from `start` on, as words of their own.
pub(crate) fn cut(bits: &[AtomicU64], start: usize, len: usize) -> Vec<u64> {
    let word = |i: usize| bits.get(i).map_or(0, |word| word.load(Relaxed));
    let shift = start % 64;
    let aligned = |i: usize| match shift {
        0 => word(i),
        _ => word(i) >> shift | word(i + 1) << (64 - shift),
    };
    (start / 64..).take(bit_words(len)).map(aligned).collect()
}
