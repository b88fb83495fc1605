//! Why an encoding cannot hold a position.

use std::fmt;

use crate::position::WHITE;

/// What a position has that an encoding has no room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unheld {
    /// More men than fit.
    Men(u32),
    /// A side whose kings are not one.
    Kings {
        /// [`WHITE`] or Black.
        side: usize,
        /// How many it has.
        count: u32,
    },
    /// A number that is too large for its place.
    Number {
        /// What it counts.
        name: &'static str,
        /// The number.
        value: u32,
        /// The largest that fits.
        limit: u32,
    },
    /// A number that its place would round to another.
    Rounded {
        /// What it counts.
        name: &'static str,
        /// The number.
        value: u32,
        /// What it would become.
        near: u32,
    },
    /// A castling right of an inner rook, which only X-FEN's file letter names.
    InnerRook,
    /// Black to move without a black king.
    BlackToMove,
}

impl fmt::Display for Unheld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |side| if side == WHITE { "White" } else { "Black" };
        match *self {
            Self::Men(count) => write!(f, "{count} men, at most 32 fit"),
            Self::Kings { side, count } => write!(f, "{} has {count} kings, not 1", name(side)),
            Self::Number { name, value, limit } => {
                write!(f, "the {name} is {value}, at most {limit} fits")
            }
            Self::Rounded { name, value, near } => {
                write!(f, "the {name} is {value}, which would be rounded to {near}")
            }
            Self::InnerRook => {
                write!(f, "a castling right is for an inner rook, which no letter of KQkq names")
            }
            Self::BlackToMove => write!(f, "Black is to move and has no king to say so"),
        }
    }
}
