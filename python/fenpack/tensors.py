"""Positions as arrays for networks: bitboards, planes, tokens, features."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa

from fenpack import _native
from fenpack.buffers import blanked, fresh, written
from fenpack.columns import parse
from fenpack.inputs import Column, as_arrow, as_pyarrow
from fenpack.layouts import (
    CELLS,
    TOKENS,
    Array,
    Channels,
    Layout,
    Perspective,
    Squares,
    layout_named,
    length_of,
    plane_shape,
    state_of,
    token_view,
    words_of,
)
from fenpack.problems import FenError
from fenpack.views import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


__all__ = [
    "SparseFeatures",
    "bitboards",
    "nnue_features",
    "planes",
    "tokens",
]

EnPassant: TypeAlias = Literal["legal", "xfen", "keep", "drop"]
Fill: TypeAlias = Literal["fen_only", "no", "always"]
Errors: TypeAlias = Literal["raise", "blank"]

_ACTIVE = 32
_SLICE = 1 << 16


def bitboards(
    x: Column,
    *,
    layout: str = "pieces",
    perspective: Perspective | None = None,
    squares: Squares | None = None,
    en_passant: EnPassant = "legal",
    chess960: bool = False,
    history: Sequence[Column] = (),
    fill: Fill = "fen_only",
    errors: Errors = "raise",
    out: Any = None,
) -> Array:
    """Write each row as one 64-bit word a plane: the bit-packed form of `planes`.

    Bit *i* of word *c* is ``planes[..., c, i // 8, i % 8]``; in order ``"a1"`` that is square *i*
    with a1 = 0, b1 = 1, h8 = 63. The word of a plane that holds a number (see `planes`) is the
    count itself, not yet divided.

    Parameters
    ----------
    x : column of text or of packed positions
        As for `validate`.
    layout : str
        As for `planes`, also ``"roles"``: P N B R Q K of both sides, White's men, Black's men.
    perspective, squares, en_passant, chess960, history, fill, errors : optional
        As for `planes`.
    out : array, optional
        As for `planes`.

    Returns
    -------
    ndarray of uint64, shape (N, C)
        Or `out`.

    Raises
    ------
    FenError, MemoryError, TypeError, ValueError
        As for `planes`.

    Examples
    --------
    >>> import fenpack as fp
    >>> fp.bitboards(["8/8/8/8/8/8/8/K1k5 w - -"])[0, [5, 11]].tolist()
    [1, 4]
    """
    chosen = layout_named(layout)
    choice = words_of(chosen, perspective, squares)
    state, blank = state_of(en_passant, chess960), blanked(errors)
    column = _source(x, out)
    steps, lost = _history(chosen, history, blank)

    def write(room: Callable[[int], Array]) -> Any:
        return _native.encode_bitboards(column, steps, choice, state, fill, blank, room)

    shape, kind, sources = (chosen.channels,), np.dtype(np.uint64), [column, *steps]
    return written(write, shape, kind, "bitboards", out, chess960, sources=sources, blanks=lost)


def planes(
    x: Column,
    layout: str = "pieces",
    *,
    perspective: Perspective | None = None,
    squares: Squares | None = None,
    channels: Channels = "first",
    dtype: Any = None,
    en_passant: EnPassant = "legal",
    chess960: bool = False,
    history: Sequence[Column] = (),
    fill: Fill = "fen_only",
    errors: Errors = "raise",
    out: Any = None,
) -> Array:
    """Write each row as planes of 8 x 8 squares.

    Impossible castling rights never have a plane set, and of en passant squares only those that
    `en_passant` keeps, so that two spellings of one position give equal planes.

    Parameters
    ----------
    x : column of text or of packed positions
        As for `validate`.
    layout : str
        ``"pieces"`` (12: White P N B R Q K, Black p n b r q k), ``"roles"`` (8), ``"maia2_18"``,
        ``"maia1_17"``, ``"open_spiel_20"``, ``"alphazero_119"``, or lc0's formats 1 to 4:
        ``"lc0_112"`` (classical), ``"lc0_112_castling_plane"``, ``"lc0_112_canonicalization"``,
        ``"lc0_112_hectoplies"``. docs/tensors.md says what every plane is and what each loses.
    perspective : {"white", "mover", "mover_rotated"}, optional
        Show White's board, or the mover's: with Black to move ranks are reversed and colours
        swapped, by ``"mover_rotated"`` files are reversed too. By default as the layout was made;
        layouts that speak of mover and opponent take no other.
    squares : {"a1", "a8"}, optional
        The square that comes first: row 0 is rank 1, or rank 8 as in a FEN. By default as the
        layout was made.
    channels : {"first", "last"}
        (N, C, 8, 8) or (N, 8, 8, C).
    dtype : {"uint8", "bool", "int8", "float16", "float32"}, optional
        By default that of `out`, else ``"float32"`` for layouts with fractions, else ``"uint8"``.
    en_passant : {"legal", "xfen", "keep", "drop"}
        As for `canonicalize`.
    chess960 : bool
        Read and judge castling rights as in Chess960. Positions that were parsed as Chess960 are
        judged so in any case.
    history : sequence of columns
        For lc0 and AlphaZero: the positions one ply before those of `x`, two plies before, and so
        on, up to seven columns of the same length. A null is a position before the game began.
    fill : {"fen_only", "no", "always"}
        For lc0: what stands in the steps before the oldest known position. ``"fen_only"`` repeats
        that position, as lc0 does by default, unless it is the start of the game.
    errors : {"raise", "blank"}
        A row that is null, cannot be read (nor a row of its history) or does not fit raises, or
        stays all zeros.
    out : array, optional
        Write here instead: a C-contiguous numpy array, a numpy.memmap, an object with DLPack (a
        torch tensor in ordinary memory) or with the buffer protocol, of the right size, in other
        memory than `x`.

    Returns
    -------
    ndarray of `dtype`, shape (N, C, 8, 8) or (N, 8, 8, C)
        Or `out`.

    Raises
    ------
    FenError
        If a row cannot be read; the message names it.
    ValueError
        If a row is null, or holds what the layout or `dtype` has no room for; if its bytes are no
        packed position; if an option or `out` does not fit.
    MemoryError
        If the array is larger than the memory of this machine; nothing was allocated then.
    TypeError
        If `x` is not a column of text or positions, or `out` is no array.

    Examples
    --------
    >>> import fenpack as fp
    >>> board = fp.planes(["8/8/8/8/8/8/8/K1k5 w - -"])[0]
    >>> board.shape, board[5, 0].tolist()
    ((12, 8, 8), [1, 0, 0, 0, 0, 0, 0, 0])
    >>> fp.planes(["8/8/8/8/8/8/8/K1k5 b - -"], perspective="mover")[0, 5, 7].tolist()
    [0, 0, 1, 0, 0, 0, 0, 0]
    """
    chosen = layout_named(layout)
    kind = _cell_type(chosen, dtype, out)
    choice = words_of(chosen, perspective, squares)
    state, blank = state_of(en_passant, chess960), blanked(errors)
    shape = plane_shape(chosen, channels)
    column = _source(x, out)
    steps, lost = _history(chosen, history, blank)

    def write(room: Callable[[int], Array]) -> Any:
        return _native.encode_planes(
            column, steps, choice, state, fill, channels, kind.name, blank, room
        )

    sources = [column, *steps]
    return written(write, shape, kind, "planes", out, chess960, sources=sources, blanks=lost)


def tokens(
    x: Column,
    vocabulary: str = "squares",
    *,
    perspective: Perspective | None = None,
    squares: Squares | None = None,
    dtype: Any = None,
    en_passant: EnPassant = "legal",
    chess960: bool = False,
    errors: Errors = "raise",
    out: Any = None,
) -> Array:
    """Write each row as a sequence of token ids.

    Parameters
    ----------
    x : column of text or of packed positions
        As for `validate`.
    vocabulary : {"squares", "searchless_77", "chess_transformers"}
        ``"squares"``: 64 classes, 0 empty, 1-6 P N B R Q K of White (or of the mover), 7-12 of
        Black. ``"searchless_77"``: the characters of the canonical FEN as searchless_chess spells
        it, 31 ids. ``"chess_transformers"``: 64 squares from a8 (14 ids, 1 is the en passant
        square), then turn (1 White) and the rights K, Q, k, q.
    perspective, squares : str, optional
        As for `planes`; for ``"squares"`` only, by default ``"white"`` and ``"a1"``.
    dtype : {"uint8", "int32", "int64"}, optional
        By default that of `out`, else ``"uint8"``.
    en_passant, chess960, errors, out : optional
        As for `planes`.

    Returns
    -------
    ndarray of `dtype`, shape (N, 64), (N, 77) or (N, 69)
        Or `out`.

    Raises
    ------
    FenError, MemoryError, TypeError, ValueError
        As for `planes`. ``"searchless_77"`` has no room for a counter above 999 nor for a castling
        right of an inner rook.

    Examples
    --------
    >>> import fenpack as fp
    >>> fp.tokens(["8/8/8/8/8/8/8/K1k5 w - -"])[0, :4].tolist()
    [6, 0, 12, 0]
    """
    length = length_of(vocabulary)
    sees, order = token_view(vocabulary, perspective, squares)
    kind = _dtype(dtype, out, "uint8", TOKENS)
    state, blank = state_of(en_passant, chess960), blanked(errors)
    column = _source(x, out)

    def write(room: Callable[[int], Array]) -> Any:
        return _native.encode_tokens(column, vocabulary, sees, order, state, kind.name, blank, room)

    return written(write, (length,), kind, "tokens", out, chess960, sources=[column])


class SparseFeatures(NamedTuple):
    """Active features as a sparse matrix of 2 N rows, two views a position, in CSR form.

    Attributes
    ----------
    indices : ndarray of int32
        The active features, row after row.
    indptr : ndarray of int64, shape (2 N + 1,)
        Row *r* is ``indices[indptr[r]:indptr[r + 1]]``; without its last element, the offsets of
        ``torch.nn.EmbeddingBag``.
    """

    indices: Array
    indptr: Array


def nnue_features(
    x: Column,
    features: str = "halfka_v2_hm",
    *,
    perspective: Literal["white", "mover"] = "white",
    form: Literal["padded", "csr"] = "padded",
    errors: Errors = "raise",
    out: Any = None,
) -> Array | SparseFeatures:
    """Write the active features of each row, seen from both sides.

    Parameters
    ----------
    x : column of text or of packed positions
        As for `validate`.
    features : {"halfka_v2_hm", "halfka_v2_hm_trainer", "halfkp", "chess_768"}
        ``"halfka_v2_hm"``: 22,528, as Stockfish numbers them. ``"halfka_v2_hm_trainer"``: 24,576,
        as nnue-pytorch does (without its virtual features). ``"halfkp"``: 41,024, Black's view
        turned by 180 degrees. ``"chess_768"``: bullet's 768.
    perspective : {"white", "mover"}
        White's view first and Black's second, or the mover's first.
    form : {"padded", "csr"}
        One array with -1 where there is no feature, or a `SparseFeatures`.
    errors : {"raise", "blank"}
        A row that is null, cannot be read or does not fit raises, or has no features.
    out : array, optional
        As for `planes`; for ``"padded"`` only.

    Returns
    -------
    ndarray of int32, shape (N, 2, 32), or SparseFeatures
        Features in the order of squares from a1.

    Raises
    ------
    FenError, MemoryError, TypeError, ValueError
        As for `planes`. More than 32 men have no room, and only ``"chess_768"`` has room for a side
        without exactly one king.

    Examples
    --------
    >>> import fenpack as fp
    >>> features = fp.nnue_features(["8/8/8/8/8/8/8/K1k5 w - -"])
    >>> features[0, :, :3].tolist()
    [[20359, 20357, -1], [2111, 2109, -1]]
    """
    if form not in ("padded", "csr"):
        raise ValueError(f'form must be one of "padded", "csr", got {form!r}')
    blank = blanked(errors)
    if form == "csr":
        if out is not None:
            raise ValueError('out goes with form="padded" only')
        return _sparse(x, features, perspective, blank)

    column = _source(x, out)

    def write(room: Callable[[int], Array]) -> Any:
        return _native.encode_features(column, features, perspective, blank, room)

    shape, kind = (2, _ACTIVE), np.dtype(np.int32)
    return written(write, shape, kind, "features", out, chess960=False, sources=[column])


def _sparse(x: Column, features: str, perspective: str, blank: bool) -> SparseFeatures:
    """Write slice by slice, and keep what is not padding."""
    column = as_pyarrow(x, "x")
    rows = len(column)
    indptr = fresh((2 * rows + 1,), np.dtype(np.int64), "offsets")
    # What is not written to takes no memory.
    indices = np.empty(rows * 2 * _ACTIVE, np.int32)
    indptr[0] = 0
    padded = np.empty((min(rows, _SLICE), 2, _ACTIVE), np.int32)
    # Once even without rows, which shows what kind of column it is.
    for start in range(0, max(rows, 1), _SLICE):
        part = column.slice(start, _SLICE)
        here = padded[: len(part)]

        def write(room: Callable[[int], Array], part: Any = part) -> Any:
            return _native.encode_features(part, features, perspective, blank, room)

        shape, kind = (2, _ACTIVE), np.dtype(np.int32)
        written(write, shape, kind, "features", here, chess960=False, start=start)
        active = here >= 0
        counts = active.reshape(-1, _ACTIVE).sum(axis=1)
        begin, end = 2 * start, 2 * (start + len(part))
        np.cumsum(counts, out=indptr[begin + 1 : end + 1])
        indptr[begin + 1 : end + 1] += indptr[begin]
        indices[indptr[begin] : indptr[end]] = here[active]
    indices.resize(indptr[-1], refcheck=False)
    return SparseFeatures(indices, indptr)


def _source(x: Column, out: Any) -> Any:
    """Give `x` an Arrow interface; as pyarrow, which tells where its memory is, beside an `out`."""
    return as_arrow(x, "x") if out is None else as_pyarrow(x, "x")


def _history(
    layout: Layout, history: Sequence[Column], blank: bool
) -> tuple[list[pa.Array], list[Array]]:
    """Give the packed positions of each earlier step as one array, and which cannot be read."""
    if not history:
        return [], []
    if not layout.history:
        raise ValueError(f"layout {layout.name!r} has no history")
    if isinstance(history, str | bytes) or len(history) > 7:
        raise ValueError("history must be a sequence of at most 7 columns")
    steps, lost = [], []
    for step, column in enumerate(history):
        name = f"history[{step}]"
        given = as_pyarrow(column, name)
        try:
            read = packed(given, name, errors="blank" if blank else "raise")
        except FenError as error:
            raise error.of(name) from None
        steps.append(read)
        if blank and read.null_count > given.null_count:
            lost.append(np.asarray(read.is_null()) & np.asarray(given.is_valid()))
    return steps, lost


def packed(
    column: Column, name: str, *, errors: Errors = "raise", chess960: bool = False
) -> pa.Array:
    """Give the packed positions of `column`, the argument called `name`, as one array."""
    given = as_pyarrow(column, name)
    if not _native.holds_positions(given, name):
        given = parse(given, chess960=chess960, errors="raise" if errors == "raise" else "null")
    elif pa.types.is_dictionary(given.type):
        # Dictionaries that have nulls are not combined by pyarrow.
        given = _decoded(plain(given))
    return given.combine_chunks() if isinstance(given, pa.ChunkedArray) else given


def _decoded(column: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    if isinstance(column, pa.ChunkedArray):
        chunks = [chunk.dictionary_decode() for chunk in column.chunks]
        return pa.chunked_array(chunks, column.type.value_type)
    return column.dictionary_decode()


def _cell_type(layout: Layout, dtype: Any, out: Any) -> np.dtype[Any]:
    fractions = [count for count in layout.counts if count.divisor > 1]
    kind = _dtype(dtype, out, "float32" if fractions else "uint8", CELLS)
    if fractions and kind.kind != "f":
        named = ", ".join(f"{count.plane} ({count.name})" for count in fractions)
        raise ValueError(
            f"layout {layout.name!r} has fractions in the planes {named}: dtype must be "
            f'"float16" or "float32", got "{kind}"'
        )
    if layout.counts and kind.kind == "b":
        count = layout.counts[0]
        raise ValueError(
            f"layout {layout.name!r} has a number in plane {count.plane} ({count.name}): dtype "
            'must not be "bool"'
        )
    return kind


def _dtype(dtype: Any, out: Any, default: str, allowed: tuple[str, ...]) -> np.dtype[Any]:
    if dtype is None and isinstance(out, np.ndarray):
        dtype = out.dtype
    elif dtype is None and hasattr(out, "dtype"):
        dtype = str(out.dtype).rpartition(".")[2]
    try:
        kind = np.dtype(default if dtype is None else dtype)
    except TypeError:
        kind = None
    if kind is None or kind.name not in allowed or not kind.isnative:
        names = ", ".join(f'"{name}"' for name in allowed)
        raise ValueError(f"dtype must be one of {names}, got {dtype!r}")
    return kind
