//! The functions that turn rows into positions or text.

use arrow_schema::DataType;
use fenpack_core::rows;
use fenpack_core::{EnPassant, Position};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::input::{Accept, Chunk, Column, Rows};
use crate::jobs::{FirstBad, bit_words, jobs, starts, total, words};
use crate::options::{choices, dialect_named};
use crate::output::{self, Lines};
use crate::threads::{self, JOB, level};

/// The first row that a parser refused: its number and its text.
type Refused<'py> = Option<(usize, Bound<'py, PyBytes>)>;

/// Packed positions, and the first row refused if `find_refused`.
#[pyfunction]
pub(crate) fn parse<'py>(
    py: Python<'py>,
    fens: &Bound<'py, PyAny>,
    dialect: &str,
    chess960: bool,
    find_refused: bool,
) -> PyResult<(Bound<'py, PyAny>, Refused<'py>)> {
    const WORDS: usize = Position::SIZE / 8;
    let (level, dialect) = (level()?, dialect_named(dialect)?);
    let column = Column::import(fens, "fens")?;
    column.kind(Accept::Text)?;
    let chunks = column.rows()?;
    let mut packed = words(&chunks, |len| len * WORDS)?;
    let mut known = words(&chunks, bit_words)?;
    let refused = std::sync::atomic::AtomicUsize::new(0);
    let outs = packed
        .iter_mut()
        .zip(&mut known)
        .map(|(packed, known)| packed.chunks_mut(JOB * WORDS).zip(known.chunks_mut(JOB / 64)));
    threads::run(py, total(&chunks), jobs(&chunks, outs), |job| {
        let range = job.range();
        let (packed, known) = job.out;
        let packed: &mut [Position] = bytemuck::cast_slice_mut(packed);
        let mut count = 0;
        job.rows.text_blocks(range, |block, at| {
            let at = at - job.start;
            let (packed, known) = (&mut packed[at..][..block.len()], &mut known[at / 64..]);
            count += rows::parse(level, block, dialect, chess960, packed, known);
        });
        refused.fetch_add(count, std::sync::atomic::Ordering::Relaxed);
    })?;
    let known: Vec<_> =
        chunks.iter().zip(known).map(|(rows, words)| output::nulls(words, rows.len())).collect();
    let results = packed
        .into_iter()
        .zip(&known)
        .map(|(packed, known)| output::positions(packed, known.clone()))
        .collect::<PyResult<Vec<_>>>()?;
    let refused = if find_refused && refused.into_inner() > 0 {
        first_refused(py, &column, &results)?
    } else {
        None
    };
    Ok((output::export(py, &column, output::position_field(), results)?, refused))
}

/// The first row of `column` that is not null but has no result.
fn first_refused<'py>(
    py: Python<'py>,
    column: &Column,
    results: &[arrow_array::ArrayRef],
) -> PyResult<Refused<'py>> {
    let mut offset = 0;
    for (chunk, result) in column.chunks().iter().zip(results) {
        let result = chunk.spread(result.clone())?;
        for row in (0..chunk.len()).filter(|&row| result.is_null(row)) {
            if let Some(text) = chunk.text(row, column.name())? {
                return Ok(Some((offset + row, PyBytes::new(py, &text))));
            }
        }
        offset += chunk.len();
    }
    Ok(None)
}

/// Canonical text.
#[pyfunction]
pub(crate) fn canonicalize<'py>(
    py: Python<'py>,
    fens: &Bound<'py, PyAny>,
    en_passant: &str,
    castling: &str,
    counters: &str,
    chess960: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let level = level()?;
    let choice = choices(en_passant, EnPassant::Valid, castling, counters, chess960)?;
    let column = Column::import(fens, "fens")?;
    column.kind(Accept::Text)?;
    let chunks = column.rows()?;
    let mut known = words(&chunks, bit_words)?;
    let mut lines = line_parts(&chunks);
    let outs = lines
        .iter_mut()
        .zip(&mut known)
        .map(|(lines, known)| lines.iter_mut().zip(known.chunks_mut(JOB / 64)));
    threads::run(py, total(&chunks), jobs(&chunks, outs), |job| {
        let range = job.range();
        let (lines, known) = job.out;
        job.rows.text_blocks(range, |block, at| {
            let known = &mut known[(at - job.start) / 64..];
            rows::canonicalize(level, block, choice, &mut lines.text, &mut lines.ends, known);
        });
    })?;
    let nulls = chunks.iter().zip(known).map(|(rows, words)| output::nulls(words, rows.len()));
    export_lines(py, &column, &lines, nulls)
}

/// Text with the safe repairs, and the codes that they mend.
#[pyfunction]
pub(crate) fn repair<'py>(
    py: Python<'py>,
    fens: &Bound<'py, PyAny>,
    chess960: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let level = level()?;
    let column = Column::import(fens, "fens")?;
    column.kind(Accept::Text)?;
    let chunks = column.rows()?;
    let mut known = words(&chunks, bit_words)?;
    let mut repairs = words(&chunks, |len| len)?;
    let mut lines = line_parts(&chunks);
    let outs =
        lines.iter_mut().zip(&mut repairs).zip(&mut known).map(|((lines, repairs), known)| {
            lines.iter_mut().zip(repairs.chunks_mut(JOB)).zip(known.chunks_mut(JOB / 64))
        });
    threads::run(py, total(&chunks), jobs(&chunks, outs), |job| {
        let range = job.range();
        let ((lines, repairs), known) = job.out;
        job.rows.text_blocks(range, |block, at| {
            let at = at - job.start;
            let (repairs, known) = (&mut repairs[at..][..block.len()], &mut known[at / 64..]);
            let Lines { text, ends } = &mut *lines;
            rows::repair(level, block, chess960, text, ends, repairs, known);
        });
    })?;
    let large = needs_large(&column, &lines);
    let results = chunks
        .iter()
        .zip(known)
        .zip(lines.iter().zip(repairs))
        .map(|((rows, known), (lines, repairs))| {
            let nulls = output::nulls(known, rows.len());
            let fens = output::strings(lines, nulls.clone(), large)?;
            output::repairs(fens, output::integers(repairs, nulls.clone()), nulls)
        })
        .collect::<PyResult<Vec<_>>>()?;
    output::export(py, &column, output::field(output::repair_type(large)), results)
}

/// FEN text of packed positions.
#[pyfunction]
pub(crate) fn format<'py>(
    py: Python<'py>,
    positions: &Bound<'py, PyAny>,
    en_passant: &str,
    castling: &str,
    counters: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let choice = choices(en_passant, EnPassant::AsGiven, castling, counters, false)?;
    let column = Column::import(positions, "positions")?;
    column.kind(Accept::Positions)?;
    let chunks = column.rows()?;
    let mut lines = line_parts(&chunks);
    let bad = FirstBad::default();
    let outs = lines
        .iter_mut()
        .zip(starts(&chunks))
        .map(|(lines, offset)| lines.iter_mut().map(move |lines| (lines, offset)));
    threads::run(py, total(&chunks), jobs(&chunks, outs), |job| {
        let range = job.range();
        let (lines, offset) = job.out;
        let result = job.rows.position_blocks(range, |block, _| {
            rows::format(block, choice, &mut lines.text, &mut lines.ends)
        });
        bad.note(offset, result);
    })?;
    bad.check(&column)?;
    export_lines(py, &column, &lines, chunks.iter().map(Rows::nulls))
}

/// Empty lines for every job of every chunk.
fn line_parts(chunks: &[Rows<'_>]) -> Vec<Vec<Lines>> {
    let parts = |rows: &Rows<'_>| (0..rows.len().div_ceil(JOB)).map(|_| Lines::default()).collect();
    chunks.iter().map(parts).collect()
}

/// Text that outgrows 32-bit offsets in any chunk gets 64-bit ones in all.
fn needs_large(column: &Column, lines: &[Vec<Lines>]) -> bool {
    // A dictionary's texts are repeated by key, each no longer than the longest.
    let bytes = |chunk: &Chunk, parts: &[Lines]| {
        if chunk.is_dictionary() {
            chunk.len() * parts.iter().map(Lines::longest).max().unwrap_or(0)
        } else {
            parts.iter().map(|part| part.text.len()).sum()
        }
    };
    let mut chunks = column.chunks().iter().zip(lines);
    column.is_large() || chunks.any(|(chunk, parts)| bytes(chunk, parts) > i32::MAX as usize)
}

fn export_lines<'py>(
    py: Python<'py>,
    column: &Column,
    lines: &[Vec<Lines>],
    nulls: impl Iterator<Item = Option<arrow_buffer::NullBuffer>>,
) -> PyResult<Bound<'py, PyAny>> {
    let large = needs_large(column, lines);
    let results = lines
        .iter()
        .zip(nulls)
        .map(|(parts, nulls)| output::strings(parts, nulls, large))
        .collect::<PyResult<Vec<_>>>()?;
    let data_type = if large { DataType::LargeUtf8 } else { DataType::Utf8 };
    output::export(py, column, output::field(data_type), results)
}
