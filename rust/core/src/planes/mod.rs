//! Positions as planes of squares, for networks.
//!
//! Each layout is first written as one 64-bit word a plane: a set of squares, or a count. Words are
//! the bit-packed form; spread over cells they are the planes.

mod alphazero;
mod cells;
pub mod expand;
mod found;
mod history;
mod layout;
mod lc0;
mod maia;
mod open_spiel;
mod symmetry;
mod view;

use std::marker::PhantomData;

use crate::bitboard::squares;
use crate::perspective::Perspective;
use crate::position::{BLACK, Position, WHITE};
use crate::rows::Encode;
use crate::unheld::Unheld;

pub use cells::{Cell, Half};
pub use expand::Expand;
pub use found::Fault;
pub use history::{Fill, STEPS};
pub use layout::{Count, Form, Layout, MOST};
pub use view::State;

use found::Found;
use history::History;
use view::View;

/// Which square comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Squares {
    /// a1, b1, …, h8.
    #[default]
    A1,
    /// a8, b8, …, h1, as a FEN runs.
    A8,
}

impl Squares {
    /// `set` with its squares renumbered.
    #[inline(always)]
    pub const fn set(self, set: u64) -> u64 {
        match self {
            Self::A1 => set,
            Self::A8 => set.swap_bytes(),
        }
    }
}

/// How positions become words.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// The planes.
    pub layout: Layout,
    /// Whose board they show.
    pub perspective: Perspective,
    /// Which square comes first.
    pub squares: Squares,
    /// What of the state counts.
    pub state: State,
    /// What stands in unknown steps of the history.
    pub fill: Fill,
}

impl Words {
    /// The words of the layout of pieces, squares in this order.
    #[inline(always)]
    fn pieces(&self, position: &Position) -> [u64; 12] {
        let turn = self.perspective.turn(position.side_to_move());
        let ([c0, c1, c2], upper) = turn.planes(position);
        let set = |plane| self.squares.set(plane);
        view::sets([set(c0), set(c1), set(c2)], set(upper))
    }

    /// Writes the words of `position`, squares from a1.
    #[inline(always)]
    fn write(&self, position: &Position, earlier: &[Option<Position>], words: &mut [u64]) {
        let turn = self.perspective.turn(position.side_to_move());
        match self.layout {
            Layout::Pieces => words.copy_from_slice(&view::men(position, turn)),
            Layout::Roles => {
                let men = view::men(position, turn);
                for role in 0..6 {
                    words[role] = men[role] | men[role + 6];
                }
                let upper = men[6..].iter().fold(0, |all, set| all | set);
                words[6] = turn.set(position.occupied()) & !upper;
                words[7] = upper;
            }
            _ => self.write_with_state(position, earlier, words),
        }
    }

    #[inline(never)]
    fn write_with_state(
        &self,
        position: &Position,
        earlier: &[Option<Position>],
        words: &mut [u64],
    ) {
        let position = self.state.of(position);
        let view = View::of(&position, self.perspective);
        let history = || History::of(&position, earlier, self.state);
        match self.layout {
            Layout::Pieces | Layout::Roles => {}
            Layout::Maia2 => maia::two(&view, words),
            Layout::Maia1 => maia::one(&view, words),
            Layout::OpenSpiel => open_spiel::words(&view, words),
            Layout::Lc0(form) => lc0::words(form, &view, &history(), self.fill, words),
            Layout::AlphaZero => alphazero::words(&view, &history(), words),
        }
    }

    /// The position that `words` spell, squares from a1; `black_to_move` where they do not say.
    ///
    /// # Errors
    /// Why they spell none.
    pub fn read(&self, words: &[u64], black_to_move: bool) -> Result<Position, Fault> {
        let colour = match self.layout {
            Layout::Maia1 => Some(!found::flat(words, 12)?),
            Layout::Lc0(Form::Classical | Form::CastlingPlane) => {
                Some(found::flat(words, lc0::COLOUR)?)
            }
            Layout::AlphaZero => Some(found::flat(words, alphazero::COLOUR)?),
            _ => None,
        };
        let black_to_move = colour.unwrap_or(black_to_move);
        let turn = self.perspective.turn(if black_to_move { BLACK } else { WHITE });
        let mut found = if self.layout == Layout::Roles {
            let mut men = [0; 12];
            for role in 0..6 {
                men[role] = words[role] & words[6];
                men[role + 6] = words[role] & words[7];
            }
            let roles = words[..6].iter().fold(0, |all, set| all | set);
            let wrong = (roles ^ (words[6] | words[7])) | (words[6] & words[7]);
            if wrong != 0 {
                return Err(Fault::Sideless(turn.set(wrong).trailing_zeros() as u8));
            }
            Found::of(&men, turn, black_to_move)
        } else {
            Found::of(words, turn, black_to_move)
        };
        match self.layout {
            Layout::Pieces | Layout::Roles => {}
            Layout::Maia2 => maia::find_two(words, &mut found)?,
            Layout::Maia1 => maia::find_one(words, &mut found)?,
            Layout::OpenSpiel => open_spiel::find(words, &mut found)?,
            Layout::Lc0(form) => lc0::find(form, words, &mut found)?,
            Layout::AlphaZero => alphazero::find(words, &mut found)?,
        }
        found.position(self.state)
    }

    fn is_count(&self, plane: usize) -> bool {
        self.layout.counts().iter().any(|count| count.plane == plane)
    }

    /// Renumbers the squares of every plane but the counts.
    #[inline(always)]
    fn reorder(&self, words: &mut [u64]) {
        if self.squares == Squares::A8 {
            for (plane, word) in words.iter_mut().enumerate() {
                if !self.is_count(plane) {
                    *word = self.squares.set(*word);
                }
            }
        }
    }

    /// The position of words whose squares are in this order.
    ///
    /// # Errors
    /// Why they spell none.
    pub fn read_packed(&self, packed: &[u64], black_to_move: bool) -> Result<Position, Fault> {
        let mut words = [0; MOST];
        let words = &mut words[..packed.len()];
        words.copy_from_slice(packed);
        self.reorder(words);
        self.read(words, black_to_move)
    }
}

impl Encode for Words {
    type Cell = u64;
    const BLANK: u64 = 0;

    fn width(&self) -> usize {
        self.layout.channels()
    }

    #[inline(always)]
    fn encode<X: Expand>(
        &self,
        _: X,
        position: &Position,
        earlier: &[Option<Position>],
        out: &mut [u64],
    ) -> Result<(), Unheld> {
        match out.first_chunk_mut() {
            Some(out) if self.layout == Layout::Pieces => *out = self.pieces(position),
            _ => {
                out.fill(0);
                self.write(position, earlier, out);
                self.reorder(out);
            }
        }
        Ok(())
    }
}

/// How positions become planes of `T`.
#[derive(Clone, Copy, Debug)]
pub struct Planes<T> {
    words: Words,
    channels_last: bool,
    limit: u32,
    cell: PhantomData<T>,
}

impl<T: Cell> Planes<T> {
    /// Planes of `words` that hold counts up to `limit`.
    pub const fn new(words: Words, channels_last: bool, limit: u32) -> Self {
        Self { words, channels_last, limit, cell: PhantomData }
    }

    /// The position that the cells of a row spell; `black_to_move` where they do not say.
    ///
    /// # Errors
    /// Why they spell none.
    pub fn read(&self, cells: &[T], black_to_move: bool) -> Result<Position, Fault> {
        let channels = self.words.layout.channels();
        let mut words = [0; MOST];
        for (plane, word) in words[..channels].iter_mut().enumerate() {
            *word = if self.channels_last {
                self.read_plane(cells[plane..].iter().copied().step_by(channels).take(64), plane)?
            } else {
                let cells = &cells[64 * plane..][..64];
                let clean = cells.first_chunk().filter(|_| !self.words.is_count(plane));
                match clean.and_then(T::set_of) {
                    Some(set) => self.words.squares.set(set),
                    None => self.read_plane(cells.iter().copied(), plane)?,
                }
            };
        }
        self.words.read(&words[..channels], black_to_move)
    }

    /// The word that the 64 `cells` of `plane` spell.
    #[inline]
    fn read_plane(&self, cells: impl Iterator<Item = T>, plane: usize) -> Result<u64, Fault> {
        let Words { layout, squares: order, .. } = self.words;
        if let Some(count) = layout.counts().iter().find(|count| count.plane == plane) {
            return cells::gather_count(cells, plane, count.divisor);
        }
        let set = cells::gather(cells, plane).map_err(|fault| match fault {
            Fault::NotABit { plane, square, value } => {
                let square = order.set(1 << square).trailing_zeros() as u8;
                Fault::NotABit { plane, square, value }
            }
            other => other,
        })?;
        Ok(order.set(set))
    }

    /// The cell that all squares of a plane of `count` get.
    fn number(&self, count: &Count, value: u64) -> Result<T, Unheld> {
        let (value, divisor) = (value as u32, u32::from(count.divisor));
        let limit = self.limit.saturating_mul(divisor);
        if value > limit {
            return Err(Unheld::Number { name: count.name, value, limit });
        }
        let cell = T::of(value as f32 / divisor as f32);
        let near = (cell.number() * divisor as f32).round() as u32;
        if near != value {
            return Err(Unheld::Rounded { name: count.name, value, near });
        }
        Ok(cell)
    }
}

impl<T: Cell> Encode for Planes<T> {
    type Cell = T;
    const BLANK: T = T::ZERO;

    fn width(&self) -> usize {
        self.words.layout.channels() * 64
    }

    #[inline(always)]
    fn encode<X: Expand>(
        &self,
        isa: X,
        position: &Position,
        earlier: &[Option<Position>],
        out: &mut [T],
    ) -> Result<(), Unheld> {
        if self.words.layout == Layout::Pieces && !self.channels_last {
            let sets = self.words.pieces(position);
            let (planes, _) = out.as_chunks_mut::<64>();
            if let Some(planes) = planes.first_chunk_mut::<12>() {
                for i in 0..12 {
                    T::expand(isa, sets[i], &mut planes[i]);
                }
            }
            return Ok(());
        }
        let mut words = [0; MOST];
        let words = &mut words[..self.words.layout.channels()];
        self.words.write(position, earlier, words);
        self.words.reorder(words);
        if self.channels_last {
            out.fill(T::ZERO);
            for (plane, set) in words.iter().enumerate() {
                for square in squares(*set) {
                    out[usize::from(square) * words.len() + plane] = T::ONE;
                }
            }
        } else {
            let (planes, _) = out.as_chunks_mut::<64>();
            for (set, cells) in words.iter().zip(planes) {
                T::expand(isa, *set, cells);
            }
        }
        for count in self.words.layout.counts() {
            let number = self.number(count, words[count.plane])?;
            if self.channels_last {
                for cells in out.chunks_exact_mut(words.len()) {
                    cells[count.plane] = number;
                }
            } else {
                out[64 * count.plane..][..64].fill(number);
            }
        }
        Ok(())
    }
}
