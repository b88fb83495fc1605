"""What is said of a file that cannot be read."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Iterator


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
        raise InputError(f"{name}: {error}") from error
