//! Columns out: results as pyarrow arrays, in the input's chunks.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::types::{BinaryType, ByteArrayType, LargeBinaryType, LargeUtf8Type, Utf8Type};
use arrow_array::{
    ArrayRef, BooleanArray, FixedSizeBinaryArray, GenericByteArray, Int64Array, StructArray,
    UInt64Array,
};
use arrow_buffer::{
    ArrowNativeType, BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer,
};
use arrow_schema::{DataType, Field, Fields};
use fenpack_core::Position;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3_arrow::{PyArray, PyChunkedArray};

use crate::errors::invalid;
use crate::input::{Column, EXTENSION};

/// Hands `results`, one per chunk of `column`, to Python.
pub(crate) fn export<'py>(
    py: Python<'py>,
    column: &Column,
    field: Field,
    results: Vec<ArrayRef>,
) -> PyResult<Bound<'py, PyAny>> {
    let results = column
        .chunks()
        .iter()
        .zip(results)
        .map(|(chunk, result)| chunk.spread(result))
        .collect::<PyResult<Vec<_>>>()?;
    hand_over(py, results, field, column.chunked)
}

/// Hands `chunks` of `field`'s type to Python: a ChunkedArray if `chunked`, else the one Array.
pub(crate) fn hand_over<'py>(
    py: Python<'py>,
    mut chunks: Vec<ArrayRef>,
    field: Field,
    chunked: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let field = Arc::new(field);
    if !chunked && chunks.len() == 1 {
        let array = PyArray::try_new(chunks.remove(0), field).map_err(invalid)?;
        return py.import(intern!(py, "pyarrow"))?.call_method1(intern!(py, "array"), (array,));
    }
    PyChunkedArray::try_new(chunks, field)?.into_pyarrow(py)
}

/// A nullable column of `data_type`.
pub(crate) fn field(data_type: DataType) -> Field {
    Field::new("", data_type, true)
}

/// A column of packed positions.
pub(crate) fn position_field() -> Field {
    let metadata = HashMap::from([
        ("ARROW:extension:name".to_owned(), EXTENSION.to_owned()),
        ("ARROW:extension:metadata".to_owned(), String::new()),
    ]);
    field(DataType::FixedSizeBinary(Position::SIZE as i32)).with_metadata(metadata)
}

/// The rows whose bit in `words` is clear, as nulls.
pub(crate) fn nulls(words: Vec<u64>, len: usize) -> Option<NullBuffer> {
    let nulls = NullBuffer::new(bits(words, len));
    (nulls.null_count() > 0).then_some(nulls)
}

fn bits(words: Vec<u64>, len: usize) -> BooleanBuffer {
    BooleanBuffer::new(Buffer::from_vec(words), 0, len)
}

/// A uint64 array.
pub(crate) fn integers(values: Vec<u64>, nulls: Option<NullBuffer>) -> ArrayRef {
    Arc::new(UInt64Array::new(ScalarBuffer::from(values), nulls))
}

/// An int64 array.
pub(crate) fn places(values: Vec<i64>, nulls: Option<NullBuffer>) -> ArrayRef {
    Arc::new(Int64Array::new(ScalarBuffer::from(values), nulls))
}

/// A boolean array of the low `len` bits of `words`.
pub(crate) fn booleans(words: Vec<u64>, len: usize, nulls: Option<NullBuffer>) -> ArrayRef {
    Arc::new(BooleanArray::new(bits(words, len), nulls))
}

/// An array of packed positions.
pub(crate) fn positions(words: Vec<u64>, nulls: Option<NullBuffer>) -> PyResult<ArrayRef> {
    fixed(Position::SIZE, Buffer::from_vec(words), nulls)
}

/// An array of values of `width` bytes.
pub(crate) fn fixed(width: usize, values: Buffer, nulls: Option<NullBuffer>) -> PyResult<ArrayRef> {
    let array = FixedSizeBinaryArray::try_new(width as i32, values, nulls).map_err(invalid)?;
    Ok(Arc::new(array))
}

/// A stretch of text rows: their bytes and where each ends.
#[derive(Default)]
pub(crate) struct Lines {
    pub(crate) text: Vec<u8>,
    pub(crate) ends: Vec<usize>,
}

impl Lines {
    /// The length of the longest row.
    pub(crate) fn longest(&self) -> usize {
        let starts = std::iter::once(&0).chain(&self.ends);
        self.ends.iter().zip(starts).map(|(end, start)| end - start).max().unwrap_or(0)
    }
}

/// A string array of `parts` in order, with 64-bit offsets if `large`.
pub(crate) fn strings(
    parts: &[Lines],
    nulls: Option<NullBuffer>,
    large: bool,
) -> PyResult<ArrayRef> {
    if large { join::<LargeUtf8Type>(parts, nulls) } else { join::<Utf8Type>(parts, nulls) }
}

/// A binary array of `parts` in order, with 64-bit offsets if `large`.
pub(crate) fn binaries(
    parts: &[Lines],
    nulls: Option<NullBuffer>,
    large: bool,
) -> PyResult<ArrayRef> {
    if large { join::<LargeBinaryType>(parts, nulls) } else { join::<BinaryType>(parts, nulls) }
}

fn join<T: ByteArrayType>(parts: &[Lines], nulls: Option<NullBuffer>) -> PyResult<ArrayRef> {
    let mut offsets =
        Vec::with_capacity(parts.iter().map(|part| part.ends.len()).sum::<usize>() + 1);
    let mut text = Vec::with_capacity(parts.iter().map(|part| part.text.len()).sum());
    offsets.push(T::Offset::default());
    for part in parts {
        let base = text.len();
        offsets.extend(part.ends.iter().map(|end| T::Offset::usize_as(base + end)));
        text.extend_from_slice(&part.text);
    }
    let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
    let array =
        GenericByteArray::<T>::try_new(offsets, Buffer::from_vec(text), nulls).map_err(invalid)?;
    Ok(Arc::new(array))
}

/// The columns of a repaired row.
fn repair_fields(large: bool) -> Fields {
    let text = if large { DataType::LargeUtf8 } else { DataType::Utf8 };
    Fields::from(vec![Field::new("fen", text, true), Field::new("repairs", DataType::UInt64, true)])
}

/// The type of a repaired row: its text and its repairs.
pub(crate) fn repair_type(large: bool) -> DataType {
    DataType::Struct(repair_fields(large))
}

/// An array of repaired rows.
pub(crate) fn repairs(
    fens: ArrayRef,
    repairs: ArrayRef,
    nulls: Option<NullBuffer>,
) -> PyResult<ArrayRef> {
    let fields = repair_fields(*fens.data_type() == DataType::LargeUtf8);
    let array = StructArray::try_new(fields, vec![fens, repairs], nulls).map_err(invalid)?;
    Ok(Arc::new(array))
}
