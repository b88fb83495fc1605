//! Whose turn it can be while nothing but knights and rooks has moved, in standard chess (4.11).
//!
//! With 32 men on the board nothing was captured, so no pawn has left its file or promoted. With
//! every pawn at home but perhaps an a- or h-pawn one step forward, bishops, queens and kings have
//! never moved and nobody has castled. Rooks have moved between their corner and the squares beside
//! it only, one step at a time, so that every move of a rook or a knight changed the colour of its
//! square, and each advanced pawn took exactly one move. That gives the parity of each side's count
//! of moves: the counts are equal if it is White's turn and differ by one if it is Black's.

use crate::bitboard::{BACK_RANKS, FILE_A, FILE_H, LIGHT, RANK_1, RANK_2, RANK_7};
use crate::position::{BLACK, Board, Position, WHITE};
use crate::problem::*;

const EDGES: u64 = FILE_A | FILE_H;
const WHITE_INNER: u64 = RANK_2 & !EDGES;
const BLACK_INNER: u64 = RANK_7 & !EDGES;
/// Where the a- and h-pawns may stand.
const WHITE_OUTER: u64 = EDGES & (RANK_2 | RANK_2 << 8);
const BLACK_OUTER: u64 = EDGES & (RANK_7 | RANK_7 >> 8);
const BISHOPS: u64 = (FILE_A << 2 | FILE_A << 5) & BACK_RANKS;
const QUEENS: u64 = FILE_A << 3 & BACK_RANKS;
const KINGS: u64 = FILE_A << 4 & BACK_RANKS;

/// The code of the side to move.
#[inline(always)]
pub(super) fn problems(position: &Position, board: &Board) -> Problems {
    let inner = board.pawns & (WHITE_INNER | BLACK_INNER) == WHITE_INNER | BLACK_INNER;
    if inner & (board.occupied().count_ones() == 32) { wrong_turn(position, board) } else { 0 }
}

#[cold]
#[inline(never)]
fn wrong_turn(position: &Position, board: &Board) -> Problems {
    let [white, black] = board.men;
    let confined = board.bishops == BISHOPS
        && board.queens == QUEENS
        && board.kings == KINGS
        && (board.bishops | board.queens | board.kings) & white & !RANK_1 == 0
        && (board.bishops | board.queens | board.kings) & black & RANK_1 == 0
        && is_home(board, white, WHITE_INNER, WHITE_OUTER)
        && is_home(board, black, BLACK_INNER, BLACK_OUTER);
    let same_parity = (moves(board, white) ^ moves(board, black)) & 1 == 0;
    let white_to_move = position.side_to_move() == WHITE;
    flag(confined & (same_parity != white_to_move), START_WRONG_TURN)
}

/// Whether these are eight pawns, all at home but perhaps the outer ones, two knights and two
/// rooks.
const fn is_home(board: &Board, men: u64, inner: u64, outer: u64) -> bool {
    let edge = board.pawns & men & outer;
    board.pawns & men == inner | edge
        && (edge & FILE_A).count_ones() == 1
        && (edge & FILE_H).count_ones() == 1
        && (board.knights & men).count_ones() == 2
        && (board.rooks & men).count_ones() == 2
}

/// A number as odd as the count of moves of the side with these men.
const fn moves(board: &Board, men: u64) -> u32 {
    let pieces = (board.knights | board.rooks) & men & LIGHT;
    let steps = board.pawns & men & !(RANK_2 | RANK_7);
    pieces.count_ones() + steps.count_ones()
}

/// The men that have moved.
pub(super) const fn moved(board: &Board) -> u64 {
    const KNIGHTS: u64 = (FILE_A << 1 | FILE_A << 6) & BACK_RANKS;
    let home = board.pawns & (RANK_2 | RANK_7)
        | board.knights & KNIGHTS
        | board.rooks & EDGES & BACK_RANKS
        | board.bishops
        | board.queens
        | board.kings;
    board.occupied() & !home
}

const _: () = assert!(WHITE == 0 && BLACK == 1);

#[cfg(test)]
mod tests {
    use super::super::tests::{codes, expect};
    use crate::problem::*;

    #[test]
    fn the_start_array_is_white_to_move() {
        expect(&[
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 4 5", START_WRONG_TURN),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4 3", 0),
            ("rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/R1BQKBNR w KQkq - 3 3", START_WRONG_TURN),
            ("rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/R1BQKBNR b KQkq - 1 1", 0),
            ("r1bqkbnr/pppppppp/2n5/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2", 0),
            ("rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/1RBQKBNR w Kkq - 3 3", 0),
        ]);
    }

    #[test]
    fn a_step_of_an_outer_pawn_is_one_move() {
        expect(&[
            ("rnbqkbnr/1ppppppp/p7/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", START_WRONG_TURN),
            ("rnbqkbnr/1ppppppp/p7/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 1 2", 0),
            ("rnbqkbnr/1ppppppp/p7/8/8/7P/PPPPPPP1/RNBQKBNR w KQkq - 0 2", 0),
            ("rnbqkbnr/1ppppppp/8/p7/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2", 0),
            ("rnbqkbnr/p1pppppp/1p6/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2", 0),
        ]);
    }

    #[test]
    fn chess960_is_not_judged() {
        let array = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 4 5";
        assert_eq!(codes(array, true), 0);
    }
}
