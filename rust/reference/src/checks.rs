//! Who gives check, and whether one move can have led to it.

use crate::board::{Man, Role, Square};
use crate::{Rules, Setup, en_passant};

/// The men that give check to the side to move.
pub fn checkers(setup: &Setup, rules: Rules) -> Vec<(Square, Man)> {
    match setup.board.king(setup.turn, rules) {
        Some(king) => setup.board.attackers(king, setup.turn.other()).collect(),
        None => Vec::new(),
    }
}

/// Whether the side to move attacks the other king.
pub fn is_opposite(setup: &Setup, rules: Rules) -> bool {
    setup
        .board
        .king(setup.turn.other(), rules)
        .is_some_and(|king| setup.board.attackers(king, setup.turn).next().is_some())
}

/// Whether the check cannot have come about.
///
/// With several kings of a side, python-chess asks about each here, and of the pushed pawn where it
/// stands now.
///
/// After a double push the checker is the pawn, or no other man than the pawn gave check before.
/// Otherwise two men never check from one line with the king between them, and three never.
pub fn is_impossible(setup: &Setup, checkers: &[(Square, Man)], rules: Rules) -> bool {
    let kings =
        || setup.board.kings(setup.turn).filter(|(_, man)| !man.promoted).map(|(square, _)| square);
    match (en_passant::valid(setup), checkers) {
        (_, []) => false,
        (Some(target), &[(checker, _)]) => {
            let (from, to) = en_passant::push(target, setup.turn);
            let mut before = setup.board;
            before.put(from, before.at(to));
            before.put(to, None);
            let other = setup.turn.other();
            let attacked = |king| {
                before.attackers(king, other).any(|(attacker, _)| attacker != from)
                    || setup.board.attackers(king, other).any(|(attacker, _)| attacker == to)
            };
            checker != to && kings().any(attacked)
        }
        (None, [_]) => false,
        (None, &[(one, first), (two, second)]) => {
            let step = |man: Man| matches!(man.role, Role::Pawn | Role::Knight | Role::King);
            kings().any(|king| are_aligned(king, one, two))
                || (rules.two_steppers && step(first) && step(second))
        }
        _ => true,
    }
}

/// Whether three squares lie on one rank, file or diagonal.
fn are_aligned(king: Square, one: Square, two: Square) -> bool {
    let (a, b) = (one.file - king.file, one.rank - king.rank);
    let (c, d) = (two.file - king.file, two.rank - king.rank);
    let on_line = |files: i8, ranks: i8| files == 0 || ranks == 0 || files.abs() == ranks.abs();
    on_line(a, b) && on_line(c, d) && a * d == b * c
}
