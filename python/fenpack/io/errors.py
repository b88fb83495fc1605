"""What is said of a file that cannot be read."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

#: Bytes, and nanoseconds.
State: TypeAlias = tuple[int, int]


class InputError(Exception):
    """A file that cannot be read or is malformed, or lacks the column asked for."""


class InputWarning(UserWarning):
    """Something about a file that whoever reads its rows should know."""


@contextmanager
def as_input_error(name: str) -> Iterator[None]:
    """Turn what the readers underneath raise into an `InputError` that names the file."""
    try:
        yield
    except (OSError, EOFError, pa.ArrowException, UnicodeDecodeError) as error:
        if isinstance(error, OSError) and error.strerror:
            raise InputError(f"{name}: {error.strerror}") from error
        # Some of Arrow's messages have several lines.
        raise InputError(f"{name}: {' '.join(str(error).split())}") from error


def opened(path: Path) -> pa.OSFile:
    """Open a file for Arrow's readers, whose own opening takes only names in UTF-8."""
    return pa.OSFile(os.fsencode(path))


def state_of(path: Path) -> State:
    """Give the size of a file and when it was last written."""
    with as_input_error(str(path)):
        status = os.stat(path)
    return status.st_size, status.st_mtime_ns


@contextmanager
def unchanged(path: Path, state: State) -> Iterator[None]:
    """Read a file within, as `as_input_error` does; refuse it if it is not as it was at `state`.

    Whatever is said of a file that others write to meanwhile, it is no more than a symptom.
    """
    try:
        with as_input_error(str(path)):
            yield
    except InputError as error:
        _refuse_change(path, state, error)
        raise
    _refuse_change(path, state)


def _refuse_change(path: Path, state: State, symptom: InputError | None = None) -> None:
    try:
        status = os.stat(path)
    except OSError as error:
        raise InputError(f"{path}: gone while it was read") from (symptom or error)
    if (status.st_size, status.st_mtime_ns) != state:
        raise InputError(f"{path}: changed while it was read") from symptom
