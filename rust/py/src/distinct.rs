//! Duplicate rows of a column, exactly.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use arrow_schema::DataType;
use fenpack_core::canonical::canonical;
use fenpack_core::dedup::{self, Hash, Keep, MOST_ROWS, PLAIN, Record, Run, Table};
use fenpack_core::position::Board;
use fenpack_core::{By, EnPassant, Identity};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::bits::{cut, is_set, set, set_all, zeroes};
use crate::input::{Accept, Column, Rows};
use crate::jobs::{FirstBad, bit_words, check_room, starts, total};
use crate::options::choose;
use crate::output;
use crate::reading::Reader;
use crate::stretches::{Piece, Stretch, stretches};
use crate::threads;

/// Rows sorted into partitions at once, and about the records of a partition: both fit a cache.
const STRETCH: usize = 1 << 16;
const PARTITION: usize = 1 << 13;

/// The rows of a column, sorted for grouping.
struct Sorted {
    reader: Reader,
    hash: Hash,
    bits: u32,
    runs: Vec<Run<PLAIN>>,
    /// The rows that have a position, one bit each.
    known: Vec<AtomicU64>,
}

impl Sorted {
    fn of(
        py: Python<'_>,
        column: &Column,
        chunks: &[Rows<'_>],
        chess960: bool,
        hash_bits: u32,
    ) -> PyResult<Self> {
        let level = threads::level()?;
        let reader = Reader { level, kind: column.kind(Accept::Either)?, chess960 };
        let rows = total(chunks);
        if rows as u64 >= MOST_ROWS {
            return Err(PyValueError::new_err(format!(
                "x must have fewer than {MOST_ROWS} rows, got {rows}"
            )));
        }
        let hash = Hash::truncated(hash_bits);
        let bits = (rows / PARTITION).next_power_of_two().ilog2().min(12);
        check_room::<Record<PLAIN>>(rows)?;
        let known = zeroes(bit_words(rows));
        let stretches = stretches(chunks, STRETCH);
        let mut runs = vec![Run::default(); stretches.len()];
        let bad = FirstBad::default();
        threads::run(py, rows, stretches.iter().zip(&mut runs).collect(), |(stretch, run)| {
            let mut records = Vec::with_capacity(STRETCH);
            for Piece { rows, range, offset } in stretch {
                let result = reader.blocks(rows, range.clone(), |block| {
                    let start = offset + block.start;
                    set_all(&known, start, block.known_bits());
                    for (i, position) in block.known() {
                        let board = Board::of(position);
                        let identity = Identity::of(position, &board, By::Position, chess960);
                        records.push(Record::new(&identity, (start + i) as u64));
                    }
                });
                bad.note(*offset, result);
            }
            *run = Run::sort(&records, hash, bits, Vec::new());
        })?;
        bad.check(column)?;
        Ok(Self { reader, hash, bits, runs, known })
    }

    /// Runs `work` on the records of each partition, with an empty table.
    fn groups(
        &self,
        py: Python<'_>,
        work: impl Fn(&mut dyn Iterator<Item = &Record<PLAIN>>, &mut Table<PLAIN>) + Sync,
    ) -> PyResult<()> {
        let partitions = 1 << self.bits;
        let rows = self.runs.iter().map(|run| run.records().len()).sum();
        let jobs = (0..partitions).step_by(8).map(|first| first..partitions.min(first + 8));
        threads::run(py, rows, jobs.collect(), |job| {
            let mut table = Table::with_capacity(self.hash, PARTITION);
            for partition in job {
                table.clear();
                let mut records = self.runs.iter().flat_map(|run| run.partition(partition));
                work(&mut records, &mut table);
            }
        })
    }

    /// The packed canonical positions of the rows that are their own first, in order.
    fn canonical_firsts(
        &self,
        py: Python<'_>,
        chunks: &[Rows<'_>],
        firsts: &[AtomicU64],
    ) -> PyResult<Vec<u64>> {
        let stretches = stretches(chunks, STRETCH);
        let mut parts = vec![Vec::new(); stretches.len()];
        let jobs = stretches.iter().zip(&mut parts).collect();
        threads::run(py, firsts.len(), jobs, |(stretch, part): (&Stretch<'_>, &mut Vec<u64>)| {
            for Piece { rows, range, offset } in stretch {
                // Every row was read before.
                let _ = self.reader.blocks(rows, range.clone(), |block| {
                    for (i, position) in block.known() {
                        let row = offset + block.start + i;
                        if firsts[row].load(Relaxed) == row as u64 {
                            let rule = EnPassant::Legal;
                            let packed = canonical(position, rule, self.reader.chess960);
                            part.extend_from_slice(bytemuck::cast_slice(&[packed]));
                        }
                    }
                });
            }
        })?;
        Ok(parts.concat())
    }

    /// The place of each row's first among the firsts, and how many rows each place has.
    fn number(&self, firsts: &[AtomicU64]) -> (Vec<i64>, Vec<i64>) {
        let mut places = vec![0; firsts.len()];
        let mut counts = Vec::new();
        for row in (0..firsts.len()).filter(|&row| is_set(&self.known, row)) {
            let first = firsts[row].load(Relaxed) as usize;
            if first == row {
                places[row] = counts.len() as i64;
                counts.push(1);
            } else {
                places[row] = places[first];
                counts[places[row] as usize] += 1;
            }
        }
        (places, counts)
    }
}

/// Whether each row repeats another.
#[pyfunction]
#[pyo3(signature = (x, keep, chess960, hash_bits=64))]
pub(crate) fn is_duplicate<'py>(
    py: Python<'py>,
    x: &Bound<'py, PyAny>,
    keep: Option<&str>,
    chess960: bool,
    hash_bits: u32,
) -> PyResult<Bound<'py, PyAny>> {
    let keep = match keep {
        None => Keep::None,
        Some(name) => choose("keep", name, &[("first", Keep::First), ("last", Keep::Last)])?,
    };
    let column = Column::import(x, "x")?.unpacked()?;
    let chunks = column.rows()?;
    let sorted = Sorted::of(py, &column, &chunks, chess960, hash_bits)?;
    let marked = zeroes(sorted.known.len());
    sorted.groups(py, |records, table| {
        dedup::duplicates(records, table, keep, |row| set(&marked, row as usize));
    })?;
    let results = chunks.iter().zip(starts(&chunks)).map(|(rows, start)| {
        let nulls = output::nulls(cut(&sorted.known, start, rows.len()), rows.len());
        output::booleans(cut(&marked, start, rows.len()), rows.len(), nulls)
    });
    output::export(py, &column, output::field(DataType::Boolean), results.collect())
}

/// Distinct positions, how often each occurs, and which of them each row is.
type Unique<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>);

/// The distinct positions in order of first occurrence, their counts, and each row's place there.
#[pyfunction]
#[pyo3(signature = (x, chess960, hash_bits=64))]
pub(crate) fn unique<'py>(
    py: Python<'py>,
    x: &Bound<'py, PyAny>,
    chess960: bool,
    hash_bits: u32,
) -> PyResult<Unique<'py>> {
    let column = Column::import(x, "x")?.unpacked()?;
    let chunks = column.rows()?;
    let sorted = Sorted::of(py, &column, &chunks, chess960, hash_bits)?;
    let firsts = zeroes(total(&chunks));
    sorted.groups(py, |records, table| {
        dedup::firsts(records, table, |row, first| firsts[row as usize].store(first, Relaxed));
    })?;
    let positions = sorted.canonical_firsts(py, &chunks, &firsts)?;
    let (places, counts) = sorted.number(&firsts);
    let inverse = chunks.iter().zip(starts(&chunks)).map(|(rows, start)| {
        let nulls = output::nulls(cut(&sorted.known, start, rows.len()), rows.len());
        output::places(places[start..][..rows.len()].to_vec(), nulls)
    });
    let one = |array, field| output::hand_over(py, vec![array], field, false);
    Ok((
        one(output::positions(positions, None)?, output::position_field())?,
        one(output::places(counts, None), output::field(DataType::Int64))?,
        output::export(py, &column, output::field(DataType::Int64), inverse.collect())?,
    ))
}
