//! The suspicious codes: hints that a data set is not what it seems.

use crate::castling;
use crate::legality;
use crate::position::{BLACK, Board, Position, WHITE};
use crate::problem::*;
use crate::reachability;
use crate::square;

/// How many ranks the mean White pawn stands above the mean Black one where a board looks turned.
const RANKS: i32 = 2;

/// The suspicious codes that the position shows, `unreachable` being its unreachable codes. What a
/// check shows comes with those ([`reachability::unreachable`]).
#[inline(always)]
pub fn suspicious(
    position: &Position,
    board: &Board,
    unreachable: Problems,
    chess960: bool,
) -> Problems {
    flag(position.halfmove > 100, HALFMOVE_GT_100)
        | flag(position.halfmove > 150, HALFMOVE_GT_150)
        | flag(position.fullmove > 9999, FULLMOVE_GT_9999)
        | reachability::captures_exceed_game(position, board)
        | legality::en_passant_hints(position, board)
        | orientation(position, board, unreachable, chess960)
}

/// The unreachable codes that the places of the men show.
const PLACED: Problems =
    UNREACHABLE & !(EP_PUSH_IMPOSSIBLE | EP_CLOCK_NONZERO | CLOCK_EXCEEDS_GAME | START_WRONG_TURN);

/// Those that no turn takes away.
const UNTURNED: Problems = PROMOTION_EXCESS_WHITE | PROMOTION_EXCESS_BLACK;

/// Whether the board looks turned by 180 degrees, or its ranks reversed.
///
/// Both need pawns of both sides. A board that no game leads to, but that breaks no rule once it is
/// turned, looks turned. Where every rule holds, a board does whose White pawns stand two ranks or
/// more above the Black ones on the average: in most games they meet before they get that far.
///
/// Of a million rows of engine games and opening books, 967,123 have pawns of both sides. None
/// breaks a rule and the statistic hints at 932 of them (0.10 %): at none with 20 men or more, at 10
/// of the 161,605 with 12 to 19 (0.006 %), at 922 of the 50,239 with fewer (1.8 %). Turned by 180
/// degrees or with the ranks reversed, rules and statistic notice 99.99 % of those with 28 men or
/// more, 94 % of those with 20 to 27, 78 % of those with 12 to 19 and 45 % of those with fewer
/// (`tests/soak/turned_boards.py`).
#[inline(always)]
fn orientation(
    position: &Position,
    board: &Board,
    unreachable: Problems,
    chess960: bool,
) -> Problems {
    let white = board.pawns & board.men[WHITE];
    let black = board.pawns & board.men[BLACK];
    if (white == 0) | (black == 0) {
        return 0;
    }
    if unreachable & PLACED != 0 {
        return explained_by_turning(position, board, unreachable, chess960);
    }
    if unreachable & UNREACHABLE != 0 {
        return 0;
    }
    // The mean gap is at most the widest one, from the lowest Black pawn to the highest White one.
    let widest = (63 - white.leading_zeros() as i32) / 8 - black.trailing_zeros() as i32 / 8;
    if widest >= RANKS && is_upside_down(white, black) { LOOKS_ROTATED | LOOKS_MIRRORED } else { 0 }
}

/// Whether the mean rank of `white` is at least [`RANKS`] above that of `black`.
#[inline(never)]
const fn is_upside_down(white: u64, black: u64) -> bool {
    let (whites, blacks) = (white.count_ones() as i32, black.count_ones() as i32);
    ranks(white) * blacks - ranks(black) * whites >= RANKS * whites * blacks
}

/// The sum of the ranks of `set`, 0 to 7.
const fn ranks(set: u64) -> i32 {
    let ones = (set & 0xff00_ff00_ff00_ff00).count_ones();
    let twos = (set & 0xffff_0000_ffff_0000).count_ones();
    let fours = (set & 0xffff_ffff_0000_0000).count_ones();
    (ones + 2 * twos + 4 * fours) as i32
}

/// Which turns leave no illegal code and none of [`PLACED`] standing.
///
/// The placement alone is judged, without castling rights and en passant square, which would mean
/// nothing on a turned board. One whose king and rook stand where a right has them is not turned.
#[cold]
#[inline(never)]
fn explained_by_turning(
    position: &Position,
    board: &Board,
    unreachable: Problems,
    chess960: bool,
) -> Problems {
    if unreachable & UNTURNED != 0 || castling::valid(position, board, chess960) != [0; 2] {
        return 0;
    }
    let bare = Position { castling: [0; 2], en_passant: square::NONE, ..*position };
    let is_possible = |turned: &Board| {
        let checkers = legality::checkers(turned, bare.side_to_move() ^ 1);
        legality::illegal(&bare, turned, checkers, chess960) == 0
            && reachability::unreachable(&bare, turned, checkers, 0, chess960) & PLACED == 0
    };
    flag(is_possible(&board.map(u64::reverse_bits)), LOOKS_ROTATED)
        | flag(is_possible(&board.map(u64::swap_bytes)), LOOKS_MIRRORED)
}

/// The squares that show `problem`, a suspicious code that this module gives.
pub fn evidence(problem: Problems, position: &Position, board: &Board) -> u64 {
    let side = position.side_to_move();
    match problem {
        CLOCK_CONTRADICTS_CHECK => {
            legality::checkers(board, side ^ 1) | (board.kings & board.men[side])
        }
        LOOKS_ROTATED | LOOKS_MIRRORED => board.pawns,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::{Depth, judge};
    use crate::parse;

    fn hints(fen: &str) -> Vec<&'static str> {
        let problems = judge(&parse::careful(fen.as_bytes(), false), false, Depth::All);
        entries(problems & SUSPICIOUS).map(|entry| entry.name).collect()
    }

    #[test]
    fn counters() {
        let with = |counters: &str| hints(&format!("4k3/8/8/8/8/8/4P3/4K3 w - - {counters}"));
        assert!(with("100 139").is_empty());
        assert_eq!(with("101 139"), ["halfmove_gt_100"]);
        assert_eq!(with("151 139"), ["halfmove_gt_100", "halfmove_gt_150"]);
        assert_eq!(with("5 10000"), ["fullmove_gt_9999"]);
        assert_eq!(with("5 15"), ["captures_exceed_game"]);
        assert!(with("5 16").is_empty());
        assert!(with("0 1").is_empty());
    }

    #[test]
    fn a_check_that_resets_the_clock() {
        assert_eq!(hints("8/8/8/8/5k2/4P3/8/6K1 b - - 2 60"), ["clock_contradicts_check"]);
        assert_eq!(hints("8/2p5/1p6/2K5/8/8/8/5k2 w - - 6 60"), ["clock_contradicts_check"]);
        assert!(hints("8/8/8/8/5k2/4P3/8/6K1 b - - 0 60").is_empty());
        assert!(hints("3k4/8/8/6B1/8/8/8/3RK3 b - - 7 60").is_empty());
    }

    #[test]
    fn turned_boards() {
        const BOTH: [&str; 2] = ["looks_rotated", "looks_mirrored"];
        assert_eq!(hints("RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr w - - 0 1"), BOTH);
        assert_eq!(hints("8/1P3k2/P1P5/8/8/5p1p/4K1p1/8 w - - 0 60"), BOTH);
        assert!(hints("8/1p3k2/p1p5/8/8/5P1P/4K1P1/8 w - - 0 60").is_empty());
        assert!(hints("4k3/PPPPPP2/8/8/8/8/8/4K3 w - - 0 60").is_empty(), "no Black pawn");
        let kings_side = "rnbqkbnr/pp1ppppp/2p5/8/8/8/PPPP1PPP/B1BQK1NR w Kkq - 0 60";
        assert!(hints(kings_side).is_empty());
    }
}
