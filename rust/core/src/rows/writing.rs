//! Text and positions to text.

use crate::canonical::{EnPassant, canonical};
use crate::isa::{Level, dispatch};
use crate::parse;
use crate::parse::placement::{Placement, Task};
use crate::position::{Board, COUNTERS_ABSENT, Position};
use crate::problem::Problems;
use crate::repair;
use crate::row::{MaybePacked, MaybeRow, NotAPosition, Row};
use crate::write::{Castling, Counters, write, write_after};

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
    if let Some((reading, end)) = parse::fast_epd(placement, row, chess960) {
        let position = canonical(&reading.position, en_passant, chess960);
        let unspelled = position.castling == [0; 2] || castling == Castling::Xfen;
        let has_counters = position.flags & COUNTERS_ABSENT == 0;
        let whole = counters == if has_counters { Counters::Keep } else { Counters::Drop };
        if position == reading.position && unspelled && whole {
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
