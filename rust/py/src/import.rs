//! Arrays from the Arrow C data interface, looked at before they are believed.
//!
//! The interface hands over pointers without the sizes of the buffers behind them, and its reader in
//! `arrow-array` takes every other number on trust. What can be told from the structs themselves is
//! told here: a capsule that was used before, a length below zero, a missing buffer, child or
//! dictionary, a count of nulls that lies. That a buffer is as large as the length and the offsets
//! say remains the producer's word.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, NullArray, make_array, new_empty_array};
use arrow_schema::{DataType, Field};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// Arrays of one type that came from Python.
pub(crate) struct Imported {
    pub(crate) field: Field,
    /// None where the type is none that is wanted.
    pub(crate) chunks: Vec<ArrayRef>,
    /// Whether they came as a stream.
    pub(crate) chunked: bool,
}

/// Nothing deeper is a column of ours, and the stack has an end.
const DEEPEST: usize = 64;
/// More of anything is a number that was never one: children, entries of metadata.
const MOST: i64 = 1 << 16;
/// Rows whose values of up to 64 bytes still have addresses.
const LONGEST: i64 = i64::MAX >> 8;

/// Imports `object`, the argument called `name`, if its type is `wanted`.
///
/// # Errors
/// TypeError if it speaks no Arrow, ValueError if what it says cannot be, or what it raised itself.
pub(crate) fn import(
    object: &Bound<'_, PyAny>,
    name: &str,
    wanted: impl Fn(&DataType) -> bool,
) -> PyResult<Imported> {
    let py = object.py();
    if object.hasattr(intern!(py, "__arrow_c_array__"))? {
        let given = object.call_method0(intern!(py, "__arrow_c_array__"))?;
        let capsules: (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) =
            given.extract().map_err(|_| {
                let reason = "__arrow_c_array__ must give a pair of capsules";
                PyTypeError::new_err(format!("{name} cannot be imported: {reason}"))
            })?;
        return one(&capsules.0, &capsules.1, name, wanted);
    }
    if object.hasattr(intern!(py, "__arrow_c_stream__"))? {
        let given = object.call_method0(intern!(py, "__arrow_c_stream__"))?;
        let capsule = given.cast_into::<PyCapsule>().map_err(|_| {
            let reason = "__arrow_c_stream__ must give a capsule";
            PyTypeError::new_err(format!("{name} cannot be imported: {reason}"))
        })?;
        return several(&capsule, name, wanted);
    }
    Err(PyTypeError::new_err(format!(
        "{name} must have an Arrow interface, got {}",
        object.get_type().name()?
    )))
}

/// What is wrong with `name`.
fn unusable(name: &str, reason: &str) -> PyErr {
    PyValueError::new_err(format!("{name} cannot be imported: {reason}"))
}

fn one(
    schema: &Bound<'_, PyCapsule>,
    array: &Bound<'_, PyCapsule>,
    name: &str,
    wanted: impl Fn(&DataType) -> bool,
) -> PyResult<Imported> {
    let schema = pointer::<FFI_ArrowSchema>(schema, c"arrow_schema", name)?;
    let array = pointer::<FFI_ArrowArray>(array, c"arrow_array", name)?;
    // SAFETY: a capsule of this name holds such a struct, which it keeps alive; the GIL, or the
    // caller's promise not to share a capsule between threads, keeps others from writing to it.
    let field = unsafe { field(&*schema) }.map_err(|reason| unusable(name, &reason))?;
    // SAFETY: likewise; the struct is moved out and marked as released, as the interface asks.
    let array = unsafe { FFI_ArrowArray::from_raw(array) };
    let mut chunks = Vec::new();
    if wanted(field.data_type()) {
        // SAFETY: the producer's word that the structs are of the interface.
        let read = unsafe { checked(array, field.data_type()) };
        chunks.push(read.map_err(|reason| unusable(name, &reason))?);
    }
    Ok(Imported { field, chunks, chunked: false })
}

fn several(
    stream: &Bound<'_, PyCapsule>,
    name: &str,
    wanted: impl Fn(&DataType) -> bool,
) -> PyResult<Imported> {
    let py = stream.py();
    let stream = pointer::<FFI_ArrowArrayStream>(stream, c"arrow_array_stream", name)?;
    // SAFETY: a capsule of this name holds such a struct; it is moved out and marked as released.
    let mut stream = unsafe { FFI_ArrowArrayStream::from_raw(stream) };
    let (Some(get_schema), Some(get_next), Some(_)) =
        (stream.get_schema, stream.get_next, stream.release)
    else {
        return Err(unusable(name, "the stream was read already"));
    };
    let mut schema = FFI_ArrowSchema::empty();
    // SAFETY: the callbacks of a stream that is not released take the stream and a place to write.
    let code = unsafe { get_schema(&mut stream, &mut schema) };
    if code != 0 {
        return Err(unusable(name, &said(&mut stream, code)));
    }
    // SAFETY: the producer's word that what it wrote is such a struct.
    let field = unsafe { field(&schema) }.map_err(|reason| unusable(name, &reason))?;
    let mut chunks = Vec::new();
    while wanted(field.data_type()) {
        py.check_signals()?;
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: as for the schema.
        let code = unsafe { get_next(&mut stream, &mut array) };
        if code != 0 {
            return Err(unusable(name, &said(&mut stream, code)));
        }
        if array.is_released() {
            break;
        }
        // SAFETY: the producer's word that what it wrote is such a struct.
        let read = unsafe { checked(array, field.data_type()) };
        chunks.push(read.map_err(|reason| unusable(name, &reason))?);
    }
    Ok(Imported { field, chunks, chunked: true })
}

/// Where the struct in a capsule is.
fn pointer<T>(capsule: &Bound<'_, PyCapsule>, kind: &CStr, name: &str) -> PyResult<*mut T> {
    match capsule.pointer_checked(Some(kind)) {
        Ok(pointer) => Ok(pointer.cast().as_ptr()),
        Err(error) => Err(unusable(name, &format!("{}", error.value(capsule.py())))),
    }
}

/// What a stream says of its last error.
fn said(stream: &mut FFI_ArrowArrayStream, code: i32) -> String {
    let text = stream.get_last_error.and_then(|get| {
        // SAFETY: the callback of a stream that is not released; what it gives is null or a text
        // that lives until the next call.
        unsafe {
            let text = get(stream);
            (!text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy().into_owned())
        }
    });
    text.unwrap_or_else(|| format!("its stream failed with error {code}"))
}

/// The field that a schema describes.
///
/// # Safety
/// As the interface says, whatever is not null must point to what it should be.
unsafe fn field(schema: &FFI_ArrowSchema) -> Result<Field, String> {
    if schema.release.is_none() {
        return Err("its schema was used already".to_owned());
    }
    // SAFETY: the caller's.
    unsafe { check_schema(schema, 0)? };
    // Metadata need not be text, and says nothing that is needed.
    let known = Field::try_from(schema)
        .or_else(|_| DataType::try_from(schema).map(|kind| Field::new("", kind, true)));
    known.map_err(|error| error.to_string())
}

/// Whether the numbers and pointers of a schema make sense, and those below it.
///
/// # Safety
/// As for `field`.
unsafe fn check_schema(schema: &FFI_ArrowSchema, depth: usize) -> Result<(), String> {
    if depth > DEEPEST {
        return Err(format!("its type is nested more than {DEEPEST} deep"));
    }
    // SAFETY: the caller's.
    let text = |pointer: *const c_char| unsafe { CStr::from_ptr(pointer).to_str() };
    if schema.format.is_null() || text(schema.format).is_err() {
        return Err("its schema names no type".to_owned());
    }
    if !schema.name.is_null() && text(schema.name).is_err() {
        return Err("its schema has a name that is not UTF-8".to_owned());
    }
    let needed = match text(schema.format).unwrap_or_default().as_bytes() {
        [b'+', b'r', ..] => 2,
        [b'+', b's' | b'u', ..] => 0,
        [b'+', ..] => 1,
        _ => 0,
    };
    let children = schema.n_children;
    if !(needed..=MOST).contains(&children) || (children > 0 && schema.children.is_null()) {
        return Err(format!("its schema has {children} children"));
    }
    if !schema.metadata.is_null() {
        // SAFETY: the caller's; metadata begin with the number of their entries, unaligned.
        let entries = unsafe { schema.metadata.cast::<i32>().read_unaligned() };
        if !(0..=MOST).contains(&i64::from(entries)) {
            return Err(format!("its schema has {entries} entries of metadata"));
        }
    }
    for child in 0..children as usize {
        // SAFETY: the caller's; there are as many pointers.
        let child = unsafe { schema.children.add(child).read().as_ref() };
        let child = child.ok_or("its schema lacks a child")?;
        // SAFETY: the caller's.
        unsafe { check_schema(child, depth + 1)? };
    }
    // SAFETY: the caller's.
    match unsafe { schema.dictionary.as_ref() } {
        // SAFETY: the caller's.
        Some(values) => unsafe { check_schema(values, depth + 1) },
        None => Ok(()),
    }
}

/// The array that a struct describes, which is of `data_type`.
///
/// # Safety
/// As the interface says, whatever is not null must point to what it should be, and buffers must be
/// as large as the length and the offsets say.
unsafe fn checked(mut array: FFI_ArrowArray, data_type: &DataType) -> Result<ArrayRef, String> {
    // SAFETY: the caller's.
    unsafe { check_array(&mut array, data_type, true)? };
    if array.is_empty() {
        return Ok(new_empty_array(data_type));
    }
    if *data_type == DataType::Null {
        // Some producers give it the buffer of nulls that others have.
        return Ok(std::sync::Arc::new(NullArray::new(array.len())));
    }
    // SAFETY: the caller's, and what was checked.
    let read = unsafe { from_ffi_and_data_type(array, data_type.clone()) };
    Ok(make_array(read.map_err(|error| error.to_string())?))
}

/// Whether the numbers and pointers of an array make sense for `data_type`; it is a dictionary's unless
/// `whole`.
///
/// # Safety
/// As for `checked`.
unsafe fn check_array(
    array: &mut FFI_ArrowArray,
    data_type: &DataType,
    whole: bool,
) -> Result<(), String> {
    let FFI_ArrowArray { length, offset, null_count, n_buffers, n_children, .. } = *array;
    if array.is_released() {
        return Err("its array was used already".to_owned());
    }
    if length < 0 || offset < 0 || length > LONGEST - offset.min(LONGEST) {
        return Err(format!("it has length {length} and offset {offset}"));
    }
    if null_count < -1 || null_count > length {
        return Err(format!("it has {null_count} nulls in {length} rows"));
    }
    // Counted anew: a wrong number would have nulls read as values.
    array.null_count = -1;
    if n_children != 0 {
        return Err(format!("it has {n_children} children"));
    }
    let keyed = matches!(data_type, DataType::Dictionary(..));
    if keyed == array.dictionary.is_null() {
        return Err(
            if keyed { "it lacks its dictionary" } else { "it has a dictionary" }.to_owned()
        );
    }
    if let DataType::Dictionary(_, values) = data_type {
        // SAFETY: the caller's, and it is not null.
        unsafe { check_array(&mut *array.dictionary, values, false)? };
    }
    if whole && length == 0 || *data_type == DataType::Null {
        // Without rows the buffers say nothing, and may be missing.
        return Ok(());
    }
    let views = matches!(data_type, DataType::Utf8View | DataType::BinaryView);
    let strings = matches!(data_type, DataType::Utf8 | DataType::Binary);
    let large = matches!(data_type, DataType::LargeUtf8 | DataType::LargeBinary);
    let expected = if strings || large { 3..=3 } else { 2..=2 };
    let expected = if views { 3..=i64::from(i32::MAX) } else { expected };
    if !expected.contains(&n_buffers) || array.buffers.is_null() {
        return Err(format!("it has {n_buffers} buffers, which {data_type} has not"));
    }
    // SAFETY: the caller's; there are as many pointers.
    let buffer = |i: i64| unsafe { array.buffers.add(i as usize).read_unaligned() };
    if buffer(1).is_null() && length > 0 {
        return Err("it lacks a buffer".to_owned());
    }
    if length > 0 && (strings || large) {
        let end = (offset + length) as usize;
        // SAFETY: the caller's; the buffer has one more offset than rows, perhaps unaligned.
        let last = unsafe {
            if large {
                buffer(1).cast::<i64>().add(end).read_unaligned()
            } else {
                buffer(1).cast::<i32>().add(end).read_unaligned().into()
            }
        };
        if last < 0 {
            return Err("an offset lies outside its buffer".to_owned());
        }
    }
    if views && n_buffers > 3 {
        let lengths = buffer(n_buffers - 1).cast::<i64>();
        // SAFETY: the caller's; the last buffer has the lengths of those between.
        let length = |i: i64| unsafe { lengths.add(i as usize).read_unaligned() };
        if lengths.is_null() || (0..n_buffers - 3).any(|i| length(i) < 0) {
            return Err("it lacks the lengths of its buffers".to_owned());
        }
    }
    Ok(())
}
