"""Batches of encoded positions: shards, shuffling, labels, going on where one was."""

from __future__ import annotations

import pickle
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import fenpack as fp
from fenpack.feeding import BLOCK, Batches
from fenpack.gathering import PackedFile
from fenpack.io import InputError
from texts import START

ROWS = 40_000


@pytest.fixture(scope="module")
def files(sample, tmp_path_factory):
    """Write the sample as three Parquet files, with its row numbers as a label."""
    folder = tmp_path_factory.mktemp("rows")
    table = pa.table({"fen": sample, "row": range(ROWS), "half": np.arange(ROWS) / 2})
    for i, (start, end) in enumerate([(0, 15_000), (15_000, 15_001), (15_001, ROWS)]):
        pq.write_table(table.slice(start, end - start), folder / f"{i}.parquet")
    return folder


small = partial(fp.bitboards, layout="roles")


def rows_of(batches) -> np.ndarray:
    return np.concatenate([batch["row"] for batch in batches])


def test_in_order(files, sample):
    batches = list(Batches(files, encode=small, labels=["row", "half"], batch_size=1000))
    assert [len(batch["x"]) for batch in batches] == [1000] * 40
    assert (rows_of(batches) == np.arange(ROWS)).all()
    assert (np.concatenate([batch["half"] for batch in batches]) == np.arange(ROWS) / 2).all()
    words = np.concatenate([batch["x"] for batch in batches])
    assert (words == fp.bitboards(sample, layout="roles")).all()


@pytest.mark.parametrize("shuffle", [0, 10_000, 100_000])
@pytest.mark.parametrize("shards", [1, 2, 3, 7])
def test_shards_have_every_row_once(files, shuffle, shards):
    options = {"encode": small, "labels": ["row"], "shuffle": shuffle, "batch_size": 999}
    parts = [rows_of(Batches(files, shard=i, shards=shards, **options)) for i in range(shards)]
    assert (np.sort(np.concatenate(parts)) == np.arange(ROWS)).all()
    assert max(map(len, parts)) - min(map(len, parts)) <= 2 * BLOCK


class TestShuffle:
    def batches(self, files, **options):
        settings = {"encode": small, "labels": ["row"], "shuffle": 10_000, "seed": 3}
        return Batches(files, **(settings | options))

    def test_rows_keep_their_labels(self, files, sample):
        words = fp.bitboards(sample, layout="roles")
        for batch in self.batches(files):
            assert (batch["x"] == words[batch["row"]]).all()

    def test_every_epoch_has_its_order(self, files):
        batches = self.batches(files)
        first, second = rows_of(batches), rows_of(batches)
        assert (first != second).any()
        assert batches.epoch == 2
        again = self.batches(files)
        assert (rows_of(again) == first).all()
        assert (rows_of(again) == second).all()
        assert (rows_of(self.batches(files, seed=4)) != first).any()

    def test_rows_are_mixed(self, files):
        rows = rows_of(self.batches(files))
        assert np.abs(np.diff(rows)).mean() > 1000
        whole = rows_of(self.batches(files, shuffle=ROWS))
        assert abs(np.corrcoef(whole, np.arange(ROWS))[0, 1]) < 0.05

    def test_a_buffer_smaller_than_a_batch(self, files):
        sizes = [len(batch["x"]) for batch in self.batches(files, shuffle=10, batch_size=15_000)]
        assert sum(sizes) == ROWS

    @pytest.mark.parametrize("stop", [0, 1, 17, 39, 40])
    def test_going_on(self, files, stop):
        whole = [batch["row"] for batch in self.batches(files, batch_size=1000)]
        begun = self.batches(files, batch_size=1000)
        iterator = iter(begun)
        for _ in range(stop):
            next(iterator)
        state = begun.state_dict()
        assert state == {"epoch": 0, "batches": stop}
        resumed = self.batches(files, batch_size=1000)
        resumed.load_state_dict(state)
        assert resumed.state_dict() == state
        rest = [batch["row"] for batch in resumed]
        assert len(rest) == 40 - stop
        assert all((a == b).all() for a, b in zip(rest, whole[stop:], strict=True))
        assert resumed.state_dict() == {"epoch": 1, "batches": 0}
        assert (rows_of(resumed) != np.concatenate(whole)).any(), "the next epoch is whole"


def test_drop_last(files):
    options = {"encode": small, "batch_size": 999}
    assert [len(batch["x"]) for batch in Batches(files, **options)][-1] == ROWS % 999
    sizes = [len(batch["x"]) for batch in Batches(files, drop_last=True, **options)]
    assert set(sizes) == {999}


class TestRefusals:
    @pytest.fixture
    def file(self, tmp_path):
        path = tmp_path / "rows.parquet"
        fens = [START] * 10_000
        fens[9_000], fens[9_500] = "nonsense", None
        table = {"fen": fens, "score": [1, None] * 5_000, "name": ["a"] * 10_000}
        pq.write_table(pa.table(table), path)
        return path

    def test_unreadable(self, file):
        with pytest.raises(fp.FenError) as caught:
            list(Batches(file, encode=small))
        assert caught.value.row == 9_000
        kept = sum(len(batch["x"]) for batch in Batches(file, encode=small, unreadable="drop"))
        assert kept == 9_998

    def test_texts_are_numbers(self, tmp_path):
        path = tmp_path / "rows.csv"
        path.write_text(f"fen,score\n{START},+12\n{START},-3.5\n{START},nan\n")
        [batch] = Batches(path, encode=small, labels=["score"])
        assert np.array_equal(batch["score"], [12, -3.5, np.nan], equal_nan=True)

    def test_null(self, tmp_path):
        path = tmp_path / "rows.parquet"
        pq.write_table(pa.table({"fen": [*[START] * 9_000, None]}), path)
        with pytest.raises(ValueError, match="row 9000 is null"):
            list(Batches(path, encode=small))

    def test_labels(self, file):
        with pytest.raises(ValueError, match="label score is null in row 1"):
            list(Batches(file, labels=["score"]))
        with pytest.raises(ValueError, match="label name is no number in row 0: 'a'"):
            list(Batches(file, labels=["name"]))
        with pytest.raises(ValueError, match="labels must be among fen, score, name, got 'win'"):
            list(Batches(file, labels=["win"]))
        with pytest.raises(TypeError, match="sequence of names"):
            Batches(file, labels="score")
        with pytest.raises(ValueError, match='the name "x"'):
            Batches(file, labels=["x"])

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"batch_size": 0}, "batch_size must be at least 1, got 0"),
            ({"shuffle": -1}, "shuffle must be at least 0, got -1"),
            ({"shards": 0}, "shards must be at least 1, got 0"),
            ({"shard": 2, "shards": 2}, "shard must be below shards, 2, got 2"),
            ({"unreadable": "null"}, "unreadable must be one of"),
        ],
    )
    def test_options(self, file, options, message):
        with pytest.raises(ValueError, match=message):
            Batches(file, **options)


def test_labels_that_are_there_twice(tmp_path):
    file = tmp_path / "twice.csv"
    file.write_text(f"fen,s,s\n{START},1,2\n")
    with pytest.raises(ValueError, match="names of one column, several are 's'"):
        list(Batches(file, labels=["s"]))
    assert len(list(Batches(file))) == 1
    column = fp.parse([START])
    table = pa.Table.from_arrays([column, pa.array([1]), pa.array([2])], ["position", "s", "s"])
    with pa.ipc.new_file(tmp_path / "twice.arrow", table.schema) as writer:
        writer.write_table(table)
    with pytest.raises(InputError, match="several columns are called 's'"):
        PackedFile(tmp_path / "twice.arrow", labels=["s"])


@pytest.mark.parametrize("unreadable", ["drop", "raise"])
def test_label_errors_name_the_row_of_the_file(tmp_path, unreadable):
    fens = [START, "?", None, START, START] if unreadable == "drop" else [START] * 5
    for values, message in (
        ([1, 2, 3, 4, None], "label n is null in row 4"),
        (["1", "2", "3", "four", "5"], "no number in row 3: 'four'"),
    ):
        pq.write_table(pa.table({"fen": fens, "n": values}), tmp_path / "rows.parquet")
        batches = Batches(tmp_path / "rows.parquet", labels=["n"], unreadable=unreadable)
        with pytest.raises(ValueError, match=message):
            list(batches)


def test_views(tmp_path):
    text = pa.string_view()
    table = pa.table({"fen": pa.array([START, "?"], text), "n": pa.array(["1.5", "2"], text)})
    with pa.ipc.new_file(tmp_path / "views.arrow", table.schema) as writer:
        writer.write_table(table)
    [batch] = Batches(tmp_path / "views.arrow", labels=["n"], unreadable="drop")
    assert batch["n"].tolist() == [1.5]


@pytest.fixture(scope="module")
def path(sample, tmp_path_factory):
    """Pack the sample in batches of uneven size."""
    path = tmp_path_factory.mktemp("packed") / "rows.arrow"
    table = pa.table({"position": fp.parse(sample), "row": range(ROWS)})
    with pa.ipc.new_file(path, table.schema) as writer:
        for start, end in ((0, 1), (1, 1), (1, 30_000), (30_000, ROWS)):
            writer.write_table(table.slice(start, end - start))
    return path


class TestPackedFile:
    def test_rows(self, path, sample):
        rows = PackedFile(path, encode=small, labels=["row"])
        assert len(rows) == ROWS
        wanted = np.random.default_rng(1).integers(0, ROWS, 5000)
        batch = rows.take(wanted)
        assert (batch["row"] == wanted).all()
        assert (batch["x"] == fp.bitboards(sample, layout="roles")[wanted]).all()
        assert len(rows.take([])["x"]) == 0

    def test_nothing_is_read_into_memory(self, path):
        before = pa.total_allocated_bytes()
        rows = PackedFile(path, encode=small, labels=["row"])
        rows.take([5, 39_999])
        assert pa.total_allocated_bytes() == before

    def test_another_process_maps_it_anew(self, path):
        rows = pickle.loads(pickle.dumps(PackedFile(path, encode=small, labels=["row"])))
        assert rows.take([7, 35_000])["row"].tolist() == [7, 35_000]
        assert len(pickle.dumps(PackedFile(path, encode=small))) < 1000

    def test_refusals(self, path, tmp_path):
        rows = PackedFile(path, encode=small)
        for wrong in ([ROWS], [-1]):
            with pytest.raises(IndexError, match=f"of {ROWS}"):
                rows.take(wrong)
        mask = np.ones(ROWS, bool)
        for wrong, message in (
            (mask, "got bool; numpy.flatnonzero"),
            ([True, 2], "got bool"),
            ([1.7], "got float64"),
            (["1"], "got <U1"),
            (slice(3), r"range\(start, stop\)"),
            (3, r"take \[row\]"),
            ([[1, 2]], "must have one dimension, got 2"),
            (None, "got object"),
        ):
            with pytest.raises(TypeError, match=message):
                rows.take(wrong)
        for outside in (2**63, 2**70, -(2**70)):
            with pytest.raises(IndexError, match=f"row {outside} of {ROWS}"):
                rows.take([1, outside])
        with pytest.raises(ValueError, match='must not have the name "x"'):
            PackedFile(path, labels=["x"])
        with pytest.raises(TypeError, match="sequence of names"):
            PackedFile(path, labels="row")
        with pytest.raises(InputError, match="no column 'score', only position, row"):
            PackedFile(path, labels=["score"])
        with pytest.raises(InputError):
            PackedFile(tmp_path / "missing.arrow")
        (tmp_path / "text.arrow").write_text("no Arrow file")
        with pytest.raises(InputError):
            PackedFile(tmp_path / "text.arrow")
        table = pa.table({"position": fp.parse([START, None])})
        with pa.ipc.new_file(tmp_path / "null.arrow", table.schema) as writer:
            writer.write_table(table)
        with pytest.raises(ValueError, match="null positions; pack it with --unreadable drop"):
            PackedFile(tmp_path / "null.arrow")
