//! Cells of the numeric types that planes are made of.

use bytemuck::{Pod, Zeroable};

use super::expand::Expand;
use super::found::Fault;

/// A number in a plane.
pub trait Cell: Copy + Default + PartialEq + Send + Sync {
    /// The cell of a square outside a set.
    const ZERO: Self;
    /// The cell of a square in a set.
    const ONE: Self;

    /// Spreads `set` over the cells of a plane.
    fn expand<X: Expand>(isa: X, set: u64, cells: &mut [Self; 64]);

    /// The set that the cells of a plane spell, if all are 0 or 1.
    fn set_of(cells: &[Self; 64]) -> Option<u64> {
        let (mut set, mut other) = (0, false);
        for (square, &cell) in cells.iter().enumerate() {
            set |= u64::from(cell == Self::ONE) << square;
            other |= cell != Self::ONE && cell != Self::ZERO;
        }
        (!other).then_some(set)
    }

    /// The cell of `number`, rounded where the type is narrower.
    fn of(number: f32) -> Self;

    /// The number in the cell.
    fn number(self) -> f32;
}

impl Cell for u8 {
    const ZERO: Self = 0;
    const ONE: Self = 1;

    #[inline(always)]
    fn expand<X: Expand>(isa: X, set: u64, cells: &mut [Self; 64]) {
        isa.bytes(set, 1, cells);
    }

    fn set_of(cells: &[Self; 64]) -> Option<u64> {
        const LOW_BITS: u64 = 0x0101_0101_0101_0101;
        let (ranks, _) = cells.as_chunks::<8>();
        let (mut set, mut other) = (0, 0);
        for (i, rank) in ranks.iter().enumerate() {
            let rank = u64::from_le_bytes(*rank);
            other |= rank & !LOW_BITS;
            // Times this, the low bit of byte i arrives at bit 56 + i.
            set |= (rank.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i);
        }
        (other == 0).then_some(set)
    }

    fn of(number: f32) -> Self {
        number as Self
    }

    fn number(self) -> f32 {
        f32::from(self)
    }
}

/// For reading alone: what is written is never negative.
impl Cell for i8 {
    const ZERO: Self = 0;
    const ONE: Self = 1;

    #[inline(always)]
    fn expand<X: Expand>(isa: X, set: u64, cells: &mut [Self; 64]) {
        u8::expand(isa, set, bytemuck::cast_mut(cells));
    }

    fn set_of(cells: &[Self; 64]) -> Option<u64> {
        u8::set_of(bytemuck::cast_ref(cells))
    }

    fn of(number: f32) -> Self {
        number as Self
    }

    fn number(self) -> f32 {
        f32::from(self)
    }
}

/// A float in 16 bits.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct Half(pub u16);

impl Cell for Half {
    const ZERO: Self = Self(0);
    const ONE: Self = Self(0x3c00);

    #[inline(always)]
    fn expand<X: Expand>(isa: X, set: u64, cells: &mut [Self; 64]) {
        isa.halves(set, Self::ONE.0, bytemuck::cast_mut(cells));
    }

    /// Rounds to the nearest, ties to even; for numbers from 0 to 65504.
    fn of(number: f32) -> Self {
        let bits = number.to_bits();
        let exponent = (bits >> 23) as i32 - 127 + 15;
        if exponent <= 0 {
            // Smaller than any normal half: a multiple of 2^-24.
            return Self((number * 16_777_216.0).round_ties_even() as u16);
        }
        let (kept, rest) = ((exponent as u32) << 10 | (bits >> 13 & 0x3ff), bits & 0x1fff);
        let up = rest > 0x1000 || (rest == 0x1000 && kept & 1 == 1);
        Self((kept + u32::from(up)) as u16)
    }

    fn number(self) -> f32 {
        let (exponent, fraction) = (self.0 >> 10 & 0x1f, u32::from(self.0 & 0x3ff));
        let magnitude = match exponent {
            0 => fraction as f32 / 16_777_216.0,
            31 if fraction == 0 => f32::INFINITY,
            31 => f32::NAN,
            _ => f32::from_bits((u32::from(exponent) + 127 - 15) << 23 | fraction << 13),
        };
        if self.0 >> 15 == 1 { -magnitude } else { magnitude }
    }
}

impl Cell for f32 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;

    #[inline(always)]
    fn expand<X: Expand>(isa: X, set: u64, cells: &mut [Self; 64]) {
        isa.words(set, Self::ONE.to_bits(), bytemuck::cast_mut(cells));
    }

    fn of(number: f32) -> Self {
        number
    }

    fn number(self) -> f32 {
        self
    }
}

/// The set that the 64 `cells` of `plane` spell.
pub(super) fn gather<T: Cell>(cells: impl Iterator<Item = T>, plane: usize) -> Result<u64, Fault> {
    let mut set = 0;
    for (square, cell) in cells.enumerate() {
        let value = cell.number();
        if value == 1.0 {
            set |= 1 << square;
        } else if value != 0.0 {
            return Err(Fault::NotABit { plane, square: square as u8, value });
        }
    }
    Ok(set)
}

/// The count that the 64 `cells` of `plane` hold, which was divided by `divisor`.
pub(super) fn gather_count<T: Cell>(
    mut cells: impl Iterator<Item = T>,
    plane: usize,
    divisor: u16,
) -> Result<u64, Fault> {
    let first = cells.next().unwrap_or_default();
    if cells.any(|cell| cell != first) {
        return Err(Fault::NotOneNumber(plane));
    }
    let value = first.number();
    let count = (value * f32::from(divisor)).round();
    if !(0.0..=131_072.0).contains(&count) || T::of(count / f32::from(divisor)) != first {
        return Err(Fault::NotACount { plane, value });
    }
    Ok(count as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_nearest() {
        for (number, bits) in [
            (0.0, 0),
            (1.0, 0x3c00),
            (2048.0, 0x6800),
            (2049.0, 0x6800),
            (2051.0, 0x6802),
            (65504.0, 0x7bff),
            (0.01, 0x211f),
            (1.0 / 512.0, 0x1800),
        ] {
            assert_eq!(Half::of(number), Half(bits), "{number}");
        }
        for bits in 0..0x7c00 {
            assert_eq!(Half::of(Half(bits).number()), Half(bits));
        }
        assert!(Half(0x7c01).number().is_nan() && Half(0xbc00).number() == -1.0);
    }
}
