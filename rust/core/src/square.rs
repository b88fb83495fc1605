//! Squares in LERF order: a1 = 0, b1 = 1, …, h8 = 63.

/// The en passant field's value when there is no target square.
pub const NONE: u8 = 64;

/// The algebraic name of `square`, file letter first.
pub const fn name(square: u8) -> [u8; 2] {
    [b'a' + (square & 7), b'1' + (square >> 3)]
}

/// Reads a two-byte lower-case square name.
pub const fn parse(name: [u8; 2]) -> Option<u8> {
    let file = name[0].wrapping_sub(b'a');
    let rank = name[1].wrapping_sub(b'1');
    if file < 8 && rank < 8 { Some(rank * 8 + file) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for square in 0..64 {
            assert_eq!(parse(name(square)), Some(square));
        }
        assert_eq!(name(0), *b"a1");
        assert_eq!(name(63), *b"h8");
        for bad in [*b"i1", *b"a9", *b"A1", *b"a0"] {
            assert_eq!(parse(bad), None);
        }
    }
}
