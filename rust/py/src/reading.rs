//! The positions of a column, given as text or packed.

use std::ops::Range;

use fenpack_core::row::NotAPosition;
use fenpack_core::{Dialect, Level, Position, rows};

use crate::input::{BLOCK, BadRow, Kind, Rows};

/// How the rows of a column are read as positions.
#[derive(Clone, Copy)]
pub(crate) struct Reader {
    pub(crate) level: Level,
    pub(crate) kind: Kind,
    pub(crate) chess960: bool,
}

/// Positions of consecutive rows.
pub(crate) struct Block<'a> {
    /// The index of the first row in its chunk.
    pub(crate) start: usize,
    positions: &'a [Position],
    known: &'a [u64],
}

impl Block<'_> {
    /// The rows that have a position, by their index in the block.
    #[inline(always)]
    pub(crate) fn known(&self) -> impl Iterator<Item = (usize, &Position)> {
        let is_known = |&(i, _): &(usize, _)| self.known[i / 64] >> (i % 64) & 1 == 1;
        self.positions.iter().enumerate().filter(is_known)
    }

    /// One bit a row: whether it has a position.
    pub(crate) fn known_bits(&self) -> &[u64] {
        self.known
    }
}

impl Reader {
    /// Hands the positions of `range` to `each` in blocks. A null row and a text that cannot be
    /// read have none.
    ///
    /// # Errors
    /// The first row whose bytes are no packed position.
    #[inline]
    pub(crate) fn blocks(
        self,
        rows: &Rows<'_>,
        range: Range<usize>,
        mut each: impl FnMut(&Block<'_>),
    ) -> Result<(), BadRow> {
        let mut positions = [Position::EMPTY; BLOCK];
        let mut known = [0; BLOCK / 64];
        match self.kind {
            Kind::Text => {
                rows.text_blocks(range, |block, start| {
                    let (level, chess960) = (self.level, self.chess960);
                    let positions = &mut positions[..block.len()];
                    rows::parse(level, block, Dialect::Lenient, chess960, positions, &mut known);
                    let known = &known[..block.len().div_ceil(64)];
                    each(&Block { start, positions, known });
                });
                Ok(())
            }
            Kind::Positions => rows.position_blocks(range, |block, start| {
                known.fill(0);
                for (i, (row, position)) in block.iter().zip(&mut positions).enumerate() {
                    if let Some(bytes) = row {
                        *position = Position::from_bytes(bytes)
                            .map_err(|reason| NotAPosition { row: i, reason })?;
                        known[i / 64] |= 1 << (i % 64);
                    }
                }
                let known = &known[..block.len().div_ceil(64)];
                each(&Block { start, positions: &positions[..block.len()], known });
                Ok(())
            }),
        }
    }
}
