"""What an engine pays for a call, beside the work itself: less than 50 µs is the target."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

import fenpack as fp
from fenpack import batch

if TYPE_CHECKING:
    from collections.abc import Callable

SQL = {
    "fen_valid": "SELECT count(*) FROM rows WHERE fen_valid(fen)",
    "no work": "SELECT count(*) FROM rows WHERE as_it_is(fen) IS NOT NULL",
}


@pytest.mark.parametrize("rows", [1, 2048])
@pytest.mark.parametrize("name", ["is_valid", "key"])
def test_a_call(timed: Callable[..., Any], column: pa.Array, name: str, rows: int) -> None:
    """A DuckDB vector has 2,048 rows; what one row takes is the price of the call."""
    function = getattr(fp, name)
    vector = pa.chunked_array([column[:rows]])
    found = timed(f"{name}, a call with {rows} rows", lambda: function(vector), 1, rounds=500)
    assert found.equals(pa.chunked_array([function(column)[:rows]]))


@pytest.mark.parametrize("name", ["is_valid", "key"])
def test_a_step(timed: Callable[..., Any], column: pa.Array, name: str) -> None:
    step = getattr(batch, name)("fen")
    rows = pa.record_batch({"fen": column[:1]})
    found = timed(f"batch.{name}, a call with 1 row", lambda: step(rows), 1, rounds=500)
    assert found.schema == step.schema(rows.schema)


@pytest.mark.parametrize("name", SQL)
def test_duckdb(timed: Callable[..., Any], column: pa.Array, name: str) -> None:
    duckdb = pytest.importorskip("duckdb")
    register = pytest.importorskip("fenpack.duckdb").register
    with duckdb.connect() as con:
        con.execute("SET threads = 1")
        register(con)
        con.create_function(
            "as_it_is", lambda x: x, None, "VARCHAR", type="arrow", null_handling="special"
        )
        con.register("view", pa.table({"fen": column}))
        con.execute("CREATE TABLE rows AS SELECT * FROM view")
        query = SQL[name]
        found = timed(f"duckdb, {name}", lambda: con.execute(query).fetchone()[0], len(column))
    expected = fp.is_valid(column).true_count if name == "fen_valid" else len(column)
    assert found == expected
