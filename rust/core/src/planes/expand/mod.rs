//! Sets of squares as 64 cells, one of which a square of the set fills with a value.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;

/// A way to spread the bits of a set over cells, lowest bit first.
///
/// The cells of squares outside the set become 0.
pub trait Expand: Copy {
    /// One byte a square.
    fn bytes(self, set: u64, value: u8, cells: &mut [u8; 64]);

    /// Two bytes a square.
    fn halves(self, set: u64, value: u16, cells: &mut [u16; 64]);

    /// Four bytes a square.
    fn words(self, set: u64, value: u32, cells: &mut [u32; 64]);
}
