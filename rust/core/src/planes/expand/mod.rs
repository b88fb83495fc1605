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

/// The class of each square: the piece code, 6 more for a man of the `upper` side.
#[inline(always)]
pub(crate) fn classes<X: Expand>(isa: X, [c0, c1, c2]: [u64; 3], upper: u64) -> [u8; 64] {
    let mut parts = [[0; 64]; 4];
    isa.bytes(c0, 1, &mut parts[0]);
    isa.bytes(c1, 2, &mut parts[1]);
    isa.bytes(c2, 4, &mut parts[2]);
    isa.bytes(upper, 6, &mut parts[3]);
    let mut classes = [0; 64];
    for (square, class) in classes.iter_mut().enumerate() {
        *class = parts[0][square] + parts[1][square] + parts[2][square] + parts[3][square];
    }
    classes
}
