"""Polars expressions, in frames and lazy frames, streaming and not."""

from __future__ import annotations

import pyarrow as pa
import pytest

import fenpack as fp
from fenpack import _native
from interpreters import run
from texts import START, UNUSUAL

pl = pytest.importorskip("polars")
fpl = pytest.importorskip("fenpack.polars")

MIXED = [START, *UNUSUAL.values(), None, "", "x", START]
FRAME = pl.DataFrame({"fen": MIXED}).with_row_index("row")


def storage(array: pa.Array) -> pa.Array:
    return array.storage if isinstance(array, fp.PositionArray) else array


EXPRESSIONS = {
    "validate": (fpl.validate, fp.validate, pl.UInt64),
    "is_valid": (fpl.is_valid, fp.is_valid, pl.Boolean),
    "canonicalize": (fpl.canonicalize, fp.canonicalize, pl.String),
    "parse": (fpl.parse, fp.parse, pl.Binary),
    "format": (lambda x: fpl.format(fpl.parse(x)), lambda x: fp.format(fp.parse(x)), pl.String),
    "key": (fpl.key, fp.key, pl.UInt64),
    "key128": (lambda x: fpl.key(x, bits=128), lambda x: fp.key(x, bits=128), pl.Binary),
    "zobrist": (fpl.zobrist, fp.zobrist, pl.UInt64),
    "identity": (fpl.identity, fp.identity, pl.Binary),
    "problem_names": (
        lambda x: fpl.problem_names(fpl.validate(x)),
        lambda x: fp.problem_names(fp.validate(x)),
        pl.List(pl.String),
    ),
    "is_duplicate": (fpl.is_duplicate, fp.is_duplicate, pl.Boolean),
}
each_expression = pytest.mark.parametrize(
    ("expression", "function", "dtype"), EXPRESSIONS.values(), ids=EXPRESSIONS.keys()
)
each_engine = pytest.mark.parametrize("engine", ["in-memory", "streaming"])


@each_expression
class TestExpressions:
    def test_eager(self, expression, function, dtype):
        made = FRAME.select(expression("fen"))
        assert made.schema == {"fen": dtype}
        assert made["fen"].to_list() == storage(function(MIXED)).to_pylist()

    @each_engine
    def test_lazy(self, expression, function, dtype, engine):
        lazy = FRAME.lazy().with_columns(made=expression("fen"))
        assert lazy.collect_schema()["made"] == dtype
        made = lazy.collect(engine=engine)
        assert made.equals(FRAME.with_columns(made=expression("fen")))

    @each_engine
    def test_no_rows(self, expression, function, dtype, engine):
        made = FRAME.lazy().head(0).with_columns(made=expression("fen")).collect(engine=engine)
        assert (made.height, made.schema["made"]) == (0, dtype)

    def test_nulls_alone(self, expression, function, dtype):
        made = pl.select(expression(pl.lit(pl.Series([None, None]))))
        assert made.to_series().null_count() == 2
        assert made.dtypes == [dtype]

    @pytest.mark.parametrize("kind", [pl.Categorical, pl.Binary])
    def test_other_kinds_of_text(self, expression, function, dtype, kind):
        made = FRAME.select(expression(pl.col("fen").cast(kind)))
        assert made.equals(FRAME.select(expression("fen")))

    def test_chunks(self, expression, function, dtype):
        chunks = pl.concat([FRAME[:3], FRAME[3:3], FRAME[3:]], rechunk=False)
        made = chunks.select(expression("fen"))
        assert made.equals(FRAME.select(expression("fen")))


@each_engine
class TestQueries:
    def test_batches_of_a_file(self, tmp_path, sample, engine):
        file = tmp_path / "fens.parquet"
        pl.DataFrame({"fen": sample}).write_parquet(file, row_group_size=1000)
        lazy = pl.scan_parquet(file).filter(fpl.is_valid("fen", level="reachable"))
        keys = lazy.select(fpl.key("fen")).collect(engine=engine)["fen"].to_list()
        expected = fp.key(pa.array(sample).filter(fp.is_valid(sample, level="reachable")))
        assert keys == expected.to_pylist()

    def test_groups(self, engine):
        lazy = FRAME.lazy().group_by(pl.col("row") % 2).agg(fpl.is_valid("fen").sum())
        made = lazy.sort("row").collect(engine=engine)
        valid = fp.is_valid(MIXED).fill_null(False).to_pylist()
        assert made["fen"].to_list() == [sum(valid[::2]), sum(valid[1::2])]

    def test_duplicates_by_expression(self, engine):
        lazy = FRAME.lazy().filter(fpl.is_duplicate("fen").not_().fill_null(True))
        first = fp.is_duplicate(MIXED).fill_null(False).to_pylist()
        expected = [row for row, found in enumerate(first) if not found]
        assert lazy.collect(engine=engine)["row"].to_list() == expected
        # What is asked of the result must not be asked of the rows.
        some = [row for row in expected if row > 3]
        assert lazy.filter(pl.col("row") > 3).collect(engine=engine)["row"].to_list() == some
        assert lazy.head(4).collect(engine=engine)["row"].to_list() == expected[:4]

    def test_an_opening_book(self, uho, engine):
        lazy = pl.LazyFrame({"fen": uho}).with_row_index("row")
        by_flag = lazy.filter(fpl.is_duplicate("fen").not_().fill_null(True))
        rows = by_flag.collect(engine=engine)["row"]
        assert len(rows) == 241_670
        by_bytes = lazy.with_columns(id=fpl.identity("fen")).unique(
            "id", keep="first", maintain_order=True
        )
        assert by_bytes.collect(engine=engine)["row"].equals(rows)


def test_keep():
    for keep in ("first", "last", None):
        made = FRAME.select(fpl.is_duplicate("fen", keep=keep))["fen"].to_list()
        assert made == fp.is_duplicate(MIXED, keep=keep).to_pylist()


def test_options():
    fen = "3k4/8/8/8/8/8/8/R2K3R w KQ - 0 30"
    frame = pl.DataFrame({"fen": [fen]})
    made = frame.select(
        canonical=fpl.canonicalize("fen", castling="shredder", counters="drop", chess960=True),
        shown=fpl.format(fpl.parse("fen", chess960=True), castling="shredder"),
        valid=fpl.is_valid("fen", profile="chess.js"),
        board=fpl.identity("fen", by="board"),
    ).row(0)
    assert made[:2] == ("3k4/8/8/8/8/8/8/R2K3R w HA -", "3k4/8/8/8/8/8/8/R2K3R w HA - 0 30")
    assert made[2] is fp.is_valid([fen], profile="chess.js")[0].as_py()
    assert made[3] == fp.identity([fen], by="board")[0].as_py()


def test_refusals():
    with pytest.raises(TypeError, match="must be the name of a column or an expression, got list"):
        fpl.validate([START])
    with pytest.raises(ValueError, match="bits must be 64 or 128, got 32"):
        fpl.key("fen", bits=32)
    with pytest.raises(Exception, match="got a column of UInt32"):
        FRAME.select(fpl.validate("row"))


def test_short_batches_take_one_thread():
    seen = []

    def function(x):
        seen.append(fp.get_num_threads())
        return pa.array([0] * len(x))

    before = fp.get_num_threads()
    fp.set_num_threads(7)
    try:
        for rows in (1, fpl._BATCH, fpl._BATCH + 1):
            fpl._call_on_batch(function, pl.Series([0] * rows))
    finally:
        fp.set_num_threads(before)
    assert seen == [1, 1, 7]
    assert _native.limit_threads(0) == 0


def test_the_module_is_not_in_the_way_of_polars():
    assert run("import fenpack.polars, polars; print(polars.DataFrame.__module__)").startswith(
        "polars."
    )
