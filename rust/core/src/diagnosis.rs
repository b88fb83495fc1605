//! Every problem of one text with its field, its bytes and its squares.

use std::ops::Range;

use crate::judgement::{Depth, judge};
use crate::parse::{self, Dialect, Field, Finding, Sink};
use crate::position::{Board, Position};
use crate::problem::{self, COUNT, Entry, Problems, Severity, entries};
use crate::write::{Castling, Counters, write};
use crate::{legality, reachability, repair, suspicion};

/// A hopeless text repeats itself; each code is shown this often at most.
const MOST_OF_A_CODE: usize = 8;

/// One problem and where it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The code, the field, and the bytes of the text.
    pub finding: Finding,
    /// The squares of the board that show it.
    pub squares: u64,
}

/// All that is wrong with one text.
#[derive(Clone, Debug)]
pub struct Diagnosis {
    /// All codes, as [`crate::rows::survey`] gives them.
    pub problems: Problems,
    /// Where each of them shows, in the order of the text.
    pub places: Vec<Place>,
    /// Whether the text can be read.
    pub readable: bool,
    /// The text with the safe [`repair`]s, if they change anything.
    pub repaired: Option<Vec<u8>>,
}

/// Collects findings and where the fields are.
struct Collector {
    places: Vec<Place>,
    fields: Vec<(Field, Range<usize>)>,
    shown: [usize; COUNT],
}

impl Sink for Collector {
    fn field(&mut self, field: Field, span: Range<usize>) {
        self.fields.push((field, span));
    }

    fn note(&mut self, finding: Finding) {
        let shown = &mut self.shown[finding.problem.trailing_zeros() as usize % COUNT];
        if *shown < MOST_OF_A_CODE {
            *shown += 1;
            self.places.push(Place { finding, squares: 0 });
        }
    }
}

/// Diagnoses `text`.
pub fn diagnose(text: &[u8], dialect: Dialect, chess960: bool) -> Diagnosis {
    let mut collector = Collector { places: Vec::new(), fields: Vec::new(), shown: [0; COUNT] };
    let reading = parse::explain(text, dialect, chess960, &mut collector);
    let Collector { mut places, fields, .. } = collector;
    let problems = judge(&reading, chess960, Depth::All);
    let board = Board::of(&reading.position);
    for entry in entries(problems & !reading.problems) {
        let squares = shown(entry, &reading.position, &board, chess960);
        let field = field_of(entry.bit);
        let span = fields
            .iter()
            .find(|(name, _)| *name == field)
            .map_or(0..text.len(), |(_, span)| span.clone());
        let count = squares.count_ones() as usize;
        let finding = Finding { problem: entry.bit, field, span, rank: None, count };
        places.push(Place { finding, squares });
    }
    places.sort_by_key(|place| (place.finding.span.start, place.finding.problem));
    let repaired = reading.position().map(|position| {
        let mut repaired = Vec::new();
        let position = repair::repaired(position, chess960);
        write(&position, Castling::Xfen, Counters::Keep, &mut repaired);
        repaired
    });
    Diagnosis {
        problems,
        places,
        readable: repaired.is_some(),
        repaired: repaired.filter(|repaired| repaired != text),
    }
}

/// The squares that show the code `entry` of a position.
fn shown(entry: &Entry, position: &Position, board: &Board, chess960: bool) -> u64 {
    let problem = entry.bit;
    match entry.severity {
        Severity::Unreachable => reachability::evidence(problem, position, board, chess960),
        Severity::Suspicious => {
            suspicion::evidence(problem, position, board)
                | legality::evidence(problem, position, board, chess960)
        }
        Severity::Syntax | Severity::Illegal => {
            legality::evidence(problem, position, board, chess960)
        }
    }
}

/// The field that a code of the position is about.
const fn field_of(problem: Problems) -> Field {
    match problem {
        problem::CASTLING_IMPOSSIBLE | problem::CASTLING_NEEDS_960 => Field::Castling,
        problem::EP_WRONG_RANK
        | problem::EP_NO_PAWN
        | problem::EP_OCCUPIED
        | problem::EP_NOT_CAPTURABLE
        | problem::EP_NOT_LEGAL
        | problem::EP_PUSH_IMPOSSIBLE => Field::EnPassant,
        problem::START_WRONG_TURN => Field::Turn,
        problem::EP_CLOCK_NONZERO
        | problem::CLOCK_EXCEEDS_GAME
        | problem::HALFMOVE_GT_100
        | problem::HALFMOVE_GT_150
        | problem::CLOCK_CONTRADICTS_CHECK => Field::Halfmove,
        problem::FULLMOVE_GT_9999 | problem::CAPTURES_EXCEED_GAME => Field::Fullmove,
        _ => Field::Placement,
    }
}
