//! How many distinct hashes were seen: exactly up to a limit, by a [`Sketch`] beyond it.
//!
//! Which of the two depends only on the set of hashes, never on the order they came in.

use super::sketch::Sketch;

/// Distinct values up to which a count is exact.
///
/// Two different values share a 64-bit hash with a chance of 2^-64, so at this many the expected
/// number of values missed is below n²/2^65 < 10^-6.
pub const EXACT: usize = 3_500_000;

/// Hashes that wait to be sorted in.
pub const PENDING: usize = 1 << 20;

/// A number of distinct values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// The number.
    pub distinct: u64,
    /// Whether it is exact, or an estimate with the standard error of a [`Sketch`].
    pub exact: bool,
}

/// A set of hashes, at most 8 × (limit + [`PENDING`]) bytes.
#[derive(Clone, Debug)]
pub struct Distinct {
    limit: usize,
    /// In order, without repetition.
    sorted: Vec<u64>,
    pending: Vec<u64>,
    /// In place of the others once there are too many.
    sketch: Option<Sketch>,
}

impl Distinct {
    /// The empty set, counted exactly up to `limit` values.
    pub const fn new(limit: usize) -> Self {
        Self { limit, sorted: Vec::new(), pending: Vec::new(), sketch: None }
    }

    /// Adds `hashes`.
    pub fn extend(&mut self, mut hashes: &[u64]) {
        while !hashes.is_empty() {
            if let Some(sketch) = &mut self.sketch {
                sketch.extend(hashes);
                return;
            }
            let fits = hashes.len().min(PENDING - self.pending.len());
            let (now, later) = hashes.split_at(fits);
            self.pending.extend_from_slice(now);
            hashes = later;
            if self.pending.len() == PENDING {
                self.settle();
            }
        }
    }

    /// Adds all that `other` holds.
    pub fn merge(&mut self, other: &Self) {
        if let Some(sketch) = &other.sketch {
            self.settle();
            self.become_sketch().merge(sketch);
        }
        self.extend(&other.sorted);
        self.extend(&other.pending);
    }

    /// How many values there are.
    pub fn count(&mut self) -> Count {
        self.settle();
        match &self.sketch {
            Some(sketch) => Count { distinct: sketch.estimate(), exact: false },
            None => Count { distinct: self.sorted.len() as u64, exact: true },
        }
    }

    /// How many values there are in this set or in `other`.
    pub fn union(&mut self, other: &mut Self) -> Count {
        self.settle();
        other.settle();
        if self.sketch.is_none() && other.sketch.is_none() {
            let all = self.sorted.len() + other.sorted.len();
            let distinct = (all - shared(&self.sorted, &other.sorted)) as u64;
            return Count { distinct, exact: true };
        }
        let mut both = Sketch::default();
        for set in [&*self, &*other] {
            set.sketch.iter().for_each(|sketch| both.merge(sketch));
            both.extend(&set.sorted);
        }
        Count { distinct: both.estimate(), exact: false }
    }

    /// Sorts the pending hashes in.
    fn settle(&mut self) {
        sort(&mut self.pending);
        self.pending.dedup();
        let mut rest = self.sorted.as_slice();
        self.pending.retain(|hash| {
            let below = rest.iter().take_while(|known| *known < hash).count();
            rest = &rest[below..];
            rest.first() != Some(hash)
        });
        if self.sketch.is_none() && self.sorted.len() + self.pending.len() > self.limit {
            let pending = std::mem::take(&mut self.pending);
            self.become_sketch().extend(&pending);
            return;
        }
        merge_from_the_end(&mut self.sorted, &self.pending);
        self.pending.clear();
    }

    /// The sketch, made of the sorted hashes if there is none yet.
    fn become_sketch(&mut self) -> &mut Sketch {
        let sorted = std::mem::take(&mut self.sorted);
        let sketch = self.sketch.get_or_insert_default();
        sketch.extend(&sorted);
        sketch
    }
}

/// Sorts `hashes`, many of them by their first byte first, so that the rest happens in cache.
fn sort(hashes: &mut Vec<u64>) {
    const FEW: usize = 1 << 14;
    if hashes.len() < FEW {
        hashes.sort_unstable();
        return;
    }
    let bucket = |hash: u64| (hash >> 56) as usize;
    let mut next = [0usize; 256];
    hashes.iter().for_each(|&hash| next[bucket(hash)] += 1);
    let mut start = 0;
    for next in &mut next {
        start += std::mem::replace(next, start);
    }
    let mut sorted = vec![0; hashes.len()];
    for &hash in hashes.iter() {
        let next = &mut next[bucket(hash)];
        sorted[*next] = hash;
        *next += 1;
    }
    let mut start = 0;
    for end in next {
        sorted[start..end].sort_unstable();
        start = end;
    }
    *hashes = sorted;
}

/// How many values two sorted sets share.
fn shared(one: &[u64], two: &[u64]) -> usize {
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while i < one.len() && j < two.len() {
        let (a, b) = (one[i], two[j]);
        shared += usize::from(a == b);
        i += usize::from(a <= b);
        j += usize::from(b <= a);
    }
    shared
}

/// Merges the sorted `new` into `sorted` without a second copy of either.
fn merge_from_the_end(sorted: &mut Vec<u64>, new: &[u64]) {
    let mut old = sorted.len();
    sorted.reserve_exact(new.len());
    sorted.resize(old + new.len(), 0);
    let mut left = new.len();
    for at in (0..sorted.len()).rev() {
        if left == 0 {
            return;
        }
        if old > 0 && sorted[old - 1] > new[left - 1] {
            old -= 1;
            sorted[at] = sorted[old];
        } else {
            left -= 1;
            sorted[at] = new[left];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::pair;
    use std::collections::HashSet;

    fn hashes(count: u64, seed: u64) -> Vec<u64> {
        (0..count).map(|i| pair(1, pair(seed, i) % (count / 2 + 1))).collect()
    }

    #[test]
    #[cfg_attr(miri, ignore = "too many rows")]
    fn exact_up_to_the_limit_and_an_estimate_beyond() {
        let hashes = hashes(100_000, 5);
        let set: HashSet<_> = hashes.iter().collect();
        let count = |limit, piece| {
            let mut distinct = Distinct::new(limit);
            hashes.chunks(piece).for_each(|piece| distinct.extend(piece));
            distinct.count()
        };
        for piece in [7, 1000, 100_000] {
            let exact = Count { distinct: set.len() as u64, exact: true };
            assert_eq!(count(set.len(), piece), exact);
            let estimate = count(set.len() - 1, piece);
            assert!(!estimate.exact);
            assert_eq!(estimate, count(10, 1));
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "too many rows")]
    fn more_than_fit_at_once() {
        let hashes = hashes(3 * PENDING as u64 + 17, 8);
        let set: HashSet<_> = hashes.iter().collect();
        let mut distinct = Distinct::new(EXACT);
        distinct.extend(&hashes);
        assert_eq!(distinct.count().distinct, set.len() as u64);
        assert_eq!(distinct.count().distinct, set.len() as u64, "counting changes nothing");
        assert!(distinct.sorted.is_sorted());
    }

    #[test]
    #[cfg_attr(miri, ignore = "too many rows")]
    fn merging_is_adding() {
        let hashes = hashes(60_000, 2);
        for limit in [5, 20_000, 100_000] {
            let part = |hashes| {
                let mut part = Distinct::new(limit);
                part.extend(hashes);
                part
            };
            let mut whole = part(&hashes);
            let mut counted = part(&hashes[..20_000]);
            counted.count();
            for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
                let parts =
                    [&counted.clone(), &part(&hashes[20_000..20_100]), &part(&hashes[20_000..])];
                let mut merged = Distinct::new(limit);
                order.iter().for_each(|&i| merged.merge(parts[i]));
                assert_eq!(merged.count(), whole.count(), "{limit} {order:?}");
                let mut rest = part(&hashes[20_000..]);
                assert_eq!(counted.union(&mut rest), whole.count(), "{limit}");
            }
        }
    }
}
