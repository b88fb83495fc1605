"""What the figures were measured on."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from fenpack import _native

#: The packages that fenpack itself stands on.
OURS = ("fenpack", "numpy", "pyarrow")


def cores() -> int:
    """Give the number of cores that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def memory() -> int | None:
    """Give the memory of the machine in bytes, where that can be asked."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError):
        return None


def load() -> float | None:
    """Give how many processes wanted a core in the last minute."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None


def system() -> str:
    """Give the name of the operating system."""
    try:
        return f"{platform.freedesktop_os_release()['PRETTY_NAME']}, {platform.platform()}"
    except (KeyError, OSError):
        return platform.platform()


def installed(package: str) -> str | None:
    """Give the version of a package, or None if it is not there."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def commit() -> str | None:
    """Give the commit of the repository, and whether files differ from it; None without git."""
    command = ["git", "describe", "--always", "--dirty", "--exclude=*", "--abbrev=10"]
    try:
        done = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True)
    except OSError:
        return None
    return done.stdout.strip() or None


def describe(packages: set[str]) -> dict[str, Any]:
    """Say what the machine and the interpreter are, and which of `packages` are installed."""
    at = commit()
    return {
        "fenpack": f"{installed('fenpack')}{f' at {at}' if at else ''}",
        "cores": cores(),
        "memory": memory(),
        "load": load(),
        "system": system(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "compiler": platform.python_compiler(),
        "instruction_set": _native.instruction_sets()[0],
        "versions": {name: installed(name) for name in sorted(packages | set(OURS))},
    }
