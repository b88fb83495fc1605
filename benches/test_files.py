"""Whole processes over a file of five million rows (Parquet, zstd): start-up, reading, judging."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benches.figures import faster, figure, memory, within
from benches.processes import fenpack, python

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

READ = "import sys, pyarrow.parquet as pq; pq.read_table(sys.argv[1], columns=['fen'])"
READING = "pyarrow reading that column"
VALIDATE = "`fenpack validate` of a file"
PEAK = "`fenpack validate`: peak memory"
PEAK_OF_TENTH = "`fenpack validate` of a tenth of the file: peak memory"
IMPORT = "`import pyarrow`"


@pytest.fixture(scope="module")
def file(
    tmp_path_factory: pytest.TempPathFactory, fens: list[str], scaled: Callable[..., int]
) -> Path:
    """Write the rows."""
    path = tmp_path_factory.mktemp("files") / "rows.parquet"
    times = scaled(5_000_000) // len(fens)
    pq.write_table(pa.table({"fen": pa.chunked_array([fens] * times)}), path, compression="zstd")
    return path


@figure(VALIDATE, within(1.25, READING), per="run", threads=2, headline=True)
@memory(PEAK, within(1.25, PEAK_OF_TENTH))
def test_validate(timed: Callable[..., Any], noted: Callable[..., None], file: Path) -> None:
    printed, peak = timed(lambda: fenpack("validate", file, "--json"), 1, rounds=3)
    assert json.loads(printed)["rows"] == pq.read_metadata(file).num_rows
    noted(peak, unit="MiB")


@figure(READING, per="run", threads=2, package="pyarrow")
def test_pyarrow_reads(timed: Callable[..., Any], file: Path) -> None:
    timed(lambda: python("-c", READ, file), 1, rounds=3)


@memory(PEAK_OF_TENTH)
def test_a_tenth(noted: Callable[..., None], file: Path, tmp_path: Path) -> None:
    rows = pq.read_table(file)
    pq.write_table(rows[: len(rows) // 10], tmp_path / "tenth.parquet", compression="zstd")
    noted(fenpack("validate", tmp_path / "tenth.parquet")[1], unit="MiB")


@figure("`fenpack audit` of a file", faster(VALIDATE, 0.5), per="run", threads=2)
@memory("`fenpack audit`: peak memory")
def test_audit(timed: Callable[..., Any], noted: Callable[..., None], file: Path) -> None:
    printed, peak = timed(lambda: fenpack("audit", file, "--json"), 1, rounds=3)
    assert json.loads(printed)["rows"] == pq.read_metadata(file).num_rows
    noted(peak, unit="MiB")


@figure("`fenpack canonicalize` of a file", per="run", threads=2)
@memory("`fenpack canonicalize`: peak memory")
def test_canonicalize(
    timed: Callable[..., Any], noted: Callable[..., None], file: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.parquet"
    _, peak = timed(lambda: fenpack("canonicalize", file, "--out", out), 1, rounds=1)
    assert pq.read_metadata(out).num_rows == pq.read_metadata(file).num_rows
    noted(peak, unit="MiB")


@figure("`import fenpack`", within(2, IMPORT), per="run", headline=True)
def test_import(timed: Callable[..., Any]) -> None:
    timed(lambda: python("-c", "import fenpack"), 1, rounds=5)


@figure(IMPORT, per="run", package="pyarrow")
def test_pyarrow_import(timed: Callable[..., Any]) -> None:
    timed(lambda: python("-c", "import pyarrow"), 1, rounds=5)
