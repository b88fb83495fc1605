"""Steps over Arrow batches: what engines run."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import fenpack as fp
from fenpack import batch
from fenpack.batch.identities import packed_identity
from interpreters import COLUMN
from texts import START, UNUSUAL

MIXED = [START, *UNUSUAL.values(), None, "", "x", START]
ROWS = pa.record_batch({"row": range(len(MIXED)), "fen": pa.array(MIXED)})
HIGH = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"

#: Each step, its name and type, and the column function it stands for.
STEPS = {
    "validate": (batch.validate("fen"), "problems", pa.uint64(), fp.validate),
    "is_valid": (batch.is_valid("fen"), "valid", pa.bool_(), fp.is_valid),
    "canonicalize": (batch.canonicalize("fen"), "canonical", pa.string(), fp.canonicalize),
    "parse": (batch.parse("fen"), "position", pa.binary(40), fp.parse),
    "key": (batch.key("fen"), "key", pa.uint64(), fp.key),
    "key128": (
        batch.key("fen", bits=128),
        "key",
        pa.binary(16),
        lambda fens: fp.key(fens, bits=128),
    ),
    "zobrist": (batch.zobrist("fen"), "zobrist", pa.uint64(), fp.zobrist),
    "identity": (batch.identity("fen"), "identity", pa.binary(36), fp.identity),
}
each_step = pytest.mark.parametrize(
    ("step", "name", "kind", "function"), STEPS.values(), ids=STEPS.keys()
)


class TestStep:
    @each_step
    def test_adds_what_the_column_function_gives(self, step, name, kind, function):
        made = step(ROWS)
        assert isinstance(made, pa.RecordBatch)
        assert made.schema == step.schema(ROWS.schema) == ROWS.schema.append(pa.field(name, kind))
        assert made.select(["row", "fen"]).equals(ROWS)
        assert made.column(name).equals(function(MIXED).cast(kind))

    @each_step
    def test_takes_a_table(self, step, name, kind, function):
        table = pa.Table.from_batches([ROWS[:5], ROWS[5:5], ROWS[5:]])
        made = step(table)
        assert isinstance(made, pa.Table)
        assert made.schema == step.schema(table.schema)
        assert made[name].combine_chunks().equals(step(ROWS).column(name))

    @each_step
    @pytest.mark.parametrize("rows", [ROWS[:0], pa.table(ROWS)[:0], ROWS.schema.empty_table()])
    def test_no_rows(self, step, name, kind, function, rows):
        made = step(rows)
        assert made.num_rows == 0
        assert made.schema == step.schema(ROWS.schema)

    @each_step
    def test_slices(self, step, name, kind, function):
        assert step(ROWS[3:11]).column(name).equals(step(ROWS).column(name)[3:11])

    @each_step
    def test_nulls_alone(self, step, name, kind, function):
        rows = pa.record_batch({"fen": pa.nulls(3)})
        made = step(rows)
        assert made.column(name).null_count == 3
        assert made.schema == step.schema(rows.schema)

    @each_step
    @pytest.mark.parametrize("text", [pa.large_string(), pa.string_view(), pa.binary()])
    def test_the_type_does_not_depend_on_that_of_the_text(self, step, name, kind, function, text):
        rows = pa.record_batch({"fen": pa.array(MIXED).cast(text)})
        assert step(rows).column(name).equals(step(ROWS).column(name))

    @each_step
    def test_pickles(self, step, name, kind, function):
        cloudpickle = pytest.importorskip("cloudpickle")
        for module in (pickle, cloudpickle):
            again = pickle.loads(module.dumps(step))
            assert again == step
            assert again(ROWS).equals(step(ROWS))

    def test_replaces_a_column(self):
        step = batch.canonicalize("fen", into="fen")
        made = step(ROWS)
        assert made.schema.names == ["row", "fen"]
        assert made.schema == step.schema(ROWS.schema)
        assert made.column("fen").equals(fp.canonicalize(MIXED))

    def test_takes_positions(self):
        rows = batch.parse("fen", into="fen")(ROWS)
        assert batch.key("fen")(rows).column("key").equals(fp.key(MIXED))

    def test_signed_keys_have_the_same_bits(self):
        for make, unsigned in ((batch.key, fp.key), (batch.zobrist, fp.zobrist)):
            step = make("fen", into="k", signed=True)
            signed = step(ROWS).column("k")
            assert signed.type == step.schema(ROWS.schema).field("k").type == pa.int64()
            assert signed.view(pa.uint64()).equals(unsigned(MIXED))
        assert fp.key([HIGH])[0].as_py() >= 2**63
        rows = pa.record_batch({"fen": [HIGH]})
        [made] = batch.key("fen", signed=True)(rows).column("key").to_pylist()
        assert made == fp.key([HIGH])[0].as_py() - 2**64

    def test_problem_names(self):
        rows = batch.validate("fen")(ROWS)
        names = fp.problem_names(fp.validate(MIXED)).cast(pa.list_(pa.string()))
        step = batch.problem_names("problems")
        assert step(rows).schema == step.schema(rows.schema)
        assert step(rows).column("problem_names").equals(names)
        signed = rows.set_column(2, "problems", rows.column("problems").cast(pa.int64()))
        assert step(signed).column("problem_names").equals(names)

    def test_options(self):
        fen = "3k4/8/8/8/8/8/8/R2K3R w KQ - 0 30"
        rows = pa.record_batch({"fen": [fen]})
        for make in (batch.validate, batch.is_valid, batch.key, batch.identity, batch.canonicalize):
            standard, chess960 = make("fen", into="x"), make("fen", into="x", chess960=True)
            assert not standard(rows).equals(chess960(rows))
        drop = batch.canonicalize("fen", counters="drop", castling="shredder", chess960=True)
        assert drop(rows).column("canonical").to_pylist() == ["3k4/8/8/8/8/8/8/R2K3R w HA -"]
        lone = batch.is_valid("fen", profile="chess.js")
        assert lone(rows).column("valid").equals(fp.is_valid([fen], profile="chess.js"))

    def test_refusals(self):
        with pytest.raises(ValueError, match="column 'epd' is not there; the columns are row, fen"):
            batch.validate("epd")(ROWS)
        with pytest.raises(ValueError, match="into='row' is a column already"):
            batch.validate("fen", into="row").schema(ROWS.schema)
        twice = pa.RecordBatch.from_arrays([ROWS.column(1)] * 2, names=["fen", "fen"])
        with pytest.raises(ValueError, match="column 'fen' is there twice"):
            batch.validate("fen")(twice)
        with pytest.raises(ValueError, match="bits must be 64 or 128, got 32"):
            batch.key("fen", bits=32)
        with pytest.raises(ValueError, match="signed goes with bits=64 only"):
            batch.key("fen", bits=128, signed=True)
        with pytest.raises(TypeError, match="got a column of Int64") as raised:
            batch.validate("row")(ROWS)
        assert raised.value.__notes__ == ["x is column 'row'"]


class TestThreads:
    def test_a_step_takes_one_thread(self, monkeypatch):
        seen = []
        step = batch.Step("fen", "n", pa.int64(), lambda x: seen.append(fp.get_num_threads()) or x)
        before = fp.get_num_threads()
        fp.set_num_threads(7)
        try:
            step(pa.record_batch({"fen": [1]}))
            assert fp.get_num_threads() == 7
            with pytest.raises(ZeroDivisionError):
                batch.Step("fen", "n", pa.int64(), lambda x: 1 // 0)(ROWS)
            assert fp.get_num_threads() == 7
        finally:
            fp.set_num_threads(before)
        assert seen == [1]

    @pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="counts threads in /proc")
    def test_workers_times_threads_is_workers(self):
        """Two engine workers on many rows start no thread of their own."""
        rows = pa.record_batch({"fen": pa.concat_arrays([COLUMN] * 4)})
        step, tasks = batch.validate("fen"), Path("/proc/self/task")
        before = fp.get_num_threads()
        fp.set_num_threads(8)
        try:
            with ThreadPoolExecutor(2) as pool:
                list(pool.map(step, [rows[:1]] * 2))
                idle = len(list(tasks.iterdir()))
                calls = [pool.submit(step, rows) for _ in range(2)]
                most = 0
                while not all(call.done() for call in calls):
                    most = max(most, len(list(tasks.iterdir())))
        finally:
            fp.set_num_threads(before)
        assert most <= idle + 1  # a pool starts its second thread when it has two calls

    def test_eight_threads_times_chunks_give_the_same(self):
        rows = pa.record_batch({"fen": COLUMN[:100_000]})
        parts = [rows[start : start + 5000] for start in range(0, rows.num_rows, 5000)]
        for step, name, _, _ in STEPS.values():
            whole = step(rows).column(name)
            with ThreadPoolExecutor(8) as pool:
                made = [part.column(name) for part in pool.map(step, parts)]
            assert pa.concat_arrays(made).equals(whole)


# --- deduplication ---------------------------------------------------------------------------


def survivors(rows: pa.RecordBatch, order_by: str = "row", **options: str) -> list[int]:
    return batch.distinct("fen", order_by=order_by, **options)(rows).column("row").to_pylist()


class TestDistinct:
    def test_the_first_row_of_each_position(self):
        repeated = fp.is_duplicate(MIXED).fill_null(False).to_pylist()
        assert survivors(ROWS) == [row for row, found in enumerate(repeated) if not found]
        assert ROWS.num_rows - len(survivors(ROWS)) > 5

    @pytest.mark.parametrize("by", ["position", "board_side_rights", "board_side", "board"])
    def test_by(self, sample, by):
        rows = pa.record_batch({"fen": sample[:5000] + MIXED, "row": range(5000 + len(MIXED))})
        first = {}
        for row, identity in enumerate(fp.identity(rows.column("fen"), by=by).to_pylist()):
            first.setdefault(row if identity is None else identity, row)
        assert survivors(rows, by=by) == sorted(first.values())

    @pytest.mark.parametrize("order_by", [(), "row", ("missing", "row")])
    def test_the_order_of_rows_and_their_partitions_change_nothing(self, sample, order_by):
        fens = sample[:2000] + sample[500:1500] + MIXED
        rows = pa.table(
            {
                "fen": fens,
                "row": pa.array([None, *range(1, len(fens))]),
                "missing": pa.array([None, 1] * (len(fens) // 2) + [None] * (len(fens) % 2)),
                "list": [[1]] * len(fens),
            }
        )
        step = batch.distinct("fen", order_by=order_by)
        expected = step(rows)
        for partitions in (1, 3, 16):
            order = list(range(len(fens)))
            random.Random(partitions).shuffle(order)
            placed = batch.partition("fen", partitions)(rows.take(order))
            parts = [
                step(placed.filter(pa.compute.equal(placed["partition"], number)))
                for number in range(partitions)
            ]
            together = pa.concat_tables(parts).drop_columns(["partition"])
            # Rows that nothing but their place tells apart are the same.
            assert together.sort_by([(name, "ascending") for name in ("fen", "row")]).equals(
                expected.sort_by([(name, "ascending") for name in ("fen", "row")])
            )

    def test_colliding_hashes_merge_nothing(self):
        """A partition is a hash of few bits; what meets in it is compared."""
        rows = batch.partition("fen", 1)(ROWS)
        assert set(rows.column("partition").to_pylist()) == {0}
        assert survivors(rows) == survivors(ROWS)

    def test_the_identity_of_an_identity(self, sample):
        fens = [*sample, *MIXED]
        for by in ("position", "board_side_rights", "board_side", "board"):
            for chess960 in (False, True):
                packed = packed_identity(pa.array(fens), by, chess960)
                identity = fp.identity(fens, by=by, chess960=chess960)
                assert fp.identity(packed, chess960=True).equals(identity)
                sliced = packed_identity(pa.array(fens)[100:900], by, chess960)
                assert sliced.equals(packed[100:900])

    def test_partitions(self, sample):
        rows = pa.table({"fen": sample})
        step = batch.partition("fen", 7)
        placed = step(rows)
        assert placed.schema == step.schema(rows.schema)
        assert (
            placed["partition"]
            .combine_chunks()
            .equals(pa.array((fp.key(sample).to_numpy() % 7).astype(np.int32)))
        )
        assert set(placed["partition"].to_pylist()) == set(range(7))
        unreadable = step(pa.table({"fen": [None] * 9})).column("partition").to_pylist()
        assert unreadable == [0, 1, 2, 3, 4, 5, 6, 0, 1]

    def test_no_rows(self):
        for rows in (ROWS[:0], pa.table(ROWS)[:0], ROWS.schema.empty_table()):
            assert batch.distinct("fen")(rows).schema == ROWS.schema
            assert batch.partition("fen", 2)(rows).num_rows == 0

    def test_pickles(self):
        step = batch.distinct("fen", order_by=["row"])
        assert pickle.loads(pickle.dumps(step)) == step

    def test_an_opening_book(self, uho):
        rows = pa.table({"fen": uho, "row": range(len(uho))})
        assert batch.distinct("fen", order_by="row")(rows).num_rows == 241_670

    def test_refusals(self):
        with pytest.raises(ValueError, match="partitions must be at least 1, got 0"):
            batch.partition("fen", 0)
        with pytest.raises(ValueError, match="order_by 'id' is not there; the columns are row"):
            batch.distinct("fen", order_by="id")(ROWS)
        with pytest.raises(ValueError, match='by must be one of "position"'):
            batch.distinct("fen", by="text")(ROWS)


def test_the_root_imports_no_engine():
    script = """
import sys, fenpack, fenpack.batch
print([name for name in ("datafusion", "datasets", "duckdb", "polars", "pyspark", "ray", "torch")
       if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")


@pytest.mark.parametrize("text", [pa.string_view(), pa.binary_view()])
def test_distinct_of_views(text: pa.DataType) -> None:
    rows = ["8/8/8/8/8/8/8/K1k5 w - - 0 1", "8/8/8/8/8/8/8/K1k5 w - - 5 9", "?", None]
    table = pa.table({"fen": pa.array(rows).cast(text), "id": range(4)})
    for whole in (table, table.to_batches()[0], table.slice(0, 0)):
        first = batch.distinct("fen", order_by="id")(whole)
        assert first.schema == whole.schema
        assert first.num_rows == min(3, whole.num_rows)


def test_partition_of_dictionaries_that_have_nulls():
    chunks = [pa.DictionaryArray.from_arrays([0], pa.array([None], pa.string()))] * 2
    rows = pa.table({"fen": pa.chunked_array(chunks)})
    assert batch.partition("fen", 7)(rows)["partition"].to_pylist() == [0, 1]
