"""What the pages about engines show is what happens."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pyarrow as pa
import pytest

import fenpack as fp
from survivors import write

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLE = re.compile(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
ENGINES = ["datafusion", "datasets", "duckdb", "polars", "pyspark", "ray"]


def examples():
    for page in ("deduplicate.md", "engines.md"):
        for block, output in EXAMPLE.findall((DOCS / page).read_text("utf-8")):
            needs = [name for name in ENGINES if re.search(rf"\b(?:import|from) {name}\b", block)]
            slow = {"pyspark", "ray", "datasets"} & set(needs)
            yield pytest.param(
                block,
                output,
                needs,
                id=f"{page} {' '.join(needs)}",
                marks=[pytest.mark.slow] if slow else [],
            )


@pytest.mark.parametrize(("block", "output", "needs"), list(examples()))
def test_example(block, output, needs, tmp_path, sample):
    fens = [*dict.fromkeys(fp.canonicalize(sample[:3200], counters="drop").to_pylist())][:3000]
    fens += fens[::3]
    write(pa.table({"fen": fens, "id": range(len(fens))}), tmp_path / "positions", 3)
    for name in needs:
        if find_spec(name) is None:
            pytest.skip(f"{name} is not installed")
    if "pyspark" in needs and shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java 17 or newer")
    done = subprocess.run(
        [sys.executable, "-c", block],
        env=os.environ | {"PYSPARK_PYTHON": sys.executable},
        capture_output=True,
        text=True,
        timeout=300,
        cwd=tmp_path,
    )
    assert done.stdout == output, done.stderr[-3000:]


def test_every_engine_has_an_example():
    page = (DOCS / "engines.md").read_text("utf-8")
    shown = " ".join(block for block, _ in EXAMPLE.findall(page))
    assert all(re.search(rf"\b(?:import|from) {name}\b", shown) for name in ENGINES)
    assert page.count("```python\n") == len(EXAMPLE.findall(page))
