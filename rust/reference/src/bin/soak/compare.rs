//! What fenpack says of many texts, against what it should say.

use fenpack_core::Level;
use fenpack_core::problem::{self as codes, Problems};
use fenpack_core::rows::Canonical;
use fenpack_reference::board::Colour;
use fenpack_reference::status::{IMPOSSIBLE_CHECK, Status, status};
use fenpack_reference::write::{EnPassant, epd};
use fenpack_reference::{Rules, Setup, castling, en_passant};

use crate::answers::{Answers, bit, plainly};
use crate::expected;
use crate::tally::Tally;

/// python-chess refuses these, which fenpack repairs.
const ONLY_FENPACK_READS: Problems = codes::ADJACENT_DIGITS
    | codes::CASTLING_ORDER
    | codes::CASTLING_DUPLICATE
    | codes::BAD_TURN
    | codes::WHITESPACE
    | codes::EPD_OPERATIONS;

/// python-chess reads these, which are not FEN.
const ONLY_PYTHON_CHESS_READS: Problems = codes::BAD_HALFMOVE
    | codes::BAD_FULLMOVE
    | codes::COUNTER_OVERFLOW
    | codes::VARIANT_SYNTAX
    | codes::NON_ASCII
    | codes::FIELD_COUNT;

/// Compares every row of `texts` on one instruction set and adds what is found to `tally`.
pub(crate) fn compare(
    texts: &[Vec<u8>],
    level: Level,
    chess960: bool,
    choices: &[Canonical],
    tally: &mut Tally,
) {
    let answers = Answers::of(level, texts, chess960, choices);
    tally.count_level(level, texts.len());
    for (row, text) in texts.iter().enumerate() {
        for wrong in compare_row(&answers, row, text, chess960, choices, tally) {
            tally.report(text, chess960, level, wrong);
        }
    }
}

/// What is wrong with what was said of one row.
pub(crate) fn compare_row(
    answers: &Answers,
    row: usize,
    text: &[u8],
    chess960: bool,
    choices: &[Canonical],
    tally: &mut Tally,
) -> Vec<String> {
    let mut wrong = Vec::new();
    let (problems, legal) = (answers.problems[row], bit(&answers.legal, row));
    let ours = answers.texts[0].get(row).is_some();
    let theirs = Setup::read(text).map(|setup| Judged::of(setup, chess960));
    tally.count_row(theirs.is_some(), ours, problems);
    if theirs.is_some() != ours {
        let reasons = if ours { ONLY_FENPACK_READS } else { ONLY_PYTHON_CHESS_READS };
        if problems & reasons == 0 {
            wrong.push(format!("fenpack reads it: {ours}; {}", names(problems)));
        }
    }
    let accepted = theirs.as_ref().is_some_and(|judged| judged.by_python_chess == 0);
    tally.accepted += u64::from(accepted);
    if bit(&answers.accepted, row) != accepted {
        wrong.push(format!("the profile says {}", !accepted));
    }
    if !ours {
        if legal {
            wrong.push("legal, but not readable".to_owned());
        }
        return wrong;
    }
    // What only fenpack reads is compared as it writes it plainly.
    let judged = theirs.or_else(|| {
        let plain = plainly(text, chess960)?;
        Setup::read(&plain).map(|setup| Judged::of(setup, chess960))
    });
    let Some(judged) = judged else {
        // Three rights of a side stay three.
        if problems & codes::CASTLING_DUPLICATE == 0 {
            wrong.push("python-chess does not read it plainly written".to_owned());
        }
        return wrong;
    };
    judged.count(chess960, tally);
    let wanted = expected::problems(&judged.setup, judged.by_fenpack, chess960);
    let differ = (problems ^ wanted) & expected::COMPARED;
    if differ != 0 {
        let (found, wanted) = (names(problems & differ), names(wanted & differ));
        wrong.push(format!("fenpack says {found}, not {wanted}"));
    }
    if legal != (wanted & codes::ILLEGAL == 0) {
        wrong.push(format!("fenpack calls it legal: {legal}"));
    }
    for (texts, &choice) in answers.texts.iter().zip(choices) {
        let wanted = expected::text(&judged.setup, chess960, choice);
        let found = texts.get(row);
        if found != Some(wanted.as_bytes()) {
            let found = found.map(String::from_utf8_lossy);
            wrong.push(format!("text {found:?}, not {wanted:?}"));
        }
    }
    wrong
}

/// What is said of a setup by python-chess's rules and by fenpack's.
struct Judged {
    setup: Setup,
    by_fenpack: Status,
    by_python_chess: Status,
    /// The stated differences that may matter.
    differences: Vec<(&'static str, Rules)>,
}

impl Judged {
    fn of(setup: Setup, chess960: bool) -> Judged {
        let by_fenpack = status(&setup, Rules::FENPACK, chess960);
        let mut differences = Rules::DIFFERENCES.to_vec();
        differences.retain(|&(_, other)| may_differ(&setup, other, by_fenpack));
        let by_python_chess = if differences.is_empty() {
            by_fenpack
        } else {
            status(&setup, Rules::PYTHON_CHESS, chess960)
        };
        Judged { setup, by_fenpack, by_python_chess, differences }
    }

    /// Counts the differences that do matter, and the en passant square.
    fn count(&self, chess960: bool, tally: &mut Tally) {
        let setup = &self.setup;
        let text = |rules| epd(setup, rules, chess960, EnPassant::Legal, false);
        for &(name, other) in &self.differences {
            if status(setup, other, chess960) != self.by_fenpack
                || text(other) != text(Rules::FENPACK)
            {
                tally.differ(name);
            }
        }
        if setup.en_passant.is_some() {
            let valid = en_passant::valid(setup).is_some();
            let capturable = !en_passant::captures(setup).is_empty();
            tally.count_square(valid, capturable, en_passant::is_legal(setup, Rules::FENPACK));
        }
    }
}

/// A cheap first look, which never misses a difference; `flags` are those by fenpack's rules.
fn may_differ(setup: &Setup, rules: Rules, flags: Status) -> bool {
    let named = |rules| castling::named(&setup.castling, &setup.board, rules);
    let queenside = setup.castling.contains(['Q', 'q']);
    let several = |&colour| setup.board.kings(colour).count() > 1;
    (!rules.only_king && Colour::BOTH.iter().any(several))
        || (!rules.lone_queenside && queenside && named(rules) != named(Rules::FENPACK))
        || (!rules.two_steppers && flags & IMPOSSIBLE_CHECK != 0)
}

fn names(problems: Problems) -> String {
    let names: Vec<&str> = codes::TABLE
        .iter()
        .filter(|entry| problems & entry.bit != 0)
        .map(|entry| entry.name)
        .collect();
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}
