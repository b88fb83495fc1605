//! Where a side's pawns can have come from, and what that costs (4.2, 4.3, 4.4).

use crate::bitboard::{above, files, squares};
use crate::position::{BLACK, Board, WHITE};
use crate::problem::*;

/// The pawns of `side` as if they were White's, advancing to higher ranks.
#[inline(always)]
pub(super) const fn advancing(board: &Board, side: usize) -> u64 {
    let pawns = board.pawns & board.men[side];
    if side == WHITE { pawns } else { pawns.swap_bytes() }
}

/// The pawns of `pawns` above another on the same file.
#[inline(always)]
pub(super) const fn stacked(pawns: u64) -> u64 {
    pawns & above(pawns)
}

/// The captures that the pawns of `side` can have made: the men that the other side has lost.
pub(super) const fn captures(board: &Board, side: usize) -> i32 {
    16 - board.men[side ^ 1].count_ones() as i32
}

/// Whether 4.4 holds with `promoted` promoted men on the board.
///
/// Sixteen pawns begin as eight pairs, face to face. A pair breaks only when one of its pawns
/// captures or is captured, so a capture breaks one pair, or two if its victim is a pawn. No pawn
/// of an unbroken pair promotes, and its file still has a White pawn below a Black one. So pawns
/// and promotions together exceed eight by no more than captures and such files allow.
#[inline(always)]
pub(super) const fn is_opposed(board: &Board, promoted: u32) -> bool {
    let [white, black] = board.men;
    let facing = files(above(board.pawns & white) & board.pawns & black).count_ones();
    let captures = 32 - board.occupied().count_ones() as i32;
    (board.pawns.count_ones() + promoted) as i32 <= 8 + captures + facing as i32
}

/// The codes of 4.2 and 4.3.
#[inline(never)]
pub(super) fn problems(board: &Board) -> Problems {
    [WHITE, BLACK]
        .iter()
        .fold(0, |problems, &side| problems | judge(advancing(board, side), captures(board, side)))
}

/// The code of one side's pawns, advancing to higher ranks, with that many captures to make.
pub(super) fn judge(pawns: u64, captures: i32) -> Problems {
    // Each stacked pawn has left its file.
    let enough = stacked(pawns).count_ones() as i32 <= captures;
    if enough && spreads_out(pawns, captures) {
        0
    } else if !has_files(pawns) {
        PAWN_STRUCTURE
    } else {
        let possible =
            enough && crossing_allowed(pawns) <= captures && has_captures(pawns, captures);
        flag(!possible, PAWN_CAPTURES)
    }
}

/// The file of a pawn that advances to higher ranks, and how many ranks it has advanced: it comes
/// from at most so many files away.
const fn journey(pawn: u8) -> (u8, u8) {
    (pawn & 7, (pawn >> 3).saturating_sub(1))
}

/// Whether every stacked pawn can have come from the nearest file that is still free: not the only
/// way to explain the pawns, but the common one.
fn spreads_out(pawns: u64, captures: i32) -> bool {
    let mut free = !files(pawns);
    let mut left = captures;
    let explained = squares(stacked(pawns)).all(|pawn| {
        let (file, advance) = journey(pawn);
        let below = free & ((1 << file) - 1);
        let to_below = (file + 1).wrapping_sub(8 - below.leading_zeros() as u8);
        let to_above = (free >> file).trailing_zeros() as u8;
        let distance = to_above.min(if below == 0 { 8 } else { to_below });
        let home = if distance == to_above { file + distance } else { file - distance };
        free &= !(1u32 << home) as u8;
        left -= i32::from(distance);
        distance <= advance
    });
    explained && left >= 0
}

/// Whether there are files for pawns that advance to higher ranks to have come from, no two from
/// the same (4.2).
///
/// The files a pawn can come from are an interval, so it is enough to give each file in turn to the
/// pawn whose interval ends first.
fn has_files(pawns: u64) -> bool {
    if pawns.count_ones() > 8 {
        return false;
    }
    // By first file, how many pawns' intervals end on each last file, four bits a file.
    let mut begin = [0u32; 8];
    for pawn in squares(pawns) {
        let (file, advance) = journey(pawn);
        let last = (file + advance).min(7);
        begin[usize::from(file.saturating_sub(advance))] += 1 << (4 * last);
    }
    let mut open = 0;
    let in_time = begin.iter().zip(0..).all(|(begin, file)| {
        open += begin;
        let last = open.trailing_zeros() & !3;
        if open != 0 {
            open -= 1 << last;
        }
        last >= 4 * file
    });
    in_time && open == 0
}

/// The captures that at most eight pawns need, could each come from any file: a lower bound of what
/// [`has_captures`] looks for, and much cheaper.
///
/// Pawns need not cross then. If pawn *i* in the order of the files stands on file *fᵢ* and comes
/// from *hᵢ*, the numbers *hᵢ − i* must not decrease and lie between 0 and 8 less the number of
/// pawns; the nearest such numbers to *fᵢ − i* are found by lowering, with each number that is below
/// an earlier one, the greatest before it.
fn crossing_allowed(pawns: u64) -> i32 {
    const A_FILE: u64 = 0x0101_0101_0101_0101;
    let room = 8 - pawns.count_ones() as i32;
    // How many of each number there are, four bits each.
    let mut numbers = 0u64;
    let (mut needed, mut i) = (0, 0);
    for file in 0..8 {
        for _ in 0..(pawns & A_FILE << file).count_ones() {
            let wanted = file - i;
            let number = wanted.clamp(0, room);
            needed += (wanted - number).abs();
            numbers += 1 << (4 * number);
            let greatest = 15 - (numbers.leading_zeros() / 4) as i32;
            if greatest > number {
                needed += greatest - number;
                numbers += 1 << (4 * number);
                numbers -= 1 << (4 * greatest);
            }
            i += 1;
        }
    }
    needed
}

/// Whether `captures` captures bring pawns from eight files to `pawns`, for which there are files
/// and which advance to higher ranks (4.3).
///
/// The least number of captures of the pawns placed so far is kept for each set of files that they
/// can have come from, at one capture a file. A pawn low on its file may keep two others from
/// crossing, so that no order of the pawns can be taken for granted.
fn has_captures(pawns: u64, captures: i32) -> bool {
    let Ok(captures) = u8::try_from(captures) else { return false };
    let count = pawns.count_ones();
    let mut order = [0; 8];
    for (place, square) in order.iter_mut().zip(squares(pawns)) {
        *place = square;
    }
    let mut cost = [u8::MAX; 256];
    cost[0] = 0;
    let mut affordable = [1, 0, 0, 0];
    for word in 0..4 {
        // Adding a file makes a greater number, so the sets still to come are above this one.
        while affordable[word] != 0u64 {
            let from = word * 64 + affordable[word].trailing_zeros() as usize;
            affordable[word] &= affordable[word] - 1;
            let placed = from.count_ones();
            if placed == count {
                return true;
            }
            let (file, advance) = journey(order[placed as usize & 7]);
            let reach = advance.min(captures - cost[from]);
            for home in file.saturating_sub(reach)..=(file + reach).min(7) {
                let with = from | 1 << home;
                let captured = cost[from] + file.abs_diff(home);
                if from != with && captured < cost[with] {
                    cost[with] = captured;
                    affordable[with / 64] |= 1 << (with % 64);
                }
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::tests::expect;
    use super::*;
    use crate::bitboard::BACK_RANKS;

    #[test]
    fn pawns_come_from_eight_files() {
        expect(&[
            ("rnbqkbnr/pppppp2/8/8/8/P7/PP1PPPPP/RNBQKBNR w KQkq - 0 9", PAWN_STRUCTURE),
            ("4k3/8/8/8/4P3/2P5/PPP5/4K3 b - - 0 40", 0),
            ("4k3/pp6/p7/8/8/8/8/4K3 w - - 0 40", PAWN_STRUCTURE),
        ]);
    }

    #[test]
    fn pawns_change_files_by_capturing() {
        expect(&[
            (
                "rnbqkbnr/pppppppp/8/8/8/2P5/P1PPPPPP/RNBQKBNR w KQkq - 0 5",
                PAWN_CAPTURES | PAWN_OPPOSITION,
            ),
            ("rnbqkbnr/ppp1pppp/8/8/8/2P5/P1PPPPPP/RNBQKBNR w KQkq - 0 5", 0),
            ("rnbqkbnr/ppp1pppp/8/8/8/2P1P3/P1P1P1PP/RNBQKBNR w KQkq - 0 9", PAWN_CAPTURES),
        ]);
    }

    #[test]
    fn pawns_pass_each_other_by_captures() {
        expect(&[
            ("RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr w - - 0 1", PAWN_OPPOSITION),
            ("rnbqkbnr/pppppp1p/6P1/6p1/8/8/PPPPPP1P/RNBQKBNR w KQkq - 0 9", PAWN_OPPOSITION),
            ("rnbqkbnr/pppppp1p/6p1/6P1/8/8/PPPPPP1P/RNBQKBNR w KQkq - 0 9", 0),
        ]);
    }

    #[test]
    fn a_low_pawn_blocks_the_crossing() {
        // a2 comes from a, so a5 and b3 share out b, c and d; in the order of the files a5 would
        // take b and leave b3 nothing but c, which is one capture more than need be.
        let least = |pawns| {
            has_files(pawns).then(|| (0..=40).find(|&captures| has_captures(pawns, captures)))
        };
        assert_eq!(least(1 << 8 | 1 << 32 | 1 << 17), Some(Some(2)));
        assert_eq!(least(1 << 8 | 1 << 16), Some(Some(1)));
        assert_eq!(least(1 << 8 | 1 << 16 | 1 << 9), None);
        assert_eq!(least(0), Some(Some(0)));
        assert_eq!(least(u64::MAX), None);
    }

    /// As [`crossing_allowed`], by trying every way to come from any file.
    fn from_any_file(files: &[u8], taken: u8) -> i32 {
        let Some((file, others)) = files.split_first() else { return 0 };
        let homes = (0..8u8).filter(|home| taken >> home & 1 == 0);
        let cost =
            |home: u8| i32::from(file.abs_diff(home)) + from_any_file(others, taken | 1 << home);
        homes.map(cost).min().unwrap_or(i32::MAX)
    }

    #[test]
    #[cfg_attr(miri, ignore = "too many rows")]
    fn crossing_allowed_is_the_least_for_pawns_from_anywhere() {
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..300 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let pawns = random & random.rotate_left(23) & random.rotate_left(41) & !BACK_RANKS;
            let files: Vec<_> = squares(pawns).map(|square| square & 7).take(6).collect();
            let kept = squares(pawns).take(6).fold(0, |set, square| set | 1 << square);
            assert_eq!(crossing_allowed(kept), from_any_file(&files, 0), "{kept:#018x}");
        }
        let eight = 0x0101_0101_0101_0000 | 0x8080_0000_0000;
        assert_eq!(crossing_allowed(eight), from_any_file(&[0, 0, 0, 0, 0, 0, 7, 7], 0));
    }

    /// The least number of captures, found by trying every map.
    fn least_captures(pawns: u64, taken: u8) -> Option<i32> {
        if pawns == 0 {
            return Some(0);
        }
        let (file, advance) = journey(pawns.trailing_zeros() as u8);
        (0..8)
            .filter(|&home: &u8| file.abs_diff(home) <= advance && taken >> home & 1 == 0)
            .filter_map(|home| {
                let others = least_captures(pawns & (pawns - 1), taken | 1 << home)?;
                Some(others + i32::from(file.abs_diff(home)))
            })
            .min()
    }

    #[test]
    #[cfg_attr(miri, ignore = "too many rows")]
    fn agrees_with_every_map() {
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        let mut verdicts = [0; 3];
        for _ in 0..20_000 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let pawns = random & random.rotate_left(23) & random.rotate_left(41) & !BACK_RANKS;
            let captures = (random >> 60) as i32 - 1;
            let (expected, kind) = match least_captures(pawns, 0) {
                None => (PAWN_STRUCTURE, 0),
                Some(least) if least > captures => (PAWN_CAPTURES, 1),
                Some(_) => (0, 2),
            };
            verdicts[kind] += 1;
            assert_eq!(judge(pawns, captures), expected, "{pawns:#018x} {captures}");
        }
        assert!(verdicts.iter().all(|&rows| rows > 1000), "{verdicts:?}");
    }
}
