"""Batches of numbers as the decoder takes them, whatever form they came in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fenpack.recognition.presets import Kind

__all__ = ["Batch", "Source", "contiguous_places", "dense"]

MEN = 12


@dataclass(frozen=True)
class Batch:
    """Some rows of numbers.

    Attributes
    ----------
    numbers : FloatArray
        Row *i* begins at ``i * stride``.
    stride : int
        Numbers from row to row.
    status : ndarray of uint8, shape (rows,), optional
        A `Status` for each row; those that are not fine are not decoded.
    turns : ndarray of uint8, shape (rows,), optional
        0 unknown, 1 White, 2 Black.
    dropped : ndarray of uint32, shape (rows,), optional
        Boxes that were on no square.
    """

    numbers: pa.FloatArray
    stride: int
    status: NDArray[np.uint8] | None = None
    turns: NDArray[np.uint8] | None = None
    dropped: NDArray[np.uint32] | None = None


class Source(Protocol):
    """Rows of one form."""

    @property
    def rows(self) -> int:
        """How many."""

    @property
    def kind(self) -> Kind:
        """What the numbers of the batches are."""

    @property
    def empty(self) -> str | float:
        """What tells an empty square: ``"column"``, ``"complement"`` or a constant score."""

    @property
    def others(self) -> bool:
        """Whether rows have columns that are left out."""

    @property
    def places(self) -> list[list[int]]:
        """For each man, then for each empty column, the place in a row of each square."""

    def batch(self, start: int, stop: int) -> Batch:
        """Give the rows from `start` to `stop`."""


def as_numbers(flat: NDArray[np.float32]) -> pa.FloatArray:
    """Give contiguous numbers to Arrow without a copy."""
    return pa.Array.from_buffers(pa.float32(), len(flat), [None, pa.py_buffer(flat)])


def dense(scores: NDArray[np.float32], **columns: Any) -> Batch:
    """Make a batch of scores of shape (rows, 64, classes)."""
    flat = np.ascontiguousarray(scores, np.float32).reshape(-1)
    return Batch(as_numbers(flat), scores.shape[1] * scores.shape[2], **columns)


def contiguous_places(columns: int) -> list[list[int]]:
    """Give the places of scores of shape (rows, 64, columns), the empty class first if it is there.

    Squares are in the order of positions, men in that of their numbers.
    """
    first = columns - MEN
    planes = [[square * columns + man for square in range(64)] for man in range(first, columns)]
    return planes + [[square * columns + i for square in range(64)] for i in range(first)]
