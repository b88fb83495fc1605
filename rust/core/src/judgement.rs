//! Every rule about a row in one place: which codes it has, and whether it passes.

use crate::parse::{Known, Reading};
use crate::position::{Board, Position};
use crate::problem::{self, Problems};
use crate::{legality, reachability, suspicion};

/// How deep a row is judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// Whether the text can be read.
    Syntax,
    /// The illegal codes too.
    #[default]
    Legal,
    /// The illegal and the unreachable codes too.
    Reachable,
    /// Every code.
    All,
}

impl Depth {
    /// The depth whose number is `number`, the deepest for any other.
    pub(crate) const fn of(number: u8) -> Self {
        match number {
            0 => Self::Syntax,
            1 => Self::Legal,
            2 => Self::Reachable,
            _ => Self::All,
        }
    }
}

/// The codes of `reading` down to `depth`, as far as what is known allows.
#[inline(always)]
pub fn judge(reading: &Reading, chess960: bool, depth: Depth) -> Problems {
    if depth == Depth::Syntax || reading.known == Known::Nothing {
        return reading.problems;
    }
    let board = Board::of(&reading.position);
    if reading.known == Known::Board {
        return reading.problems | legality::men(&board);
    }
    reading.problems | judge_position(&reading.position, &board, chess960, depth)
}

/// The codes of `position` down to `depth`; syntax codes belong to texts.
#[inline(always)]
pub fn judge_position(
    position: &Position,
    board: &Board,
    chess960: bool,
    depth: Depth,
) -> Problems {
    let checkers = legality::checkers(board, position.side_to_move() ^ 1);
    let illegal = legality::illegal(position, board, checkers, chess960);
    if depth < Depth::Reachable {
        return illegal;
    }
    let unreachable = reachability::unreachable(position, board, checkers, illegal, chess960);
    if depth == Depth::Reachable {
        return illegal | (unreachable & problem::UNREACHABLE);
    }
    illegal | unreachable | suspicion::suspicious(position, board, unreachable, chess960)
}

/// Which rows pass.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pass {
    /// How deep a row is judged.
    pub depth: Depth,
    /// Whether a syntax problem that is repaired fails a row too.
    pub strict: bool,
    /// Whether rows are judged as Chess960.
    pub chess960: bool,
}

impl Pass {
    /// The codes that fail a readable row.
    #[inline(always)]
    pub const fn failing(self) -> Problems {
        let illegal = match self.depth {
            Depth::Syntax => 0,
            Depth::Legal => problem::ILLEGAL,
            Depth::Reachable | Depth::All => problem::ILLEGAL | problem::UNREACHABLE,
        };
        illegal | if self.strict { problem::SYNTAX } else { 0 }
    }

    #[inline(always)]
    pub(crate) fn admits(self, reading: &Reading) -> bool {
        reading.known == Known::Position
            && judge(reading, self.chess960, self.depth) & self.failing() == 0
    }

    #[inline(always)]
    pub(crate) fn survey(self, reading: &Reading) -> (Problems, bool) {
        let problems = judge(reading, self.chess960, Depth::All);
        (problems, reading.known == Known::Position && problems & self.failing() == 0)
    }
}
