//! A column cut into jobs, each with the room for its results.

use bytemuck::Zeroable;
use bytemuck::allocation::try_zeroed_vec;
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;

use crate::input::{BadRow, Column, Rows};
use crate::threads::JOB;

/// A stretch of one chunk's rows with the room for its results.
pub(crate) struct Job<'a, T> {
    pub(crate) rows: &'a Rows<'a>,
    pub(crate) start: usize,
    len: usize,
    pub(crate) out: T,
}

impl<T> Job<'_, T> {
    pub(crate) fn range(&self) -> std::ops::Range<usize> {
        self.start..self.start + self.len
    }
}

/// One job for every [`JOB`] rows, each with the next of the chunk's `outs`.
pub(crate) fn jobs<'a, T, O: IntoIterator<Item = T>>(
    chunks: &'a [Rows<'a>],
    outs: impl IntoIterator<Item = O>,
) -> Vec<Job<'a, T>> {
    let stretches = chunks.iter().zip(outs).flat_map(|(rows, outs)| {
        (0..rows.len()).step_by(JOB).zip(outs).map(move |(start, out)| Job {
            rows,
            start,
            len: JOB.min(rows.len() - start),
            out,
        })
    });
    stretches.collect()
}

pub(crate) fn total(chunks: &[Rows<'_>]) -> usize {
    chunks.iter().map(Rows::len).sum()
}

/// Zeroed words, `size(len)` for each chunk.
///
/// # Errors
/// MemoryError if this machine has no room for them.
pub(crate) fn words(chunks: &[Rows<'_>], size: impl Fn(usize) -> usize) -> PyResult<Words> {
    zeroed(chunks, size)
}

/// Zeroed values, `size(len)` for each chunk.
///
/// # Errors
/// MemoryError if this machine has no room for them.
pub(crate) fn zeroed<T: Zeroable>(
    chunks: &[Rows<'_>],
    size: impl Fn(usize) -> usize,
) -> PyResult<Vec<Vec<T>>> {
    let sizes = chunks.iter().map(|rows| size(rows.len()));
    check_room::<T>(sizes.clone().sum())?;
    // The values of a type that is no number would be written one by one.
    sizes.map(|size| try_zeroed_vec(size).map_err(|()| no_room::<T>(size))).collect()
}

/// Looks for room for `len` values: an allocation that fails ends the process.
///
/// # Errors
/// MemoryError if there is none.
pub(crate) fn check_room<T>(len: usize) -> PyResult<()> {
    Vec::<T>::new().try_reserve_exact(len).map_err(|_| no_room::<T>(len))
}

fn no_room<T>(len: usize) -> PyErr {
    let bytes = len as u128 * size_of::<T>() as u128;
    PyMemoryError::new_err(format!("the result takes {bytes} bytes, which cannot be had"))
}

/// The words that hold one bit per row.
pub(crate) fn bit_words(len: usize) -> usize {
    len.div_ceil(64)
}

/// Remembers the first row in the column's order that is no packed position.
#[derive(Default)]
pub(crate) struct FirstBad(std::sync::Mutex<Option<BadRow>>);

impl FirstBad {
    pub(crate) fn note(&self, offset: usize, result: Result<(), BadRow>) {
        if let (Err(error), Ok(mut first)) = (result, self.0.lock()) {
            let row = offset + error.row;
            if first.as_ref().is_none_or(|first| row < first.row) {
                *first = Some(BadRow { row, reason: error.reason });
            }
        }
    }

    pub(crate) fn check(self, column: &Column) -> PyResult<()> {
        self.check_as(column, "packed position")
    }

    /// Raises for the first bad row, which is no `what`.
    pub(crate) fn check_as(self, column: &Column, what: &str) -> PyResult<()> {
        match self.0.into_inner().ok().flatten() {
            None => Ok(()),
            Some(BadRow { row, reason }) => Err(PyValueError::new_err(format!(
                "{} row {row} is no {what}: {reason}",
                column.name()
            ))),
        }
    }
}

/// The row number of each chunk's first row.
pub(crate) fn starts(chunks: &[Rows<'_>]) -> Vec<usize> {
    let mut start = 0;
    let mut next = |len| {
        start += len;
        start - len
    };
    chunks.iter().map(|rows| next(rows.len())).collect()
}

/// The words of each chunk's results.
pub(crate) type Words = Vec<Vec<u64>>;
