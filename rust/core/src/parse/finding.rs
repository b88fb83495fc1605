//! What the careful parser has to say, and who hears it.

use std::ops::Range;

use crate::problem::Problems;

/// The part of a FEN that a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// The text as a whole.
    Text,
    /// The piece placement.
    Placement,
    /// The side to move.
    Turn,
    /// The castling availability.
    Castling,
    /// The en passant target square.
    EnPassant,
    /// The halfmove clock.
    Halfmove,
    /// The fullmove number.
    Fullmove,
    /// What follows the last field of a FEN.
    Operations,
}

/// One thing worth saying about a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The code.
    pub problem: Problems,
    /// The field it is about.
    pub field: Field,
    /// The bytes at fault.
    pub span: Range<usize>,
    /// The rank at fault, 1 to 8.
    pub rank: Option<u8>,
    /// How many there are of what the code counts: squares, ranks, fields.
    pub count: usize,
}

/// Hears of fields and findings as they are met.
pub trait Sink {
    /// Takes the place of one field.
    fn field(&mut self, field: Field, span: Range<usize>);
    /// Takes one finding.
    fn note(&mut self, finding: Finding);
}

impl Sink for () {
    #[inline(always)]
    fn field(&mut self, _: Field, _: Range<usize>) {}
    #[inline(always)]
    fn note(&mut self, _: Finding) {}
}

/// Where the fields of a text are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields {
    /// Where the placement begins.
    pub start: usize,
    /// The castling availability.
    pub castling: Range<usize>,
    /// Where the en passant target square ends.
    pub end: usize,
    /// How many fields there are.
    pub count: usize,
}

impl Sink for Fields {
    fn field(&mut self, field: Field, span: Range<usize>) {
        self.count += 1;
        match field {
            Field::Placement => self.start = span.start,
            Field::Castling => self.castling = span,
            Field::EnPassant => self.end = span.end,
            _ => {}
        }
    }

    fn note(&mut self, _: Finding) {}
}
