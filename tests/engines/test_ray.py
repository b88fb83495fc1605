"""Ray: steps and exact deduplication on real workers, two of which are killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

import fenpack as fp
from fenpack import batch
from survivors import first_rows, write
from texts import START

ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'fenpack[ray]'")
fenpack_ray = pytest.importorskip("fenpack.ray")
pytest.importorskip("ray.data")

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # Ray has many of its own


@pytest.fixture(scope="module", autouse=True)
def _cluster():
    ray.init(
        num_cpus=2,
        include_dashboard=False,
        log_to_driver=False,
        logging_level="error",
        object_store_memory=500_000_000,
    )
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield
    ray.shutdown()


@pytest.fixture(scope="module")
def folder(rows, tmp_path_factory):
    return write(rows, tmp_path_factory.mktemp("ray") / "rows", 5)


@pytest.fixture
def dataset(folder):
    return ray.data.read_parquet(folder)


def table(dataset):
    blocks = list(dataset.iter_batches(batch_format="pyarrow", batch_size=None))
    return pa.concat_tables(blocks).sort_by("row")


class TestSteps:
    def test_steps_give_what_the_column_functions_give(self, dataset, rows):
        steps = {
            "problems": (batch.validate("fen"), fp.validate),
            "valid": (batch.is_valid("fen"), fp.is_valid),
            "canonical": (batch.canonicalize("fen"), fp.canonicalize),
            "key": (batch.key("fen"), fp.key),
            "identity": (batch.identity("fen"), fp.identity),
            "position": (batch.parse("fen"), lambda x: fp.parse(x).cast(pa.binary(40))),
        }
        for step, _ in steps.values():
            dataset = fenpack_ray.run(dataset, step, batch_size=4096)
        made = table(dataset)
        assert made.column_names == ["fen", "row", "game", *steps]
        for name, (step, function) in steps.items():
            assert made[name].type == step.type
            assert made[name].to_pylist() == function(rows["fen"]).to_pylist()

    def test_a_missing_column(self, dataset):
        with pytest.raises(Exception, match="column 'epd' is not there"):
            fenpack_ray.run(dataset, batch.validate("epd")).materialize()


class TestDeduplicate:
    def test_first_rows(self, dataset, rows):
        found = fenpack_ray.deduplicate(dataset, "fen", order_by="row", partitions=5)
        assert found.schema().names == ["fen", "row", "game"]
        assert table(found)["row"].to_pylist() == first_rows(rows)

    @pytest.mark.parametrize("order_by", [(), "game"])
    def test_survivors_are_those_of_a_batch(self, dataset, rows, order_by):
        shuffled = dataset.repartition(3)
        found = fenpack_ray.deduplicate(shuffled, "fen", order_by=order_by, partitions=2)
        expected = batch.distinct("fen", order_by=order_by)(rows)
        assert table(found)["row"].to_pylist() == sorted(expected["row"].to_pylist())

    def test_by(self, dataset, rows):
        found = fenpack_ray.deduplicate(dataset, "fen", order_by="row", by="board", partitions=3)
        expected = batch.distinct("fen", order_by="row", by="board")(rows)
        assert table(found)["row"].to_pylist() == sorted(expected["row"].to_pylist())

    def test_an_opening_book(self, book, tmp_path):
        dataset = ray.data.read_parquet(write(book, tmp_path / "book", 4))
        found = table(fenpack_ray.deduplicate(dataset, "fen", order_by="row", partitions=4))
        assert found["row"].to_pylist() == first_rows(book)
        assert found.num_rows == 241_670

    def test_refusals(self):
        dataset = ray.data.from_items([{"fen": START}])
        with pytest.raises(ValueError, match="partitions must be at least 1, got 0"):
            fenpack_ray.deduplicate(dataset, "fen", partitions=0)
        with pytest.raises(Exception, match="order_by 'id' is not there"):
            fenpack_ray.deduplicate(dataset, "fen", order_by="id", partitions=1).materialize()


def test_killed_workers_change_nothing(many, tmp_path):
    folder = write(many, tmp_path / "many", 8)
    here = Path(__file__).parent
    done = subprocess.run(
        [sys.executable, here / "killed_worker.py", folder],
        env=os.environ | {"PYTHONPATH": str(here)},
        capture_output=True,
        text=True,
        timeout=500,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    said = json.loads(done.stdout.splitlines()[-1])
    assert said["killed"] == ["ray::HashShuffleMap", "ray::HashShuffleReduce"]
    assert said["rows"] == first_rows(many)
