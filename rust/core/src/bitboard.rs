//! Sets of squares as 64-bit masks in LERF order.

/// The a-file.
pub const FILE_A: u64 = 0x0101_0101_0101_0101;
/// The h-file.
pub const FILE_H: u64 = FILE_A << 7;
/// The first and the eighth rank.
pub const BACK_RANKS: u64 = 0xff00_0000_0000_00ff;

/// The squares of `set`, lowest first.
pub fn squares(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let square = set.trailing_zeros() as u8;
            set &= set - 1;
            square
        })
    })
}

/// The squares beside those of `set` on the same rank.
pub const fn beside(set: u64) -> u64 {
    ((set & !FILE_A) >> 1) | ((set & !FILE_H) << 1)
}

/// Whether `set` holds exactly one square.
pub const fn is_single(set: u64) -> bool {
    set.count_ones() == 1
}
