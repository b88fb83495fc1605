//! Scores of recognizers, and what they print, as columns.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, UInt8Type, UInt16Type};
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, BooleanArray, FixedSizeBinaryArray, FixedSizeListArray,
    Float32Array, PrimitiveArray, RecordBatch, StringArray, UInt8Array, UInt16Array, UInt32Array,
    UInt64Array,
};
use arrow_buffer::{Buffer, NullBuffer};
use arrow_schema::{DataType, Field, Schema};
use fenpack_core::decode::{
    self, CLASSES, Constraints, Decoded, Decoder as Core, Empty, Fault, Given, Kind, Layout,
    Margins, Reason, Rules, Scores, Status, Turning, flag, read_text,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3_arrow::PyRecordBatch;

use crate::errors::invalid;
use crate::import::{Imported, import};
use crate::input::{Accept, Column};
use crate::jobs::{jobs, total, zeroed};
use crate::options::choose;
use crate::output;
use crate::threads::{self, JOB, level};

/// Boards in one job.
const BOARDS: usize = 256;

/// A board takes as long as this many rows of text.
const WEIGHT: usize = 32;

/// The settings of a decoding.
#[pyclass(frozen, module = "fenpack._native")]
pub(crate) struct Decoder {
    core: Core,
    castling: decode::Castling,
    /// Below which margin a square is unsure; margins are left out without it.
    threshold: Option<f32>,
}

#[pymethods]
impl Decoder {
    #[new]
    #[pyo3(signature = (kind, places, others, empty, constant, turnings, rules, promotion_penalty,
        temperature, eps, usual, prior, prior_weight, min_score, castling, threshold))]
    #[allow(clippy::too_many_arguments, reason = "one for each option in Python")]
    fn new(
        kind: &str,
        places: Vec<Vec<usize>>,
        others: bool,
        empty: &str,
        constant: f32,
        turnings: Vec<u16>,
        rules: &str,
        promotion_penalty: f64,
        temperature: f32,
        eps: f32,
        usual: Vec<Vec<f32>>,
        prior: Option<Vec<Vec<f32>>>,
        prior_weight: f32,
        min_score: f32,
        castling: (u8, u8),
        threshold: Option<f32>,
    ) -> PyResult<Self> {
        let kinds = [
            ("probs", Kind::Probs),
            ("logits", Kind::Logits),
            ("logprobs", Kind::LogProbs),
            ("sigmoid", Kind::Sigmoid),
            ("regression", Kind::Regression),
        ];
        let empties = [
            ("column", Empty::Column),
            ("complement", Empty::Complement),
            ("constant", Empty::Constant(constant)),
        ];
        let all_rules = [("legal", Rules::Legal), ("kings", Rules::Kings), ("none", Rules::None)];
        let mut planes = places.iter().map(|plane| square(plane)).collect::<PyResult<Vec<_>>>()?;
        if planes.len() < CLASSES - 1 {
            return Err(PyValueError::new_err("places must have twelve men"));
        }
        let empty_planes = planes.split_off(CLASSES - 1);
        let mut men = [[0; 64]; CLASSES - 1];
        men.copy_from_slice(&planes);
        let turnings = turnings
            .into_iter()
            .map(|degrees| {
                Turning::by(degrees).ok_or_else(|| PyValueError::new_err("not a quarter turn"))
            })
            .collect::<PyResult<Vec<_>>>()?;
        if turnings.is_empty() {
            return Err(PyValueError::new_err("turnings must not be empty"));
        }
        let layout = Layout::new(men, empty_planes, choose("empty", empty, &empties)?);
        let layout = if others { layout.with_others() } else { layout };
        let constraints =
            Constraints { rules: choose("rules", rules, &all_rules)?, penalty: promotion_penalty };
        let usual = Box::new(table(&usual)?);
        let kind = choose("kind", kind, &kinds)?;
        let mut core = Core::new(kind, &layout, &turnings, constraints, usual)
            .scaled(temperature, eps)
            .with_min_score(min_score);
        if let Some(prior) = prior {
            core = core.with_prior(&table(&prior)?, prior_weight);
        }
        Ok(Self { core, castling: [castling.0, castling.1], threshold })
    }

    /// The decoded rows as columns, and the first that has no position: its number, its status,
    /// the square at fault. Row *i* begins at number `i * stride` of `scores`.
    #[pyo3(signature = (scores, rows, stride, known=None, turns=None, castling=None, allowed=None))]
    #[allow(clippy::too_many_arguments, reason = "one for each column")]
    fn decode<'py>(
        &self,
        py: Python<'py>,
        scores: &Bound<'py, PyAny>,
        rows: usize,
        stride: usize,
        known: Option<&Bound<'py, PyAny>>,
        turns: Option<&Bound<'py, PyAny>>,
        castling: Option<&Bound<'py, PyAny>>,
        allowed: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyAny>, Option<FirstFault>)> {
        let scores: Float32Array = numbers::<Float32Type>(scores, "scores")?;
        let needed = rows
            .checked_sub(1)
            .map_or(Some(0), |last| last.checked_mul(stride)?.checked_add(self.core.span()));
        if needed.is_none_or(|needed| needed > scores.len()) {
            return Err(PyValueError::new_err(format!(
                "scores has {} numbers, too few for {rows} rows of stride {stride}",
                scores.len()
            )));
        }
        let known = known.map(|known| booleans(known, rows)).transpose()?;
        let turns = column::<UInt8Type>(turns, "turns", &[rows])?;
        if turns.as_ref().is_some_and(|turns| turns.values().iter().any(|&turn| turn > 2)) {
            return Err(PyValueError::new_err("turns must be 0, 1 or 2"));
        }
        let castling = column::<UInt16Type>(castling, "castling", &[rows])?;
        let allowed = column::<UInt16Type>(allowed, "allowed", &[64, 64 * rows])?;
        let allowed = allowed.as_ref().map(|allowed| allowed.values().as_chunks::<64>().0);
        let given = |row: usize| {
            if known.as_ref().is_some_and(|known| !known.value(row)) {
                return None;
            }
            let turn = turns.as_ref().map_or(0, |turns| turns.value(row));
            let castling = castling.as_ref().map(|castling| castling.value(row).to_le_bytes());
            Some(Given {
                turn: usize::from(turn).checked_sub(1),
                castling: castling.unwrap_or(self.castling),
                allowed: allowed.map(|allowed| &allowed[if allowed.len() == 1 { 0 } else { row }]),
            })
        };
        let level = level()?;
        let numbers = scores.values();
        let nothing = Margins { margin: [0.0; 64], runner_up: [0; 64] };
        let mut results = vec![NULL; rows];
        let mut margins = vec![nothing; if self.threshold.is_some() { rows } else { 0 }];
        let mut room = margins.chunks_mut(BOARDS);
        let jobs: Vec<_> = results
            .chunks_mut(BOARDS)
            .enumerate()
            .map(|(job, results)| (job * BOARDS, results, room.next()))
            .collect();
        threads::run(py, rows * WEIGHT, jobs, |(start, results, margins)| {
            let numbers = numbers.get(start * stride..).unwrap_or_default();
            let given = |row| given(start + row);
            self.core.decode_rows(level, numbers, stride, given, results, margins);
        })?;
        let batch = self.batch(&results, &margins)?;
        let fault = results.iter().enumerate().find_map(|(row, result)| match result {
            Err(fault) if fault.status != Status::Null => {
                Some((row, fault.status as u8, fault.square))
            }
            _ => None,
        });
        Ok((PyRecordBatch::new(batch).into_pyarrow(py)?, fault))
    }
}

/// The row, its status and the square at fault.
type FirstFault = (usize, u8, Option<u8>);

const NULL: Result<Decoded, Fault> = Err(Fault { status: Status::Null, square: None });

impl Decoder {
    fn batch(
        &self,
        results: &[Result<Decoded, Fault>],
        margins: &[Margins],
    ) -> PyResult<RecordBatch> {
        let nulls: NullBuffer = results.iter().map(Result::is_ok).collect::<Vec<_>>().into();
        let nulls = Some(nulls).filter(|nulls| nulls.null_count() > 0);
        let packed = |of: fn(&Decoded) -> &fenpack_core::Position| {
            let words = results.iter().flat_map(|result| match result {
                Ok(row) => bytemuck::cast::<_, [u64; 5]>(*of(row)),
                Err(_) => [0; 5],
            });
            output::positions(words.collect(), nulls.clone())
        };
        let of = |name: &str, array: ArrayRef| {
            (Field::new(name, array.data_type().clone(), true), array)
        };
        let position = |name: &str, array| (output::position_field().with_name(name), array);
        let rows = || results.iter().map(|result| result.as_ref().ok());
        let status = results.iter().map(|result| match result {
            Ok(_) => Status::Fine as u8,
            Err(fault) => fault.status as u8,
        });
        let turn = rows().map(|row| row.and_then(|row| row.turn));
        let side = turn.clone().map(|turn| turn.map(|turn| ["w", "b"][turn.0]));
        let reason = turn.map(|turn| {
            turn.map(|turn| match turn.1 {
                Reason::Given => "given",
                Reason::Check => "check",
            })
        });
        let mut columns = vec![
            position("positions", packed(|row| &row.position)?),
            of("status", Arc::new(UInt8Array::from_iter_values(status))),
            position("argmax", packed(|row| &row.argmax)?),
            of(
                "changed",
                Arc::new(rows().map(|row| row.map(|row| row.changed)).collect::<UInt64Array>()),
            ),
            of(
                "flags",
                Arc::new(rows().map(|row| row.map(|row| row.flags)).collect::<UInt32Array>()),
            ),
            of(
                "orientation",
                Arc::new(
                    rows().map(|row| row.map(|row| row.turning.degrees())).collect::<UInt16Array>(),
                ),
            ),
            of(
                "orientation_score",
                Arc::new(
                    rows()
                        .map(|row| row.map(|row| row.orientation_score))
                        .collect::<Float32Array>(),
                ),
            ),
            of("turn", Arc::new(side.collect::<StringArray>())),
            of("turn_reason", Arc::new(reason.collect::<StringArray>())),
        ];
        if let Some(threshold) = self.threshold {
            let sure =
                || results.iter().zip(margins).map(|(row, sure)| row.is_ok().then_some(sure));
            let every: Vec<f32> = margins.iter().flat_map(|row| row.margin).collect();
            let other: Vec<u8> = margins.iter().flat_map(|row| row.runner_up).collect();
            let margin: ArrayRef = Arc::new(Float32Array::from(every));
            let runner_up: ArrayRef = Arc::new(UInt8Array::from(other));
            columns.extend([
                of("margin", squares(margin, nulls.clone())?),
                of("runner_up", squares(runner_up, nulls)?),
                of(
                    "board_margin",
                    Arc::new(sure().map(|row| row.map(Margins::least)).collect::<Float32Array>()),
                ),
                of(
                    "unsure",
                    Arc::new(
                        sure()
                            .map(|row| row.map(|row| row.below(threshold)))
                            .collect::<UInt64Array>(),
                    ),
                ),
            ]);
        }
        let (fields, arrays): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
        RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).map_err(invalid)
    }
}

/// Lists of 64 of `values`.
fn squares(values: ArrayRef, nulls: Option<NullBuffer>) -> PyResult<ArrayRef> {
    let item = Arc::new(Field::new("item", values.data_type().clone(), false));
    Ok(Arc::new(FixedSizeListArray::try_new(item, 64, values, nulls).map_err(invalid)?))
}

fn square<T: Copy>(plane: &[T]) -> PyResult<[T; 64]> {
    plane.try_into().map_err(|_| PyValueError::new_err("a plane must have 64 squares"))
}

fn table(planes: &[Vec<f32>]) -> PyResult<Scores> {
    let planes = planes.iter().map(|plane| square(plane)).collect::<PyResult<Vec<_>>>()?;
    let wrong = |_| PyValueError::new_err(format!("a table must have {CLASSES} planes"));
    planes.try_into().map_err(wrong)
}

/// The one array of `data_type` that `object`, the argument called `name`, is.
fn array_of(object: &Bound<'_, PyAny>, name: &str, data_type: &DataType) -> PyResult<ArrayRef> {
    let Imported { field, mut chunks, chunked } = import(object, name, |kind| kind == data_type)?;
    match chunks.pop() {
        Some(array) if !chunked => Ok(array),
        _ => Err(PyTypeError::new_err(format!(
            "{name} must be one array of {data_type}, got {}",
            field.data_type()
        ))),
    }
}

fn numbers<T: ArrowPrimitiveType>(
    object: &Bound<'_, PyAny>,
    name: &str,
) -> PyResult<PrimitiveArray<T>> {
    let array = array_of(object, name, &T::DATA_TYPE)?;
    Ok(array.as_primitive().clone())
}

/// A column of one of `lengths`.
fn column<T: ArrowPrimitiveType>(
    object: Option<&Bound<'_, PyAny>>,
    name: &str,
    lengths: &[usize],
) -> PyResult<Option<PrimitiveArray<T>>> {
    let Some(object) = object else { return Ok(None) };
    let array = numbers::<T>(object, name)?;
    if !lengths.contains(&array.len()) {
        return Err(PyValueError::new_err(format!("{name} has {} values", array.len())));
    }
    Ok(Some(array))
}

fn booleans(object: &Bound<'_, PyAny>, rows: usize) -> PyResult<BooleanArray> {
    let array = array_of(object, "known", &DataType::Boolean)?.as_boolean().clone();
    if array.len() != rows {
        return Err(PyValueError::new_err("known must have one boolean for each row"));
    }
    Ok(array)
}

/// The names of the flags of a decoded row, lowest bit first.
#[pyfunction]
pub(crate) fn decode_flags() -> Vec<&'static str> {
    flag::NAMES.to_vec()
}

/// The names of the statuses of a row in the order of their values.
#[pyfunction]
pub(crate) fn decode_statuses() -> Vec<&'static str> {
    Status::NAMES.to_vec()
}

/// The classes of placements as recognizers print them, 64 bytes a row, and the side to move where
/// fields follow: 1 for White, 2 for Black, 0 for unknown. Null where null or unreadable.
#[pyfunction]
pub(crate) fn read_placements<'py>(
    py: Python<'py>,
    texts: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let column = Column::import(texts, "scores")?.unpacked()?;
    column.kind(Accept::Text)?;
    let chunks = column.rows()?;
    let mut boards = zeroed::<[u8; 64]>(&chunks, |len| len)?;
    let mut turns = zeroed::<u8>(&chunks, |len| len)?;
    let mut known: Vec<_> = chunks.iter().map(|rows| vec![false; rows.len()]).collect();
    let outs = boards.iter_mut().zip(&mut turns).zip(&mut known).map(|((boards, turns), known)| {
        boards.chunks_mut(JOB).zip(turns.chunks_mut(JOB)).zip(known.chunks_mut(JOB))
    });
    threads::run(py, total(&chunks), jobs(&chunks, outs), |job| {
        let range = job.range();
        let ((boards, turns), known) = job.out;
        job.rows.text_blocks(range, |block, at| {
            for (i, row) in (at - job.start..).zip(block) {
                if let Some(read) = row.and_then(|row| read_text(row.text())) {
                    boards[i] = read.classes;
                    turns[i] = read.turn.map_or(0, |turn| turn as u8 + 1);
                    known[i] = true;
                }
            }
        });
    })?;
    let nulls = |known: &[bool]| Some(NullBuffer::from(known.to_vec()));
    let ids = boards.into_iter().zip(&known).map(|(boards, known)| {
        let bytes = Buffer::from_vec(boards.into_flattened());
        let array = FixedSizeBinaryArray::try_new(64, bytes, nulls(known)).map_err(invalid)?;
        Ok(Arc::new(array) as ArrayRef)
    });
    let turns = turns.into_iter().map(|turns| Arc::new(UInt8Array::from(turns)) as ArrayRef);
    Ok((
        output::export(
            py,
            &column,
            output::field(DataType::FixedSizeBinary(64)),
            ids.collect::<PyResult<_>>()?,
        )?,
        output::export(py, &column, output::field(DataType::UInt8), turns.collect())?,
    ))
}
