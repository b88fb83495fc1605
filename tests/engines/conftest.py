"""The rows that every engine must deduplicate alike, and what one process makes of them."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import fenpack as fp
from texts import UNUSUAL

#: Twice in the rows, other than by repetition.
TWICE = 1500


@pytest.fixture(scope="session")
def rows(sample):
    """45,000 rows: real ones, some again, and of each unreadable kind a few."""
    fens = [*sample, *UNUSUAL.values(), None, "", "x", *sample[:TWICE], None, "x"]
    fens += fp.canonicalize(sample[::12]).to_pylist()
    return pa.table({"fen": fens, "row": range(len(fens)), "game": [n // 80 for n in range(len(fens))]})


@pytest.fixture(scope="session")
def book(uho):
    """Give the opening book of 241,670 positions on 242,201 rows."""
    return pa.table({"fen": uho, "row": range(len(uho))})


def first_rows(table):
    """Tell which rows survive in one process, in order."""
    return table["row"].filter(pc.invert(fp.is_duplicate(table["fen"]).fill_null(False))).to_pylist()


def write(table, folder, files):
    """Write a table as so many Parquet files."""
    folder.mkdir()
    size = -(-table.num_rows // files)
    for number in range(files):
        pq.write_table(table.slice(number * size, size), folder / f"{number:02}.parquet")
    return str(folder)
