//! What positions are told apart by: keys and identity bytes.

use arrow_array::ArrayRef;
use arrow_buffer::NullBuffer;
use arrow_schema::DataType;
use bytemuck::Pod;
use fenpack_core::position::Board;
use fenpack_core::{By, Identity, Position};
use fenpack_core::{key::key as hash, zobrist::zobrist as polyglot};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::input::{Accept, Column};
use crate::jobs::{FirstBad, bit_words, jobs, starts, total, words, zeroed};
use crate::options::choose;
use crate::output;
use crate::reading::Reader;
use crate::threads::{self, JOB, level};

/// The key of each position.
#[pyfunction]
pub(crate) fn key<'py>(
    py: Python<'py>,
    x: &Bound<'py, PyAny>,
    bits: u32,
    chess960: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let of = move |position: &Position| {
        hash(&Identity::of(position, &Board::of(position), By::Position, chess960))
    };
    match bits {
        64 => each(py, x, chess960, |position| of(position) as u64, DataType::UInt64, integers),
        128 => {
            let of = |position: &Position| of(position).to_be_bytes();
            each(py, x, chess960, of, DataType::FixedSizeBinary(16), fixed)
        }
        _ => Err(PyValueError::new_err(format!("bits must be 64 or 128, got {bits}"))),
    }
}

/// Polyglot's key of each position.
#[pyfunction]
pub(crate) fn zobrist<'py>(
    py: Python<'py>,
    x: &Bound<'py, PyAny>,
    chess960: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let of = |position: &Position| polyglot(position, &Board::of(position), chess960);
    each(py, x, chess960, of, DataType::UInt64, integers)
}

/// The bytes that two rows share if and only if they count as one.
#[pyfunction]
pub(crate) fn identity<'py>(
    py: Python<'py>,
    x: &Bound<'py, PyAny>,
    by: &str,
    chess960: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let by = choose("by", by, &By::ALL)?;
    let of = move |position: &Position| {
        Identity::of(position, &Board::of(position), by, chess960).to_bytes()
    };
    each(py, x, chess960, of, DataType::FixedSizeBinary(Identity::SIZE as i32), fixed)
}

fn integers(values: Vec<u64>, nulls: Option<NullBuffer>) -> PyResult<ArrayRef> {
    Ok(output::integers(values, nulls))
}

fn fixed<const WIDTH: usize>(
    values: Vec<[u8; WIDTH]>,
    nulls: Option<NullBuffer>,
) -> PyResult<ArrayRef> {
    output::fixed(WIDTH, values.into_flattened().into(), nulls)
}

/// `of` each position as a column of `data_type`, made by `make`; null where there is no position.
fn each<'py, T: Pod + Send>(
    py: Python<'py>,
    x: &Bound<'py, PyAny>,
    chess960: bool,
    of: impl Fn(&Position) -> T + Sync,
    data_type: DataType,
    make: impl Fn(Vec<T>, Option<NullBuffer>) -> PyResult<ArrayRef>,
) -> PyResult<Bound<'py, PyAny>> {
    let level = level()?;
    let column = Column::import(x, "x")?;
    let reader = Reader { level, kind: column.kind(Accept::Either)?, chess960 };
    let chunks = column.rows()?;
    let mut values = zeroed::<T>(&chunks, |len| len)?;
    let mut known = words(&chunks, bit_words)?;
    let bad = FirstBad::default();
    let outs =
        values.iter_mut().zip(&mut known).zip(starts(&chunks)).map(|((values, known), offset)| {
            let outs = values.chunks_mut(JOB).zip(known.chunks_mut(JOB / 64));
            outs.map(move |(values, known)| (values, known, offset))
        });
    threads::run(py, total(&chunks), jobs(&chunks, outs), |job| {
        let range = job.range();
        let (values, known, offset) = job.out;
        let result = reader.blocks(job.rows, range, |block| {
            let at = block.start - job.start;
            let bits = block.known_bits();
            known[at / 64..][..bits.len()].copy_from_slice(bits);
            for (i, position) in block.known() {
                values[at + i] = of(position);
            }
        });
        bad.note(offset, result);
    })?;
    bad.check(&column)?;
    let results = chunks
        .iter()
        .zip(values)
        .zip(known)
        .map(|((rows, values), known)| make(values, output::nulls(known, rows.len())))
        .collect::<PyResult<Vec<_>>>()?;
    output::export(py, &column, output::field(data_type), results)
}
