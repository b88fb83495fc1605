//! Scores of a recognizer to positions: the best board that the rules allow, exactly.
//!
//! A recognizer scores thirteen classes on each of 64 squares. The best of each square, the argmax,
//! is often no possible board. Here the sum of the log scores is maximised under the rules; boards
//! that need no rule are seen at once, the others are solved as a min-cost flow.

mod board;
mod decoder;
mod flow;
mod layout;
mod margins;
mod orientation;
mod rules;
mod scores;
mod search;
mod text;

pub use board::{Flags, flag, position};
pub use decoder::{Castling, Decoded, Decoder, Given, Reason};
pub use layout::{Empty, Layout, OutOfRow};
pub use margins::Margins;
pub use orientation::Turning;
pub use rules::{Constraints, Rules};
pub use scores::{Fault, Kind, Status};
pub use text::{Placement, read as read_text};

/// The number of classes: empty, P N B R Q K, p n b r q k, which are 0 to 12 in this order.
pub const CLASSES: usize = 13;

/// One number for every class and square, squares in LERF order.
pub type Scores = [[f32; 64]; CLASSES];

/// For each square the classes that it may have, bit *c* for class *c*.
pub type Allowed = [u16; 64];
