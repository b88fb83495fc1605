//! What the targets share: the row loops as functions, and choices made from bytes.

use std::fmt::Debug;

use fenpack_core::judgement::Pass;
use fenpack_core::problem::Problems;
use fenpack_core::row::MaybeRow;
use fenpack_core::rows::{self, Block, BlockRows, Canonical, Encode, Refusal};
use fenpack_core::{Castling, Counters, Dialect, EnPassant, Level, Position, Profile};

/// Whether rows are read as Chess960.
pub const GAMES: [bool; 2] = [false, true];
/// The ways to spell castling rights.
pub const CASTLING: [Castling; 2] = [Castling::Xfen, Castling::Shredder];
/// What may become of counters.
pub const COUNTERS: [Counters; 3] = [Counters::Keep, Counters::Reset, Counters::Drop];
/// The en passant rules of canonical text.
pub const EN_PASSANT: [EnPassant; 4] =
    [EnPassant::Legal, EnPassant::Xfen, EnPassant::Valid, EnPassant::Drop];

/// A word for every 64 rows.
fn words(rows: &[MaybeRow<'_>]) -> Vec<u64> {
    vec![0; rows.len().div_ceil(64)]
}

fn bit(words: &[u64], row: usize) -> bool {
    words[row / 64] >> (row % 64) & 1 == 1
}

fn bits(words: &[u64], rows: &[MaybeRow<'_>]) -> Vec<bool> {
    (0..rows.len()).map(|row| bit(words, row)).collect()
}

/// The text of each row that has one.
fn texts(text: &[u8], ends: &[usize], known: &[u64]) -> Vec<Option<Vec<u8>>> {
    let starts = [0].into_iter().chain(ends.iter().copied());
    let spans = starts.zip(ends).enumerate();
    spans.map(|(row, (start, &end))| bit(known, row).then(|| text[start..end].to_vec())).collect()
}

/// [`rows::parse`].
pub fn parse(
    level: Level,
    rows: &[MaybeRow<'_>],
    dialect: Dialect,
    chess960: bool,
) -> Vec<Option<Position>> {
    let (mut positions, mut known) = (vec![Position::EMPTY; rows.len()], words(rows));
    let refused = rows::parse(level, rows, dialect, chess960, &mut positions, &mut known);
    let known = bits(&known, rows);
    let nulls = rows.iter().filter(|row| row.is_none()).count();
    assert_eq!(refused + nulls, known.iter().filter(|&&known| !known).count());
    positions.into_iter().zip(known).map(|(position, known)| known.then_some(position)).collect()
}

/// [`rows::is_valid`].
pub fn is_valid(level: Level, rows: &[MaybeRow<'_>], pass: Pass) -> Vec<bool> {
    let mut valid = words(rows);
    rows::is_valid(level, rows, pass, &mut valid);
    bits(&valid, rows)
}

/// [`rows::survey`].
pub fn survey(level: Level, rows: &[MaybeRow<'_>], pass: Pass) -> Vec<(Problems, bool)> {
    let (mut problems, mut valid) = (vec![0; rows.len()], words(rows));
    rows::survey(level, rows, pass, &mut problems, &mut valid);
    problems.into_iter().zip(bits(&valid, rows)).collect()
}

/// [`rows::accepts`].
pub fn accepts(level: Level, rows: &[MaybeRow<'_>], profile: Profile, chess960: bool) -> Vec<bool> {
    let mut valid = words(rows);
    rows::accepts(level, rows, profile, chess960, &mut valid);
    bits(&valid, rows)
}

/// [`rows::canonicalize`].
pub fn canonicalize(
    level: Level,
    rows: &[MaybeRow<'_>],
    choice: Canonical,
) -> Vec<Option<Vec<u8>>> {
    let (mut text, mut ends, mut known) = (Vec::new(), Vec::new(), words(rows));
    rows::canonicalize(level, rows, choice, &mut text, &mut ends, &mut known);
    texts(&text, &ends, &known)
}

/// [`rows::repair`].
pub fn repair(
    level: Level,
    rows: &[MaybeRow<'_>],
    chess960: bool,
) -> Vec<Option<(Vec<u8>, Problems)>> {
    let (mut text, mut ends, mut known) = (Vec::new(), Vec::new(), words(rows));
    let mut repairs = vec![0; rows.len()];
    rows::repair(level, rows, chess960, &mut text, &mut ends, &mut repairs, &mut known);
    let texts = texts(&text, &ends, &known).into_iter();
    texts.zip(repairs).map(|(text, repairs)| Some((text?, repairs))).collect()
}

/// Bytes that choices are made from; they go on with zeros.
pub struct Bytes<'a>(pub &'a [u8]);

impl Bytes<'_> {
    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        let [byte] = self.array();
        byte
    }

    /// The next bytes.
    pub fn array<const N: usize>(&mut self) -> [u8; N] {
        let (next, rest) = self.0.split_at(N.min(self.0.len()));
        self.0 = rest;
        let mut array = [0; N];
        array[..next.len()].copy_from_slice(next);
        array
    }

    /// One of `choices`.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[usize::from(self.byte()) % choices.len()]
    }

    /// Yes or no.
    pub fn toss(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    /// Any float: NaN, infinite and subnormal ones too.
    pub fn float(&mut self) -> f32 {
        f32::from_le_bytes(self.array())
    }

    /// Any float that is finite and not negative.
    pub fn size(&mut self) -> f32 {
        Some(self.float().abs()).filter(|size| size.is_finite()).unwrap_or(1.0)
    }

    /// The next position and whether its bytes were one; what no position can hold is taken off.
    pub fn position(&mut self) -> (Position, bool) {
        let bytes = self.array();
        if let Ok(position) = Position::from_bytes(&bytes) {
            assert_eq!(position.to_bytes(), bytes);
            return (position, true);
        }
        let word = |i: usize| u64::from_le_bytes(std::array::from_fn(|byte| bytes[8 * i + byte]));
        let sevens = word(0) & word(1) & word(2);
        let code = [word(0) & !sevens, word(1), word(2)];
        let position = Position {
            code,
            black: word(3) & (code[0] | code[1] | code[2]),
            flags: bytes[32] & 7,
            en_passant: bytes[33] % 65,
            castling: [bytes[34], bytes[35]],
            halfmove: u16::from_le_bytes([bytes[36], bytes[37]]),
            fullmove: u16::from_le_bytes([bytes[38], bytes[39]]),
        };
        assert_eq!(Position::from_bytes(&position.to_bytes()), Ok(position));
        (position, false)
    }
}

/// The numbers of `position` after `earlier` ones and why they are refused: what every instruction
/// set says, which must be one answer.
pub fn encode<E: Encode<Cell: PartialEq + Debug>>(
    encoder: &E,
    position: &Position,
    earlier: &[Position],
) -> (Vec<E::Cell>, Option<Refusal>) {
    let packed = position.to_bytes();
    let rows = [Some(&packed)];
    let steps: Vec<_> = earlier.iter().map(Position::to_bytes).collect();
    let steps: Vec<_> = steps.iter().map(|packed| vec![Some(packed)]).collect();
    let block = Block { rows: BlockRows::Packed(&rows), earlier: &steps, chess960: false };
    let mut answers = Level::available().into_iter().map(|level| {
        let (mut out, mut refused) = (vec![E::BLANK; encoder.width()], None);
        rows::encode(level, block, encoder, &mut out, |_, refusal| refused = Some(refusal));
        (out, refused)
    });
    let first = answers.next().expect("the portable one");
    answers.for_each(|answer| assert_eq!(answer, first));
    first
}
