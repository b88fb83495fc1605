//! Compares fenpack-core with the second reading on many texts made wrong or made up.
//!
//! ```sh
//! cargo run --release -p fenpack-reference --bin soak -- --rows 100000000 --threads 2 fens.txt
//! ```
//!
//! Reads the FENs to change from the files named, one a line, or uses a few of its own. Batches of
//! rows are read, judged and rewritten on each instruction set that the machine has in turn, every
//! other one as Chess960. With `--canonical` most rows have an en passant square and every choice of canonical
//! text is compared. With `--print` the rows are written, separated by NUL bytes, and not compared.
//! Prints what was met, and fails if there is a difference that no stated one explains.

mod answers;
mod compare;
mod compose;
mod expected;
mod mutate;
mod random;
mod tally;
#[cfg(test)]
mod tests;

use std::error::Error;
use std::io::{BufWriter, Write, stdout};
use std::process::ExitCode;
use std::thread;

use fenpack_core::rows::Canonical;
use fenpack_core::{Castling, Counters, EnPassant, Level};

use crate::answers::PLAIN;
use crate::compare::compare;
use crate::random::Random;
use crate::tally::Tally;

const FEW: [&str; 12] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqr1k1/pppn1pbp/3p1np1/4p1B1/2PP4/3BPN1P/PP1N1PP1/R2QK2R b KQ - 1 9",
    "8/1p1r2p1/p4k1p/4p3/5p1P/Pr3P2/1PR2KP1/8 w - - 0 30",
    "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "r1b1r1k1/p1pq1pb1/1pNp1np1/3P2n1/P1P1p2p/2B1P2P/1PB2PP1/RN1Q1RK1 w - - 4 17",
    "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1",
    "rr2k2r/8/8/8/8/8/8/RR2K2R w KBkb - 0 30",
    "8/8/8/8/8/8/5kK1/8 w - - 99 9999",
    "r3k2r/8/8/8/8/8/8/R3K2R b Qk - 12 34",
    "rnbqkb1r/pp2pppp/5n2/2ppP3/3P4/2N5/PPP2PPP/R1BQKBNR w KQkq d6 0 5",
    "1k6/8/8/2pPp3/8/8/8/4K2R w K c6 0 40",
];

/// Rows that are compared at once, and of one mode.
const BATCH: usize = 512;

struct Options {
    rows: u64,
    seed: u64,
    threads: u64,
    canonical: bool,
    print: bool,
    seeds: Vec<Vec<u8>>,
}

impl Options {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Options, Box<dyn Error>> {
        let mut options = Options {
            rows: 1_000_000,
            seed: 1,
            threads: 1,
            canonical: false,
            print: false,
            seeds: Vec::new(),
        };
        while let Some(argument) = arguments.next() {
            let mut number = || -> Result<u64, Box<dyn Error>> {
                let given = arguments.next().ok_or("a number is missing")?;
                Ok(given.replace('_', "").parse()?)
            };
            match argument.as_str() {
                "--rows" => options.rows = number()?,
                "--seed" => options.seed = number()?,
                "--threads" => options.threads = number()?.max(1),
                "--canonical" => options.canonical = true,
                "--print" => options.print = true,
                option if option.starts_with("--") => return Err(format!("{option}?").into()),
                path => {
                    let text = std::fs::read_to_string(path)?;
                    options.seeds.extend(text.lines().map(|line| line.as_bytes().to_vec()));
                }
            }
        }
        if options.seeds.is_empty() {
            options.seeds = FEW.map(|fen| fen.as_bytes().to_vec()).into();
        }
        Ok(options)
    }
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let options = Options::read(std::env::args().skip(1))?;
    if options.print {
        print(&options)?;
        return Ok(ExitCode::SUCCESS);
    }
    let tally = soak(&options);
    println!("{tally}");
    Ok(if tally.wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The batches of `options`, each with a generator of its own, so that threads change nothing.
fn batches(options: &Options) -> u64 {
    options.rows.div_ceil(BATCH as u64)
}

fn soak(options: &Options) -> Tally {
    let levels = &Level::available();
    thread::scope(|scope| {
        let threads: Vec<_> = (0..options.threads)
            .map(|first| {
                scope.spawn(move || {
                    let mut tally = Tally::default();
                    for batch in (first..batches(options)).step_by(options.threads as usize) {
                        let mut random = Random::new(options.seed << 32 | batch);
                        let texts = texts(options, &mut random);
                        let choices = choices(options, &mut random);
                        let level = levels[batch as usize / 2 % levels.len()];
                        compare(&texts, level, batch % 2 == 1, &choices, &mut tally);
                    }
                    tally
                })
            })
            .collect();
        let mut all = Tally::default();
        for thread in threads {
            match thread.join() {
                Ok(tally) => all.add(tally),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    })
}

fn print(options: &Options) -> std::io::Result<()> {
    let mut out = BufWriter::new(stdout().lock());
    let mut separator: &[u8] = b"";
    for batch in 0..batches(options) {
        for text in texts(options, &mut Random::new(options.seed << 32 | batch)) {
            out.write_all(separator)?;
            out.write_all(&text)?;
            separator = b"\0";
        }
    }
    out.flush()
}

/// The texts of a batch, without NUL bytes.
fn texts(options: &Options, random: &mut Random) -> Vec<Vec<u8>> {
    let one = |random: &mut Random| {
        let kind = random.below(100);
        let (squares, made) = if options.canonical { (70, 90) } else { (15, 50) };
        let mut text = if kind < squares {
            compose::en_passant(random, &options.seeds)
        } else if kind < made {
            compose::anything(random)
        } else {
            let mut text = random.choose(&options.seeds).clone();
            for _ in 0..*random.choose(&[1, 1, 1, 2, 3]) {
                mutate::once(&mut text, random, &options.seeds);
            }
            text
        };
        if kind < made && random.percent(if options.canonical { 3 } else { 20 }) {
            mutate::once(&mut text, random, &options.seeds);
        }
        text.retain(|&byte| byte != 0);
        text
    };
    (0..BATCH).map(|_| one(random)).collect()
}

/// The usual canonical text and, where it matters, another choice.
fn choices(options: &Options, random: &mut Random) -> Vec<Canonical> {
    let mut choices = vec![PLAIN];
    if options.canonical {
        choices.push(Canonical {
            en_passant: *random.choose(&[
                EnPassant::Legal,
                EnPassant::Xfen,
                EnPassant::Valid,
                EnPassant::Drop,
            ]),
            castling: *random.choose(&[Castling::Xfen, Castling::Shredder]),
            counters: *random.choose(&[Counters::Keep, Counters::Reset, Counters::Drop]),
            ..PLAIN
        });
    }
    choices
}
