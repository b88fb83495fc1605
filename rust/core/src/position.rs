//! The packed position: 40 bytes, the same in memory, in Arrow and on disk.

use bytemuck::{Pod, Zeroable};

use crate::square;

/// White's index in per-side arrays and in [`Position::castling`].
pub const WHITE: usize = 0;
/// Black's index in per-side arrays and in [`Position::castling`].
pub const BLACK: usize = 1;

/// Bit of [`Position::flags`]: Black is to move.
pub const BLACK_TO_MOVE: u8 = 1;
/// Bit of [`Position::flags`]: a counter was absent in the source and was defaulted.
pub const COUNTERS_ABSENT: u8 = 2;
/// Bit of [`Position::flags`]: the source was read as Chess960.
pub const CHESS960: u8 = 4;

/// Whatever a readable FEN says, legal or not.
///
/// Piece codes are 0 empty, 1 P, 2 N, 3 B, 4 R, 5 Q, 6 K; bit *s* of the three `code` planes
/// spells the code of square *s*.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub struct Position {
    /// The three bit planes of the piece codes.
    pub code: [u64; 3],
    /// The squares whose man is Black's.
    pub black: u64,
    /// [`BLACK_TO_MOVE`], [`COUNTERS_ABSENT`], [`CHESS960`]; other bits are 0.
    pub flags: u8,
    /// The en passant target square as given; 64 for none.
    pub en_passant: u8,
    /// Rook files with a castling right, White's and Black's; bit *f* is file *f*.
    pub castling: [u8; 2],
    /// The halfmove clock.
    pub halfmove: u16,
    /// The fullmove number, 0 kept as seen.
    pub fullmove: u16,
}

const _: () = assert!(size_of::<Position>() == Position::SIZE && align_of::<Position>() == 8);

impl Position {
    /// The packed size in bytes.
    pub const SIZE: usize = 40;

    /// The empty board, White to move, no rights, counters `0 1`.
    pub const EMPTY: Position = Position {
        code: [0; 3],
        black: 0,
        flags: 0,
        en_passant: square::NONE,
        castling: [0; 2],
        halfmove: 0,
        fullmove: 1,
    };

    /// The occupied squares.
    #[inline(always)]
    pub const fn occupied(&self) -> u64 {
        self.code[0] | self.code[1] | self.code[2]
    }

    /// The side to move: [`WHITE`] or [`BLACK`].
    #[inline(always)]
    pub const fn side_to_move(&self) -> usize {
        (self.flags & BLACK_TO_MOVE) as usize
    }

    /// The letter of the man on `square`, upper case for White, or `None` where it is empty.
    pub const fn letter(&self, square: u8) -> Option<u8> {
        let code = (self.code[0] >> square & 1)
            | (self.code[1] >> square & 1) << 1
            | (self.code[2] >> square & 1) << 2;
        let black = (self.black >> square & 1) as u8;
        match code {
            1..=6 => Some(b"PNBRQK"[code as usize - 1] | black << 5),
            _ => None,
        }
    }

    /// The packed bytes.
    pub fn to_bytes(&self) -> [u8; Self::SIZE] {
        let mut bytes = [0; Self::SIZE];
        bytes.copy_from_slice(bytemuck::bytes_of(self));
        bytes
    }

    /// Reads packed bytes.
    ///
    /// # Errors
    /// The first thing in `bytes` that no position can hold.
    #[inline]
    pub fn from_bytes(bytes: &[u8; Self::SIZE]) -> Result<Self, Malformed> {
        let position: Position = bytemuck::pod_read_unaligned(bytes);
        let unknown = position.code[0] & position.code[1] & position.code[2];
        let empty = position.black & !position.occupied();
        if unknown != 0 {
            Err(Malformed::PieceCode(unknown.trailing_zeros() as u8))
        } else if empty != 0 {
            Err(Malformed::BlackEmptySquare(empty.trailing_zeros() as u8))
        } else if position.flags & !(BLACK_TO_MOVE | COUNTERS_ABSENT | CHESS960) != 0 {
            Err(Malformed::Flags(position.flags))
        } else if position.en_passant > square::NONE {
            Err(Malformed::EnPassant(position.en_passant))
        } else {
            Ok(position)
        }
    }
}

/// Why 40 bytes are not a packed position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// The piece code of this square is 7.
    PieceCode(u8),
    /// This square is empty but marked as Black's.
    BlackEmptySquare(u8),
    /// Byte 32 sets a bit that has no meaning.
    Flags(u8),
    /// Byte 33 is beyond 64.
    EnPassant(u8),
}

impl std::fmt::Display for Malformed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = |square: u8| {
            let [file, rank] = square::name(square);
            format!("{}{}", file as char, rank as char)
        };
        match *self {
            Self::PieceCode(square) => write!(f, "piece code 7 on {}", name(square)),
            Self::BlackEmptySquare(square) => {
                write!(f, "{} is empty but marked as Black's", name(square))
            }
            Self::Flags(flags) => write!(f, "flags byte {flags:#04x}, only bits 0 to 2 are used"),
            Self::EnPassant(value) => write!(f, "en passant byte {value}, 0 to 64 are allowed"),
        }
    }
}

/// The bitboards of a position, one per role and side.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    /// Pawns of both sides.
    pub pawns: u64,
    /// Knights of both sides.
    pub knights: u64,
    /// Bishops of both sides.
    pub bishops: u64,
    /// Rooks of both sides.
    pub rooks: u64,
    /// Queens of both sides.
    pub queens: u64,
    /// Kings of both sides.
    pub kings: u64,
    /// All men of White and of Black.
    pub men: [u64; 2],
}

impl Board {
    /// The bitboards of `position`.
    #[inline(always)]
    pub const fn of(position: &Position) -> Self {
        let [c0, c1, c2] = position.code;
        Self {
            pawns: c0 & !c1 & !c2,
            knights: !c0 & c1 & !c2,
            bishops: c0 & c1 & !c2,
            rooks: !c0 & !c1 & c2,
            queens: c0 & !c1 & c2,
            kings: !c0 & c1 & c2,
            men: [(c0 | c1 | c2) & !position.black, position.black],
        }
    }

    /// The occupied squares.
    #[inline(always)]
    pub const fn occupied(&self) -> u64 {
        self.men[WHITE] | self.men[BLACK]
    }

    /// The board with every set of squares changed by `change`.
    pub fn map(&self, change: impl Fn(u64) -> u64) -> Self {
        Self {
            pawns: change(self.pawns),
            knights: change(self.knights),
            bishops: change(self.bishops),
            rooks: change(self.rooks),
            queens: change(self.queens),
            kings: change(self.kings),
            men: self.men.map(change),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_bytes_no_position_can_hold() {
        let refused = |change: fn(&mut Position)| {
            let mut position = Position::EMPTY;
            change(&mut position);
            Position::from_bytes(&position.to_bytes()).expect_err("refused")
        };
        assert_eq!(refused(|p| p.code = [8; 3]), Malformed::PieceCode(3));
        assert_eq!(refused(|p| p.black = 1), Malformed::BlackEmptySquare(0));
        assert_eq!(refused(|p| p.flags = 8), Malformed::Flags(8));
        assert_eq!(refused(|p| p.en_passant = 65), Malformed::EnPassant(65));
        assert_eq!(Position::from_bytes(&Position::EMPTY.to_bytes()), Ok(Position::EMPTY));
    }
}
