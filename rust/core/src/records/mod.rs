//! Records of other programs: an occupied set and four bits a man, in the order of squares.

mod binary;
mod bullet;
mod compressed;
mod marlin;

use std::fmt;

use crate::bitboard::squares;
use crate::position::Position;
use crate::square;
use crate::unheld::Unheld;

pub use binary::{BinaryFen, read_binary};
pub use bullet::ChessBoards;
pub use compressed::{Compressed, read_compressed};
pub use marlin::{PackedBoards, read_packed_board};

/// The men that fit in a record of fixed size.
const MEN: u32 = 32;

/// Why a record is no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A man that means nothing.
    Man {
        /// Its square.
        square: u8,
        /// Its four bits.
        code: u8,
    },
    /// More men than fit.
    Men(u32),
    /// A rook with a castling right that is not on its side's back rank.
    Castling(u8),
    /// A pawn to be captured en passant that is on neither rank 4 nor rank 5.
    EnPassant(u8),
    /// An en passant field beyond 64.
    Target(u8),
    /// More than one pawn to be captured en passant.
    Pawns,
    /// A counter that a position cannot hold.
    Counter(u64),
    /// A variant other than standard chess, Chess960 and from position.
    Variant(u8),
    /// It ends in the middle, or goes on after its end.
    Length(usize),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |square: u8| {
            let [file, rank] = square::name(square);
            format!("{}{}", file as char, rank as char)
        };
        match *self {
            Self::Man { square, code } => write!(f, "man {code} on {} means nothing", name(square)),
            Self::Men(count) => write!(f, "{count} men, at most 32 fit"),
            Self::Castling(square) => {
                write!(f, "the rook on {} has a castling right there", name(square))
            }
            Self::EnPassant(square) => {
                write!(f, "the pawn on {} cannot be captured en passant", name(square))
            }
            Self::Target(value) => write!(f, "en passant field {value}, 0 to 64 are allowed"),
            Self::Pawns => write!(f, "more than one pawn to be captured en passant"),
            Self::Counter(value) => write!(f, "counter {value}, at most 65535 fits"),
            Self::Variant(value) => write!(f, "variant {value}, only 0, 2 and 3 are chess"),
            Self::Length(length) => write!(f, "{length} bytes are too few or too many"),
        }
    }
}

/// The piece code and the colour of the man on `square`.
#[inline(always)]
const fn man(position: &Position, square: u8) -> (u8, bool) {
    let [c0, c1, c2] = position.code;
    let code = (c0 >> square & 1) | (c1 >> square & 1) << 1 | (c2 >> square & 1) << 2;
    (code as u8, position.black >> square & 1 == 1)
}

/// Puts a man on an empty `square`.
fn put(position: &mut Position, square: u8, code: u8, black: bool) {
    for (bit, plane) in position.code.iter_mut().enumerate() {
        *plane |= u64::from(code >> bit & 1) << square;
    }
    position.black |= u64::from(black) << square;
}

/// Whether the rook on `square` has a right in the canonical `position`.
#[inline(always)]
const fn may_castle(position: &Position, square: u8, black: bool) -> bool {
    let back_rank = if black { 7 } else { 0 };
    square >> 3 == back_rank && position.castling[black as usize] >> (square & 7) & 1 == 1
}

/// Gives the rook on `square` a right.
fn grant(position: &mut Position, square: u8, black: bool) -> Result<(), Fault> {
    if square >> 3 != if black { 7 } else { 0 } {
        return Err(Fault::Castling(square));
    }
    position.castling[usize::from(black)] |= 1 << (square & 7);
    Ok(())
}

/// Writes four bits for each square of `occupied`, low bits first.
#[inline(always)]
fn write_men(occupied: u64, out: &mut [u8], mut code: impl FnMut(u8) -> u8) {
    out.fill(0);
    for (i, square) in squares(occupied).enumerate() {
        out[i / 2] |= code(square) << (4 * (i % 2));
    }
}

/// Hands each square of `occupied` with its four bits to `each`.
fn read_men(
    occupied: u64,
    bytes: &[u8],
    mut each: impl FnMut(u8, u8) -> Result<(), Fault>,
) -> Result<(), Fault> {
    squares(occupied).enumerate().try_for_each(|(i, square)| {
        let byte = bytes.get(i / 2).copied().unwrap_or(0);
        each(square, byte >> (4 * (i % 2)) & 0xf)
    })
}

fn check_men(position: &Position) -> Result<(), Unheld> {
    let men = position.occupied().count_ones();
    if men > MEN { Err(Unheld::Men(men)) } else { Ok(()) }
}
