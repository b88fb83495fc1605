"""Whole processes over files: start-up, reading, judging."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ROWS = 5_000_000
READ = "import sys, pyarrow.parquet as pq; pq.read_table(sys.argv[1], columns=['fen'])"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory, fens: list[str]) -> Path:
    """Write five million rows as zstd Parquet."""
    path = tmp_path_factory.mktemp("files") / "rows.parquet"
    table = pa.table({"fen": pa.chunked_array([fens] * (ROWS // len(fens)))})
    pq.write_table(table, path, compression="zstd")
    return path


def run(*command: str | Path) -> None:
    subprocess.run([sys.executable, *command], check=True, stdout=subprocess.DEVNULL)


def test_pyarrow_reads(timed: Callable[..., Any], file: Path) -> None:
    timed("file pyarrow", lambda: run("-c", READ, file), ROWS, rounds=9)


def test_fenpack_validates(timed: Callable[..., Any], file: Path) -> None:
    timed("file validate", lambda: run("-m", "fenpack", "validate", file), ROWS, rounds=9)


def test_pyarrow_import(timed: Callable[..., Any]) -> None:
    timed("import pyarrow", lambda: run("-c", "import pyarrow"), 1, rounds=9)


def test_fenpack_import(timed: Callable[..., Any]) -> None:
    timed("import fenpack", lambda: run("-c", "import fenpack"), 1, rounds=9)
