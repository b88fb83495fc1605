//! What was met, how often, and what was wrong.

use std::collections::BTreeMap;
use std::fmt;

use fenpack_core::Level;
use fenpack_core::problem::{Problems, TABLE};

/// How many differences are shown.
const SHOWN: usize = 20;

pub(crate) struct Tally {
    rows: u64,
    pub(crate) both: u64,
    only_fenpack: u64,
    only_python_chess: u64,
    pub(crate) accepted: u64,
    levels: BTreeMap<&'static str, u64>,
    codes: [u64; TABLE.len()],
    pub(crate) differences: BTreeMap<&'static str, u64>,
    pub(crate) squares: [u64; 5],
    pub(crate) wrong: u64,
    shown: Vec<String>,
}

impl Default for Tally {
    fn default() -> Tally {
        Tally {
            rows: 0,
            both: 0,
            only_fenpack: 0,
            only_python_chess: 0,
            accepted: 0,
            levels: BTreeMap::new(),
            codes: [0; TABLE.len()],
            differences: BTreeMap::new(),
            squares: [0; 5],
            wrong: 0,
            shown: Vec::new(),
        }
    }
}

const SQUARES: [&str; 5] = ["given", "valid", "with a pawn beside", "legal", "pinned"];

impl Tally {
    /// Counts a row by who reads it, and its codes.
    pub(crate) fn count_row(&mut self, theirs: bool, ours: bool, problems: Problems) {
        self.both += u64::from(theirs && ours);
        self.only_fenpack += u64::from(ours && !theirs);
        self.only_python_chess += u64::from(theirs && !ours);
        let mut rest = problems;
        while rest != 0 {
            self.codes[rest.trailing_zeros() as usize] += 1;
            rest &= rest - 1;
        }
    }

    /// Counts an en passant square that was given.
    pub(crate) fn count_square(&mut self, valid: bool, capturable: bool, legal: bool) {
        let met = [true, valid, capturable, legal, capturable && !legal];
        for (count, met) in self.squares.iter_mut().zip(met) {
            *count += u64::from(met);
        }
    }

    /// Counts a row where fenpack departs from python-chess as stated.
    pub(crate) fn differ(&mut self, name: &'static str) {
        *self.differences.entry(name).or_default() += 1;
    }

    /// Notes a difference that nothing explains.
    pub(crate) fn report(&mut self, text: &[u8], chess960: bool, level: Level, wrong: String) {
        self.wrong += 1;
        if self.shown.len() < SHOWN {
            let mode = if chess960 { "Chess960" } else { "standard" };
            let text = text.escape_ascii();
            self.shown.push(format!("\"{text}\" ({mode}, {}): {wrong}", level.name()));
        }
    }

    /// Counts rows compared on one instruction set.
    pub(crate) fn count_level(&mut self, level: Level, rows: usize) {
        self.rows += rows as u64;
        *self.levels.entry(level.name()).or_default() += rows as u64;
    }

    /// How often each of `codes` was met.
    #[cfg(test)]
    pub(crate) fn met(&self, codes: Problems) -> impl Iterator<Item = (&'static str, u64)> {
        let counted = TABLE.iter().zip(self.codes);
        counted
            .filter(move |(entry, _)| entry.bit & codes != 0)
            .map(|(entry, count)| (entry.name, count))
    }

    /// Adds what another thread met.
    pub(crate) fn add(&mut self, other: Tally) {
        self.rows += other.rows;
        self.both += other.both;
        self.only_fenpack += other.only_fenpack;
        self.only_python_chess += other.only_python_chess;
        self.accepted += other.accepted;
        self.wrong += other.wrong;
        for (name, count) in other.levels {
            *self.levels.entry(name).or_default() += count;
        }
        for (name, count) in other.differences {
            *self.differences.entry(name).or_default() += count;
        }
        for (count, more) in self.squares.iter_mut().zip(other.squares) {
            *count += more;
        }
        for (count, more) in self.codes.iter_mut().zip(other.codes) {
            *count += more;
        }
        self.shown.extend(other.shown);
        self.shown.truncate(SHOWN);
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:>12} rows", self.rows)?;
        for (name, count) in &self.levels {
            writeln!(f, "{count:>12} by {name}")?;
        }
        writeln!(f, "{:>12} read by both", self.both)?;
        writeln!(f, "{:>12} read by fenpack alone", self.only_fenpack)?;
        writeln!(f, "{:>12} read by python-chess alone", self.only_python_chess)?;
        writeln!(f, "{:>12} valid to python-chess", self.accepted)?;
        for (name, count) in SQUARES.iter().zip(self.squares) {
            writeln!(f, "{count:>12} en passant squares {name}")?;
        }
        for (name, count) in &self.differences {
            writeln!(f, "{count:>12} differ as stated: {name}")?;
        }
        for (entry, count) in TABLE.iter().zip(self.codes).filter(|&(_, count)| count > 0) {
            writeln!(f, "{count:>12} {}", entry.name)?;
        }
        for shown in &self.shown {
            writeln!(f, "{shown}")?;
        }
        write!(f, "{:>12} unexplained differences", self.wrong)
    }
}
