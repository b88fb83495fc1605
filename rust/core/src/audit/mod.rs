//! What a whole data set is like: counts by problem, habits of spelling, distinct positions.
//!
//! Everything here is mergeable and the result of a merge does not depend on its order, so rows
//! may be counted in any pieces by any number of threads.

mod census;
mod distinct;
mod hashes;
mod ladder;
mod sketch;
mod take;

pub use census::{
    CASTLING, COUNTERS, Census, EN_PASSANT, Example, FIELDS, GEOMETRY, GRADES, RIGHTS,
};
pub use distinct::{Count, Distinct, EXACT, PENDING};
pub use ladder::{LADDER, Ladder, RUNGS};
pub use sketch::{Sketch, error as sketch_error};
pub use take::{Part, Start, take_positions, take_texts};
