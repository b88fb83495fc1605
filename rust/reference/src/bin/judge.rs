//! Says what the second reading makes of each text of standard input.
//!
//! Texts are separated by NUL bytes. For each a line is written: empty if it cannot be read, or
//! else the flags of the status, separated by commas, and the text with the legal, the pseudo-legal
//! and the given en passant square and in Shredder-FEN, separated by tabs. With `--chess960` texts
//! are judged as Chess960.

use std::io::{BufWriter, Read, Result, Write, stdin, stdout};

use fenpack_reference::status::{FLAGS, status};
use fenpack_reference::write::{EnPassant, fen};
use fenpack_reference::{Rules, Setup};

fn main() -> Result<()> {
    let chess960 = std::env::args().any(|argument| argument == "--chess960");
    let mut input = Vec::new();
    stdin().read_to_end(&mut input)?;
    let mut out = BufWriter::new(stdout().lock());
    for text in input.split(|&byte| byte == 0) {
        match Setup::read(text) {
            None => writeln!(out)?,
            Some(setup) => writeln!(out, "{}", line(&setup, chess960))?,
        }
    }
    out.flush()
}

fn line(setup: &Setup, chess960: bool) -> String {
    let rules = Rules::PYTHON_CHESS;
    let raised = status(setup, rules, chess960);
    let names: Vec<&str> =
        FLAGS.iter().filter(|(flag, _)| raised & flag != 0).map(|&(_, name)| name).collect();
    let mut columns = vec![names.join(",")];
    for (choice, shredder) in [
        (EnPassant::Legal, false),
        (EnPassant::Xfen, false),
        (EnPassant::Given, false),
        (EnPassant::Legal, true),
    ] {
        columns.push(fen(setup, rules, chess960, choice, shredder));
    }
    columns.join("\t")
}
