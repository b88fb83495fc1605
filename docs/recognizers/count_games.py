"""Count how often each class stands on each square in games: python/fenpack/recognition/games.tsv.

    python docs/recognizers/count_games.py fens.parquet --rows 700000 > games.tsv
    python docs/recognizers/count_games.py fens.parquet --rows 700000 --held-out 100000

The first writes the table that ships. The second leaves the last rows out and says how well the
orientation score tells those from the same boards turned by 180 degrees.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow.parquet as pq

import fenpack as fp
from fenpack.recognition.boards import CLASSES, classes_of
from fenpack.recognition.games import SMOOTHING

if TYPE_CHECKING:
    from numpy.typing import NDArray

HEADER = """\
# How often each class stands on each square, a1 b1 ... h8: {rows:,} positions of full engine games,
# in the order of the games. Source: sgrvinod/chess-transformers, MIT, (c) 2023 Sagar Vinodababu,
# whose licence is in tests/data/README.md. Made by docs/recognizers/count_games.py."""


def read(path: Path, rows: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Give the classes of the first `rows` boards of `path`, and the half-moves played before."""
    fens = pq.read_table(path, columns=["fen"])["fen"].slice(0, rows).combine_chunks()
    positions = fp.parse(fens)
    records = positions.to_numpy()
    plies = 2 * (records["fullmove"].astype(np.int64) - 1) + (records["flags"] & 1)
    return classes_of(positions), plies


def count(boards: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Count each class on each square."""
    return np.stack([(boards == number).sum(0) for number in range(len(CLASSES))])


def judge(counts: NDArray[np.int64], boards: NDArray[np.uint8], plies: NDArray[np.int64]) -> None:
    """Print how often the orientation score is right, and how sure."""
    smooth = counts + SMOOTHING
    logs = np.log(smooth / smooth.sum(0))
    weights = logs - logs[:, ::-1]
    weights[0] = 0
    scores = weights[boards, np.arange(64)].sum(1)
    men = (boards > 0).sum(1)
    groups = {
        "all": plies >= 0,
        "up to ply 40": plies <= 40,
        "ply 41 to 80": (plies > 40) & (plies <= 80),
        "beyond ply 80": plies > 80,
        "up to 10 men": men <= 10,
    }
    for name, group in groups.items():
        print(f"{name:>14}: {(scores[group] > 0).mean():8.2%} right of {group.sum():,}")
    for least in (0, 5, 10, 20):
        sure = np.abs(scores) >= least
        wrong = (scores[sure] < 0).mean()
        print(f"  score ≥ {least:4}: {sure.mean():8.2%} of rows, {wrong:.3%} wrong")


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", type=Path, help="Parquet with a column fen")
    parser.add_argument("--rows", type=int, required=True, help="take so many from the start")
    parser.add_argument("--held-out", type=int, default=0, help="judge by the last of them")
    options = parser.parse_args()
    boards, plies = read(options.file, options.rows)
    cut = len(boards) - options.held_out
    counts = count(boards[:cut])
    if options.held_out:
        judge(counts, boards[cut:], plies[cut:])
        return
    print(HEADER.format(rows=cut))
    for letter, row in zip(CLASSES, counts, strict=True):
        print(letter, *row, sep="\t")


if __name__ == "__main__":
    main()
