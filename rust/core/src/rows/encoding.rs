//! Rows to numbers of a fixed width.

use crate::isa::{Level, dispatch};
use crate::parse::placement::{Placement, Task};
use crate::parse::{self, Reading};
use crate::planes::{Expand, STEPS};
use crate::position::{Malformed, Position};
use crate::row::{MaybePacked, MaybeRow};
use crate::unheld::Unheld;

/// A way to write a position as numbers.
pub trait Encode: Sync {
    /// One number.
    type Cell: Copy + Send + Sync;

    /// What stands in the row of a position that is not there.
    const BLANK: Self::Cell;

    /// The numbers of a row.
    fn width(&self) -> usize;

    /// Writes `position` to `out`, of [`Encode::width`] cells. `earlier` are the positions before
    /// it, the latest first.
    ///
    /// # Errors
    /// What of the position finds no place; `out` is then unspecified.
    fn encode<X: Expand>(
        &self,
        isa: X,
        position: &Position,
        earlier: &[Option<Position>],
        out: &mut [Self::Cell],
    ) -> Result<(), Unheld>;
}

/// Why a row has no numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is null.
    Null,
    /// Its text cannot be read.
    Unreadable,
    /// Its bytes are no packed position.
    Malformed(Malformed),
    /// The bytes of this earlier position are no packed position.
    MalformedEarlier(usize, Malformed),
    /// The encoding has no room for it.
    Unheld(Unheld),
}

/// The rows of a block, and the positions before them.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a, 'b> {
    /// The rows.
    pub rows: BlockRows<'a, 'b>,
    /// For each step back, the positions of all rows.
    pub earlier: &'a [Vec<MaybePacked<'b>>],
    /// Whether texts are read as Chess960.
    pub chess960: bool,
}

/// Rows of text or of packed positions.
#[derive(Clone, Copy, Debug)]
pub enum BlockRows<'a, 'b> {
    /// Texts.
    Texts(&'a [MaybeRow<'b>]),
    /// Packed positions.
    Packed(&'a [MaybePacked<'b>]),
}

/// Writes each row of `block` to the next cells of `out`, and tells `refuse` of every row that is
/// left blank and why.
pub fn encode<E: Encode>(
    level: Level,
    block: Block<'_, '_>,
    encoder: &E,
    out: &mut [E::Cell],
    refuse: impl FnMut(usize, Refusal),
) {
    struct Encoding<'a, 'b, E: Encode, F> {
        block: Block<'a, 'b>,
        encoder: &'a E,
        out: &'a mut [E::Cell],
        refuse: F,
    }
    impl<E: Encode, F: FnMut(usize, Refusal)> Task for Encoding<'_, '_, E, F> {
        type Output = ();
        #[inline(always)]
        fn run<P: Placement>(self, isa: P) {
            let Self { block, encoder, out, mut refuse } = self;
            let cells = out.chunks_exact_mut(encoder.width()).enumerate();
            match block.rows {
                BlockRows::Texts(rows) => {
                    for (row, (i, out)) in rows.iter().zip(cells) {
                        let written = match row {
                            None => Err(Refusal::Null),
                            Some(row) => match parse::fast(isa, *row, block.chess960) {
                                Some((Reading { position, .. }, _)) => {
                                    write_row(isa, encoder, &position, block.earlier, i, out)
                                }
                                None => match read_careful(row.text(), block.chess960) {
                                    Ok(position) => {
                                        write_row(isa, encoder, &position, block.earlier, i, out)
                                    }
                                    Err(refusal) => Err(refusal),
                                },
                            },
                        };
                        if let Err(refusal) = written {
                            out.fill(E::BLANK);
                            refuse(i, refusal);
                        }
                    }
                }
                BlockRows::Packed(rows) => {
                    for (row, (i, out)) in rows.iter().zip(cells) {
                        let written = match row {
                            None => Err(Refusal::Null),
                            Some(bytes) => match Position::from_bytes(bytes) {
                                Ok(position) => {
                                    write_row(isa, encoder, &position, block.earlier, i, out)
                                }
                                Err(malformed) => Err(Refusal::Malformed(malformed)),
                            },
                        };
                        if let Err(refusal) = written {
                            out.fill(E::BLANK);
                            refuse(i, refusal);
                        }
                    }
                }
            }
        }
    }
    dispatch(level, Encoding { block, encoder, out, refuse });
}

#[inline(always)]
fn write_row<E: Encode, X: Expand>(
    isa: X,
    encoder: &E,
    position: &Position,
    packed: &[Vec<MaybePacked<'_>>],
    row: usize,
    out: &mut [E::Cell],
) -> Result<(), Refusal> {
    let written = if packed.is_empty() {
        encoder.encode(isa, position, &[], out)
    } else {
        let earlier = unpack_earlier(packed, row)?;
        let steps = packed.len().min(earlier.len());
        encoder.encode(isa, position, &earlier[..steps], out)
    };
    written.map_err(Refusal::Unheld)
}

#[cold]
#[inline(never)]
fn read_careful(text: &[u8], chess960: bool) -> Result<Position, Refusal> {
    parse::careful(text, chess960).position().copied().ok_or(Refusal::Unreadable)
}

/// The positions before row `row`, the latest first.
#[inline(never)]
fn unpack_earlier(
    packed: &[Vec<MaybePacked<'_>>],
    row: usize,
) -> Result<[Option<Position>; STEPS - 1], Refusal> {
    let mut earlier = [None; STEPS - 1];
    for (step, (rows, slot)) in packed.iter().zip(&mut earlier).enumerate() {
        if let Some(bytes) = rows[row] {
            let position = Position::from_bytes(bytes);
            *slot = Some(position.map_err(|error| Refusal::MalformedEarlier(step, error))?);
        }
    }
    Ok(earlier)
}
