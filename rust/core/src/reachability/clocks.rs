//! What the counters say about the length of the game (4.10).

use crate::position::{BLACK, Board, COUNTERS_ABSENT, Position};
use crate::problem::*;

/// The plies played so far, or `None` where the counters say nothing: `0 1` is what is written for
/// want of them, and a fullmove number of 0 is wrong already.
#[inline(always)]
const fn plies(position: &Position) -> Option<u32> {
    let stub = (position.halfmove == 0) & (position.fullmove == 1);
    if stub | (position.fullmove == 0) | (position.flags & COUNTERS_ABSENT != 0) {
        return None;
    }
    let black = position.side_to_move() == BLACK;
    Some(2 * (position.fullmove as u32 - 1) + black as u32)
}

/// The code of the halfmove clock, which counts no plies before the first.
#[inline(always)]
pub(super) const fn unreachable(position: &Position) -> Problems {
    match plies(position) {
        Some(plies) => flag(position.halfmove as u32 > plies, CLOCK_EXCEEDS_GAME),
        None => 0,
    }
}

/// The hint of the missing men: a ply captures at most one.
#[inline(always)]
pub const fn captures_exceed_game(position: &Position, board: &Board) -> Problems {
    let men = board.occupied().count_ones();
    match plies(position) {
        Some(plies) => flag(men + plies < 32, CAPTURES_EXCEED_GAME),
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::expect;
    use crate::problem::*;

    #[test]
    fn the_clock_counts_plies_of_the_game() {
        expect(&[
            ("5rk1/8/8/8/8/8/8/4KR2 b - - 10 5", CLOCK_EXCEEDS_GAME),
            ("5rk1/8/8/8/8/8/8/4KR2 b - - 9 5", 0),
            ("5rk1/8/8/8/8/8/8/4KR2 w - - 9 5", CLOCK_EXCEEDS_GAME),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 5000 39", CLOCK_EXCEEDS_GAME),
        ]);
    }

    #[test]
    fn missing_counters_are_not_judged() {
        expect(&[
            ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", 0),
            ("4k3/8/8/8/8/8/8/R3K3 w Q - 7 0", 0),
            ("4k3/8/8/8/8/8/8/R3K3 w Q - 7", 0),
            ("4k3/8/8/8/8/8/8/R3K3 w Q - 7 x", 0),
            ("4k3/8/8/8/8/8/8/R3K3 w Q - 7 70000", 0),
        ]);
    }
}
