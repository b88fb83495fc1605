"""Deciding which of five million rows, three in ten of them repeated, are duplicates: two cores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import fenpack as fp
from corpus import make
from figures import FIGURES, SHARED

if TYPE_CHECKING:
    from collections.abc import Callable

ROWS = 5_000_000
ENGINES = ("polars duplicates", "duckdb duplicates", "pyarrow duplicates")


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> pa.Table:
    """Make the rows."""
    source = SHARED / "data" / "fens_1m.parquet"
    if not source.exists():
        pytest.skip("the large data set fens_1m.parquet is not part of the repository")
    path = tmp_path_factory.mktemp("duplicates") / "rows.parquet"
    make(source, path, ROWS)
    fens = pq.read_table(path)["fen"].combine_chunks()
    return pa.table({"fen": fens, "row": range(ROWS)})


@pytest.fixture(autouse=True)
def two_threads(one_thread: None) -> None:
    """Give all the same two cores."""
    fp.set_num_threads(2)


def test_polars(timed: Callable[..., Any], many: pa.Table) -> None:
    polars = pytest.importorskip("polars")
    fens = polars.Series(many["fen"])
    first = timed("polars duplicates", lambda: fens.is_first_distinct(), ROWS, rounds=5)
    assert 0.6 * ROWS < first.sum() < 0.9 * ROWS


def test_duckdb(timed: Callable[..., Any], many: pa.Table) -> None:
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect(config={"threads": 2})
    connection.execute("create table rows as select * from many")
    query = "select min(row) from rows group by fen"
    call = lambda: connection.sql(query).to_arrow_table()  # noqa: E731
    firsts = timed("duckdb duplicates", call, ROWS, rounds=5)
    assert 0.6 * ROWS < firsts.num_rows < 0.9 * ROWS


def test_pyarrow(timed: Callable[..., Any], many: pa.Table) -> None:
    call = lambda: many.group_by("fen").aggregate([("row", "min")])  # noqa: E731
    firsts = timed("pyarrow duplicates", call, ROWS, rounds=5)
    assert 0.6 * ROWS < firsts.num_rows < 0.9 * ROWS


def test_text(timed: Callable[..., Any], many: pa.Table) -> None:
    found = timed("is_duplicate text", lambda: fp.is_duplicate(many["fen"]), ROWS, rounds=5)
    assert 0.2 * ROWS < sum(chunk.true_count for chunk in found.chunks) < 0.4 * ROWS
    if engines := [FIGURES[name] for name in ENGINES if name in FIGURES]:
        FIGURES["fastest engine's duplicates"] = min(engines)


def test_positions(timed: Callable[..., Any], many: pa.Table) -> None:
    positions = fp.parse(many["fen"])
    found = timed("is_duplicate positions", lambda: fp.is_duplicate(positions), ROWS, rounds=5)
    assert found.equals(fp.is_duplicate(many["fen"]))
