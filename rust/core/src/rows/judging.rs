//! Problem codes and verdicts.

use crate::isa::{Level, dispatch};
use crate::judgement::{Depth, Pass, judge_position};
use crate::legality;
use crate::parse::placement::{Placement, Task};
use crate::parse::{self, Reading};
use crate::position::{Board, Position};
use crate::problem::Problems;
use crate::profile::Profile;
use crate::row::{MaybePacked, MaybeRow, NotAPosition};

/// Writes the problem codes of each of the packed `rows`, down to `depth`, to `problems`; 0 for a
/// null. Syntax codes belong to texts and do not occur.
///
/// # Errors
/// The first row whose bytes are no position.
pub fn validate_positions(
    level: Level,
    rows: &[MaybePacked<'_>],
    chess960: bool,
    depth: Depth,
    problems: &mut [Problems],
) -> Result<(), NotAPosition> {
    struct Validate<'a, 'b>(&'a [MaybePacked<'b>], bool, Depth, &'a mut [Problems]);
    impl Task for Validate<'_, '_> {
        type Output = Result<(), NotAPosition>;
        #[inline(always)]
        fn run<P: Placement>(self, _: P) -> Self::Output {
            let Self(rows, chess960, depth, problems) = self;
            for (i, (row, out)) in rows.iter().zip(problems).enumerate() {
                *out = 0;
                let Some(bytes) = row else { continue };
                let position = Position::from_bytes(bytes)
                    .map_err(|reason| NotAPosition { row: i, reason })?;
                if depth > Depth::Syntax {
                    let chess960 = legality::is_chess960(&position, chess960);
                    *out = judge_position(&position, &Board::of(&position), chess960, depth);
                }
            }
            Ok(())
        }
    }
    dispatch(level, Validate(rows, chess960, depth, problems))
}

#[cold]
#[inline(never)]
fn is_valid_careful(text: &[u8], pass: Pass) -> bool {
    pass.admits(&parse::careful(text, pass.chess960))
}

#[cold]
#[inline(never)]
fn survey_careful(text: &[u8], pass: Pass) -> (Problems, bool) {
    pass.survey(&parse::careful(text, pass.chess960))
}

/// Writes every problem code of each of `rows` to `problems` and whether it passes to the bits of
/// `valid`, lowest bit first; 0 for a null.
///
/// # Panics
/// If `valid` has fewer bits than there are rows.
pub fn survey(
    level: Level,
    rows: &[MaybeRow<'_>],
    pass: Pass,
    problems: &mut [Problems],
    valid: &mut [u64],
) {
    struct Survey<'a, 'b, const CHESS960: bool>(
        &'a [MaybeRow<'b>],
        Pass,
        &'a mut [Problems],
        &'a mut [u64],
    );
    impl<const CHESS960: bool> Task for Survey<'_, '_, CHESS960> {
        type Output = ();
        #[inline(always)]
        fn run<P: Placement>(self, placement: P) {
            let Self(rows, pass, problems, valid) = self;
            let pass = Pass { chess960: CHESS960, ..pass };
            assert!(valid.len() >= rows.len().div_ceil(64));
            for ((rows, problems), word) in rows.chunks(64).zip(problems.chunks_mut(64)).zip(valid)
            {
                *word = 0;
                for (i, (row, out)) in rows.iter().zip(problems).enumerate() {
                    let (found, passes) = match row {
                        None => (0, false),
                        Some(row) => match parse::fast_epd(placement, *row, pass.chess960) {
                            Some((reading, _)) => pass.survey(&reading),
                            None => survey_careful(row.text(), pass),
                        },
                    };
                    *out = found;
                    *word |= u64::from(passes) << i;
                }
            }
        }
    }
    if pass.chess960 {
        dispatch(level, Survey::<true>(rows, pass, problems, valid));
    } else {
        dispatch(level, Survey::<false>(rows, pass, problems, valid));
    }
}

/// Writes whether each of `rows` passes to the bits of `valid`, lowest bit first; 0 for a null.
///
/// # Panics
/// If `valid` has fewer bits than there are rows.
pub fn is_valid(level: Level, rows: &[MaybeRow<'_>], pass: Pass, valid: &mut [u64]) {
    struct IsValid<'a, 'b, const CHESS960: bool, const DEPTH: u8>(
        &'a [MaybeRow<'b>],
        Pass,
        &'a mut [u64],
    );
    impl<const CHESS960: bool, const DEPTH: u8> Task for IsValid<'_, '_, CHESS960, DEPTH> {
        type Output = ();
        #[inline(always)]
        fn run<P: Placement>(self, placement: P) {
            let Self(rows, pass, valid) = self;
            let pass = Pass { depth: Depth::of(DEPTH), chess960: CHESS960, ..pass };
            assert!(valid.len() >= rows.len().div_ceil(64));
            for (rows, word) in rows.chunks(64).zip(valid) {
                *word = 0;
                for (i, row) in rows.iter().enumerate() {
                    let passes = row.is_some_and(|row| {
                        match parse::fast_epd(placement, row, pass.chess960) {
                            Some((reading, _)) => pass.admits(&reading),
                            None => is_valid_careful(row.text(), pass),
                        }
                    });
                    *word |= u64::from(passes) << i;
                }
            }
        }
    }
    const SYNTAX: u8 = Depth::Syntax as u8;
    const LEGAL: u8 = Depth::Legal as u8;
    // No hint fails a row, so the deepest judgement is that of whether it can be reached.
    const REACHABLE: u8 = Depth::Reachable as u8;
    match (pass.chess960, pass.depth) {
        (false, Depth::Syntax) => dispatch(level, IsValid::<false, SYNTAX>(rows, pass, valid)),
        (false, Depth::Legal) => dispatch(level, IsValid::<false, LEGAL>(rows, pass, valid)),
        (false, Depth::Reachable | Depth::All) => {
            dispatch(level, IsValid::<false, REACHABLE>(rows, pass, valid));
        }
        (true, Depth::Syntax) => dispatch(level, IsValid::<true, SYNTAX>(rows, pass, valid)),
        (true, Depth::Legal) => dispatch(level, IsValid::<true, LEGAL>(rows, pass, valid)),
        (true, Depth::Reachable | Depth::All) => {
            dispatch(level, IsValid::<true, REACHABLE>(rows, pass, valid));
        }
    }
}

/// Writes whether `profile`'s program accepts each of `rows` to the bits of `valid`, lowest bit
/// first; 0 for a null.
///
/// # Panics
/// If `valid` has fewer bits than there are rows.
pub fn accepts(
    level: Level,
    rows: &[MaybeRow<'_>],
    profile: Profile,
    chess960: bool,
    valid: &mut [u64],
) {
    struct Accepts<'a, 'b>(&'a [MaybeRow<'b>], Profile, bool, &'a mut [u64]);
    impl Task for Accepts<'_, '_> {
        type Output = ();
        #[inline(always)]
        fn run<P: Placement>(self, placement: P) {
            let Self(rows, profile, chess960, valid) = self;
            assert!(valid.len() >= rows.len().div_ceil(64));
            for (rows, word) in rows.chunks(64).zip(valid) {
                *word = 0;
                for (i, row) in rows.iter().enumerate() {
                    let accepted =
                        row.is_some_and(|row| match parse::fast(placement, row, chess960) {
                            Some((Reading { position, .. }, _)) => {
                                profile.accepts_position(&position, &Board::of(&position), chess960)
                            }
                            None => accepts_careful(row.text(), profile, chess960),
                        });
                    *word |= u64::from(accepted) << i;
                }
            }
        }
    }
    dispatch(level, Accepts(rows, profile, chess960, valid));
}

#[cold]
#[inline(never)]
fn accepts_careful(text: &[u8], profile: Profile, chess960: bool) -> bool {
    profile.accepts(text, chess960)
}

/// Writes whether `profile`'s program accepts the FEN of each of the packed `rows` to the bits of
/// `valid`, lowest bit first; 0 for a null.
///
/// # Errors
/// The first row whose bytes are no position.
///
/// # Panics
/// If `valid` has fewer bits than there are rows.
pub fn accepts_positions(
    level: Level,
    rows: &[MaybePacked<'_>],
    profile: Profile,
    chess960: bool,
    valid: &mut [u64],
) -> Result<(), NotAPosition> {
    struct Accepts<'a, 'b>(&'a [MaybePacked<'b>], Profile, bool, &'a mut [u64]);
    impl Task for Accepts<'_, '_> {
        type Output = Result<(), NotAPosition>;
        #[inline(always)]
        fn run<P: Placement>(self, _: P) -> Self::Output {
            let Self(rows, profile, chess960, valid) = self;
            assert!(valid.len() >= rows.len().div_ceil(64));
            valid[..rows.len().div_ceil(64)].fill(0);
            for (row, bytes) in rows.iter().enumerate() {
                let Some(bytes) = bytes else { continue };
                let position =
                    Position::from_bytes(bytes).map_err(|reason| NotAPosition { row, reason })?;
                let chess960 = legality::is_chess960(&position, chess960);
                let accepted = profile.accepts_position(&position, &Board::of(&position), chess960);
                valid[row / 64] |= u64::from(accepted) << (row % 64);
            }
            Ok(())
        }
    }
    dispatch(level, Accepts(rows, profile, chess960, valid))
}
