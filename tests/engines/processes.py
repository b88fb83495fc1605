"""Find a process by its command line, and end it while it is at work."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def command_lines() -> Iterator[tuple[int, str]]:
    """Give each process of this machine with its command line."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                line = (
                    (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
                )
            except OSError:
                continue
            yield int(entry.name), line.strip()


def kill_while(pid: int, at_work: Callable[[], bool]) -> bool:
    """End a process at once if, being held, it is at work; tell whether it was."""
    try:
        os.kill(pid, signal.SIGSTOP)
    except ProcessLookupError:
        return False
    if at_work():
        os.kill(pid, signal.SIGKILL)
        return True
    os.kill(pid, signal.SIGCONT)
    return False
