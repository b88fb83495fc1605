//! Exact deduplication: records of identity and row, sorted by hash into partitions, grouped in
//! tables that fit a cache.
//!
//! A hash only says where to look; two rows are one if and only if their identities are equal.

mod group;
mod record;
mod run;
mod spelling;
mod table;
mod take;

pub use group::{Keep, duplicates, firsts};
pub use record::{Hash, MOST_ROWS, PLAIN, Record};
pub use run::Run;
pub use spelling::{CAUSES, Cause, SPELLED, cause};
pub use table::{Entry, Table};
pub use take::{Taking, take_positions, take_texts};
