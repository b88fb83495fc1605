"""What an engine pays for a call, beside the work itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

import fenpack as fp
from benches.figures import at_most, faster, figure
from fenpack import batch

if TYPE_CHECKING:
    from collections.abc import Callable


def calls(name: str, rows: int) -> Any:
    """Give a function, a number of rows, and its figure; what one row takes is the price."""
    bounds = [at_most(50e-6)] if rows == 1 else []
    of = figure(f"`{name}` of {rows:,} row{'s' * (rows > 1)}", *bounds, per="call")
    return pytest.param(name, rows, marks=of, id=f"{name}-{rows}")


@pytest.mark.parametrize(
    ("name", "rows"),
    # A vector of DuckDB has 2,048 rows.
    [calls(name, rows) for name in ("is_valid", "key") for rows in (1, 2048)],
)
def test_a_call(timed: Callable[..., Any], column: pa.Array, name: str, rows: int) -> None:
    function = getattr(fp, name)
    vector = pa.chunked_array([column[:rows]])
    found = timed(lambda: function(vector), 1, rounds=500)
    assert found.equals(pa.chunked_array([function(column)[:rows]]))


def steps(name: str) -> Any:
    """Give a step and its figure."""
    return pytest.param(name, marks=figure(f"`batch.{name}` of 1 row", at_most(50e-6), per="call"))


@pytest.mark.parametrize("name", [steps("is_valid"), steps("key")])
def test_a_step(timed: Callable[..., Any], column: pa.Array, name: str) -> None:
    step = getattr(batch, name)("fen")
    rows = pa.record_batch({"fen": column[:1]})
    found = timed(lambda: step(rows), 1, rounds=500)
    assert found.schema == step.schema(rows.schema)


NO_WORK = "a function in DuckDB that gives its argument back"


@pytest.mark.parametrize(
    ("query", "valid"),
    [
        pytest.param(
            "SELECT count(*) FROM rows WHERE fen_valid(fen)",
            True,
            marks=figure("`fen_valid` in DuckDB", faster(NO_WORK), package="duckdb"),
            id="fen_valid",
        ),
        pytest.param(
            "SELECT count(*) FROM rows WHERE as_it_is(fen) IS NOT NULL",
            False,
            marks=figure(NO_WORK, package="duckdb"),
            id="no work",
        ),
    ],
)
def test_duckdb(timed: Callable[..., Any], column: pa.Array, query: str, valid: bool) -> None:
    import duckdb

    from fenpack.duckdb import register

    with duckdb.connect() as con:
        con.execute("SET threads = 1")
        register(con)
        con.create_function(
            "as_it_is", lambda x: x, None, "VARCHAR", type="arrow", null_handling="special"
        )
        con.register("view", pa.table({"fen": column}))
        con.execute("CREATE TABLE rows AS SELECT * FROM view")
        found = timed(lambda: con.execute(query).fetchone()[0], len(column))
    assert found == (fp.is_valid(column).true_count if valid else len(column))
