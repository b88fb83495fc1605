//! Counts over whole data sets, fed in columns.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Mutex;

use fenpack_core::audit::{self, Census, Distinct, Ladder, Part, Start};
use fenpack_core::problem::{Severity, TABLE};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::input::{Accept, Column, Kind, Rows};
use crate::jobs::{FirstBad, starts};
use crate::threads::{self, JOB};

/// Names with their counts.
type Counts = HashMap<&'static str, u64>;

/// One code: its bit, how many rows have it, and the first of them by source, row and text.
type Found<'py> = (u64, u64, Vec<(usize, usize, Bound<'py, PyBytes>)>);

/// A rung of the ladder: its name, the distinct values, and whether the number is exact.
type Rung = (&'static str, u64, bool);

struct State {
    /// Rows fed so far; not those that came by a merge.
    fed: usize,
    census: Census,
    ladder: Ladder,
    /// Room for the next rows, kept from call to call.
    parts: Vec<Part>,
}

/// Running counts over the columns of one source.
#[pyclass(frozen, module = "fenpack._native")]
pub(crate) struct Audit {
    chess960: bool,
    most: usize,
    source: usize,
    state: Mutex<State>,
}

/// Stretches worked on before their hashes are taken in, which bounds the room for them.
const AT_ONCE: usize = 32;

/// A stretch of one chunk's rows, and the row of the source that its first one is.
struct Stretch<'a> {
    rows: &'a Rows<'a>,
    range: Range<usize>,
    start: usize,
}

/// The rows of `chunks` in pieces of one job; the first is row `fed` of the source.
fn stretches<'a>(chunks: &'a [Rows<'a>], fed: usize) -> Vec<Stretch<'a>> {
    let cut = |(rows, first): (&'a Rows<'a>, usize)| {
        (0..rows.len()).step_by(JOB).map(move |start| {
            let range = start..rows.len().min(start + JOB);
            Stretch { rows, range, start: fed + first + start }
        })
    };
    chunks.iter().zip(starts(chunks)).flat_map(cut).collect()
}

#[pymethods]
impl Audit {
    /// Count nothing yet, examples as those of `source`.
    #[new]
    #[pyo3(signature = (chess960, examples, source, exact=audit::EXACT))]
    fn new(chess960: bool, examples: usize, source: usize, exact: usize) -> Self {
        let ladder = Ladder::new(exact);
        let state = State { fed: 0, census: Census::new(examples), ladder, parts: Vec::new() };
        Self { chess960, most: examples, source, state: Mutex::new(state) }
    }

    /// Count the rows of a column. An audit that raised is of no further use.
    fn feed(&self, py: Python<'_>, x: &Bound<'_, PyAny>) -> PyResult<()> {
        let level = threads::level()?;
        let column = Column::import(x, "x")?.unpacked()?;
        let kind = column.kind(Accept::Either)?;
        let chunks = column.rows()?;
        let mut state = self.lock(py)?;
        let State { fed, census, ladder, parts } = &mut *state;
        let before = *fed;
        for stretches in stretches(&chunks, before).chunks(AT_ONCE) {
            let rows = stretches.iter().map(|stretch| stretch.range.len()).sum();
            parts.resize_with(parts.len().max(stretches.len()), || Part::new(self.most));
            let bad = FirstBad::default();
            threads::run(py, rows, stretches.iter().zip(&mut *parts).collect(), |job| {
                let (Stretch { rows, range, start }, part) = job;
                let at = |row| Start { source: self.source, row: start + row - range.start };
                match kind {
                    Kind::Text => rows.text_blocks(range.clone(), |block, row| {
                        audit::take_texts(level, block, self.chess960, at(row), part);
                    }),
                    Kind::Positions => {
                        let result = rows.position_blocks(range.clone(), |block, row| {
                            audit::take_positions(block, self.chess960, at(row), part)
                        });
                        bad.note(start - before - range.start, result);
                    }
                }
            })?;
            bad.check(&column)?;
            threads::run(py, rows, ladder.sets.iter_mut().enumerate().collect(), |(i, set)| {
                parts.iter().for_each(|part| set.extend(&part.hashes[i]));
            })?;
            parts.iter_mut().for_each(|part| census.merge(part.reset(self.most)));
            *fed += rows;
        }
        Ok(())
    }

    /// Add all that `other` has counted.
    fn merge(&self, py: Python<'_>, other: &Bound<'_, Self>) -> PyResult<()> {
        let other = other.get();
        if std::ptr::eq(self, other) {
            return Err(PyRuntimeError::new_err("an audit cannot be merged with itself"));
        }
        // In the order of their addresses, so that two merges never wait for one another.
        let (mut here, there) = if std::ptr::from_ref(self) < std::ptr::from_ref(other) {
            let here = self.lock(py)?;
            (here, other.lock(py)?)
        } else {
            let there = other.lock(py)?;
            (self.lock(py)?, there)
        };
        let State { census, ladder, .. } = &mut *here;
        census.merge(there.census.clone());
        let pairs: Vec<_> = ladder.sets.iter_mut().zip(&there.ladder.sets).collect();
        threads::run(py, there.census.rows as usize, pairs, |(here, there)| here.merge(there))
    }

    /// Give the rows in total, null, readable and so on.
    fn totals(&self, py: Python<'_>) -> PyResult<Counts> {
        let state = self.lock(py)?;
        let Census { rows, nulls, readable, valid, turned, texts, .. } = state.census;
        Ok(HashMap::from([
            ("rows", rows),
            ("nulls", nulls),
            ("readable", readable),
            ("valid", valid),
            ("turned", turned),
            ("texts", texts),
        ]))
    }

    /// Give the counts of each group by name.
    fn habits(&self, py: Python<'_>) -> PyResult<HashMap<&'static str, Vec<(&'static str, u64)>>> {
        let state = self.lock(py)?;
        let census = &state.census;
        let named = |names: &[&'static str], counts: &[u64]| {
            names.iter().copied().zip(counts.iter().copied()).collect()
        };
        Ok(HashMap::from([
            ("grades", named(&audit::GRADES, &census.grades)),
            ("severities", named(&Severity::ALL.map(Severity::name), &census.severities)),
            ("fields", named(&audit::FIELDS, &census.fields)),
            ("castling", named(&audit::CASTLING, &census.castling)),
            ("geometry", named(&audit::GEOMETRY, &census.geometry)),
            ("rights", named(&audit::RIGHTS, &census.rights)),
            ("en_passant", named(&audit::EN_PASSANT, &census.en_passant)),
            ("counters", named(&audit::COUNTERS, &census.counters)),
            ("side_to_move", named(&["white", "black"], &census.sides)),
        ]))
    }

    /// Give the readable rows with 0 to 64 men.
    fn men(&self, py: Python<'_>) -> PyResult<Vec<u64>> {
        Ok(self.lock(py)?.census.men.to_vec())
    }

    /// Give each code that occurs with its count and its first rows.
    fn problems<'py>(&self, py: Python<'py>) -> PyResult<Vec<Found<'py>>> {
        let state = self.lock(py)?;
        let census = &state.census;
        let found = TABLE.iter().zip(census.problems.iter().zip(&census.examples));
        let found =
            found.filter(|(_, (count, _))| **count > 0).map(|(entry, (count, examples))| {
                let examples = examples
                    .iter()
                    .map(|example| (example.source, example.row, PyBytes::new(py, &example.text)));
                (entry.bit, *count, examples.collect())
            });
        Ok(found.collect())
    }

    /// Give the distinct rows on each rung of the ladder, finest first.
    fn ladder(&self, py: Python<'_>) -> PyResult<Vec<Rung>> {
        let mut state = self.lock(py)?;
        let State { fed, ladder, .. } = &mut *state;
        threads::run(py, *fed, ladder.sets.iter_mut().collect(), |set: &mut Distinct| {
            set.count();
        })?;
        let rungs = audit::LADDER.iter().zip(ladder.counts());
        Ok(rungs.map(|(name, count)| (*name, count.distinct, count.exact)).collect())
    }

    /// The distinct values up to which a count is exact.
    #[classattr]
    const EXACT: usize = audit::EXACT;

    /// The relative standard error of a count that is not exact.
    #[classattr]
    #[pyo3(name = "ERROR")]
    fn error() -> f64 {
        audit::sketch_error()
    }
}

impl Audit {
    /// The state; waits for another thread's call without the GIL.
    fn lock(&self, py: Python<'_>) -> PyResult<std::sync::MutexGuard<'_, State>> {
        use pyo3::sync::MutexExt;
        let broken = |_| PyRuntimeError::new_err("an earlier call of this audit failed");
        self.state.lock_py_attached(py).map_err(broken)
    }
}
