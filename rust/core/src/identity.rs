//! Which positions count as one: what the FIDE rules of repetition compare (Laws, article 9.2).

use crate::canonical::EnPassant;
use crate::castling;
use crate::legality::is_chess960;
use crate::position::{BLACK, Board, Position, WHITE};
use crate::square;

/// How much two positions must share to count as one, each coarser than the one before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum By {
    /// The board, the side to move, the castling rights that hold and the en passant square if a
    /// capture is legal.
    #[default]
    Position,
    /// The board, the side to move and the castling rights that hold.
    BoardSideRights,
    /// The board and the side to move.
    BoardSide,
    /// The board.
    Board,
}

impl By {
    /// Every choice by its name, which is that of a rung of the audit's ladder.
    pub const ALL: [(&str, By); 4] = [
        ("position", By::Position),
        ("board_side_rights", By::BoardSideRights),
        ("board_side", By::BoardSide),
        ("board", By::Board),
    ];
}

/// What two positions share if and only if they count as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The three planes of the piece codes and the squares of Black's men.
    pub board: [u64; 4],
    /// Bit 0 Black to move; bits 1-7 the en passant square, 64 for none; from bit 8 White's and
    /// from bit 16 Black's rook files with a right.
    pub state: u32,
}

impl Identity {
    /// The size of [`Self::to_bytes`].
    pub const SIZE: usize = 36;

    /// The bits that [`Self::state`] uses.
    pub const STATE_BITS: u32 = 24;

    /// The identity of `position`, whose board is `board`.
    #[inline(always)]
    pub fn of(position: &Position, board: &Board, by: By, chess960: bool) -> Self {
        let (side, rights, target) = match by {
            By::Position => (
                position.side_to_move(),
                rights(position, board, chess960),
                target(position, board),
            ),
            By::BoardSideRights => {
                (position.side_to_move(), rights(position, board, chess960), square::NONE)
            }
            By::BoardSide => (position.side_to_move(), [0; 2], square::NONE),
            By::Board => (WHITE, [0; 2], square::NONE),
        };
        let [c0, c1, c2] = position.code;
        let state = side as u32
            | u32::from(target) << 1
            | u32::from(rights[WHITE]) << 8
            | u32::from(rights[BLACK]) << 16;
        Self { board: [c0, c1, c2, position.black], state }
    }

    /// The first 36 bytes of the packed canonical position, its flags reduced to the side to move.
    #[inline(always)]
    pub fn to_bytes(&self) -> [u8; Self::SIZE] {
        let mut bytes = [0; Self::SIZE];
        let (board, state) = bytes.split_at_mut(32);
        board.copy_from_slice(bytemuck::bytes_of(&self.board));
        let [side_and_target, white, black, _] = self.state.to_le_bytes();
        state.copy_from_slice(&[side_and_target & 1, side_and_target >> 1, white, black]);
        bytes
    }
}

#[inline(always)]
fn target(position: &Position, board: &Board) -> u8 {
    match position.en_passant {
        square::NONE => square::NONE,
        _ => EnPassant::Legal.of(position, board),
    }
}

/// The castling rights of `position` that hold.
#[inline(always)]
pub(crate) fn rights(position: &Position, board: &Board, chess960: bool) -> [castling::Files; 2] {
    if position.castling == [0; 2] {
        return [0; 2];
    }
    castling::valid(position, board, is_chess960(position, chess960))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    fn identity(fen: &str, by: By) -> Identity {
        let reading = parse::careful(fen.as_bytes(), false);
        let position = *reading.accepted(crate::Dialect::Lenient, false).expect("readable");
        Identity::of(&position, &Board::of(&position), by, false)
    }

    #[test]
    fn each_choice_leaves_out_what_it_says() {
        let base = "4k2r/8/8/3pP3/8/8/8/R3K3 w Qk d6 0 2";
        let changes = [
            ("4k2r/8/8/3pP3/8/8/8/R3K3 w Qk d6 5 9", 0),
            ("4k2r/8/8/3pP3/8/8/8/R3K3 w Qk - 0 2", 1),
            ("4k2r/8/8/3pP3/8/8/8/R3K3 w k - 0 2", 2),
            ("4k2r/8/8/3pP3/8/8/8/R3K3 b k - 0 2", 3),
            ("4k2r/8/8/3pP3/8/8/8/1R2K3 b k - 0 2", 4),
        ];
        for (changed, coarsest) in changes {
            for (i, (name, by)) in By::ALL.into_iter().enumerate() {
                let same = identity(base, by) == identity(changed, by);
                assert_eq!(same, i >= coarsest, "{changed} by {name}");
            }
        }
    }

    #[test]
    fn bytes_are_those_of_the_canonical_position() {
        let reading = parse::careful(b"4k3/8/8/3pP3/8/8/8/R3K3 w KQ d6 7 9", false);
        let position = *reading.accepted(crate::Dialect::Lenient, false).expect("readable");
        let bytes = Identity::of(&position, &Board::of(&position), By::Position, false).to_bytes();
        let packed = crate::canonical::canonical(&position, EnPassant::Legal, false).to_bytes();
        assert_eq!(bytes, packed[..Identity::SIZE]);
        assert_eq!(bytes[32..], [0, 43, 1, 0]);
    }
}
