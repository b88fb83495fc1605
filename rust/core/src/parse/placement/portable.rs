//! The reader for any machine: one table look-up a character, no branch on what it is.

use super::{Men, Placement, TAIL};

/// The portable reader.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

const WIDTH: u32 = 0xf;
const PIECE_SHIFT: u32 = 4;
const DIGIT: u32 = 1 << 8;
const SLASH: u32 = 1 << 9;
const OTHER: u32 = 1 << 10;

/// Per byte: squares taken, piece code with the colour as fourth bit, kind of character.
static CLASS: [u32; 256] = {
    let mut class = [OTHER; 256];
    let mut i = 0;
    while i < 6 {
        let code = i as u32 + 1;
        class[b"PNBRQK"[i] as usize] = 1 | code << PIECE_SHIFT;
        class[b"pnbrqk"[i] as usize] = 1 | (code | 8) << PIECE_SHIFT;
        i += 1;
    }
    let mut digit = 1;
    while digit <= 8 {
        class[b'0' as usize + digit] = digit as u32 | DIGIT;
        digit += 1;
    }
    class[b'/' as usize] = SLASH;
    class
};

/// No clean placement is longer: eight ranks of eight men and seven slashes.
const LONGEST: usize = 71;

impl Placement for Portable {
    #[inline(always)]
    fn men(self, window: &[u8], len: usize) -> Option<Men> {
        let row = &window[..len.min(LONGEST + 1)];
        let mut codes = [0u8; 64];
        let (mut square, mut rank_end, mut faults, mut previous) = (0u32, 8u32, 0u32, 0u32);
        let mut end = usize::MAX;
        for (i, &byte) in row.iter().enumerate() {
            if byte == b' ' {
                end = i;
                break;
            }
            let class = CLASS[byte as usize];
            faults |= class & OTHER;
            faults |= class & previous & DIGIT;
            let slash = (class & SLASH) >> 9;
            faults |= slash.wrapping_neg() & (square ^ rank_end);
            rank_end += slash << 3;
            // A digit or a slash writes an empty square, which the next man may still take.
            codes[(square & 63) as usize] = (class >> PIECE_SHIFT) as u8 & 0xf;
            square += class & WIDTH;
            previous = class;
        }
        if end == usize::MAX || faults != 0 || square != 64 || rank_end != 64 {
            return None;
        }
        let [c0, c1, c2, black] = planes(&codes);
        Some(Men { code: [c0, c1, c2], black, end })
    }

    #[inline(always)]
    fn spaces(self, tail: &[u8; TAIL]) -> u32 {
        let (words, _) = tail.as_chunks::<8>();
        words.iter().rev().fold(0, |mask, word| mask << 8 | spaces(u64::from_le_bytes(*word)))
    }
}

const LOW_BITS: u64 = 0x0101_0101_0101_0101;

/// The low bits of the eight bytes of `bits`, gathered in one.
#[inline(always)]
fn gather(bits: u64) -> u64 {
    // Times this, the low bit of byte i arrives at bit 56 + i.
    bits.wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// The bits of those of eight bytes that are spaces.
#[inline(always)]
fn spaces(word: u64) -> u32 {
    let other = word ^ (LOW_BITS * b' ' as u64);
    // The top bit of each byte that is not 0, without a carry from byte to byte.
    let not_zero = ((other & (LOW_BITS * 0x7f)) + LOW_BITS * 0x7f) | other;
    gather((!not_zero >> 7) & LOW_BITS) as u32
}

/// The four bit planes of 64 codes that run from a8 to h1.
#[inline(always)]
fn planes(codes: &[u8; 64]) -> [u64; 4] {
    let mut planes = [0; 4];
    let (ranks, _) = codes.as_chunks::<8>();
    for rank in ranks {
        let rank = u64::from_le_bytes(*rank);
        for (i, plane) in planes.iter_mut().enumerate() {
            *plane = *plane << 8 | gather((rank >> i) & LOW_BITS);
        }
    }
    planes
}
