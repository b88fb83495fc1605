"""Random rows of a packed file that is mapped into memory, in plain numpy."""

from __future__ import annotations

import os
import weakref
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pyarrow as pa

from fenpack.feeding import check_labels, label_values
from fenpack.io import InputError
from fenpack.io.errors import as_input_error
from fenpack.position import as_positions, position_dtype
from fenpack.tensors import planes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["PackedFile"]

Array: TypeAlias = np.ndarray[Any, Any]


class PackedFile:
    """Read any rows of an Arrow file of packed positions, which stays on disk.

    Parameters
    ----------
    path : str or Path
        An Arrow file, such as ``fenpack pack … -o file.arrow`` writes it.
    encode : callable
        Makes an array of packed positions, by default `fenpack.planes`.
    labels : sequence of str
        Columns of numbers to hand on beside it.
    column : str
        The column of packed positions.

    Raises
    ------
    InputError
        If the file cannot be read, or lacks a column.
    ValueError
        If a position is null, or a label has a null or is no number.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import pyarrow as pa
    >>> import fenpack as fp
    >>> from fenpack.gathering import PackedFile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "rows.arrow")
    >>> fens = ["8/8/8/8/8/8/8/K1k5 w - -", "8/8/8/8/8/8/8/k1K5 w - -"]
    >>> table = pa.table({"position": fp.parse(fens), "score": [1, 2]})
    >>> with pa.ipc.new_file(path, table.schema) as writer:
    ...     writer.write_table(table)
    >>> rows = PackedFile(path, labels=["score"])
    >>> len(rows), rows.take([1, 1, 0])["score"].tolist()
    (2, [2, 2, 1])
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        encode: Callable[[Any], Any] = planes,
        labels: Sequence[str] = (),
        column: str = "position",
    ) -> None:
        check_labels(labels)
        self._path, self._encode = path, encode
        self._labels, self._column = tuple(labels), column
        self._open()

    def _open(self) -> None:
        name = os.fsdecode(self._path)
        with as_input_error(name):
            self._descriptor = os.open(self._path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
            weakref.finalize(self, os.close, self._descriptor)
            self._state = self._state_now()
            file = pa.ipc.open_file(pa.memory_map(os.fsencode(self._path)))
        for name in (self._column, *self._labels):
            if name not in file.schema.names:
                known = ", ".join(file.schema.names)
                raise InputError(f"{self._path}: no column {name!r}, only {known}")
            if file.schema.names.count(name) > 1:
                raise InputError(f"{self._path}: several columns are called {name!r}")
        self._pieces: list[dict[str, Array]] = []
        ends = [0]
        for number in range(file.num_record_batches):
            with as_input_error(os.fsdecode(self._path)):
                batch = file.get_batch(number)
                for name in (self._column, *self._labels):
                    batch.column(name).validate(full=True)
            positions = as_positions(batch.column(self._column))
            if positions.null_count:
                raise ValueError(f"{self._path} has null positions; pack it with --unreadable drop")
            piece = {"x": positions.to_numpy()}
            for name in self._labels:
                rows = range(ends[-1], ends[-1] + batch.num_rows)
                piece[name] = label_values(batch.column(name), name, rows)
            self._pieces.append(piece)
            ends.append(ends[-1] + batch.num_rows)
        self._ends = np.array(ends)

    def _state_now(self) -> tuple[int, int]:
        status = os.fstat(self._descriptor)
        return status.st_size, status.st_mtime_ns

    def __len__(self) -> int:
        return int(self._ends[-1])

    def take(self, rows: Sequence[int] | Array) -> dict[str, Array]:
        """Encode `rows`, in this order.

        Parameters
        ----------
        rows : sequence or array of int, shape (M,)
            From 0 up; a row may come again.

        Returns
        -------
        dict of str to ndarray
            The encoding as ``x``, of M rows, and every label by its name, of shape (M,).

        Raises
        ------
        TypeError
            If `rows` is no sequence of integers, such as a mask, a slice or a lone number.
        IndexError
            If a row is not there.
        InputError
            If the file was written to since it was opened. What is cut off a mapped file ends the
            process that reads it, so this is looked at first; a file that takes another's place
            is no danger.
        """
        if self._state_now() != self._state:
            raise InputError(f"{os.fsdecode(self._path)}: changed since it was opened")
        wanted = _numbers(rows)
        outside = (wanted < 0) | (wanted >= len(self))
        if outside.any():
            raise IndexError(f"row {wanted[outside][0]} of {len(self)}")
        wanted = wanted.astype(np.int64)
        pieces = np.searchsorted(self._ends, wanted, side="right") - 1
        kinds = {"x": position_dtype}
        kinds |= {name: self._pieces[0][name].dtype for name in self._labels if self._pieces}
        gathered = {name: np.empty(len(wanted), kind) for name, kind in kinds.items()}
        for piece in np.unique(pieces):
            chosen = pieces == piece
            local = wanted[chosen] - self._ends[piece]
            for name, values in gathered.items():
                values[chosen] = self._pieces[piece][name][local]
        return {"x": self._encode(gathered.pop("x")), **gathered}

    def __getstate__(self) -> dict[str, Any]:
        """Leave the mapped memory out: another process maps the file anew."""
        anew = ("_pieces", "_ends", "_descriptor", "_state")
        return {name: value for name, value in vars(self).items() if name not in anew}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._open()


def _numbers(rows: Any) -> Array:
    """Give `rows` as an array of integers, of Python's where others are too small."""
    if isinstance(rows, slice):
        raise TypeError(f"rows must be integers, got {rows}; range(start, stop) has them")
    listed = isinstance(rows, list | tuple)
    array = np.asarray(rows)
    if listed and not len(rows):
        return np.empty(0, np.int64)
    if array.dtype == bool or (listed and any(isinstance(row, bool | np.bool_) for row in rows)):
        raise TypeError("rows must be integers, got bool; numpy.flatnonzero gives those of a mask")
    whole = array.dtype.kind in "iu"
    # Integers that no type of numpy holds.
    if listed and array.dtype.kind in "fO" and all(isinstance(row, int) for row in rows):
        array, whole = np.array(rows, object), True
    if not whole:
        raise TypeError(f"rows must be integers, got {array.dtype}")
    if array.ndim != 1:
        raise TypeError(f"rows must have one dimension, got {array.ndim}; for one row take [row]")
    return array
