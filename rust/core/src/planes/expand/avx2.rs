//! Spreading bits with AVX2: each byte of a set goes to eight lanes, which test one bit each.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::Expand;
use super::portable::spread;
use crate::parse::placement::Avx2;

impl Expand for Avx2 {
    #[inline(always)]
    fn bytes(self, set: u64, value: u8, cells: &mut [u8; 64]) {
        // SAFETY: an `Avx2` exists only after the machine was found to have AVX2.
        unsafe { bytes(set, value, cells) }
    }

    #[inline(always)]
    fn halves(self, set: u64, value: u16, cells: &mut [u16; 64]) {
        spread(set, value, cells);
    }

    #[inline(always)]
    fn words(self, set: u64, value: u32, cells: &mut [u32; 64]) {
        spread(set, value, cells);
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn bytes(set: u64, value: u8, cells: &mut [u8; 64]) {
    let rank_of_lane = _mm256_setr_epi8(
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3,
        3, 3,
    );
    let bit_of_lane = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
    let value = _mm256_set1_epi8(value as i8);
    let (halves, _) = cells.as_chunks_mut::<32>();
    for (i, half) in halves.iter_mut().enumerate() {
        let ranks = _mm256_set1_epi32((set >> (32 * i)) as i32);
        let bits = _mm256_and_si256(_mm256_shuffle_epi8(ranks, rank_of_lane), bit_of_lane);
        let filled = _mm256_and_si256(_mm256_cmpeq_epi8(bits, bit_of_lane), value);
        // SAFETY: `half` is 32 writable bytes; the store needs no alignment.
        unsafe { _mm256_storeu_si256(half.as_mut_ptr().cast(), filled) }
    }
}
