//! The safe repairs: what reading a text mends, and what is taken away because it cannot be right.
//!
//! Each is reported as the code it mends. Nothing is guessed: what only a guess would mend leaves
//! the row unreadable (design notes, sections 5.3 and 5.4).

use crate::canonical::{EnPassant, canonical};
use crate::parse::Reading;
use crate::position::{Board, Position};
use crate::problem::{CASTLING_SHREDDER, Problems, SYNTAX};
use crate::{en_passant, legality};

/// The repairs that a readable text needs, as the codes they mend; 0 where it stays as it is.
#[inline(always)]
pub fn repairs(reading: &Reading, chess960: bool) -> Problems {
    let position = &reading.position;
    let board = Board::of(position);
    reading.problems & (SYNTAX | CASTLING_SHREDDER)
        | legality::rights(position, &board, legality::is_chess960(position, chess960))
        | en_passant::defects(position, &board)
}

/// `position` without what cannot be right: castling rights that do not hold, an invalid en passant
/// square, a fullmove number of 0. A valid square stays even where nobody can capture.
#[inline(always)]
pub fn repaired(position: &Position, chess960: bool) -> Position {
    canonical(position, EnPassant::Valid, chess960)
}
