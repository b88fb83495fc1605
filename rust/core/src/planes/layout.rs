//! The layouts: how many planes, seen from where, and which of them count.

use super::Squares;
use crate::perspective::Perspective;

/// A set of planes with a fixed order and meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// White P N B R Q K, Black p n b r q k.
    Pieces,
    /// P N B R Q K of both sides, White's men, Black's men.
    Roles,
    /// Maia-2: pieces, turn, four castling rights, en passant square.
    Maia2,
    /// Maia-1: pieces of the mover and the opponent, colour, four castling rights.
    Maia1,
    /// OpenSpiel's observation of a game without repetition.
    OpenSpiel,
    /// Lc0's 112 planes.
    Lc0(Form),
    /// The 119 planes of AlphaZero, as pgx has them.
    AlphaZero,
}

/// Lc0's input formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// 1: castling rights as full planes, colour, halfmove clock.
    Classical,
    /// 2: castling rights as rook squares.
    CastlingPlane,
    /// 3: also en passant instead of colour, and the board turned to a canonical symmetry.
    Canonicalization,
    /// 4: also the halfmove clock in hundredths.
    Hectoplies,
}

/// The most planes of any layout.
pub const MOST: usize = 119;

impl Layout {
    /// Every layout.
    pub const ALL: [Self; 10] = [
        Self::Pieces,
        Self::Roles,
        Self::Maia2,
        Self::Maia1,
        Self::OpenSpiel,
        Self::Lc0(Form::Classical),
        Self::Lc0(Form::CastlingPlane),
        Self::Lc0(Form::Canonicalization),
        Self::Lc0(Form::Hectoplies),
        Self::AlphaZero,
    ];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pieces => "pieces",
            Self::Roles => "roles",
            Self::Maia2 => "maia2_18",
            Self::Maia1 => "maia1_17",
            Self::OpenSpiel => "open_spiel_20",
            Self::Lc0(Form::Classical) => "lc0_112",
            Self::Lc0(Form::CastlingPlane) => "lc0_112_castling_plane",
            Self::Lc0(Form::Canonicalization) => "lc0_112_canonicalization",
            Self::Lc0(Form::Hectoplies) => "lc0_112_hectoplies",
            Self::AlphaZero => "alphazero_119",
        }
    }

    /// The number of planes.
    pub const fn channels(self) -> usize {
        match self {
            Self::Pieces => 12,
            Self::Roles => 8,
            Self::Maia2 => 18,
            Self::Maia1 => 17,
            Self::OpenSpiel => 20,
            Self::Lc0(_) => 112,
            Self::AlphaZero => 119,
        }
    }

    /// The perspective that the layout was made for.
    pub const fn perspective(self) -> Perspective {
        match self {
            Self::Pieces | Self::Roles | Self::Maia2 | Self::OpenSpiel => Perspective::White,
            Self::Lc0(_) | Self::AlphaZero => Perspective::Mover,
            Self::Maia1 => Perspective::MoverRotated,
        }
    }

    /// The order of squares that the layout was made with.
    pub const fn squares(self) -> Squares {
        match self {
            Self::Maia1 | Self::AlphaZero => Squares::A8,
            _ => Squares::A1,
        }
    }

    /// Whether the planes speak of mover and opponent, so that no other perspective makes sense.
    pub const fn is_relative(self) -> bool {
        matches!(self, Self::Maia1 | Self::Lc0(_) | Self::AlphaZero)
    }

    /// Whether earlier positions have planes.
    pub const fn has_history(self) -> bool {
        matches!(self, Self::Lc0(_) | Self::AlphaZero)
    }

    /// Whether more than the men matters.
    pub const fn has_state(self) -> bool {
        !matches!(self, Self::Pieces | Self::Roles)
    }

    /// The planes that hold a number, each with what its count is divided by and its name.
    pub const fn counts(self) -> &'static [Count] {
        match self {
            Self::Pieces | Self::Roles | Self::Maia1 | Self::Maia2 => &[],
            Self::OpenSpiel => &[
                Count { plane: 13, divisor: 2, name: "number of earlier repetitions" },
                Count { plane: 15, divisor: 101, name: "halfmove clock" },
            ],
            Self::Lc0(Form::Hectoplies) => {
                &[Count { plane: 109, divisor: 100, name: "halfmove clock" }]
            }
            Self::Lc0(_) => &[Count { plane: 109, divisor: 1, name: "halfmove clock" }],
            Self::AlphaZero => &[
                Count { plane: 113, divisor: 512, name: "number of plies" },
                Count { plane: 118, divisor: 100, name: "halfmove clock" },
            ],
        }
    }
}

/// A plane that holds one number in all its squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// The plane.
    pub plane: usize,
    /// What the count is divided by.
    pub divisor: u16,
    /// What is counted.
    pub name: &'static str,
}
