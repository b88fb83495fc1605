//! FEN text to packed chess positions and back.
//!
//! Data flows one way: text → [`Position`] → problems, canonical text, keys, planes, tokens,
//! features.
//! Every function is pure and single-threaded; nothing here knows Python or Arrow.

pub mod attacks;
pub mod audit;
pub mod bitboard;
pub mod canonical;
pub mod castling;
pub mod decode;
pub mod dedup;
pub mod diagnosis;
pub mod en_passant;
mod hash;
pub mod identity;
pub mod isa;
pub mod judgement;
pub mod key;
pub mod legality;
pub mod nnue;
pub mod parse;
pub mod perspective;
pub mod planes;
pub mod position;
pub mod problem;
pub mod profile;
pub mod reachability;
pub mod records;
pub mod repair;
pub mod row;
pub mod rows;
pub mod square;
pub mod suspicion;
pub mod tokens;
pub mod unheld;
pub mod write;
pub mod zobrist;

pub use canonical::EnPassant;
pub use identity::{By, Identity};
pub use isa::Level;
pub use parse::{Dialect, Reading};
pub use position::{Board, Position};
pub use profile::Profile;
pub use row::Row;
pub use write::{Castling, Counters};

#[cfg(target_endian = "big")]
compile_error!("the packed position is little-endian and is used in place");
