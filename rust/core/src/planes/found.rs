//! Planes back to positions: what they say, checked.

use std::fmt;

use super::view::State;
use crate::castling::BackRank;
use crate::perspective::Turn;
use crate::position::{BLACK, BLACK_TO_MOVE, Board, CHESS960, COUNTERS_ABSENT, Position, WHITE};
use crate::square;

/// Why planes are no position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// A square with two men.
    TwoMen(u8),
    /// A square where role and side do not go together.
    Sideless(u8),
    /// Squares that the plane of empty squares gets wrong.
    Empty {
        /// The squares, turned.
        set: u64,
        /// The plane.
        plane: usize,
    },
    /// A plane that is neither full nor empty.
    NotFlat(usize),
    /// A plane that always has one value has another.
    NotConstant {
        /// The plane.
        plane: usize,
        /// Whether it should be full.
        full: bool,
    },
    /// More than one en passant square.
    EnPassant(usize),
    /// An en passant square on a rank where none can be.
    EnPassantRank {
        /// The plane.
        plane: usize,
        /// The square that it marks.
        square: u8,
    },
    /// A castling right without a rook of its wing.
    Castling {
        /// The plane.
        plane: usize,
        /// The square.
        square: u8,
    },
    /// A cell that is neither 0 nor 1.
    NotABit {
        /// The plane.
        plane: usize,
        /// The square.
        square: u8,
        /// The value.
        value: f32,
    },
    /// A plane of a number with several values.
    NotOneNumber(usize),
    /// A number that is no count.
    NotACount {
        /// The plane.
        plane: usize,
        /// The value.
        value: f32,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |square: u8| {
            let [file, rank] = square::name(square);
            format!("{}{}", file as char, rank as char)
        };
        match *self {
            Self::TwoMen(square) => write!(f, "two men on {}", name(square)),
            Self::Sideless(square) => {
                write!(f, "{} has a role without one side or a side without a role", name(square))
            }
            Self::Empty { set, plane } => {
                let square = name(set.trailing_zeros() as u8);
                write!(f, "plane {plane} of empty squares is wrong about {square}")
            }
            Self::NotFlat(plane) => write!(f, "plane {plane} is neither all ones nor all zeros"),
            Self::NotConstant { plane, full } => {
                let value = if full { "ones" } else { "zeros" };
                write!(f, "plane {plane} is not all {value}")
            }
            Self::EnPassant(plane) => write!(f, "plane {plane} has more than one square"),
            Self::EnPassantRank { plane, square } => {
                write!(f, "plane {plane} marks {}, which no pawn can have passed", name(square))
            }
            Self::Castling { plane, square } => {
                write!(f, "plane {plane} marks {}, where no rook can castle so", name(square))
            }
            Self::NotABit { plane, square, value } => {
                write!(f, "plane {plane} has {value} on {}, only 0 and 1 are allowed", name(square))
            }
            Self::NotOneNumber(plane) => {
                write!(f, "plane {plane} holds several values, not one number")
            }
            Self::NotACount { plane, value } => write!(f, "plane {plane} holds {value}, no count"),
        }
    }
}

/// The castling rights that planes name.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wings {
    /// Kingside and queenside of the lower side, then of the upper.
    Named([[bool; 2]; 2]),
    /// The squares of the rooks.
    Rooks(u64),
}

/// What planes say, still turned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) men: [u64; 12],
    pub(super) turn: Turn,
    pub(super) black_to_move: bool,
    pub(super) rights: Wings,
    pub(super) en_passant: u64,
    pub(super) halfmove: Option<u16>,
    pub(super) fullmove: Option<u16>,
}

impl Found {
    /// The men of `words` with `turn`, and nothing else.
    pub(super) fn of(words: &[u64], turn: Turn, black_to_move: bool) -> Self {
        Self {
            men: std::array::from_fn(|man| words[man]),
            turn,
            black_to_move,
            rights: Wings::Rooks(0),
            en_passant: 0,
            halfmove: None,
            fullmove: None,
        }
    }

    /// The position, turned back.
    pub(super) fn position(&self, state: State) -> Result<Position, Fault> {
        let back = |set| self.turn.set(set);
        let mut position = Position::EMPTY;
        let (mut occupied, mut upper) = (0, 0);
        for (man, set) in self.men.into_iter().enumerate() {
            if occupied & set != 0 {
                return Err(Fault::TwoMen(back(occupied & set).trailing_zeros() as u8));
            }
            occupied |= set;
            let code = man % 6 + 1;
            for (bit, plane) in position.code.iter_mut().enumerate() {
                *plane |= if code >> bit & 1 == 1 { back(set) } else { 0 };
            }
            upper |= if man < 6 { 0 } else { set };
        }
        position.black = back(if self.turn.swaps() { occupied & !upper } else { upper });
        position.flags = if self.black_to_move { BLACK_TO_MOVE } else { 0 }
            | if state.chess960 { CHESS960 } else { 0 }
            | if self.halfmove.is_none() { COUNTERS_ABSENT } else { 0 };
        position.halfmove = self.halfmove.unwrap_or(0);
        position.fullmove = self.fullmove.unwrap_or(1);
        if self.en_passant != 0 {
            position.en_passant = back(self.en_passant).trailing_zeros() as u8;
        }
        position.castling = self.castling(&Board::of(&position));
        Ok(position)
    }

    fn castling(&self, board: &Board) -> [u8; 2] {
        match self.rights {
            Wings::Rooks(rooks) => {
                let rooks = self.turn.set(rooks);
                [rooks as u8, (rooks >> 56) as u8]
            }
            Wings::Named(named) => {
                let lower = if self.turn.swaps() { BLACK } else { WHITE };
                let mut castling = [0; 2];
                for (side, named) in [lower, lower ^ 1].into_iter().zip(named) {
                    for (right, file) in named.into_iter().zip(BackRank::of(board, side).xfen()) {
                        castling[side] |= if right { file } else { 0 };
                    }
                }
                castling
            }
        }
    }
}

/// Whether `plane` is full rather than empty.
pub(super) fn flat(words: &[u64], plane: usize) -> Result<bool, Fault> {
    match words[plane] {
        0 => Ok(false),
        u64::MAX => Ok(true),
        _ => Err(Fault::NotFlat(plane)),
    }
}

/// That `plane` is `value`, which is full or empty.
pub(super) fn constant(words: &[u64], plane: usize, value: u64) -> Result<(), Fault> {
    if words[plane] == value { Ok(()) } else { Err(Fault::NotConstant { plane, full: value != 0 }) }
}

/// The squares behind a pawn that has moved two squares.
pub(super) const PASSED: u64 = 0x0000_ff00_00ff_0000;

/// The one square of `plane`, which is among `allowed`, or nothing; `turn` is what was done to it.
pub(super) fn single(words: &[u64], plane: usize, allowed: u64, turn: Turn) -> Result<u64, Fault> {
    let set = words[plane];
    if set.count_ones() > 1 {
        return Err(Fault::EnPassant(plane));
    }
    if set & !allowed != 0 {
        let square = turn.set(set).trailing_zeros() as u8;
        return Err(Fault::EnPassantRank { plane, square });
    }
    Ok(set)
}

/// The number in `plane`.
pub(super) fn count(words: &[u64], plane: usize) -> Result<u16, Fault> {
    let value = words[plane];
    u16::try_from(value).map_err(|_| Fault::NotACount { plane, value: value as f32 })
}

/// The fullmove number of the plies in `plane`.
pub(super) fn plies(words: &[u64], plane: usize, black_to_move: bool) -> Result<u16, Fault> {
    let plies = words[plane];
    let refused = Fault::NotACount { plane, value: plies as f32 };
    if plies % 2 != u64::from(black_to_move) {
        return Err(refused);
    }
    u16::try_from(plies / 2 + 1).map_err(|_| refused)
}
