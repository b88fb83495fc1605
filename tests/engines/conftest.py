"""The rows that every engine must deduplicate alike, and what one process makes of them."""

from __future__ import annotations

import pyarrow as pa
import pytest

import fenpack as fp
from texts import UNUSUAL


@pytest.fixture(scope="session")
def rows(sample):
    """45,000 rows: real ones, some again, and of each unreadable kind a few."""
    fens = [*sample, *UNUSUAL.values(), None, "", "x", *sample[:1500], None, "x"]
    fens += fp.canonicalize(sample[::12]).to_pylist()
    games = [row // 80 for row in range(len(fens))]
    return pa.table({"fen": fens, "row": range(len(fens)), "game": games})


@pytest.fixture(scope="session")
def book(uho):
    """Give the opening book of 241,670 positions on 242,201 rows."""
    return pa.table({"fen": uho, "row": range(len(uho))})


@pytest.fixture(scope="session")
def many(rows):
    """Give the rows of `rows` eight times, each time with other counters."""
    fens = rows["fen"].to_pylist()
    written = [
        [fen and " ".join([*fen.split()[:4], str(n), str(n + 1)]) for fen in fens] for n in range(8)
    ]
    texts = [fen for part in written for fen in part]
    return pa.table({"fen": texts, "row": range(len(texts))})
