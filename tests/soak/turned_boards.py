"""Measure how often a board looks turned: as it is, turned by 180 degrees, and mirrored.

Prints, by the number of men, the share of rows with pawns of both sides that get the hint.

    python tests/soak/turned_boards.py fens_1m.parquet
"""

from __future__ import annotations

import sys

import numpy as np
import pyarrow.parquet as pq

import fenpack as fp
from fenpack import Problem


def as_is(placement: str) -> str:
    return placement


def rotated(placement: str) -> str:
    return placement[::-1]


def mirrored(placement: str) -> str:
    return "/".join(placement.split("/")[::-1])


def main(path: str) -> None:
    """Print the shares for the column `fen` of `path`."""
    rows = [fen.split() for fen in pq.read_table(path, columns=["fen"])["fen"].to_pylist()]
    rows = [fields for fields in rows if "P" in fields[0] and "p" in fields[0]]
    men = np.array([sum(map(str.isalpha, fields[0])) for fields in rows])
    for turn, hint in (
        (as_is, Problem.LOOKS_ROTATED),
        (rotated, Problem.LOOKS_ROTATED),
        (mirrored, Problem.LOOKS_MIRRORED),
    ):
        fens = [f"{turn(placement)} {side} - - 0 1" for placement, side, *_ in rows]
        hinted = (fp.validate(fens).to_numpy() & np.uint64(hint)) != 0
        for least, most in ((28, 32), (20, 27), (12, 19), (3, 11), (3, 32)):
            band = (men >= least) & (men <= most)
            found, rows_here = hinted[band].sum(), max(1, band.sum())
            print(f"{turn.__name__}, {least}-{most} men: {found} of {rows_here}", end="")
            print(f", {found / rows_here:.3%}")


if __name__ == "__main__":
    main(sys.argv[1])
