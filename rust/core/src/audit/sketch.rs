//! An estimate of how many distinct hashes were seen, in 64 KiB: HyperLogLog.
//!
//! Registers by Flajolet, Fusy, Gandouet and Meunier (2007); the estimate by Ertl, "New cardinality
//! estimation algorithms for HyperLogLog sketches" (2017), algorithm 6, which needs no correction
//! by range.

/// Hash bits that choose a register.
const BITS: u32 = 16;
const REGISTERS: usize = 1 << BITS;
/// The largest rank that a register can hold.
const MOST: usize = 64 - BITS as usize + 1;

/// The relative standard error of an estimate, 0.41 %.
pub fn error() -> f64 {
    1.04 / (REGISTERS as f64).sqrt()
}

/// A set of hashes that knows only about how many there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sketch {
    registers: Vec<u8>,
}

impl Default for Sketch {
    fn default() -> Self {
        Self { registers: vec![0; REGISTERS] }
    }
}

impl Sketch {
    /// Adds `hashes`.
    pub fn extend(&mut self, hashes: &[u64]) {
        for &hash in hashes {
            let rank = (hash << BITS).leading_zeros().min(64 - BITS) as u8 + 1;
            let register = &mut self.registers[(hash >> (64 - BITS)) as usize];
            *register = (*register).max(rank);
        }
    }

    /// Adds all that `other` has seen.
    pub fn merge(&mut self, other: &Self) {
        for (here, there) in self.registers.iter_mut().zip(&other.registers) {
            *here = (*here).max(*there);
        }
    }

    /// About how many distinct hashes were added.
    pub fn estimate(&self) -> u64 {
        let mut with_rank = [0u32; MOST + 1];
        for &rank in &self.registers {
            with_rank[rank as usize] += 1;
        }
        let m = REGISTERS as f64;
        let mut z = m * tau(1.0 - f64::from(with_rank[MOST]) / m);
        for &count in with_rank[1..MOST].iter().rev() {
            z = 0.5 * (z + f64::from(count));
        }
        z += m * sigma(f64::from(with_rank[0]) / m);
        (m * m / (2.0 * std::f64::consts::LN_2 * z)).round() as u64
    }
}

/// The sum of x^(2^k) 2^(k-1) over k ≥ 1, and x.
fn sigma(mut x: f64) -> f64 {
    if x == 1.0 {
        return f64::INFINITY;
    }
    let (mut y, mut z) = (1.0, x);
    loop {
        x *= x;
        let before = z;
        z += x * y;
        y += y;
        if z == before {
            return z;
        }
    }
}

/// A third of 1 - x less the sum of (1 - x^(2^-k))² 2^-k over k ≥ 1.
fn tau(mut x: f64) -> f64 {
    if x == 0.0 || x == 1.0 {
        return 0.0;
    }
    let (mut y, mut z) = (1.0, 1.0 - x);
    loop {
        x = x.sqrt();
        let before = z;
        y *= 0.5;
        z -= (1.0 - x) * (1.0 - x) * y;
        if z == before {
            return z / 3.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::pair;

    #[test]
    #[cfg_attr(miri, ignore = "too many rows")]
    fn estimates_within_five_standard_errors() {
        let mut sketch = Sketch::default();
        assert_eq!(sketch.estimate(), 0);
        let mut seen = 0;
        for (round, upto) in [1, 10, 1000, 50_000, 200_000, 1_000_000, 3_000_000].iter().enumerate()
        {
            let hashes: Vec<_> = (seen..*upto).map(|i| pair(7, i)).collect();
            sketch.extend(&hashes);
            seen = *upto;
            let off = sketch.estimate().abs_diff(seen) as f64 / seen as f64;
            assert!(off <= 5.0 * error(), "round {round}: {} for {seen}", sketch.estimate());
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "too many rows")]
    fn merging_is_adding() {
        let hashes: Vec<_> = (0..100_000).map(|i| pair(3, i)).collect();
        let (mut whole, mut left, mut right) =
            (Sketch::default(), Sketch::default(), Sketch::default());
        whole.extend(&hashes);
        left.extend(&hashes[..60_000]);
        right.extend(&hashes[40_000..]);
        right.merge(&left);
        assert_eq!(right, whole);
    }

    #[test]
    fn a_hash_of_zeros_is_a_hash() {
        let mut sketch = Sketch::default();
        sketch.extend(&[0, 0]);
        assert_eq!(sketch.estimate(), 1);
    }
}
