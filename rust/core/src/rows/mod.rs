//! Row loops: one call reads a slice of rows on the fastest path that the machine has.
//!
//! Each loop handles what the fast path read in place, in registers, and leaves everything else to
//! a cold function of its own: merging the two readings first would send both through memory.

mod encoding;
mod judging;
mod parsing;
mod writing;

pub use encoding::{Block, BlockRows, Encode, Refusal, encode};
pub use judging::{accepts, accepts_positions, is_valid, survey, validate_positions};
pub use parsing::parse;
pub use writing::{Canonical, canonicalize, format, repair};
