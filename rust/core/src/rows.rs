//! Row loops: one call reads a slice of rows on the fastest path that the machine has.
//!
//! Each loop handles what the fast path read in place, in registers, and leaves everything else to
//! a cold function of its own: merging the two readings first would send both through memory.

use crate::canonical::{EnPassant, canonical};
use crate::isa::{Level, Task, dispatch};
use crate::legality;
use crate::parse::placement::Placement;
use crate::parse::{self, Dialect, Known, Reading};
use crate::position::{Board, Malformed, Position};
use crate::problem::{self, Problems};
use crate::profile::Profile;
use crate::write::{Castling, Counters, write, write_after};
use crate::{reachability, repair, suspicion};

/// One text in a buffer of many.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    window: &'a [u8],
    len: usize,
}

impl<'a> Row<'a> {
    /// The first `len` bytes of `window`. The rest of `window` only lets the fast paths load
    /// whole words; it never changes what is read.
    ///
    /// # Panics
    /// If `window` is shorter than `len`.
    #[inline(always)]
    pub const fn new(window: &'a [u8], len: usize) -> Self {
        assert!(len <= window.len());
        Self { window, len }
    }

    /// The text.
    #[inline(always)]
    pub fn text(self) -> &'a [u8] {
        &self.window[..self.len]
    }

    /// The text and what follows it in its buffer.
    #[inline(always)]
    pub const fn window(self) -> &'a [u8] {
        self.window
    }

    /// The length of the text.
    #[inline(always)]
    #[allow(clippy::len_without_is_empty)]
    pub const fn len(self) -> usize {
        self.len
    }
}

impl<'a> From<&'a [u8]> for Row<'a> {
    fn from(text: &'a [u8]) -> Self {
        Self { window: text, len: text.len() }
    }
}

/// A row, or `None` for a null.
pub type MaybeRow<'a> = Option<Row<'a>>;

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
    const fn of(number: u8) -> Self {
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

#[inline(always)]
fn judge_position(position: &Position, board: &Board, chess960: bool, depth: Depth) -> Problems {
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

/// The packed bytes of a position, or `None` for a null.
pub type MaybePacked<'a> = Option<&'a [u8; Position::SIZE]>;

/// A row whose bytes are no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAPosition {
    /// The index of the row.
    pub row: usize,
    /// What is wrong with its bytes.
    pub reason: Malformed,
}

/// Writes the problem codes of each of the packed `rows`, down to `depth`, to `problems`; 0 for a
/// null. Syntax codes belong to texts and do not occur.
///
/// # Errors
/// The first row whose bytes are no position.
pub fn validate_positions(
    level: Level,
    rows: &[MaybePacked<'_>],
    chess960: bool,
    depth: Depth,
    problems: &mut [Problems],
) -> Result<(), NotAPosition> {
    struct Validate<'a, 'b>(&'a [MaybePacked<'b>], bool, Depth, &'a mut [Problems]);
    impl Task for Validate<'_, '_> {
        type Output = Result<(), NotAPosition>;
        #[inline(always)]
        fn run<P: Placement>(self, _: P) -> Self::Output {
            let Self(rows, chess960, depth, problems) = self;
            for (i, (row, out)) in rows.iter().zip(problems).enumerate() {
                *out = 0;
                let Some(bytes) = row else { continue };
                let position = Position::from_bytes(bytes)
                    .map_err(|reason| NotAPosition { row: i, reason })?;
                if depth > Depth::Syntax {
                    let chess960 = legality::is_chess960(&position, chess960);
                    *out = judge_position(&position, &Board::of(&position), chess960, depth);
                }
            }
            Ok(())
        }
    }
    dispatch(level, Validate(rows, chess960, depth, problems))
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
    fn admits(self, reading: &Reading) -> bool {
        reading.known == Known::Position
            && judge(reading, self.chess960, self.depth) & self.failing() == 0
    }

    #[inline(always)]
    fn survey(self, reading: &Reading) -> (Problems, bool) {
        let problems = judge(reading, self.chess960, Depth::All);
        (problems, reading.known == Known::Position && problems & self.failing() == 0)
    }
}

#[cold]
#[inline(never)]
fn is_valid_careful(text: &[u8], pass: Pass) -> bool {
    pass.admits(&parse::careful(text, pass.chess960))
}

#[cold]
#[inline(never)]
fn survey_careful(text: &[u8], pass: Pass) -> (Problems, bool) {
    pass.survey(&parse::careful(text, pass.chess960))
}

/// Writes every problem code of each of `rows` to `problems` and whether it passes to the bits of
/// `valid`, lowest bit first; 0 for a null.
///
/// # Panics
/// If `valid` has fewer bits than there are rows.
pub fn survey(
    level: Level,
    rows: &[MaybeRow<'_>],
    pass: Pass,
    problems: &mut [Problems],
    valid: &mut [u64],
) {
    struct Survey<'a, 'b, const CHESS960: bool>(
        &'a [MaybeRow<'b>],
        Pass,
        &'a mut [Problems],
        &'a mut [u64],
    );
    impl<const CHESS960: bool> Task for Survey<'_, '_, CHESS960> {
        type Output = ();
        #[inline(always)]
        fn run<P: Placement>(self, placement: P) {
            let Self(rows, pass, problems, valid) = self;
            let pass = Pass { chess960: CHESS960, ..pass };
            assert!(valid.len() >= rows.len().div_ceil(64));
            for ((rows, problems), word) in rows.chunks(64).zip(problems.chunks_mut(64)).zip(valid)
            {
                *word = 0;
                for (i, (row, out)) in rows.iter().zip(problems).enumerate() {
                    let (found, passes) = match row {
                        None => (0, false),
                        Some(row) => match parse::fast(placement, *row, pass.chess960) {
                            Some((reading, _)) => pass.survey(&reading),
                            None => survey_careful(row.text(), pass),
                        },
                    };
                    *out = found;
                    *word |= u64::from(passes) << i;
                }
            }
        }
    }
    if pass.chess960 {
        dispatch(level, Survey::<true>(rows, pass, problems, valid));
    } else {
        dispatch(level, Survey::<false>(rows, pass, problems, valid));
    }
}

/// Writes whether each of `rows` passes to the bits of `valid`, lowest bit first; 0 for a null.
///
/// # Panics
/// If `valid` has fewer bits than there are rows.
pub fn is_valid(level: Level, rows: &[MaybeRow<'_>], pass: Pass, valid: &mut [u64]) {
    struct IsValid<'a, 'b, const CHESS960: bool, const DEPTH: u8>(
        &'a [MaybeRow<'b>],
        Pass,
        &'a mut [u64],
    );
    impl<const CHESS960: bool, const DEPTH: u8> Task for IsValid<'_, '_, CHESS960, DEPTH> {
        type Output = ();
        #[inline(always)]
        fn run<P: Placement>(self, placement: P) {
            let Self(rows, pass, valid) = self;
            let pass = Pass { depth: Depth::of(DEPTH), chess960: CHESS960, ..pass };
            assert!(valid.len() >= rows.len().div_ceil(64));
            for (rows, word) in rows.chunks(64).zip(valid) {
                *word = 0;
                for (i, row) in rows.iter().enumerate() {
                    let passes =
                        row.is_some_and(|row| match parse::fast(placement, row, pass.chess960) {
                            Some((reading, _)) => pass.admits(&reading),
                            None => is_valid_careful(row.text(), pass),
                        });
                    *word |= u64::from(passes) << i;
                }
            }
        }
    }
    const SYNTAX: u8 = Depth::Syntax as u8;
    const LEGAL: u8 = Depth::Legal as u8;
    // No hint fails a row, so the deepest judgement is that of whether it can be reached.
    const REACHABLE: u8 = Depth::Reachable as u8;
    match (pass.chess960, pass.depth) {
        (false, Depth::Syntax) => dispatch(level, IsValid::<false, SYNTAX>(rows, pass, valid)),
        (false, Depth::Legal) => dispatch(level, IsValid::<false, LEGAL>(rows, pass, valid)),
        (false, Depth::Reachable | Depth::All) => {
            dispatch(level, IsValid::<false, REACHABLE>(rows, pass, valid));
        }
        (true, Depth::Syntax) => dispatch(level, IsValid::<true, SYNTAX>(rows, pass, valid)),
        (true, Depth::Legal) => dispatch(level, IsValid::<true, LEGAL>(rows, pass, valid)),
        (true, Depth::Reachable | Depth::All) => {
            dispatch(level, IsValid::<true, REACHABLE>(rows, pass, valid));
        }
    }
}

/// Writes whether `profile`'s program accepts each of `rows` to the bits of `valid`, lowest bit
/// first; 0 for a null.
///
/// # Panics
/// If `valid` has fewer bits than there are rows.
pub fn accepts(
    level: Level,
    rows: &[MaybeRow<'_>],
    profile: Profile,
    chess960: bool,
    valid: &mut [u64],
) {
    struct Accepts<'a, 'b>(&'a [MaybeRow<'b>], Profile, bool, &'a mut [u64]);
    impl Task for Accepts<'_, '_> {
        type Output = ();
        #[inline(always)]
        fn run<P: Placement>(self, placement: P) {
            let Self(rows, profile, chess960, valid) = self;
            assert!(valid.len() >= rows.len().div_ceil(64));
            for (rows, word) in rows.chunks(64).zip(valid) {
                *word = 0;
                for (i, row) in rows.iter().enumerate() {
                    let accepted =
                        row.is_some_and(|row| match parse::fast(placement, row, chess960) {
                            Some((Reading { position, .. }, _)) => {
                                profile.accepts_position(&position, &Board::of(&position), chess960)
                            }
                            None => accepts_careful(row.text(), profile, chess960),
                        });
                    *word |= u64::from(accepted) << i;
                }
            }
        }
    }
    dispatch(level, Accepts(rows, profile, chess960, valid));
}

#[cold]
#[inline(never)]
fn accepts_careful(text: &[u8], profile: Profile, chess960: bool) -> bool {
    profile.accepts(text, chess960)
}

/// Writes whether `profile`'s program accepts the FEN of each of the packed `rows` to the bits of
/// `valid`, lowest bit first; 0 for a null.
///
/// # Errors
/// The first row whose bytes are no position.
///
/// # Panics
/// If `valid` has fewer bits than there are rows.
pub fn accepts_positions(
    level: Level,
    rows: &[MaybePacked<'_>],
    profile: Profile,
    chess960: bool,
    valid: &mut [u64],
) -> Result<(), NotAPosition> {
    struct Accepts<'a, 'b>(&'a [MaybePacked<'b>], Profile, bool, &'a mut [u64]);
    impl Task for Accepts<'_, '_> {
        type Output = Result<(), NotAPosition>;
        #[inline(always)]
        fn run<P: Placement>(self, _: P) -> Self::Output {
            let Self(rows, profile, chess960, valid) = self;
            assert!(valid.len() >= rows.len().div_ceil(64));
            valid[..rows.len().div_ceil(64)].fill(0);
            for (row, bytes) in rows.iter().enumerate() {
                let Some(bytes) = bytes else { continue };
                let position =
                    Position::from_bytes(bytes).map_err(|reason| NotAPosition { row, reason })?;
                let chess960 = legality::is_chess960(&position, chess960);
                let accepted = profile.accepts_position(&position, &Board::of(&position), chess960);
                valid[row / 64] |= u64::from(accepted) << (row % 64);
            }
            Ok(())
        }
    }
    dispatch(level, Accepts(rows, profile, chess960, valid))
}

/// Writes the position of each of `rows` to `positions` and returns how many were refused.
///
/// A null or refused row leaves its place in `positions` untouched and its bit in `known` clear.
pub fn parse(
    level: Level,
    rows: &[MaybeRow<'_>],
    dialect: Dialect,
    chess960: bool,
    positions: &mut [Position],
    known: &mut [u64],
) -> usize {
    struct Parse<'a, 'b>(&'a [MaybeRow<'b>], Dialect, bool, &'a mut [Position], &'a mut [u64]);
    impl Task for Parse<'_, '_> {
        type Output = usize;
        #[inline(always)]
        fn run<P: Placement>(self, placement: P) -> usize {
            let Self(rows, dialect, chess960, positions, known) = self;
            let mut refused = 0;
            let chunks = rows.chunks(64).zip(positions.chunks_mut(64));
            for ((rows, positions), word) in chunks.zip(known) {
                *word = 0;
                for (i, (row, out)) in rows.iter().zip(positions).enumerate() {
                    let Some(row) = *row else { continue };
                    // A placement that stands alone has no tail, so the fast path refuses it.
                    let accepted = match parse::fast(placement, row, chess960) {
                        Some((reading, _)) if dialect == Dialect::Lenient => {
                            *out = reading.position;
                            true
                        }
                        _ => parse_careful(row.text(), dialect, chess960, out),
                    };
                    *word |= u64::from(accepted) << i;
                    refused += usize::from(!accepted);
                }
            }
            refused
        }
    }
    dispatch(level, Parse(rows, dialect, chess960, positions, known))
}

#[cold]
#[inline(never)]
fn parse_careful(text: &[u8], dialect: Dialect, chess960: bool, out: &mut Position) -> bool {
    let reading = match dialect {
        Dialect::Placement => parse::placement_only(text),
        Dialect::Fen | Dialect::Lenient => parse::careful(text, chess960),
    };
    let accepted = reading.accepted(dialect, chess960);
    if let Some(position) = accepted {
        *out = *position;
    }
    accepted.is_some()
}

/// The choices of [`canonicalize`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Canonical {
    /// Which en passant squares are kept.
    pub en_passant: EnPassant,
    /// How castling rights are spelled.
    pub castling: Castling,
    /// What becomes of the counters.
    pub counters: Counters,
    /// Whether rows are read and judged as Chess960.
    pub chess960: bool,
}

/// Appends the canonical text of each of `rows` to `text` and its end there to `ends`.
///
/// A null or unreadable row appends nothing and leaves its bit in `known` clear.
pub fn canonicalize(
    level: Level,
    rows: &[MaybeRow<'_>],
    choice: Canonical,
    text: &mut Vec<u8>,
    ends: &mut Vec<usize>,
    known: &mut [u64],
) {
    struct Canonicalize<'a, 'b> {
        rows: &'a [MaybeRow<'b>],
        choice: Canonical,
        text: &'a mut Vec<u8>,
        ends: &'a mut Vec<usize>,
        known: &'a mut [u64],
    }
    impl Task for Canonicalize<'_, '_> {
        type Output = ();
        #[inline(always)]
        fn run<P: Placement>(self, placement: P) {
            for (rows, word) in self.rows.chunks(64).zip(self.known) {
                *word = 0;
                for (i, row) in rows.iter().enumerate() {
                    let written = row.is_some_and(|row| {
                        canonicalize_row(placement, row, self.choice, self.text)
                    });
                    *word |= u64::from(written) << i;
                    self.ends.push(self.text.len());
                }
            }
        }
    }
    dispatch(level, Canonicalize { rows, choice, text, ends, known });
}

/// Canonical text is mostly a copy: of the whole row where nothing changes, of the placement
/// where the text is clean.
#[inline(always)]
fn canonicalize_row<P: Placement>(
    placement: P,
    row: Row<'_>,
    choice: Canonical,
    out: &mut Vec<u8>,
) -> bool {
    let Canonical { en_passant, castling, counters, chess960 } = choice;
    if let Some((reading, end)) = parse::fast(placement, row, chess960) {
        let position = canonical(&reading.position, en_passant, chess960);
        let unspelled = position.castling == [0; 2] || castling == Castling::Xfen;
        if position == reading.position && unspelled && counters == Counters::Keep {
            out.extend_from_slice(row.text());
        } else {
            write_after(&row.text()[..end], &position, castling, counters, out);
        }
        return true;
    }
    canonicalize_careful(row.text(), choice, out)
}

/// Appends each of `rows` with the safe repairs to `text` and its end there to `ends`, and writes
/// the codes that they mend to `repairs`.
///
/// A null or unreadable row appends nothing, has no repairs and leaves its bit in `known` clear.
pub fn repair(
    level: Level,
    rows: &[MaybeRow<'_>],
    chess960: bool,
    text: &mut Vec<u8>,
    ends: &mut Vec<usize>,
    repairs: &mut [Problems],
    known: &mut [u64],
) {
    struct Repair<'a, 'b> {
        rows: &'a [MaybeRow<'b>],
        chess960: bool,
        text: &'a mut Vec<u8>,
        ends: &'a mut Vec<usize>,
        repairs: &'a mut [Problems],
        known: &'a mut [u64],
    }
    impl Task for Repair<'_, '_> {
        type Output = ();
        #[inline(always)]
        fn run<P: Placement>(self, placement: P) {
            let Self { rows, chess960, text, ends, repairs, known } = self;
            for ((rows, repairs), word) in rows.chunks(64).zip(repairs.chunks_mut(64)).zip(known) {
                *word = 0;
                for (i, (row, out)) in rows.iter().zip(repairs).enumerate() {
                    let mended = row.and_then(|row| repair_row(placement, row, chess960, text));
                    *out = mended.unwrap_or(0);
                    *word |= u64::from(mended.is_some()) << i;
                    ends.push(text.len());
                }
            }
        }
    }
    dispatch(level, Repair { rows, chess960, text, ends, repairs, known });
}

/// Clean text is copied, clean syntax up to the end of the placement.
#[inline(always)]
fn repair_row<P: Placement>(
    placement: P,
    row: Row<'_>,
    chess960: bool,
    out: &mut Vec<u8>,
) -> Option<Problems> {
    let Some((reading, end)) = parse::fast(placement, row, chess960) else {
        return repair_careful(row.text(), chess960, out);
    };
    let repairs = repair::repairs(&reading, chess960);
    if repairs == 0 {
        out.extend_from_slice(row.text());
    } else {
        let position = repair::repaired(&reading.position, chess960);
        write_after(&row.text()[..end], &position, Castling::Xfen, Counters::Keep, out);
    }
    Some(repairs)
}

#[cold]
#[inline(never)]
fn repair_careful(text: &[u8], chess960: bool, out: &mut Vec<u8>) -> Option<Problems> {
    let reading = parse::careful(text, chess960);
    let position = repair::repaired(reading.position()?, chess960);
    write(&position, Castling::Xfen, Counters::Keep, out);
    Some(repair::repairs(&reading, chess960))
}

/// Appends the FEN of each of the packed `rows` to `text` and its end there to `ends`, with the en
/// passant square that `choice` keeps and otherwise as the position is. A null appends nothing.
///
/// # Errors
/// The first row whose bytes are no position.
pub fn format(
    rows: &[MaybePacked<'_>],
    choice: Canonical,
    text: &mut Vec<u8>,
    ends: &mut Vec<usize>,
) -> Result<(), NotAPosition> {
    for (row, bytes) in rows.iter().enumerate() {
        if let Some(bytes) = bytes {
            let mut position =
                Position::from_bytes(bytes).map_err(|reason| NotAPosition { row, reason })?;
            position.en_passant = choice.en_passant.of(&position, &Board::of(&position));
            write(&position, choice.castling, choice.counters, text);
        }
        ends.push(text.len());
    }
    Ok(())
}

#[cold]
#[inline(never)]
fn canonicalize_careful(text: &[u8], choice: Canonical, out: &mut Vec<u8>) -> bool {
    let Canonical { en_passant, castling, counters, chess960 } = choice;
    let reading = parse::careful(text, chess960);
    let Some(position) = reading.position() else { return false };
    write(&canonical(position, en_passant, chess960), castling, counters, out);
    true
}
