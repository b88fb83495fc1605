"""Files that others write to while they are read: a message that says so, never other rows."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import ipc

import fenpack as fp
from fenpack.__main__ import main
from fenpack.feeding import Batches
from fenpack.gathering import PackedFile
from fenpack.io import InputError, deduplicate, scan
from fenpack.io.opening import open_source
from fenpack.recognition.files import open_scores
from files import COMPRESSIONS, TABLES, TEXTS, write
from texts import START

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ROWS = [f"{START[:-1]}{i}" for i in range(1, 400)]


def grow(file: Path) -> None:
    with file.open("ab") as sink:
        sink.write(file.read_bytes()[-1000:])


def shrink(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def empty(file: Path) -> None:
    os.truncate(file, 0)


def replace(file: Path) -> None:
    other = file.with_name(f"other{''.join(file.suffixes)}")
    os.replace(write(other, ROWS[:50]), file)


def rewrite(file: Path) -> None:
    write(file, ROWS[50:])


CHANGES = {"grow": grow, "shrink": shrink, "empty": empty, "replace": replace, "rewrite": rewrite}
changes = pytest.mark.parametrize("change", [*CHANGES.values(), os.unlink])
KINDS = [*TEXTS, *(text + end for text in (".csv", ".fen") for end in COMPRESSIONS[1:]), *TABLES]


@pytest.mark.parametrize("kind", KINDS)
@changes
def test_between_opening_and_reading(
    tmp_path: Path, kind: str, change: Callable[[Path], None]
) -> None:
    file = write(tmp_path / f"rows{kind}", ROWS)
    reader = scan(file)
    change(file)
    with pytest.raises(InputError, match=f"^{file}: (changed|gone) while it was read$"):
        reader.read_all()


@pytest.mark.parametrize("kind", [".fen", ".csv.gz", ".jsonl", ".pgn", ".parquet", ".arrow"])
@changes
def test_while_reading(
    tmp_path: Path,
    kind: str,
    change: Callable[[Path], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("fenpack.io.text.BLOCK_BYTES", 1000)
    monkeypatch.setattr("fenpack.io.parquet._PORTION_ROWS", 100)
    file = tmp_path / f"rows{kind}"
    if kind == ".parquet":
        pq.write_table(pa.table({"fen": ROWS}), file, row_group_size=50)
    else:
        write(file, ROWS)
    batches = open_source(file).batches()
    next(batches)
    change(file)
    with pytest.raises(InputError, match=f"^{file}: (changed|gone) while it was read$"):
        list(batches)


@pytest.mark.parametrize("kind", [".fen", ".csv.zst", ".parquet", ".arrows"])
@changes
def test_commands(
    tmp_path: Path,
    kind: str,
    change: Callable[[Path], None],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What is in the way is a file that changes as soon as the output is opened."""
    kept = write(tmp_path / f"kept{kind}", ROWS)
    folder = tmp_path / "folder"
    folder.mkdir()
    file, out = folder / f"rows{kind}", folder / "out.parquet"
    from fenpack.io import writing

    create = writing._create

    def changed(*arguments: object) -> tuple[int, str]:
        change(file)
        return create(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(writing, "_create", changed)
    for arguments in (["canonicalize", "--out"], ["pack", "-o"], ["dedup", "-o"]):
        shutil.copy(kept, file)
        assert main([arguments[0], str(file), arguments[1], str(out)]) == 3
        said = capsys.readouterr().err
        assert said.startswith(f"fenpack: {file}: ")
        assert "while it was read" in said
        assert not out.exists()
        assert not list(folder.glob(".*"))


def test_between_the_readings_of_deduplication(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fenpack.io import deduplicating

    file = write(tmp_path / "rows.csv", ROWS)
    kept = deduplicating._kept

    def changed(*arguments: object, **options: object) -> object:
        file.write_text(file.read_text().replace("KQkq", "KQk-"))
        return kept(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(deduplicating, "_kept", changed)
    with pytest.raises(InputError, match="changed while it was read"):
        deduplicate(file, tmp_path / "out.csv")
    assert os.listdir(tmp_path) == ["rows.csv"]


@changes
def test_batches(tmp_path: Path, change: Callable[[Path], None]) -> None:
    file = write(tmp_path / "rows.csv", ROWS * 500)
    batches = Batches(file, batch_size=100)
    iterator = iter(batches)
    next(iterator)
    change(file)
    with pytest.raises(InputError, match=f"^{file}: (changed|gone) while it was read$"):
        list(iterator)
    if file.exists() and change not in (grow, shrink, empty):
        assert sum(len(batch["x"]) for batch in batches), "the next epoch opens it anew"


@pytest.mark.parametrize("end", [".npy", ".parquet"])
@pytest.mark.parametrize("change", [grow, shrink, empty, os.unlink])
def test_scores(tmp_path: Path, end: str, change: Callable[[Path], None]) -> None:
    file = tmp_path / f"scores{end}"
    scores = np.zeros((20_000, 64), np.float32)
    if end == ".npy":
        np.save(file, scores)
    else:
        pq.write_table(pa.table({"scores": list(scores[:2000])}), file)
    batches = open_scores(file).batches()
    if end == ".npy":
        next(batches)
    change(file)
    with pytest.raises(InputError, match=f"^{file}: (changed|gone) while it was read$"):
        list(batches)


class TestPackedFile:
    @pytest.fixture
    def file(self, tmp_path: Path) -> Path:
        table = pa.table({"position": fp.parse(ROWS * 100)})
        with ipc.new_file(tmp_path / "rows.arrow", table.schema) as writer:
            writer.write_table(table, max_chunksize=10_000)
        return tmp_path / "rows.arrow"

    @pytest.mark.parametrize("change", [grow, shrink, empty])
    def test_a_file_that_changes(self, file: Path, change: Callable[[Path], None]) -> None:
        """What is beyond the end of a mapped file would end the process."""
        rows = PackedFile(file)
        last = [len(rows) - 1]
        rows.take(last)
        change(file)
        with pytest.raises(InputError, match=f"^{file}: changed since it was opened$"):
            rows.take(last)

    def test_a_file_that_is_replaced(self, file: Path) -> None:
        """What is mapped stays what it was."""
        rows = PackedFile(file)
        before = rows.take([0, len(rows) - 1])["x"]
        os.replace(write(file.with_name("other.arrow"), ROWS[:5]), file)
        assert (rows.take([0, len(rows) - 1])["x"] == before).all()
        file.unlink()
        assert (rows.take([0, len(rows) - 1])["x"] == before).all()
