"""Deciding which of five million rows, three in ten of them repeated, are duplicates.

Other engines compare the raw text, and so see fewer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import fenpack as fp
from benches.figures import faster, figure

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

POLARS = "Polars `is_first_distinct` of the raw text"
DUCKDB = "DuckDB `min(row) … group by fen`"
PYARROW = "pyarrow `group_by` of the raw text"
ENGINES = (POLARS, DUCKDB, PYARROW)


@pytest.fixture(scope="module")
def many(corpus: Path, scaled: Callable[..., int]) -> pa.Table:
    """Read the rows."""
    rows, file = scaled(5_000_000, least=20_000), pq.ParquetFile(corpus)
    batches = [next(file.iter_batches(rows))] if file.metadata.num_rows >= rows else []
    if not batches:
        pytest.skip(f"takes a corpus of {rows:,} rows")
    return pa.table({"fen": batches[0]["fen"], "row": range(rows)})


@figure(
    "`is_duplicate` of text",
    *(faster(engine, 1) for engine in ENGINES),
    per="row",
    threads=2,
    headline=True,
)
def test_text(timed: Callable[..., Any], many: pa.Table) -> None:
    found = timed(lambda: fp.is_duplicate(many["fen"]), len(many), rounds=3)
    assert 0.2 * len(many) < sum(chunk.true_count for chunk in found.chunks) < 0.4 * len(many)


@figure("`is_duplicate` of positions", faster(ENGINES, 3), per="row", threads=2, headline=True)
def test_positions(timed: Callable[..., Any], many: pa.Table) -> None:
    positions = fp.parse(many["fen"])
    found = timed(lambda: fp.is_duplicate(positions), len(many), rounds=3)
    assert found.equals(fp.is_duplicate(many["fen"]))


@figure(POLARS, per="row", threads=2, package="polars")
def test_polars(timed: Callable[..., Any], many: pa.Table) -> None:
    import polars as pl

    fens = pl.Series(many["fen"])
    first = timed(fens.is_first_distinct, len(many), rounds=3)
    assert 0.6 * len(many) < first.sum() < 0.9 * len(many)


@figure(DUCKDB, per="row", threads=2, package="duckdb")
def test_duckdb(timed: Callable[..., Any], many: pa.Table, threads: int) -> None:
    import duckdb

    with duckdb.connect(config={"threads": threads}) as connection:
        connection.execute("create table rows as select * from many")
        query = "select min(row) from rows group by fen"
        call = lambda: connection.sql(query).to_arrow_table()  # noqa: E731
        firsts = timed(call, len(many), rounds=3)
    assert 0.6 * len(many) < firsts.num_rows < 0.9 * len(many)


@figure(PYARROW, per="row", threads=2, package="pyarrow")
def test_pyarrow(timed: Callable[..., Any], many: pa.Table) -> None:
    call = lambda: many.group_by("fen").aggregate([("row", "min")])  # noqa: E731
    firsts = timed(call, len(many), rounds=3)
    assert 0.6 * len(many) < firsts.num_rows < 0.9 * len(many)
