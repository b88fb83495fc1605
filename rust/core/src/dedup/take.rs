//! The row loops of a deduplication: rows to records.

use super::record::Record;
use super::spelling::{SPELLED, spell, spell_packed};
use crate::identity::{By, Identity};
use crate::isa::{Level, dispatch};
use crate::parse::placement::{Placement, Task};
use crate::parse::{self, Dialect, Fields};
use crate::position::{BLACK, Board, Position, WHITE};
use crate::row::{MaybePacked, MaybeRow, NotAPosition};

/// How rows are compared, and the number of the next one.
#[derive(Clone, Copy, Debug)]
pub struct Taking {
    /// What counts as one.
    pub by: By,
    /// Whether castling is judged as in Chess960.
    pub chess960: bool,
    /// The number of the first row.
    pub row: u64,
}

impl Taking {
    #[inline(always)]
    fn record(self, i: usize, position: &Position) -> Record<SPELLED> {
        let identity = Identity::of(position, &Board::of(position), self.by, self.chess960);
        Record::new(&identity, self.row + i as u64)
    }
}

/// Adds a record of each text among `rows` that can be read to `records`.
pub fn take_texts(
    level: Level,
    rows: &[MaybeRow<'_>],
    taking: Taking,
    records: &mut Vec<Record<SPELLED>>,
) {
    struct Take<'a, 'b>(&'a [MaybeRow<'b>], Taking, &'a mut Vec<Record<SPELLED>>);
    impl Task for Take<'_, '_> {
        type Output = ();
        #[inline(always)]
        fn run<P: Placement>(self, placement: P) {
            let Self(rows, taking, records) = self;
            for (i, row) in rows.iter().enumerate() {
                let Some(row) = *row else { continue };
                let Some((reading, end)) = parse::fast_epd(placement, row, taking.chess960) else {
                    careful(row.text(), i, taking, records);
                    continue;
                };
                // The side to move between blanks, then a letter for each right.
                let position = &reading.position;
                let [white, black] = [WHITE, BLACK].map(|side| position.castling[side]);
                let letters = (white.count_ones() + black.count_ones()).max(1) as usize;
                let castling = &row.text()[end + 3..][..letters];
                let mut record = taking.record(i, position);
                spell(&mut record, position, row.text(), castling);
                records.push(record);
            }
        }
    }
    dispatch(level, Take(rows, taking, records));
}

#[cold]
#[inline(never)]
fn careful(text: &[u8], i: usize, taking: Taking, records: &mut Vec<Record<SPELLED>>) {
    let mut fields = Fields::default();
    let reading = parse::explain(text, Dialect::Lenient, taking.chess960, &mut fields);
    if let Some(position) = reading.position() {
        let mut record = taking.record(i, position);
        spell(&mut record, position, text, &text[fields.castling]);
        records.push(record);
    }
}

/// Adds a record of each packed position among `rows` to `records`.
///
/// # Errors
/// The first row whose bytes are no position.
pub fn take_positions(
    rows: &[MaybePacked<'_>],
    taking: Taking,
    records: &mut Vec<Record<SPELLED>>,
) -> Result<(), NotAPosition> {
    for (i, row) in rows.iter().enumerate() {
        let Some(bytes) = row else { continue };
        let position =
            Position::from_bytes(bytes).map_err(|reason| NotAPosition { row: i, reason })?;
        let mut record = taking.record(i, &position);
        spell_packed(&mut record, &position);
        records.push(record);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dedup::{CAUSES, Cause, cause};

    fn records(fens: &[&str], by: By) -> Vec<Record<SPELLED>> {
        let rows: Vec<_> = fens.iter().map(|fen| Some(fen.as_bytes().into())).collect();
        let taking = Taking { by, chess960: false, row: 5 };
        let mut found = Vec::new();
        for level in Level::available() {
            let mut records = Vec::new();
            take_texts(level, &rows, taking, &mut records);
            found.push(records);
        }
        assert!(found.iter().all(|records| *records == found[0]));
        found.swap_remove(0)
    }

    #[test]
    fn causes() {
        let first = "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 3 30";
        let others = [
            (first, Cause::SameText),
            ("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 4 30", Cause::Counters),
            ("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq -", Cause::Counters),
            ("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq e6 3 30", Cause::EnPassant),
            ("r3k2r/8/8/3pP3/8/8/8/R3K2R w HAha e6 3 30", Cause::EnPassant),
            ("r3k2r/8/8/3pP3/8/8/8/R3K2R w HAha - 3 30", Cause::Castling),
            ("r3k2r/8/8/3pP3/8/8/8/R3K2R w kqKQ - 9 30", Cause::Castling),
            ("r3k2r/8/8/3pP3/8/8/8/R3K2R  w KQkq - 3 30", Cause::Spelling),
            ("r3k2r/8/8/3pP3/8/8/8/R3K2R_w_KQkq_-_3_30", Cause::Spelling),
            ("r3k2r/8/8/3pP3/8/8/8/R3K2R_w_KQkq_-_3_31", Cause::Counters),
        ];
        let fens: Vec<_> = std::iter::once(first).chain(others.map(|(fen, _)| fen)).collect();
        let records = records(&fens, By::Position);
        for (record, (fen, expected)) in records[1..].iter().zip(others) {
            assert!(record.is_same(&records[0]), "{fen}");
            assert_eq!(cause(record, &records[0]), expected, "{fen}");
        }
        assert!(CAUSES.iter().enumerate().all(|(i, (_, cause))| *cause as usize == i));
    }

    #[test]
    fn sides_differ_only_where_they_are_not_compared() {
        let fens = ["8/8/8/8/8/8/8/K1k5 w - - 0 1", "8/8/8/8/8/8/8/K1k5 b - - 0 1", "x", ""];
        let [white, black] = records(&fens, By::Board)[..] else { panic!("two can be read") };
        assert!(white.is_same(&black));
        assert_eq!([white.row(), black.row()], [5, 6]);
        assert_eq!(cause(&black, &white), Cause::Side);
        let [white, black] = records(&fens, By::Position)[..] else { panic!("two can be read") };
        assert!(!white.is_same(&black));
    }
}
