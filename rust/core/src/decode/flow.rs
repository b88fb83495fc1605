//! The best board under the rules as a min-cost flow between kinds of men.
//!
//! Every square sends one unit to a kind, every kind its units to the sink: the native ones at no
//! cost, promoted ones through their side's pool at the penalty each, pawns through the pool at
//! none; a pool holds eight. The matrix of such a problem is totally unimodular, so the flow of
//! least cost is a board. Squares are eliminated: moving a man from kind *a* to kind *b* costs what
//! the cheapest square of *a* loses. The argmax breaks the rules by some units; each is sent away
//! along a shortest path of the 18 nodes, which keeps the flow the best for what it holds.

use super::rules::{ANY, CLASS, Constraints, KINDS, PAWN_COUNT, kind, side};
use super::{Allowed, Scores};
use crate::bitboard::squares;
use crate::position::{BLACK, WHITE};

/// Kinds, the pools of White and Black, the sink.
pub(super) const NODES: usize = KINDS + 3;
const POOL: [usize; 2] = [KINDS, KINDS + 1];
const SINK: usize = KINDS + 2;
/// No node: where a path begins.
const START: u64 = NODES as u64;

const FAR: f64 = f64::INFINITY;

/// Costs from a node to each.
pub(super) type Costs = [f64; NODES];

/// A board with the room to change it.
#[derive(Clone)]
pub(super) struct Flow {
    constraints: Constraints,
    /// The log score of each square and kind, with one column to spare.
    gain: [[f64; KINDS + 1]; 64],
    /// The kind of each square.
    kinds: [u8; 64],
    /// The squares of each kind.
    members: [u64; KINDS],
    /// What it costs to move a unit from node to node.
    cost: [Costs; NODES],
    /// The square whose man moves.
    mover: [[u8; KINDS + 1]; KINDS],
    native: [u8; KINDS],
    pooled: [u8; KINDS],
    pool: [u8; 2],
    /// Units that come to a node and do not leave it; negative where too few come.
    excess: [i8; NODES],
    /// Differences below this are rounding.
    tolerance: f64,
}

/// Shortest paths to every node.
struct Paths {
    cost: Costs,
    /// The node before each.
    before: [u64; NODES],
}

impl Paths {
    /// A node of the cycle that the path to `end` runs into, if there is one. Where scores span so
    /// much that some are within the tolerance of others, a path that seemed the shortest was not
    /// quite, and leaves a cycle of negative cost behind.
    fn cycle(&self, end: usize) -> Option<usize> {
        let mut node = end;
        for _ in 0..NODES {
            match self.before[node] {
                START => return None,
                before => node = before as usize,
            }
        }
        Some(node)
    }
}

impl Flow {
    /// The best board under the rules with the classes that are `allowed`, if there is any; of
    /// classes whose logs are the same, that of the `argmax`, which was taken before rounding.
    pub(super) fn best(
        logs: &Scores,
        argmax: &[u8; 64],
        allowed: &Allowed,
        constraints: Constraints,
    ) -> Option<Self> {
        let mut flow = Self {
            constraints,
            gain: [[-FAR; KINDS + 1]; 64],
            kinds: [0; 64],
            members: [0; KINDS],
            cost: [[FAR; NODES]; NODES],
            mover: [[0; KINDS + 1]; KINDS],
            native: [0; KINDS],
            pooled: [0; KINDS],
            pool: [0; 2],
            excess: [0; NODES],
            tolerance: 0.0,
        };
        flow.place(logs, argmax, allowed)?;
        flow.settle();
        for from in 0..KINDS {
            flow.measure(from);
        }
        flow.link();
        while flow.excess.iter().any(|&units| units > 0) {
            flow.send()?;
        }
        Some(flow)
    }

    /// Puts the best kind on each square.
    fn place(&mut self, logs: &Scores, argmax: &[u8; 64], allowed: &Allowed) -> Option<()> {
        let mut spread = 1.0_f64;
        for square in 0..64 {
            let row = &mut self.gain[square];
            let (mut best, mut most, mut least) = (KINDS, -FAR, FAR);
            for (class, plane) in (0_u8..).zip(logs) {
                let gain = f64::from(plane[square]);
                if allowed[square] >> class & 1 == 0 || gain == -FAR {
                    continue;
                }
                let kind = kind(class, square);
                row[kind] = gain;
                least = if gain < least { gain } else { least };
                if gain > most || (gain == most && class == argmax[square]) {
                    (best, most) = (kind, gain);
                }
            }
            if best == KINDS {
                return None;
            }
            spread = spread.max(most - least);
            self.kinds[square] = best as u8;
            self.members[best] |= 1 << square;
        }
        // A promoted man that costs more than all squares can gain is the last resort already; a
        // larger penalty would only swallow the scores that are added to it.
        let penalty = self.constraints.penalty;
        if penalty.is_finite() {
            self.constraints.penalty = penalty.min(2.0 * 64.0 * spread);
            spread += self.constraints.penalty;
        }
        self.tolerance = spread * 1e-12;
        Some(())
    }

    /// Sends what the kinds hold on as far as it costs nothing.
    fn settle(&mut self) {
        let mut arrived = 0;
        for kind in 0..KINDS {
            let count = self.members[kind].count_ones() as u8;
            let native = self.constraints.native(kind);
            let exact = self.constraints.is_exact(kind);
            self.native[kind] = if exact { 1 } else { count.min(native) };
            arrived += self.native[kind] as i8;
            self.excess[kind] = count as i8 - self.native[kind] as i8;
        }
        for kind in 0..KINDS {
            let Some(side) = side(kind).filter(|_| self.constraints.toll(kind) == Some(0.0)) else {
                continue;
            };
            let pooled = (self.excess[kind] as u8).min(PAWN_COUNT - self.pool[side]);
            self.pooled[kind] = pooled;
            self.pool[side] += pooled;
            self.excess[kind] -= pooled as i8;
            arrived += pooled as i8;
        }
        self.excess[SINK] = arrived - 64;
    }

    /// Measures what it costs to move a man from `from` to each other kind.
    #[inline(always)]
    fn measure(&mut self, from: usize) {
        let mut cost = [FAR; KINDS + 1];
        let mut mover = [0_u64; KINDS + 1];
        for square in squares(self.members[from]) {
            let row = &self.gain[square as usize];
            let have = row[from];
            for to in 0..KINDS + 1 {
                let loss = have - row[to];
                let less = loss < cost[to];
                cost[to] = if less { loss } else { cost[to] };
                mover[to] = if less { u64::from(square) } else { mover[to] };
            }
        }
        cost[from] = FAR;
        self.cost[from][..KINDS].copy_from_slice(&cost[..KINDS]);
        self.mover[from] = mover.map(|square| square as u8);
    }

    /// Opens the ways between kinds, pools and sink that have room.
    fn link(&mut self) {
        let open = |open: bool, cost: f64| if open { cost } else { FAR };
        for kind in 0..KINDS {
            let exact = self.constraints.is_exact(kind);
            let native = self.native[kind];
            let room = native < self.constraints.native(kind);
            self.cost[kind][SINK] = open(!exact && room, 0.0);
            self.cost[SINK][kind] = open(!exact && native > 0, 0.0);
            if let (Some(side), Some(toll)) = (side(kind), self.constraints.toll(kind)) {
                self.cost[kind][POOL[side]] = toll;
                self.cost[POOL[side]][kind] = open(self.pooled[kind] > 0, -toll);
            }
        }
        for side in [WHITE, BLACK] {
            self.cost[POOL[side]][SINK] = open(self.pool[side] < PAWN_COUNT, 0.0);
            self.cost[SINK][POOL[side]] = open(self.pool[side] > 0, 0.0);
        }
    }

    /// Sends one unit from where there are too many to the nearest node that has too few.
    fn send(&mut self) -> Option<()> {
        let start = self.excess.map(|units| if units > 0 { 0.0 } else { FAR });
        let paths = self.shortest(start);
        let mut end = None;
        for node in 0..NODES {
            let nearer = end.is_none_or(|end: usize| paths.cost[node] < paths.cost[end]);
            if self.excess[node] < 0 && paths.cost[node] < FAR && nearer {
                end = Some(node);
            }
        }
        let end = end?;
        if let Some(node) = paths.cycle(end) {
            self.turn(&paths, node);
            return Some(());
        }
        let first = self.shift(&paths, end, 0)?;
        self.excess[first] -= 1;
        self.excess[end] += 1;
        Some(())
    }

    /// The shortest paths from `start`, the cost of getting to each node from outside.
    #[inline(always)]
    fn shortest(&self, start: Costs) -> Paths {
        let mut cost = start;
        let mut before = [START; NODES];
        let mut changed = start.map(|cost| cost < FAR);
        // Without a cycle of negative cost no path is longer than there are nodes.
        for _ in 0..NODES {
            let last = cost;
            for from in (0..NODES).filter(|&node| changed[node]) {
                let so_far = cost[from];
                let step = &self.cost[from];
                for to in 0..NODES {
                    let sum = so_far + step[to];
                    let less = sum < cost[to] - self.tolerance;
                    cost[to] = if less { sum } else { cost[to] };
                    before[to] = if less { from as u64 } else { before[to] };
                }
            }
            for node in 0..NODES {
                changed[node] = cost[node] != last[node];
            }
            if changed == [false; NODES] {
                break;
            }
        }
        Paths { cost, before }
    }

    /// Moves a unit along the path to `end` and returns where that began; `touched` kinds have
    /// changed already.
    fn shift(&mut self, paths: &Paths, end: usize, mut touched: u32) -> Option<usize> {
        let mut to = end;
        for _ in 0..=NODES {
            let from = paths.before[to];
            if from == START {
                self.changed(touched);
                return Some(to);
            }
            let from = from as usize;
            touched |= self.step(from, to);
            to = from;
        }
        None
    }

    /// Moves a unit around the cycle that `node` is on, which makes the flow better.
    fn turn(&mut self, paths: &Paths, node: usize) {
        let (mut to, mut touched) = (node, 0);
        for _ in 0..NODES {
            let from = paths.before[to] as usize;
            touched |= self.step(from, to);
            to = from;
            if to == node {
                break;
            }
        }
        self.changed(touched);
    }

    /// Measures the ways from `touched` kinds anew.
    fn changed(&mut self, touched: u32) {
        for kind in 0..KINDS {
            if touched >> kind & 1 == 1 {
                self.measure(kind);
            }
        }
        self.link();
    }

    /// Moves a unit from node to node and returns the kinds whose men that changes.
    fn step(&mut self, from: usize, to: usize) -> u32 {
        if from < KINDS && to < KINDS {
            let square = self.mover[from][to];
            self.members[from] &= !(1 << square);
            self.members[to] |= 1 << square;
            self.kinds[square as usize] = to as u8;
            return 1 << from | 1 << to;
        }
        match (from, to) {
            (kind, SINK) if kind < KINDS => self.native[kind] += 1,
            (SINK, kind) if kind < KINDS => self.native[kind] -= 1,
            (pool, SINK) => self.pool[pool - KINDS] += 1,
            (SINK, pool) => self.pool[pool - KINDS] -= 1,
            (kind, _) if kind < KINDS => self.pooled[kind] += 1,
            (_, kind) => self.pooled[kind] -= 1,
        }
        0
    }

    /// Takes its kind from `square` for good and returns what that costs, if a board is left.
    pub(super) fn forbid(&mut self, square: usize) -> Option<f64> {
        let kind = self.kinds[square] as usize;
        let have = self.gain[square][kind];
        self.gain[square][kind] = -FAR;
        self.members[kind] &= !(1 << square);
        self.measure(kind);
        let mut start = [FAR; NODES];
        for (cost, gain) in start.iter_mut().zip(&self.gain[square][..KINDS]) {
            *cost = have - gain;
        }
        let mut paths = self.shortest(start);
        while let Some(node) = paths.cycle(kind) {
            self.turn(&paths, node);
            paths = self.shortest(start);
        }
        let lost = paths.cost[kind];
        if lost == FAR {
            return None;
        }
        // The man that comes to its new kind there must not be moved on by the same path.
        let first = self.shift(&paths, kind, 1 << kind)?;
        self.members[first] |= 1 << square;
        self.kinds[square] = first as u8;
        self.measure(first);
        Some(lost)
    }

    /// Keeps the kind of `square` for good.
    pub(super) fn keep(&mut self, square: usize) {
        let kind = self.kinds[square] as usize;
        let have = self.gain[square][kind];
        self.gain[square] = [-FAR; KINDS + 1];
        self.gain[square][kind] = have;
        self.measure(kind);
    }

    /// The class of each square.
    pub(super) fn classes(&self) -> [u8; 64] {
        self.kinds.map(|kind| CLASS[kind as usize])
    }

    /// The kind of `square`.
    pub(super) fn kind(&self, square: usize) -> usize {
        self.kinds[square] as usize
    }

    /// What `square` loses by becoming `kind`, all else as it is.
    pub(super) fn loss(&self, square: usize, kind: usize) -> f64 {
        self.gain[square][self.kind(square)] - self.gain[square][kind]
    }

    /// What it costs at the least to move one unit from each node to each other.
    pub(super) fn distances(&self) -> [Costs; NODES] {
        let mut cost = self.cost;
        for (node, row) in cost.iter_mut().enumerate() {
            row[node] = 0.0;
        }
        for via in 0..NODES {
            let onward = cost[via];
            for row in &mut cost {
                let so_far = row[via];
                if so_far < FAR {
                    for (cost, onward) in row.iter_mut().zip(&onward) {
                        let sum = so_far + onward;
                        *cost = if sum < *cost { sum } else { *cost };
                    }
                }
            }
        }
        cost
    }
}

const _: () = assert!(ANY == 64);
