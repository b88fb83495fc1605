//! Prints how many rows of a file a library accepts, and the seconds that a row takes it.

use std::hint::black_box;
use std::time::Instant;
use std::{env, fs, io};

use shakmaty::{CastlingMode, Chess, fen::Fen};

const ROUNDS: usize = 7;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = env::args().collect();
    let [_, path, library] = arguments.as_slice() else {
        return Err(io::Error::other("usage: native FILE LIBRARY"));
    };
    let text = fs::read_to_string(path)?;
    let fens: Vec<&str> = text.lines().collect();
    match library.as_str() {
        "cozy-chess" => time(&fens, |fen| cozy_chess::Board::from_fen(fen, false).is_ok()),
        "shakmaty" => time(&fens, |fen| {
            fen.parse::<Fen>()
                .is_ok_and(|fen| fen.into_position::<Chess>(CastlingMode::Standard).is_ok())
        }),
        other => return Err(io::Error::other(format!("unknown library {other}"))),
    }
    Ok(())
}

fn time(fens: &[&str], accepts: impl Fn(&str) -> bool) {
    let mut accepted = 0;
    let mut times: Vec<f64> = (0..=ROUNDS)
        .map(|_| {
            let start = Instant::now();
            accepted = fens.iter().filter(|fen| black_box(accepts(fen))).count();
            start.elapsed().as_secs_f64()
        })
        .skip(1)
        .collect();
    times.sort_by(f64::total_cmp);
    println!("{accepted} {:e}", times[ROUNDS / 2] / fens.len() as f64);
}
