//! What a check says about the last move (4.7, 4.8), and what a double push does (4.9).

use super::retraction::{LastMove, last_move as retract};
use crate::attacks::{attackers, pawns};
use crate::bitboard::is_single;
use crate::en_passant::{self, Push};
use crate::position::{Board, Position};
use crate::problem::*;
use crate::square;

/// The double push that led to `position`, if it gives a valid en passant square.
pub(super) const fn push(position: &Position, board: &Board) -> Option<Push> {
    if position.en_passant == square::NONE || en_passant::defects(position, board) != 0 {
        return None;
    }
    Some(Push::over(position.en_passant, position.side_to_move()))
}

/// The codes of a valid en passant square (4.9).
#[inline(always)]
pub(super) fn after_push(position: &Position, board: &Board) -> Problems {
    if position.en_passant == square::NONE { 0 } else { after_given_push(position, board) }
}

#[inline(never)]
fn after_given_push(position: &Position, board: &Board) -> Problems {
    let Some(push) = push(position, board) else { return 0 };
    flag(position.halfmove != 0, EP_CLOCK_NONZERO)
        | flag(attackers_before(position, board, push) != 0, EP_PUSH_IMPOSSIBLE)
}

/// The men that attacked the one king of the side to move before `push`, the pawn itself on the
/// square it came from.
pub(super) const fn attackers_before(position: &Position, board: &Board, push: Push) -> u64 {
    let side = position.side_to_move();
    let king = board.kings & board.men[side];
    if !is_single(king) {
        return 0;
    }
    let occupied = (board.occupied() & !push.to) | push.from;
    let others = attackers(board, occupied, king.trailing_zeros() as u8, side ^ 1) & !push.to;
    others | (pawns(side, king) & push.from)
}

/// The codes of a check by `checkers` with no valid en passant square, for then the square alone
/// speaks of the last move.
#[inline(never)]
pub(super) fn last_move(
    position: &Position,
    board: &Board,
    checkers: u64,
    chess960: bool,
) -> Problems {
    if push(position, board).is_some() {
        return 0;
    }
    let pair = flag(is_impossible_pair(board, checkers), DOUBLE_CHECK_PAIR);
    pair | match retract(position, board, checkers, chess960) {
        LastMove::Impossible => NO_LAST_MOVE,
        LastMove::Zeroing => flag(position.halfmove != 0, CLOCK_CONTRADICTS_CHECK),
        LastMove::Quiet => 0,
    }
}

/// Whether `checkers` are two men of kinds that never give check together (4.7).
///
/// A checker that has not just moved is a rook, a bishop or a queen whose line was opened, so a
/// pawn, a knight or a king never checks beside another of these. A pawn beside a bishop, or two
/// bishops, never do either: no move opens a diagonal to a king and ends on another square that
/// attacks it as a pawn or a bishop does, which trying every placement confirms.
const fn is_impossible_pair(board: &Board, checkers: u64) -> bool {
    if checkers.count_ones() != 2 {
        return false;
    }
    let steppers = board.pawns | board.knights;
    let diagonal = board.pawns | board.bishops;
    checkers & board.kings != 0 || checkers & !steppers == 0 || checkers & !diagonal == 0
}

#[cfg(test)]
mod tests {
    use super::super::tests::expect;
    use crate::problem::*;

    #[test]
    fn pairs_that_never_give_check_together() {
        const BOTH: Problems = DOUBLE_CHECK_PAIR | NO_LAST_MOVE;
        expect(&[
            ("8/8/8/2k5/3P4/B7/8/4K3 b - - 0 60", BOTH),
            ("8/8/8/3k4/8/1B3B2/8/4K3 b - - 0 60", BOTH),
            ("8/8/8/3k4/1N3N2/8/8/4K3 b - - 0 60", BOTH),
            ("8/8/8/4k3/3P1P2/8/8/4K3 b - - 0 60", BOTH),
            ("3k4/8/8/6B1/8/8/8/3RK3 b - - 7 60", 0),
            ("8/8/8/8/2K5/1k6/8/8 w - - 0 60", 0),
        ]);
    }

    #[test]
    fn no_check_stood_before_the_push() {
        expect(&[
            ("8/8/8/3k4/4Pp2/8/8/K6B b - e3 0 1", EP_PUSH_IMPOSSIBLE),
            ("8/8/7k/8/4pP2/8/8/2B1K3 b - f3 0 1", EP_PUSH_IMPOSSIBLE),
            ("4k3/8/5N2/8/2pP4/8/8/4K3 b - d3 0 1", EP_PUSH_IMPOSSIBLE),
            ("k7/8/8/3pP3/8/7n/5K2/8 w - d6 0 1", EP_PUSH_IMPOSSIBLE),
            ("8/8/8/8/3Pp3/2k5/8/4K3 b - d3 0 1", EP_PUSH_IMPOSSIBLE),
            ("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", 0),
            ("8/8/8/7k/4Pp2/8/8/3BK3 b - e3 0 1", 0),
        ]);
    }

    #[test]
    fn a_push_sets_the_clock_to_zero() {
        expect(&[
            ("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 2 3", EP_CLOCK_NONZERO),
            ("4k3/8/8/pP6/8/8/8/4K3 w - a6 9 60", EP_CLOCK_NONZERO),
            ("4k3/8/8/1P6/8/8/8/4K3 w - a6 9 60", 0),
        ]);
    }
}
