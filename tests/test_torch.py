"""Datasets for PyTorch, where it is installed."""

from __future__ import annotations

import doctest
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import fenpack as fp
from fenpack.layouts import LAYOUTS

torch = pytest.importorskip("torch", reason="torch is not installed: pip install fenpack[torch]")

import fenpack.torch  # noqa: E402
from fenpack.torch import PackedPositions, PositionBatches, expand  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore:This DataLoader will create")

ROWS = 40_000
small = partial(fp.bitboards, layout="roles")


@pytest.fixture(scope="module")
def file(sample, tmp_path_factory):
    path = tmp_path_factory.mktemp("rows") / "rows.parquet"
    pq.write_table(pa.table({"fen": sample, "row": range(ROWS)}), path)
    return path


@pytest.fixture(scope="module")
def packed(sample, tmp_path_factory):
    path = tmp_path_factory.mktemp("packed") / "rows.arrow"
    table = pa.table({"position": fp.parse(sample), "row": range(ROWS)})
    with pa.ipc.new_file(path, table.schema) as writer:
        writer.write_table(table)
    return path


def loader(dataset, workers):
    return torch.utils.data.DataLoader(dataset, batch_size=None, num_workers=workers)


def test_examples():
    results = doctest.testmod(fenpack.torch)
    assert results.attempted
    assert not results.failed


@pytest.mark.parametrize("workers", [0, 1, 2, 3])
@pytest.mark.parametrize("shuffle", [0, 10_000])
def test_workers_and_ranks_divide_the_rows(file, workers, shuffle):
    seen = []
    for rank in range(2):
        dataset = PositionBatches(
            file, labels=["row"], encode=small, shuffle=shuffle, rank=rank, world_size=2
        )
        seen += [batch["row"] for batch in loader(dataset, workers)]
    assert (torch.cat(seen).sort().values == torch.arange(ROWS)).all()


def test_planes(file, sample):
    planes = fp.planes(sample, "maia2_18", dtype="float16")
    encode = partial(fp.planes, layout="maia2_18", dtype="float16")
    dataset = PositionBatches(file, labels=["row"], encode=encode, batch_size=4096, shuffle=9000)
    for batch in loader(dataset, 2):
        assert batch["x"].dtype == torch.float16
        assert (batch["x"].numpy() == planes[batch["row"].numpy()]).all()


def test_epochs(file):
    dataset = PositionBatches(file, labels=["row"], encode=small, shuffle=5000)

    def order():
        return torch.cat([batch["row"] for batch in loader(dataset, 2)])

    first = order()
    assert (order() == first).all()
    dataset.set_epoch(1)
    assert (order() != first).any()


@pytest.mark.parametrize("workers", [0, 1, 2, 3])
@pytest.mark.parametrize("stop", [0, 1, 8, 13])
def test_going_on(file, workers, stop):
    options = {"labels": ["row"], "encode": small, "shuffle": 5000, "seed": 9, "batch_size": 1000}
    whole = [batch["row"] for batch in loader(PositionBatches(file, **options), workers)]
    dataset = PositionBatches(file, **options)
    dataset.load_state_dict({"epoch": 0, "batches": stop})
    rest = [batch["row"] for batch in loader(dataset, workers)]
    assert sorted(torch.cat(rest).tolist()) == sorted(torch.cat(whole[stop:]).tolist())
    common = min(len(rest), 40 // max(1, workers) - stop)
    assert all((rest[i] == whole[stop + i]).all() for i in range(common))


def test_the_state_of_a_worker(file):
    """torchdata asks each worker's dataset for its state and gives it back."""
    options = {"labels": ["row"], "encode": small, "shuffle": 5000}
    dataset = PositionBatches(file, **options)
    iterator = iter(dataset)
    given = [next(iterator)["row"] for _ in range(5)]
    state = dataset.state_dict()
    rest = [batch["row"] for batch in iterator]
    again = PositionBatches(file, **options)
    again.load_state_dict(state)
    resumed = [batch["row"] for batch in again]
    assert len(given) + len(resumed) == len(given) + len(rest)
    assert all((a == b).all() for a, b in zip(resumed, rest, strict=True))


def test_options(file):
    with pytest.raises(ValueError, match="rank and world_size go together"):
        PositionBatches(file, rank=1)
    with pytest.raises(ValueError, match="follow from rank"):
        PositionBatches(file, shard=1)
    with pytest.raises(ValueError, match="batch_size must be at least 1"):
        PositionBatches(file, batch_size=0)


@pytest.mark.parametrize("workers", [0, 2])
def test_random_rows(packed, sample, workers):
    from torch.utils.data import BatchSampler, DataLoader, RandomSampler

    rows = PackedPositions(packed, encode=small, labels=["row"])
    assert len(rows) == ROWS
    sampler = BatchSampler(RandomSampler(rows), 4096, drop_last=False)
    seen, words = [], fp.bitboards(sample, layout="roles")
    for batch in DataLoader(rows, sampler=sampler, batch_size=None, num_workers=workers):
        assert (batch["x"].numpy() == words[batch["row"].numpy()]).all()
        seen.append(batch["row"])
    assert (torch.cat(seen).sort().values == torch.arange(ROWS)).all()
    one = rows[17]
    assert one["row"] == 17
    assert (one["x"].numpy() == words[17]).all()
    loaded = next(iter(DataLoader(rows, batch_size=5)))
    assert loaded["x"].shape == (5, 8)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_expand(layout, sample):
    words = torch.from_numpy(fp.bitboards(sample[:300], layout=layout))
    expected = fp.planes(sample[:300], layout, dtype="float32")
    assert np.allclose(expand(words, layout).numpy(), expected, rtol=1e-6, atol=0)
    assert expand(words.view(torch.int64), layout, dtype=torch.float16).dtype == torch.float16
    with pytest.raises(ValueError, match="64-bit integers of shape"):
        expand(words[:, 1:], layout)


def test_out_is_a_tensor(sample):
    for dtype in (torch.uint8, torch.float16, torch.float32, torch.bool):
        out = torch.zeros((500, 12, 8, 8), dtype=dtype)
        assert fp.planes(sample[:500], out=out) is out
        assert (out.numpy() == fp.planes(sample[:500])).all()
    out = torch.zeros((500, 64), dtype=torch.int64)
    fp.tokens(sample[:500], out=out)
    assert fp.from_tokens(out).equals(fp.from_tokens(fp.tokens(sample[:500])))


def test_nothing_is_copied():
    planes = fp.planes(["8/8/8/8/8/8/8/K1k5 w - -"])
    tensor = torch.from_numpy(planes)
    assert tensor.data_ptr() == planes.ctypes.data
