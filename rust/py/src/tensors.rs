//! The functions that write positions as numbers into the caller's array.

use std::mem::take;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use fenpack_core::nnue::{Features, Views};
use fenpack_core::perspective::Perspective;
use fenpack_core::planes::{Fill, Half, Layout, Planes, Squares, State, Words};
use fenpack_core::row::MaybePacked;
use fenpack_core::rows::{self, Block, BlockRows, Encode, Refusal};
use fenpack_core::tokens::{Token, Tokens, Vocabulary};
use numpy::{Element, PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::input::{Accept, Column, Kind, Rows};
use crate::jobs::{jobs, starts, total};
use crate::options::{choose, en_passant_rule};
use crate::threads::{self, JOB, level};

/// The first row that cannot be encoded: its number, its text if that cannot be read, or why.
pub(crate) type Refused<'py> = Option<(usize, Option<Bound<'py, PyBytes>>, Option<String>)>;

/// What of a position's state counts: the en passant rule, and whether the game is Chess960.
#[derive(FromPyObject)]
pub(crate) struct StateChoice(String, bool);

impl StateChoice {
    pub(crate) fn state(&self) -> PyResult<State> {
        Ok(State { en_passant: en_passant_rule(&self.0)?, chess960: self.1 })
    }
}

/// A layout by name, a perspective and an order of squares.
#[derive(FromPyObject)]
pub(crate) struct WordChoice(String, String, String);

impl WordChoice {
    pub(crate) fn words(&self, state: State, fill: Fill) -> PyResult<Words> {
        let layouts = Layout::ALL.map(|layout| (layout.name(), layout));
        Ok(Words {
            layout: choose("layout", &self.0, &layouts)?,
            perspective: perspective_named(&self.1)?,
            squares: squares_named(&self.2)?,
            state,
            fill,
        })
    }
}

pub(crate) fn perspective_named(name: &str) -> PyResult<Perspective> {
    choose("perspective", name, &PERSPECTIVES)
}

const PERSPECTIVES: [(&str, Perspective); 3] = [
    ("white", Perspective::White),
    ("mover", Perspective::Mover),
    ("mover_rotated", Perspective::MoverRotated),
];

const SQUARES: [(&str, Squares); 2] = [("a1", Squares::A1), ("a8", Squares::A8)];

pub(crate) fn squares_named(name: &str) -> PyResult<Squares> {
    choose("squares", name, &SQUARES)
}

fn name_of<T: PartialEq>(value: &T, choices: &[(&'static str, T)]) -> &'static str {
    choices.iter().find(|(_, known)| known == value).map_or("", |(name, _)| name)
}

/// One layout: name, planes, perspective, squares, whether relative, whether with history, counts.
type LayoutFacts =
    (&'static str, usize, &'static str, &'static str, bool, bool, Vec<(usize, u16, &'static str)>);

/// The layouts.
#[pyfunction]
pub(crate) fn layouts() -> Vec<LayoutFacts> {
    let facts = |layout: Layout| {
        (
            layout.name(),
            layout.channels(),
            name_of(&layout.perspective(), &PERSPECTIVES),
            name_of(&layout.squares(), &SQUARES),
            layout.is_relative(),
            layout.has_history(),
            layout.counts().iter().map(|count| (count.plane, count.divisor, count.name)).collect(),
        )
    };
    Layout::ALL.into_iter().map(facts).collect()
}

/// Bitboards of each row, in the array that `room` gives for a number of rows.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn encode_bitboards<'py>(
    py: Python<'py>,
    x: &Bound<'py, PyAny>,
    history: Vec<Bound<'py, PyAny>>,
    choice: WordChoice,
    state: StateChoice,
    fill: &str,
    blank: bool,
    room: &Bound<'py, PyAny>,
) -> PyResult<Refused<'py>> {
    let words = choice.words(state.state()?, fill_named(fill)?)?;
    let input = Input::import(x, &history, words.state.chess960)?;
    input.write(py, &words, blank, room)
}

/// Planes of each row, in the array that `room` gives for a number of rows.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn encode_planes<'py>(
    py: Python<'py>,
    x: &Bound<'py, PyAny>,
    history: Vec<Bound<'py, PyAny>>,
    choice: WordChoice,
    state: StateChoice,
    fill: &str,
    channels: &str,
    dtype: &str,
    blank: bool,
    room: &Bound<'py, PyAny>,
) -> PyResult<Refused<'py>> {
    let words = choice.words(state.state()?, fill_named(fill)?)?;
    let last = channels_last(channels)?;
    let kind = cell_kind(dtype)?;
    let input = Input::import(x, &history, words.state.chess960)?;
    match kind {
        CellKind::Byte(limit) => {
            input.write(py, &Planes::<u8>::new(words, last, limit), blank, room)
        }
        CellKind::Signed => {
            input.write(py, &Planes::<u8>::new(words, last, i8::MAX as u32), blank, room)
        }
        CellKind::Half => {
            let encoder = Planes::<Half>::new(words, last, 65_504);
            input.write_as::<_, u16>(py, &encoder, blank, room, |out| bytemuck::cast_slice_mut(out))
        }
        CellKind::Float => input.write(py, &Planes::<f32>::new(words, last, u32::MAX), blank, room),
    }
}

/// Tokens of each row, in the array that `room` gives for a number of rows.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn encode_tokens<'py>(
    py: Python<'py>,
    x: &Bound<'py, PyAny>,
    vocabulary: &str,
    perspective: &str,
    squares: &str,
    state: StateChoice,
    dtype: &str,
    blank: bool,
    room: &Bound<'py, PyAny>,
) -> PyResult<Refused<'py>> {
    let vocabulary = vocabulary_named(vocabulary, perspective, squares)?;
    let state = state.state()?;
    let input = Input::import(x, &[], state.chess960)?;
    match token_kind(dtype)? {
        TokenKind::Byte => input.write(py, &tokens::<u8>(vocabulary, state), blank, room),
        TokenKind::Int => input.write(py, &tokens::<i32>(vocabulary, state), blank, room),
        TokenKind::Long => input.write(py, &tokens::<i64>(vocabulary, state), blank, room),
    }
}

fn tokens<T: Token>(vocabulary: Vocabulary, state: State) -> Tokens<T> {
    Tokens::new(vocabulary, state)
}

/// Active features of each row, in the array that `room` gives for a number of rows.
#[pyfunction]
pub(crate) fn encode_features<'py>(
    py: Python<'py>,
    x: &Bound<'py, PyAny>,
    features: &str,
    perspective: &str,
    blank: bool,
    room: &Bound<'py, PyAny>,
) -> PyResult<Refused<'py>> {
    let known = [
        ("chess_768", Features::Chess768),
        ("halfkp", Features::HalfKp),
        ("halfka_v2_hm", Features::HalfKaV2Hm),
        ("halfka_v2_hm_trainer", Features::HalfKaV2HmTrainer),
    ];
    let features = choose("features", features, &known)?;
    let mover_first = choose("perspective", perspective, &[("white", false), ("mover", true)])?;
    let views = Views::new(features, mover_first);
    Input::import(x, &[], false)?.write(py, &views, blank, room)
}

/// The types of cells that planes are made of.
pub(crate) enum CellKind {
    /// One byte, up to a largest count.
    Byte(u32),
    /// One byte with a sign.
    Signed,
    Half,
    Float,
}

pub(crate) fn cell_kind(dtype: &str) -> PyResult<CellKind> {
    match dtype {
        "bool" => Ok(CellKind::Byte(1)),
        "uint8" => Ok(CellKind::Byte(u8::MAX.into())),
        "int8" => Ok(CellKind::Signed),
        "float16" => Ok(CellKind::Half),
        "float32" => Ok(CellKind::Float),
        _ => Err(PyValueError::new_err(format!(
            "dtype must be one of \"bool\", \"uint8\", \"int8\", \"float16\", \"float32\", got \
             {dtype:?}"
        ))),
    }
}

/// The types of tokens.
#[derive(Clone, Copy)]
pub(crate) enum TokenKind {
    Byte,
    Int,
    Long,
}

pub(crate) fn token_kind(dtype: &str) -> PyResult<TokenKind> {
    let kinds = [("uint8", TokenKind::Byte), ("int32", TokenKind::Int), ("int64", TokenKind::Long)];
    choose("dtype", dtype, &kinds)
}

pub(crate) fn channels_last(channels: &str) -> PyResult<bool> {
    choose("channels", channels, &[("first", false), ("last", true)])
}

fn fill_named(fill: &str) -> PyResult<Fill> {
    let fills = [("fen_only", Fill::FenOnly), ("no", Fill::No), ("always", Fill::Always)];
    choose("fill", fill, &fills)
}

pub(crate) fn vocabulary_named(
    name: &str,
    perspective: &str,
    squares: &str,
) -> PyResult<Vocabulary> {
    let classes = Vocabulary::Squares {
        perspective: perspective_named(perspective)?,
        squares: squares_named(squares)?,
    };
    let known = [
        ("squares", classes),
        ("searchless_77", Vocabulary::Searchless),
        ("chess_transformers", Vocabulary::ChessTransformers),
    ];
    choose("vocabulary", name, &known)
}

/// A column and the columns of the positions before it.
pub(crate) struct Input {
    column: Column,
    kind: Kind,
    earlier: Vec<Column>,
    chess960: bool,
}

impl Input {
    pub(crate) fn import(
        x: &Bound<'_, PyAny>,
        history: &[Bound<'_, PyAny>],
        chess960: bool,
    ) -> PyResult<Self> {
        let column = Column::import(x, "x")?;
        let kind = column.kind(Accept::Either)?;
        let earlier = history.iter().enumerate().map(|(step, column)| {
            let column = Column::import(column, &format!("history[{step}]"))?;
            column.kind(Accept::Positions)?;
            column.unpacked()
        });
        let earlier = earlier.collect::<PyResult<_>>()?;
        Ok(Self { column: column.unpacked()?, kind, earlier, chess960 })
    }

    pub(crate) fn write<'py, E: Encode<Cell: Element>>(
        &self,
        py: Python<'py>,
        encoder: &E,
        blank: bool,
        room: &Bound<'py, PyAny>,
    ) -> PyResult<Refused<'py>> {
        self.write_as::<E, E::Cell>(py, encoder, blank, room, |out| out)
    }

    /// Writes every row to the array of `T` that `room` gives, which `cast` shows as cells.
    fn write_as<'py, E: Encode, T: Element>(
        &self,
        py: Python<'py>,
        encoder: &E,
        blank: bool,
        room: &Bound<'py, PyAny>,
        cast: impl FnOnce(&mut [T]) -> &mut [E::Cell],
    ) -> PyResult<Refused<'py>> {
        let chunks = self.column.rows()?;
        let rows = total(&chunks);
        let array = room.call1((rows,))?;
        let array = array.cast::<PyArray1<T>>()?;
        let mut array = array
            .try_readwrite()
            .map_err(|error| PyValueError::new_err(format!("out cannot be written to: {error}")))?;
        let out = cast(array.as_slice_mut().map_err(|error| {
            PyValueError::new_err(format!("out cannot be written to: {error}"))
        })?);
        if out.len() != rows * encoder.width() {
            return Err(PyTypeError::new_err("out has another size than it said"));
        }
        let first = self.fill(py, &chunks, encoder, out, blank)?;
        first.map(|(row, refusal)| self.explain(py, row, refusal)).transpose()
    }

    fn fill<E: Encode>(
        &self,
        py: Python<'_>,
        chunks: &[Rows<'_>],
        encoder: &E,
        mut out: &mut [E::Cell],
        blank: bool,
    ) -> PyResult<Option<(usize, Reason)>> {
        let (level, width) = (level()?, encoder.width());
        let earlier = self.earlier_rows(total(chunks))?;
        let first = First::default();
        let outs = chunks.iter().zip(starts(chunks)).map(|(rows, offset)| {
            let (piece, rest) = take(&mut out).split_at_mut(rows.len() * width);
            out = rest;
            piece.chunks_mut(JOB * width).map(move |piece| (piece, offset))
        });
        let outs: Vec<_> = outs.collect();
        threads::run(py, total(chunks), jobs(chunks, outs), |job| {
            let (range, start) = (job.range(), job.start);
            let (out, offset) = job.out;
            if first.is_before(offset + start) {
                return;
            }
            let mut encode = |rows: BlockRows<'_, '_>, len: usize, at: usize| {
                let global = offset + at;
                let steps = earlier.iter().map(|rows| {
                    (global..global + len).map(|i| rows.packed(i).unwrap_or(None)).collect()
                });
                let steps: Vec<Vec<MaybePacked<'_>>> = steps.collect();
                let block = Block { rows, earlier: &steps, chess960: self.chess960 };
                let cells = &mut out[(at - start) * width..][..len * width];
                rows::encode(level, block, encoder, cells, |i, refusal| {
                    if !blank || matches!(refusal, Refusal::Malformed(_)) {
                        first.note(global + i, Reason::Refusal(refusal));
                    }
                });
            };
            match self.kind {
                Kind::Text => job.rows.text_blocks(range, |block, at| {
                    encode(BlockRows::Texts(block), block.len(), at);
                }),
                Kind::Positions => {
                    let result = job.rows.position_blocks(range, |block, at| {
                        encode(BlockRows::Packed(block), block.len(), at);
                        Ok(())
                    });
                    if let Err(bad) = result {
                        first.note(offset + bad.row, Reason::Bytes(bad.reason));
                    }
                }
            }
        })?;
        Ok(first.row.into_inner().ok().flatten())
    }

    /// The rows of each earlier column, which has one chunk and as many rows as there are.
    fn earlier_rows(&self, rows: usize) -> PyResult<Vec<Rows<'_>>> {
        let one_chunk = |(step, column): (usize, &'_ Column)| -> PyResult<()> {
            let found: usize = column.chunks().iter().map(|chunk| chunk.len()).sum();
            if found != rows || column.chunks().len() != 1 {
                return Err(PyValueError::new_err(format!(
                    "history[{step}] must have as many rows as x, {rows}, got {found}"
                )));
            }
            Ok(())
        };
        self.earlier.iter().enumerate().try_for_each(one_chunk)?;
        let rows = self.earlier.iter().map(Column::rows).collect::<PyResult<Vec<_>>>()?;
        Ok(rows.into_iter().flatten().collect())
    }

    /// What Python is told of row `row`.
    fn explain<'py>(
        &self,
        py: Python<'py>,
        row: usize,
        reason: Reason,
    ) -> PyResult<(usize, Option<Bound<'py, PyBytes>>, Option<String>)> {
        let said = |reason: String| Ok((row, None, Some(reason)));
        match reason {
            Reason::Bytes(reason) => said(format!("is no packed position: {reason}")),
            Reason::Refusal(Refusal::Null) => said("is null".to_owned()),
            Reason::Refusal(Refusal::Malformed(reason)) => {
                said(format!("is no packed position: {reason}"))
            }
            Reason::Refusal(Refusal::MalformedEarlier(step, reason)) => {
                said(format!("has no packed position in history[{step}]: {reason}"))
            }
            Reason::Refusal(Refusal::Unheld(reason)) => said(format!("cannot be held: {reason}")),
            Reason::Refusal(Refusal::Unreadable) => {
                let mut start = 0;
                for chunk in self.column.chunks() {
                    if row < start + chunk.len() {
                        let text = chunk.text(row - start, self.column.name())?;
                        return Ok((row, text.map(|text| PyBytes::new(py, &text)), None));
                    }
                    start += chunk.len();
                }
                said("cannot be read".to_owned())
            }
        }
    }
}

/// Why a row is not encoded.
enum Reason {
    /// Its bytes have the wrong length.
    Bytes(String),
    Refusal(Refusal),
}

/// The first row that is not encoded.
struct First {
    row: Mutex<Option<(usize, Reason)>>,
    at: AtomicUsize,
}

impl Default for First {
    fn default() -> Self {
        Self { row: Mutex::new(None), at: AtomicUsize::new(usize::MAX) }
    }
}

impl First {
    fn note(&self, row: usize, reason: Reason) {
        if self.at.fetch_min(row, Ordering::Relaxed) > row
            && let Ok(mut first) = self.row.lock()
            && first.as_ref().is_none_or(|(known, _)| row < *known)
        {
            *first = Some((row, reason));
        }
    }

    /// Whether a row before `row` is known.
    fn is_before(&self, row: usize) -> bool {
        self.at.load(Ordering::Relaxed) < row
    }
}
