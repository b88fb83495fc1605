"""Memory: a call allocates its result, a file is streamed."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

PEAK = "resource.getrusage(resource.RUSAGE_SELF).ru_maxrss"


def printed(script: str, *arguments: object) -> list[int]:
    """Run `script` in an interpreter of its own and return the last numbers it printed, in KiB."""
    command = [sys.executable, "-c", script, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [int(number) for number in done.stdout.splitlines()[-1].split()]


@pytest.mark.parametrize(("function", "row"), [("validate", 8), ("is_valid", 1 / 8), ("parse", 41)])
def test_a_column_allocates_its_result(function: str, row: float) -> None:
    script = f"""
import resource
import pyarrow as pa, fenpack as fp
fen = "r1bqr1k1/pppn1pbp/3p1np1/4p1B1/2PP4/3BPN1P/PP1N1PP1/R2QK2R b KQ - 1 9"
chunk = pa.array([fen] * 500_000)
column = pa.chunked_array([chunk] * 20)
fp.{function}(column.slice(0, 1_000_000))
before = {PEAK}
fp.{function}(column)
print({PEAK} - before)
"""
    [grown] = printed(script)
    # What the smaller call allocated was freed and is used again.
    assert grown < 10_000_000 * row / 1024 + 4096


def test_a_file_is_streamed(tmp_path: Path, sample: list[str]) -> None:
    """A file ten times as long has the same peak within a few batches."""
    script = f"""
import resource, sys
from fenpack.__main__ import main
main(sys.argv[1:])
print({PEAK})
"""
    peaks = []
    for times in (10, 100):
        file = tmp_path / f"{times}.parquet"
        batch = pa.record_batch({"fen": sample})
        with pq.ParquetWriter(file, batch.schema) as writer:
            for _ in range(times):
                writer.write_batch(batch)
        peaks += printed(script, "validate", file, "--out", tmp_path / "out.parquet")
    assert peaks[1] < peaks[0] + 100 * 1024
