//! The functions that read positions back from arrays of numbers.

use std::fmt::Display;
use std::sync::Mutex;

use fenpack_core::Position;
use fenpack_core::planes::{Fill, Half, Planes};
use fenpack_core::tokens;
use numpy::{Element, PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::output;
use crate::tensors::{
    CellKind, StateChoice, TokenKind, WordChoice, cell_kind, channels_last, token_kind,
    vocabulary_named,
};
use crate::threads::{self, JOB};

const WORDS: usize = Position::SIZE / 8;

/// Positions of bitboards, all rows in one array; `black_to_move` where they do not say.
#[pyfunction]
pub(crate) fn read_bitboards<'py>(
    py: Python<'py>,
    bitboards: &Bound<'py, PyArray1<u64>>,
    choice: WordChoice,
    state: StateChoice,
    black_to_move: PyReadonlyArray1<'py, bool>,
) -> PyResult<Bound<'py, PyAny>> {
    let words = choice.words(state.state()?, Fill::No)?;
    let black = sides(&black_to_move)?;
    read(py, bitboards, "bitboards", words.layout.channels(), |row, bitboards| {
        words.read_packed(bitboards, black[row])
    })
}

/// Positions of planes, all rows in one array; `black_to_move` where they do not say.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn read_planes<'py>(
    py: Python<'py>,
    planes: &Bound<'py, PyAny>,
    choice: WordChoice,
    state: StateChoice,
    channels: &str,
    dtype: &str,
    black_to_move: PyReadonlyArray1<'py, bool>,
) -> PyResult<Bound<'py, PyAny>> {
    let words = choice.words(state.state()?, Fill::No)?;
    let last = channels_last(channels)?;
    let width = 64 * words.layout.channels();
    let black = sides(&black_to_move)?;
    match cell_kind(dtype)? {
        CellKind::Byte(limit) => {
            let reader = Planes::<u8>::new(words, last, limit);
            let array = planes.cast()?;
            read(py, array, "planes", width, |row, cells| reader.read(cells, black[row]))
        }
        CellKind::Signed => {
            let reader = Planes::<i8>::new(words, last, i8::MAX as u32);
            let array = planes.cast()?;
            read(py, array, "planes", width, |row, cells: &[u8]| {
                reader.read(bytemuck::cast_slice(cells), black[row])
            })
        }
        CellKind::Half => {
            let reader = Planes::<Half>::new(words, last, u32::MAX);
            let array = planes.cast()?;
            read(py, array, "planes", width, |row, cells: &[u16]| {
                reader.read(bytemuck::cast_slice(cells), black[row])
            })
        }
        CellKind::Float => {
            let reader = Planes::<f32>::new(words, last, u32::MAX);
            let array = planes.cast()?;
            read(py, array, "planes", width, |row, cells| reader.read(cells, black[row]))
        }
    }
}

/// Positions of tokens, all rows in one array; `black_to_move` where they do not say.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn read_tokens<'py>(
    py: Python<'py>,
    tokens: &Bound<'py, PyAny>,
    vocabulary: &str,
    perspective: &str,
    squares: &str,
    state: StateChoice,
    dtype: &str,
    black_to_move: PyReadonlyArray1<'py, bool>,
) -> PyResult<Bound<'py, PyAny>> {
    let vocabulary = vocabulary_named(vocabulary, perspective, squares)?;
    let state = state.state()?;
    let width = vocabulary.length();
    let black = sides(&black_to_move)?;
    let read_row = |row: usize, ids: &[i64]| tokens::read(vocabulary, ids, black[row], state);
    fn widened<T: Copy + Into<i64>>(
        read_row: impl Fn(usize, &[i64]) -> Result<Position, tokens::Fault> + Sync,
    ) -> impl Fn(usize, &[T]) -> Result<Position, tokens::Fault> + Sync {
        move |row, ids| {
            let ids: Vec<i64> = ids.iter().map(|&id| id.into()).collect();
            read_row(row, &ids)
        }
    }
    match token_kind(dtype)? {
        TokenKind::Byte => read(py, tokens.cast()?, "tokens", width, widened::<u8>(read_row)),
        TokenKind::Int => read(py, tokens.cast()?, "tokens", width, widened::<i32>(read_row)),
        TokenKind::Long => read(py, tokens.cast()?, "tokens", width, read_row),
    }
}

/// The side to move of each of `rows` rows.
fn sides<'a>(black_to_move: &'a PyReadonlyArray1<'_, bool>) -> PyResult<&'a [bool]> {
    black_to_move
        .as_slice()
        .map_err(|error| PyValueError::new_err(format!("black_to_move cannot be read: {error}")))
}

/// Reads every `width` numbers of the argument called `name` as a position; `read_row` takes the
/// row's number and its numbers.
pub(crate) fn read<'py, T: Element, F: Display + Send>(
    py: Python<'py>,
    array: &Bound<'py, PyArray1<T>>,
    name: &str,
    width: usize,
    read_row: impl Fn(usize, &[T]) -> Result<Position, F> + Sync,
) -> PyResult<Bound<'py, PyAny>> {
    let refused =
        |error: &dyn Display| PyValueError::new_err(format!("{name} cannot be read: {error}"));
    let array = array.try_readonly().map_err(|error| refused(&error))?;
    let numbers = array.as_slice().map_err(|error| refused(&error))?;
    let rows = numbers.len() / width;
    let mut packed = vec![0; rows * WORDS];
    let first: Mutex<Option<(usize, F)>> = Mutex::new(None);
    let pieces = numbers.chunks(JOB * width).zip(packed.chunks_mut(JOB * WORDS));
    let jobs: Vec<_> = pieces.enumerate().collect();
    threads::run(py, rows, jobs, |(job, (numbers, packed))| {
        let positions: &mut [Position] = bytemuck::cast_slice_mut(packed);
        for (i, (numbers, position)) in numbers.chunks_exact(width).zip(positions).enumerate() {
            let row = job * JOB + i;
            match read_row(row, numbers) {
                Ok(read) => *position = read,
                Err(fault) => {
                    if let Ok(mut first) = first.lock()
                        && first.as_ref().is_none_or(|(known, _)| row < *known)
                    {
                        *first = Some((row, fault));
                    }
                    return;
                }
            }
        }
    })?;
    if let Some((row, fault)) = first.into_inner().ok().flatten() {
        return Err(PyValueError::new_err(format!("{name} row {row}: {fault}")));
    }
    let positions = output::positions(packed, None)?;
    output::hand_over(py, vec![positions], output::position_field(), false)
}
