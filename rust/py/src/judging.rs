//! The functions that judge rows.

use std::iter::repeat_with;

use arrow_schema::DataType;
use fenpack_core::Profile;
use fenpack_core::judgement::{Depth, Pass};
use fenpack_core::rows;
use pyo3::prelude::*;

use crate::input::{Accept, BLOCK, Column, Kind, Rows};
use crate::jobs::{FirstBad, Words, bit_words, jobs, starts, total, words};
use crate::options::{choose, pass};
use crate::output;
use crate::threads::{self, JOB, level};

/// Problem bits of each row, and whether it passes at a level.
#[pyfunction]
pub(crate) fn survey<'py>(
    py: Python<'py>,
    x: &Bound<'py, PyAny>,
    level: &str,
    strict: bool,
    chess960: bool,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let pass = pass(level, strict, chess960)?;
    let column = Column::import(x, "x")?;
    let kind = column.kind(Accept::Either)?;
    let chunks = column.rows()?;
    let (problems, valid) = match kind {
        Kind::Text => text_survey(py, &chunks, pass, true)?,
        Kind::Positions => {
            let problems = position_problems(py, &column, &chunks, chess960, Depth::All)?;
            let valid = passing(&problems, pass);
            (problems, valid)
        }
    };
    Ok((
        export_problems(py, &column, &chunks, problems)?,
        export_valid(py, &column, &chunks, valid)?,
    ))
}

/// Problem bits of each row.
#[pyfunction]
pub(crate) fn validate<'py>(
    py: Python<'py>,
    x: &Bound<'py, PyAny>,
    chess960: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let column = Column::import(x, "x")?;
    let kind = column.kind(Accept::Either)?;
    let chunks = column.rows()?;
    let problems = match kind {
        Kind::Text => text_survey(py, &chunks, Pass { chess960, ..Pass::default() }, false)?.0,
        Kind::Positions => position_problems(py, &column, &chunks, chess960, Depth::All)?,
    };
    export_problems(py, &column, &chunks, problems)
}

/// Problem words of each chunk of text, and its validity bits if they are `wanted`.
fn text_survey(
    py: Python<'_>,
    chunks: &[Rows<'_>],
    pass: Pass,
    wanted: bool,
) -> PyResult<(Words, Words)> {
    let level = level()?;
    let mut problems = words(chunks, |len| len)?;
    let mut valid = words(chunks, |len| if wanted { bit_words(len) } else { 0 })?;
    let outs = problems.iter_mut().zip(&mut valid).map(|(problems, valid)| {
        let valid = valid.chunks_mut(JOB / 64).map(Some).chain(repeat_with(|| None));
        problems.chunks_mut(JOB).zip(valid)
    });
    threads::run(py, total(chunks), jobs(chunks, outs), |job| {
        let range = job.range();
        let (problems, mut valid) = job.out;
        let mut unwanted = [0; BLOCK / 64];
        job.rows.text_blocks(range, |block, at| {
            let at = at - job.start;
            let problems = &mut problems[at..][..block.len()];
            let valid = valid.as_mut().map_or(&mut unwanted[..], |valid| &mut valid[at / 64..]);
            rows::survey(level, block, pass, problems, valid);
        });
    })?;
    Ok((problems, valid))
}

/// Validity bits of each chunk of positions.
fn passing(problems: &[Vec<u64>], pass: Pass) -> Words {
    let passes = |word: u64, problems: &u64| word << 1 | u64::from(problems & pass.failing() == 0);
    let words =
        |chunk: &Vec<u64>| chunk.chunks(64).map(|rows| rows.iter().rev().fold(0, passes)).collect();
    problems.iter().map(words).collect()
}

fn export_problems<'py>(
    py: Python<'py>,
    column: &Column,
    chunks: &[Rows<'_>],
    problems: Words,
) -> PyResult<Bound<'py, PyAny>> {
    let results =
        chunks.iter().zip(problems).map(|(rows, bits)| output::integers(bits, rows.nulls()));
    output::export(py, column, output::field(DataType::UInt64), results.collect())
}

fn export_valid<'py>(
    py: Python<'py>,
    column: &Column,
    chunks: &[Rows<'_>],
    valid: Words,
) -> PyResult<Bound<'py, PyAny>> {
    let results = chunks
        .iter()
        .zip(valid)
        .map(|(rows, words)| output::booleans(words, rows.len(), rows.nulls()));
    output::export(py, column, output::field(DataType::Boolean), results.collect())
}

/// Refuse a column that is no column of packed positions.
#[pyfunction]
pub(crate) fn check_positions(py: Python<'_>, positions: &Bound<'_, PyAny>) -> PyResult<()> {
    let column = Column::import(positions, "positions")?;
    column.kind(Accept::Positions)?;
    let chunks = column.rows()?;
    position_problems(py, &column, &chunks, false, Depth::Syntax).map(drop)
}

fn position_problems(
    py: Python<'_>,
    column: &Column,
    chunks: &[Rows<'_>],
    chess960: bool,
    depth: Depth,
) -> PyResult<Words> {
    let level = level()?;
    let mut problems = words(chunks, |len| len)?;
    let bad = FirstBad::default();
    let outs = problems
        .iter_mut()
        .zip(starts(chunks))
        .map(|(chunk, offset)| chunk.chunks_mut(JOB).map(move |out| (out, offset)));
    threads::run(py, total(chunks), jobs(chunks, outs), |job| {
        let range = job.range();
        let (out, offset) = job.out;
        let result = job.rows.position_blocks(range, |block, at| {
            let out = &mut out[at - job.start..][..block.len()];
            rows::validate_positions(level, block, chess960, depth, out)
        });
        bad.note(offset, result);
    })?;
    bad.check(column)?;
    Ok(problems)
}

/// Whether each row passes at a level.
#[pyfunction]
pub(crate) fn is_valid<'py>(
    py: Python<'py>,
    x: &Bound<'py, PyAny>,
    level: &str,
    strict: bool,
    chess960: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let pass = pass(level, strict, chess960)?;
    let column = Column::import(x, "x")?;
    let kind = column.kind(Accept::Either)?;
    let chunks = column.rows()?;
    let valid = match kind {
        Kind::Text => {
            let instructions = threads::level()?;
            let mut valid = words(&chunks, bit_words)?;
            let outs = valid.iter_mut().map(|chunk| chunk.chunks_mut(JOB / 64));
            threads::run(py, total(&chunks), jobs(&chunks, outs), |job| {
                let range = job.range();
                job.rows.text_blocks(range, |block, at| {
                    let out = &mut job.out[(at - job.start) / 64..];
                    rows::is_valid(instructions, block, pass, out);
                });
            })?;
            valid
        }
        Kind::Positions => {
            passing(&position_problems(py, &column, &chunks, chess960, pass.depth)?, pass)
        }
    };
    export_valid(py, &column, &chunks, valid)
}

/// Whether a program accepts each row.
#[pyfunction]
pub(crate) fn accepts<'py>(
    py: Python<'py>,
    x: &Bound<'py, PyAny>,
    profile: &str,
    chess960: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let profile =
        choose("profile", profile, &Profile::ALL.map(|profile| (profile.name(), profile)))?;
    let level = level()?;
    let column = Column::import(x, "x")?;
    let kind = column.kind(Accept::Either)?;
    let chunks = column.rows()?;
    let mut valid = words(&chunks, bit_words)?;
    let bad = FirstBad::default();
    let outs = valid
        .iter_mut()
        .zip(starts(&chunks))
        .map(|(chunk, offset)| chunk.chunks_mut(JOB / 64).map(move |out| (out, offset)));
    threads::run(py, total(&chunks), jobs(&chunks, outs), |job| {
        let range = job.range();
        let (out, offset) = job.out;
        match kind {
            Kind::Text => job.rows.text_blocks(range, |block, at| {
                let out = &mut out[(at - job.start) / 64..];
                rows::accepts(level, block, profile, chess960, out);
            }),
            Kind::Positions => {
                let result = job.rows.position_blocks(range, |block, at| {
                    let out = &mut out[(at - job.start) / 64..];
                    rows::accepts_positions(level, block, profile, chess960, out)
                });
                bad.note(offset, result);
            }
        }
    })?;
    bad.check(&column)?;
    export_valid(py, &column, &chunks, valid)
}
