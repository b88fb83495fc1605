//! The row loops of an audit.

use std::ops::Range;

use super::census::{Census, Example, kept};
use super::hashes::{self, of_text};
use super::ladder::{self, SETS};
use crate::canonical::EnPassant;
use crate::identity::rights;
use crate::isa::{Level, dispatch};
use crate::judgement::{Depth, judge, judge_position};
use crate::legality::is_chess960;
use crate::parse::placement::{Placement, Task};
use crate::parse::{self, Dialect, Fields, Known, Reading};
use crate::position::{Board, COUNTERS_ABSENT, Position};
use crate::problem::{
    EP_NO_PAWN, EP_NOT_CAPTURABLE, EP_NOT_LEGAL, EP_OCCUPIED, EP_WRONG_RANK, EPD_OPERATIONS,
    FIELD_COUNT, Problems,
};
use crate::row::{MaybePacked, MaybeRow, NotAPosition};
use crate::square;
use crate::write::{Castling, Counters, write};

/// The number of a source and of a row in it, from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Start {
    /// The source.
    pub source: usize,
    /// The row.
    pub row: usize,
}

/// What one stretch of rows adds: counts, and the hashes of the readable rows on each rung.
#[derive(Clone, Debug)]
pub struct Part {
    /// The counts.
    pub census: Census,
    /// The hashes for each set of a [`super::Ladder`].
    pub hashes: [Vec<u64>; SETS],
}

impl Part {
    /// Of no rows yet; at most `most` examples of each code will be kept.
    pub fn new(most: usize) -> Self {
        Self { census: Census::new(most), hashes: Default::default() }
    }

    /// Gives the counts away and forgets the hashes, but keeps their room.
    pub fn reset(&mut self, most: usize) -> Census {
        self.hashes.iter_mut().for_each(Vec::clear);
        std::mem::replace(&mut self.census, Census::new(most))
    }

    /// Counts one position; `board` is its board.
    #[inline(always)]
    fn position(&mut self, position: &Position, board: &Board, problems: Problems, chess960: bool) {
        let rights = rights(position, board, chess960);
        self.census.read(position, board, problems, rights);
        let doubtful = EP_WRONG_RANK | EP_NO_PAWN | EP_OCCUPIED | EP_NOT_CAPTURABLE | EP_NOT_LEGAL;
        debug_assert_eq!(
            EnPassant::Legal.of(position, board) == square::NONE,
            position.en_passant == square::NONE || problems & doubtful != 0
        );
        let target = if problems & doubtful == 0 { position.en_passant } else { square::NONE };
        let board = hashes::of_board(position);
        let held = hashes::with_state(board, position, rights, square::NONE);
        if target == square::NONE {
            self.hashes[ladder::UNTARGETED].push(held);
        } else {
            let whole = hashes::with_state(board, position, rights, target);
            self.hashes[ladder::TARGETED].push(whole);
            self.hashes[ladder::WITHOUT_TARGET].push(held);
        }
        self.hashes[ladder::WHITE_TO_MOVE + position.side_to_move()].push(board);
    }

    #[inline(always)]
    fn text(&mut self, text: &[u8], fields: Range<usize>, shape: usize, castling: usize) {
        self.census.texts += 1;
        self.census.fields[shape] += 1;
        self.census.castling[castling] += 1;
        let hashes = of_text(text, fields.start, fields.end);
        for (set, hash) in self.hashes[ladder::TEXT..].iter_mut().zip(hashes) {
            set.push(hash);
        }
    }

    /// Counts a clean text, with counters or without.
    #[inline(always)]
    fn clean(&mut self, text: &[u8], reading: &Reading, chess960: bool, start: Start) {
        let problems = judge(reading, chess960, Depth::All);
        self.census.judged(problems, true, || example(text, start));
        let position = &reading.position;
        let (shape, counters) = match position.flags & COUNTERS_ABSENT {
            0 => (2, 2 + digits(position.halfmove) + digits(position.fullmove)),
            _ => (0, 0),
        };
        let castling = usize::from(position.castling != [0; 2]);
        self.text(text, 0..text.len() - counters, shape, castling);
        self.position(position, &Board::of(position), problems, chess960);
    }

    /// Counts any other text.
    #[cold]
    #[inline(never)]
    fn careful(&mut self, text: &[u8], chess960: bool, start: Start) {
        let mut fields = Fields::default();
        let reading = parse::explain(text, Dialect::Lenient, chess960, &mut fields);
        let problems = judge(&reading, chess960, Depth::All);
        let readable = reading.known == Known::Position;
        self.census.judged(problems, readable, || example(text, start));
        if !readable {
            return;
        }
        let shape = match (problems & EPD_OPERATIONS != 0, problems & FIELD_COUNT != 0) {
            (true, _) => 3,
            (_, false) => 2,
            (_, true) => usize::from(fields.count == 5),
        };
        let letters = &text[fields.castling];
        let castling = if letters == b"-" {
            0
        } else if letters.iter().all(|letter| b"KQkq".contains(letter)) {
            1
        } else if problems & crate::problem::CASTLING_SHREDDER == 0 {
            2
        } else {
            3
        };
        self.text(text, fields.start..fields.end, shape, castling);
        let position = &reading.position;
        self.position(position, &Board::of(position), problems, chess960);
    }
}

fn example(text: &[u8], start: Start) -> Example {
    Example { source: start.source, row: start.row, text: kept(text) }
}

/// The decimal digits of a number of at most four.
#[inline(always)]
fn digits(value: u16) -> usize {
    1 + usize::from(value >= 10) + usize::from(value >= 100) + usize::from(value >= 1000)
}

/// Adds the texts `rows`, of which the first is `start`, to `part`.
pub fn take_texts(
    level: Level,
    rows: &[MaybeRow<'_>],
    chess960: bool,
    start: Start,
    part: &mut Part,
) {
    struct Take<'a, 'b, const CHESS960: bool>(&'a [MaybeRow<'b>], Start, &'a mut Part);
    impl<const CHESS960: bool> Task for Take<'_, '_, CHESS960> {
        type Output = ();
        #[inline(always)]
        fn run<P: Placement>(self, placement: P) {
            let Self(rows, Start { source, row }, part) = self;
            for (i, text) in rows.iter().enumerate() {
                let start = Start { source, row: row + i };
                match text {
                    None => {
                        part.census.rows += 1;
                        part.census.nulls += 1;
                    }
                    Some(text) => match parse::fast_epd(placement, *text, CHESS960) {
                        Some((reading, _)) => part.clean(text.text(), &reading, CHESS960, start),
                        None => part.careful(text.text(), CHESS960, start),
                    },
                }
            }
        }
    }
    if chess960 {
        dispatch(level, Take::<true>(rows, start, part));
    } else {
        dispatch(level, Take::<false>(rows, start, part));
    }
}

/// Adds the packed positions `rows`, of which the first is `start`, to `part`.
///
/// # Errors
/// The first row whose bytes are no position.
pub fn take_positions(
    rows: &[MaybePacked<'_>],
    chess960: bool,
    start: Start,
    part: &mut Part,
) -> Result<(), NotAPosition> {
    for (i, row) in rows.iter().enumerate() {
        let Some(bytes) = row else {
            part.census.rows += 1;
            part.census.nulls += 1;
            continue;
        };
        let position =
            Position::from_bytes(bytes).map_err(|reason| NotAPosition { row: i, reason })?;
        let board = Board::of(&position);
        let problems =
            judge_position(&position, &board, is_chess960(&position, chess960), Depth::All);
        part.census.judged(problems, true, || {
            let mut text = Vec::new();
            write(&position, Castling::Xfen, Counters::Keep, &mut text);
            example(&text, Start { source: start.source, row: start.row + i })
        });
        part.position(&position, &board, problems, chess960);
    }
    Ok(())
}
