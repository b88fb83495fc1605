//! FEN text to positions: a fast path for clean text, a careful parser for everything else.

mod careful;
mod finding;
pub mod placement;
mod tail;

use crate::castling::{BackRank, Files, only_if};

use crate::en_passant;
use crate::parse::placement::Placement;
use crate::position::{BLACK, Board, CHESS960, COUNTERS_ABSENT, Position, WHITE};
use crate::problem::{self, Problems, flag};
use crate::row::Row;

use tail::Tail;

pub use finding::{Field, Fields, Finding, Sink};

/// What counts as a FEN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// Exactly the PGN standard; with Chess960 also its castling letters.
    Fen,
    /// The standard and the safe repairs.
    #[default]
    Lenient,
    /// The piece placement alone, ranks separated by `/` or by `-`; White to move.
    Placement,
}

/// How much of a text could be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Known {
    /// Not even the board.
    Nothing,
    /// The board, but not whose turn it is.
    Board,
    /// The board and the side to move; another field is unreadable.
    Turn,
    /// Everything, repaired where needed.
    Position,
}

/// What a text says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The position, as far as it is known; an unreadable castling or en passant field is empty.
    pub position: Position,
    /// The syntax codes, and the hints that only the text shows.
    pub problems: Problems,
    /// How much of `position` is known.
    pub known: Known,
}

impl Reading {
    /// The position, if the text can be read with the safe repairs.
    pub fn position(&self) -> Option<&Position> {
        (self.known == Known::Position).then_some(&self.position)
    }

    /// The position, if `dialect` allows the text.
    #[inline]
    pub fn accepted(&self, dialect: Dialect, chess960: bool) -> Option<&Position> {
        let position = self.position()?;
        (dialect != Dialect::Fen || self.is_standard(chess960)).then_some(position)
    }

    /// Whether a readable text is FEN to the letter, including the en passant square's rank.
    fn is_standard(&self, chess960: bool) -> bool {
        let refused = problem::SYNTAX | flag(!chess960, problem::CASTLING_SHREDDER);
        let files = self.position.castling[WHITE] | self.position.castling[BLACK];
        let board = Board::of(&self.position);
        self.problems & refused == 0
            && (chess960 || files == 0 || self.spells_kq_only(&board))
            && en_passant::defects(&self.position, &board) & problem::EP_WRONG_RANK == 0
    }

    /// Whether every right is one that `K`, `Q`, `k` or `q` names.
    fn spells_kq_only(&self, board: &Board) -> bool {
        [WHITE, BLACK].iter().all(|&side| {
            let [k, q] = BackRank::of(board, side).xfen();
            self.position.castling[side] & !(k | q) == 0
        })
    }
}

/// Reads clean and canonical text: the reading and the length of the placement field.
///
/// `None` says only that the careful parser must look.
#[inline(always)]
pub fn fast<P: Placement>(placement: P, row: Row<'_>, chess960: bool) -> Option<(Reading, usize)> {
    read_fast::<P, false>(placement, row, chess960)
}

/// As [`fast`], and also takes four clean fields without counters: what large data sets hold.
#[inline(always)]
pub fn fast_epd<P: Placement>(
    placement: P,
    row: Row<'_>,
    chess960: bool,
) -> Option<(Reading, usize)> {
    read_fast::<P, true>(placement, row, chess960)
}

#[inline(always)]
fn read_fast<P: Placement, const EPD: bool>(
    placement: P,
    row: Row<'_>,
    chess960: bool,
) -> Option<(Reading, usize)> {
    let men = placement.men(row.window(), row.len())?;
    let tail = tail::read::<P, EPD>(placement, row, men.end)?;
    let absent = u8::from(EPD && !tail.has_counters);
    let mut position = Position {
        code: men.code,
        black: men.black,
        flags: tail.black_to_move as u8
            | (absent * COUNTERS_ABSENT)
            | (u8::from(chess960) * CHESS960),
        en_passant: tail.en_passant,
        castling: [0; 2],
        halfmove: tail.halfmove,
        fullmove: tail.fullmove,
    };
    let problems;
    (position.castling, problems) = resolve(&Board::of(&position), &tail, chess960);
    let problems = problems | flag(absent != 0, problem::FIELD_COUNT);
    Some((Reading { position, problems, known: Known::Position }, men.end))
}

/// The rook files of the castling letters by the X-FEN rule, and the hint that one is ambiguous.
#[inline(always)]
fn resolve(board: &Board, tail: &Tail, chess960: bool) -> ([Files; 2], Problems) {
    let (mut files, mut ambiguous) = ([0; 2], false);
    for side in [WHITE, BLACK] {
        let back = BackRank::of(board, side);
        let [k, q] = back.xfen();
        let (kingside, queenside) = tail.rights(side);
        files[side] = only_if(kingside, k) | only_if(queenside, q);
        ambiguous |= (kingside & back.is_ambiguous(true)) | (queenside & back.is_ambiguous(false));
    }
    (files, flag(ambiguous & chess960, problem::CASTLING_AMBIGUOUS))
}

/// Reads any text character by character with the safe repairs.
pub fn careful(text: &[u8], chess960: bool) -> Reading {
    careful::read(text, Dialect::Lenient, chess960, &mut ())
}

/// Reads a piece placement that stands alone.
pub fn placement_only(text: &[u8]) -> Reading {
    careful::read(text, Dialect::Placement, false, &mut ())
}

/// Reads any text as [`careful`] or [`placement_only`] does and tells `sink` every finding.
pub fn explain(text: &[u8], dialect: Dialect, chess960: bool, sink: &mut impl Sink) -> Reading {
    careful::read(text, dialect, chess960, sink)
}
