"""The binary records of engines and trainers, byte for byte.

Each fixed record has a numpy dtype, so a file of them is ``numpy.fromfile(path, dtype)`` and is
written with ``records.tofile(path)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from fenpack import _native
from fenpack.buffers import blanked, written
from fenpack.inputs import Column, as_arrow
from fenpack.layouts import state_of
from fenpack.position import as_positions
from fenpack.tensors import packed

if TYPE_CHECKING:
    import pyarrow as pa

    from fenpack.position import PositionArray

__all__ = [
    "chess_board_dtype",
    "compressed_dtype",
    "from_binary_fen",
    "from_compressed",
    "from_packed_boards",
    "packed_board_dtype",
    "to_binary_fen",
    "to_chess_boards",
    "to_compressed",
    "to_packed_boards",
]

EnPassant: TypeAlias = Literal["legal", "xfen", "keep", "drop"]
Errors: TypeAlias = Literal["raise", "blank"]
Array: TypeAlias = np.ndarray[Any, Any]

chess_board_dtype: np.dtype[np.void] = np.dtype(
    [
        ("occupied", "<u8"),
        ("men", "u1", (16,)),
        ("score", "<i2"),
        ("result", "u1"),
        ("king", "u1"),
        ("opponent_king", "u1"),
        ("extra", "u1", (3,)),
    ]
)
"""bulletformat's ``ChessBoard``, 32 bytes: the board as the mover sees it.

Score and result (0 lost, 1 drawn, 2 won) are the mover's; the opponent's king is on its square as
the opponent sees it.
"""

packed_board_dtype: np.dtype[np.void] = np.dtype(
    [
        ("occupied", "<u8"),
        ("men", "u1", (16,)),
        ("turn_and_target", "u1"),
        ("halfmove", "u1"),
        ("fullmove", "<u2"),
        ("score", "<i2"),
        ("result", "u1"),
        ("extra", "u1"),
    ]
)
"""marlinformat's and viriformat's ``PackedBoard``, 32 bytes; score and result are White's."""

compressed_dtype: np.dtype[np.void] = np.dtype([("occupied", ">u8"), ("men", "u1", (16,))])
"""nnue-pytorch's compressed position, 24 bytes, without counters, score and result."""


def to_chess_boards(
    x: Column,
    *,
    scores: Any = 0,
    results: Any = 1,
    chess960: bool = False,
    errors: Errors = "raise",
) -> Array:
    """Write each row as bulletformat's ``ChessBoard``.

    The format keeps the men as the mover sees them: not who is to move, no castling right, no en
    passant square, no counter. No position can be read back.

    Parameters
    ----------
    x : column of text or of packed positions
        As for `fenpack.validate`.
    scores : int or array of int, shape (N,)
        White's scores, from -32767 to 32767; they are turned to the mover's.
    results : int or array of int, shape (N,)
        White's results, 0 lost, 1 drawn, 2 won; they are turned to the mover's.
    chess960 : bool
        Read castling rights as in Chess960.
    errors : {"raise", "blank"}
        A row that is null, cannot be read or does not fit raises, or stays all zeros.

    Returns
    -------
    ndarray of chess_board_dtype, shape (N,)
        One record a row.

    Raises
    ------
    FenError
        If a row cannot be read.
    ValueError
        If a row is null, has more than 32 men or a side without exactly one king; if a score or
        result is out of range.

    Examples
    --------
    >>> from fenpack.records import to_chess_boards
    >>> record = to_chess_boards(["8/8/8/8/8/8/8/K1k5 b - -"], scores=30, results=2)[0]
    >>> int(record["score"]), int(record["result"]), int(record["king"])
    (-30, 0, 58)
    """
    positions = packed(x, "x", errors=errors, chess960=chess960)
    records = _encoded(positions, "chess_board", chess_board_dtype, "drop", chess960, errors)
    score, result = _scored(scores, results, len(records), -32_767)
    black = _black_to_move(positions)
    blank = records["occupied"] == 0
    records["score"] = np.where(blank, 0, np.where(black, -score, score))
    records["result"] = np.where(blank, 0, np.where(black, 2 - result, result))
    return records


def to_packed_boards(
    x: Column,
    *,
    scores: Any = 0,
    results: Any = 1,
    en_passant: EnPassant = "legal",
    chess960: bool = False,
    errors: Errors = "raise",
) -> Array:
    """Write each row as the ``PackedBoard`` of marlinformat and viriformat.

    The format keeps the whole position, castling rights of Chess960 too. Rights that do not hold
    are left out.

    Parameters
    ----------
    x : column of text or of packed positions
        As for `fenpack.validate`.
    scores : int or array of int, shape (N,)
        White's scores, from -32768 to 32767.
    results : int or array of int, shape (N,)
        White's results, 0 lost, 1 drawn, 2 won.
    en_passant : {"legal", "xfen", "keep", "drop"}
        As for `fenpack.canonicalize`.
    chess960 : bool
        Read and judge castling rights as in Chess960.
    errors : {"raise", "blank"}
        As for `to_chess_boards`.

    Returns
    -------
    ndarray of packed_board_dtype, shape (N,)
        One record a row.

    Raises
    ------
    FenError
        If a row cannot be read.
    ValueError
        If a row is null, has more than 32 men or a halfmove clock above 255; if a score or result
        is out of range.

    Examples
    --------
    >>> from fenpack.records import to_packed_boards
    >>> start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    >>> to_packed_boards([start], results=2)[0].tobytes().hex(" ", 8)
    'ffff00000000ffff 1642256100000000 888888889ecaade9 4000010000000200'
    """
    records = _encoded(x, "packed_board", packed_board_dtype, en_passant, chess960, errors)
    score, result = _scored(scores, results, len(records), -32_768)
    # Even an empty board has a target, 64 for none.
    blank = records["turn_and_target"] == 0
    records["score"] = np.where(blank, 0, score)
    records["result"] = np.where(blank, 0, result)
    return records


def from_packed_boards(records: Any, *, chess960: bool = False) -> PositionArray:
    """Read the positions of ``PackedBoard`` records; scores and results are their own fields.

    Parameters
    ----------
    records : ndarray of packed_board_dtype, shape (N,)
        For example of ``numpy.fromfile``.
    chess960 : bool
        Mark the positions as Chess960.

    Returns
    -------
    PositionArray
        As many positions.

    Raises
    ------
    ValueError
        If a record is no position; the message names row and reason.
    TypeError
        If `records` is no such array.

    Examples
    --------
    >>> import fenpack as fp
    >>> from fenpack.records import from_packed_boards, to_packed_boards
    >>> records = to_packed_boards(["4k3/8/8/8/8/8/8/4K2R b K - 3 40"])
    >>> fp.format(from_packed_boards(records)).to_pylist()
    ['4k3/8/8/8/8/8/8/4K2R b K - 3 40']
    """
    return _decoded(records, "packed_board", packed_board_dtype, chess960)


def to_compressed(
    x: Column,
    *,
    en_passant: EnPassant = "legal",
    chess960: bool = False,
    errors: Errors = "raise",
) -> Array:
    """Write each row as nnue-pytorch's compressed position, 24 bytes without counters.

    Parameters
    ----------
    x : column of text or of packed positions
        As for `fenpack.validate`.
    en_passant, chess960, errors : optional
        As for `to_packed_boards`.

    Returns
    -------
    ndarray of compressed_dtype, shape (N,)
        One record a row.

    Raises
    ------
    FenError
        If a row cannot be read.
    ValueError
        If a row is null or has more than 32 men, or Black is to move without a king to say so.

    Examples
    --------
    >>> from fenpack.records import to_compressed
    >>> to_compressed(["4k3/8/8/8/3pP3/8/6N1/7K b - e3"])[0].tobytes().hex()
    '10000000180040802ac10f00000000000000000000000000'
    """
    return _encoded(x, "compressed", compressed_dtype, en_passant, chess960, errors)


def from_compressed(records: Any, *, chess960: bool = False) -> PositionArray:
    """Read positions of nnue-pytorch's compressed form.

    Parameters
    ----------
    records : ndarray of compressed_dtype, shape (N,)
        For example of ``numpy.fromfile``.
    chess960 : bool
        Mark the positions as Chess960.

    Returns
    -------
    PositionArray
        As many positions, with counters ``0 1`` marked as absent.

    Raises
    ------
    ValueError
        If a record is no position; the message names row and reason.
    TypeError
        If `records` is no such array.

    Examples
    --------
    >>> import fenpack as fp
    >>> from fenpack.records import from_compressed, to_compressed
    >>> fp.format(from_compressed(to_compressed(["8/8/8/8/8/8/8/K1k5 b - -"]))).to_pylist()
    ['8/8/8/8/8/8/8/K1k5 b - - 0 1']
    """
    return _decoded(records, "compressed", compressed_dtype, chess960)


def to_binary_fen(
    x: Column,
    *,
    en_passant: EnPassant = "legal",
    chess960: bool = False,
    variant: Literal["keep", "standard"] = "keep",
) -> pa.BinaryArray | pa.ChunkedArray:
    """Write each row as Lichess's binary FEN: the compressed position, then the counters.

    Any number of men fits. Counters ``0 1`` take no byte.

    Parameters
    ----------
    x : column of text or of packed positions
        As for `fenpack.validate`.
    en_passant, chess960 : optional
        As for `to_packed_boards`.
    variant : {"keep", "standard"}
        Say of Chess960 that it is, or call every position standard chess, as Lichess does where
        equal positions must have equal bytes.

    Returns
    -------
    BinaryArray or ChunkedArray of binary
        Null for null and for a row that cannot be read.

    Raises
    ------
    ValueError
        If a row's bytes are no packed position, or an option is none of the above.
    TypeError
        If `x` is not a column of text or positions.

    Examples
    --------
    >>> from fenpack.records import to_binary_fen
    >>> to_binary_fen(["QN4n1/6r1/3k4/8/b2K4/8/8/8 b - - 0 1"])[0].as_py().hex()
    '4340080009000000a57f2803'
    """
    state = state_of(en_passant, chess960)
    return _native.write_binary_fens(as_arrow(x, "x"), state, variant)


def from_binary_fen(fens: Any, *, chess960: bool = False) -> PositionArray | pa.ChunkedArray:
    """Read positions of Lichess's binary FENs.

    Parameters
    ----------
    fens : column of binary, or a sequence of ``bytes | None``
        Standard chess, Chess960 or from position; what is not written is 0.
    chess960 : bool
        Mark all positions as Chess960, not only those that say so.

    Returns
    -------
    PositionArray or ChunkedArray of it
        Null for null.

    Raises
    ------
    ValueError
        If a row is no binary FEN of such a variant; the message names row and reason.
    TypeError
        If `fens` is not a column of binary.

    Examples
    --------
    >>> import fenpack as fp
    >>> from fenpack.records import from_binary_fen
    >>> fen = bytes.fromhex("10000000180040802ac10f")
    >>> fp.format(from_binary_fen([fen])).to_pylist()
    ['4k3/8/8/8/3pP3/8/6N1/7K b - e3 0 1']
    """
    import pyarrow as pa

    if isinstance(fens, list | tuple):
        try:
            fens = pa.array(fens, pa.binary())
        except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
            raise TypeError(f"fens must hold bytes or None in every row: {error}") from None
    return _native.read_binary_fens(as_arrow(fens, "fens"), chess960)


def _encoded(
    x: Any, record: str, dtype: np.dtype[np.void], en_passant: str, chess960: bool, errors: str
) -> Array:
    arrow, blank = as_arrow(x, "x"), blanked(errors)
    state = state_of(en_passant, chess960)

    def write(room: Any) -> Any:
        return _native.encode_records(arrow, record, state, blank, room)

    size = dtype.itemsize
    whole = written(write, (size,), np.dtype(np.uint8), "records", None, chess960)
    return whole.view(dtype).reshape(-1)


def _decoded(records: Any, record: str, dtype: np.dtype[np.void], chess960: bool) -> PositionArray:
    if not isinstance(records, np.ndarray) or records.dtype != dtype or records.ndim != 1:
        given = getattr(records, "dtype", type(records).__name__)
        raise TypeError(
            f"records must be a one-dimensional array of fenpack.records.{record}_dtype, "
            f"got {given}"
        )
    flat = np.ascontiguousarray(records).view(np.uint8)
    positions: PositionArray = _native.read_records(flat, record, chess960)
    return positions


def _scored(scores: Any, results: Any, rows: int, lowest_score: int) -> tuple[Array, Array]:
    """Check White's scores and results, one or one a row."""
    checked = []
    for name, values, lowest, highest in (
        ("scores", scores, lowest_score, (1 << 15) - 1),
        ("results", results, 0, 2),
    ):
        array = np.asarray(values)
        if array.dtype.kind not in "iu" or array.shape not in ((), (rows,)):
            raise ValueError(
                f"{name} must be an integer or an array of {rows} integers, got {array.dtype} of "
                f"shape {array.shape}"
            )
        outside = np.atleast_1d((array < lowest) | (array > highest))
        if outside.any():
            row = int(np.argmax(outside))
            value = np.atleast_1d(array)[row]
            raise ValueError(f"{name} row {row} is {value}, {lowest} to {highest} are allowed")
        checked.append(np.broadcast_to(array.astype(np.int32), (rows,)))
    return checked[0], checked[1]


def _black_to_move(positions: Any) -> Array:
    """Tell for each of packed `positions` whether Black is to move."""
    return (as_positions(positions).to_numpy()["flags"] & 1).astype(bool)
