//! A second, slow reading of FEN, for comparison only.
//!
//! Says of a text what python-chess 1.11.2 says of it: whether `chess.Board` reads it, the flags of
//! `status()`, and the text that it writes. It was written from that behaviour and shares nothing
//! with fenpack-core: a board of squares that are walked one by one, without tables, bit boards or
//! fast paths. `tests/soak/second_reading.py` compares it with python-chess, the program `soak`
//! compares fenpack-core with it.

pub mod board;
pub mod castling;
pub mod checks;
pub mod counter;
pub mod en_passant;
pub mod rules;
pub mod setup;
pub mod status;
pub mod write;

pub use rules::Rules;
pub use setup::Setup;
