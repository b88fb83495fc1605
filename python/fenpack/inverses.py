"""Arrays for networks read back as positions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fenpack import _native
from fenpack.buffers import carrier
from fenpack.layouts import (
    CELLS,
    TOKENS,
    Array,
    Channels,
    Perspective,
    Squares,
    layout_named,
    length_of,
    plane_shape,
    state_of,
    token_view,
    words_of,
)

if TYPE_CHECKING:
    from fenpack.position import PositionArray

__all__ = ["from_bitboards", "from_planes", "from_tokens"]


def from_bitboards(
    bitboards: Any,
    *,
    layout: str = "pieces",
    perspective: Perspective | None = None,
    squares: Squares | None = None,
    black_to_move: Any = False,
    chess960: bool = False,
) -> PositionArray:
    """Read positions back from bitboards, the inverse of `bitboards`.

    Parameters
    ----------
    bitboards : array of uint64, shape (N, C)
        Also a tensor with DLPack.
    layout, perspective, squares : str, optional
        As they were written.
    black_to_move : bool or array of bool, shape (N,)
        Who is to move, for layouts that do not say.
    chess960 : bool
        Mark the positions as Chess960.

    Returns
    -------
    PositionArray
        What the layout keeps; what it loses is as in an empty FEN: White to move (or
        `black_to_move`), no castling right, no en passant square, counters ``0 1`` marked as
        absent.

    Raises
    ------
    ValueError
        If a row is no position: two men on one square, a role without a side, a plane of a state
        that is neither full nor empty, a square marked where no rook can castle or no pawn can have
        passed. The message names row and square or plane.
    TypeError
        If `bitboards` is no array of uint64.

    Examples
    --------
    >>> import fenpack as fp
    >>> words = fp.bitboards(["8/8/8/8/8/8/8/K1k5 w - -"])
    >>> fp.format(fp.from_bitboards(words)).to_pylist()
    ['8/8/8/8/8/8/8/K1k5 w - - 0 1']
    """
    chosen = layout_named(layout)
    array = _given(bitboards, "bitboards", ("uint64",), (chosen.channels,))
    positions: PositionArray = _native.read_bitboards(
        array.reshape(-1),
        words_of(chosen, perspective, squares),
        state_of("keep", chess960),
        _sides(black_to_move, len(array)),
    )
    return positions


def from_planes(
    planes: Any,
    layout: str = "pieces",
    *,
    perspective: Perspective | None = None,
    squares: Squares | None = None,
    channels: Channels = "first",
    black_to_move: Any = False,
    chess960: bool = False,
) -> PositionArray:
    """Read positions back from planes, the inverse of `planes`.

    Of layouts with history the current position is read. lc0's canonical forms say neither the
    colour nor the symmetry that they chose: the position is that of the board as it was turned.

    Parameters
    ----------
    planes : array, shape (N, C, 8, 8) or (N, 8, 8, C)
        Of one of the types that `planes` writes; also a tensor with DLPack.
    layout, perspective, squares, channels : str, optional
        As they were written.
    black_to_move, chess960 : optional
        As for `from_bitboards`.

    Returns
    -------
    PositionArray
        As for `from_bitboards`.

    Raises
    ------
    ValueError
        As for `from_bitboards`; also if a cell is neither 0 nor 1, or a number no count.
    TypeError
        If `planes` is no array of such a type.

    Examples
    --------
    >>> import fenpack as fp
    >>> board = fp.planes(["4k3/8/8/8/8/8/8/4K2R b K -"], "maia2_18")
    >>> fp.format(fp.from_planes(board, "maia2_18")).to_pylist()
    ['4k3/8/8/8/8/8/8/4K2R b K - 0 1']
    """
    chosen = layout_named(layout)
    array = _given(planes, "planes", CELLS, plane_shape(chosen, channels))
    positions: PositionArray = _native.read_planes(
        carrier(array),
        words_of(chosen, perspective, squares),
        state_of("keep", chess960),
        channels,
        array.dtype.name,
        _sides(black_to_move, len(array)),
    )
    return positions


def from_tokens(
    tokens: Any,
    vocabulary: str = "squares",
    *,
    perspective: Perspective | None = None,
    squares: Squares | None = None,
    black_to_move: Any = False,
    chess960: bool = False,
) -> PositionArray:
    """Read positions back from tokens, the inverse of `tokens`.

    Parameters
    ----------
    tokens : array of uint8, int32 or int64, shape (N, 64), (N, 77) or (N, 69)
        Also a tensor with DLPack.
    vocabulary, perspective, squares : str, optional
        As they were written.
    black_to_move, chess960 : optional
        As for `from_bitboards`.

    Returns
    -------
    PositionArray
        As for `from_bitboards`.

    Raises
    ------
    ValueError
        If a row is no position; the message names row and token.
    TypeError
        If `tokens` is no array of such a type.

    Examples
    --------
    >>> import fenpack as fp
    >>> ids = fp.tokens(["4k3/8/8/8/8/8/8/4K2R b K - 3 40"], "searchless_77")
    >>> fp.format(fp.from_tokens(ids, "searchless_77")).to_pylist()
    ['4k3/8/8/8/8/8/8/4K2R b K - 3 40']
    """
    array = _given(tokens, "tokens", TOKENS, (length_of(vocabulary),))
    sees, order = token_view(vocabulary, perspective, squares)
    positions: PositionArray = _native.read_tokens(
        array.reshape(-1),
        vocabulary,
        sees,
        order,
        state_of("keep", chess960),
        array.dtype.name,
        _sides(black_to_move, len(array)),
    )
    return positions


def _given(values: Any, name: str, dtypes: tuple[str, ...], shape: tuple[int, ...]) -> Array:
    """Take `values`, the argument called `name`, as an array of rows of `shape`."""
    if not isinstance(values, np.ndarray) and hasattr(values, "__dlpack__"):
        values = np.from_dlpack(values)
    array = np.asarray(values)
    if array.dtype.name not in dtypes:
        names = ", ".join(dtypes)
        raise TypeError(f"{name} must be an array of {names}, got {array.dtype}")
    if array.shape[1:] != shape or array.ndim != len(shape) + 1:
        wanted = ", ".join(map(str, ("N", *shape)))
        raise ValueError(f"{name} must have shape ({wanted}), got {array.shape}")
    return np.ascontiguousarray(array, array.dtype.newbyteorder("="))


def _sides(black_to_move: Any, rows: int) -> Array:
    sides = np.asarray(black_to_move)
    if sides.dtype != bool or sides.shape not in ((), (rows,)):
        raise ValueError(
            f"black_to_move must be bool, or an array of bool of shape ({rows},), got "
            f"{sides.dtype} of shape {sides.shape}"
        )
    return np.ascontiguousarray(np.broadcast_to(sides, (rows,)))
