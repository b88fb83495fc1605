"""Make a large data set with duplicates out of a small one, by legal means.

Every position of the source and its mirror image with colours swapped gives the positions after
each of its legal moves, and after one reply to each. Then rows are repeated: as they are, with
counters reset, or without counters. Rows stay in the order of the games they come from, pieces of a
few hundred rows in random order, as in files of positions of games; or each row for itself.

    python benches/corpus.py fens_1m.parquet big.parquet --rows 100000000
"""

from __future__ import annotations

import argparse
import random
from concurrent.futures import ProcessPoolExecutor
from copy import copy
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import cozy_chess
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

import fenpack as fp

#: Share of rows that repeat another, and rows of one block.
REPEATED = 0.3
BLOCK = 1_000_000
SCHEMA = pa.schema([("fen", pa.string())])


def mirrored(fen: str) -> str:
    """Swap colours and turn the board upside down, which changes nothing in the game."""
    board, side, rights, target, *counters = fen.split(" ")
    board = "/".join(reversed(board.swapcase().split("/")))
    rights = "".join(sorted(rights.swapcase(), key="KQkq-".index))
    target = target[0] + "36"[target[1] == "3"] if target != "-" else target
    return " ".join((board, "wb"[side == "w"], rights, target, *counters))


def after_each_move(fens: list[str], rows: int, seed: int) -> pa.Array:
    """Give up to `rows` positions that legal moves lead to from `fens` and their mirror images."""
    made: list[str] = []
    order = random.Random(seed)
    for fen in fens:
        for start in (fen, mirrored(fen)):
            try:
                board = cozy_chess.Board.from_fen(start, False)
            except ValueError:
                # A clock beyond what that library takes.
                continue
            for move in board.generate_moves():
                after = copy(board)
                after.play(move)
                made.append(after.fen())
                if replies := after.generate_moves():
                    after.play(order.choice(replies))
                    made.append(after.fen())
        if len(made) >= rows:
            break
    return pa.array(made[:rows])


def mixed(fens: pa.Array, piece: int, order: np.random.Generator) -> pa.Array:
    """Give rows in pieces that are in random order."""
    starts = order.permutation(np.arange(0, len(fens), piece))
    rows = (starts[:, None] + np.arange(piece)).ravel()
    return fens.take(rows[rows < len(fens)])


def respelled(fens: pa.Array, seed: int) -> pa.Array:
    """Repeat rows: a third as they are, a third with other counters, a third without any."""
    order = np.random.default_rng(seed)
    kinds = order.integers(0, 3, len(fens))
    reset = fp.canonicalize(fens, en_passant="keep", counters="reset")
    dropped = fp.canonicalize(fens, en_passant="keep", counters="drop")
    return pc.choose(pa.array(kinds), fens, reset, dropped)


def _fresh(job: tuple[int, list[str]], folder: str, rows: int) -> str:
    number, fens = job
    path = f"{folder}/{number}.parquet"
    pq.write_table(pa.table([after_each_move(fens, rows, number)], SCHEMA), path)
    return path


def make(fens: pa.ChunkedArray, out: Path, rows: int, processes: int = 2, piece: int = 300) -> None:
    """Write `rows` rows, or as many as `fens` lead to, in pieces of `piece` rows."""
    base = fp.canonicalize(fens).unique()
    base = base.filter(fp.is_valid(base)).to_pylist()
    blocks = -(-rows // BLOCK)
    fresh = int(min(rows, BLOCK) * (1 - REPEATED))
    parts = np.array_split(np.arange(len(base)), blocks)
    jobs = ((i, [base[j] for j in part]) for i, part in enumerate(parts))
    order = np.random.default_rng(2)
    with TemporaryDirectory(dir=out.parent) as folder:
        with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
            paths = list(pool.map(partial(_fresh, folder=folder, rows=fresh), jobs))
        with pq.ParquetWriter(out, SCHEMA, compression="zstd") as writer:
            left = rows
            for number, path in enumerate(paths):
                new = pq.read_table(path)["fen"].combine_chunks()
                old = pq.read_table(paths[order.integers(0, number + 1)])["fen"].combine_chunks()
                repeated = round(len(new) * REPEATED / (1 - REPEATED))
                again = respelled(mixed(old, piece, order)[:repeated], number)
                both = mixed(pa.concat_arrays([new, again]), piece, order)[:left]
                writer.write_table(pa.table([both], SCHEMA))
                left -= len(both)


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--piece", type=int, default=300, help="1 shuffles every row")
    options = parser.parse_args()
    fens = pq.read_table(options.source, columns=["fen"])["fen"]
    make(fens, options.out, options.rows, options.processes, options.piece)


if __name__ == "__main__":
    main()
