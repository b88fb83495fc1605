//! The groups of one partition after the other.

use std::sync::atomic::AtomicU64;

use fenpack_core::dedup::{CAUSES, Hash, Keep, Record, SPELLED, Table, cause};

use super::runs::Loaded;
use crate::bits::set;

/// What the comparison of rows found.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcome {
    /// Rows that repeat an earlier one, by cause.
    pub(super) causes: [u64; CAUSES.len()],
    /// Kept rows that stand for several, with how many.
    pub(super) counts: Vec<(u64, u64)>,
    /// The bytes that went to disk.
    pub(super) spilled: u64,
}

impl Outcome {
    pub(super) fn merge(&mut self, other: Self) {
        self.causes.iter_mut().zip(other.causes).for_each(|(sum, more)| *sum += more);
        self.counts.extend(other.counts);
    }
}

/// The last row of a group and how many there are.
struct Members {
    last: u64,
    count: u64,
}

/// Groups of equal rows; those that are left out are marked as they are found.
pub(super) struct Groups<'a> {
    keep: Keep,
    wants_counts: bool,
    dropped: &'a [AtomicU64],
    partition: usize,
    table: Table<SPELLED>,
    members: Vec<Members>,
    outcome: Outcome,
}

impl<'a> Groups<'a> {
    pub(super) fn new(
        hash: Hash,
        keep: Keep,
        wants_counts: bool,
        dropped: &'a [AtomicU64],
    ) -> Self {
        let table = Table::with_capacity(hash, 1 << 12);
        let (partition, members, outcome) = (usize::MAX, Vec::new(), Outcome::default());
        Self { keep, wants_counts, dropped, partition, table, members, outcome }
    }

    /// Takes the records that `loaded` has of `partition`; more of the same may follow.
    pub(super) fn take(&mut self, partition: usize, loaded: &[Loaded<'_>]) {
        // Empty neighbours of a partition too large for one call must not end it.
        if loaded.iter().all(|run| run.partition(partition).is_empty()) {
            return;
        }
        if partition != self.partition {
            self.settle();
            self.partition = partition;
        }
        for record in loaded.iter().flat_map(|run| run.partition(partition)) {
            self.row(record);
        }
    }

    #[inline(always)]
    fn row(&mut self, record: &Record<SPELLED>) {
        let row = record.row();
        let entry = self.table.insert(record);
        let tracks = self.wants_counts || self.keep == Keep::Last;
        if entry.is_new {
            if tracks {
                self.members.push(Members { last: row, count: 1 });
            }
            return;
        }
        let first = &self.table.firsts()[entry.index];
        self.outcome.causes[cause(record, first) as usize] += 1;
        let drop = |row: u64| set(self.dropped, row as usize);
        match self.keep {
            Keep::First => drop(row),
            Keep::Last => drop(self.members[entry.index].last),
            Keep::None => {
                drop(first.row());
                drop(row);
            }
        }
        if tracks {
            let members = &mut self.members[entry.index];
            members.last = row;
            members.count += 1;
        }
    }

    /// Ends the partition at hand.
    fn settle(&mut self) {
        if self.wants_counts && self.keep != Keep::None {
            let firsts = self.table.firsts().iter().map(Record::row);
            let several = firsts.zip(&self.members).filter(|(_, members)| members.count > 1);
            let last = self.keep == Keep::Last;
            let kept = |(first, members): (u64, &Members)| {
                (if last { members.last } else { first }, members.count)
            };
            self.outcome.counts.extend(several.map(kept));
        }
        self.table.clear();
        self.members.clear();
    }

    /// What was found.
    pub(super) fn outcome(mut self) -> Outcome {
        self.settle();
        self.outcome
    }
}
