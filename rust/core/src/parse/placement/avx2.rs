//! The AVX2 and BMI2 reader: two 32-byte loads, one nibble look-up for all letters.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::{Men, Placement, TAIL, Task};

/// Proof that the machine has AVX2, BMI1, BMI2, LZCNT and POPCNT.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

/// The bytes a reader looks at: a 64-byte placement and an 8-byte load at its last character.
const WINDOW: usize = 72;

impl Avx2 {
    /// The proof, if the machine has what it takes.
    #[inline]
    pub fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt"))
        .then_some(Self(()))
    }

    /// Runs `task` compiled for this instruction set.
    pub fn dispatch<T: Task>(self, task: T) -> T::Output {
        // SAFETY: `self` exists only after `detect` found every feature that `run` enables.
        unsafe { run(self, task) }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run<T: Task>(placement: Avx2, task: T) -> T::Output {
    task.run(placement)
}

impl Placement for Avx2 {
    #[inline(always)]
    fn men(self, window: &[u8], len: usize) -> Option<Men> {
        let len = len.min(64);
        if let Some(window) = window.first_chunk::<WINDOW>() {
            // SAFETY: `self` exists only after `detect` found every feature that `men` enables.
            unsafe { men(window, len) }
        } else {
            let mut padded = [0; WINDOW];
            padded[..len].copy_from_slice(&window[..len]);
            // SAFETY: as above.
            unsafe { men(&padded, len) }
        }
    }

    #[inline(always)]
    fn spaces(self, tail: &[u8; TAIL]) -> u32 {
        // SAFETY: as in `men`.
        unsafe { spaces(tail) }
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn spaces(tail: &[u8; TAIL]) -> u32 {
    // SAFETY: `tail` is 32 readable bytes; the load needs no alignment.
    let bytes = unsafe { _mm256_loadu_si256(tail.as_ptr().cast()) };
    _mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(b' ' as i8))) as u32
}

/// 64 bytes in two registers.
#[derive(Clone, Copy)]
struct Bytes(__m256i, __m256i);

/// The top bit of each byte.
#[target_feature(enable = "avx2")]
#[inline]
fn mask(bytes: Bytes) -> u64 {
    let low = _mm256_movemask_epi8(bytes.0) as u32;
    let high = _mm256_movemask_epi8(bytes.1) as u32;
    u64::from(low) | u64::from(high) << 32
}

#[target_feature(enable = "avx2")]
#[inline]
fn equal(bytes: Bytes, byte: u8) -> u64 {
    let byte = _mm256_set1_epi8(byte as i8);
    mask(Bytes(_mm256_cmpeq_epi8(bytes.0, byte), _mm256_cmpeq_epi8(bytes.1, byte)))
}

/// The bytes from `1` to `8`.
#[target_feature(enable = "avx2")]
#[inline]
fn digits(bytes: Bytes) -> u64 {
    let half = |bytes| {
        let value = _mm256_sub_epi8(bytes, _mm256_set1_epi8(b'1' as i8));
        _mm256_cmpeq_epi8(_mm256_min_epu8(value, _mm256_set1_epi8(7)), value)
    };
    mask(Bytes(half(bytes.0), half(bytes.1)))
}

/// The piece code of each letter; other characters give something else.
///
/// The low nibble decides: `b`, `k`, `n` among the characters with bit 4 clear and `p`, `q`, `r`
/// among those with it set, whatever the case.
#[target_feature(enable = "avx2")]
#[inline]
fn codes(bytes: Bytes) -> Bytes {
    let clear =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 2, 0));
    let set =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(1, 5, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    let half = |bytes| {
        let bit_4 = _mm256_slli_epi16::<3>(bytes);
        _mm256_blendv_epi8(
            _mm256_shuffle_epi8(clear, bytes),
            _mm256_shuffle_epi8(set, bytes),
            bit_4,
        )
    };
    Bytes(half(bytes.0), half(bytes.1))
}

/// The squares that four ranks take and the files of their men, one rank a lane.
#[target_feature(enable = "avx2")]
#[inline]
fn ranks(lanes: __m256i) -> (__m256i, __m256i) {
    let letter = _mm256_cmpgt_epi8(lanes, _mm256_set1_epi8(0x40));
    let digit = _mm256_and_si256(lanes, _mm256_set1_epi8(0x0f));
    let mut count = _mm256_blendv_epi8(digit, _mm256_set1_epi8(1), letter);
    count = _mm256_add_epi8(count, _mm256_slli_epi64::<8>(count));
    count = _mm256_add_epi8(count, _mm256_slli_epi64::<16>(count));
    count = _mm256_add_epi8(count, _mm256_slli_epi64::<32>(count));
    let file_bits = _mm256_set1_epi64x(i64::from_le_bytes([1, 2, 4, 8, 16, 32, 64, 128]));
    let file = _mm256_sub_epi8(count, _mm256_set1_epi8(1));
    let bits = _mm256_and_si256(_mm256_shuffle_epi8(file_bits, file), letter);
    (_mm256_srli_epi64::<56>(count), _mm256_sad_epu8(bits, _mm256_setzero_si256()))
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn men(window: &[u8; WINDOW], len: usize) -> Option<Men> {
    // SAFETY: both loads lie within the first 64 of `window`'s 72 bytes and need no alignment.
    let text = unsafe {
        let start = window.as_ptr();
        Bytes(_mm256_loadu_si256(start.cast()), _mm256_loadu_si256(start.add(32).cast()))
    };
    let space = equal(text, b' ');
    if space == 0 || space.trailing_zeros() as usize >= len {
        return None;
    }
    let end = space.trailing_zeros();
    let field = _bzhi_u64(u64::MAX, end);

    let code = codes(text);
    let shift = |bytes: Bytes, by: i32| {
        let by = _mm_cvtsi32_si128(by);
        mask(Bytes(_mm256_sll_epi16(bytes.0, by), _mm256_sll_epi16(bytes.1, by)))
    };
    let letter = shift(text, 1) & field;
    let planes = [shift(code, 7), shift(code, 6), shift(code, 5), shift(text, 2)];
    let piece = letter & (planes[0] | planes[1] | planes[2]);
    let slash = equal(text, b'/') & field;
    let digit = digits(text) & field;
    if piece | slash | digit != field || slash.count_ones() != 7 || digit & (digit << 1) != 0 {
        return None;
    }

    // Each rank in its own 8-byte lane.
    let mut lanes = [0u64; 8];
    let (mut rest, mut start, mut too_long) = (slash | 1 << end, 0, false);
    for lane in &mut lanes {
        let stop = rest.trailing_zeros();
        rest = _blsr_u64(rest);
        let length = stop - start;
        too_long |= length > 8;
        let bytes = window[start as usize..].first_chunk().map_or(0, |b| u64::from_le_bytes(*b));
        *lane = _bzhi_u64(bytes, (length * 8).min(64));
        start = stop + 1;
    }
    if too_long {
        return None;
    }
    let [a, b, c, d, e, f, g, h] = lanes.map(|lane| lane as i64);
    let (high_total, high_men) = ranks(_mm256_setr_epi64x(a, b, c, d));
    let (low_total, low_men) = ranks(_mm256_setr_epi64x(e, f, g, h));
    let eight = _mm256_set1_epi64x(8);
    let full = _mm256_and_si256(
        _mm256_cmpeq_epi64(high_total, eight),
        _mm256_cmpeq_epi64(low_total, eight),
    );
    if _mm256_movemask_epi8(full) != -1 {
        return None;
    }
    let high_men = _mm256_sllv_epi64(high_men, _mm256_setr_epi64x(0, 8, 16, 24));
    let low_men = _mm256_sllv_epi64(low_men, _mm256_setr_epi64x(32, 40, 48, 56));
    let men = _mm256_or_si256(high_men, low_men);
    let men = _mm_or_si128(_mm256_castsi256_si128(men), _mm256_extracti128_si256::<1>(men));
    let occupied = (_mm_cvtsi128_si64(men) | _mm_extract_epi64::<1>(men)) as u64;

    let [c0, c1, c2, black] =
        planes.map(|plane| _pdep_u64(_pext_u64(plane, piece), occupied).swap_bytes());
    Some(Men { code: [c0, c1, c2], black, end: end as usize })
}
