//! What another class on a square would cost: min-marginals.

use super::flow::Flow;
use super::rules::{CLASS, KINDS};

/// How sure each square of a board is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margins {
    /// The log score that the best allowed board with another class on the square has less.
    pub margin: [f32; 64],
    /// The class that the square has there; its own where no other is allowed.
    pub runner_up: [u8; 64],
}

impl Margins {
    /// The margins of the best board of `flow`.
    ///
    /// Another kind on a square costs what the square loses and what it costs to send the unit on
    /// to the old kind, which lacks one: exact for each square alone.
    pub(super) fn of(flow: &Flow) -> Self {
        let distance = flow.distances();
        let mut margins = Self { margin: [f32::INFINITY; 64], runner_up: flow.classes() };
        for square in 0..64 {
            let own = flow.kind(square);
            let mut least = f64::INFINITY;
            for kind in (0..KINDS).filter(|&kind| kind != own) {
                let price = flow.loss(square, kind) + distance[kind][own];
                if price < least {
                    least = price;
                    margins.runner_up[square] = CLASS[kind];
                }
            }
            margins.margin[square] = least.max(0.0) as f32;
        }
        margins
    }

    /// The gap to the second-best board.
    pub fn least(&self) -> f32 {
        self.margin.iter().fold(f32::INFINITY, |least, &margin| least.min(margin))
    }

    /// The squares with less than `threshold`.
    pub fn below(&self, threshold: f32) -> u64 {
        let unsure = |(square, &margin): (usize, &f32)| u64::from(margin < threshold) << square;
        self.margin.iter().enumerate().map(unsure).sum()
    }
}
