//! Exact deduplication of a whole data set, fed in columns, within a budget of memory.

mod groups;
mod runs;

use std::io;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, MutexGuard};

use fenpack_core::By;
use fenpack_core::dedup::{self, CAUSES, Hash, Keep, MOST_ROWS, Record, Run, SPELLED, Taking};
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::bits::{cut, set};
use crate::input::{Accept, Column, Kind};
use crate::jobs::{FirstBad, bit_words, total};
use crate::options::choose;
use crate::output;
use crate::stretches::{Piece, stretches};
use crate::threads;
use groups::{Groups, Outcome};
use runs::Runs;

/// Rows sorted at once, and the bits of a partition's number.
const STRETCH: usize = 1 << 17;
const BITS: u32 = 12;

/// What is done with rows that have no position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unreadable {
    Keep,
    Drop,
}

struct State {
    rows: usize,
    runs: Runs,
    /// Memory of earlier calls: fresh pages cost as much as sorting.
    spare: Vec<Vec<Record<SPELLED>>>,
    /// Rows that are left out, one bit each.
    dropped: Vec<AtomicU64>,
    unreadable: usize,
    first_unreadable: Option<usize>,
    outcome: Option<Outcome>,
}

/// Rows compared with all others of a data set.
#[pyclass(frozen, module = "fenpack._native")]
pub(crate) struct Deduplicator {
    by: By,
    keep: Keep,
    chess960: bool,
    counts: bool,
    unreadable: Unreadable,
    hash: Hash,
    budget: usize,
    state: Mutex<State>,
}

#[pymethods]
impl Deduplicator {
    /// Know no row yet; records beyond `budget` bytes go to a file in `directory`.
    #[new]
    #[pyo3(signature = (by, keep, chess960, counts, unreadable, budget, directory, hash_bits=64))]
    #[allow(clippy::too_many_arguments, reason = "as many as the command has options")]
    fn new(
        by: &str,
        keep: &str,
        chess960: bool,
        counts: bool,
        unreadable: &str,
        budget: usize,
        directory: PathBuf,
        hash_bits: u32,
    ) -> PyResult<Self> {
        let keeps = [("first", Keep::First), ("last", Keep::Last), ("none", Keep::None)];
        let policies = [("keep", Unreadable::Keep), ("drop", Unreadable::Drop)];
        let state = State {
            rows: 0,
            runs: Runs::new(directory, budget),
            spare: Vec::new(),
            dropped: Vec::new(),
            unreadable: 0,
            first_unreadable: None,
            outcome: None,
        };
        Ok(Self {
            by: choose("by", by, &By::ALL)?,
            keep: choose("keep", keep, &keeps)?,
            chess960,
            counts,
            unreadable: choose("unreadable", unreadable, &policies)?,
            hash: Hash::truncated(hash_bits),
            budget,
            state: Mutex::new(state),
        })
    }

    /// Take in the next rows. An object that raised is of no further use.
    fn feed(&self, py: Python<'_>, x: &Bound<'_, PyAny>) -> PyResult<()> {
        let level = threads::level()?;
        let column = Column::import(x, "x")?.unpacked()?;
        let kind = column.kind(Accept::Either)?;
        let chunks = column.rows()?;
        let mut state = self.lock()?;
        if state.outcome.is_some() {
            return Err(PyRuntimeError::new_err("the rows were compared already"));
        }
        let before = state.rows;
        let rows = total(&chunks);
        if (before + rows) as u64 >= MOST_ROWS {
            return Err(PyValueError::new_err(format!("more than {MOST_ROWS} rows")));
        }
        let stretches = stretches(&chunks, STRETCH);
        let mut taken: Vec<(Run<SPELLED>, Vec<usize>)> = vec![Default::default(); stretches.len()];
        let bad = FirstBad::default();
        let spare = Mutex::new(std::mem::take(&mut state.spare));
        let room = || spare.lock().ok().and_then(|mut spare| spare.pop()).unwrap_or_default();
        threads::run(py, rows, stretches.iter().zip(&mut taken).collect(), |(stretch, taken)| {
            let mut records = room();
            records.clear();
            records.reserve(STRETCH.min(rows));
            for Piece { rows, range, offset } in stretch {
                let from = records.len();
                let taking = |at| {
                    let row = (before + offset + at) as u64;
                    Taking { by: self.by, chess960: self.chess960, row }
                };
                match kind {
                    Kind::Text => rows.text_blocks(range.clone(), |block, at| {
                        dedup::take_texts(level, block, taking(at), &mut records);
                    }),
                    Kind::Positions => {
                        let result = rows.position_blocks(range.clone(), |block, at| {
                            dedup::take_positions(block, taking(at), &mut records)
                        });
                        bad.note(before + offset, result);
                    }
                }
                let (start, end) = (before + offset + range.start, before + offset + range.end);
                gaps(&records[from..], start, end, |row| taken.1.push(row));
            }
            taken.0 = Run::sort(&records, self.hash, BITS, room());
            if let Ok(mut spare) = spare.lock() {
                spare.push(records);
            }
        })?;
        bad.check(&column)?;
        let State { runs, spare: kept, dropped, unreadable, first_unreadable, .. } = &mut *state;
        *kept = spare.into_inner().unwrap_or_default();
        dropped.resize_with(bit_words(before + rows), AtomicU64::default);
        for (run, gaps) in taken {
            kept.extend(runs.push(run).map_err(|error| disk(&error, runs))?);
            *unreadable += gaps.len();
            *first_unreadable = first_unreadable.or(gaps.first().copied());
            if self.unreadable == Unreadable::Drop {
                gaps.into_iter().for_each(|row| set(dropped, row));
            }
        }
        state.rows += rows;
        Ok(())
    }

    /// Compare all rows.
    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        let mut state = self.lock()?;
        if state.outcome.is_some() {
            return Err(PyRuntimeError::new_err("the rows were compared already"));
        }
        let State { runs, dropped, .. } = &*state;
        let room = self.budget / 8;
        let jobs = runs.groups(1 << BITS, room);
        let total = Mutex::new(Ok(Outcome::default()));
        threads::run(py, runs.records(), jobs, |partitions| {
            let mut groups = Groups::new(self.hash, self.keep, self.counts, dropped);
            let found = runs.load(&partitions, room, |loaded| {
                for partition in partitions.clone() {
                    groups.take(partition, loaded);
                }
            });
            let found = found.map(|()| groups.outcome());
            if let Ok(mut total) = total.lock() {
                match (&mut *total, found) {
                    (Ok(total), Ok(found)) => total.merge(found),
                    (Ok(_), Err(error)) => *total = Err(error),
                    (Err(_), _) => {}
                }
            }
        })?;
        let total = total.into_inner().map_err(|_| broken())?;
        let mut outcome = total.map_err(|error| disk(&error, runs))?;
        outcome.counts.sort_unstable();
        let spilled = runs.spilled();
        state.runs = Runs::new(PathBuf::new(), 0);
        state.spare = Vec::new();
        state.outcome = Some(Outcome { spilled, ..outcome });
        Ok(())
    }

    /// Tell which of `length` rows from `start` on are kept.
    fn kept<'py>(
        &self,
        py: Python<'py>,
        start: usize,
        length: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let state = self.compared(start, length)?;
        let kept = cut(&state.dropped, start, length).into_iter().map(|word| !word).collect();
        let array = output::booleans(kept, length, None);
        output::hand_over(py, vec![array], output::field(arrow_schema::DataType::Boolean), false)
    }

    /// Give how many rows each of the kept ones among `length` rows from `start` on stands for.
    fn counts<'py>(
        &self,
        py: Python<'py>,
        start: usize,
        length: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let state = self.compared(start, length)?;
        let mut counts = vec![1; length];
        if let Some(outcome) = &state.outcome {
            let at = |row: usize| outcome.counts.partition_point(|&(other, _)| other < row as u64);
            for &(row, count) in &outcome.counts[at(start)..at(start + length)] {
                counts[row as usize - start] = count as i64;
            }
        }
        let array = output::places(counts, None);
        output::hand_over(py, vec![array], output::field(arrow_schema::DataType::Int64), false)
    }

    /// Give the numbers of rows: all, unreadable, the first unreadable, duplicates by cause, and the
    /// bytes that went to disk.
    fn report(&self) -> PyResult<Report> {
        let state = self.lock()?;
        let outcome = state.outcome.as_ref();
        let causes = CAUSES.map(|(name, cause)| {
            (name, outcome.map_or(0, |outcome| outcome.causes[cause as usize]))
        });
        let spilled = outcome.map_or(state.runs.spilled(), |outcome| outcome.spilled);
        Ok((state.rows, state.unreadable, state.first_unreadable, causes.to_vec(), spilled))
    }
}

/// Rows, unreadable rows and the first of them, duplicates by cause, bytes on disk.
type Report = (usize, usize, Option<usize>, Vec<(&'static str, u64)>, u64);

impl Deduplicator {
    fn lock(&self) -> PyResult<MutexGuard<'_, State>> {
        self.state.try_lock().map_err(|_| broken())
    }

    fn compared(&self, start: usize, length: usize) -> PyResult<MutexGuard<'_, State>> {
        let state = self.lock()?;
        if state.outcome.is_none() {
            return Err(PyRuntimeError::new_err("the rows were not compared yet"));
        }
        match start.checked_add(length) {
            Some(end) if end <= state.rows => Ok(state),
            _ => Err(PyValueError::new_err(format!(
                "rows {start} to {start} + {length} are not among {}",
                state.rows
            ))),
        }
    }
}

fn broken() -> PyErr {
    PyRuntimeError::new_err("a deduplicator takes one call at a time, and none after a failure")
}

/// Hands the rows from `start` to `end` that have no record to `visit`.
fn gaps(records: &[Record<SPELLED>], start: usize, end: usize, mut visit: impl FnMut(usize)) {
    let mut next = start;
    for row in records.iter().map(|record| record.row() as usize) {
        (next..row).for_each(&mut visit);
        next = row + 1;
    }
    (next..end).for_each(visit);
}

fn disk(error: &io::Error, runs: &Runs) -> PyErr {
    let directory = runs.directory().to_string_lossy().into_owned();
    match error.raw_os_error() {
        Some(code) => {
            let text = error.to_string();
            let text = text.split(" (os error").next().unwrap_or_default().to_owned();
            if cfg!(windows) {
                // Python makes the number of POSIX from the one of Windows, which comes fourth.
                PyOSError::new_err((0, text, directory, code))
            } else {
                PyOSError::new_err((code, text, directory))
            }
        }
        None => PyOSError::new_err(format!("{directory}: {error}")),
    }
}
