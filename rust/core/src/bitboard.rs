//! Sets of squares as 64-bit masks in LERF order.

/// The a-file.
pub const FILE_A: u64 = 0x0101_0101_0101_0101;
/// The h-file.
pub const FILE_H: u64 = FILE_A << 7;
/// The first rank.
pub const RANK_1: u64 = 0xff;
/// The second rank.
pub const RANK_2: u64 = RANK_1 << 8;
/// The seventh rank.
pub const RANK_7: u64 = RANK_8 >> 8;
/// The eighth rank.
pub const RANK_8: u64 = RANK_1 << 56;
/// The first and the eighth rank.
pub const BACK_RANKS: u64 = RANK_1 | RANK_8;
/// The dark squares, a1 among them.
pub const DARK: u64 = 0xaa55_aa55_aa55_aa55;
/// The light squares.
pub const LIGHT: u64 = !DARK;

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

/// The squares above those of `set` on the same file.
#[inline(always)]
pub const fn above(set: u64) -> u64 {
    let mut squares = set << 8;
    squares |= squares << 8;
    squares |= squares << 16;
    squares | squares << 32
}

/// The files of `set`, bit *f* for file *f*.
#[inline(always)]
pub const fn files(set: u64) -> u8 {
    let half = set | set >> 32;
    let quarter = half | half >> 16;
    (quarter | quarter >> 8) as u8
}

/// `set` without its lowest square.
#[inline(always)]
pub const fn without_lowest(set: u64) -> u64 {
    set & set.wrapping_sub(1)
}

/// Whether `set` holds exactly one square.
pub const fn is_single(set: u64) -> bool {
    set.count_ones() == 1
}
