//! Problems for people: the table, names of bits, counts, and what is wrong with one text.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, UInt64Type};
use arrow_array::{Array, ArrayRef, DictionaryArray, Int8Array, ListArray, StringArray};
use arrow_buffer::{OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field as ArrowField};
use fenpack_core::diagnosis;
use fenpack_core::parse::Field;
use fenpack_core::problem::TABLE;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::errors::invalid;
use crate::import::{Imported, import};
use crate::options::dialect_named;
use crate::output;

/// Name, severity and rule of every code, in the order of its bit.
#[pyfunction]
pub(crate) fn problem_table() -> Vec<(&'static str, &'static str, &'static str)> {
    TABLE.iter().map(|entry| (entry.name, entry.severity.name(), entry.rule)).collect()
}

const fn field_name(field: Field) -> &'static str {
    match field {
        Field::Text => "text",
        Field::Placement => "placement",
        Field::Turn => "turn",
        Field::Castling => "castling",
        Field::EnPassant => "en_passant",
        Field::Halfmove => "halfmove",
        Field::Fullmove => "fullmove",
        Field::Operations => "operations",
    }
}

/// One finding: bit, field, start and end byte, rank, count, squares as a mask.
type Finding = (u64, &'static str, usize, usize, Option<u8>, usize, u64);

/// Problem bits, readable, findings, and the repaired text, of one text.
#[pyfunction]
pub(crate) fn diagnose(
    py: Python<'_>,
    text: &[u8],
    dialect: &str,
    chess960: bool,
) -> PyResult<(u64, bool, Vec<Finding>, Option<String>)> {
    let dialect = dialect_named(dialect)?;
    let found = py.detach(|| diagnosis::diagnose(text, dialect, chess960));
    let findings = found.places.into_iter().map(|place| {
        let finding = place.finding;
        let span = finding.span;
        let field = field_name(finding.field);
        (finding.problem, field, span.start, span.end, finding.rank, finding.count, place.squares)
    });
    let repaired = found.repaired.map(|text| String::from_utf8_lossy(&text).into_owned());
    Ok((found.problems, found.readable, findings.collect(), repaired))
}

/// The uint64 chunks of `problems` and whether they came in chunks.
fn problem_chunks(problems: &Bound<'_, PyAny>) -> PyResult<(Vec<ArrayRef>, bool)> {
    let is_problems = |kind: &DataType| *kind == DataType::UInt64;
    let Imported { field, chunks, chunked } = import(problems, "problems", is_problems)?;
    if !is_problems(field.data_type()) {
        return Err(PyTypeError::new_err(format!(
            "problems must be a column of uint64, as validate returns it, got {}",
            field.data_type()
        )));
    }
    Ok((chunks, chunked))
}

/// The names of the bits of each row, as a list of dictionary-encoded strings.
#[pyfunction]
pub(crate) fn problem_names<'py>(
    py: Python<'py>,
    problems: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let (chunks, chunked) = problem_chunks(problems)?;
    let item = DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8));
    let item = Arc::new(ArrowField::new("item", item, true));
    let names: ArrayRef =
        Arc::new(StringArray::from_iter_values(TABLE.iter().map(|entry| entry.name)));
    let spell = |chunk| names_of(chunk, &names, &item);
    let lists = py.detach(|| chunks.iter().map(spell).collect::<PyResult<Vec<_>>>())?;
    output::hand_over(py, lists, output::field(DataType::List(item)), chunked)
}

fn names_of(problems: &ArrayRef, names: &ArrayRef, item: &Arc<ArrowField>) -> PyResult<ArrayRef> {
    let problems = problems.as_primitive::<UInt64Type>();
    let (mut keys, mut offsets) = (Vec::new(), vec![0i32]);
    for row in 0..problems.len() {
        let mut bits = if problems.is_null(row) { 0 } else { problems.value(row) };
        if bits >> TABLE.len() != 0 {
            return Err(PyValueError::new_err(format!(
                "problems row {row} has a bit beyond the {} codes: {bits:#x}",
                TABLE.len()
            )));
        }
        while bits != 0 {
            keys.push(bits.trailing_zeros() as i8);
            bits &= bits - 1;
        }
        let end = i32::try_from(keys.len()).map_err(|_| {
            PyValueError::new_err("more than 2147483647 names in one chunk; pass smaller chunks")
        })?;
        offsets.push(end);
    }
    let values = DictionaryArray::<Int8Type>::try_new(Int8Array::from(keys), names.clone())
        .map_err(invalid)?;
    let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
    let list =
        ListArray::try_new(item.clone(), offsets, Arc::new(values), problems.nulls().cloned());
    Ok(Arc::new(list.map_err(invalid)?))
}

/// Per code that occurs: its bit, how many rows have it, and the first of them.
#[pyfunction]
pub(crate) fn tally(problems: &Bound<'_, PyAny>) -> PyResult<Vec<(u64, usize, usize)>> {
    let (chunks, _) = problem_chunks(problems)?;
    let mut counts = [(0usize, 0usize); TABLE.len()];
    let mut offset = 0;
    for chunk in &chunks {
        let chunk = chunk.as_primitive::<UInt64Type>();
        for (row, &bits) in chunk.values().iter().enumerate().filter(|(_, bits)| **bits != 0) {
            if chunk.is_null(row) {
                continue;
            }
            for (i, (count, first)) in counts.iter_mut().enumerate() {
                if bits >> i & 1 == 1 {
                    if *count == 0 {
                        *first = offset + row;
                    }
                    *count += 1;
                }
            }
        }
        offset += chunk.len();
    }
    let found = counts.iter().enumerate().filter(|(_, (count, _))| *count > 0);
    Ok(found.map(|(i, &(count, first))| (1 << i, count, first)).collect())
}
