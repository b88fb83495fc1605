//! A column cut into stretches of many rows, each of one chunk or of several small ones.

use std::ops::Range;

use crate::input::Rows;
use crate::jobs::starts;

/// Consecutive rows of a column.
pub(crate) type Stretch<'a> = Vec<Piece<'a>>;

/// Rows of one chunk, and the row of the column that the chunk's first one is.
pub(crate) struct Piece<'a> {
    pub(crate) rows: &'a Rows<'a>,
    pub(crate) range: Range<usize>,
    pub(crate) offset: usize,
}

/// The rows of `chunks` in stretches of `size` rows, the last one shorter.
pub(crate) fn stretches<'a>(chunks: &'a [Rows<'a>], size: usize) -> Vec<Stretch<'a>> {
    let mut stretches: Vec<Stretch<'a>> = Vec::new();
    let mut room = 0;
    for (rows, offset) in chunks.iter().zip(starts(chunks)) {
        let mut start = 0;
        while start < rows.len() {
            if room == 0 {
                stretches.push(Vec::new());
                room = size;
            }
            let end = rows.len().min(start + room);
            let piece = Piece { rows, range: start..end, offset };
            if let Some(stretch) = stretches.last_mut() {
                stretch.push(piece);
            }
            room -= end - start;
            start = end;
        }
    }
    stretches
}
