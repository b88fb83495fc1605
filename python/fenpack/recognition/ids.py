"""Class numbers, one a square, with or without a confidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fenpack.recognition.classes import IGNORED
from fenpack.recognition.decoded import Status
from fenpack.recognition.source import MEN, Batch, contiguous_places, dense

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fenpack.recognition.presets import Kind

__all__ = ["IdSource", "id_axes"]


def id_axes(array: NDArray[Any], name: str) -> NDArray[Any]:
    """View an array of shape (N, 64), (N, 8, 8), (64,) or (8, 8) as (N, 64).

    Raises
    ------
    ValueError
        If it has another shape.
    """
    shape = array.shape
    if shape in ((64,), (8, 8)):
        return array.reshape(1, 64)
    if shape[1:] in ((64,), (8, 8)):
        return array.reshape(len(array), 64)
    raise ValueError(
        f"{name} must have the shape (N, 64), (N, 8, 8) or one board without N, got {shape}"
    )


class IdSource:
    """Class numbers as log scores: the class has its confidence, the others share the rest.

    Parameters
    ----------
    ids : ndarray of integers
        In a shape of `id_axes`; the number of a column of `order`.
    order : list of int
        The class of each id.
    squares : ndarray of intp, shape (64,)
        The square of each place.
    confidence : ndarray of floats, optional
        The probability of each class, in the shape of `ids`; 1 without.
    eps : float
        The least probability of a class.
    status : ndarray of uint8, optional
        A `Status` for each row.
    turns : ndarray of uint8, optional
        The side to move of each row.
    """

    kind: Kind = "logprobs"
    empty = "column"
    others = False

    def __init__(
        self,
        ids: NDArray[Any],
        order: list[int],
        squares: NDArray[np.intp],
        *,
        confidence: NDArray[Any] | None,
        eps: float,
        status: NDArray[np.uint8] | None = None,
        turns: NDArray[np.uint8] | None = None,
    ) -> None:
        if ids.dtype.kind not in "iu":
            raise TypeError(f"scores must be integers with kind='ids', got {ids.dtype}")
        self._ids = id_axes(ids, "scores")
        if confidence is not None:
            if confidence.dtype.kind != "f":
                raise TypeError(f"confidence must be floating-point, got {confidence.dtype}")
            confidence = id_axes(confidence, "confidence")
            if confidence.shape != self._ids.shape:
                raise ValueError(
                    f"confidence must have the shape of scores, {ids.shape}, got {confidence.shape}"
                )
        self.rows = len(self._ids)
        self._order = np.array(order)
        self._squares = squares
        self._confidence, self._eps = confidence, eps
        self._status, self._turns = status, turns

    @property
    def places(self) -> list[list[int]]:
        """For each man, then for the empty class, the place in a row of each square."""
        return contiguous_places(MEN + 1)

    def batch(self, start: int, stop: int) -> Batch:
        """Give the rows from `start` to `stop` as log scores."""
        ids = self._ids[start:stop]
        outside = (ids < 0) | (ids >= len(self._order))
        classes = self._order[np.where(outside, 0, ids)]
        outside |= classes == IGNORED
        status = np.zeros(len(ids), np.uint8)
        status[outside.any(1)] = Status.BAD_ID
        sure: NDArray[np.float64] | float = 1.0
        if self._confidence is not None:
            sure = self._confidence[start:stop].astype(np.float64)
            status[((sure < 0) | (sure > 1)).any(1)] = Status.OUT_OF_RANGE
            status[~np.isfinite(sure).all(1)] = Status.NOT_FINITE
            sure = np.nan_to_num(sure)
        if self._status is not None:
            given = self._status[start:stop]
            status = np.where(given != Status.FINE, given, status)
        rest = np.log(np.clip((1.0 - sure) / MEN, self._eps, 1.0))
        own = np.log(np.clip(sure, self._eps, 1.0))
        shape = (len(ids), 64)
        scores = np.empty((*shape, MEN + 1), np.float32)
        scores[:, self._squares] = np.broadcast_to(rest, shape)[..., None]
        at = np.empty(shape, np.intp)
        at[:, self._squares] = np.where(outside, 0, classes)
        placed = np.empty(shape, np.float32)
        placed[:, self._squares] = np.broadcast_to(own, shape)
        np.put_along_axis(scores, at[..., None], placed[..., None], 2)
        turns = None if self._turns is None else self._turns[start:stop]
        return dense(scores, status=status, turns=turns)
