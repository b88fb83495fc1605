//! The column functions.

use std::iter::repeat_with;

use arrow_schema::DataType;
use fenpack_core::judgement::{Depth, Pass};
use fenpack_core::rows::{self, Canonical};
use fenpack_core::{Castling, Counters, Dialect, EnPassant, Position, Profile};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::input::{Accept, BLOCK, BadRow, Column, Kind, Rows};
use crate::output::{self, Lines};
use crate::threads::{self, JOB, level};

/// The value that `name` has among `choices`.
fn choose<T: Copy>(argument: &str, name: &str, choices: &[(&str, T)]) -> PyResult<T> {
    choices.iter().find(|(known, _)| *known == name).map(|(_, value)| *value).ok_or_else(|| {
        let known: Vec<_> = choices.iter().map(|(known, _)| format!("{known:?}")).collect();
        PyValueError::new_err(format!(
            "{argument} must be one of {}, got {name:?}",
            known.join(", ")
        ))
    })
}

pub(crate) fn dialect(name: &str) -> PyResult<Dialect> {
    let choices =
        [("fen", Dialect::Fen), ("lenient", Dialect::Lenient), ("placement", Dialect::Placement)];
    choose("dialect", name, &choices)
}

fn choices(
    en_passant: &str,
    keep: EnPassant,
    castling: &str,
    counters: &str,
    chess960: bool,
) -> PyResult<Canonical> {
    let rules = [
        ("legal", EnPassant::Legal),
        ("xfen", EnPassant::Xfen),
        ("keep", keep),
        ("drop", EnPassant::Drop),
    ];
    let spellings = [("xfen", Castling::Xfen), ("shredder", Castling::Shredder)];
    let counts = [("keep", Counters::Keep), ("reset", Counters::Reset), ("drop", Counters::Drop)];
    Ok(Canonical {
        en_passant: choose("en_passant", en_passant, &rules)?,
        castling: choose("castling", castling, &spellings)?,
        counters: choose("counters", counters, &counts)?,
        chess960,
    })
}

/// A stretch of one chunk's rows with the room for its results.
struct Job<'a, T> {
    rows: &'a Rows<'a>,
    start: usize,
    len: usize,
    out: T,
}

impl<T> Job<'_, T> {
    fn range(&self) -> std::ops::Range<usize> {
        self.start..self.start + self.len
    }
}

/// One job for every [`JOB`] rows, each with the next of the chunk's `outs`.
fn jobs<'a, T, O: IntoIterator<Item = T>>(
    chunks: &'a [Rows<'a>],
    outs: impl IntoIterator<Item = O>,
) -> Vec<Job<'a, T>> {
    let stretches = chunks.iter().zip(outs).flat_map(|(rows, outs)| {
        (0..rows.len()).step_by(JOB).zip(outs).map(move |(start, out)| Job {
            rows,
            start,
            len: JOB.min(rows.len() - start),
            out,
        })
    });
    stretches.collect()
}

fn total(chunks: &[Rows<'_>]) -> usize {
    chunks.iter().map(Rows::len).sum()
}

/// Zeroed words, `per_row(len)` for each chunk.
fn words(chunks: &[Rows<'_>], size: impl Fn(usize) -> usize) -> Words {
    chunks.iter().map(|rows| vec![0; size(rows.len())]).collect()
}

/// The words that hold one bit per row.
fn bit_words(len: usize) -> usize {
    len.div_ceil(64)
}

/// Remembers the first row in the column's order that is no packed position.
#[derive(Default)]
struct FirstBad(std::sync::Mutex<Option<BadRow>>);

impl FirstBad {
    fn note(&self, offset: usize, result: Result<(), BadRow>) {
        if let (Err(error), Ok(mut first)) = (result, self.0.lock()) {
            let row = offset + error.row;
            if first.as_ref().is_none_or(|first| row < first.row) {
                *first = Some(BadRow { row, reason: error.reason });
            }
        }
    }

    fn check(self, column: &Column) -> PyResult<()> {
        match self.0.into_inner().ok().flatten() {
            None => Ok(()),
            Some(BadRow { row, reason }) => Err(PyValueError::new_err(format!(
                "{} row {row} is no packed position: {reason}",
                column.name()
            ))),
        }
    }
}

/// The row number of each chunk's first row.
fn starts(chunks: &[Rows<'_>]) -> Vec<usize> {
    let mut start = 0;
    let mut next = |len| {
        start += len;
        start - len
    };
    chunks.iter().map(|rows| next(rows.len())).collect()
}

fn pass(level: &str, strict: bool, chess960: bool) -> PyResult<Pass> {
    let levels =
        [("syntax", Depth::Syntax), ("legal", Depth::Legal), ("reachable", Depth::Reachable)];
    let depth = choose("level", level, &levels)?;
    Ok(Pass { depth, strict, chess960 })
}

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

/// The words of each chunk's results.
type Words = Vec<Vec<u64>>;

/// Problem words of each chunk of text, and its validity bits if they are `wanted`.
fn text_survey(
    py: Python<'_>,
    chunks: &[Rows<'_>],
    pass: Pass,
    wanted: bool,
) -> PyResult<(Words, Words)> {
    let level = level()?;
    let mut problems = words(chunks, |len| len);
    let mut valid = words(chunks, |len| if wanted { bit_words(len) } else { 0 });
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
    let mut problems = words(chunks, |len| len);
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
            let mut valid = words(&chunks, bit_words);
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
    let mut valid = words(&chunks, bit_words);
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
    let (level, dialect) = (level()?, self::dialect(dialect)?);
    let column = Column::import(fens, "fens")?;
    column.kind(Accept::Text)?;
    let chunks = column.rows()?;
    let mut packed = words(&chunks, |len| len * WORDS);
    let mut known = words(&chunks, bit_words);
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
    let mut known = words(&chunks, bit_words);
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
    let mut known = words(&chunks, bit_words);
    let mut repairs = words(&chunks, |len| len);
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
    let bytes = |parts: &Vec<Lines>| parts.iter().map(|part| part.text.len()).sum::<usize>();
    column.is_large() || lines.iter().any(|parts| bytes(parts) > i32::MAX as usize)
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
