"""Spark: the column functions and exact deduplication on real workers, one of which is killed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest

import fenpack as fp
from fenpack import batch
from survivors import first_rows, write

pytest.importorskip("pyspark", reason="Spark is not installed: pip install 'fenpack[spark]'")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("Spark needs Java 17 or newer", allow_module_level=True)

from pyspark.sql import SparkSession
from pyspark.sql import functions as sql

import fenpack.spark

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

HIGH = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


@pytest.fixture(scope="module")
def spark():
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master("local[2,4]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", "5")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "4096")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def folder(rows, tmp_path_factory):
    return write(rows, tmp_path_factory.mktemp("spark") / "rows", 5)


@pytest.fixture(scope="module")
def frame(spark, folder):
    return spark.read.parquet(folder)


def collect(frame, column):
    """Give a column in the order of the rows."""
    return [row[column] for row in frame.orderBy("row").select(column).collect()]


COLUMNS = {
    "validate": ("problems", "bigint", lambda x: signed(fp.validate(x))),
    "is_valid": ("valid", "boolean", fp.is_valid),
    "canonicalize": ("canonical", "string", fp.canonicalize),
    "parse": ("position", "binary", lambda x: fp.parse(x).cast(pa.binary(40))),
    "key": ("key", "bigint", lambda x: signed(fp.key(x))),
    "zobrist": ("zobrist", "bigint", lambda x: signed(fp.zobrist(x))),
    "identity": ("identity", "binary", fp.identity),
}


def signed(keys):
    return keys.cast(pa.int64(), safe=False)


class TestColumns:
    @pytest.mark.parametrize("name", COLUMNS)
    def test_gives_what_the_column_function_gives(self, frame, rows, name):
        column, kind, function = COLUMNS[name]
        made = getattr(fenpack.spark, name)(frame, "fen")
        assert made.columns == ["fen", "row", "game", column]
        assert dict(made.dtypes)[column] == kind
        assert collect(made, column) == function(rows["fen"]).to_pylist()
        assert collect(made, "game") == rows["game"].to_pylist()

    def test_options(self, spark):
        fen = "3k4/8/8/8/8/8/8/R2K3R w KQ - 0 30"
        frame = spark.createDataFrame([(fen,)], "fen string")
        made = fenpack.spark.canonicalize(
            frame, "fen", into="fen", castling="shredder", counters="drop", chess960=True
        )
        assert [tuple(row) for row in made.collect()] == [("3k4/8/8/8/8/8/8/R2K3R w HA -",)]
        made = fenpack.spark.key(frame, "fen", bits=128)
        assert bytes(made.collect()[0].key) == fp.key([fen], bits=128)[0].as_py()
        made = fenpack.spark.is_valid(frame, "fen", profile="chess.js", into="ok")
        assert made.collect()[0].ok is fp.is_valid([fen], profile="chess.js")[0].as_py()

    def test_names_of_problems(self, frame, rows):
        made = fenpack.spark.problem_names(fenpack.spark.validate(frame, "fen"), "problems")
        assert dict(made.dtypes)["problem_names"] == "array<string>"
        assert (
            collect(made, "problem_names") == fp.problem_names(fp.validate(rows["fen"])).to_pylist()
        )

    def test_positions_in(self, frame, rows):
        made = fenpack.spark.key(fenpack.spark.parse(frame, "fen", into="fen"), "fen")
        assert collect(made, "key") == signed(fp.key(rows["fen"])).to_pylist()

    def test_keys_from_two_to_the_63_keep_their_bits(self, spark):
        [key] = fp.key([HIGH]).to_pylist()
        assert key >= 2**63
        made = fenpack.spark.key(spark.createDataFrame([(HIGH,)], "fen string"), "fen")
        [found] = [row.key for row in made.collect()]
        assert found == key - 2**64
        assert found % 2**64 == key

    def test_no_rows(self, frame):
        made = fenpack.spark.validate(frame.filter("row < 0"), "fen")
        assert (made.count(), made.columns[-1]) == (0, "problems")

    def test_other_columns_stay_as_they_are(self, spark):
        made = spark.sql(
            "SELECT 'x' AS fen, 1.5D AS real, date'2026-11-30' AS day, map('a', 1) AS counts,"
            " array(1, null) AS list, struct(1 AS a, 'b' AS b) AS pair, 1.10BD AS money,"
            " timestamp'2026-11-30 12:00:00' AS time, cast(null AS string) AS nothing,"
            " true AS flag, x'00ff' AS bytes, cast(3 AS tinyint) AS small"
        )
        with_key = fenpack.spark.key(made, "fen")
        assert with_key.drop("key").dtypes == made.dtypes
        assert with_key.drop("key").collect() == made.collect()
        assert fenpack.spark.deduplicate(made, "fen").collect() == made.collect()

    def test_refusals(self, frame):
        with pytest.raises(ValueError, match="column 'epd' is not there; the columns are fen, row"):
            fenpack.spark.validate(frame, "epd")
        with pytest.raises(ValueError, match="into='game' is a column already"):
            fenpack.spark.validate(frame, "fen", into="game")
        with pytest.raises(ValueError, match="order_by 'id' is not there; the columns are fen"):
            fenpack.spark.deduplicate(frame, "fen", order_by="id")
        with pytest.raises(Exception, match="got a column of Int64"):
            fenpack.spark.validate(frame, "row").count()


class TestCastTable:
    """What Spark refuses from mapInArrow never reaches it."""

    @pytest.mark.parametrize(
        ("array", "kind", "expected"),
        [
            (pa.array([0, 255, None], pa.uint8()), "smallint", [0, 255, None]),
            (pa.array([0, 2**16 - 1, None], pa.uint16()), "int", [0, 2**16 - 1, None]),
            (pa.array([0, 2**32 - 1, None], pa.uint32()), "bigint", [0, 2**32 - 1, None]),
            (pa.array([0, 2**64 - 1, None], pa.uint64()), "bigint", [0, -1, None]),
            (pa.array([b"ab", b"\xff\x00", None], pa.binary(2)), "binary", None),
            (
                pa.array([[1, 2], [2**63, 4], None], pa.list_(pa.uint64(), 2)),
                "array<bigint>",
                [[1, 2], [-(2**63), 4], None],
            ),
            (pa.array([["a"], [], None], pa.list_(pa.string())), "array<string>", None),
            (pa.array([True, False, None]), "boolean", None),
            (pa.array([1.5, 2.5, None], pa.float32()), "float", None),
        ],
    )
    def test_each_type(self, spark, array, kind, expected):
        step = batch.Step("n", "made", array.type, partial(pc.take, array))
        frame = spark.createDataFrame([(0,), (1,), (2,)], "n int").coalesce(1)
        made = fenpack.spark.run(frame, step)
        assert dict(made.dtypes)["made"] == kind
        found = [row.made for row in made.orderBy("n").collect()]
        assert found == (array.to_pylist() if expected is None else expected)

    def test_a_type_without_a_place(self, frame):
        step = batch.Step("fen", "made", pa.month_day_nano_interval(), fp.key)
        with pytest.raises(TypeError, match="a column of month_day_nano_interval has no place"):
            fenpack.spark.run(frame, step)


class TestDeduplicate:
    def test_first_rows(self, frame, rows):
        found = fenpack.spark.deduplicate(frame, "fen", order_by="row")
        assert found.columns == frame.columns
        assert sorted(row.row for row in found.collect()) == first_rows(rows)

    def test_partitions_change_nothing(self, frame, rows):
        for partitions in (1, 13):
            shuffled = frame.orderBy(sql.rand(partitions)).repartition(partitions)
            found = fenpack.spark.deduplicate(shuffled, "fen", order_by="row")
            assert sorted(row.row for row in found.collect()) == first_rows(rows)

    @pytest.mark.parametrize("order_by", [(), "game", ("game", "row")])
    def test_survivors_are_those_of_a_batch(self, frame, rows, order_by):
        """Also where `order_by` leaves open which row is first."""
        found = fenpack.spark.deduplicate(frame.repartition(7), "fen", order_by=order_by)
        expected = batch.distinct("fen", order_by=order_by)(rows)
        assert sorted(row.row for row in found.collect()) == sorted(expected["row"].to_pylist())

    @pytest.mark.parametrize("by", ["board_side_rights", "board_side", "board"])
    def test_by(self, frame, rows, by):
        found = fenpack.spark.deduplicate(frame, "fen", order_by="row", by=by)
        expected = batch.distinct("fen", order_by="row", by=by)(rows)
        assert sorted(row.row for row in found.collect()) == sorted(expected["row"].to_pylist())

    def test_rows_of_a_file_by_what_spark_knows_of_it(self, spark, folder, rows):
        numbered = spark.read.parquet(folder).select(
            "*",
            sql.col("_metadata.file_path").alias("file"),
            sql.col("_metadata.row_index").alias("place"),
        )
        found = fenpack.spark.deduplicate(numbered, "fen", order_by=["file", "place"])
        assert sorted(row.row for row in found.collect()) == first_rows(rows)

    def test_colliding_hashes_merge_nothing(self, frame, rows, monkeypatch):
        monkeypatch.setattr(sql, "xxhash64", lambda column: sql.lit(7))
        found = fenpack.spark.deduplicate(frame, "fen", order_by="row")
        assert sorted(row.row for row in found.collect()) == first_rows(rows)

    def test_an_opening_book(self, spark, book, tmp_path):
        frame = spark.read.parquet(write(book, tmp_path / "book", 4))
        found = fenpack.spark.deduplicate(frame, "fen", order_by="row").select("row").collect()
        assert sorted(row.row for row in found) == first_rows(book)
        assert len(found) == 241_670


def test_a_killed_executor_changes_nothing(many, tmp_path):
    folder = write(many, tmp_path / "many", 8)
    here = Path(__file__).parent
    done = subprocess.run(
        [sys.executable, here / "killed_executor.py", folder],
        env=os.environ | {"PYSPARK_PYTHON": sys.executable, "PYTHONPATH": str(here)},
        capture_output=True,
        text=True,
        timeout=500,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    said = json.loads(done.stdout.splitlines()[-1])
    [killed] = said["killed"]
    assert 0 < killed["completed"] < 12, "in mid-shuffle: some parts were done, others not"
    assert len(said["lost"]) == 1
    assert "137" in said["lost"][0]
    assert any(attempt > 0 for _, attempt, _ in said["again"]), "what the executor held was redone"
    assert said["rows"] == first_rows(many)
