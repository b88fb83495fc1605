//! The functions that read positions back from arrays of numbers.

use std::fmt::Display;
use std::sync::Mutex;

use fenpack_core::Position;
use fenpack_core::planes::{Cell, Fill, Half, Planes};
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
    read(py, bitboards, "bitboards", words.layout.channels(), &black_to_move, |row, black| {
        words.read_packed(row, black)
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
    fn reader<T: Cell>(
        planes: Planes<T>,
    ) -> impl Fn(&[T], bool) -> Result<Position, fenpack_core::planes::Fault> + Sync {
        move |row, black| planes.read(row, black)
    }
    match cell_kind(dtype)? {
        CellKind::Byte(limit) => {
            let read_row = reader(Planes::<u8>::new(words, last, limit));
            read(py, planes.cast()?, "planes", width, &black_to_move, read_row)
        }
        CellKind::Half => {
            let read_row = reader(Planes::<Half>::new(words, last, u32::MAX));
            let cast = |row: &[u16], black| read_row(bytemuck::cast_slice(row), black);
            read(py, planes.cast()?, "planes", width, &black_to_move, cast)
        }
        CellKind::Float => {
            let read_row = reader(Planes::<f32>::new(words, last, u32::MAX));
            read(py, planes.cast()?, "planes", width, &black_to_move, read_row)
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
    fn wide<T: Copy + Into<i64>>(
        read_row: impl Fn(&[i64], bool) -> Result<Position, tokens::Fault> + Sync,
    ) -> impl Fn(&[T], bool) -> Result<Position, tokens::Fault> + Sync {
        move |row, black| {
            let wide: Vec<i64> = row.iter().map(|&token| token.into()).collect();
            read_row(&wide, black)
        }
    }
    let read_row = |row: &[i64], black| tokens::read(vocabulary, row, black, state);
    let sides = &black_to_move;
    match token_kind(dtype)? {
        TokenKind::Byte => read(py, tokens.cast()?, "tokens", width, sides, wide::<u8>(read_row)),
        TokenKind::Int => read(py, tokens.cast()?, "tokens", width, sides, wide::<i32>(read_row)),
        TokenKind::Long => read(py, tokens.cast()?, "tokens", width, sides, read_row),
    }
}

/// Reads every `width` numbers of the argument called `name` as a position.
fn read<'py, T: Element, F: Display + Send>(
    py: Python<'py>,
    array: &Bound<'py, PyArray1<T>>,
    name: &str,
    width: usize,
    black_to_move: &PyReadonlyArray1<'py, bool>,
    read_row: impl Fn(&[T], bool) -> Result<Position, F> + Sync,
) -> PyResult<Bound<'py, PyAny>> {
    let contiguous = |error| PyValueError::new_err(format!("{name} cannot be read: {error}"));
    let array = array
        .try_readonly()
        .map_err(|error| PyValueError::new_err(format!("{name} cannot be read: {error}")))?;
    let numbers = array.as_slice().map_err(contiguous)?;
    let sides = black_to_move.as_slice().map_err(contiguous)?;
    let rows = numbers.len() / width;
    if numbers.len() % width != 0 || sides.len() != rows {
        return Err(PyValueError::new_err(format!(
            "{name} must have {width} numbers a row and one side to move each"
        )));
    }
    let mut packed = vec![0; rows * WORDS];
    let first: Mutex<Option<(usize, F)>> = Mutex::new(None);
    let pieces = numbers.chunks(JOB * width).zip(sides.chunks(JOB));
    let jobs: Vec<_> = pieces.zip(packed.chunks_mut(JOB * WORDS)).enumerate().collect();
    threads::run(py, rows, jobs, |(job, ((numbers, sides), packed))| {
        let positions: &mut [Position] = bytemuck::cast_slice_mut(packed);
        let each = numbers.chunks_exact(width).zip(sides).zip(positions);
        for (i, ((row, &black), position)) in each.enumerate() {
            match read_row(row, black) {
                Ok(read) => *position = read,
                Err(fault) => {
                    if let Ok(mut first) = first.lock() {
                        let row = job * JOB + i;
                        if first.as_ref().is_none_or(|(known, _)| row < *known) {
                            *first = Some((row, fault));
                        }
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
