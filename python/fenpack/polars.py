"""Expressions for Polars: the column functions, in frames and lazy frames, streaming or not.

Each takes the name of a column or an expression. All but `is_duplicate` look at one row at a time
and say so to Polars, so that the streaming engine runs them batch by batch on all cores.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import polars as pl
import pyarrow as pa

import fenpack as fp
from fenpack import _native

if TYPE_CHECKING:
    from collections.abc import Callable

    from fenpack.columns import Castling, Counters, Dialect, EnPassant, Level, Profile
    from fenpack.identity import By

__all__ = [
    "canonicalize",
    "format",
    "identity",
    "is_duplicate",
    "is_valid",
    "key",
    "parse",
    "problem_names",
    "validate",
    "zobrist",
]

IntoExpr: TypeAlias = "str | pl.Expr"

#: Shorter batches come from the streaming engine, several at once, and get one thread each; a
#: longer one is a whole column.
_BATCH = 1 << 17


def validate(x: IntoExpr, *, chess960: bool = False) -> pl.Expr:
    """Find every problem of each row, as `fenpack.validate` does.

    Parameters
    ----------
    x : str or Expr
        A column of text or packed positions.
    chess960 : bool
        Judge castling rights by the rules of Chess960.

    Returns
    -------
    Expr of UInt64
        `Problem` bits; null for null.

    Examples
    --------
    >>> import fenpack.polars as fpl
    >>> import polars as pl
    >>> frame = pl.DataFrame({"fen": ["8/8/8/8/8/8/5kK1/8 w - - 0 1", None]})
    >>> frame.select(fpl.problem_names(fpl.validate("fen")))["fen"].to_list()
    [['opposite_check', 'kings_adjacent'], None]
    """
    return _elementwise(x, partial(fp.validate, chess960=chess960), pl.UInt64())


def is_valid(
    x: IntoExpr,
    *,
    level: Level = "legal",
    strict: bool = False,
    chess960: bool = False,
    profile: Profile | None = None,
) -> pl.Expr:
    """Tell whether each row is valid, as `fenpack.is_valid` does.

    Parameters
    ----------
    x : str or Expr
        A column of text or packed positions.
    level, strict, chess960, profile : optional
        As for `fenpack.is_valid`.

    Returns
    -------
    Expr of Boolean
        Null for null.

    Examples
    --------
    >>> import fenpack.polars as fpl
    >>> import polars as pl
    >>> frame = pl.DataFrame({"fen": ["8/8/8/8/8/8/8/K1k5 w - - 0 1", "?"]})
    >>> frame.filter(fpl.is_valid("fen")).height
    1
    """
    function = partial(fp.is_valid, level=level, strict=strict, chess960=chess960, profile=profile)
    return _elementwise(x, function, pl.Boolean())


def canonicalize(
    fens: IntoExpr,
    *,
    en_passant: EnPassant = "legal",
    castling: Castling = "xfen",
    counters: Counters = "keep",
    chess960: bool = False,
) -> pl.Expr:
    """Rewrite each FEN in its canonical form, as `fenpack.canonicalize` does.

    Parameters
    ----------
    fens : str or Expr
        A column of text.
    en_passant, castling, counters, chess960 : optional
        As for `fenpack.canonicalize`.

    Returns
    -------
    Expr of String
        Null where null or unreadable.

    Examples
    --------
    >>> import fenpack.polars as fpl
    >>> import polars as pl
    >>> frame = pl.DataFrame({"fen": ["8/8/8/8/8/8/8/K1k5 w - - 3 9", "?"]})
    >>> frame.select(fpl.canonicalize("fen", counters="reset"))["fen"].to_list()
    ['8/8/8/8/8/8/8/K1k5 w - - 0 1', None]
    """
    function = partial(
        fp.canonicalize,
        en_passant=en_passant,
        castling=castling,
        counters=counters,
        chess960=chess960,
    )
    return _elementwise(fens, function, pl.String())


def parse(fens: IntoExpr, *, dialect: Dialect = "lenient", chess960: bool = False) -> pl.Expr:
    """Read each FEN as a packed position, as `fenpack.parse` does.

    Parameters
    ----------
    fens : str or Expr
        A column of text.
    dialect, chess960 : optional
        As for `fenpack.parse`.

    Returns
    -------
    Expr of Binary
        40 bytes a row, which every function that takes positions takes; null where null or
        unreadable.

    Examples
    --------
    >>> import fenpack.polars as fpl
    >>> import polars as pl
    >>> frame = pl.DataFrame({"fen": ["8/8/8/8/8/8/8/K1k5 w - - 3 9", "?"]})
    >>> frame.select(fpl.parse("fen").bin.size())["fen"].to_list()
    [40, None]
    """
    return _elementwise(fens, partial(fp.parse, dialect=dialect, chess960=chess960), pl.Binary())


def format(
    positions: IntoExpr,
    *,
    en_passant: EnPassant = "keep",
    castling: Castling = "xfen",
    counters: Counters = "keep",
) -> pl.Expr:
    """Write each position as FEN, as `fenpack.format` does.

    Parameters
    ----------
    positions : str or Expr
        A column of packed positions.
    en_passant, castling, counters : optional
        As for `fenpack.format`.

    Returns
    -------
    Expr of String
        Null for null.

    Examples
    --------
    >>> import fenpack.polars as fpl
    >>> import polars as pl
    >>> frame = pl.DataFrame({"fen": ["8/8/8/8/8/8/8/K1k5 w - - 3 9", "?"]})
    >>> frame.select(fpl.format(fpl.parse("fen"), counters="drop"))["fen"].to_list()
    ['8/8/8/8/8/8/8/K1k5 w - -', None]
    """
    function = partial(fp.format, en_passant=en_passant, castling=castling, counters=counters)
    return _elementwise(positions, function, pl.String())


def key(x: IntoExpr, *, bits: Literal[64, 128] = 64, chess960: bool = False) -> pl.Expr:
    """Give the key of each position, as `fenpack.key` does.

    Parameters
    ----------
    x : str or Expr
        A column of text or packed positions.
    bits, chess960 : optional
        As for `fenpack.key`.

    Returns
    -------
    Expr of UInt64, or Binary of 16 bytes
        Null where null or unreadable.

    Examples
    --------
    >>> import fenpack.polars as fpl
    >>> import polars as pl
    >>> frame = pl.DataFrame({"fen": ["8/8/8/8/8/8/8/K1k5 w - - 3 9", "?"]})
    >>> frame.select(fpl.key("fen"))["fen"].to_list()
    [4958797179798730172, None]
    """
    if bits not in (64, 128):
        raise ValueError(f"bits must be 64 or 128, got {bits}")
    function = partial(fp.key, bits=bits, chess960=chess960)
    return _elementwise(x, function, pl.UInt64() if bits == 64 else pl.Binary())


def zobrist(x: IntoExpr, *, chess960: bool = False) -> pl.Expr:
    """Give Polyglot's key of each position, as `fenpack.zobrist` does.

    Parameters
    ----------
    x : str or Expr
        A column of text or packed positions.
    chess960 : bool
        Judge castling rights as in Chess960.

    Returns
    -------
    Expr of UInt64
        Null where null or unreadable.

    Examples
    --------
    >>> import fenpack.polars as fpl
    >>> import polars as pl
    >>> frame = pl.DataFrame({"fen": ["8/8/8/8/8/8/8/K1k5 w - - 3 9", "?"]})
    >>> frame.select(fpl.zobrist("fen"))["fen"].to_list()
    [10946194735889217220, None]
    """
    return _elementwise(x, partial(fp.zobrist, chess960=chess960), pl.UInt64())


def identity(x: IntoExpr, *, by: By = "position", chess960: bool = False) -> pl.Expr:
    """Give the bytes that two rows share if and only if they count as one.

    Parameters
    ----------
    x : str or Expr
        A column of text or packed positions.
    by, chess960 : optional
        As for `fenpack.identity`.

    Returns
    -------
    Expr of Binary
        36 bytes a row; null where null or unreadable.

    Examples
    --------
    >>> import fenpack.polars as fpl
    >>> import polars as pl
    >>> frame = pl.LazyFrame({"fen": ["8/8/8/8/8/8/8/K1k5 w - - 0 1", "8/8/8/8/8/8/8/K1k5 w - -"]})
    >>> rows = frame.with_columns(id=fpl.identity("fen"))
    >>> rows.unique("id", keep="first", maintain_order=True).drop("id").collect().height
    1
    """
    return _elementwise(x, partial(fp.identity, by=by, chess960=chess960), pl.Binary())


def problem_names(problems: IntoExpr) -> pl.Expr:
    """Name the bits of each row, as `fenpack.problem_names` does.

    Parameters
    ----------
    problems : str or Expr
        A column of UInt64, as `validate` gives it.

    Returns
    -------
    Expr of List(String)
        Null for null.

    Examples
    --------
    >>> import fenpack.polars as fpl
    >>> import polars as pl
    >>> frame = pl.DataFrame({"fen": ["8/8/8/8/8/8/8/K1k5 w - - 3 9", "?"]})
    >>> frame.select(fpl.problem_names(fpl.validate("fen")))["fen"].to_list()
    [['captures_exceed_game'], ['field_count', 'rank_count', 'bad_piece_char']]
    """
    return _elementwise(problems, _names_of_bits, pl.List(pl.String()))


def is_duplicate(
    x: IntoExpr,
    *,
    keep: Literal["first", "last"] | None = "first",
    chess960: bool = False,
) -> pl.Expr:
    """Tell for each row whether the column has the same position elsewhere.

    Exact, as `fenpack.is_duplicate`. The whole column is looked at in one call, on all cores; the
    streaming engine gathers it first.

    Parameters
    ----------
    x : str or Expr
        A column of text or packed positions.
    keep, chess960 : optional
        As for `fenpack.is_duplicate`.

    Returns
    -------
    Expr of Boolean
        Null where null or unreadable.

    Examples
    --------
    >>> import fenpack.polars as fpl
    >>> import polars as pl
    >>> frame = pl.DataFrame({"fen": ["8/8/8/8/8/8/8/K1k5 w - - 0 1", "8/8/8/8/8/8/8/K1k5 w - -"]})
    >>> frame.filter(fpl.is_duplicate("fen").not_().fill_null(True)).height
    1
    """
    function = partial(_call, partial(fp.is_duplicate, keep=keep, chess960=chess960))
    return _expression(x).map_batches(function, return_dtype=pl.Boolean())


def _names_of_bits(bits: Any) -> Any:
    return fp.problem_names(bits).cast(pa.list_(pa.string()))


def _elementwise(x: IntoExpr, function: Callable[[Any], Any], dtype: pl.DataType) -> pl.Expr:
    call = partial(_call_on_batch, function)
    return _expression(x).map_batches(call, return_dtype=dtype, is_elementwise=True)


def _expression(x: IntoExpr) -> pl.Expr:
    if not isinstance(x, str | pl.Expr):
        raise TypeError(f"x must be the name of a column or an expression, got {type(x).__name__}")
    return pl.col(x) if isinstance(x, str) else x


def _call_on_batch(function: Callable[[Any], Any], series: pl.Series) -> pl.Series:
    if len(series) > _BATCH:
        return _call(function, series)
    before = _native.limit_threads(1)
    try:
        return _call(function, series)
    finally:
        _native.limit_threads(before)


def _call(function: Callable[[Any], Any], series: pl.Series) -> pl.Series:
    made = function(series)
    if isinstance(made.type, fp.PositionType):
        made = made.cast(made.type.storage_type)
    return pl.Series(series.name, made)
