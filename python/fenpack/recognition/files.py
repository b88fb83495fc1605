"""Files of scores in batches."""

from __future__ import annotations

import math
import tokenize
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from fenpack.io.errors import InputError, opened, state_of, unchanged
from fenpack.io.paths import check_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = ["ScoreFile", "open_scores"]

#: Boards in a batch, some 27 MB of float32.
_ROWS = 1 << 13
_COLUMN = "scores"
_PAGES = 1 << 20
#: Bytes that no board takes.
_WIDEST = 1 << 24
#: What numpy raises for headers that are none.
_MALFORMED = (
    ValueError,
    KeyError,
    TypeError,
    IndexError,
    SyntaxError,
    RecursionError,
    tokenize.TokenError,
)


@dataclass(frozen=True)
class ScoreFile:
    """A file of scores.

    Attributes
    ----------
    size : int
        Its boards.
    unit : str
        What `size` counts.
    batches : callable
        Yields arrays or Arrow columns for `decode`, each with how many boards have been read.
    """

    size: int
    unit: str
    batches: Callable[[], Iterator[tuple[Any, int]]]


def open_scores(path: Path, column: str | None = None) -> ScoreFile:
    """Open a file of scores; batches are read as they are asked for.

    Parameters
    ----------
    path : Path
        ``.npy``, an array with one board at each index, or ``.parquet``.
    column : str, optional
        The column of a Parquet file. By default ``scores``, or the only one.

    Raises
    ------
    InputError
        If the file cannot be read, is of another kind or has no such column.
    """
    suffix = path.suffix.lower()
    check_file(path)
    if suffix == ".npy":
        if column is not None:
            raise InputError(f"{path}: an array has no columns, got --column {column}")
        return _open_array(path)
    if suffix in (".parquet", ".pq"):
        return _open_parquet(path, column)
    raise InputError(f"{path}: unknown kind of file; scores are read from .npy or .parquet")


def _open_array(path: Path) -> ScoreFile:
    state = state_of(path)
    try:
        with path.open("rb") as file:
            version = np.lib.format.read_magic(file)
            read = {
                (1, 0): np.lib.format.read_array_header_1_0,
                (2, 0): np.lib.format.read_array_header_2_0,
                # Only names of fields, which no scores have, are spelled otherwise.
                (3, 0): np.lib.format.read_array_header_2_0,
            }[version]
            shape, transposed, dtype = read(file)
            start = file.tell()
    except (*_MALFORMED, OSError) as error:
        raise InputError(f"{path}: no array of numpy: {error}") from error
    if transposed or dtype.kind not in "fiubSU" or not dtype.itemsize or not shape:
        raise InputError(
            f"{path}: the array must be of numbers in C order, board after board, got {dtype} "
            f"of shape {shape}"
        )
    width = dtype.itemsize * math.prod(shape[1:])
    if shape[0] < 0 or min(shape[1:], default=1) < 1 or width > _WIDEST:
        raise InputError(f"{path}: the shape {shape} is not that of boards")
    if state[0] != start + shape[0] * width:
        differs = "shorter" if state[0] < start + shape[0] * width else "longer"
        raise InputError(f"{path}: the file is {differs} than its array")

    def batches() -> Iterator[tuple[Any, int]]:
        # Read, not mapped: pages of a mapping would count as memory in use.
        with unchanged(path, state), path.open("rb") as file:
            file.seek(start)
            for first in range(0, max(shape[0], 1), _ROWS):
                rows = min(_ROWS, shape[0] - first)
                data = file.read(rows * width)
                if len(data) < rows * width:
                    raise EOFError("shorter than its array")
                part = np.frombuffer(data, dtype)
                yield part.reshape(rows, *shape[1:]), first + rows

    return ScoreFile(shape[0], "boards", batches)


def _open_parquet(path: Path, column: str | None) -> ScoreFile:
    import pyarrow.parquet as pq

    state = state_of(path)
    with unchanged(path, state), opened(path) as raw, pq.ParquetFile(raw) as file:
        schema, size = file.schema_arrow, file.metadata.num_rows
    names = schema.names
    if column is None:
        column = names[0] if len(names) == 1 else _COLUMN
    if column not in names:
        raise InputError(f"{path}: no column {column!r}, only {', '.join(names)}")

    def batches() -> Iterator[tuple[Any, int]]:
        rows = 0
        if size == 0:
            yield pa.array([], schema.field(column).type), 0
        # Buffered reading keeps a few pages of a row group in memory, not all of it.
        options = {"buffer_size": _PAGES, "pre_buffer": False, "page_checksum_verification": True}
        with unchanged(path, state), opened(path) as raw, pq.ParquetFile(raw, **options) as file:
            for batch in file.iter_batches(_ROWS, columns=[column]):
                rows += batch.num_rows
                yield batch.column(0), rows

    return ScoreFile(size, "boards", batches)
