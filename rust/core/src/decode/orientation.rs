//! Which way up a board is.

use super::{CLASSES, Scores};

/// How far a picture is turned clockwise to bring White to the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Turning {
    /// It is upright.
    Upright,
    /// By 90 degrees: a1 is at the bottom right.
    Quarter,
    /// By 180 degrees: Black is at the bottom.
    Half,
    /// By 270 degrees: a1 is at the top left.
    ThreeQuarters,
}

impl Turning {
    /// The turning by `degrees`.
    pub const fn by(degrees: u16) -> Option<Self> {
        match degrees {
            0 => Some(Self::Upright),
            90 => Some(Self::Quarter),
            180 => Some(Self::Half),
            270 => Some(Self::ThreeQuarters),
            _ => None,
        }
    }

    /// The degrees.
    pub const fn degrees(self) -> u16 {
        self as u16 * 90
    }

    /// Where `square`, as named in the picture as it is, comes to be.
    pub(super) const fn of(self, square: u8) -> u8 {
        let (file, rank) = (square & 7, square >> 3 & 7);
        let (file, rank) = match self {
            Self::Upright => (file, rank),
            Self::Quarter => (rank, 7 - file),
            Self::Half => (7 - file, 7 - rank),
            Self::ThreeQuarters => (7 - rank, file),
        };
        rank << 3 | file
    }
}

/// How usual the men of `shares`, seen upright, are where `turning` puts them.
pub(super) fn likelihood(shares: &Scores, turning: Turning, usual: &Scores) -> f32 {
    let mut sum = 0.0;
    for (share, usual) in shares.iter().zip(usual).skip(1) {
        for (square, share) in (0..64).zip(share) {
            sum += share * usual[turning.of(square) as usize];
        }
    }
    sum
}

/// How much more usual a board is as it is than turned by 180 degrees.
#[inline(always)]
pub(super) fn uprightness(classes: &[u8; 64], usual: &Scores) -> f32 {
    let mut sum = 0.0;
    for square in 0..64 {
        let class = classes[square] as usize;
        if class != 0 && class < CLASSES {
            sum += usual[class][square] - usual[class][63 - square];
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::square;

    #[test]
    fn turns_clockwise() {
        let turned = |turning: Turning, name: &[u8; 2]| {
            square::name(turning.of(square::parse(*name).expect("a square")))
        };
        assert_eq!(turned(Turning::Quarter, b"h1"), *b"a1");
        assert_eq!(turned(Turning::Quarter, b"a1"), *b"a8");
        assert_eq!(turned(Turning::Half, b"b1"), *b"g8");
        assert_eq!(turned(Turning::ThreeQuarters, b"a8"), *b"a1");
        for degrees in [0, 90, 180, 270] {
            assert_eq!(Turning::by(degrees).map(Turning::degrees), Some(degrees));
        }
    }
}
