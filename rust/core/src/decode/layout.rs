//! Where in a row of numbers the score of each class and square stands.

use super::orientation::Turning;
use super::scores::Kind;
use super::{CLASSES, Scores};

/// What tells that a square is empty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Empty {
    /// One column, or two that are merged.
    Column,
    /// What the best man leaves of 1.
    Complement,
    /// This score, whatever the men have.
    Constant(f32),
}

/// Where the scores of one board stand in its row.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The place of each square in LERF order, for each of the twelve men.
    men: [[usize; 64]; CLASSES - 1],
    /// The same for the columns of the empty class.
    empty: Vec<[usize; 64]>,
    rule: Empty,
    complete: bool,
}

/// A row is shorter than its layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfRow;

impl Layout {
    /// The layout with `men` in the order of their classes and the `empty` columns.
    pub fn new(men: [[usize; 64]; CLASSES - 1], empty: Vec<[usize; 64]>, rule: Empty) -> Self {
        Self { men, empty, rule, complete: rule == Empty::Column }
    }

    /// The layout of rows that have other columns too, which are left out.
    pub fn with_others(self) -> Self {
        Self { complete: false, ..self }
    }

    /// The least length of a row.
    pub fn span(&self) -> usize {
        let places = self.men.iter().chain(&self.empty).flatten();
        places.max().map_or(0, |last| last + 1)
    }

    /// The layout that reads the same rows with the board turned.
    pub(super) fn turned(&self, turning: Turning) -> Self {
        let turn = |places: &[usize; 64]| {
            let mut turned = [0; 64];
            for (square, &place) in (0..64).zip(places) {
                turned[turning.of(square) as usize] = place;
            }
            turned
        };
        Self {
            men: std::array::from_fn(|i| turn(&self.men[i])),
            empty: self.empty.iter().map(turn).collect(),
            rule: self.rule,
            complete: self.complete,
        }
    }

    /// Whether the columns say all there is to say, so that they sum to 1 where probabilities do.
    pub(super) const fn is_complete(&self) -> bool {
        self.complete
    }

    /// Copies the scores of `row` into `scores`.
    ///
    /// # Errors
    /// If `row` is shorter than [`Layout::span`].
    #[inline(always)]
    pub(super) fn load(
        &self,
        row: &[f32],
        kind: Kind,
        scores: &mut Scores,
    ) -> Result<(), OutOfRow> {
        let [nothing, men @ ..] = scores;
        for (plane, places) in men.iter_mut().zip(&self.men) {
            copy(row, places, plane)?;
        }
        match self.rule {
            Empty::Column => {
                let mut columns = self.empty.iter();
                copy(row, columns.next().ok_or(OutOfRow)?, nothing)?;
                for places in columns {
                    let mut other = [0.0; 64];
                    copy(row, places, &mut other)?;
                    for (score, other) in nothing.iter_mut().zip(other) {
                        *score = kind.either(*score, other);
                    }
                }
            }
            Empty::Complement => {
                *nothing = [0.0; 64];
                for plane in men {
                    for (most, score) in nothing.iter_mut().zip(plane) {
                        *most = if *score > *most { *score } else { *most };
                    }
                }
                for most in nothing {
                    *most = (1.0 - *most).max(0.0);
                }
            }
            Empty::Constant(score) => *nothing = [score; 64],
        }
        Ok(())
    }
}

#[inline(always)]
fn copy(row: &[f32], places: &[usize; 64], plane: &mut [f32; 64]) -> Result<(), OutOfRow> {
    for (score, &place) in plane.iter_mut().zip(places) {
        *score = *row.get(place).ok_or(OutOfRow)?;
    }
    Ok(())
}
