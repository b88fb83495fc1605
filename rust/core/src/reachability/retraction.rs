//! The last move, taken back (4.8).
//!
//! Before the last move the side now to move had just moved itself, so its king was not attacked.
//! A move is therefore possible only if the position it came from, with the mover back where it
//! was and a captured man restored, leaves that king alone. Each rule works on whole sets: a mover
//! can have come from the squares that it reaches backwards, where it does not attack the king
//! itself, and where it stands in every line that would be open without it.

use super::material::{Census, Officer};
use crate::attacks::{attackers, between, bishop, king, knight, pawns, rook};
use crate::bitboard::{LIGHT, RANK_1, RANK_2, RANK_7, RANK_8, beside, squares};
use crate::castling;
use crate::position::{Board, Position, WHITE};

/// What the last move can have been.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LastMove {
    /// No move leads here.
    Impossible,
    /// Only pawn moves and captures do.
    Zeroing,
    /// Castling or a piece move without a capture does.
    Quiet,
}

/// What the last move can have been, seen from the side to move, whose one king `checkers` attack.
pub(super) fn last_move(
    position: &Position,
    board: &Board,
    checkers: u64,
    chess960: bool,
) -> LastMove {
    let check = Check::new(position, board, checkers, chess960);
    if check.is_after_piece_move() || check.is_after_castling() {
        LastMove::Quiet
    } else if check.is_after_zeroing_move() {
        LastMove::Zeroing
    } else {
        LastMove::Impossible
    }
}

/// How far the back rank of `side` is from bit 0.
const fn back_rank_shift(side: usize) -> u32 {
    if side == WHITE { 0 } else { 56 }
}

/// The files from the lowest of `files` to the highest.
const fn span(files: castling::Files) -> castling::Files {
    let up = files | files << 1 | files << 2 | files << 3;
    let up = up | up << 4;
    let down = files | files >> 1 | files >> 2 | files >> 3;
    let down = down | down >> 4;
    up & down
}

/// The squares between `king` and each of `attackers`; all squares if there is no attacker.
fn lines(attackers: u64, king: u8) -> u64 {
    squares(attackers).fold(u64::MAX, |squares, attacker| squares & between(attacker, king))
}

/// A check, and who can have given it.
struct Check<'a> {
    board: &'a Board,
    occupied: u64,
    /// The side that moved last.
    mover: usize,
    /// The attacked king.
    king: u8,
    checkers: u64,
    /// The squares where one man stands in the line of every checker.
    line: u64,
    /// Files of the mover's rooks that still hold a castling right.
    rights: castling::Files,
    /// The mover's men but for the king and the rooks that hold a right: those never moved.
    free: u64,
    chess960: bool,
}

impl<'a> Check<'a> {
    #[inline(always)]
    fn new(position: &Position, board: &'a Board, checkers: u64, chess960: bool) -> Self {
        let side = position.side_to_move();
        let mover = side ^ 1;
        let men = board.men[mover];
        let mut free = men;
        let mut rights = 0;
        if position.castling[mover] != 0 {
            rights = castling::valid(position, board, chess960)[mover];
            if rights != 0 {
                free &= !(board.kings | u64::from(rights) << back_rank_shift(mover));
            }
        }
        let king = (board.kings & board.men[side]).trailing_zeros() as u8;
        let line = lines(checkers, king);
        let occupied = board.occupied();
        Self { board, occupied, mover, king, checkers, line, rights, free, chess960 }
    }

    /// The men that can have given the check by moving: one that checks itself, or that has left
    /// the line of every checker.
    fn movers(&self) -> impl Iterator<Item = u8> {
        let others = if self.line == 0 { 0 } else { self.free & !self.checkers };
        squares(self.free & self.checkers).chain(squares(others))
    }

    /// Whether a piece can have moved here without a capture.
    fn is_after_piece_move(&self) -> bool {
        self.movers().any(|to| {
            let mover = 1 << to;
            if mover & self.board.pawns != 0 {
                return false;
            }
            let from = self.origins(mover, to);
            let before = self.occupied & !mover;
            from != 0
                && from & !self.reach(mover, self.king, before) & self.shields(before, mover) != 0
        })
    }

    /// Whether a capture, a pawn move or a promotion can have led here.
    fn is_after_zeroing_move(&self) -> bool {
        let side = Census::of(self.board, self.mover ^ 1);
        let own = Census::of(self.board, self.mover);
        let can_regain = [side.can_regain(false), side.can_regain(true)];
        let pawns = self.board.pawns & self.board.men[self.mover];
        let after_move = self.movers().any(|to| {
            let mover = 1 << to;
            let light = mover & LIGHT != 0;
            let captured = can_regain[usize::from(light)];
            if mover & self.board.pawns != 0 {
                return self.is_after_pawn_move(mover, captured);
            }
            let attacking = self.reach(mover, self.king, self.occupied);
            (captured && self.origins(mover, to) & !attacking != 0)
                || (mover & self.last_rank() != 0
                    && self.officer(mover).is_some_and(|kind| own.can_demote(kind, light))
                    && self.is_after_pawn_move(mover, captured))
        });
        after_move
            || (side.can_regain_pawn()
                && squares(pawns).any(|to| self.is_after_en_passant(1 << to)))
    }

    /// The empty squares from which the piece on `to` can have come and where it stood in every
    /// other checker's line.
    fn origins(&self, mover: u64, to: u8) -> u64 {
        self.reach(mover, to, self.occupied) & !self.occupied & self.open_lines(mover)
    }

    /// Whether the man on `mover` can have come there as a pawn, by a capture if `captured` can
    /// have been there.
    fn is_after_pawn_move(&self, mover: u64, captured: bool) -> bool {
        let home = if self.mover == WHITE { RANK_1 } else { RANK_8 };
        let start = if self.mover == WHITE { RANK_2 } else { RANK_7 };
        let empty = !self.occupied & !home;
        let step = self.behind(mover) & empty;
        let pushes = step | (self.behind(step) & empty & start);
        let captures = pawns(self.mover ^ 1, mover) & empty;
        let quiet = pushes & self.shields(self.occupied & !mover, mover);
        let capturing = if captured { captures & self.open_lines(mover) } else { 0 };
        (quiet | capturing) & !self.pawn_attacks() != 0
    }

    /// Whether the pawn on `mover` can have captured en passant.
    fn is_after_en_passant(&self, mover: u64) -> bool {
        let captured = self.behind(mover);
        let pushed_from = self.ahead(mover);
        let start = if self.mover == WHITE { RANK_7 } else { RANK_2 };
        if pushed_from & start == 0 || (captured | pushed_from) & self.occupied != 0 {
            return false;
        }
        let before = (self.occupied & !mover) | captured;
        let from = beside(captured) & !self.occupied & !self.pawn_attacks();
        from & self.shields(before, mover) != 0
    }

    /// Whether castling can have led here, by the geometry of the game at hand.
    fn is_after_castling(&self) -> bool {
        let shift = back_rank_shift(self.mover);
        let own = |set: u64| (set & self.board.men[self.mover]) >> shift as u8;
        let rank = (self.occupied >> shift) as u8;
        let king = own(self.board.kings) as u8;
        let rooks = own(self.board.rooks) as u8;
        const C: u8 = 1 << 2;
        const D: u8 = 1 << 3;
        const F: u8 = 1 << 5;
        const G: u8 = 1 << 6;
        if self.rights != 0 {
            return false;
        }
        let (to, outward) = match (king, rooks & D != 0, rooks & F != 0) {
            (C, true, _) => (C | D, false),
            (G, _, true) => (F | G, true),
            _ => return false,
        };
        // Both travelled over squares that are empty now, but for those they stand on.
        let clear = !rank | to;
        let starts = if self.chess960 { 1..7 } else { 4..5 };
        starts.into_iter().any(|king_file: u8| {
            let rook_files = match (self.chess960, outward) {
                (true, true) => king_file + 1..8,
                (true, false) => 0..king_file,
                (false, true) => 7..8,
                (false, false) => 0..1,
            };
            rook_files.into_iter().any(|rook_file| {
                let from = 1 << king_file | 1 << rook_file;
                let travelled = span(from | to);
                travelled & !clear == 0
                    && self.is_quiet_before_castling(
                        u64::from(to) << shift,
                        1 << (u32::from(king_file) + shift),
                        1 << (u32::from(rook_file) + shift),
                    )
            })
        })
    }

    /// Whether the attacked king is left alone with the mover's king and rook back from `to`.
    fn is_quiet_before_castling(&self, to: u64, king_from: u64, rook_from: u64) -> bool {
        let before = (self.occupied & !to) | king_from | rook_from;
        attackers(self.board, before, self.king, self.mover) & !to == 0
            && king(self.king) & king_from == 0
            && rook(self.king, before) & rook_from == 0
    }

    /// The squares where one man closes every line to the king when `before` is occupied and the
    /// mover is `gone`: all if no line is open, none if an attack has no line.
    fn shields(&self, before: u64, gone: u64) -> u64 {
        lines(attackers(self.board, before, self.king, self.mover) & !gone, self.king)
    }

    /// [`Self::shields`] on the board as it is, with another man in the mover's place.
    fn open_lines(&self, mover: u64) -> u64 {
        if mover & self.checkers == 0 {
            self.line
        } else {
            lines(self.checkers & !mover, self.king)
        }
    }

    /// The squares that a piece like that on `mover` reaches from `square`.
    fn reach(&self, mover: u64, square: u8, occupied: u64) -> u64 {
        match self.officer(mover) {
            Some(Officer::Knight) => knight(square),
            Some(Officer::Bishop) => bishop(square, occupied),
            Some(Officer::Rook) => rook(square, occupied),
            Some(Officer::Queen) => bishop(square, occupied) | rook(square, occupied),
            None => king(square),
        }
    }

    /// The kind of the piece on `mover`, or `None` for the king.
    fn officer(&self, mover: u64) -> Option<Officer> {
        let is = |set: u64| set & mover != 0;
        if is(self.board.queens) {
            Some(Officer::Queen)
        } else if is(self.board.rooks) {
            Some(Officer::Rook)
        } else if is(self.board.bishops) {
            Some(Officer::Bishop)
        } else if is(self.board.knights) {
            Some(Officer::Knight)
        } else {
            None
        }
    }

    /// The squares from which a pawn of the mover attacks the king.
    const fn pawn_attacks(&self) -> u64 {
        pawns(self.mover ^ 1, 1 << self.king)
    }

    /// The mover's last rank, where its pawns promote.
    const fn last_rank(&self) -> u64 {
        if self.mover == WHITE { RANK_8 } else { RANK_1 }
    }

    /// `set` one rank towards the mover's home.
    const fn behind(&self, set: u64) -> u64 {
        if self.mover == WHITE { set >> 8 } else { set << 8 }
    }

    /// `set` one rank away from the mover's home.
    const fn ahead(&self, set: u64) -> u64 {
        if self.mover == WHITE { set << 8 } else { set >> 8 }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{codes, expect};
    use super::span;
    use crate::problem::*;

    #[test]
    fn spans() {
        assert_eq!(span(0), 0);
        assert_eq!(span(0b0010_0100), 0b0011_1100);
        assert_eq!(span(0b1000_0001), 0b1111_1111);
        assert_eq!(span(0b1000_0000), 0b1000_0000);
    }

    #[test]
    fn an_unmoved_pawn_gives_no_check() {
        expect(&[
            ("8/8/8/8/8/1k6/2P5/6K1 b - - 0 60", NO_LAST_MOVE),
            ("6k1/2p5/1K6/8/8/8/8/8 w - - 0 60", NO_LAST_MOVE),
            ("8/8/8/8/5k2/4P3/8/6K1 b - - 0 60", 0),
            ("8/8/8/8/5k2/4P3/4P3/4B1K1 b - - 0 60", 0),
        ]);
    }

    #[test]
    fn more_than_a_move_gave_the_check() {
        expect(&[
            ("1k1q1r2/8/8/6n1/8/5Kq1/8/8 w - - 0 1", NO_LAST_MOVE),
            ("8/8/8/8/8/4K3/8/R3k2R b - - 0 1", NO_LAST_MOVE),
            ("8/8/2N5/4k3/3P4/8/8/4RK2 b - - 0 60", NO_LAST_MOVE),
        ]);
    }

    #[test]
    fn what_a_promotion_explains() {
        expect(&[
            ("7N/5p2/6k1/8/8/8/PPPPPPP1/4K3 b - - 0 60", 0),
            ("7N/5p2/6k1/8/8/8/PPPPPPPP/4K3 b - - 0 60", NO_LAST_MOVE),
        ]);
    }

    #[test]
    fn men_that_hold_a_right_never_moved() {
        expect(&[
            ("k7/8/8/8/8/8/8/R3K3 b - - 5 60", 0),
            ("k7/8/8/8/8/8/8/R3K3 b Q - 5 60", NO_LAST_MOVE),
            ("k7/8/8/8/8/1N6/8/R3K3 b Q - 5 60", 0),
        ]);
    }

    #[test]
    fn a_captured_man_must_have_been_there() {
        // The pawn on e4 captured there, for e3 is taken.
        expect(&[
            ("r1bq1bnr/pppppppp/8/3k4/4P3/4P3/PPPP2PP/RNBQKBNR b - - 0 60", 0),
            (
                "rnbq1bnr/pppppppp/8/3k4/4P3/4P3/PPPP2PP/RNBQKBNR b - - 0 60",
                PAWN_CAPTURES | PAWN_OPPOSITION | NO_LAST_MOVE,
            ),
        ]);
    }

    #[test]
    fn castling_explains_a_rook_check() {
        // The rook came from h1, over the king on g1.
        let over_the_king = "8/8/8/8/8/5k2/8/4RRK1 b - - 5 60";
        assert_eq!(codes(over_the_king, true), 0);
        assert_eq!(codes(over_the_king, false), NO_LAST_MOVE);
        let in_place = "8/8/8/8/8/5k2/8/4RRKR b - - 5 60";
        assert_eq!(codes(in_place, true), 0, "king and rook may have changed places");
    }
}
