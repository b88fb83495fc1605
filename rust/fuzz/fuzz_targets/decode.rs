//! Whatever the scores, a board that keeps to the rules and beats every simple one, or a refusal.
#![no_main]

use fenpack_core::attacks::attackers;
use fenpack_core::bitboard::{BACK_RANKS, DARK};
use fenpack_core::decode::{
    Allowed, CLASSES, Constraints, Decoded, Decoder, Empty, Fault, Given, Kind, Layout, Margins,
    Rules, Scores, Status, Turning, flag, position,
};
use fenpack_core::position::{BLACK, WHITE};
use fenpack_core::{Board, Level, Position};
use fenpack_fuzz::Bytes;
use libfuzzer_sys::fuzz_target;

const ROW: usize = 64 * CLASSES;
const KINDS: [Kind; 5] =
    [Kind::Logits, Kind::LogProbs, Kind::Probs, Kind::Sigmoid, Kind::Regression];
const NULL: Result<Decoded, Fault> = Err(Fault { status: Status::Null, square: None });

/// The options of a decoder, and a row of scores in the order of squares and classes.
struct Case {
    kind: Kind,
    constraints: Constraints,
    empty: Empty,
    others: bool,
    turnings: Vec<Turning>,
    temperature: f32,
    eps: f32,
    prior: Option<(Box<Scores>, f32)>,
    min_score: f32,
    turn: Option<usize>,
    castling: [u8; 2],
    allowed: Option<Allowed>,
    row: Vec<f32>,
}

impl Case {
    /// Options first, then a palette of floats, then half a byte for each score; these begin again
    /// when they run out.
    fn of(data: &[u8]) -> Self {
        let bytes = &mut Bytes(data);
        let kind = bytes.pick(&KINDS);
        let rules = bytes.pick(&[Rules::Legal, Rules::Kings, Rules::None]);
        let any: [f32; 5] = std::array::from_fn(|_| bytes.size());
        let penalties = [4.0, 0.0, 1.5, f64::INFINITY, any[0].into(), f64::from(any[0]) * 1e270];
        let penalty = bytes.pick(&penalties);
        let empty = bytes.pick(&[Empty::Column, Empty::Complement, Empty::Constant(any[1])]);
        let others = bytes.toss();
        let first = bytes.pick(&[0, 90, 180, 270]);
        let turnings = (0..=bytes.byte() % 4)
            .filter_map(|quarter| Turning::by((first + 90 * u16::from(quarter)) % 360))
            .collect();
        let temperature = bytes.pick(&[1.0, any[2].clamp(1e-3, 1e6)]);
        let eps = bytes.pick(&[1e-6, any[3].clamp(1e-40, 0.499)]);
        let prior = bytes.toss().then(|| {
            let shares = std::array::from_fn(|_| {
                [Some(bytes.float()).filter(|share| share.is_finite()).unwrap_or(0.0); 64]
            });
            (Box::new(shares), bytes.pick(&[0.25, 0.0, 1e6]))
        });
        let min_score = bytes.pick(&[0.0, any[4]]);
        let turn = bytes.pick(&[None, Some(WHITE), Some(BLACK)]);
        let castling = bytes.array();
        let allowed = bytes.toss().then(|| {
            // Classes are forbidden by ranks.
            let forbidden: [[u8; 2]; 8] = std::array::from_fn(|_| bytes.array());
            std::array::from_fn(|square| !u16::from_le_bytes(forbidden[square / 8]) & 0x1fff)
        });
        let palette: [f32; 16] = std::array::from_fn(|_| bytes.float());
        let scale = bytes.toss();
        let entries = if bytes.0.is_empty() { &[0] } else { bytes.0 };
        let row = (0..ROW)
            .map(|i| entries[i / 2 % entries.len()] >> (4 * (i % 2)) & 15)
            .map(|entry| palette[usize::from(entry)])
            .collect();
        let mut case = Self {
            kind,
            constraints: Constraints { rules, penalty },
            empty,
            others,
            turnings,
            temperature,
            eps,
            prior,
            min_score,
            turn,
            castling,
            allowed,
            row,
        };
        if scale {
            case.scale();
        }
        case
    }

    /// Makes the scores of each square what they claim to be, as far as that goes.
    fn scale(&mut self) {
        for square in self.row.chunks_exact_mut(CLASSES) {
            let shares = square.iter().map(|score| score.abs()).sum::<f32>();
            for score in square {
                *score = match self.kind {
                    Kind::Logits | Kind::Regression => *score,
                    Kind::LogProbs => (score.abs() / shares).ln(),
                    Kind::Probs | Kind::Sigmoid => score.abs() / shares,
                };
            }
        }
    }

    fn decoder(&self) -> Decoder {
        let plane = |class: usize| std::array::from_fn(|square| square * CLASSES + class);
        let columns = if self.empty == Empty::Column { vec![plane(0)] } else { vec![] };
        let layout = Layout::new(std::array::from_fn(|man| plane(man + 1)), columns, self.empty);
        let layout = if self.others { layout.with_others() } else { layout };
        // White's men are usual below, Black's above.
        let usual = std::array::from_fn(|class| {
            std::array::from_fn(|square| {
                let away = if class > 6 { 7 - square / 8 } else { square / 8 };
                if class == 0 { 0.0 } else { -(away as f32) }
            })
        });
        let decoder =
            Decoder::new(self.kind, &layout, &self.turnings, self.constraints, Box::new(usual))
                .scaled(self.temperature, self.eps)
                .with_min_score(self.min_score);
        match &self.prior {
            Some((shares, weight)) => decoder.with_prior(shares, *weight),
            None => decoder,
        }
    }

    /// The log scores, if the row holds them as they count.
    fn logs(&self) -> Option<Vec<f64>> {
        let plain = matches!(self.kind, Kind::Logits | Kind::LogProbs)
            && self.empty == Empty::Column
            && self.turnings == [Turning::Upright]
            && self.prior.is_none();
        let log = |&score: &f32| {
            let scaled = (score / self.temperature).clamp(f32::MIN, f32::MAX);
            f64::from(if score == f32::NEG_INFINITY { score } else { scaled })
        };
        plain.then(|| self.row.iter().map(log).collect())
    }

    /// The answer with margins, which every instruction set gives, and also without margins.
    fn answer(&self) -> (Result<Decoded, Fault>, Margins) {
        let decoder = self.decoder();
        let given = |_| {
            let Self { turn, castling, allowed, .. } = self;
            Some(Given { turn: *turn, castling: *castling, allowed: allowed.as_ref() })
        };
        let mut answers = Level::available().into_iter().map(|level| {
            let (mut result, mut alone) = ([NULL], [NULL]);
            let mut margins = [Margins { margin: [0.0; 64], runner_up: [0; 64] }];
            decoder.decode_rows(level, &self.row, ROW, given, &mut result, Some(&mut margins));
            decoder.decode_rows(level, &self.row, ROW, given, &mut alone, None);
            assert_eq!(result.map(brief), alone.map(brief));
            (result[0], margins[0])
        });
        let first = answers.next().expect("the portable one");
        answers.for_each(|answer| assert_eq!(brief(answer.0), brief(first.0)));
        first
    }
}

fn brief(result: Result<Decoded, Fault>) -> Result<(Position, Position, u64, u32), Fault> {
    result.map(|row| (row.position, row.argmax, row.changed, row.flags))
}

fuzz_target!(|data: &[u8]| {
    let case = Case::of(data);
    let (result, margins) = case.answer();
    match result {
        Ok(decoded) => {
            keeps_to_the_rules(&case, &decoded);
            assert!(margins.margin.iter().all(|&margin| margin >= 0.0));
            assert!(margins.runner_up.iter().all(|&class| usize::from(class) < CLASSES));
        }
        Err(fault) => assert!(!matches!(fault.status, Status::Fine | Status::Null)),
    }
    beats_simple_boards(&case, result);
});

fn classes(position: &Position) -> [u8; 64] {
    std::array::from_fn(|square| {
        let letter = position.letter(square as u8);
        letter.map_or(0, |letter| {
            let class = b"PNBRQKpnbrqk".iter().position(|&known| known == letter);
            class.expect("a man's letter") as u8 + 1
        })
    })
}

/// How many men of `side` must be promoted, where its kings and pawns keep to the `rules`.
fn promoted(board: &Board, side: usize, rules: Rules) -> Option<u32> {
    let count = |men: u64| (men & board.men[side]).count_ones();
    let beyond = |men: u64, native: u32| count(men).saturating_sub(native);
    if rules == Rules::None {
        return Some(0);
    }
    if count(board.kings) != 1 || count(board.pawns & BACK_RANKS) != 0 {
        return None;
    }
    if rules == Rules::Kings {
        return Some(0);
    }
    let promoted = beyond(board.knights, 2)
        + beyond(board.bishops & DARK, 1)
        + beyond(board.bishops & !DARK, 1)
        + beyond(board.rooks, 2)
        + beyond(board.queens, 1);
    (count(board.pawns) + promoted <= 8).then_some(promoted)
}

/// Whether the kings are apart and at most one of them is attacked, if the `rules` ask for it.
fn kings_are_fine(board: &Board, rules: Rules) -> bool {
    if rules != Rules::Legal {
        return true;
    }
    let [white, black] = [WHITE, BLACK].map(|side| {
        let king = (board.kings & board.men[side]).trailing_zeros() as u8;
        attackers(board, board.occupied(), king, side ^ 1)
    });
    (white | black) & board.kings == 0 && (white == 0 || black == 0)
}

fn keeps_to_the_rules(case: &Case, decoded: &Decoded) {
    let Decoded { position: found, flags, .. } = *decoded;
    assert_eq!(Position::from_bytes(&found.to_bytes()), Ok(found));
    assert!(flags >> flag::NAMES.len() == 0);
    let (board, rules) = (Board::of(&found), case.constraints.rules);
    let promoted = [WHITE, BLACK].map(|side| promoted(&board, side, rules).expect("by the rules"));
    assert!(promoted == [0, 0] || case.constraints.penalty < f64::INFINITY);
    let wrong = flags & (flag::KINGS_ADJACENT | flag::BOTH_IN_CHECK) != 0;
    assert_eq!(kings_are_fine(&board, rules), !wrong);
    let differs = |square: usize| classes(&found)[square] != classes(&decoded.argmax)[square];
    assert!((0..64).all(|square| differs(square) == (decoded.changed >> square & 1 == 1)));
    if let Some(allowed) = &case.allowed {
        let may = |(class, allowed): (u8, &u16)| allowed >> class & 1 == 1;
        assert!(classes(&found).into_iter().zip(allowed).all(may));
    }
}

/// Where the scores are logs, no board that is easy to think of may be better.
fn beats_simple_boards(case: &Case, result: Result<Decoded, Fault>) {
    let Some(logs) = case.logs() else { return };
    if result.is_err_and(|fault| fault.status != Status::Infeasible) {
        return;
    }
    let Constraints { rules, penalty } = case.constraints;
    let worth = |classes: &[u8; 64]| {
        let board = Board::of(&position(classes));
        let [white, black] = [WHITE, BLACK].map(|side| promoted(&board, side, rules));
        let promoted = f64::from(white? + black?);
        let mut sum = if promoted > 0.0 { -promoted * penalty } else { 0.0 };
        for (square, &class) in classes.iter().enumerate() {
            let forbidden = |allowed: &Allowed| allowed[square] >> class & 1 == 0;
            if case.allowed.as_ref().is_some_and(forbidden) {
                return None;
            }
            sum += logs[square * CLASSES + usize::from(class)];
        }
        (sum > f64::NEG_INFINITY).then_some((sum, kings_are_fine(&board, rules)))
    };
    let finite = logs.iter().chain([&penalty]).filter(|number| number.is_finite());
    let slack = 1e-8 * finite.fold(1.0, |most: f64, number| most.max(number.abs()));
    let found = result.map(|row| worth(&classes(&row.position)).expect("an allowed board"));
    for simple in simple_boards(&case.row) {
        let Some((sum, is_fine)) = worth(&simple) else { continue };
        match found {
            // Once the search for kings that are fine gives up, the best board of all is given.
            Ok((found, found_fine)) => {
                assert!(found >= sum - slack || (found_fine && !is_fine), "{found} < {sum}");
            }
            Err(fault) => panic!("{fault:?}, but there is a board of {sum}"),
        }
    }
}

/// The argmax, the start array, and bare kings wherever they are likeliest.
fn simple_boards(row: &[f32]) -> Vec<[u8; 64]> {
    let score = |square: usize, class: usize| row[square * CLASSES + class];
    let argmax = std::array::from_fn(|square| {
        let better = |best: usize, class: usize| {
            if score(square, class) > score(square, best) { class } else { best }
        };
        (1..CLASSES).fold(0, better) as u8
    });
    let mut start = [0; 64];
    for (file, man) in [4, 2, 3, 5, 6, 3, 2, 4].into_iter().enumerate() {
        start[file] = man;
        start[8 + file] = 1;
        start[48 + file] = 7;
        start[56 + file] = man + 6;
    }
    let gain = |square: usize, class: usize| score(square, class) - score(square, 0);
    let best = |class: usize| {
        let better =
            |best, square| if gain(square, class) > gain(best, class) { square } else { best };
        (1..64).fold(0, better)
    };
    let mut kings = [0; 64];
    kings[best(12)] = 12;
    kings[best(6)] = 6;
    // The argmax with only its likeliest kings.
    let mut two_kings = argmax;
    for class in &mut two_kings {
        *class = if matches!(*class, 6 | 12) { 0 } else { *class };
    }
    two_kings[best(12)] = 12;
    two_kings[best(6)] = 6;
    vec![argmax, start, kings, two_kings]
}
