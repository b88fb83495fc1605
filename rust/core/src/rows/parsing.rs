//! Text to positions.

use crate::isa::{Level, dispatch};
use crate::parse::placement::{Placement, Task};
use crate::parse::{self, Dialect};
use crate::position::Position;
use crate::row::MaybeRow;

/// Writes the position of each of `rows` to `positions` and returns how many were refused.
///
/// A null or refused row leaves its place in `positions` untouched and its bit in `known` clear.
pub fn parse(
    level: Level,
    rows: &[MaybeRow<'_>],
    dialect: Dialect,
    chess960: bool,
    positions: &mut [Position],
    known: &mut [u64],
) -> usize {
    struct Parse<'a, 'b>(&'a [MaybeRow<'b>], Dialect, bool, &'a mut [Position], &'a mut [u64]);
    impl Task for Parse<'_, '_> {
        type Output = usize;
        #[inline(always)]
        fn run<P: Placement>(self, placement: P) -> usize {
            let Self(rows, dialect, chess960, positions, known) = self;
            let mut refused = 0;
            let chunks = rows.chunks(64).zip(positions.chunks_mut(64));
            for ((rows, positions), word) in chunks.zip(known) {
                *word = 0;
                for (i, (row, out)) in rows.iter().zip(positions).enumerate() {
                    let Some(row) = *row else { continue };
                    // A placement that stands alone has no tail, so the fast path refuses it.
                    let accepted = match parse::fast_epd(placement, row, chess960) {
                        Some((reading, _)) if dialect == Dialect::Lenient => {
                            *out = reading.position;
                            true
                        }
                        _ => parse_careful(row.text(), dialect, chess960, out),
                    };
                    *word |= u64::from(accepted) << i;
                    refused += usize::from(!accepted);
                }
            }
            refused
        }
    }
    dispatch(level, Parse(rows, dialect, chess960, positions, known))
}

#[cold]
#[inline(never)]
fn parse_careful(text: &[u8], dialect: Dialect, chess960: bool, out: &mut Position) -> bool {
    let reading = match dialect {
        Dialect::Placement => parse::placement_only(text),
        Dialect::Fen | Dialect::Lenient => parse::careful(text, chess960),
    };
    let accepted = reading.accepted(dialect, chess960);
    if let Some(position) = accepted {
        *out = *position;
    }
    accepted.is_some()
}
