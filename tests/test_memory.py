"""Memory: a call allocates its result, a file is streamed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import ipc

from files import COMPRESS, as_kind

pytestmark = pytest.mark.slow

PEAK = "resource.getrusage(resource.RUSAGE_SELF).ru_maxrss"


def printed(script: str, *arguments: object) -> list[int]:
    """Run `script` in an interpreter of its own and return the last numbers it printed, in KiB."""
    command = [sys.executable, "-c", script, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [int(number) for number in done.stdout.splitlines()[-1].split()]


@pytest.mark.parametrize(
    ("function", "row"),
    [("validate", 8), ("is_valid", 1 / 8), ("parse", 41), ("bitboards", 96), ("tokens", 64)],
)
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


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux")
@pytest.mark.parametrize(
    "kind",
    [
        *(".fen", ".epd", ".csv", ".tsv", ".jsonl", ".pgn", ".fen.gz", ".csv.zst", ".jsonl.bz2"),
        *(".parquet", ".arrow", ".arrows"),
    ],
)
def test_a_scan_is_streamed(tmp_path: Path, sample: list[str], kind: str) -> None:
    """A file ten times as long has the same peak within a few blocks."""
    # Unlike the peak of getrusage, this one does not begin with that of the parent.
    script = """
import sys
from fenpack.io import scan
rows = sum(batch.num_rows for batch in scan(sys.argv[1]))
with open("/proc/self/status") as status:
    print(rows, *(line.split()[1] for line in status if line.startswith("VmHWM")))
"""
    found = []
    for times in (10, 100):
        file = tmp_path / f"{times}{kind}"
        write_often(file, sample, times)
        found.append(printed(script, file))
    assert found[1][0] == 10 * found[0][0]
    assert found[1][1] < found[0][1] + 40 * 1024


def write_often(file: Path, rows: list[str], times: int) -> None:
    """Write rows many times over."""
    kind, *end = file.suffixes
    batch = pa.record_batch({"fen": rows})
    if kind == ".parquet":
        with pq.ParquetWriter(file, batch.schema) as parquet:
            for _ in range(times):
                parquet.write_batch(batch)
    elif kind in (".arrow", ".arrows"):
        new = ipc.new_stream if kind == ".arrows" else ipc.new_file
        with new(file, batch.schema) as writer:
            for _ in range(times):
                writer.write_batch(batch)
    else:
        compress = COMPRESS["".join(end)]
        header = as_kind(kind, [])
        body = as_kind(kind, rows).removeprefix(header)
        with file.open("wb") as sink:
            sink.write(compress(header))
            for part in [compress(body)] * times:
                sink.write(part)
