//! The illegal codes: what no playable position can show.

use crate::attacks::{aligned, attackers};
use crate::bitboard::{BACK_RANKS, is_single};
use crate::castling;
use crate::en_passant::{self, Capture, Push};
use crate::position::{BLACK, Board, CHESS960, Position, WHITE};
use crate::problem::*;
use crate::square;

/// The illegal codes of `position`, whose side to move is in check by `checkers`.
#[inline(always)]
pub const fn illegal(
    position: &Position,
    board: &Board,
    checkers: u64,
    chess960: bool,
) -> Problems {
    men(board)
        | checks(position, board, checkers)
        | rights(position, board, chess960)
        | en_passant::defects(position, board)
}

/// The hints about the en passant square; 0 if it is invalid or absent.
#[inline(always)]
pub fn en_passant_hints(position: &Position, board: &Board) -> Problems {
    if position.en_passant == square::NONE || en_passant::defects(position, board) != 0 {
        return 0;
    }
    match en_passant::capture(position, board) {
        Capture::Nobody => EP_NOT_CAPTURABLE,
        Capture::Illegal => EP_NOT_LEGAL,
        Capture::Legal => 0,
    }
}

/// Whether `position` is to be judged as Chess960: by request, or because it was read so.
#[inline(always)]
pub const fn is_chess960(position: &Position, requested: bool) -> bool {
    requested || position.flags & CHESS960 != 0
}

/// What the men alone show, whoever is to move.
#[inline(always)]
pub const fn men(board: &Board) -> Problems {
    let count = Counts::of(board);
    if count.is_ordinary() & (board.pawns & BACK_RANKS == 0) { 0 } else { count.problems(board) }
}

/// Kings, pawns and men of White and of Black.
struct Counts {
    kings: [u32; 2],
    pawns: [u32; 2],
    men: [u32; 2],
}

impl Counts {
    #[inline(always)]
    const fn of(board: &Board) -> Self {
        let [white, black] = board.men;
        Self {
            kings: [(board.kings & white).count_ones(), (board.kings & black).count_ones()],
            pawns: [(board.pawns & white).count_ones(), (board.pawns & black).count_ones()],
            men: [white.count_ones(), black.count_ones()],
        }
    }

    /// One king and at most eight pawns and sixteen men a side, tested all at once.
    #[inline(always)]
    const fn is_ordinary(&self) -> bool {
        let kings = (self.kings[WHITE] ^ 1) | (self.kings[BLACK] ^ 1);
        let pawns = (self.pawns[WHITE] + 7) | (self.pawns[BLACK] + 7);
        let men = (self.men[WHITE] + 47) | (self.men[BLACK] + 47);
        kings | (pawns & !0xf) | (men & 0x40) == 0
    }

    #[cold]
    #[inline(never)]
    const fn problems(&self, board: &Board) -> Problems {
        flag(board.occupied() == 0, BOARD_EMPTY)
            | flag(self.kings[WHITE] == 0, NO_WHITE_KING)
            | flag(self.kings[BLACK] == 0, NO_BLACK_KING)
            | flag(self.kings[WHITE] > 1, EXTRA_WHITE_KING)
            | flag(self.kings[BLACK] > 1, EXTRA_BLACK_KING)
            | flag(board.pawns & BACK_RANKS != 0, PAWN_ON_BACK_RANK)
            | flag(self.pawns[WHITE] > 8, WHITE_PAWNS_GT_8)
            | flag(self.pawns[BLACK] > 8, BLACK_PAWNS_GT_8)
            | flag(self.men[WHITE] > 16, WHITE_MEN_GT_16)
            | flag(self.men[BLACK] > 16, BLACK_MEN_GT_16)
    }
}

/// The men of `side` that attack the other side's king; none unless it has exactly one.
#[inline(always)]
pub const fn checkers(board: &Board, side: usize) -> u64 {
    let king = board.kings & board.men[side ^ 1];
    if is_single(king) {
        attackers(board, board.occupied(), king.trailing_zeros() as u8, side)
    } else {
        0
    }
}

/// What the two kings show. A side without exactly one king is not judged.
#[inline(always)]
const fn checks(position: &Position, board: &Board, checkers: u64) -> Problems {
    let attackers = self::checkers(board, position.side_to_move());
    let mut problems =
        flag(attackers != 0, OPPOSITE_CHECK) | flag(attackers & board.kings != 0, KINGS_ADJACENT);
    if checkers != 0 {
        problems |= flag(checkers.count_ones() > 2, TOO_MANY_CHECKERS)
            | flag(!is_explained(position, board, checkers), IMPOSSIBLE_CHECK);
    }
    problems
}

/// Whether one move can have given the check by `checkers`, by the geometry alone.
///
/// With a valid en passant square the last move was that push: it must be the checker itself or
/// have opened the one line. Otherwise two checkers must not stand in one line with the king, nor
/// both be men that only check by moving.
#[inline]
const fn is_explained(position: &Position, board: &Board, checkers: u64) -> bool {
    let side = position.side_to_move();
    let king = (board.kings & board.men[side]).trailing_zeros() as u8;
    let count = checkers.count_ones();
    if position.en_passant != square::NONE && en_passant::defects(position, board) == 0 {
        let push = Push::over(position.en_passant, side);
        let before = (board.occupied() & !push.to) | push.from;
        return count == 1
            && (checkers == push.to || attackers(board, before, king, side ^ 1) == 0);
    }
    match count {
        1 => true,
        2 => {
            let steppers = board.pawns | board.knights | board.kings;
            let first = checkers.trailing_zeros() as u8;
            let second = 63 - checkers.leading_zeros() as u8;
            checkers & !steppers != 0 && !aligned(king, first, second)
        }
        _ => false,
    }
}

/// What the castling rights that do not hold show.
#[inline(always)]
pub const fn rights(position: &Position, board: &Board, chess960: bool) -> Problems {
    let [white, black] = position.castling;
    let [white_here, black_here] = castling::valid(position, board, chess960);
    if (white == white_here) & (black == black_here) {
        return 0;
    }
    let [white_960, black_960] = castling::valid(position, board, true);
    let anywhere = (white & !white_here & !white_960) | (black & !black_here & !black_960);
    let elsewhere = (white & !white_here & white_960) | (black & !black_here & black_960);
    flag(anywhere != 0, CASTLING_IMPOSSIBLE) | flag(elsewhere != 0, CASTLING_NEEDS_960)
}

/// The squares that show `problem` on `position`, for a reader to look at.
pub fn evidence(problem: Problems, position: &Position, board: &Board, chess960: bool) -> u64 {
    let side = position.side_to_move();
    let of = |set: u64, side: usize| set & board.men[side];
    match problem {
        EXTRA_WHITE_KING => of(board.kings, WHITE),
        EXTRA_BLACK_KING => of(board.kings, BLACK),
        PAWN_ON_BACK_RANK => board.pawns & BACK_RANKS,
        WHITE_PAWNS_GT_8 => of(board.pawns, WHITE),
        BLACK_PAWNS_GT_8 => of(board.pawns, BLACK),
        WHITE_MEN_GT_16 => board.men[WHITE],
        BLACK_MEN_GT_16 => board.men[BLACK],
        OPPOSITE_CHECK => checkers(board, side) | of(board.kings, side ^ 1),
        KINGS_ADJACENT => board.kings,
        TOO_MANY_CHECKERS | IMPOSSIBLE_CHECK => checkers(board, side ^ 1) | of(board.kings, side),
        CASTLING_IMPOSSIBLE | CASTLING_NEEDS_960 => {
            let [white, black] = position.castling;
            let [white_holds, black_holds] = castling::valid(position, board, chess960);
            u64::from(white & !white_holds) | u64::from(black & !black_holds) << 56
        }
        EP_WRONG_RANK => 1 << position.en_passant,
        EP_NO_PAWN => Push::over(position.en_passant, side).to,
        EP_OCCUPIED => {
            let push = Push::over(position.en_passant, side);
            (push.from | push.over) & board.occupied()
        }
        EP_NOT_CAPTURABLE => Push::over(position.en_passant, side).to,
        EP_NOT_LEGAL => Push::over(position.en_passant, side).capturers(board, side),
        _ => 0,
    }
}
