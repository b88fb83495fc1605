//! Groups of equal rows in one partition, whose records come in the order of their rows.

use super::record::Record;
use super::table::Table;

/// Which row of a group is no duplicate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// The first.
    #[default]
    First,
    /// The last.
    Last,
    /// None, unless it is alone.
    None,
}

/// Hands the row number of every duplicate among `records` to `mark`.
///
/// A row may be marked twice. `table` must be empty.
pub fn duplicates<'a, const WORDS: usize>(
    records: impl Iterator<Item = &'a Record<WORDS>>,
    table: &mut Table<WORDS>,
    keep: Keep,
    mut mark: impl FnMut(u64),
) {
    let mut latest = Vec::new();
    for record in records {
        let entry = table.insert(record);
        match keep {
            Keep::First if entry.is_new => {}
            Keep::First => mark(record.row()),
            Keep::Last if entry.is_new => latest.push(record.row()),
            Keep::Last => mark(std::mem::replace(&mut latest[entry.index], record.row())),
            Keep::None if entry.is_new => {}
            Keep::None => {
                mark(table.firsts()[entry.index].row());
                mark(record.row());
            }
        }
    }
}

/// Hands each row number among `records` with that of the first row of its group to `visit`.
///
/// `table` must be empty.
pub fn firsts<'a, const WORDS: usize>(
    records: impl Iterator<Item = &'a Record<WORDS>>,
    table: &mut Table<WORDS>,
    mut visit: impl FnMut(u64, u64),
) {
    for record in records {
        let entry = table.insert(record);
        visit(record.row(), table.firsts()[entry.index].row());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dedup::{Hash, PLAIN, Run};
    use crate::identity::Identity;
    use std::collections::HashMap;

    const ROWS: u64 = 5_000;

    /// Boards of few kinds that differ in one word each, so that every word must be compared.
    fn identity(row: u64) -> Identity {
        let kind = row * row % 1_237;
        let mut board = [7; 4];
        let mut state = 128;
        match kind % 5 {
            4 => state = kind as u32,
            word => board[word as usize] = kind,
        }
        Identity { board, state }
    }

    fn runs(hash: Hash, bits: u32) -> Vec<Run<PLAIN>> {
        let records: Vec<_> = (0..ROWS).map(|row| Record::new(&identity(row), row)).collect();
        records.chunks(700).map(|records| Run::sort(records, hash, bits, Vec::new())).collect()
    }

    fn expected(keep: Keep) -> Vec<u64> {
        let mut groups: HashMap<([u64; 4], u32), Vec<u64>> = HashMap::new();
        for row in 0..ROWS {
            let Identity { board, state } = identity(row);
            groups.entry((board, state)).or_default().push(row);
        }
        let mut marked: Vec<u64> = groups
            .values()
            .flat_map(|rows| match keep {
                Keep::First => &rows[1..],
                Keep::Last => &rows[..rows.len() - 1],
                Keep::None if rows.len() == 1 => &[],
                Keep::None => &rows[..],
            })
            .copied()
            .collect();
        marked.sort_unstable();
        marked
    }

    #[test]
    #[cfg_attr(miri, ignore = "too many rows")]
    fn exact_however_short_the_hash() {
        for hash_bits in [0, 1, 3, 16, 32, 64] {
            for bits in [0, 1, 6] {
                let hash = Hash::truncated(hash_bits);
                let runs = runs(hash, bits);
                for keep in [Keep::First, Keep::Last, Keep::None] {
                    let mut marked = Vec::new();
                    let mut table = Table::with_capacity(hash, 0);
                    for number in 0..1 << bits {
                        table.clear();
                        let records = runs.iter().flat_map(|run| run.partition(number));
                        duplicates(records, &mut table, keep, |row| marked.push(row));
                    }
                    marked.sort_unstable();
                    marked.dedup();
                    assert_eq!(marked, expected(keep), "{hash_bits} {bits} {keep:?}");
                }
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "too many rows")]
    fn every_row_meets_its_first() {
        let hash = Hash::default();
        let mut seen = HashMap::new();
        let mut table = Table::with_capacity(hash, 8);
        let runs = runs(hash, 0);
        let mut rows = 0;
        firsts(runs.iter().flat_map(|run| run.partition(0)), &mut table, |row, first| {
            assert_eq!(row, rows);
            rows += 1;
            let Identity { board, state } = identity(row);
            assert_eq!(first, *seen.entry((board, state)).or_insert(row));
        });
        assert_eq!(rows, ROWS);
        assert_eq!(table.firsts().len(), seen.len());
    }
}
