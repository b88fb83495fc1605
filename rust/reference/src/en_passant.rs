//! Whether an en passant square is valid, and who can capture there.

use crate::board::{Board, Colour, Role, Square};
use crate::{Rules, Setup};

/// The rank of an en passant square with `turn` to move.
fn rank(turn: Colour) -> i8 {
    match turn {
        Colour::White => 5,
        Colour::Black => 2,
    }
}

/// What is wrong with an en passant square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// It is not on the rank that the side to move captures on.
    pub wrong_rank: bool,
    /// No pawn of the other side stands in front.
    pub no_pawn: bool,
    /// It or the square that the pawn came from is not empty.
    pub occupied: bool,
}

/// What is wrong with the square of `setup`; the wrong rank leaves nothing else to ask.
pub fn faults(setup: &Setup) -> Faults {
    let Some(target) = setup.en_passant else { return Faults::default() };
    if target.rank != rank(setup.turn) {
        return Faults { wrong_rank: true, ..Faults::default() };
    }
    let (from, to) = push(target, setup.turn);
    Faults {
        wrong_rank: false,
        no_pawn: !setup.board.is(to, setup.turn.other(), Role::Pawn),
        occupied: setup.board.at(target).is_some() || setup.board.at(from).is_some(),
    }
}

/// The square, if it is valid.
pub fn valid(setup: &Setup) -> Option<Square> {
    setup.en_passant.filter(|_| faults(setup) == Faults::default())
}

/// Where the pawn that skipped `target` came from and where it stands.
pub fn push(target: Square, turn: Colour) -> (Square, Square) {
    let forward = turn.forward();
    let beside = |ranks| Square::new(target.file, target.rank + ranks);
    (beside(forward), beside(-forward))
}

/// The board after each capture on the valid square of `setup`, checks not regarded.
pub fn captures(setup: &Setup) -> Vec<Board> {
    let Some(target) = valid(setup) else { return Vec::new() };
    let (_, victim) = push(target, setup.turn);
    [-1, 1]
        .into_iter()
        .filter_map(|files| victim.step(files, 0))
        .filter(|&capturer| setup.board.is(capturer, setup.turn, Role::Pawn))
        .map(|capturer| {
            let mut board = setup.board;
            board.put(target, board.at(capturer));
            board.put(capturer, None);
            board.put(victim, None);
            board
        })
        .collect()
}

/// Whether a capture leaves the own king unattacked; a side that has none can always capture.
pub fn is_legal(setup: &Setup, rules: Rules) -> bool {
    captures(setup).iter().any(|board| {
        board
            .king(setup.turn, rules)
            .is_none_or(|king| board.attackers(king, setup.turn.other()).next().is_none())
    })
}
