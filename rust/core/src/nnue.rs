//! The active features of efficiently updatable networks, seen by White and by Black.

use crate::planes::Expand;
use crate::planes::expand::classes;
use crate::position::{BLACK, Board, Position, WHITE};
use crate::rows::Encode;
use crate::unheld::Unheld;

/// A numbering of features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Features {
    /// 768: side, role, square.
    Chess768,
    /// 41,024: own king, role, side, square; Black's view turned.
    HalfKp,
    /// 22,528: own king on the files e to h by mirroring, role, side, square; kings share a role.
    HalfKaV2Hm,
    /// 24,576: the same with a role for each king, as the trainer numbers them.
    HalfKaV2HmTrainer,
}

/// The most features that a view can have active.
pub const ACTIVE: usize = 32;

/// In the place of a feature that is not there.
pub const NONE: i32 = -1;

impl Features {
    /// The number of features.
    pub const fn count(self) -> usize {
        match self {
            Self::Chess768 => 768,
            Self::HalfKp => 41_024,
            Self::HalfKaV2Hm => 22_528,
            Self::HalfKaV2HmTrainer => 24_576,
        }
    }

    /// The number of a man of `role` among the squares of one king; `them` is 1 if it is the other
    /// side's.
    const fn role(self, role: i32, them: i32) -> i32 {
        64 * match self {
            Self::Chess768 => 6 * them + role,
            Self::HalfKp | Self::HalfKaV2HmTrainer => 2 * role + them,
            Self::HalfKaV2Hm => {
                if role == 5 {
                    10
                } else {
                    2 * role + them
                }
            }
        }
    }
}

/// Both views of a position.
#[derive(Clone, Copy, Debug)]
pub struct Views {
    features: Features,
    mover_first: bool,
    /// For White's view and for Black's: the first number of each class of man, 0 for no man.
    bases: [[i32; 16]; 2],
}

impl Views {
    /// The views by `features`; the mover's comes first if `mover_first`, else White's.
    pub fn new(features: Features, mover_first: bool) -> Self {
        let mut bases = [[0; 16]; 2];
        for (view, bases) in bases.iter_mut().enumerate() {
            for (class, base) in bases.iter_mut().enumerate().skip(1).take(12) {
                let (role, side) = ((class as i32 - 1) % 6, (class - 1) / 6);
                *base = features.role(role, i32::from(side != view));
            }
        }
        Self { features, mover_first, bases }
    }
}

/// How one view numbers squares and kings.
#[derive(Clone, Copy)]
struct Half {
    /// What a square's number is changed by.
    orientation: i32,
    /// The first feature of the own king's square.
    base: i32,
}

impl Views {
    /// The numbers of the view of `side`, whose king stands on `king`.
    #[inline(always)]
    fn half(self, side: usize, king: i32) -> Half {
        let mirrored = if side == BLACK { 56 } else { 0 };
        match self.features {
            Features::Chess768 => Half { orientation: mirrored, base: 0 },
            Features::HalfKp => {
                let orientation = if side == BLACK { 63 } else { 0 };
                Half { orientation, base: 1 + 641 * (king ^ orientation) }
            }
            Features::HalfKaV2Hm | Features::HalfKaV2HmTrainer => {
                let orientation = mirrored ^ if king & 7 < 4 { 7 } else { 0 };
                let (file, rank) = ((king ^ orientation) & 7, (king ^ orientation) >> 3);
                let bucket = 4 * (7 - rank) + (7 - file);
                let stride = if self.features == Features::HalfKaV2Hm { 704 } else { 768 };
                Half { orientation, base: stride * bucket }
            }
        }
    }
}

impl Encode for Views {
    type Cell = i32;
    const BLANK: i32 = NONE;

    fn width(&self) -> usize {
        2 * ACTIVE
    }

    #[inline(always)]
    fn encode<X: Expand>(
        &self,
        isa: X,
        position: &Position,
        _: &[Option<Position>],
        out: &mut [i32],
    ) -> Result<(), Unheld> {
        let board = Board::of(position);
        let mut kings = [0; 2];
        if self.features != Features::Chess768 {
            for side in [WHITE, BLACK] {
                let king = board.kings & board.men[side];
                if king.count_ones() != 1 {
                    return Err(Unheld::Kings { side, count: king.count_ones() });
                }
                kings[side] = king.trailing_zeros() as i32;
            }
        }
        let mut men = board.occupied();
        if self.features == Features::HalfKp {
            men &= !board.kings;
        }
        if men.count_ones() as usize > ACTIVE {
            return Err(Unheld::Men(men.count_ones()));
        }
        let halves = [self.half(WHITE, kings[WHITE]), self.half(BLACK, kings[BLACK])];
        let first = if self.mover_first { position.side_to_move() } else { WHITE };
        out.fill(NONE);
        let (one, other) = out.split_at_mut(ACTIVE);
        let (white, black) = if first == WHITE { (one, other) } else { (other, one) };
        let classes = classes(isa, position.code, position.black);
        let [white_bases, black_bases] = &self.bases;
        let (white_half, black_half) = (halves[WHITE], halves[BLACK]);
        let mut left = men;
        for (white, black) in white.iter_mut().zip(black) {
            if left == 0 {
                break;
            }
            let square = left.trailing_zeros() as i32;
            let class = usize::from(classes[square as usize & 63] & 15);
            *white = white_half.base + (square ^ white_half.orientation) + white_bases[class];
            *black = black_half.base + (square ^ black_half.orientation) + black_bases[class];
            left &= left - 1;
        }
        Ok(())
    }
}
