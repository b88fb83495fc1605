//! How many men of a side must be promoted (4.1), with what that means for its pawns.

use super::cages::{self, Bishops};
use super::{beyond, pawns};
use crate::bitboard::{DARK, LIGHT};
use crate::position::{BLACK, Board, WHITE};
use crate::problem::*;

/// The pieces of one kind that a side begins with.
const QUEENS: u32 = 1;
const ROOKS: u32 = 2;
const KNIGHTS: u32 = 2;
/// The bishops of one square colour that a side begins with.
const BISHOPS: u32 = 1;
/// The pawns that a side begins with.
const PAWNS: u32 = 8;
/// The men that a side begins with.
const MEN: u32 = 16;

/// A kind of man other than king and pawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Officer {
    Knight,
    Bishop,
    Rook,
    Queen,
}

/// One side's men by kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Census {
    men: u32,
    pawns: u32,
    knights: u32,
    rooks: u32,
    queens: u32,
    /// On dark and on light squares.
    bishops: [u32; 2],
}

impl Census {
    pub(super) const fn of(board: &Board, side: usize) -> Self {
        let men = board.men[side];
        Self {
            men: men.count_ones(),
            pawns: (board.pawns & men).count_ones(),
            knights: (board.knights & men).count_ones(),
            rooks: (board.rooks & men).count_ones(),
            queens: (board.queens & men).count_ones(),
            bishops: [
                (board.bishops & men & DARK).count_ones(),
                (board.bishops & men & LIGHT).count_ones(),
            ],
        }
    }

    /// The least number of promoted men among these.
    pub(super) const fn promoted(&self) -> u32 {
        let [dark, light] = self.bishops;
        self.promoted_but_bishops() + dark.saturating_sub(BISHOPS) + light.saturating_sub(BISHOPS)
    }

    const fn promoted_but_bishops(&self) -> u32 {
        self.queens.saturating_sub(QUEENS)
            + self.rooks.saturating_sub(ROOKS)
            + self.knights.saturating_sub(KNIGHTS)
    }

    /// Whether 4.1 holds.
    const fn is_possible(&self) -> bool {
        self.pawns + self.promoted() <= PAWNS
    }

    /// Whether this side can have had one more man, on a square that is light or dark.
    pub(super) fn can_regain(&self, light: bool) -> bool {
        use Officer::*;
        let officer = |officer| self.with(officer, light).is_possible();
        self.men < MEN
            && (self.with_pawn().is_possible()
                || [Queen, Rook, Knight, Bishop].map(officer).contains(&true))
    }

    /// Whether this side can have had one more pawn.
    pub(super) const fn can_regain_pawn(&self) -> bool {
        self.men < MEN && self.with_pawn().is_possible()
    }

    /// Whether `officer`, on a square that is light or dark, can have been a pawn until now.
    pub(super) fn can_demote(&self, officer: Officer, light: bool) -> bool {
        let mut before = self.with_pawn();
        *before.count(officer, light) -= 1;
        before.is_possible()
    }

    const fn with_pawn(mut self) -> Self {
        self.pawns += 1;
        self
    }

    fn with(mut self, officer: Officer, light: bool) -> Self {
        *self.count(officer, light) += 1;
        self
    }

    fn count(&mut self, officer: Officer, light: bool) -> &mut u32 {
        match officer {
            Officer::Knight => &mut self.knights,
            Officer::Bishop => &mut self.bishops[usize::from(light)],
            Officer::Rook => &mut self.rooks,
            Officer::Queen => &mut self.queens,
        }
    }
}

/// The least number of promoted men of `side`.
#[inline(always)]
pub(crate) const fn promoted(board: &Board, side: usize) -> u32 {
    Census::of(board, side).promoted()
}

/// The men of `side` beyond those of their kind that it began with.
#[inline(always)]
pub(super) const fn excess(board: &Board, side: usize) -> u64 {
    let men = board.men[side];
    beyond(board.queens & men, QUEENS)
        | beyond(board.rooks & men, ROOKS)
        | beyond(board.knights & men, KNIGHTS)
        | beyond(board.bishops & men & DARK, BISHOPS)
        | beyond(board.bishops & men & LIGHT, BISHOPS)
}

/// Whether a side has a promoted man for certain, or more pawns than it began with.
#[inline(always)]
pub(super) const fn has_excess(board: &Board) -> bool {
    let [white, black] = board.men;
    let pawns =
        ((board.pawns & white).count_ones() > PAWNS) | ((board.pawns & black).count_ones() > PAWNS);
    pawns | (excess(board, WHITE) | excess(board, BLACK) != 0)
}

/// The codes of 4.1 alone.
#[inline(always)]
pub(super) fn promotion_excess(board: &Board) -> Problems {
    if has_excess(board) { counted_excess(board) } else { 0 }
}

#[cold]
#[inline(never)]
fn counted_excess(board: &Board) -> Problems {
    let has_excess = |side: usize| {
        let census = Census::of(board, side);
        census.pawns + census.promoted() > PAWNS
    };
    flag(has_excess(WHITE), PROMOTION_EXCESS_WHITE)
        | flag(has_excess(BLACK), PROMOTION_EXCESS_BLACK)
}

/// The codes of 4.1, of 4.4 and of 4.5, whose sharper count of promoted bishops sharpens both.
///
/// `closed` are the cages of the four home bishops.
#[cold]
#[inline(never)]
pub(super) fn problems(board: &Board, closed: u64) -> Problems {
    let census = [Census::of(board, WHITE), Census::of(board, BLACK)];
    let pawns = census.map(|side| side.pawns);
    let promoted = census.map(|side| side.promoted());
    let excess = [0, 1].map(|side| pawns[side] + promoted[side] > PAWNS);
    let opposed = pawns::is_opposed(board, promoted[WHITE] + promoted[BLACK]);
    let plain = flag(excess[WHITE], PROMOTION_EXCESS_WHITE)
        | flag(excess[BLACK], PROMOTION_EXCESS_BLACK)
        | flag(!opposed, PAWN_OPPOSITION);
    if plain != 0 {
        return plain;
    }
    let promoted = [WHITE, BLACK].map(|side| {
        let Bishops { away, free } = cages::bishops(board, closed, side);
        census[side].promoted_but_bishops()
            + away
            + free.map(|n| n.saturating_sub(BISHOPS)).iter().sum::<u32>()
    });
    let excess = [WHITE, BLACK].iter().any(|&side| pawns[side] + promoted[side] > PAWNS);
    let opposed = pawns::is_opposed(board, promoted[WHITE] + promoted[BLACK]);
    flag(excess | !opposed, HOME_BISHOP_EXCESS)
}

#[cfg(test)]
mod tests {
    use super::super::tests::expect;
    use crate::problem::*;

    #[test]
    fn promoted_men_are_missing_pawns() {
        expect(&[
            ("4k3/8/8/8/8/8/PPPPPPPP/QQQQKQQQ w - - 0 1", PROMOTION_EXCESS_WHITE),
            ("rrr1k3/pppppppp/8/8/8/8/8/6K1 w - - 0 60", PROMOTION_EXCESS_BLACK),
            ("4k3/8/8/8/8/8/PPPPPPPP/1B1BK3 w - - 0 1", PROMOTION_EXCESS_WHITE | CAGED_BISHOP),
            ("4k3/8/8/8/8/8/PPPPPPP1/QQ2K3 w - - 0 60", 0),
            ("4k3/8/8/8/8/8/PPPPPPPP/2B1KB2 w - - 0 60", 0),
        ]);
    }

    #[test]
    fn surplus_men_count_as_promoted() {
        expect(&[
            (
                "rnbqkbnr/pppppppp/8/3q4/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 30",
                PROMOTION_EXCESS_BLACK | PAWN_CAPTURES | PAWN_OPPOSITION,
            ),
            ("4k3/8/8/8/6P1/8/PPPPPPPP/4K3 w - - 0 60", PROMOTION_EXCESS_WHITE | PAWN_STRUCTURE),
        ]);
    }
}
