"""What one process makes of rows that engines deduplicate."""

from __future__ import annotations

import pyarrow.compute as pc
import pyarrow.parquet as pq

import fenpack as fp


def first_rows(table):
    """Tell which rows survive in one process, in order."""
    first = pc.invert(fp.is_duplicate(table["fen"]).fill_null(False))
    return table["row"].filter(first).to_pylist()


def write(table, folder, files):
    """Write a table as so many Parquet files."""
    folder.mkdir()
    size = -(-table.num_rows // files)
    for number in range(files):
        pq.write_table(table.slice(number * size, size), folder / f"{number:02}.parquet")
    return str(folder)
