"""A diagnostic for class and square orders. It ranks readings; it never chooses one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fenpack.columns import is_valid
from fenpack.recognition.arrays import as_array, board_axes
from fenpack.recognition.boards import positions_of
from fenpack.recognition.classes import EMPTY, IGNORED, class_order
from fenpack.recognition.games import log_shares
from fenpack.recognition.presets import PRESETS
from fenpack.recognition.squares import ORDERS

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Layout", "LayoutReport", "explain_layout"]

_COLUMNS = (13, 14)
_SHOWN = 10
#: Half as much as lies between the right reading and the same with files mirrored.
_CLOSE = 0.1


@dataclass(frozen=True)
class Layout:
    """One reading of a batch.

    Attributes
    ----------
    classes, squares : str
        The class order and the square order.
    presets : tuple of str
        The presets that have this class order; none for one made by swapping colours.
    log_share : float
        The mean over squares of the log share that the class has there in games; about -0.9 for
        ordinary positions read rightly.
    legal : float
        The share of boards that are legal with either side to move.
    """

    classes: str
    squares: str
    presets: tuple[str, ...]
    log_share: float
    legal: float

    @property
    def twin(self) -> tuple[str, str]:
        """The reading with colours swapped and ranks mirrored: nothing tells the two apart."""
        mirrored = {"a8": "a1", "a1": "a8", "h8": "h1", "h1": "h8"}
        return self.classes.swapcase(), mirrored[self.squares[:2]] + self.squares[2:]


@dataclass(frozen=True)
class LayoutReport:
    """The readings of a batch, the most usual first.

    Attributes
    ----------
    boards : int
        How many boards were looked at.
    layouts : tuple of Layout
        Every known class order and its twin in every square order.
    """

    boards: int
    layouts: tuple[Layout, ...]

    @property
    def close(self) -> tuple[Layout, ...]:
        """The readings that the batch does not tell from the first."""
        best = self.layouts[0].log_share
        return tuple(one for one in self.layouts if best - one.log_share < _CLOSE)

    def __str__(self) -> str:
        lines = [f"{self.boards:,} boards; log share of games, legal boards, classes, squares"]
        for one in self.layouts[:_SHOWN]:
            names = f"  ({', '.join(one.presets)})" if one.presets else ""
            lines.append(
                f"  {one.log_share:7.3f} {one.legal:7.1%}  {one.classes:<14}  {one.squares}{names}"
            )
        classes, squares = self.layouts[0].twin
        lines.append(
            f"cannot be told apart from the first by any statistic: {classes} with {squares}, the "
            f"same with colours swapped and ranks mirrored"
        )
        others = [
            f"{one.classes} with {one.squares}"
            for one in self.close[1:]
            if (one.classes, one.squares) != (classes, squares)
        ]
        if others:
            lines.append(f"nor clearly by this batch: {'; '.join(others)}")
        return "\n".join(lines)


def explain_layout(scores: Any, *, boards: int = 1000) -> LayoutReport:
    """Rank the known class orders and square orders by how usual the boards are that they give.

    A diagnostic for a person to look at: `decode` never uses it. The argmax of each square is
    read by every class order of `PRESETS` with as many columns, and by the same with colours
    swapped, in every square order.

    Parameters
    ----------
    scores : array
        Scores of 13 or 14 classes, as for `decode`; the more of them the likelier.
    boards : int
        Look at so many from the start.

    Returns
    -------
    LayoutReport
        Which prints well, and names the reading that cannot be told apart.

    Raises
    ------
    ValueError
        If the shape is none that `decode` takes with 13 or 14 classes, or there are no boards.

    Examples
    --------
    >>> import numpy as np
    >>> import fenpack as fp
    >>> from fenpack.recognition import explain_layout
    >>> from fenpack.recognition.boards import classes_of
    >>> start = fp.parse(["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"])
    >>> report = explain_layout(np.eye(13, dtype=np.float32)[classes_of(start)])
    >>> best = report.layouts[0]
    >>> best.classes, best.squares, best.twin
    ('.PNBRQKpnbrqk', 'a1', ('.pnbrqkPNBRQK', 'a8'))
    """
    array = as_array(scores)
    read, columns = _boards(array)
    read = read[:boards]
    if not len(read):
        raise ValueError("scores has no boards to look at")
    best = read.reshape(len(read), 64, columns).argmax(2)
    named: dict[str, list[str]] = {}
    for name, preset in PRESETS.items():
        order = class_order(preset.classes)
        if len(order) == columns and EMPTY in order and IGNORED not in order:
            named.setdefault(preset.classes, []).append(name)
    orders = [*named, *(swapped for one in named if (swapped := one.swapcase()) not in named)]
    layouts = [
        _layout(best, classes, squares, tuple(named.get(classes, ())))
        for classes in orders
        for squares in ORDERS
    ]
    layouts.sort(key=lambda one: -one.log_share)
    return LayoutReport(len(read), tuple(layouts))


def _boards(array: NDArray[Any]) -> tuple[NDArray[Any], int]:
    for columns in _COLUMNS[:-1]:
        try:
            return board_axes(array, columns), columns
        except ValueError:
            continue
    return board_axes(array, _COLUMNS[-1]), _COLUMNS[-1]


def _layout(best: NDArray[np.intp], classes: str, squares: str, presets: tuple[str, ...]) -> Layout:
    board = np.empty(best.shape, np.uint8)
    board[:, ORDERS[squares]] = np.array(class_order(classes), np.uint8)[best]
    shares = log_shares()[board, np.arange(64)]
    white = positions_of(board)
    records = white.to_numpy(writable=True)
    records["flags"] |= 1
    black = type(white).from_numpy(records)
    legal = np.asarray(is_valid(white)) | np.asarray(is_valid(black))
    return Layout(classes, squares, presets, float(shares.mean()), float(legal.mean()))
