//! The active features of efficiently updatable networks, seen by White and by Black.

use crate::planes::Expand;
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
}

/// Both views of a position.
#[derive(Clone, Copy, Debug)]
pub struct Views {
    /// The numbering.
    pub features: Features,
    /// Whether the mover's view comes first rather than White's.
    pub mover_first: bool,
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

    /// The number of a man of `role` among the squares of one king; `them` is 1 if it is the other
    /// side's.
    #[inline(always)]
    fn role(self, role: i32, them: i32) -> i32 {
        64 * match self.features {
            Features::Chess768 => 6 * them + role,
            Features::HalfKp | Features::HalfKaV2HmTrainer => 2 * role + them,
            Features::HalfKaV2Hm => (2 * role + them).min(10),
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
        _: X,
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
        let mut left = men;
        for (white, black) in white.iter_mut().zip(black) {
            if left == 0 {
                break;
            }
            let square = left.trailing_zeros();
            let bit = |plane: u64| (plane >> square & 1) as i32;
            let [c0, c1, c2] = position.code;
            let role = (bit(c0) | bit(c1) << 1 | bit(c2) << 2) - 1;
            let is_black = bit(position.black);
            let square = square as i32;
            let number =
                |half: Half, them| half.base + (square ^ half.orientation) + self.role(role, them);
            *white = number(halves[WHITE], is_black);
            *black = number(halves[BLACK], is_black ^ 1);
            left &= left - 1;
        }
        Ok(())
    }
}
