//! What fenpack says of many texts in one buffer.

use fenpack_core::judgement::{Depth, Pass};
use fenpack_core::problem::Problems;
use fenpack_core::row::{MaybePacked, MaybeRow};
use fenpack_core::rows::{self, Canonical};
use fenpack_core::{Castling, Counters, Dialect, EnPassant, Level, Position, Profile, Row};

/// The usual canonical text.
pub(crate) const PLAIN: Canonical = Canonical {
    en_passant: EnPassant::Legal,
    castling: Castling::Xfen,
    counters: Counters::Keep,
    chess960: false,
};

/// What the row loops say.
pub(crate) struct Answers {
    /// Every code of each row.
    pub(crate) problems: Vec<Problems>,
    /// Whether each is legal, as bits.
    pub(crate) legal: Vec<u64>,
    /// Whether python-chess takes it, as bits.
    pub(crate) accepted: Vec<u64>,
    /// Canonical text by each choice.
    pub(crate) texts: Vec<Texts>,
}

impl Answers {
    pub(crate) fn of(
        level: Level,
        texts: &[Vec<u8>],
        chess960: bool,
        choices: &[Canonical],
    ) -> Answers {
        let buffer = texts.concat();
        let mut start = 0;
        let rows = texts.iter().map(|text| {
            let row = Row::new(&buffer[start..], text.len());
            start += text.len();
            Some(row)
        });
        let rows: Vec<MaybeRow<'_>> = rows.collect();
        let bits = || vec![0; rows.len().div_ceil(64)];
        let mut problems = vec![0; rows.len()];
        let (mut surveyed, mut legal, mut accepted) = (bits(), bits(), bits());
        let pass = Pass { depth: Depth::Legal, strict: false, chess960 };
        rows::survey(level, &rows, pass, &mut problems, &mut surveyed);
        rows::is_valid(level, &rows, pass, &mut legal);
        assert_eq!(surveyed, legal, "survey and is_valid agree");
        rows::accepts(level, &rows, Profile::PythonChess, chess960, &mut accepted);
        let texts = choices
            .iter()
            .map(|&choice| Texts::of(level, &rows, Canonical { chess960, ..choice }))
            .collect();
        Answers { problems, legal, accepted, texts }
    }
}

/// A column of canonical text.
pub(crate) struct Texts {
    pub(crate) text: Vec<u8>,
    ends: Vec<usize>,
    pub(crate) known: Vec<u64>,
}

impl Texts {
    fn of(level: Level, rows: &[MaybeRow<'_>], choice: Canonical) -> Texts {
        let (mut text, mut ends) = (Vec::new(), Vec::new());
        let mut known = vec![0; rows.len().div_ceil(64)];
        rows::canonicalize(level, rows, choice, &mut text, &mut ends, &mut known);
        Texts { text, ends, known }
    }

    /// The text of `row`, if it can be read.
    pub(crate) fn get(&self, row: usize) -> Option<&[u8]> {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        bit(&self.known, row).then(|| &self.text[start..self.ends[row]])
    }
}

/// Whether the bit of `row` is set.
pub(crate) fn bit(bits: &[u64], row: usize) -> bool {
    bits[row / 64] >> (row % 64) & 1 == 1
}

/// The position of a readable `text` as fenpack writes it.
pub(crate) fn plainly(text: &[u8], chess960: bool) -> Option<Vec<u8>> {
    let (mut position, mut known) = ([Position::EMPTY], [0]);
    let rows = [Some(Row::from(text))];
    let level = Level::Portable;
    rows::parse(level, &rows, Dialect::Lenient, chess960, &mut position, &mut known);
    let packed = position[0].to_bytes();
    let packed: [MaybePacked<'_>; 1] = [Some(&packed)];
    let (mut plain, mut ends) = (Vec::new(), Vec::new());
    let choice = Canonical { en_passant: EnPassant::AsGiven, chess960, ..PLAIN };
    rows::format(&packed, choice, &mut plain, &mut ends).ok()?;
    Some(plain)
}
