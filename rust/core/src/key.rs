//! The key of an [`Identity`]: frozen, the same on every platform and in every version.

use xxhash_rust::xxh3::xxh3_128;

use crate::identity::Identity;

/// The XXH3-128 hash, seed 0, of the identity's 36 bytes. Its low half is the 64-bit key.
#[inline]
pub fn key(identity: &Identity) -> u128 {
    xxh3_128(&identity.to_bytes())
}
