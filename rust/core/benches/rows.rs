//! Nanoseconds a row of the row loops, per instruction set.
//!
//! `cargo bench -p fenpack-core` reads the FENs of `FENPACK_BENCH_FENS`, one a line, or a small
//! built-in set.
#![allow(missing_docs)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fenpack_core::judgement::{Depth, Pass};
use fenpack_core::row::MaybeRow;
use fenpack_core::rows::{self, Canonical};
use fenpack_core::{Dialect, Level, Position, Row};

const FEW: &str = "\
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
r1bqr1k1/pppn1pbp/3p1np1/4p1B1/2PP4/3BPN1P/PP1N1PP1/R2QK2R b KQ - 1 9
8/1p1r2p1/p4k1p/4p3/5p1P/Pr3P2/1PR2KP1/8 w - - 0 30
rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3
";

fn bench(criterion: &mut Criterion) {
    let text = std::env::var("FENPACK_BENCH_FENS").map_or_else(
        |_| FEW.repeat(1000),
        |path| std::fs::read_to_string(path).expect("FENPACK_BENCH_FENS names a readable file"),
    );
    let bytes = text.as_bytes();
    let rows: Vec<MaybeRow<'_>> = text
        .lines()
        .map(|line| {
            let start = line.as_ptr().addr() - bytes.as_ptr().addr();
            Some(Row::new(&bytes[start..], line.len()))
        })
        .collect();
    let words = rows.len().div_ceil(64);
    for level in Level::available() {
        let mut group = criterion.benchmark_group(level.name());
        group.throughput(Throughput::Elements(rows.len() as u64));
        group.sample_size(20);
        let mut bits = vec![0; words];
        let mut problems = vec![0; rows.len()];
        let mut positions = vec![Position::EMPTY; rows.len()];
        let mut out = Vec::with_capacity(2 * bytes.len());
        let mut ends = Vec::with_capacity(rows.len());
        group.bench_function("parse", |b| {
            b.iter(|| {
                rows::parse(
                    level,
                    black_box(&rows),
                    Dialect::Lenient,
                    false,
                    &mut positions,
                    &mut bits,
                )
            });
        });
        for (name, depth) in [
            ("is_valid syntax", Depth::Syntax),
            ("is_valid legal", Depth::Legal),
            ("is_valid reachable", Depth::Reachable),
        ] {
            let pass = Pass { depth, ..Pass::default() };
            group.bench_function(name, |b| {
                b.iter(|| rows::is_valid(level, black_box(&rows), pass, &mut bits));
            });
        }
        group.bench_function("validate", |b| {
            b.iter(|| {
                rows::survey(level, black_box(&rows), Pass::default(), &mut problems, &mut bits)
            });
        });
        group.bench_function("canonicalize", |b| {
            b.iter(|| {
                out.clear();
                ends.clear();
                rows::canonicalize(
                    level,
                    black_box(&rows),
                    Canonical::default(),
                    &mut out,
                    &mut ends,
                    &mut bits,
                );
            });
        });
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
