"""Measure everything and write the page: `python -m benches` from the root of the repository.

Takes about eight minutes on two quiet cores. pytest runs the benches, pytest-benchmark times them
and keeps what it found as JSON; that becomes docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benches import table

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "benchmarks.md"
README = ROOT / "README.md"


def main() -> int:
    """Read the arguments, measure, write."""
    parser = argparse.ArgumentParser(
        prog="python -m benches",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("-k", help="measure only benches whose names match, as pytest has it")
    parser.add_argument("--quick", action="store_true", help="few rows, once: to see that all runs")
    parser.add_argument("--turns", type=int, default=3, help="how often to measure (default 3)")
    parser.add_argument("--cores", type=int, default=2, help="cores to use (default 2)")
    parser.add_argument(
        "--corpus", type=Path, help="100 M rows by benches/corpus.py, to deduplicate; adds minutes"
    )
    parser.add_argument(
        "--out", type=Path, help="the page (of a whole run: docs/benchmarks.md; of a part: none)"
    )
    parser.add_argument("--readme", action="store_true", help="let README.md quote it, too")
    options = parser.parse_args()
    part = bool(options.k or options.quick)
    if options.readme and part:
        parser.error("README.md quotes whole runs only: leave out -k and --quick")
    code, run = measure(options)
    if run is None:
        print("nothing was measured", file=sys.stderr)
        return code or 1
    page = table.page(run)
    if out := options.out or (None if part else PAGE):
        out.write_text(page, "utf-8")
        print(f"wrote {out}")
    if options.readme:
        readme = README.read_text("utf-8")
        README.write_text(readme.replace(table.quoted(readme), table.quoted(page)), "utf-8")
        print(f"wrote {README}")
    return code


def measure(options: argparse.Namespace) -> tuple[int, dict[str, Any] | None]:
    """Run pytest on a few cores; give its exit code and what was measured."""
    chosen = [f"--turns={options.turns}"]
    if options.k:
        chosen.append(f"-k={options.k}")
    if options.quick:
        chosen.append("--quick")
    if options.corpus:
        chosen.append(f"--corpus={options.corpus.resolve()}")
    keep_to(options.cores)
    with TemporaryDirectory() as folder:
        file = Path(folder, "run.json")
        command = [sys.executable, "-m", "pytest", "benches", f"--benchmark-json={file}", *chosen]
        few = {"POLARS_MAX_THREADS": str(options.cores)}
        code = subprocess.run(command, cwd=ROOT, env=os.environ | few, check=False).returncode
        if not file.exists():
            return code, None
        found = json.loads(file.read_text("utf-8"))
    run = found["run"]
    run["date"] = found["datetime"][:10]
    run["machine"]["cpu"] = found["machine_info"]["cpu"].get("brand_raw", "unknown processor")
    return code, run


def keep_to(cores: int) -> None:
    """Let this process and its children use only so many cores, where that can be said."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])


if __name__ == "__main__":
    sys.exit(main())
