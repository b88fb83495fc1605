//! The steps of a layout with history.

use super::view::{State, men};
use crate::en_passant::Push;
use crate::perspective::Turn;
use crate::position::{Position, WHITE};
use crate::square;

/// The steps of a layout with history, the current position included.
pub const STEPS: usize = 8;

/// What stands in the steps before the oldest position known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fill {
    /// Nothing.
    No,
    /// The oldest position again, unless it is the start of a game.
    #[default]
    FenOnly,
    /// The oldest position again.
    Always,
}

/// The canonical positions of a row, the current one first.
#[derive(Clone, Copy, Debug)]
pub(super) struct History {
    positions: [Position; STEPS],
    len: usize,
}

impl History {
    /// `current` and those of `earlier`, the latest first, up to the first that is not known.
    pub(super) fn of(current: &Position, earlier: &[Option<Position>], state: State) -> Self {
        let mut history = Self { positions: [*current; STEPS], len: 1 };
        let known = earlier.iter().map_while(|position| position.as_ref());
        for (slot, position) in history.positions[1..].iter_mut().zip(known) {
            *slot = state.of(position);
            history.len += 1;
        }
        history
    }

    /// The positions that are known.
    pub(super) fn known(&self) -> &[Position] {
        &self.positions[..self.len]
    }

    /// The oldest position known.
    fn oldest(&self) -> &Position {
        &self.positions[self.len - 1]
    }

    /// Whether the position of `step` stands among `others`, by the rules of repetition.
    pub(super) fn is_among(&self, step: usize, others: impl IntoIterator<Item = usize>) -> bool {
        others.into_iter().any(|other| {
            other != step
                && other < self.len
                && is_same(&self.positions[step], &self.positions[other])
        })
    }

    /// What fills `step`, beyond the positions known: the oldest before its double push, or nothing.
    pub(super) fn filler(&self, fill: Fill, turn: Turn) -> Option<[u64; 12]> {
        let oldest = self.oldest();
        let wanted = match fill {
            Fill::No => false,
            Fill::FenOnly => !is_start(oldest),
            Fill::Always => true,
        };
        wanted.then(|| men(&before_push(oldest), turn))
    }
}

fn is_same(one: &Position, other: &Position) -> bool {
    let identity = |position: &Position| {
        (
            position.code,
            position.black,
            position.side_to_move(),
            position.castling,
            position.en_passant,
        )
    };
    identity(one) == identity(other)
}

/// Whether `position` is the start array with all rights.
fn is_start(position: &Position) -> bool {
    position.side_to_move() == WHITE
        && position.castling == [0b1000_0001; 2]
        && position.black == 0xffff << 48
        && men(position, Turn::None)[..6] == [0xff00, 0x42, 0x24, 0x81, 0x08, 0x10]
        && men(position, Turn::None)[6..]
            == [0xff << 48, 0x42 << 56, 0x24 << 56, 0x81 << 56, 0x08 << 56, 0x10 << 56]
}

/// `position` with the pawn that was just pushed two squares back where it came from.
fn before_push(position: &Position) -> Position {
    let mut before = *position;
    if position.en_passant != square::NONE {
        let Push { from, to, .. } = Push::over(position.en_passant, position.side_to_move());
        let pushed = position.code[0] & to != 0;
        if pushed {
            before.code[0] ^= from | to;
            if position.black & to != 0 {
                before.black ^= from | to;
            }
        }
    }
    before
}
