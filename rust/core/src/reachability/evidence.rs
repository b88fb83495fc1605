//! Which squares show an unreachable code.

use super::checks::{attackers_before, push};
use super::{cages, material, pawns, tempo};
use crate::bitboard::squares;
use crate::legality::checkers;
use crate::position::{BLACK, Board, Position, WHITE};
use crate::problem::*;

/// The squares that show `problem`, an unreachable code, on `position`.
pub fn evidence(problem: Problems, position: &Position, board: &Board, chess960: bool) -> u64 {
    let side = position.side_to_move();
    let closed = if chess960 { 0 } else { cages::closed(board) };
    match problem {
        PROMOTION_EXCESS_WHITE => promotions(board, WHITE),
        PROMOTION_EXCESS_BLACK => promotions(board, BLACK),
        PAWN_STRUCTURE | PAWN_CAPTURES => {
            culprits(board, WHITE, problem) | culprits(board, BLACK, problem)
        }
        PAWN_OPPOSITION => board.pawns,
        CAGED_BISHOP => {
            let bishops = cages::caged(board, closed);
            bishops | cages::bars(board, bishops)
        }
        HOME_BISHOP_EXCESS => {
            [WHITE, BLACK].iter().fold(0, |shown, &side| shown | cages::away(board, closed, side))
        }
        DOUBLE_CHECK_PAIR | NO_LAST_MOVE => {
            checkers(board, side ^ 1) | (board.kings & board.men[side])
        }
        EP_PUSH_IMPOSSIBLE => push(position, board).map_or(0, |push| {
            let king = board.kings & board.men[side];
            let attackers = attackers_before(position, board, push);
            king | push.to | (attackers & board.occupied())
        }),
        EP_CLOCK_NONZERO => push(position, board).map_or(0, |push| push.to),
        START_WRONG_TURN => tempo::moved(board),
        _ => 0,
    }
}

/// The men of `side` of which too many are promoted: those of every kind in excess.
fn promotions(board: &Board, side: usize) -> u64 {
    let excess = material::excess(board, side);
    let kind = |set: u64| if set & excess != 0 { set & board.men[side] } else { 0 };
    let officers =
        kind(board.queens) | kind(board.rooks) | kind(board.knights) | kind(board.bishops);
    if officers != 0 { officers } else { board.pawns & board.men[side] }
}

/// Pawns of `side` that break the rule of `problem` together, and none of which can be left out.
fn culprits(board: &Board, side: usize, problem: Problems) -> u64 {
    let captures = pawns::captures(board, side);
    let all = pawns::advancing(board, side);
    if pawns::judge(all, captures) != problem {
        return 0;
    }
    let culprits = squares(all).fold(all, |culprits, square| {
        let fewer = culprits & !(1 << square);
        if pawns::judge(fewer, captures) == problem { fewer } else { culprits }
    });
    if side == WHITE { culprits } else { culprits.swap_bytes() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    fn shown(fen: &str, problem: Problems) -> String {
        let reading = parse::careful(fen.as_bytes(), false);
        let position = reading.position;
        let shown = evidence(problem, &position, &Board::of(&position), false);
        squares(shown)
            .map(|s| String::from_utf8_lossy(&crate::square::name(s)).into_owned())
            .collect()
    }

    #[test]
    fn squares_that_show_it() {
        let structure = "rnbqkbnr/pppppp2/8/8/8/P7/PP1PPPPP/RNBQKBNR w KQkq - 0 9";
        assert_eq!(shown(structure, PAWN_STRUCTURE), "a2b2a3");
        let captures = "rnbqkbnr/pppppppp/8/8/8/2P5/P1PPPPPP/RNBQKBNR w KQkq - 0 5";
        assert_eq!(shown(captures, PAWN_CAPTURES), "c2c3");
        let cage = "8/4K1k1/8/8/8/8/1P6/B7 w - - 0 1";
        assert_eq!(shown(cage, CAGED_BISHOP), "a1b2");
        let queens = "4k3/8/8/8/8/8/PPPPPPPP/QQQQKQQQ w - - 0 1";
        assert_eq!(shown(queens, PROMOTION_EXCESS_WHITE), "a1b1c1d1f1g1h1");
        let push = "8/8/8/3k4/4Pp2/8/8/K6B b - e3 0 1";
        assert_eq!(shown(push, EP_PUSH_IMPOSSIBLE), "h1e4d5");
        let tempo = "rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/R1BQKBNR w KQkq - 3 3";
        assert_eq!(shown(tempo, START_WRONG_TURN), "c3");
    }
}
