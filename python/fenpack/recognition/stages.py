"""Two stages: whether a square is occupied, and by what if it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fenpack.recognition.arrays import board_axes
from fenpack.recognition.classes import EMPTY
from fenpack.recognition.decoded import Status
from fenpack.recognition.source import MEN, Batch, contiguous_places, dense

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fenpack.recognition.presets import Kind

__all__ = ["StageSource"]

_SLACK = 1e-2


class StageSource:
    """Scores of both stages as log probabilities of thirteen classes.

    Parameters
    ----------
    pieces : ndarray
        Scores of the men in a shape of `board_axes`.
    occupancy : ndarray
        Scores of (empty, occupied), or of occupied alone, in the like shape.
    order : list of int
        The class of each column of `pieces`.
    squares : ndarray of intp, shape (64,)
        The square of each place.
    kind : str
        ``"probs"``, ``"logits"`` or ``"logprobs"``.
    eps : float
        The least probability of a class.
    """

    kind: Kind = "logprobs"
    empty = "column"
    others = False

    def __init__(
        self,
        pieces: NDArray[Any],
        occupancy: NDArray[Any],
        order: list[int],
        squares: NDArray[np.intp],
        *,
        kind: Kind,
        eps: float,
    ) -> None:
        if kind not in ("probs", "logits", "logprobs"):
            raise ValueError(
                f"kind must be 'probs', 'logits' or 'logprobs' with occupancy, got {kind!r}"
            )
        if EMPTY in order:
            raise ValueError("classes must have no empty column with occupancy")
        for name, array in (("scores", pieces), ("occupancy", occupancy)):
            if array.dtype.kind != "f":
                raise TypeError(f"{name} must be floating-point numbers, got {array.dtype}")
        self._pieces = board_axes(pieces, len(order))
        self._occupancy = _occupancy_axes(occupancy)
        if len(self._occupancy) != len(self._pieces):
            raise ValueError(
                f"occupancy must have as many boards as scores, {len(self._pieces)}, got "
                f"{len(self._occupancy)}"
            )
        self.rows = len(self._pieces)
        self._order, self._squares, self._kind, self._eps = order, squares, kind, eps

    @property
    def places(self) -> list[list[int]]:
        """For each man, then for the empty class, the place in a row of each square."""
        return contiguous_places(MEN + 1)

    def batch(self, start: int, stop: int) -> Batch:
        """Give the rows from `start` to `stop` as log scores."""
        rows = len(self._pieces[start:stop])
        pieces = self._pieces[start:stop].astype(np.float64).reshape(rows, 64, -1)
        pieces = pieces[..., [self._order.index(man) for man in range(1, MEN + 1)]]
        occupancy = self._occupancy[start:stop].astype(np.float64)
        occupancy = occupancy.reshape(rows, 64, occupancy.shape[-1])
        status = np.zeros(rows, np.uint8)
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            if occupancy.shape[2] == 1:
                occupancy = np.concatenate([_other(occupancy, self._kind), occupancy], 2)
            if self._kind == "probs":
                for stage in (pieces, occupancy):
                    _check(stage, status)
                pieces, occupancy = (np.log(np.maximum(x, self._eps)) for x in (pieces, occupancy))
            else:
                for stage in (pieces, occupancy):
                    bad = ~(stage < np.inf).all((1, 2))
                    status[bad] = Status.NOT_FINITE
                pieces, occupancy = _normalised(pieces), _normalised(occupancy)
            scores = np.empty((rows, 64, MEN + 1), np.float32)
            scores[:, self._squares, 0] = occupancy[..., 0]
            scores[:, self._squares, 1:] = occupancy[..., 1:] + pieces
        return dense(scores, status=status)


def _occupancy_axes(array: NDArray[Any]) -> NDArray[Any]:
    if array.shape in ((64,), (8, 8)) or (
        array.shape[1:] in ((64,), (8, 8)) and array.shape[-1] not in (1, 2)
    ):
        array = array[..., None]
    columns = array.shape[-1]
    if columns not in (1, 2):
        raise ValueError(
            f"occupancy must have the shape (N, 64), (N, 64, 1) or (N, 64, 2) with the columns "
            f"empty and occupied, or (N, 8, 8, ...), got {array.shape}"
        )
    return board_axes(array, columns, "occupancy")


def _other(occupied: NDArray[Any], kind: str) -> NDArray[Any]:
    """Score of an empty square where only that of an occupied one is given."""
    if kind == "probs":
        return 1.0 - occupied
    if kind == "logits":
        return np.zeros_like(occupied)
    return np.asarray(np.log1p(-np.exp(np.minimum(occupied, 0.0))))


def _check(stage: NDArray[Any], status: NDArray[np.uint8]) -> None:
    """Note the rows whose probabilities are none."""
    sums = stage.sum(2)
    status[(np.abs(sums - 1) > _SLACK).any(1)] = Status.NOT_NORMALISED
    status[((stage < -_SLACK) | (stage > 1 + _SLACK)).any((1, 2))] = Status.OUT_OF_RANGE
    status[~np.isfinite(stage).all((1, 2))] = Status.NOT_FINITE


def _normalised(logs: NDArray[Any]) -> NDArray[Any]:
    most = logs.max(2, keepdims=True)
    # Where nothing is possible it stays so.
    most = np.where(np.isneginf(most), 0.0, most)
    total = np.exp(logs - most).sum(2, keepdims=True)
    return np.asarray(logs - most - np.log(np.where(total == 0, 1.0, total)))
