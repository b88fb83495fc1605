//! A stretch of rows, sorted into partitions.

use bytemuck::Zeroable;

use super::record::{Hash, Record};

/// Records sorted into 2ⁿ partitions, within each in the order they came in.
#[derive(Clone, Debug, Default)]
pub struct Run<const WORDS: usize> {
    records: Vec<Record<WORDS>>,
    /// Where each partition ends.
    ends: Vec<u32>,
}

impl<const WORDS: usize> Run<WORDS> {
    /// The most bits that a partition's number has.
    pub const MOST_BITS: u32 = 16;

    /// Sorts `records`, fewer than 2³², by the first `bits` of their `hash`. The memory of `room` is
    /// used for the result.
    pub fn sort(
        records: &[Record<WORDS>],
        hash: Hash,
        bits: u32,
        mut room: Vec<Record<WORDS>>,
    ) -> Self {
        let bits = bits.min(Self::MOST_BITS);
        let partition = |record: &Record<WORDS>| (hash.of(record) >> 1 >> (63 - bits)) as u16;
        let partitions: Vec<u16> = records.iter().map(partition).collect();
        let mut next = vec![0u32; 1 << bits];
        partitions.iter().for_each(|&partition| next[usize::from(partition)] += 1);
        let mut start = 0;
        for next in &mut next {
            start += std::mem::replace(next, start);
        }
        room.resize(records.len(), Record::zeroed());
        for (record, &partition) in records.iter().zip(&partitions) {
            let next = &mut next[usize::from(partition)];
            room[*next as usize] = *record;
            *next += 1;
        }
        Self { records: room, ends: next }
    }

    /// All records in the order of their partitions.
    pub fn records(&self) -> &[Record<WORDS>] {
        &self.records
    }

    /// All records, and where each partition ends.
    pub fn into_parts(self) -> (Vec<Record<WORDS>>, Vec<u32>) {
        (self.records, self.ends)
    }

    /// Where in [`Self::records`] each partition ends.
    pub fn ends(&self) -> &[u32] {
        &self.ends
    }

    /// The records of one partition.
    #[inline]
    pub fn partition(&self, number: usize) -> &[Record<WORDS>] {
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.records[start as usize..self.ends[number] as usize]
    }
}
