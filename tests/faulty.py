"""Commands that fail or die while they write, each in a forked process; run as a script.

Its argument is JSON: the folder to work in, the commands, and the faults of each run. It prints,
for every run, how the process ended, what it said, and what lies in the folder afterwards.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import resource
import shutil
import signal
import sys
from pathlib import Path
from typing import Any

# What commands import when they need it, which takes longer than they do here.
import pyarrow.csv
import pyarrow.json
import pyarrow.parquet

import fenpack.recognition.files
import fenpack.report
from fenpack import __main__ as program
from fenpack.io import writing

assert pyarrow.csv, (pyarrow.json, pyarrow.parquet, fenpack.report, fenpack.recognition.files)


OLD = hashlib.sha256(b"old").hexdigest()


def set_fault(fault: dict[str, Any]) -> None:
    """Prepare this process to fail.

    ``limit``: no file may get more bytes, which fails or, with ``dies``, kills. ``call``: the first
    call of this function of `os` in `fenpack.io.writing` does.
    """
    if "limit" in fault:
        limit = fault["limit"]
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL if fault["dies"] else signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if "call" in fault:
        name, after = fault["call"], fault.get("after", 0)
        real, calls = getattr(os, name), [0]

        def fail(*arguments: Any, **options: Any) -> Any:
            calls[0] += 1
            if calls[0] <= after:
                return real(*arguments, **options)
            if fault["dies"]:
                os.kill(os.getpid(), signal.SIGKILL)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        setattr(writing.os, name, fail)


def run(command: list[str], fault: dict[str, Any]) -> tuple[int, str]:
    """Run `command` in a child; a negative code is a signal."""
    said, write = os.pipe()
    if not (child := os.fork()):
        os.dup2(write, 2)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        set_fault(fault)
        code = 99
        try:
            code = program.main(command)
            sys.stderr.flush()
        finally:
            os._exit(code)
    os.close(write)
    with os.fdopen(said, "rb") as stream:
        text = stream.read().decode()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), text


def content(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def main() -> None:
    given = json.loads(sys.argv[1])
    folder = Path(given["folder"])
    for name, command in given["commands"].items():
        [out] = [folder / one for one in command if one.startswith("out")]
        place = folder / "runs"
        whole, size = "", 0
        for fault in [{}, *given["faults"][name]]:
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir()
            target = place / out.name
            if fault.get("old"):
                target.write_bytes(b"old")
            if "share" in fault:
                fault["limit"] = int(fault["share"] * size)
            words = [str(target) if one == out.name else one for one in command]
            code, said = run(words, fault)
            if not fault:
                whole, size = content(target), target.stat().st_size
            state = {"": "absent", OLD: "old", whole: "whole"}.get(content(target), "half")
            others = sorted(one.name for one in place.iterdir() if one != target)
            print(json.dumps([name, fault, code, said, state, others]))


if __name__ == "__main__":
    os.chdir(json.loads(sys.argv[1])["folder"])
    main()
