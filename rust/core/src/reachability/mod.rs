//! The unreachable codes: positions that can be played but that no game leads to.
//!
//! Every rule states what each reachable position satisfies, so breaking it proves a position
//! unreachable and keeping it proves nothing. The rules and their numbers are those of the design
//! notes, section 4: material (4.1), pawns (4.2 to 4.4), bishops behind their own pawns (4.5, 4.6),
//! the last move (4.7 to 4.9), counters (4.10) and tempo (4.11).
//!
//! Ordinary rows pay for one cheap test a rule; what fails it is judged out of line.

mod cages;
mod checks;
mod clocks;
mod evidence;
mod material;
mod pawns;
mod retraction;
mod tempo;

pub use clocks::captures_exceed_game;
pub use evidence::evidence;
pub(crate) use material::promoted;

use crate::bitboard::without_lowest;
use crate::position::{BLACK, Board, Position, WHITE};
use crate::problem::*;

/// The illegal codes under which a board is not judged: the rules presuppose one king a side and
/// pawns that stand where pawns can.
const UNJUDGED: Problems = BOARD_EMPTY
    | NO_WHITE_KING
    | NO_BLACK_KING
    | EXTRA_WHITE_KING
    | EXTRA_BLACK_KING
    | PAWN_ON_BACK_RANK;

/// The unreachable codes of `position`, and the one hint that the last move gives too,
/// [`CLOCK_CONTRADICTS_CHECK`].
///
/// `checkers` attack the king of the side to move; `illegal` are the illegal codes.
#[inline(always)]
pub fn unreachable(
    position: &Position,
    board: &Board,
    checkers: u64,
    illegal: Problems,
    chess960: bool,
) -> Problems {
    let mut problems = clocks::unreachable(position) | checks::after_push(position, board);
    if illegal & UNJUDGED == 0 {
        problems |= placement(board, chess960);
        if checkers != 0 {
            problems |= checks::last_move(position, board, checkers, chess960);
        }
        if !chess960 {
            problems |= tempo::problems(position, board);
        }
    }
    problems
}

/// The codes of too many promoted men (4.1) alone.
#[inline(always)]
pub fn promotion_excess(board: &Board) -> Problems {
    material::promotion_excess(board)
}

/// What the places of the men show, whoever is to move (4.1 to 4.6).
#[inline(always)]
pub fn placement(board: &Board, chess960: bool) -> Problems {
    let closed = if chess960 { 0 } else { cages::closed(board) };
    let mut problems = cages::problems(board, closed);
    let pawns = [board.pawns & board.men[WHITE], board.pawns & board.men[BLACK]];
    let ordinary = !material::has_excess(board)
        & !cages::is_bishop_away(board, closed)
        & pawns::is_opposed(board, 0);
    if !ordinary {
        problems |= material::problems(board, closed);
    }
    let stacked = pawns::stacked(pawns[WHITE]) | pawns::stacked(pawns[BLACK]);
    let crowded = (board.men[WHITE].count_ones() > 16) | (board.men[BLACK].count_ones() > 16);
    if (stacked != 0) | crowded {
        problems |= pawns::problems(board);
    }
    problems
}

/// The squares of `set` beyond its `n` lowest.
#[inline(always)]
const fn beyond(mut set: u64, n: u32) -> u64 {
    let mut i = 0;
    while i < n {
        set = without_lowest(set);
        i += 1;
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::{Depth, judge};
    use crate::parse;

    /// The unreachable codes of `fen`.
    pub(super) fn codes(fen: &str, chess960: bool) -> Problems {
        judge(&parse::careful(fen.as_bytes(), chess960), chess960, Depth::All) & UNREACHABLE
    }

    /// Asserts that the unreachable codes of each FEN, in standard chess, are those given.
    pub(super) fn expect(cases: &[(&str, Problems)]) {
        for &(fen, expected) in cases {
            let names = |set| entries(set).map(|entry| entry.name).collect::<Vec<_>>();
            assert_eq!(names(codes(fen, false)), names(expected), "{fen}");
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "too many rows")]
    fn no_board_is_too_strange() {
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random
        };
        for row in 0..30_000 {
            let mut code = [next(), next(), next()];
            let sparse = if row % 3 == 0 { next() & next() } else { u64::MAX };
            let lone_kings = if row % 2 == 0 { code[1] & code[2] & !code[0] } else { 0 };
            let unknown = code[0] & code[1] & code[2];
            code = code.map(|plane| plane & sparse & !unknown & !lone_kings);
            if row % 2 == 0 {
                for square in [next() & 63, next() & 63] {
                    code[0] &= !(1 << square);
                    code[1] |= 1 << square;
                    code[2] |= 1 << square;
                }
            }
            let state = next();
            let position = Position {
                code,
                black: (code[0] | code[1] | code[2]) & next(),
                flags: (state & 7) as u8,
                en_passant: (state >> 8 & 127).min(64) as u8,
                castling: [(state >> 16) as u8, (state >> 24) as u8],
                halfmove: (state >> 32) as u16,
                fullmove: (state >> 48) as u16,
            };
            let mut problems = [0];
            for chess960 in [false, true] {
                let bytes = position.to_bytes();
                crate::rows::validate_positions(
                    crate::Level::Portable,
                    &[Some(&bytes)],
                    chess960,
                    Depth::All,
                    &mut problems,
                )
                .expect("a position");
                for entry in TABLE.iter() {
                    let board = Board::of(&position);
                    evidence(entry.bit, &position, &board, chess960);
                }
            }
        }
    }

    #[test]
    fn nothing_is_claimed_of_boards_that_no_rule_speaks_of() {
        expect(&[
            ("8/8/8/8/8/8/8/8 w - - 0 1", 0),
            ("rnbkkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1", 0),
            ("4k3/8/8/8/8/8/8/p3K3 b - - 0 60", 0),
            ("7R/8/8/8/8/8/8/8 w K - 0 1", 0),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0),
        ]);
    }
}
