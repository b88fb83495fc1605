//! One row of scores to one position.

use super::board::{self, Fault as KingFault, Flags, flag};
use super::flow::Flow;
use super::layout::Layout;
use super::margins::Margins;
use super::orientation::{Turning, likelihood, uprightness};
use super::rules::{Constraints, Rules};
use super::scores::{Fault, Kind, Status, all_allowed, argmax};
use super::{Allowed, CLASSES, Scores, search};
use crate::castling;
use crate::isa::{Level, dispatch};
use crate::parse::placement::{Placement, Task};
use crate::position::{BLACK, BLACK_TO_MOVE, Board, Position, WHITE};

/// The castling rights that a position gets, as far as they hold on its board.
pub type Castling = [castling::Files; 2];

/// What is known of a row beside its scores.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given<'a> {
    /// The side to move.
    pub turn: Option<usize>,
    /// The castling rights.
    pub castling: Castling,
    /// The classes that each square may have.
    pub allowed: Option<&'a Allowed>,
}

/// Why a side is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It was given.
    Given,
    /// Its king is in check.
    Check,
}

/// A decoded row.
#[derive(Clone, Copy, Debug)]
pub struct Decoded {
    /// The best board that the rules allow.
    pub position: Position,
    /// The best of each square, in the same orientation.
    pub argmax: Position,
    /// The squares that differ.
    pub changed: u64,
    /// What is worth knowing.
    pub flags: Flags,
    /// How the picture was turned.
    pub turning: Turning,
    /// The score of this orientation over the best other one that was asked about, or over the
    /// board turned by 180 degrees.
    pub orientation_score: f32,
    /// The side to move, if it is known, and why.
    pub turn: Option<(usize, Reason)>,
}

/// The settings of a decoding.
#[derive(Clone, Debug)]
pub struct Decoder {
    kind: Kind,
    /// One way to read a row for each orientation that is possible, the first in doubt.
    ways: Vec<(Turning, Layout)>,
    temperature: f32,
    eps: f32,
    constraints: Constraints,
    prior: Option<Box<Scores>>,
    usual: Box<Scores>,
    min_score: f32,
}

impl Decoder {
    /// A decoder of rows of `kind` in `layout`, in the first of `turnings` unless another is clearly
    /// better. `usual` has the log share of each class on each square in games.
    ///
    /// # Panics
    /// If there are no `turnings`.
    pub fn new(
        kind: Kind,
        layout: &Layout,
        turnings: &[Turning],
        constraints: Constraints,
        usual: Box<Scores>,
    ) -> Self {
        assert!(!turnings.is_empty());
        Self {
            kind,
            ways: turnings.iter().map(|&turning| (turning, layout.turned(turning))).collect(),
            temperature: 1.0,
            eps: 1e-6,
            constraints,
            prior: None,
            usual,
            min_score: 0.0,
        }
    }

    /// Divides log scores by `temperature`, with the floor `eps` under probabilities.
    pub fn scaled(self, temperature: f32, eps: f32) -> Self {
        Self { temperature, eps, ..self }
    }

    /// Adds `weight` times the log share in games to each log score.
    pub fn with_prior(self, shares: &Scores, weight: f32) -> Self {
        let prior =
            shares.map(|plane| plane.map(|share| (weight * share).clamp(f32::MIN, f32::MAX)));
        Self { prior: Some(Box::new(prior)), ..self }
    }

    /// Takes another orientation than the first only for a score of `min_score` or more.
    pub fn with_min_score(self, min_score: f32) -> Self {
        Self { min_score, ..self }
    }

    /// The least length of a row.
    pub fn span(&self) -> usize {
        self.ways[0].1.span()
    }

    /// Decodes rows of `numbers`, the first at `start` and each `stride` after the last, with the
    /// margins of their squares if there is room for them. A row of which nothing is `given` is
    /// null.
    ///
    /// # Panics
    /// If there is room for the margins of fewer rows than there are `results`.
    pub fn decode_rows<'a>(
        &self,
        level: Level,
        numbers: &[f32],
        stride: usize,
        given: impl Fn(usize) -> Option<Given<'a>>,
        results: &mut [Result<Decoded, Fault>],
        margins: Option<&mut [Margins]>,
    ) {
        dispatch(level, Rows { decoder: self, numbers, stride, given, results, margins });
    }

    /// Decodes one row, with the margins of its squares if there is room for them.
    ///
    /// # Errors
    /// Why there is no position.
    #[inline(always)]
    fn decode(
        &self,
        row: &[f32],
        given: Given<'_>,
        margins: Option<&mut Margins>,
    ) -> Result<Decoded, Fault> {
        let mut scores = [[0.0; 64]; CLASSES];
        let mut way = &self.ways[0];
        self.read(row, &way.1, &mut scores)?;
        let mut flags = 0;
        let mut orientation_score = None;
        if self.ways.len() > 1 {
            let (best, score, sure) = self.orientation(&scores);
            way = best;
            orientation_score = Some(score);
            if !sure {
                flags |= flag::ORIENTATION_UNSURE;
            }
            if way.0 != self.ways[0].0 {
                self.read(row, &way.1, &mut scores)?;
            }
        }
        let seen = argmax(&scores);
        let seen_position = board::position(&seen);
        let mut best = seen;
        if let Some(prior) = self.prior.as_deref() {
            self.kind.logs(&mut scores, self.temperature, Some(prior));
            best = argmax(&scores);
        }
        let mut position = if best == seen { seen_position } else { board::position(&best) };
        let mut board = Board::of(&position);
        let mut attackers = board::attackers(&board);
        let (shown, mut promoted) = board::argmax_flags(&board, attackers);
        flags |= if best == seen {
            shown
        } else {
            let board = Board::of(&seen_position);
            board::argmax_flags(&board, board::attackers(&board)).0
        };
        let clean = match self.constraints.rules {
            Rules::Legal => shown == 0 && (!promoted || self.constraints.penalty == 0.0),
            Rules::Kings => shown & KINGS_AND_PAWNS == 0,
            Rules::None => true,
        };
        let possible = given.allowed.is_none_or(|allowed| all_allowed(&best, allowed))
            && (!self.kind.is_log() || is_possible(&scores, &best));
        let mut classes = best;
        if !clean || !possible || margins.is_some() {
            let more;
            (classes, more) = self.solve(&mut scores, &best, given.allowed, margins)?;
            flags |= more;
            if classes != best {
                position = board::position(&classes);
                board = Board::of(&position);
                attackers = board::attackers(&board);
                promoted = board::has_promoted(&board);
            }
        }
        let score = orientation_score.unwrap_or_else(|| uprightness(&classes, &self.usual));
        if self.ways.len() == 1 && self.min_score > 0.0 && score <= -self.min_score {
            flags |= flag::LOOKS_TURNED;
        }
        if promoted {
            flags |= flag::PROMOTED;
        }
        let (turn, contradicted) = turn(given.turn, attackers);
        flags |= contradicted;
        if turn.is_some_and(|(turn, _)| turn == BLACK) {
            position.flags |= BLACK_TO_MOVE;
        }
        position.castling = given.castling;
        position.castling = castling::valid(&position, &board, false);
        Ok(Decoded {
            position,
            argmax: seen_position,
            changed: difference(&classes, &seen),
            flags,
            turning: way.0,
            orientation_score: score,
            turn,
        })
    }

    /// Reads the scores of `row`, checked and settled.
    #[inline(always)]
    fn read(&self, row: &[f32], layout: &Layout, scores: &mut Scores) -> Result<(), Fault> {
        let short = Fault { status: Status::NotFinite, square: None };
        layout.load(row, self.kind, scores).map_err(|_| short)?;
        self.kind.check(scores, layout.is_complete())?;
        self.kind.settle(scores, self.eps);
        Ok(())
    }

    /// The orientation to take, its score over the best other one, and whether it is sure.
    ///
    /// The first orientation stays unless another is better than all by the least score; then its
    /// own score, which may be negative, says so.
    #[cold]
    #[inline(never)]
    fn orientation(&self, settled: &Scores) -> (&(Turning, Layout), f32, bool) {
        let shares = self.kind.probabilities(settled, self.temperature);
        let first = self.ways[0].0;
        let scores: Vec<f32> = self
            .ways
            .iter()
            .map(|&(turning, _)| {
                // The scores were read as the first orientation has them.
                let onward = (turning as u8 + 4 - first as u8) % 4;
                let turning = Turning::by(u16::from(onward) * 90).unwrap_or(Turning::Upright);
                likelihood(&shares, turning, &self.usual)
            })
            .collect();
        let over = |way: usize| {
            let others = scores.iter().enumerate().filter(|&(other, _)| other != way);
            scores[way] - others.fold(f32::NEG_INFINITY, |most, (_, &score)| most.max(score))
        };
        let best =
            (0..scores.len()).max_by(|&a, &b| scores[a].total_cmp(&scores[b]).then(b.cmp(&a)));
        match best {
            Some(best) if over(best) >= self.min_score => (&self.ways[best], over(best), true),
            _ => (&self.ways[0], over(0), false),
        }
    }

    /// The best board under the rules; where classes tie, with that of the `argmax`.
    #[cold]
    #[inline(never)]
    fn solve(
        &self,
        scores: &mut Scores,
        argmax: &[u8; 64],
        allowed: Option<&Allowed>,
        margins: Option<&mut Margins>,
    ) -> Result<([u8; 64], Flags), Fault> {
        if self.prior.is_none() {
            self.kind.logs(scores, self.temperature, None);
        }
        let mut permitted = *self.constraints.allowed();
        if let Some(allowed) = allowed {
            for (permitted, allowed) in permitted.iter_mut().zip(allowed) {
                *permitted &= allowed;
            }
        }
        let infeasible = Fault { status: Status::Infeasible, square: None };
        let best = Flow::best(scores, argmax, &permitted, self.constraints).ok_or(infeasible)?;
        let mut flags = 0;
        let mut kept = (0, f64::INFINITY);
        let flow = if self.constraints.rules == Rules::Legal {
            let found = search::passing(best);
            flags = match found.fault {
                Some(KingFault::KingsAdjacent) => flag::KINGS_ADJACENT,
                Some(KingFault::BothInCheck) => flag::BOTH_IN_CHECK,
                None if found.refused > 0 => flag::NEXT_BEST,
                None => 0,
            };
            kept = found.kept;
            found.flow
        } else {
            best
        };
        if let Some(margins) = margins {
            *margins = Margins::of(&flow);
            for square in crate::bitboard::squares(kept.0) {
                let margin = &mut margins.margin[square as usize];
                *margin = margin.min(kept.1 as f32);
            }
        }
        Ok((flow.classes(), flags))
    }
}

/// The side to move as it is given or as a check tells, and the flag of a given one that cannot be.
fn turn(given: Option<usize>, attackers: [u64; 2]) -> (Option<(usize, Reason)>, Flags) {
    if let Some(turn) = given {
        let flags = if attackers[turn] != 0 { flag::TURN_CONTRADICTED } else { 0 };
        return (Some((turn, Reason::Given)), flags);
    }
    let checked = match attackers {
        [0, 0] => None,
        [_, 0] => Some(BLACK),
        [0, _] => Some(WHITE),
        _ => None,
    };
    (checked.map(|turn| (turn, Reason::Check)), 0)
}

struct Rows<'b, F> {
    decoder: &'b Decoder,
    numbers: &'b [f32],
    stride: usize,
    given: F,
    results: &'b mut [Result<Decoded, Fault>],
    margins: Option<&'b mut [Margins]>,
}

impl<'a, F: Fn(usize) -> Option<Given<'a>>> Task for Rows<'_, F> {
    type Output = ();
    #[inline(always)]
    fn run<P: Placement>(self, _: P) {
        let Self { decoder, numbers, stride, given, results, mut margins } = self;
        for (row, result) in results.iter_mut().enumerate() {
            let numbers = numbers.get(row * stride..).unwrap_or_default();
            let margins = margins.as_mut().map(|margins| &mut margins[row]);
            *result = match given(row) {
                Some(given) => decoder.decode(numbers, given, margins),
                None => Err(Fault { status: Status::Null, square: None }),
            };
        }
    }
}

/// The flags of an argmax that kings and pawns alone rule out.
const KINGS_AND_PAWNS: Flags = flag::ARGMAX_NO_WHITE_KING
    | flag::ARGMAX_EXTRA_WHITE_KING
    | flag::ARGMAX_NO_BLACK_KING
    | flag::ARGMAX_EXTRA_BLACK_KING
    | flag::ARGMAX_PAWN_ON_BACK_RANK;

/// Whether no square has a class that its scores rule out.
fn is_possible(scores: &Scores, classes: &[u8; 64]) -> bool {
    (0..64).all(|square| scores[classes[square] as usize][square] > f32::NEG_INFINITY)
}

/// The squares on which two boards differ.
#[inline(always)]
fn difference(one: &[u8; 64], other: &[u8; 64]) -> u64 {
    let differs = |square: usize| u64::from(one[square] != other[square]) << square;
    (0..64).fold(0, |set, square| set | differs(square))
}
