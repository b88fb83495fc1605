//! The flags of python-chess's `status()`.

use crate::board::{Board, Role};
use crate::{Rules, Setup, castling, checks, en_passant};

/// A set of flags, one bit each.
pub type Status = u32;

macro_rules! flags {
    ($($flag:ident)+) => {
        flags!(@bits 0; $($flag)+);
        /// Every flag with its name.
        pub const FLAGS: &[(Status, &str)] = &[$(($flag, stringify!($flag))),+];
    };
    (@bits $bit:expr; $flag:ident $($rest:ident)*) => {
        #[allow(missing_docs)]
        pub const $flag: Status = 1 << $bit;
        flags!(@bits $bit + 1; $($rest)*);
    };
    (@bits $bit:expr;) => {};
}

flags! {
    NO_WHITE_KING NO_BLACK_KING TOO_MANY_KINGS TOO_MANY_WHITE_PAWNS TOO_MANY_BLACK_PAWNS
    PAWNS_ON_BACKRANK TOO_MANY_WHITE_PIECES TOO_MANY_BLACK_PIECES BAD_CASTLING_RIGHTS
    INVALID_EP_SQUARE OPPOSITE_CHECK EMPTY TOO_MANY_CHECKERS IMPOSSIBLE_CHECK
}

/// The flags of `setup`.
pub fn status(setup: &Setup, rules: Rules, chess960: bool) -> Status {
    let board = &setup.board;
    let [white, black] = board.counts();
    let (king, pawn) = (Role::King as usize, Role::Pawn as usize);
    let checkers = checks::checkers(setup, rules);
    let named = castling::named(&setup.castling, board, rules);
    let is_back = |rank: i8| rank == 0 || rank == 7;
    let mut status = 0;
    for (flag, raised) in [
        (NO_WHITE_KING, white[king] == 0),
        (NO_BLACK_KING, black[king] == 0),
        (TOO_MANY_KINGS, white[king] + black[king] > 2),
        (TOO_MANY_WHITE_PAWNS, white[pawn] > 8),
        (TOO_MANY_BLACK_PAWNS, black[pawn] > 8),
        (
            PAWNS_ON_BACKRANK,
            board.men().any(|(square, man)| man.role == Role::Pawn && is_back(square.rank)),
        ),
        (TOO_MANY_WHITE_PIECES, white.iter().sum::<usize>() > 16),
        (TOO_MANY_BLACK_PIECES, black.iter().sum::<usize>() > 16),
        (BAD_CASTLING_RIGHTS, castling::held(&named, board, rules, chess960) != named),
        (INVALID_EP_SQUARE, setup.en_passant != en_passant::valid(setup)),
        (OPPOSITE_CHECK, checks::is_opposite(setup, rules)),
        (EMPTY, *board == Board::EMPTY),
        (TOO_MANY_CHECKERS, checkers.len() > 2),
        (IMPOSSIBLE_CHECK, checks::is_impossible(setup, &checkers, rules)),
    ] {
        if raised {
            status |= flag;
        }
    }
    status
}
