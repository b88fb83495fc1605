//! The distinct records of a partition.

use super::record::{Hash, Record};

/// Where a record's identity is in a [`Table`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its place in the order of first occurrence.
    pub index: usize,
    /// Whether it had not been seen.
    pub is_new: bool,
}

/// A hash table of identities with open addressing.
#[derive(Clone, Debug)]
pub struct Table<const WORDS: usize> {
    hash: Hash,
    /// The high half of a hash above the index of its record plus one, or 0.
    slots: Vec<u64>,
    firsts: Vec<Record<WORDS>>,
}

const INDEX: u64 = u32::MAX as u64;

impl<const WORDS: usize> Table<WORDS> {
    /// An empty table with room for `count` records.
    pub fn with_capacity(hash: Hash, count: usize) -> Self {
        let slots = vec![0; (2 * count).next_power_of_two().max(16)];
        Self { hash, slots, firsts: Vec::with_capacity(count) }
    }

    /// Forgets all records but keeps the room.
    pub fn clear(&mut self) {
        self.slots.fill(0);
        self.firsts.clear();
    }

    /// The first record of each identity.
    pub fn firsts(&self) -> &[Record<WORDS>] {
        &self.firsts
    }

    /// Finds the identity of `record`, or adds it.
    ///
    /// # Panics
    /// If there are 2³² distinct records.
    #[inline(always)]
    pub fn insert(&mut self, record: &Record<WORDS>) -> Entry {
        if 2 * self.firsts.len() >= self.slots.len() {
            self.grow();
        }
        let hash = self.hash.of(record);
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                break;
            }
            let index = (slot & INDEX) as usize - 1;
            if slot >> 32 == hash >> 32 && self.firsts[index].is_same(record) {
                return Entry { index, is_new: false };
            }
            at = (at + 1) & mask;
        }
        let index = self.firsts.len();
        assert!((index as u64) < INDEX, "too many records for one table");
        self.slots[at] = hash & !INDEX | (index as u64 + 1);
        self.firsts.push(*record);
        Entry { index, is_new: true }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let mask = 2 * self.slots.len() - 1;
        self.slots = vec![0; mask + 1];
        for (index, record) in self.firsts.iter().enumerate() {
            let hash = self.hash.of(record);
            let mut at = hash as usize & mask;
            while self.slots[at] != 0 {
                at = (at + 1) & mask;
            }
            self.slots[at] = hash & !INDEX | (index as u64 + 1);
        }
    }
}
