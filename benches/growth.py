"""Time `fenpack dedup` on growing parts of a large file: rows a second, memory, disk.

python benches/corpus.py fens_1m.parquet big.parquet --rows 100000000
python benches/growth.py big.parquet
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow.parquet as pq

PARTS = (1_000_000, 10_000_000, 100_000_000)


def part(source: Path, out: Path, rows: int) -> None:
    """Write the first `rows` rows of `source`."""
    with pq.ParquetFile(source) as file, pq.ParquetWriter(out, file.schema_arrow) as writer:
        for batch in file.iter_batches(1_000_000):
            writer.write_batch(batch.slice(0, rows))
            rows -= min(rows, batch.num_rows)
            if rows == 0:
                return


def measure(source: Path, out: Path, *options: str) -> dict[str, float]:
    """Deduplicate in a process of its own."""
    command = [sys.executable, "-m", "fenpack", "dedup", source, "-o", out, "--json", *options]
    started = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as running:
        assert running.stdout
        found = json.loads(running.stdout.read())
        _, status, usage = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
    assert running.returncode == 0
    seconds = time.perf_counter() - started
    return {
        "rows": found["rows"],
        "kept": found["kept"],
        "seconds": seconds,
        "million rows a second": found["rows"] / seconds / 1e6,
        "nanoseconds a row": seconds / found["rows"] * 1e9,
        "peak MiB": usage.ru_maxrss / 1024,
        "spilled MiB": found["spilled_bytes"] / 2**20,
    }


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("--parts", type=int, nargs="+", default=PARTS)
    parser.add_argument("--memory", default="2GiB")
    options = parser.parse_args()
    with TemporaryDirectory(dir=options.source.parent) as folder:
        for rows in options.parts:
            file = Path(folder, f"{rows}.parquet")
            part(options.source, file, rows)
            found = measure(file, Path(folder, "out.parquet"), "--memory", options.memory)
            print(", ".join(f"{name} {value:,.1f}" for name, value in found.items()), flush=True)
            file.unlink()


if __name__ == "__main__":
    main()
