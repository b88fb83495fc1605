//! Columns in: any Arrow producer, any string type, as rows of bytes.

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, LargeBinaryArray, OffsetSizeTrait,
    downcast_integer_array,
};
use arrow_buffer::{Buffer, NullBuffer};
use arrow_data::ByteView;
use arrow_schema::{DataType, Field};
use arrow_select::take::take;
use fenpack_core::row::{MaybePacked, MaybeRow, NotAPosition};
use fenpack_core::{Position, Row};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::errors::invalid;
use crate::import::{Imported, import};
use crate::jobs::check_room;
use crate::output;

/// The Arrow extension name of packed positions.
pub(crate) const EXTENSION: &str = "fenpack.position";

/// A column as it came from Python.
pub(crate) struct Column {
    /// The argument's name, for errors.
    name: String,
    field: Field,
    chunks: Vec<Chunk>,
    /// Whether it came in chunks and goes out in chunks.
    pub(crate) chunked: bool,
}

/// One array of a column: plain rows, and the dictionary keys that repeat them.
pub(crate) struct Chunk {
    rows: ArrayRef,
    keys: Option<ArrayRef>,
}

/// What the rows of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Positions,
}

/// What a function takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Accept {
    Text,
    Positions,
    Either,
}

impl Column {
    /// Imports `object`, the argument called `name`. What no function takes has no chunks: `kind`
    /// refuses it.
    pub(crate) fn import(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        Self::of(import(object, name, is_readable)?, name)
    }

    fn of(imported: Imported, name: &str) -> PyResult<Self> {
        let Imported { field, chunks, chunked } = imported;
        if let DataType::Struct(fields) = field.data_type() {
            let names: Vec<_> = fields.iter().map(|field| field.name().as_str()).collect();
            return Err(PyTypeError::new_err(format!(
                "{name} must be one column, got a frame or struct with the fields {}; select one, \
                 for example pyarrow.table({name})[{:?}]",
                names.join(", "),
                names.first().unwrap_or(&"fen"),
            )));
        }
        let chunks =
            chunks.into_iter().map(|chunk| Chunk::new(chunk, name)).collect::<PyResult<_>>()?;
        Ok(Self { name: name.to_owned(), field, chunks, chunked })
    }

    /// The column with every dictionary key replaced by its value.
    pub(crate) fn unpacked(mut self) -> PyResult<Self> {
        for chunk in &mut self.chunks {
            if let Some(keys) = chunk.keys.take() {
                chunk.rows = unkeyed(&chunk.rows, &keys, &self.name)?;
            }
        }
        Ok(self)
    }

    /// The chunks.
    pub(crate) fn chunks(&self) -> &[Chunk] {
        &self.chunks
    }

    /// Whether the text needs 64-bit offsets.
    pub(crate) fn is_large(&self) -> bool {
        matches!(value_type(self.field.data_type()), DataType::LargeUtf8 | DataType::LargeBinary)
    }

    /// Whether the rows are bytes rather than text.
    pub(crate) fn is_binary(&self) -> bool {
        matches!(
            value_type(self.field.data_type()),
            DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::Null
        )
    }

    /// What the rows are, if `accept` takes it.
    ///
    /// A binary column holds packed positions if every row is 40 bytes with a flags byte below 8:
    /// no readable text has such a control character there.
    pub(crate) fn kind(&self, accept: Accept) -> PyResult<Kind> {
        let data_type = value_type(self.field.data_type());
        let text = accept != Accept::Positions;
        let positions = accept != Accept::Text;
        match data_type {
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null if text => {
                Ok(Kind::Text)
            }
            DataType::Null => Ok(Kind::Positions),
            DataType::FixedSizeBinary(40) if positions => Ok(Kind::Positions),
            DataType::Binary | DataType::LargeBinary | DataType::BinaryView => match accept {
                Accept::Text => Ok(Kind::Text),
                Accept::Positions => Ok(Kind::Positions),
                Accept::Either if self.looks_packed()? => Ok(Kind::Positions),
                Accept::Either => Ok(Kind::Text),
            },
            _ => Err(PyTypeError::new_err(format!(
                "{} must be {}, got {}",
                self.name,
                match accept {
                    Accept::Text =>
                        "a column of FEN text (string, large_string, string_view, their binary twins, or a dictionary of one of them)",
                    Accept::Positions =>
                        "a column of packed positions (fenpack.position, fixed_size_binary[40] or binary)",
                    Accept::Either =>
                        "a column of FEN text (any string or binary type, or a dictionary of one) or of packed positions (fenpack.position or fixed_size_binary[40])",
                },
                if self.field.extension_type_name() == Some(EXTENSION) {
                    "packed positions; use format to make text of them".to_owned()
                } else {
                    format!("a column of {data_type}")
                },
            ))),
        }
    }

    fn looks_packed(&self) -> PyResult<bool> {
        const FLAGS: usize = 32;
        for chunk in &self.chunks {
            let rows = chunk.rows(&self.name)?;
            let packed = |i| match rows.bytes(i) {
                None => true,
                Some((window, len)) => len == Position::SIZE && window[FLAGS] < 8,
            };
            if !(0..rows.len()).all(packed) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The rows of each chunk.
    pub(crate) fn rows(&self) -> PyResult<Vec<Rows<'_>>> {
        self.chunks.iter().map(|chunk| chunk.rows(&self.name)).collect()
    }

    /// The argument's name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }
}

/// A column of text or positions as pyarrow has it: its own importer trusts what `import` checks.
#[pyfunction]
pub(crate) fn as_pyarrow<'py>(
    py: Python<'py>,
    x: &Bound<'py, PyAny>,
    name: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let imported = import(x, name, is_readable)?;
    let (field, chunks) = (imported.field.clone(), imported.chunks.clone());
    let column = Column::of(imported, name)?;
    column.kind(Accept::Either)?;
    column.rows()?;
    output::hand_over(py, chunks, field, column.chunked)
}

/// Whether a column holds positions rather than text.
#[pyfunction]
pub(crate) fn holds_positions(x: &Bound<'_, PyAny>, name: &str) -> PyResult<bool> {
    Ok(Column::import(x, name)?.kind(Accept::Either)? == Kind::Positions)
}

/// The type of the values behind a dictionary, or the type itself.
fn value_type(data_type: &DataType) -> &DataType {
    match data_type {
        DataType::Dictionary(keys, values) if keys.is_dictionary_key_type() => values,
        other => other,
    }
}

/// Whether some function takes a column of `data_type`.
fn is_readable(data_type: &DataType) -> bool {
    matches!(
        value_type(data_type),
        DataType::Utf8
            | DataType::LargeUtf8
            | DataType::Utf8View
            | DataType::Binary
            | DataType::LargeBinary
            | DataType::BinaryView
            | DataType::FixedSizeBinary(40)
            | DataType::Null
    )
}

impl Chunk {
    /// A dictionary of strings smaller than the column is judged once per value and the results
    /// repeated by key; any other is unpacked first, so that unused values are not looked at.
    fn new(array: ArrayRef, name: &str) -> PyResult<Self> {
        let Some(dictionary) = array.as_any_dictionary_opt() else {
            return Ok(Self { rows: array, keys: None });
        };
        let keys: ArrayRef = arrow_array::make_array(dictionary.keys().to_data());
        let values = dictionary.values().clone();
        let count = values.len();
        if !keys_in_range(&keys, count) {
            return Err(PyValueError::new_err(format!(
                "{name} has a dictionary key without a value"
            )));
        }
        let strings =
            matches!(values.data_type(), DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View);
        if strings && count <= keys.len() {
            return Ok(Self { rows: values, keys: Some(keys) });
        }
        Ok(Self { rows: unkeyed(&values, &keys, name)?, keys: None })
    }

    /// The number of rows of the column's chunk.
    pub(crate) fn len(&self) -> usize {
        self.keys.as_ref().unwrap_or(&self.rows).len()
    }

    /// Whether the plain rows are repeated by dictionary keys.
    pub(crate) fn is_dictionary(&self) -> bool {
        self.keys.is_some()
    }

    /// `result` of the plain rows, repeated by the dictionary keys.
    pub(crate) fn spread(&self, result: ArrayRef) -> PyResult<ArrayRef> {
        match &self.keys {
            None => Ok(result),
            Some(keys) => {
                check_room::<u8>(keys.len() * result.data_type().primitive_width().unwrap_or(1))?;
                take(&result, keys, None).map_err(invalid)
            }
        }
    }

    /// The bytes of row `i` of the column's chunk.
    pub(crate) fn text(&self, i: usize, name: &str) -> PyResult<Option<Vec<u8>>> {
        let row = self.keys.as_ref().map_or_else(
            || Ok(self.rows.slice(i, 1)),
            |keys| take(&self.rows, &keys.slice(i, 1), None),
        );
        let row = Chunk { rows: row.map_err(invalid)?, keys: None };
        Ok(row.rows(name)?.bytes(0).map(|(window, len)| window[..len].to_vec()))
    }

    fn rows(&self, name: &str) -> PyResult<Rows<'_>> {
        let array = &self.rows;
        let bytes = match array.data_type() {
            DataType::Utf8 => {
                let array = array.as_string::<i32>();
                offsets(array.value_offsets(), array.value_data()).map(Bytes::Small)
            }
            DataType::Binary => {
                let array = array.as_binary::<i32>();
                offsets(array.value_offsets(), array.value_data()).map(Bytes::Small)
            }
            DataType::LargeUtf8 => {
                let array = array.as_string::<i64>();
                offsets(array.value_offsets(), array.value_data()).map(Bytes::Large)
            }
            DataType::LargeBinary => {
                let array = array.as_binary::<i64>();
                offsets(array.value_offsets(), array.value_data()).map(Bytes::Large)
            }
            DataType::Utf8View => {
                let array = array.as_string_view();
                views(array.views(), array.data_buffers(), array.nulls())
            }
            DataType::BinaryView => {
                let array = array.as_binary_view();
                views(array.views(), array.data_buffers(), array.nulls())
            }
            DataType::FixedSizeBinary(width) => {
                let values = array.as_fixed_size_binary().value_data();
                let width = usize::try_from(*width).unwrap_or(0);
                (values.len() >= width * array.len()).then_some(Bytes::Fixed { width, values })
            }
            DataType::Null => Some(Bytes::Null),
            other => return Err(PyTypeError::new_err(format!("{name} has rows of {other}"))),
        };
        let bytes = bytes.ok_or_else(|| {
            PyValueError::new_err(format!(
                "{name} is no valid Arrow data: an offset lies outside its buffer"
            ))
        })?;
        Ok(Rows { bytes, nulls: array.nulls(), len: array.len() })
    }
}

/// The rows that `keys` make of `values`, as views: they copy no text and outgrow no offset.
fn unkeyed(values: &ArrayRef, keys: &ArrayRef, name: &str) -> PyResult<ArrayRef> {
    // What follows trusts the offsets.
    Chunk { rows: values.clone(), keys: None }.rows(name)?;
    check_room::<u128>(keys.len())?;
    let views: BinaryViewArray = match values.data_type() {
        DataType::Utf8 => (&BinaryArray::from(values.as_string::<i32>().clone())).into(),
        DataType::LargeUtf8 => (&LargeBinaryArray::from(values.as_string::<i64>().clone())).into(),
        DataType::Binary => values.as_binary::<i32>().into(),
        DataType::LargeBinary => values.as_binary::<i64>().into(),
        _ => return take(values, keys, None).map_err(invalid),
    };
    take(&views, keys, None).map_err(invalid)
}

/// Whether every dictionary key has one of `count` values.
#[allow(clippy::unnecessary_fallible_conversions, reason = "the key type varies")]
fn keys_in_range(keys: &dyn Array, count: usize) -> bool {
    downcast_integer_array!(
        keys => keys.iter().flatten().all(|key| usize::try_from(key).is_ok_and(|key| key < count)),
        _ => false
    )
}

/// The rows of one array as bytes in a buffer.
pub(crate) struct Rows<'a> {
    bytes: Bytes<'a>,
    nulls: Option<&'a NullBuffer>,
    len: usize,
}

enum Bytes<'a> {
    Small(Offsets<'a, i32>),
    Large(Offsets<'a, i64>),
    Views { views: &'a [u128], buffers: &'a [Buffer] },
    Fixed { width: usize, values: &'a [u8] },
    Null,
}

struct Offsets<'a, O> {
    offsets: &'a [O],
    values: &'a [u8],
}

/// The rows between `offsets`, if they all lie in `values`.
fn offsets<'a, O: OffsetSizeTrait>(offsets: &'a [O], values: &'a [u8]) -> Option<Offsets<'a, O>> {
    if offsets.len() <= 1 {
        // Without rows the one offset says nothing, and an importer may drop the values.
        return Some(Offsets { offsets, values });
    }
    let ordered = offsets.windows(2).all(|pair| pair[0] <= pair[1]);
    let inside = offsets.first().is_none_or(|first| *first >= O::zero())
        && offsets.last().is_none_or(|last| last.as_usize() <= values.len());
    (ordered && inside).then_some(Offsets { offsets, values })
}

/// The longest text that a view holds itself.
const INLINE: usize = 12;

/// The rows of `views`, if they all lie in `buffers`.
fn views<'a>(
    views: &'a [u128],
    buffers: &'a [Buffer],
    nulls: Option<&NullBuffer>,
) -> Option<Bytes<'a>> {
    let inside = |(i, view): (usize, &u128)| {
        let view = ByteView::from(*view);
        nulls.is_some_and(|nulls| nulls.is_null(i))
            || view.length as usize <= INLINE
            || buffers
                .get(view.buffer_index as usize)
                .is_some_and(|buffer| view.offset as usize + view.length as usize <= buffer.len())
    };
    views.iter().enumerate().all(inside).then_some(Bytes::Views { views, buffers })
}

impl<O: OffsetSizeTrait> Offsets<'_, O> {
    #[inline(always)]
    fn get(&self, i: usize) -> (&[u8], usize) {
        let start = self.offsets[i].as_usize();
        (&self.values[start..], self.offsets[i + 1].as_usize() - start)
    }
}

impl Rows<'_> {
    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The nulls among the rows.
    pub(crate) fn nulls(&self) -> Option<NullBuffer> {
        match self.bytes {
            Bytes::Null => Some(NullBuffer::new_null(self.len)),
            _ => self.nulls.cloned(),
        }
    }

    /// Row `i`, which is not null, and how much of its buffer it is.
    #[inline(always)]
    fn get(&self, i: usize) -> (&[u8], usize) {
        match &self.bytes {
            Bytes::Small(rows) => rows.get(i),
            Bytes::Large(rows) => rows.get(i),
            Bytes::Views { views, buffers } => {
                let view = ByteView::from(views[i]);
                let length = view.length as usize;
                if length <= INLINE {
                    (&bytemuck::bytes_of(&views[i])[size_of::<u32>()..], length)
                } else {
                    (&buffers[view.buffer_index as usize][view.offset as usize..], length)
                }
            }
            Bytes::Fixed { width, values } => (&values[i * width..], *width),
            Bytes::Null => (&[], 0),
        }
    }

    #[inline(always)]
    fn bytes(&self, i: usize) -> Option<(&[u8], usize)> {
        let null =
            matches!(self.bytes, Bytes::Null) || self.nulls.is_some_and(|nulls| nulls.is_null(i));
        (!null).then(|| self.get(i))
    }

    /// Hands the texts of `range` to `each` in blocks, with the index of a block's first row.
    #[inline]
    pub(crate) fn text_blocks(
        &self,
        range: Range<usize>,
        mut each: impl FnMut(&[MaybeRow<'_>], usize),
    ) {
        let mut block = [None; BLOCK];
        for start in range.clone().step_by(BLOCK) {
            let end = range.end.min(start + BLOCK);
            for (slot, i) in block.iter_mut().zip(start..end) {
                *slot = self.bytes(i).map(|(window, len)| Row::new(window, len));
            }
            each(&block[..end - start], start);
        }
    }

    /// The packed position of row `i`.
    ///
    /// # Errors
    /// If the row is not 40 bytes long.
    #[inline(always)]
    pub(crate) fn packed(&self, i: usize) -> Result<MaybePacked<'_>, BadRow> {
        let Some((window, len)) = self.bytes(i) else { return Ok(None) };
        match window.first_chunk() {
            Some(bytes) if len == Position::SIZE => Ok(Some(bytes)),
            _ => {
                let reason = format!("{len} bytes instead of {}", Position::SIZE);
                Err(BadRow { row: i, reason })
            }
        }
    }

    /// All rows as packed positions, if each has as many bytes and none is null.
    fn plain_positions(&self) -> Option<&[[u8; Position::SIZE]]> {
        match (&self.bytes, self.nulls) {
            (Bytes::Fixed { width, values }, None) if *width == Position::SIZE => {
                Some(values.as_chunks().0)
            }
            _ => None,
        }
    }

    /// Hands the packed positions of `range` to `each` in blocks.
    ///
    /// # Errors
    /// The first row that is not 40 bytes long, or the first error of `each`, with its row.
    pub(crate) fn position_blocks(
        &self,
        range: Range<usize>,
        mut each: impl FnMut(&[MaybePacked<'_>], usize) -> Result<(), NotAPosition>,
    ) -> Result<(), BadRow> {
        let mut block = [None; BLOCK];
        let plain = self.plain_positions();
        for start in range.clone().step_by(BLOCK) {
            let end = range.end.min(start + BLOCK);
            match plain {
                Some(rows) => {
                    for (slot, bytes) in block.iter_mut().zip(&rows[start..end]) {
                        *slot = Some(bytes);
                    }
                }
                None => {
                    for (slot, i) in block.iter_mut().zip(start..end) {
                        *slot = self.packed(i)?;
                    }
                }
            }
            each(&block[..end - start], start).map_err(|error| BadRow {
                row: start + error.row,
                reason: error.reason.to_string(),
            })?;
        }
        Ok(())
    }
}

/// Rows are handed on in blocks of this many; a multiple of 64.
pub(crate) const BLOCK: usize = 256;

/// A row that is no packed position, and why.
#[derive(Debug)]
pub(crate) struct BadRow {
    pub(crate) row: usize,
    pub(crate) reason: String,
}
