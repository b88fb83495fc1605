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

/// Sets the bits of consecutive rows, the first of them `row`, that `words` have.
#[inline]
pub(crate) fn set_all(bits: &[AtomicU64], row: usize, words: &[u64]) {
    let shift = row % 64;
    for (i, &word) in (row / 64..).zip(words).filter(|&(_, &word)| word != 0) {
        bits[i].fetch_or(word << shift, Relaxed);
        let rest = word.unbounded_shr(64 - shift as u32);
        if rest != 0 {
            bits[i + 1].fetch_or(rest, Relaxed);
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_at_any_row() {
        for row in [0, 1, 63, 64, 70, 127] {
            let bits = zeroes(5);
            let words = [0x8000_0000_0000_0001, 0, 0x5];
            set_all(&bits, row, &words);
            let found: Vec<_> =
                (0..320).filter(|&at| is_set(&bits, at)).map(|at| at - row).collect();
            assert_eq!(found, [0, 63, 128, 130]);
            assert_eq!(cut(&bits, row, 131), words);
        }
    }
}
