"""The recipe for DataFusion: a column function is an Arrow UDF as it is."""

from __future__ import annotations

import pyarrow as pa
import pytest

import fenpack as fp
from texts import START, UNUSUAL

datafusion = pytest.importorskip("datafusion")

MIXED = [START, *UNUSUAL.values(), None, "", "x", START]


@pytest.fixture
def ctx():
    ctx = datafusion.SessionContext()
    for function, kind in FUNCTIONS.values():
        name = f"fen_{function.__name__}"
        udf = datafusion.udf(function, [pa.string_view()], kind, "immutable", name=name)
        ctx.register_udf(udf)
    ctx.from_arrow(pa.table({"row": range(len(MIXED)), "fen": MIXED}), name="rows")
    return ctx


FUNCTIONS = {
    "validate": (fp.validate, pa.uint64()),
    "is_valid": (fp.is_valid, pa.bool_()),
    "canonicalize": (fp.canonicalize, pa.string()),
    "key": (fp.key, pa.uint64()),
    "zobrist": (fp.zobrist, pa.uint64()),
    "identity": (fp.identity, pa.binary(36)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gives_what_the_column_function_gives(ctx, name):
    function, kind = FUNCTIONS[name]
    rows = ctx.sql(f"SELECT fen_{name}(fen) AS made FROM rows ORDER BY row").to_arrow_table()
    assert rows["made"].type == kind
    assert rows["made"].to_pylist() == function(MIXED).to_pylist()


def test_an_opening_book(ctx, uho):
    ctx.from_arrow(pa.table({"row": range(len(uho)), "fen": uho}), name="book")
    found = ctx.sql("SELECT min(row) AS row FROM book GROUP BY fen_identity(fen)").to_arrow_table()
    expected = pa.array(range(len(uho))).filter(pa.compute.invert(fp.is_duplicate(uho)))
    assert sorted(found["row"].to_pylist()) == expected.to_pylist()
    assert found.num_rows == 241_670
