//! Spreading bits with AVX-512, where a set of squares is the mask of a store's lanes.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::Expand;
use crate::parse::placement::Avx512;

impl Expand for Avx512 {
    #[inline(always)]
    fn bytes(self, set: u64, value: u8, cells: &mut [u8; 64]) {
        // SAFETY: an `Avx512` exists only after the machine was found to have AVX-512 BW.
        unsafe { bytes(set, value, cells) }
    }

    #[inline(always)]
    fn halves(self, set: u64, value: u16, cells: &mut [u16; 64]) {
        // SAFETY: as in `bytes`.
        unsafe { halves(set, value, cells) }
    }

    #[inline(always)]
    fn words(self, set: u64, value: u32, cells: &mut [u32; 64]) {
        // SAFETY: as in `bytes`.
        unsafe { words(set, value, cells) }
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn bytes(set: u64, value: u8, cells: &mut [u8; 64]) {
    let filled = _mm512_maskz_set1_epi8(set, value as i8);
    // SAFETY: `cells` is 64 writable bytes; the store needs no alignment.
    unsafe { _mm512_storeu_si512(cells.as_mut_ptr().cast(), filled) }
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn halves(set: u64, value: u16, cells: &mut [u16; 64]) {
    let (parts, _) = cells.as_chunks_mut::<32>();
    for (i, part) in parts.iter_mut().enumerate() {
        let filled = _mm512_maskz_set1_epi16((set >> (32 * i)) as u32, value as i16);
        // SAFETY: `part` is 64 writable bytes; the store needs no alignment.
        unsafe { _mm512_storeu_si512(part.as_mut_ptr().cast(), filled) }
    }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn words(set: u64, value: u32, cells: &mut [u32; 64]) {
    let (parts, _) = cells.as_chunks_mut::<16>();
    for (i, part) in parts.iter_mut().enumerate() {
        let filled = _mm512_maskz_set1_epi32((set >> (16 * i)) as u16, value as i32);
        // SAFETY: `part` is 64 writable bytes; the store needs no alignment.
        unsafe { _mm512_storeu_si512(part.as_mut_ptr().cast(), filled) }
    }
}
