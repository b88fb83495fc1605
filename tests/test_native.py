"""The extension module as it was built."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest

from fenpack import _native


def test_stubs_match_the_module() -> None:
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is not installed")
    command = [sys.executable, "-m", "mypy.stubtest", "fenpack._native"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_release_build() -> None:
    assert _native.release_build, "a debug build is many times slower"


def test_the_root_imports_no_engine_and_no_extra() -> None:
    script = (
        "import sys, fenpack;"
        "print([name for name in ('pandas', 'polars', 'duckdb', 'chess', 'tqdm', 'torch',"
        " 'pyarrow.parquet', 'pyarrow.dataset') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
