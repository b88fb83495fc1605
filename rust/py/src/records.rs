//! The functions that write and read the records of other programs.

use arrow_schema::DataType;
use fenpack_core::Position;
use fenpack_core::records::{
    BinaryFen, ChessBoards, Compressed, PackedBoards, read_binary, read_compressed,
    read_packed_board,
};
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::input::{Accept, BadRow, Column, Kind};
use crate::inverses::read;
use crate::jobs::{FirstBad, bit_words, jobs, starts, total, words};
use crate::options::choose;
use crate::output::{self, Lines};
use crate::reading::Reader;
use crate::tensors::{Input, Refused, StateChoice};
use crate::threads::{self, JOB, level};

/// A kind of record.
#[derive(Clone, Copy)]
enum Record {
    ChessBoard,
    PackedBoard,
    Compressed,
}

fn record_named(name: &str) -> PyResult<Record> {
    let known = [
        ("chess_board", Record::ChessBoard),
        ("packed_board", Record::PackedBoard),
        ("compressed", Record::Compressed),
    ];
    choose("record", name, &known)
}

/// Records of each row, in the array of bytes that `room` gives for a number of rows.
#[pyfunction]
pub(crate) fn encode_records<'py>(
    py: Python<'py>,
    x: &Bound<'py, PyAny>,
    record: &str,
    state: StateChoice,
    blank: bool,
    room: &Bound<'py, PyAny>,
) -> PyResult<Refused<'py>> {
    let state = state.state()?;
    let input = Input::import(x, &[], state.chess960)?;
    match record_named(record)? {
        Record::ChessBoard => input.write(py, &ChessBoards, blank, room),
        Record::PackedBoard => input.write(py, &PackedBoards(state), blank, room),
        Record::Compressed => input.write(py, &Compressed(state), blank, room),
    }
}

/// Positions of records, all rows in one array of bytes.
#[pyfunction]
pub(crate) fn read_records<'py>(
    py: Python<'py>,
    records: &Bound<'py, PyArray1<u8>>,
    record: &str,
    chess960: bool,
) -> PyResult<Bound<'py, PyAny>> {
    fn of<const SIZE: usize>(bytes: &[u8]) -> &[u8; SIZE] {
        bytes.first_chunk().unwrap_or(&[0; SIZE])
    }
    match record_named(record)? {
        Record::ChessBoard => Err(PyValueError::new_err(
            "a ChessBoard does not say which side is to move, so no position can be read from it",
        )),
        Record::PackedBoard => {
            read(py, records, "records", 32, |_, bytes| read_packed_board(of(bytes), chess960))
        }
        Record::Compressed => {
            read(py, records, "records", 24, |_, bytes| read_compressed(of(bytes), chess960))
        }
    }
}

/// Binary FENs; null where there is no position.
#[pyfunction]
pub(crate) fn write_binary_fens<'py>(
    py: Python<'py>,
    x: &Bound<'py, PyAny>,
    state: StateChoice,
    variant: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let state = state.state()?;
    let with_variant = choose("variant", variant, &[("keep", true), ("standard", false)])?;
    let column = Column::import(x, "x")?.unpacked()?;
    let kind = column.kind(Accept::Either)?;
    let reader = Reader { level: level()?, kind, chess960: state.chess960 };
    let chunks = column.rows()?;
    let mut known = words(&chunks, bit_words)?;
    let parts = |len: usize| (0..len.div_ceil(JOB)).map(|_| Lines::default()).collect();
    let mut lines: Vec<Vec<Lines>> = chunks.iter().map(|rows| parts(rows.len())).collect();
    let bad = FirstBad::default();
    let outs =
        lines.iter_mut().zip(&mut known).zip(starts(&chunks)).map(|((lines, known), offset)| {
            let outs = lines.iter_mut().zip(known.chunks_mut(JOB / 64));
            outs.map(move |(lines, known)| (lines, known, offset))
        });
    threads::run(py, total(&chunks), jobs(&chunks, outs), |job| {
        let range = job.range();
        let (Lines { text, ends }, known, offset) = job.out;
        let result = reader.blocks(job.rows, range, |block| {
            let bits = block.known_bits();
            known[(block.start - job.start) / 64..][..bits.len()].copy_from_slice(bits);
            for (i, position) in block.known() {
                ends.resize(block.start - job.start + i, text.len());
                BinaryFen { state, with_variant }.write(position, text);
                ends.push(text.len());
            }
        });
        bad.note(offset, result);
    })?;
    bad.check(&column)?;
    for (rows, parts) in chunks.iter().zip(&mut lines) {
        // Rows without a position after the last one that has one.
        let lengths = (0..rows.len()).step_by(JOB).map(|start| JOB.min(rows.len() - start));
        for (part, length) in parts.iter_mut().zip(lengths) {
            part.ends.resize(length, part.text.len());
        }
    }
    let outgrown = |parts: &Vec<Lines>| {
        parts.iter().map(|part| part.text.len()).sum::<usize>() > i32::MAX as usize
    };
    let large = lines.iter().any(outgrown);
    let results = chunks.iter().zip(known).zip(&lines).map(|((rows, known), parts)| {
        output::binaries(parts, output::nulls(known, rows.len()), large)
    });
    let results = results.collect::<PyResult<_>>()?;
    let data_type = if large { DataType::LargeBinary } else { DataType::Binary };
    output::export(py, &column, output::field(data_type), results)
}

/// Positions of binary FENs; null for null.
#[pyfunction]
pub(crate) fn read_binary_fens<'py>(
    py: Python<'py>,
    fens: &Bound<'py, PyAny>,
    chess960: bool,
) -> PyResult<Bound<'py, PyAny>> {
    const WORDS: usize = Position::SIZE / 8;
    let column = Column::import(fens, "fens")?.unpacked()?;
    if column.kind(Accept::Text)? != Kind::Text || !column.is_binary() {
        return Err(pyo3::exceptions::PyTypeError::new_err(
            "fens must be a column of binary FENs (binary, large_binary, binary_view)",
        ));
    }
    let chunks = column.rows()?;
    let mut packed = words(&chunks, |len| len * WORDS)?;
    let bad = FirstBad::default();
    let outs = packed
        .iter_mut()
        .zip(starts(&chunks))
        .map(|(packed, offset)| packed.chunks_mut(JOB * WORDS).map(move |packed| (packed, offset)));
    threads::run(py, total(&chunks), jobs(&chunks, outs), |job| {
        let (range, start) = (job.range(), job.start);
        let (packed, offset) = job.out;
        let positions: &mut [Position] = bytemuck::cast_slice_mut(packed);
        job.rows.text_blocks(range, |block, at| {
            for (i, row) in block.iter().enumerate() {
                let Some(row) = row else { continue };
                match read_binary(row.text(), chess960) {
                    Ok(position) => positions[at - start + i] = position,
                    Err(fault) => {
                        let reason = fault.to_string();
                        bad.note(offset, Err(BadRow { row: at + i, reason }));
                    }
                }
            }
        });
    })?;
    bad.check_as(&column, "binary FEN")?;
    let results =
        chunks.iter().zip(packed).map(|(rows, packed)| output::positions(packed, rows.nulls()));
    let results = results.collect::<PyResult<_>>()?;
    output::export(py, &column, output::position_field(), results)
}
