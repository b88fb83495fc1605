//! The AVX-512 reader: one 64-byte masked load, one table look-up for all characters.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::{Men, Placement, TAIL, Task};

/// Proof that the machine has AVX-512 BW, VL, VBMI, VBMI2 and BMI2.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

const PIECE: i8 = 0x70;
const SLASH: u8 = 0x09;

/// Per ASCII character: squares taken in the low nibble, piece code in bits 4-6, Black in bit 7.
/// 0 is a character that no placement holds.
static CLASS: [[u8; 64]; 2] = {
    let mut class = [[0; 64]; 2];
    let mut i = 0;
    while i < 6 {
        let (white, black) = (b"PNBRQK"[i] as usize, b"pnbrqk"[i] as usize);
        let code = (i as u8 + 1) << 4;
        class[white / 64][white % 64] = 0x01 | code;
        class[black / 64][black % 64] = 0x81 | code;
        i += 1;
    }
    let mut digit = 1;
    while digit <= 8 {
        class[0][b'0' as usize + digit] = digit as u8;
        digit += 1;
    }
    class[0][b'/' as usize] = SLASH;
    class
};

static INDEX: [u8; 64] = {
    let mut index = [0; 64];
    let mut i = 0;
    while i < 64 {
        index[i] = i as u8;
        i += 1;
    }
    index
};

impl Avx512 {
    /// The proof, if the machine has what it takes.
    #[inline]
    pub fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512cd")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vpopcntdq")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vbmi2")
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

#[target_feature(
    enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt"
)]
fn run<T: Task>(placement: Avx512, task: T) -> T::Output {
    task.run(placement)
}

impl Placement for Avx512 {
    #[inline(always)]
    fn men(self, window: &[u8], len: usize) -> Option<Men> {
        // SAFETY: `self` exists only after `detect` found every feature that `men` enables.
        unsafe { men(window, len) }
    }

    #[inline(always)]
    fn spaces(self, tail: &[u8; TAIL]) -> u32 {
        // SAFETY: as in `men`.
        unsafe { spaces(tail) }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
#[inline]
fn spaces(tail: &[u8; TAIL]) -> u32 {
    // SAFETY: `tail` is 32 readable bytes; the load needs no alignment.
    let bytes = unsafe { _mm256_loadu_si256(tail.as_ptr().cast()) };
    _mm256_cmpeq_epi8_mask(bytes, _mm256_set1_epi8(b' ' as i8))
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn table(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: `bytes` is 64 readable bytes; the load needs no alignment.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

#[target_feature(
    enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt"
)]
#[inline]
fn men(window: &[u8], len: usize) -> Option<Men> {
    let row = &window[..len.min(64)];
    // SAFETY: the mask selects exactly the bytes of `row`; a masked-out byte is not accessed.
    let text = unsafe {
        _mm512_maskz_loadu_epi8(_bzhi_u64(u64::MAX, row.len() as u32), row.as_ptr().cast())
    };
    let space = _mm512_cmpeq_epi8_mask(text, _mm512_set1_epi8(b' ' as i8));
    if space == 0 {
        return None;
    }
    let end = space.trailing_zeros();
    let field = _bzhi_u64(u64::MAX, end);

    let class = _mm512_permutex2var_epi8(table(&CLASS[0]), text, table(&CLASS[1]));
    let known = _mm512_test_epi8_mask(class, class) & !_mm512_movepi8_mask(text);
    let slash = _mm512_cmpeq_epi8_mask(class, _mm512_set1_epi8(SLASH as i8)) & field;
    let piece = _mm512_test_epi8_mask(class, _mm512_set1_epi8(PIECE)) & field;
    let digit = field & !slash & !piece;
    if known & field != field || slash.count_ones() != 7 || digit & (digit << 1) != 0 {
        return None;
    }

    // The ends of the eight ranks as eight bytes, then their starts and lengths.
    let slashes = _mm512_maskz_compress_epi8(slash, table(&INDEX));
    let ends = (_mm_cvtsi128_si64(_mm512_castsi512_si128(slashes)) as u64) | u64::from(end) << 56;
    let starts = (ends << 8).wrapping_add(0x0101_0101_0101_0100);
    let lengths = ends.wrapping_sub(starts);
    if lengths.wrapping_add(0x7777_7777_7777_7777) & 0x8080_8080_8080_8080 != 0 {
        return None;
    }
    let prefixes = _mm_setr_epi8(0, 1, 3, 7, 15, 31, 63, 127, -1, 0, 0, 0, 0, 0, 0, 0);
    let lanes = _mm_shuffle_epi8(prefixes, _mm_cvtsi64_si128(lengths as i64));
    let lanes = _mm_cvtsi128_si64(lanes) as u64;

    // Each rank in its own 8-byte lane, and the running count of squares within it.
    let ranks = _mm512_maskz_expand_epi8(lanes, _mm512_maskz_compress_epi8(field & !slash, class));
    let mut count = _mm512_and_si512(ranks, _mm512_set1_epi8(0x0f));
    count = _mm512_add_epi8(count, _mm512_slli_epi64::<8>(count));
    count = _mm512_add_epi8(count, _mm512_slli_epi64::<16>(count));
    count = _mm512_add_epi8(count, _mm512_slli_epi64::<32>(count));
    let total = _mm512_srli_epi64::<56>(count);
    if _mm512_cmpneq_epi64_mask(total, _mm512_set1_epi64(8)) != 0 {
        return None;
    }
    let file_bits = _mm512_set1_epi64(i64::from_le_bytes([1, 2, 4, 8, 16, 32, 64, 128]));
    let men = _mm512_test_epi8_mask(ranks, _mm512_set1_epi8(PIECE));
    let file = _mm512_sub_epi8(count, _mm512_set1_epi8(1));
    let bits = _mm512_maskz_shuffle_epi8(men, file_bits, file);
    let occupied = _mm512_cvtepi64_epi8(_mm512_sad_epu8(bits, _mm512_setzero_si512()));
    let occupied = _mm_cvtsi128_si64(occupied) as u64;

    let plane = |bit: i8| {
        let text = _mm512_test_epi8_mask(class, _mm512_set1_epi8(bit));
        _pdep_u64(_pext_u64(text, piece), occupied).swap_bytes()
    };
    Some(Men {
        code: [plane(0x10), plane(0x20), plane(0x40)],
        black: plane(i8::MIN),
        end: end as usize,
    })
}
