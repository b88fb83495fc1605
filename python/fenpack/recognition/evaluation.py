"""How good decoded boards are, against the truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fenpack.columns import parse
from fenpack.inputs import as_pyarrow
from fenpack.position import PositionArray, PositionType
from fenpack.recognition.boards import CLASSES, classes_of
from fenpack.recognition.decoded import Decoded, whole
from fenpack.recognition.options import number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fenpack.inputs import Column

__all__ = ["Evaluation", "Share", "evaluate"]

#: The quantile of the normal distribution for 95 %.
_Z = 1.959964


@dataclass(frozen=True)
class Share:
    """A share of a total with its 95 % interval after Wilson (1927).

    Attributes
    ----------
    hits, total : int
        The share is `hits` of `total`.
    low, high : float
        The ends of the interval, from 0 to 1.
    """

    hits: int
    total: int
    low: float
    high: float

    @classmethod
    def of(cls, hits: int, total: int) -> Share:
        """Give the share of `hits` in `total`.

        Parameters
        ----------
        hits, total : int
            From 0 up; `hits` is at most `total`.

        Returns
        -------
        Share
            With its interval, which is all from 0 to 1 where the total is 0.
        """
        if not total:
            return cls(hits, total, 0.0, 1.0)
        share, z = hits / total, _Z**2 / total
        middle = (share + z / 2) / (1 + z)
        half = (share * (1 - share) * z + z**2 / 4) ** 0.5 / (1 + z)
        low = middle - half if hits else 0.0
        high = middle + half if hits < total else 1.0
        return cls(hits, total, low, high)

    @property
    def share(self) -> float:
        """The share, NaN of nothing."""
        return self.hits / self.total if self.total else float("nan")

    def __str__(self) -> str:
        return f"{self.share:.2%} [{self.low:.2%}, {self.high:.2%}] ({self.hits:,}/{self.total:,})"


@dataclass(frozen=True, eq=False)
class Evaluation:
    """How good a decoding is.

    Attributes
    ----------
    exact : Share
        Boards without a wrong square, of all that have a truth; one without a position is not.
    at_most_one : Share
        Boards with at most one wrong square.
    missing : Share
        Rows without a position.
    orientation : Share
        Boards that are nearer to the truth once they are turned. The figures below leave them out.
    wrong_squares : float
        The mean number of wrong squares of a board.
    wrong_squares_interval : (float, float)
        Its 95 % interval, by the normal approximation.
    classes : pyarrow.Table
        For each class how often it is the truth (``truth``), was read (``read``), both (``both``),
        and ``precision``, ``recall``, ``f1``; null where there is nothing to divide by.
    recall : float
        The share of wrong squares that the next is about.
    flagged : float or None
        The share of squares that must be looked at, those of least margin first, to see that share
        of the wrong ones. None without margins or wrong squares.
    """

    exact: Share
    at_most_one: Share
    missing: Share
    orientation: Share
    wrong_squares: float
    wrong_squares_interval: tuple[float, float]
    classes: pa.Table
    recall: float
    flagged: float | None

    def __str__(self) -> str:
        low, high = self.wrong_squares_interval
        lines = [
            f"exact boards        {self.exact}",
            f"at most one wrong   {self.at_most_one}",
            f"without a position  {self.missing}",
            f"wrongly turned      {self.orientation}",
            f"wrong squares       {self.wrong_squares:.3f} [{low:.3f}, {high:.3f}] a board",
        ]
        if self.flagged is not None:
            lines.append(
                f"looked at           {self.flagged:.2%} of squares to see {self.recall:.0%}"
            )
        lines.append("class      truth       read  precision  recall      f1")
        for row in self.classes.to_pylist():
            ratios = ("-" if row[name] is None else f"{row[name]:.2%}" for name in _RATIOS)
            precision, recall, f1 = ratios
            lines.append(
                f"{row['class']:>5} {row['truth']:>10,} {row['read']:>10,} {precision:>10} "
                f"{recall:>7} {f1:>7}"
            )
        return "\n".join(lines)


_RATIOS = ("precision", "recall", "f1")


def evaluate(decoded: Decoded | Column, truth: Column, *, recall: float = 0.9) -> Evaluation:
    """Compare decoded boards with the truth.

    Parameters
    ----------
    decoded : Decoded or column of positions or text
        What was read, such as ``decoded.argmax`` to compare.
    truth : column of positions or text
        As many rows: packed positions, or FENs and placements. Rows whose truth is null are left
        out.
    recall : float
        The share of wrong squares for `Evaluation.flagged`.

    Returns
    -------
    Evaluation
        Which prints well.

    Raises
    ------
    ValueError
        If the lengths differ, or a truth cannot be read.

    Examples
    --------
    >>> from fenpack.recognition import evaluate
    >>> result = evaluate(["8/8/8/8/8/8/8/K1k5"], ["8/8/8/8/8/8/8/K1k5"])
    >>> str(result.exact)
    '100.00% [20.65%, 100.00%] (1/1)'
    """
    recall = number(recall, "recall", 0.0, 1.0)
    margins = None
    if isinstance(decoded, Decoded):
        margins = decoded.margins() if decoded.margin is not None else None
        read = whole(decoded.positions)
    else:
        read = _positions(decoded, "decoded")
    true = _positions(truth, "truth")
    if len(read) != len(true):
        raise ValueError(f"truth must have as many rows as decoded, {len(read)}, got {len(true)}")
    has_truth = np.asarray(true.is_valid())
    has_board = has_truth & np.asarray(read.is_valid())
    rows = int(has_truth.sum())
    boards, truths = classes_of(read)[has_board], classes_of(true)[has_board]
    wrong = boards != truths
    counts = wrong.sum(1)
    turned = _turned_errors(boards, truths)
    upright = turned >= counts
    squares = counts[upright]
    mean = float(squares.mean()) if len(squares) else float("nan")
    spread = _Z * float(squares.std(ddof=1)) / len(squares) ** 0.5 if len(squares) > 1 else np.inf
    flagged = None
    if margins is not None:
        flagged = _flagged(margins[has_board][upright], wrong[upright], recall)
    return Evaluation(
        exact=Share.of(int((counts == 0).sum()), rows),
        at_most_one=Share.of(int((counts <= 1).sum()), rows),
        missing=Share.of(rows - len(boards), rows),
        orientation=Share.of(int((~upright).sum()), rows),
        wrong_squares=mean,
        wrong_squares_interval=(mean - spread, mean + spread),
        classes=_classes(boards[upright], truths[upright]),
        recall=recall,
        flagged=flagged,
    )


def _positions(column: Any, name: str) -> PositionArray:
    array = whole(as_pyarrow(column, name))
    if isinstance(array.type, PositionType):
        return cast("PositionArray", array)
    if pa.types.is_fixed_size_binary(array.type):
        return cast("PositionArray", pa.ExtensionArray.from_storage(PositionType(), array))
    positions = whole(parse(array))
    if positions.null_count:
        others = whole(parse(array, dialect="placement"))
        both = pc.coalesce(positions.storage, others.storage)
        positions = pa.ExtensionArray.from_storage(PositionType(), both)
    if positions.null_count > array.null_count:
        lost = np.asarray(positions.is_null()) & np.asarray(array.is_valid())
        row = int(np.argmax(lost))
        raise ValueError(
            f"{name} row {row} is neither FEN nor placement: {array[row].as_py()!r:.90}"
        )
    return cast("PositionArray", positions)


def _turned_errors(boards: NDArray[np.uint8], truths: NDArray[np.uint8]) -> NDArray[Any]:
    """Count the wrong squares in the best of the other three orientations."""
    grid = boards.reshape(-1, 8, 8)
    turned = [np.rot90(grid, times, (1, 2)).reshape(-1, 64) != truths for times in (1, 2, 3)]
    return np.asarray(np.min([wrong.sum(1) for wrong in turned], axis=0))


def _classes(boards: NDArray[np.uint8], truths: NDArray[np.uint8]) -> pa.Table:
    size = len(CLASSES)
    pairs = np.bincount(truths.reshape(-1) * np.intp(size) + boards.reshape(-1), minlength=size**2)
    table = pairs.reshape(size, size)
    truth, read, both = table.sum(1), table.sum(0), np.diagonal(table)

    def ratio(above: NDArray[Any], below: NDArray[Any]) -> pa.Array:
        return pa.array(above / np.maximum(below, 1), mask=below == 0)

    return pa.table(
        {
            "class": list(CLASSES),
            "truth": truth,
            "read": read,
            "both": both,
            "precision": ratio(both, read),
            "recall": ratio(both, truth),
            "f1": ratio(2 * both, read + truth),
        }
    )


def _flagged(margins: NDArray[np.float32], wrong: NDArray[np.bool_], recall: float) -> float | None:
    """Give the share of squares of least margin that has `recall` of the wrong ones."""
    total = int(wrong.sum())
    if not total:
        return None
    needed = np.sort(margins[wrong])[max(int(np.ceil(recall * total)), 1) - 1]
    return float((margins <= needed).mean())
