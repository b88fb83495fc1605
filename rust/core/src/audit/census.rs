//! Counts over rows: problems with their first examples, and how the fields are used.

use crate::castling::Files;
use crate::position::{BLACK, Board, COUNTERS_ABSENT, Position, WHITE};
use crate::problem::{self, COUNT, Problems, Severity};
use crate::square;

/// What the worst is about a row that is not null: it cannot be read; it has an illegal code, an
/// unreachable one, a syntax one that is repaired, a suspicious one; or nothing at all.
pub const GRADES: [&str; 6] =
    ["unreadable", "illegal", "unreachable", "repaired", "suspicious", "clean"];

/// The shapes of readable texts: four, five or six fields, or EPD with operations.
pub const FIELDS: [&str; 4] = ["four", "five", "six", "epd_operations"];

/// What the castling fields of readable texts use: `-`, only K Q k q, also the file letters that
/// X-FEN needs for inner rooks, or file letters where K Q k q would do.
pub const CASTLING: [&str; 4] = ["none", "kqkq", "xfen", "shredder"];

/// Where the rights that are given hold: there are none, all in standard chess, all in Chess960
/// only, or some nowhere.
pub const GEOMETRY: [&str; 4] = ["none", "standard", "chess960", "impossible"];

/// Rights that hold, and positions without any.
pub const RIGHTS: [&str; 5] = ["K", "Q", "k", "q", "none"];

/// En passant squares: none given; given and a capture is legal; a pawn stands beside the pushed
/// one but no capture is legal; no pawn stands beside it; no double push can have been made.
pub const EN_PASSANT: [&str; 5] = ["none", "legal", "pseudo_legal", "superfluous", "invalid"];

/// Counters: one or both absent; both there and `0 1`; fullmove number 0; halfmove clock above
/// 100; or none of these.
pub const COUNTERS: [&str; 5] = ["missing", "stub", "fullmove_0", "halfmove_gt_100", "ordinary"];

/// Bytes of an example's text that are kept.
const MOST_BYTES: usize = 400;

/// A row that has a problem.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Example {
    /// The number of its source.
    pub source: usize,
    /// Its number in that source, from 0.
    pub row: usize,
    /// How its text begins.
    pub text: Vec<u8>,
}

/// Counts over rows. Arrays are in the order of the constant of the same name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Census {
    /// The most examples kept of each code.
    most: usize,
    /// All rows.
    pub rows: u64,
    /// Rows that are null.
    pub nulls: u64,
    /// Rows that can be read, if need be with the safe repairs.
    pub readable: u64,
    /// Readable rows without an illegal code.
    pub valid: u64,
    /// Rows that look rotated or mirrored.
    pub turned: u64,
    /// Readable rows that came as text.
    pub texts: u64,
    /// Rows by the first of [`GRADES`] that applies.
    pub grades: [u64; GRADES.len()],
    /// Rows with a code of each severity, in the order of [`Severity::ALL`].
    pub severities: [u64; Severity::ALL.len()],
    /// Rows with each code.
    pub problems: [u64; COUNT],
    /// The first rows with each code.
    pub examples: Vec<Vec<Example>>,
    /// Readable texts by [`FIELDS`].
    pub fields: [u64; FIELDS.len()],
    /// Readable texts by [`CASTLING`].
    pub castling: [u64; CASTLING.len()],
    /// Readable rows by [`GEOMETRY`].
    pub geometry: [u64; GEOMETRY.len()],
    /// Readable rows that have each of [`RIGHTS`].
    pub rights: [u64; RIGHTS.len()],
    /// Readable rows by [`EN_PASSANT`].
    pub en_passant: [u64; EN_PASSANT.len()],
    /// Readable rows by the first of [`COUNTERS`] that applies.
    pub counters: [u64; COUNTERS.len()],
    /// Readable rows with White and with Black to move.
    pub sides: [u64; 2],
    /// Readable rows by the number of men on the board.
    pub men: [u64; 65],
}

impl Census {
    /// Of no rows yet; at most `most` examples of each code will be kept.
    pub fn new(most: usize) -> Self {
        Self {
            most,
            rows: 0,
            nulls: 0,
            readable: 0,
            valid: 0,
            turned: 0,
            texts: 0,
            grades: [0; _],
            severities: [0; _],
            problems: [0; _],
            examples: vec![Vec::new(); COUNT],
            fields: [0; _],
            castling: [0; _],
            geometry: [0; _],
            rights: [0; _],
            en_passant: [0; _],
            counters: [0; _],
            sides: [0; _],
            men: [0; _],
        }
    }

    /// Counts the `problems` of one row that is not null, which may be `readable`.
    #[inline(always)]
    pub(super) fn judged(
        &mut self,
        problems: Problems,
        readable: bool,
        example: impl FnOnce() -> Example,
    ) {
        self.rows += 1;
        self.readable += u64::from(readable);
        self.valid += u64::from(readable & (problems & problem::ILLEGAL == 0));
        if problems == 0 {
            self.grades[5] += 1;
        } else {
            self.faulty(problems, readable, example());
        }
    }

    #[inline(never)]
    fn faulty(&mut self, problems: Problems, readable: bool, example: Example) {
        let worst = [problem::ILLEGAL, problem::UNREACHABLE, problem::SYNTAX, problem::SUSPICIOUS];
        let grade = worst.iter().take_while(|&mask| problems & mask == 0).count();
        self.grades[if readable { 1 + grade } else { 0 }] += 1;
        for (severity, count) in Severity::ALL.iter().zip(&mut self.severities) {
            *count += u64::from(problems & severity.mask() != 0);
        }
        let turned = problem::LOOKS_ROTATED | problem::LOOKS_MIRRORED;
        self.turned += u64::from(problems & turned != 0);
        let mut bits = problems;
        while bits != 0 {
            let code = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            self.problems[code] += 1;
            if self.examples[code].len() < self.most {
                self.examples[code].push(example.clone());
            }
        }
    }

    /// Counts how a readable row with these `problems` uses its fields; `rights` hold.
    #[inline(always)]
    pub(super) fn read(
        &mut self,
        position: &Position,
        board: &Board,
        problems: Problems,
        rights: [Files; 2],
    ) {
        const INVALID: Problems =
            problem::EP_WRONG_RANK | problem::EP_NO_PAWN | problem::EP_OCCUPIED;
        let target = if position.en_passant == square::NONE {
            0
        } else if problems & INVALID != 0 {
            4
        } else if problems & problem::EP_NOT_CAPTURABLE != 0 {
            3
        } else if problems & problem::EP_NOT_LEGAL != 0 {
            2
        } else {
            1
        };
        self.en_passant[target] += 1;
        let counters = if position.flags & COUNTERS_ABSENT != 0 {
            0
        } else if position.fullmove == 0 {
            2
        } else if position.halfmove > 100 {
            3
        } else if position.halfmove == 0 && position.fullmove == 1 {
            1
        } else {
            4
        };
        self.counters[counters] += 1;
        self.sides[position.side_to_move()] += 1;
        self.men[board.occupied().count_ones() as usize] += 1;
        if position.castling == [0; 2] {
            self.geometry[0] += 1;
            self.rights[4] += 1;
        } else {
            self.castling_rights(position, board, rights);
        }
    }

    #[inline(never)]
    fn castling_rights(&mut self, position: &Position, board: &Board, rights: [Files; 2]) {
        let holds =
            |chess960| crate::castling::valid(position, board, chess960) == position.castling;
        let geometry = if holds(false) {
            1
        } else if holds(true) {
            2
        } else {
            3
        };
        self.geometry[geometry] += 1;
        for side in [WHITE, BLACK] {
            let shift = if side == WHITE { 0 } else { 56 };
            let king = (board.kings & board.men[side]) >> shift & 0xff;
            let below = king.wrapping_sub(1) as u8;
            self.rights[2 * side] += u64::from(rights[side] & !below != 0);
            self.rights[2 * side + 1] += u64::from(rights[side] & below != 0);
        }
        self.rights[4] += u64::from(rights == [0; 2]);
    }

    /// Adds the counts of `other`, whose rows are other rows.
    pub fn merge(&mut self, mut other: Self) {
        for (here, there) in self.numbers().into_iter().zip(other.numbers()) {
            here.iter_mut().zip(there).for_each(|(here, there)| *here += *there);
        }
        for (here, there) in self.examples.iter_mut().zip(other.examples) {
            if !there.is_empty() {
                here.extend(there);
                here.sort();
                here.truncate(self.most);
            }
        }
    }

    /// Every number that adds up.
    fn numbers(&mut self) -> [&mut [u64]; 17] {
        use std::slice::from_mut;
        [
            from_mut(&mut self.rows),
            from_mut(&mut self.nulls),
            from_mut(&mut self.readable),
            from_mut(&mut self.valid),
            from_mut(&mut self.turned),
            from_mut(&mut self.texts),
            &mut self.grades,
            &mut self.severities,
            &mut self.problems,
            &mut self.fields,
            &mut self.castling,
            &mut self.geometry,
            &mut self.rights,
            &mut self.en_passant,
            &mut self.counters,
            &mut self.sides,
            &mut self.men,
        ]
    }
}

/// The part of `text` that an example keeps.
pub(super) fn kept(text: &[u8]) -> Vec<u8> {
    text[..text.len().min(MOST_BYTES)].to_vec()
}
