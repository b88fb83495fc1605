"""Scores of classes in an array of any usual shape, viewed where its memory allows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from fenpack.recognition.classes import EMPTY, IGNORED
from fenpack.recognition.source import MEN, Batch, as_numbers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fenpack.recognition.presets import Kind

__all__ = ["ArraySource", "as_array", "board_axes"]

_ITEM = 4


def as_array(scores: Any, name: str = "scores") -> NDArray[Any]:
    """View `scores` as a numpy array.

    Raises
    ------
    TypeError
        If it is no array of numbers.
    """
    if isinstance(scores, np.ndarray):
        array = scores
    elif hasattr(scores, "__dlpack__") and not hasattr(scores, "__array__"):
        array = np.from_dlpack(scores)
    else:
        array = np.asarray(scores)
    if isinstance(scores, np.ma.MaskedArray):
        raise TypeError(f"{name} must not be masked; an Arrow column has nulls")
    if array.dtype.kind not in "fiub" and array.dtype.name != "bfloat16":
        raise TypeError(f"{name} must be an array of numbers, got {array.dtype}")
    return array


def board_axes(array: NDArray[Any], columns: int, name: str = "scores") -> NDArray[Any]:
    """View an array as boards, square by square, column by column.

    Parameters
    ----------
    array : ndarray
        (N, 64, C), (N, 8, 8, C), (N, C, 8, 8), (N, 64 * C), or one board without N.
    columns : int
        C.

    Returns
    -------
    ndarray, shape (N, 64, C) or (N, 8, 8, C)
        A view.

    Raises
    ------
    ValueError
        If the shape is none of these.
    """
    shape = array.shape
    ends: list[tuple[int, ...]] = [(64, columns), (8, 8, columns), (columns, 8, 8), (64 * columns,)]
    for end in ends:
        if shape == end:
            return board_axes(array[None], columns, name)
        if len(shape) == len(end) + 1 and shape[1:] == end:
            if end == (columns, 8, 8):
                return array.transpose(0, 2, 3, 1)
            if len(end) == 1:
                # Splitting an axis never needs a copy.
                return array.reshape(shape[0], 64, columns)
            return array
    known = ", ".join(f"(N, {', '.join(map(str, end))})" for end in ends)
    raise ValueError(
        f"{name} must have the shape {known} or one board without N, as there are {columns} "
        f"classes, got {shape}"
    )


class ArraySource:
    """Scores of classes, C columns a square.

    Parameters
    ----------
    array : ndarray
        Floating-point numbers in a shape of `board_axes`.
    order : list of int
        The class of each column.
    squares : ndarray of intp, shape (64,)
        The square of each place.
    kind : str
        What the numbers are.
    empty : str or float
        What tells an empty square.
    status : ndarray of uint8, optional
        A `Status` for each row.
    """

    def __init__(
        self,
        array: NDArray[Any],
        order: list[int],
        squares: NDArray[np.intp],
        *,
        kind: Kind,
        empty: str | float,
        status: NDArray[np.uint8] | None = None,
    ) -> None:
        if array.dtype.kind in "iub":
            raise TypeError(
                f"scores must be floating-point numbers with kind={kind!r}, got {array.dtype}; "
                f"divide by their scale first, or say kind='ids' if they are class numbers"
            )
        self._array = board_axes(array, len(order))
        self._order, self._squares = order, squares
        self._status = status
        self.others = IGNORED in order
        self.rows, self.kind, self.empty = len(self._array), kind, empty
        native = self._array.dtype == np.float32 and self._array.dtype.isnative
        strides = self._array.strides
        whole = all(stride >= 0 and stride % _ITEM == 0 for stride in strides)
        self.is_view = native and whole and self._array.flags.aligned
        self._strides = self._steps(strides if self.is_view else None)

    def _steps(self, strides: tuple[int, ...] | None) -> tuple[int, ...]:
        """Numbers from one index to the next on each axis."""
        if strides is not None:
            return tuple(stride // _ITEM for stride in strides)
        steps, step = [], 1
        for length in reversed(self._array.shape):
            steps.append(step)
            step *= length
        return tuple(reversed(steps))

    @property
    def places(self) -> list[list[int]]:
        """For each man, then for each empty column, the place in a row of each square."""
        *board, column = self._strides[1:]
        grid = np.zeros((), np.int64)
        for length, step in zip(self._array.shape[1:-1], board, strict=True):
            grid = grid[..., None] + np.arange(length) * step
        of_square = np.empty(64, np.int64)
        of_square[self._squares] = grid.reshape(-1)
        planes: list[list[int]] = []
        for number in (*range(1, MEN + 1), EMPTY):
            for i, found in enumerate(self._order):
                if found == number:
                    planes.append((of_square + i * column).tolist())
        return planes

    def batch(self, start: int, stop: int) -> Batch:
        """Give the rows from `start` to `stop`, float32 in place and anything else converted."""
        part = self._array[start:stop]
        status = None if self._status is None else self._status[start:stop]
        if self.is_view:
            reach = zip(part.shape, self._strides, strict=True)
            length = sum((size - 1) * step for size, step in reach) + 1 if len(part) else 0
            flat = as_strided(part, (length,), (_ITEM,), writeable=False)
        else:
            with np.errstate(over="ignore", invalid="ignore"):
                flat = np.ascontiguousarray(part.astype(np.float32)).reshape(-1)
        return Batch(as_numbers(flat), self._strides[0], status)
