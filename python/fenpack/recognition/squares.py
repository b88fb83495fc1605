"""Square orders: which place in a recognizer's output is which square."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["ORDERS", "SQUARE_NAMES", "square_number", "square_order"]

#: The names of the squares in the order of positions.
SQUARE_NAMES = [file + rank for rank in "12345678" for file in "abcdefgh"]


def _order(corner: str, along_files: bool) -> NDArray[np.intp]:
    files = np.arange(8) if corner[0] == "a" else np.arange(8)[::-1]
    ranks = np.arange(8) if corner[1] == "1" else np.arange(8)[::-1]
    grid = ranks[:, None] * 8 + files
    return (grid.T if along_files else grid).reshape(-1).astype(np.intp)


#: The eight orders by name: the corner they begin in, ``-files`` if the next square is on its file.
ORDERS = {
    corner + ("-files" if along_files else ""): _order(corner, along_files)
    for along_files in (False, True)
    for corner in ("a8", "a1", "h1", "h8")
}


def square_number(name: Any) -> int:
    """Give the number of a square by its name, a1 = 0.

    Raises
    ------
    ValueError
        If it is no square.
    """
    try:
        return SQUARE_NAMES.index(name)
    except ValueError:
        raise ValueError(f"{name!r} is no square; squares are a1 to h8") from None


def square_order(squares: str | Sequence[str]) -> NDArray[np.intp]:
    """Give the square of each place.

    Parameters
    ----------
    squares : str or sequence of str
        ``"a8"`` (a8, b8, ... h1, as in FEN and in a picture with White at the bottom), ``"a1"``
        (a1, b1, ... h8), ``"h1"``, ``"h8"``; with ``-files`` the order goes along files, as in
        ``"a8-files"`` (a8, a7, ... a1, b8, ...). Or the 64 names.

    Returns
    -------
    ndarray of intp, shape (64,)
        Square numbers, a1 = 0.

    Raises
    ------
    ValueError
        If the order is unknown, or the names are not those of the 64 squares.
    TypeError
        If `squares` is neither a string nor a sequence of strings.

    Examples
    --------
    >>> from fenpack.recognition import square_order
    >>> square_order("a8")[:3].tolist(), square_order("a8-files")[:3].tolist()
    ([56, 57, 58], [56, 48, 40])
    """
    if isinstance(squares, str):
        if squares not in ORDERS:
            known = ", ".join(repr(name) for name in ORDERS)
            raise ValueError(f"squares must be one of {known} or 64 names, got {squares!r}")
        return ORDERS[squares]
    if not isinstance(squares, Sequence):
        raise TypeError(f"squares must be a string or 64 names, got {squares!r:.80}")
    numbers = [square_number(name) for name in squares]
    if sorted(numbers) != list(range(64)):
        raise ValueError(f"squares must name each of the 64 squares once, got {len(numbers)} names")
    return np.array(numbers, np.intp)
