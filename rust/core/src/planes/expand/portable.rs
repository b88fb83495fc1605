//! Spreading bits on any machine.

use super::Expand;
use crate::parse::placement::Portable;

const LOW_BITS: u64 = 0x0101_0101_0101_0101;
const ONE_EACH: u64 = 0x8040_2010_0804_0201;

/// Byte *i* of the result is `value` if bit *i* of `rank` is set.
#[inline(always)]
fn rank_bytes(rank: u8, value: u8) -> u64 {
    let single = (LOW_BITS * u64::from(rank)) & ONE_EACH;
    // The top bit of each byte that is not 0; no byte carries into the next.
    let set = ((single + LOW_BITS * 0x7f) >> 7) & LOW_BITS;
    set * u64::from(value)
}

/// Spreads `set` rank by rank, in a form that compilers make vectors of.
#[inline(always)]
pub(super) fn spread<T: Copy + Default>(set: u64, value: T, cells: &mut [T; 64]) {
    let (ranks, _) = cells.as_chunks_mut::<8>();
    for (cells, rank) in ranks.iter_mut().zip(set.to_le_bytes()) {
        for (file, cell) in cells.iter_mut().enumerate() {
            *cell = if rank & (1 << file) != 0 { value } else { T::default() };
        }
    }
}

impl Expand for Portable {
    #[inline(always)]
    fn bytes(self, set: u64, value: u8, cells: &mut [u8; 64]) {
        let (ranks, _) = cells.as_chunks_mut::<8>();
        for (cells, rank) in ranks.iter_mut().zip(set.to_le_bytes()) {
            *cells = rank_bytes(rank, value).to_le_bytes();
        }
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
