//! What the numbers of a recognizer mean, and whether they can.

use super::{Allowed, CLASSES, Scores};

/// What a recognizer's numbers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Probabilities that sum to 1 on each square.
    Probs,
    /// Log probabilities but for a constant on each square.
    Logits,
    /// Log probabilities.
    LogProbs,
    /// One independent probability for each class.
    Sigmoid,
    /// Values without a scale, the more the likelier; below 0 as good as 0.
    Regression,
}

/// What became of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Status {
    /// It has a position.
    Fine,
    /// It is null.
    Null,
    /// A score is NaN, or infinite where it must not be.
    NotFinite,
    /// A score is beyond what its kind can be.
    OutOfRange,
    /// The probabilities of a square do not sum to 1.
    NotNormalised,
    /// The scores of every square sum to 1 within 0 to 1: probabilities, not logits.
    Probabilities,
    /// No board is allowed.
    Infeasible,
    /// It is no placement.
    Unreadable,
    /// An id names no class.
    BadId,
    /// Its corners or its homography show no board.
    BadCorners,
}

impl Status {
    /// The names of all in the order of their values.
    pub const NAMES: [&'static str; 10] = [
        "fine",
        "null",
        "not_finite",
        "out_of_range",
        "not_normalised",
        "probabilities",
        "infeasible",
        "unreadable",
        "bad_id",
        "bad_corners",
    ];
}

/// Why a row has no position, and the first square where that shows, in LERF order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub status: Status,
    /// Where, if it is on one square.
    pub square: Option<u8>,
}

/// How far the sum of a square may be from 1, and a score beyond its range; half precision needs
/// as much.
const SLACK: f32 = 1e-2;

/// The log of the least share that the likeliest of the classes can have.
const UNIFORM: f32 = -2.564_949_4;

impl Kind {
    /// The score of one of two things that exclude each other.
    #[inline(always)]
    pub(super) fn either(self, one: f32, other: f32) -> f32 {
        match self {
            Self::Probs | Self::Regression => one + other,
            Self::Sigmoid => (one + other).min(1.0),
            Self::Logits | Self::LogProbs => {
                let (most, least) = if one > other { (one, other) } else { (other, one) };
                if least == f32::NEG_INFINITY { most } else { most + (least - most).exp().ln_1p() }
            }
        }
    }

    /// Whether the scores are logs already.
    #[inline(always)]
    pub(super) const fn is_log(self) -> bool {
        matches!(self, Self::Logits | Self::LogProbs)
    }

    /// Checks the scores of one board; `complete` if its columns are all there are.
    #[inline(always)]
    pub(super) fn check(self, scores: &Scores, complete: bool) -> Result<(), Fault> {
        let mut sums = [0.0_f32; 64];
        let mut least = [f32::INFINITY; 64];
        let mut most = [f32::NEG_INFINITY; 64];
        for plane in scores {
            for s in 0..64 {
                sums[s] += plane[s];
                least[s] = if plane[s] < least[s] { plane[s] } else { least[s] };
                most[s] = if plane[s] > most[s] { plane[s] } else { most[s] };
            }
        }
        let every = |holds: &dyn Fn(usize) -> bool, status| match (0..64).find(|&s| !holds(s)) {
            None => Ok(()),
            Some(s) => Err(Fault { status, square: Some(s as u8) }),
        };
        let mut unusual = false;
        match self {
            Self::Probs | Self::Sigmoid => {
                // Other columns may hold the rest of 1, but none may hold more.
                let floor = if complete { 1.0 - SLACK } else { -1.0 };
                let ceiling = 1.0 + SLACK;
                let shares = self == Self::Probs;
                for s in 0..64 {
                    unusual |= !(least[s] >= -SLACK && most[s] <= ceiling);
                    unusual |= !sums[s].is_finite();
                    unusual |= shares & !(sums[s] >= floor && sums[s] <= ceiling);
                }
                if unusual {
                    every(&|s| scores.iter().all(|plane| plane[s].is_finite()), Status::NotFinite)?;
                    every(&|s| least[s] >= -SLACK && most[s] <= ceiling, Status::OutOfRange)?;
                    let near = |s: usize| !shares || (sums[s] >= floor && sums[s] <= ceiling);
                    every(&near, Status::NotNormalised)?;
                }
            }
            Self::Regression => {
                for sum in sums {
                    unusual |= !sum.is_finite();
                }
                if unusual {
                    every(&|s| scores.iter().all(|plane| plane[s].is_finite()), Status::NotFinite)?;
                }
            }
            Self::Logits | Self::LogProbs => {
                // The sum is NaN or infinite where a score is, or where the scores are enormous.
                let mut shares = complete;
                for s in 0..64 {
                    unusual |= !sums[s].is_finite();
                    shares &= (least[s] >= 0.0) & ((sums[s] - 1.0).abs() <= SLACK);
                }
                if unusual {
                    let usable = |s: usize| scores.iter().all(|plane| plane[s] < f32::INFINITY);
                    every(&usable, Status::NotFinite)?;
                }
                if shares {
                    return Err(Fault { status: Status::Probabilities, square: None });
                }
                if self == Self::LogProbs {
                    every(&|s| most[s] <= SLACK, Status::OutOfRange)?;
                    // Where every class is ruled out there is no board, which is said later.
                    let likely = |s: usize| {
                        !complete || most[s] >= UNIFORM - SLACK || most[s] == f32::NEG_INFINITY
                    };
                    every(&likely, Status::NotNormalised)?;
                }
            }
        }
        Ok(())
    }

    /// Makes scores comparable with a floor of `eps`: shares of each square where they are no logs.
    #[inline(always)]
    pub(super) fn settle(self, scores: &mut Scores, eps: f32) {
        if self.is_log() {
            return;
        }
        if self == Self::Regression {
            let mut sums = [0.0_f32; 64];
            for plane in scores.iter_mut() {
                for s in 0..64 {
                    plane[s] = plane[s].max(0.0);
                    sums[s] += plane[s];
                }
            }
            for plane in scores.iter_mut() {
                for s in 0..64 {
                    plane[s] /= if sums[s] > 0.0 { sums[s] } else { 1.0 };
                }
            }
        }
        for plane in scores.iter_mut() {
            for score in plane {
                *score = score.max(eps);
            }
        }
    }

    /// Makes settled scores logs, divided by `temperature`, plus `prior`.
    #[inline(always)]
    pub(super) fn logs(self, scores: &mut Scores, temperature: f32, prior: Option<&Scores>) {
        if !self.is_log() {
            for plane in scores.iter_mut() {
                for score in plane {
                    *score = score.ln();
                }
            }
        }
        if temperature != 1.0 {
            for plane in scores.iter_mut() {
                for score in plane {
                    // What is not forbidden must not become so.
                    let finite = (*score / temperature).clamp(f32::MIN, f32::MAX);
                    *score = if *score == f32::NEG_INFINITY { *score } else { finite };
                }
            }
        }
        if let Some(prior) = prior {
            for (plane, prior) in scores.iter_mut().zip(prior) {
                for (score, prior) in plane.iter_mut().zip(prior) {
                    let finite = (*score + prior).clamp(f32::MIN, f32::MAX);
                    *score = if *score == f32::NEG_INFINITY { *score } else { finite };
                }
            }
        }
    }

    /// The settled scores as probabilities that sum to 1 on each square.
    pub(super) fn probabilities(self, settled: &Scores, temperature: f32) -> Scores {
        let mut shares = *settled;
        self.logs(&mut shares, temperature, None);
        for s in 0..64 {
            let most = shares.iter().fold(f32::NEG_INFINITY, |most, plane| most.max(plane[s]));
            let mut sum = 0.0;
            for plane in &mut shares {
                plane[s] = if most > f32::NEG_INFINITY { (plane[s] - most).exp() } else { 1.0 };
                sum += plane[s];
            }
            for plane in &mut shares {
                plane[s] /= sum;
            }
        }
        shares
    }
}

/// The class with the highest score on each square, the first of several.
#[inline(always)]
pub(super) fn argmax(scores: &Scores) -> [u8; 64] {
    let mut best = scores[0];
    let mut class = [0_u32; 64];
    for (c, plane) in (1..).zip(&scores[1..]) {
        for s in 0..64 {
            let better = plane[s] > best[s];
            best[s] = if better { plane[s] } else { best[s] };
            class[s] = if better { c } else { class[s] };
        }
    }
    class.map(|class| class as u8)
}

/// Whether every square may have the class it has.
pub(super) fn all_allowed(classes: &[u8; 64], allowed: &Allowed) -> bool {
    classes.iter().zip(allowed).all(|(&class, &allowed)| allowed >> class & 1 == 1)
}

const _: () = assert!(CLASSES <= u16::BITS as usize);
