//! Boards as classes, as positions, and what they show.

use super::rules::PAWN_COUNT;
use crate::attacks::between;
use crate::bitboard::{BACK_RANKS, is_single};
use crate::legality::checkers;
use crate::position::{BLACK, Board, COUNTERS_ABSENT, Position, WHITE};
use crate::reachability::promoted;

/// What is worth knowing of how a row was decoded.
pub type Flags = u32;

/// The bits of [`Flags`].
pub mod flag {
    use super::Flags;

    /// The argmax has no white king.
    pub const ARGMAX_NO_WHITE_KING: Flags = 1 << 0;
    /// The argmax has several white kings.
    pub const ARGMAX_EXTRA_WHITE_KING: Flags = 1 << 1;
    /// The argmax has no black king.
    pub const ARGMAX_NO_BLACK_KING: Flags = 1 << 2;
    /// The argmax has several black kings.
    pub const ARGMAX_EXTRA_BLACK_KING: Flags = 1 << 3;
    /// The argmax has a pawn on a back rank.
    pub const ARGMAX_PAWN_ON_BACK_RANK: Flags = 1 << 4;
    /// The argmax has more than eight pawns of a side.
    pub const ARGMAX_PAWNS_GT_8: Flags = 1 << 5;
    /// The argmax has more men of a side than its pawns can have become.
    pub const ARGMAX_PROMOTION_EXCESS: Flags = 1 << 6;
    /// The argmax is the empty board.
    pub const ARGMAX_EMPTY: Flags = 1 << 7;
    /// The kings of the argmax are adjacent.
    pub const ARGMAX_KINGS_ADJACENT: Flags = 1 << 8;
    /// Both kings of the argmax are in check, so that it is nobody's turn.
    pub const ARGMAX_BOTH_IN_CHECK: Flags = 1 << 9;
    /// The board has promoted men.
    pub const PROMOTED: Flags = 1 << 10;
    /// A better board was refused for adjacent kings or two checks.
    pub const NEXT_BEST: Flags = 1 << 11;
    /// The kings are adjacent.
    pub const KINGS_ADJACENT: Flags = 1 << 12;
    /// Both kings are in check.
    pub const BOTH_IN_CHECK: Flags = 1 << 13;
    /// The orientation was kept for want of a clear score.
    pub const ORIENTATION_UNSURE: Flags = 1 << 14;
    /// The board looks turned by 180 degrees.
    pub const LOOKS_TURNED: Flags = 1 << 15;
    /// The side that is given as to move gives check.
    pub const TURN_CONTRADICTED: Flags = 1 << 16;

    /// The names of all, lowest bit first.
    pub const NAMES: [&str; 17] = [
        "argmax_no_white_king",
        "argmax_extra_white_king",
        "argmax_no_black_king",
        "argmax_extra_black_king",
        "argmax_pawn_on_back_rank",
        "argmax_pawns_gt_8",
        "argmax_promotion_excess",
        "argmax_empty",
        "argmax_kings_adjacent",
        "argmax_both_in_check",
        "promoted",
        "next_best",
        "kings_adjacent",
        "both_in_check",
        "orientation_unsure",
        "looks_turned",
        "turn_contradicted",
    ];
}

const fn set(condition: bool, flag: Flags) -> Flags {
    if condition { flag } else { 0 }
}

/// The position whose squares have `classes`, White to move, without rights.
#[inline(always)]
pub fn position(classes: &[u8; 64]) -> Position {
    // The code of each class and, in bit 3, its side.
    const CODES: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 14, 0, 0, 0];
    let mut planes = [0_u64; 4];
    for (square, &class) in classes.iter().enumerate() {
        let code = CODES[(class & 15) as usize];
        for (bit, plane) in planes.iter_mut().enumerate() {
            *plane |= u64::from(code >> bit & 1) << square;
        }
    }
    let [c0, c1, c2, black] = planes;
    Position { code: [c0, c1, c2], black, flags: COUNTERS_ABSENT, ..Position::EMPTY }
}

/// What no legal board shows whoever is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    KingsAdjacent,
    BothInCheck,
}

/// What is wrong with the kings of a board that has one a side.
#[inline(always)]
pub(super) fn kings(board: &Board, attackers: [u64; 2]) -> Option<Fault> {
    if attackers[WHITE] & board.kings != 0 {
        Some(Fault::KingsAdjacent)
    } else if attackers[WHITE] != 0 && attackers[BLACK] != 0 {
        Some(Fault::BothInCheck)
    } else {
        None
    }
}

/// The men of White and of Black that attack the other king.
#[inline(always)]
pub(super) fn attackers(board: &Board) -> [u64; 2] {
    [checkers(board, WHITE), checkers(board, BLACK)]
}

/// What is wrong with the kings, and squares on which that shows: any board with the same there is
/// wrong too.
pub(super) fn fault(classes: &[u8; 64]) -> Option<(Fault, u64)> {
    let board = Board::of(&position(classes));
    let attackers = attackers(&board);
    let fault = kings(&board, attackers)?;
    let mut shown = board.kings;
    if fault == Fault::BothInCheck {
        for side in [WHITE, BLACK] {
            let king = (board.kings & board.men[side ^ 1]).trailing_zeros() as u8;
            let checker = attackers[side].trailing_zeros() as u8;
            shown |= 1 << checker | between(king, checker);
        }
    }
    Some((fault, shown))
}

/// The flags that begin with `ARGMAX`, and whether there are promoted men.
#[inline(always)]
pub(super) fn argmax_flags(board: &Board, attackers: [u64; 2]) -> (Flags, bool) {
    let white = board.kings & board.men[WHITE];
    let black = board.kings & board.men[BLACK];
    let fault = kings(board, attackers);
    let pawns = [WHITE, BLACK].map(|side| (board.pawns & board.men[side]).count_ones());
    let promoted = [WHITE, BLACK].map(|side| promoted(board, side));
    let most = u32::from(PAWN_COUNT);
    let too_many = |side: usize| pawns[side] + promoted[side] > most;
    let flags = set(white == 0, flag::ARGMAX_NO_WHITE_KING)
        | set(white != 0 && !is_single(white), flag::ARGMAX_EXTRA_WHITE_KING)
        | set(black == 0, flag::ARGMAX_NO_BLACK_KING)
        | set(black != 0 && !is_single(black), flag::ARGMAX_EXTRA_BLACK_KING)
        | set(board.pawns & BACK_RANKS != 0, flag::ARGMAX_PAWN_ON_BACK_RANK)
        | set(pawns[WHITE] > most || pawns[BLACK] > most, flag::ARGMAX_PAWNS_GT_8)
        | set(too_many(WHITE) || too_many(BLACK), flag::ARGMAX_PROMOTION_EXCESS)
        | set(board.occupied() == 0, flag::ARGMAX_EMPTY)
        | set(fault == Some(Fault::KingsAdjacent), flag::ARGMAX_KINGS_ADJACENT)
        | set(fault == Some(Fault::BothInCheck), flag::ARGMAX_BOTH_IN_CHECK);
    (flags, promoted != [0, 0])
}

/// Whether either side has promoted men.
#[inline(always)]
pub(super) fn has_promoted(board: &Board) -> bool {
    promoted(board, WHITE) + promoted(board, BLACK) > 0
}
