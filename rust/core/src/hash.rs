//! Hashes that live no longer than a call; the frozen ones are in [`crate::key`].

/// Odd words with as many bits set as not.
pub(crate) const MIX: [u64; 4] =
    [0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db, 0x8ebc_6af0_9c88_c6e3, 0x5899_65cc_7537_4cc3];

/// Both halves of a product, folded.
#[inline(always)]
pub(crate) const fn fold(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    product as u64 ^ (product >> 64) as u64
}

/// A hash of two words.
#[inline(always)]
pub(crate) const fn pair(a: u64, b: u64) -> u64 {
    fold(fold(a ^ MIX[2], b ^ MIX[3]) ^ MIX[0], MIX[1])
}

/// The two words of 16 bytes.
#[inline(always)]
fn words(bytes: &[u8; 16]) -> [u64; 2] {
    bytemuck::pod_read_unaligned(bytes)
}

/// A hash of `bytes`.
#[inline(always)]
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let mut hash = bytes.len() as u64;
    let (blocks, rest) = bytes.as_chunks::<16>();
    for block in blocks {
        let [first, second] = words(block);
        hash = fold(first ^ MIX[0], second ^ MIX[1] ^ hash);
    }
    if !rest.is_empty() {
        // The last 16 bytes, whichever of them were read already.
        let [first, second] = match bytes.last_chunk() {
            Some(block) => words(block),
            None => {
                let mut block = [0; 16];
                block[..rest.len()].copy_from_slice(rest);
                words(&block)
            }
        };
        hash = fold(first ^ MIX[1], second ^ MIX[0] ^ hash);
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    #[cfg_attr(miri, ignore = "too many rows")]
    fn neighbouring_texts_differ() {
        let text = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let mut seen = HashSet::new();
        let mut texts = 0;
        for end in 0..=text.len() {
            for at in 0..end {
                for bit in 0..8 {
                    let mut text = text[..end].to_vec();
                    text[at] ^= 1 << bit;
                    seen.insert(pair(hash(&text), 0));
                    texts += 1;
                }
            }
        }
        assert_eq!(seen.len(), texts);
    }
}
