"""`fenpack dedup`, whole process, Parquet to Parquet (Snappy).

The first rows of a file of positions from games, three in ten of them repeated; 100 million take
minutes to make and are measured on demand:

    python benches/corpus.py fens_1m.parquet big.parquet --rows 100000000
    python -m benches --corpus big.parquet
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest

from benches.figures import a_second, at_most, disk, figure, memory, within
from benches.processes import fenpack, python

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

COPYING = "pyarrow reading 10 M rows and writing them again"
COPY = """
import sys, pyarrow.parquet as pq
with pq.ParquetFile(sys.argv[1]) as file, pq.ParquetWriter(sys.argv[2], file.schema_arrow) as out:
    for batch in file.iter_batches(1_000_000):
        out.write_batch(batch)
"""


@pytest.fixture(scope="module")
def part(
    corpus: Path, scaled: Callable[..., int], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[int], tuple[Path, int]]:
    """Give a function that writes the first rows of the corpus, once for each size."""
    folder = tmp_path_factory.mktemp("parts")

    def write(millions: int) -> tuple[Path, int]:
        rows = left = scaled(millions * 1_000_000)
        path = folder / f"{millions}.parquet"
        with pq.ParquetFile(corpus) as file:
            if file.metadata.num_rows < rows:
                pytest.skip(f"takes `--corpus` with a file of {rows:,} rows")
            if not path.exists():
                with pq.ParquetWriter(path, file.schema_arrow) as writer:
                    for batch in file.iter_batches(min(rows, 1_000_000)):
                        if left:
                            writer.write_batch(batch.slice(0, left))
                            left -= min(left, len(batch))
        return path, rows

    return write


def label(millions: int) -> str:
    return f"`fenpack dedup` of {millions} M rows"


def of(millions: int, *bounds: Any, headline: bool = False) -> Any:
    """Give a size with its figures: time, memory, and what is spilled to disk."""
    name = label(millions)
    marks = [
        figure(name, a_second(5e6), *bounds, per="row", threads=2, headline=headline),
        memory(f"{name}: peak memory", at_most(2048), headline=headline),
        disk(f"{name}: spilled"),
    ]
    return pytest.param(millions, marks=marks, id=f"{millions}M")


@pytest.mark.parametrize(
    "millions",
    [
        of(1),
        of(10, within(1.5, label(1)), within(None, COPYING), headline=True),
        of(100, within(1.5, label(1))),
    ],
)
def test_dedup(
    timed: Callable[..., Any],
    noted: Callable[..., None],
    part: Callable[[int], tuple[Path, int]],
    tmp_path: Path,
    millions: int,
) -> None:
    path, rows = part(millions)
    out = tmp_path / "out.parquet"
    call = lambda: fenpack("dedup", path, "-o", out, "--memory", "2GiB", "--json")  # noqa: E731
    printed, peak = timed(call, rows, rounds=1)
    found = json.loads(printed)
    assert found["rows"] == rows
    assert pq.read_metadata(out).num_rows == found["kept"]
    noted(peak, unit="MiB")
    noted(found["spilled_bytes"] / 2**20, unit="MiB on disk")


@figure(COPYING, per="row", threads=2, package="pyarrow")
def test_copy(
    timed: Callable[..., Any], part: Callable[[int], tuple[Path, int]], tmp_path: Path
) -> None:
    """What reading and writing alone take, in the plainest loop."""
    path, rows = part(10)
    out = tmp_path / "out.parquet"
    timed(lambda: python("-c", COPY, path, out), rows, rounds=1)
    assert pq.read_metadata(out).num_rows == rows
