"""What other systems forbid and Linux lets pass."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from fenpack.__main__ import main
from files import write

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
DESCRIPTORS = Path("/proc/self/fd")
MAPS = Path("/proc/self/maps")
IN_PLACE = ["rows.parquet", "rows.arrow", "rows.csv", "rows.fen", "rows.fen.gz", "rows.fen.zst"]


def is_open(path: str) -> bool:
    targets = []
    for name in os.listdir(DESCRIPTORS):
        try:
            targets.append(os.readlink(DESCRIPTORS / name))
        except FileNotFoundError:
            continue
    return path in targets or path in MAPS.read_text()


@pytest.mark.skipif(not DESCRIPTORS.exists(), reason="Linux tells what is open")
@pytest.mark.parametrize(
    ("command", "name"),
    [(command, name) for command in ("canonicalize", "dedup") for name in IN_PLACE]
    + [(command, name) for command in ("pack", "encode") for name in IN_PLACE[:2]],
)
def test_no_file_is_replaced_while_it_is_open(command, name, tmp_path, monkeypatch):
    """Windows refuses that, for the output as for an input that it replaces."""
    path = str(write(tmp_path / name, [START, START]))
    replaced = []

    def replace(source, target, real=os.replace):
        replaced.append((is_open(str(source)), is_open(str(target))))
        real(source, target)

    monkeypatch.setattr(os, "replace", replace)
    assert main([command, path, "--out", path]) == 0
    assert replaced == [(False, False)]


@pytest.mark.parametrize("name", IN_PLACE)
def test_what_is_synced_is_open_for_writing(name, tmp_path, monkeypatch):
    """Windows syncs nothing else."""
    fcntl = pytest.importorskip("fcntl")
    modes = []

    def fsync(descriptor, real=os.fsync):
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):  # which Windows does not open at all
            modes.append(fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE)
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    write(tmp_path / name, [START])
    main(["canonicalize", str(tmp_path / name), "--out", str(tmp_path / f"out.{name}")])
    assert modes == [os.O_RDWR]


def test_letters_that_an_output_has_not(tmp_path):
    """A redirected output of Windows has the letters of one code page."""
    rows = tmp_path / "\u2654.fen"
    rows.write_text(f"\u0639 {START}\n", "utf-8")
    environment = os.environ | {"PYTHONIOENCODING": "cp1252"}
    for command in (["validate"], ["audit"], ["canonicalize", "--out", str(tmp_path / "out.fen")]):
        done = subprocess.run(
            [sys.executable, "-m", "fenpack", *command, str(rows)],
            env=environment,
            capture_output=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (1, b"")
        assert b"\\u0639 rnbqkbnr/" in done.stdout
