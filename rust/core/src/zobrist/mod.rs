//! The key of the Polyglot book format.

mod numbers;

use crate::bitboard::squares;
use crate::canonical::EnPassant;
use crate::identity;
use crate::position::{BLACK, Board, Position, WHITE};
use crate::square;
use numbers::{CASTLING, EN_PASSANT, MEN, WHITE_TO_MOVE};

/// Polyglot's key of `position`.
///
/// The en passant file counts if a pawn stands beside the pushed one, whether or not the capture is
/// legal; rights that do not hold and squares that cannot be right are cleared first. The format
/// knows a side's rights only as short and long, whichever rook they are for.
#[inline]
pub fn zobrist(position: &Position, board: &Board, chess960: bool) -> u64 {
    let mut key = 0;
    let roles = [board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings];
    for (role, men) in roles.into_iter().enumerate() {
        for (side, numbers) in [(BLACK, 2 * role), (WHITE, 2 * role + 1)] {
            for square in squares(men & board.men[side]) {
                key ^= MEN[64 * numbers + square as usize];
            }
        }
    }
    let rights = identity::rights(position, board, chess960);
    for (side, shift) in [(WHITE, 0), (BLACK, 56)] {
        let king = ((board.kings & board.men[side]) >> shift) as u8;
        let short = rights[side] > king;
        let long = rights[side] & king.wrapping_sub(1) != 0;
        key ^= if short { CASTLING[2 * side] } else { 0 };
        key ^= if long { CASTLING[2 * side + 1] } else { 0 };
    }
    if position.en_passant != square::NONE {
        let target = EnPassant::Xfen.of(position, board);
        if target != square::NONE {
            key ^= EN_PASSANT[target as usize & 7];
        }
    }
    if position.side_to_move() == WHITE { key ^ WHITE_TO_MOVE } else { key }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dialect, parse};

    /// The examples of the format's description.
    #[test]
    fn published_keys() {
        let keys = [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463b_9618_1691_fc9c),
            ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823c_9b50_fd11_4196),
            (
                "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2",
                0x0756_b944_61c5_0fb0,
            ),
            ("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", 0x662f_afb9_65db_29d4),
            (
                "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
                0x22a4_8b5a_8e47_ff78,
            ),
            ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3", 0x652a_607c_a3f2_42c1),
            ("rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4", 0x00fd_d303_c946_bdd9),
            (
                "rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3",
                0x3c81_23ea_7b06_7637,
            ),
            ("rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4", 0x5c3f_9b82_9b27_9560),
        ];
        for (fen, key) in keys {
            let reading = parse::careful(fen.as_bytes(), false);
            let position = *reading.accepted(Dialect::Lenient, false).expect("readable");
            assert_eq!(zobrist(&position, &Board::of(&position), false), key, "{fen}");
        }
    }
}
