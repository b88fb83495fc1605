//! Options as they are spelled in Python.

use fenpack_core::judgement::{Depth, Pass};
use fenpack_core::rows::Canonical;
use fenpack_core::{Castling, Counters, Dialect, EnPassant};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The value that `name` has among `choices`.
pub(crate) fn choose<T: Copy>(argument: &str, name: &str, choices: &[(&str, T)]) -> PyResult<T> {
    choices.iter().find(|(known, _)| *known == name).map(|(_, value)| *value).ok_or_else(|| {
        let known: Vec<_> = choices.iter().map(|(known, _)| format!("{known:?}")).collect();
        PyValueError::new_err(format!(
            "{argument} must be one of {}, got {name:?}",
            known.join(", ")
        ))
    })
}

pub(crate) fn dialect_named(name: &str) -> PyResult<Dialect> {
    let choices =
        [("fen", Dialect::Fen), ("lenient", Dialect::Lenient), ("placement", Dialect::Placement)];
    choose("dialect", name, &choices)
}

pub(crate) fn choices(
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

/// A rule that never keeps an invalid square.
pub(crate) fn en_passant_rule(name: &str) -> PyResult<EnPassant> {
    let rules = [
        ("legal", EnPassant::Legal),
        ("xfen", EnPassant::Xfen),
        ("keep", EnPassant::Valid),
        ("drop", EnPassant::Drop),
    ];
    choose("en_passant", name, &rules)
}

pub(crate) fn pass(level: &str, strict: bool, chess960: bool) -> PyResult<Pass> {
    let levels =
        [("syntax", Depth::Syntax), ("legal", Depth::Legal), ("reachable", Depth::Reachable)];
    let depth = choose("level", level, &levels)?;
    Ok(Pass { depth, strict, chess960 })
}
