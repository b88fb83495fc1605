"""Which rows are the same position: keys, identity bytes, duplicates, distinct positions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, overload

from fenpack import _native
from fenpack.inputs import Column, as_arrow, as_bool

if TYPE_CHECKING:
    import pyarrow as pa

    from fenpack.position import PositionArray

__all__ = ["identity", "is_duplicate", "key", "unique", "zobrist"]

By: TypeAlias = Literal["position", "board_side_rights", "board_side", "board"]


def key(x: Column, *, bits: Literal[64, 128] = 64, chess960: bool = False) -> pa.Array:
    """Give the key of each position: equal for rows that the FIDE rules call the same.

    The key hashes the board, the side to move, the castling rights that hold and the en passant
    square if a capture is legal (FIDE Laws, article 9.2); counters never count. It is frozen: the
    same in every version, on every platform, for text and packed positions, however a column is
    cut into chunks. It is the XXH3-128 hash, seed 0, of the 36 bytes that `identity` gives, see
    ``docs/identity.md``.

    Parameters
    ----------
    x : column of text or packed positions
        Text is read with the ``"lenient"`` dialect of `parse`.
    bits : {64, 128}
        128 gives the 16 bytes of the hash in their canonical (big-endian) order; 64 its low half
        as an integer. Among 10**9 positions 0.027 pairs are expected to share a 64-bit key, among
        10**10 it is 2.7. `is_duplicate` and `unique` are exact whatever the number.
    chess960 : bool
        Judge castling rights as in Chess960. Positions marked so are judged so in any case.

    Returns
    -------
    UInt64Array or FixedSizeBinaryArray of 16 bytes, or ChunkedArray of it
        Null for null and for a row that cannot be read.

    Raises
    ------
    ValueError
        If `bits` is neither, or a row's bytes are no packed position.
    TypeError
        If `x` is not a column of text or positions.

    Examples
    --------
    >>> import fenpack as fp
    >>> written = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
    >>> hex(fp.key([written])[0].as_py())
    '0xb831eacce4f140a4'
    >>> fp.key([written]) == fp.key([written.replace("e3 0 1", "- 3 9")])
    True
    """
    return _native.key(as_arrow(x, "x"), bits, as_bool(chess960, "chess960"))


def zobrist(x: Column, *, chess960: bool = False) -> pa.UInt64Array | pa.ChunkedArray:
    """Give Polyglot's key of each position.

    The key of the Polyglot opening book format (M. Van den Bergh, "Polyglot book format"), with
    the format's own en passant rule: the file counts if a pawn stands beside the pushed one, pins
    and checks aside. Rights that do not hold and en passant squares that cannot be right are
    cleared first. The format tells a side's rights only as short and long, so Chess960 positions
    that differ in which rook may castle can share a key. Books store it big-endian.

    Parameters
    ----------
    x : column of text or packed positions
        Text is read with the ``"lenient"`` dialect of `parse`.
    chess960 : bool
        Judge castling rights as in Chess960. Positions marked so are judged so in any case.

    Returns
    -------
    UInt64Array or ChunkedArray of it
        Null for null and for a row that cannot be read.

    Raises
    ------
    ValueError
        If a row's bytes are no packed position.
    TypeError
        If `x` is not a column of text or positions.

    Examples
    --------
    >>> import fenpack as fp
    >>> start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    >>> hex(fp.zobrist([start])[0].as_py())
    '0x463b96181691fc9c'
    """
    return _native.zobrist(as_arrow(x, "x"), as_bool(chess960, "chess960"))


def identity(x: Column, *, by: By = "position", chess960: bool = False) -> pa.Array:
    r"""Give the bytes that two rows share if and only if they count as one.

    They are the first 36 bytes of the canonical packed position (see `position_dtype`), its flags
    reduced to the side to move: what `key` hashes, and what an engine groups or joins by to be
    exact.

    Parameters
    ----------
    x : column of text or packed positions
        Text is read with the ``"lenient"`` dialect of `parse`.
    by : {"position", "board_side_rights", "board_side", "board"}
        What is compared: board, side to move, castling rights that hold and a legal en passant
        square; the same without en passant; board and side; the board alone. What is left out is
        0, or 64 for the en passant square.
    chess960 : bool
        Judge castling rights as in Chess960. Positions marked so are judged so in any case.

    Returns
    -------
    FixedSizeBinaryArray of 36 bytes, or ChunkedArray of it
        Null for null and for a row that cannot be read.

    Raises
    ------
    ValueError
        If `by` is none of these, or a row's bytes are no packed position.
    TypeError
        If `x` is not a column of text or positions.

    Examples
    --------
    >>> import fenpack as fp
    >>> rows = fp.identity(["8/8/8/8/8/8/8/K1k5 w - - 0 1", "8/8/8/8/8/8/8/K1k5 b - - 0 1"])
    >>> rows[0].as_py()[32:], rows[1].as_py()[32:]
    (b'\x00@\x00\x00', b'\x01@\x00\x00')
    """
    return _native.identity(as_arrow(x, "x"), by, as_bool(chess960, "chess960"))


def is_duplicate(
    x: Column,
    *,
    keep: Literal["first", "last"] | None = "first",
    chess960: bool = False,
) -> pa.BooleanArray | pa.ChunkedArray:
    """Tell for each row whether the column has the same position elsewhere.

    Exact: hashes only say where to look, and identities are compared (see `identity`). The result
    does not depend on the number of threads.

    Parameters
    ----------
    x : column of text or packed positions
        Text is read with the ``"lenient"`` dialect of `parse`.
    keep : {"first", "last", None}
        The row of each group that is no duplicate; with ``None`` every row that has its like is.
    chess960 : bool
        Judge castling rights as in Chess960. Positions marked so are judged so in any case.

    Returns
    -------
    BooleanArray or ChunkedArray of it
        Null for null and for a row that cannot be read: it is the same as no other. To keep such
        rows, filter by ``pc.invert(found).fill_null(True)``.

    Raises
    ------
    ValueError
        If `keep` is none of these, or a row's bytes are no packed position.
    TypeError
        If `x` is not a column of text or positions.

    Notes
    -----
    Memory: 40 bytes a row beside the result.

    Examples
    --------
    >>> import fenpack as fp
    >>> fp.is_duplicate([
    ...     "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
    ...     "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 3 9",
    ...     "",
    ... ]).to_pylist()
    [False, True, None]
    """
    return _native.is_duplicate(as_arrow(x, "x"), keep, as_bool(chess960, "chess960"))


@overload
def unique(
    x: Column,
    *,
    return_counts: Literal[False] = ...,
    return_inverse: Literal[False] = ...,
    chess960: bool = ...,
) -> PositionArray: ...
@overload
def unique(
    x: Column, *, return_counts: bool = ..., return_inverse: bool = ..., chess960: bool = ...
) -> PositionArray | tuple[pa.Array, ...]: ...
def unique(
    x: Column,
    *,
    return_counts: bool = False,
    return_inverse: bool = False,
    chess960: bool = False,
) -> PositionArray | tuple[pa.Array, ...]:
    """Give the distinct positions in order of first occurrence.

    Exact, and the same for any number of threads, as `is_duplicate`.

    Parameters
    ----------
    x : column of text or packed positions
        Text is read with the ``"lenient"`` dialect of `parse`.
    return_counts : bool
        Also give how many rows each position has.
    return_inverse : bool
        Also give, for each row, the place of its position among the distinct ones.
    chess960 : bool
        Judge castling rights as in Chess960. Positions marked so are judged so in any case.

    Returns
    -------
    positions : PositionArray
        In canonical form (rights that hold, a legal en passant square), with the counters of the
        first occurrence. Rows that are null or cannot be read have none.
    inverse : Int64Array or ChunkedArray of it, with `return_inverse`
        Null for null and for a row that cannot be read.
    counts : Int64Array, with `return_counts`
        Of the same length as `positions`.

    Raises
    ------
    ValueError
        If a row's bytes are no packed position.
    TypeError
        If `x` is not a column of text or positions.

    Examples
    --------
    >>> import fenpack as fp
    >>> positions, inverse, counts = fp.unique(
    ...     ["8/8/8/8/8/8/8/K1k5 w - - 0 1", "8/8/8/8/8/8/8/K1k5 w - - 9 9"],
    ...     return_counts=True,
    ...     return_inverse=True,
    ... )
    >>> len(positions), inverse.to_pylist(), counts.to_pylist()
    (1, [0, 0], [2])
    """
    positions, counts, inverse = _native.unique(as_arrow(x, "x"), as_bool(chess960, "chess960"))
    asked = [inverse] * return_inverse + [counts] * return_counts
    return (positions, *asked) if asked else positions
