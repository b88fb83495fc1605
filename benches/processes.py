"""Commands in processes of their own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

STATUS = Path("/proc/self/status")
#: Ends with the peak of its own memory: that of getrusage begins with its parent's.
PEAK = f"""
import sys
from fenpack.__main__ import main
code = main(sys.argv[1:])
with open("{STATUS}") as status:
    print(*(line.split()[1] for line in status if line.startswith("VmHWM")), file=sys.stderr)
sys.exit(code)
"""


def python(*arguments: str | Path) -> str:
    """Run Python and return what it prints."""
    command = [sys.executable, *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def fenpack(*arguments: str | Path) -> tuple[str, float]:
    """Run a command of fenpack and return what it prints and its peak memory in MiB."""
    if not STATUS.exists():
        pytest.skip("the peak memory of a process is read from Linux's /proc")
    command = [sys.executable, "-c", PEAK, *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout, int(done.stderr.splitlines()[-1]) / 1024
