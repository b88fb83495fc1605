"""Whatever happens while a file is written, under its name is the old one, the new one or none."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import faulty
from fenpack.__main__ import main
from fenpack.io.opening import open_source
from fenpack.io.spooling import spooled
from files import write
from texts import START

if TYPE_CHECKING:
    from collections.abc import Iterable

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs fork and limits")

ROWS = [START, "8/8/8/8/8/8/5k1K/8 w - - 0 1", START.replace(" 0 1", " 7 9")]
COMMANDS = {
    "validate": ["validate", "rows.csv", "--out", "out.parquet"],
    "canonicalize to lines": ["canonicalize", "rows.fen", "--out", "out.fen"],
    "canonicalize to gzip": ["canonicalize", "rows.csv", "--out", "out.csv.gz"],
    "canonicalize to zstd": ["canonicalize", "rows.fen", "--out", "out.txt.zst"],
    "canonicalize to bzip2": ["canonicalize", "rows.fen", "--out", "out.epd.bz2"],
    "canonicalize to a table": ["canonicalize", "rows.csv", "--out", "out.tsv"],
    "canonicalize to Arrow": ["canonicalize", "rows.csv", "--out", "out.arrow"],
    "dedup": ["dedup", "rows.csv", "-o", "out.parquet"],
    "dedup to a stream": ["dedup", "rows.csv", "-o", "out.arrows"],
    "encode": ["encode", "rows.fen", "-o", "out.npy", "--tokens", "squares"],
    "encode columns": ["encode", "rows.csv", "-o", "out.parquet", "--tokens", "squares"],
    "pack": ["pack", "rows.csv", "-o", "out.arrow"],
    "pack to Parquet": ["pack", "rows.csv", "-o", "out.parquet"],
    "audit": ["audit", "rows.csv", "--html", "out.html"],
    "decode": ["decode", "scores.npy", "--preset", "chess_cv", "-o", "out.parquet"],
}
YES = (False, True)
#: One of each writer and of what stands between it and the file.
FEW = ("validate", "canonicalize to gzip", "canonicalize to a table", "dedup to a stream")
FEW += ("encode", "pack", "audit", "decode")
Run = tuple[dict[str, Any], int, str, str, list[str]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("faults")
    for kind in (".fen", ".csv"):
        write(path / f"rows{kind}", ROWS * 2000)
    np.save(path / "scores.npy", np.random.default_rng(1).random((50, 64, 13), np.float32))
    return path


def runs(folder: Path, faults: dict[str, list[dict[str, Any]]]) -> dict[str, list[Run]]:
    commands = {name: COMMANDS[name] for name in faults}
    given = json.dumps({"folder": str(folder), "commands": commands, "faults": faults})
    done = subprocess.run(
        [sys.executable, faulty.__file__, given], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    found = defaultdict(list)
    for name, *rest in map(json.loads, done.stdout.splitlines()):
        found[name].append(tuple(rest))
    return found


def check(name: str, run: Run) -> None:
    fault, code, said, state, others = run
    out = COMMANDS[name][-1] if COMMANDS[name][-1].startswith("out") else "out"
    if not fault:
        assert (code, said, state, others) == (code, "", "whole", []), run
        assert code in (0, 1), run
    elif fault["dies"]:
        assert code in (-signal.SIGXFSZ, -signal.SIGKILL), run
        assert state in ({"old", "whole"} if fault.get("old") else {"absent", "whole"}), run
        assert all(one.startswith(f".{out}") and one.endswith(".partial") for one in others), run
    else:
        assert code == 2, run
        assert said.startswith("fenpack: [Errno "), run
        assert "No space left on device" in said or "File too large" in said, run
        assert said.count("\n") == 1, run
        assert "/runs/out" in said, run
        assert state == ("old" if fault.get("old") else "absent"), run
        assert others == [], run


def check_all(folder: Path, names: Iterable[str], faults: list[dict[str, Any]]) -> None:
    found = runs(folder, dict.fromkeys(names, faults))
    assert {name: len(several) for name, several in found.items()} == dict.fromkeys(
        names, len(faults) + 1
    )
    for name, several in found.items():
        for run in several:
            check(name, run)


def test_at_some_byte(folder: Path) -> None:
    """A limit of size fails like a disk that is full, or kills."""
    at = [(0, False), (0.7, True)]
    faults = [
        {"share": share, "dies": dies, "old": dies == old} for share, old in at for dies in YES
    ]
    check_all(folder, FEW, faults)


@pytest.mark.slow
@pytest.mark.parametrize("dies", YES, ids=["full", "killed"])
def test_at_every_byte(folder: Path, dies: bool) -> None:
    """FENPACK_FAULTS=50 tries 50 places in each output; by default they are few."""
    places = int(os.environ.get("FENPACK_FAULTS", "3"))
    faults = [{"share": i / places, "dies": dies, "old": i % 2 > 0} for i in range(places)]
    check_all(folder, COMMANDS, faults)


def test_at_every_step(folder: Path) -> None:
    faults = [
        {"call": call, "dies": dies, "old": dies or call == "chmod"}
        for call in ("fsync", "chmod", "replace")
        for dies in YES
    ]
    check_all(folder, ("canonicalize to lines", "pack to Parquet"), faults)


def test_after_the_name_is_given(folder: Path) -> None:
    """Killed before the folder is synced: the output is there and whole."""
    faults = [{"call": "fsync", "after": 1, "dies": True, "old": True}]
    [_, (_, code, _, state, others)] = runs(folder, {"encode": faults})["encode"]
    assert (code, state, others) == (-signal.SIGKILL, "whole", [])


class TestTargets:
    """Each of these fails, or works, as it would without us."""

    def written(self, folder: Path, out: object, capsys: pytest.CaptureFixture[str]) -> str:
        code = main(["canonicalize", str(folder / "rows.fen"), "--out", str(out)])
        assert code in (0, 2)
        return capsys.readouterr().err

    def test_what_cannot_be_written(
        self, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "file").touch()
        (tmp_path / "folder.fen").mkdir()
        (tmp_path / "device.fen").symlink_to("/dev/full")
        os.mkfifo(tmp_path / "pipe.fen")
        for name, reason in {
            "nowhere/out.fen": "No such file or directory",
            "file/out.fen": "Not a directory",
            "folder.fen": "Is a directory",
            "pipe.fen": "not a regular file",
            "device.fen": "not a regular file: '/dev/full'",
            "n" * 300 + ".fen": "File name too long",
        }.items():
            said = self.written(folder, tmp_path / name, capsys)
            assert reason in said, name
            assert said.count("\n") == 1
        assert len(os.listdir(tmp_path)) == 4

    @pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder for reading only")
    def test_a_folder_for_reading_only(
        self, folder: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        said = self.written(folder, "/proc/out.fen", capsys)
        assert said == "fenpack: [Errno 2] No such file or directory: '/proc/out.fen'\n"

    @pytest.mark.skipif(not os.access("/dev/shm", os.W_OK), reason="needs another file system")
    def test_another_file_system(
        self, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with tempfile.TemporaryDirectory(dir="/dev/shm") as elsewhere:
            link = tmp_path / "out.fen"
            link.symlink_to(Path(elsewhere, "there.fen"))
            assert self.written(folder, link, capsys) == ""
            assert link.is_symlink()
            assert os.listdir(elsewhere) == ["there.fen"]

    def test_several_at_once(self, folder: Path, tmp_path: Path) -> None:
        """The last one wins, and each is whole."""
        with ThreadPoolExecutor(8) as threads:
            commands = [
                ["canonicalize", str(folder / "rows.fen"), "--out", str(tmp_path / "out.fen")]
            ] * 16
            assert set(threads.map(main, commands)) == {0}
        assert (tmp_path / "out.fen").read_text().splitlines() == ROWS * 2000
        assert os.listdir(tmp_path) == ["out.fen"]

    def test_permissions(self, folder: Path, tmp_path: Path) -> None:
        """Threads must not meet where one of them asks for the umask."""
        umask = os.umask(0o027)
        try:
            for out in (tmp_path / "out.fen", tmp_path / "out.fen.gz"):
                main(["canonicalize", str(folder / "rows.fen"), "--out", str(out)])
                assert out.stat().st_mode & 0o777 == 0o640
                out.chmod(0o604)
                main(["canonicalize", str(folder / "rows.fen"), "--out", str(out)])
                assert out.stat().st_mode & 0o777 == 0o604
        finally:
            os.umask(umask)

    def test_a_full_folder_for_copies(
        self, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """What is copied to be read again does not lie beside the output."""
        if not Path("/dev/full").exists():
            pytest.skip("needs a device that is full")
        full = partial(open, "/dev/full", "r+b", buffering=0)
        monkeypatch.setattr("fenpack.io.spooling.tempfile.TemporaryFile", lambda **_: full())
        source = open_source(folder / "rows.fen")
        with pytest.raises(OSError, match="No space left") as raised, spooled(source, tmp_path):
            pass
        assert raised.value.filename == str(tmp_path)

    def test_a_full_standard_output(self, folder: Path) -> None:
        if not Path("/dev/full").exists():
            pytest.skip("needs a device that is full")
        command = [sys.executable, "-m", "fenpack", "validate", str(folder / "rows.fen")]
        with open("/dev/full", "w") as full:
            done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
        assert done.returncode == 2
        assert done.stderr == "fenpack: [Errno 28] No space left on device: 'standard output'\n"
        command[-1] = "nothing.fen"
        with open("/dev/full", "w") as full:
            assert subprocess.run(command, stderr=full).returncode == 3

    def test_closed_streams(self, folder: Path) -> None:
        """A daemon may have none of them."""
        command = f'"{sys.executable}" -m fenpack validate "{folder / "rows.fen"}"'
        for ends, code in ((">&- 2>&- <&-", 0), ("2>&- --format", 2), ("--column x 2>&-", 3)):
            assert subprocess.run(f"{command} {ends}", shell=True).returncode == code
