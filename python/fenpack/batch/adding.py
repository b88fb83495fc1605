"""The steps that add a column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pyarrow as pa

import fenpack as fp
from fenpack.batch.identities import IDENTITY, POSITION, packed_identity
from fenpack.batch.step import Step

if TYPE_CHECKING:
    from collections.abc import Callable

    from fenpack.columns import Castling, Counters, Dialect, EnPassant, Level, Profile
    from fenpack.identity import By


def _step(
    column: str, into: str, kind: pa.DataType, function: Callable[..., Any], **options: Any
) -> Step:
    return Step(column, into, kind, function, tuple(options.items()))


def validate(column: str, *, into: str = "problems", chess960: bool = False) -> Step:
    """Add every problem of each row, as `fenpack.validate` does.

    Parameters
    ----------
    column : str
        The column of text or packed positions.
    into : str
        The name of the new column.
    chess960 : bool
        Judge castling rights by the rules of Chess960.

    Returns
    -------
    Step
        That adds a column of uint64, the `Problem` bits; null for null.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from fenpack import batch
    >>> rows = pa.record_batch({"game": [7], "fen": ["8/8/8/8/8/8/5kK1/8 w - - 0 1"]})
    >>> step = batch.problem_names("problems")
    >>> step(batch.validate("fen")(rows)).to_pylist()[0]["problem_names"]
    ['opposite_check', 'kings_adjacent']
    """
    return _step(column, into, pa.uint64(), fp.validate, chess960=chess960)


def is_valid(
    column: str,
    *,
    into: str = "valid",
    level: Level = "legal",
    strict: bool = False,
    chess960: bool = False,
    profile: Profile | None = None,
) -> Step:
    """Add whether each row is valid, as `fenpack.is_valid` does.

    Parameters
    ----------
    column : str
        The column of text or packed positions.
    into : str
        The name of the new column.
    level, strict, chess960, profile : optional
        As for `fenpack.is_valid`.

    Returns
    -------
    Step
        That adds a column of bool; null for null.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from fenpack import batch
    >>> rows = pa.record_batch({"fen": ["8/8/8/8/8/8/8/K1k5 w - - 3 9", "?"]})
    >>> batch.is_valid("fen")(rows)["valid"].to_pylist()
    [True, False]
    """
    options = {"level": level, "strict": strict, "chess960": chess960, "profile": profile}
    return _step(column, into, pa.bool_(), fp.is_valid, **options)


def canonicalize(
    column: str,
    *,
    into: str = "canonical",
    en_passant: EnPassant = "legal",
    castling: Castling = "xfen",
    counters: Counters = "keep",
    chess960: bool = False,
) -> Step:
    """Add the canonical form of each FEN, as `fenpack.canonicalize` does.

    Parameters
    ----------
    column : str
        The column of text.
    into : str
        The name of the new column; `column` itself to replace it.
    en_passant, castling, counters, chess960 : optional
        As for `fenpack.canonicalize`.

    Returns
    -------
    Step
        That adds a column of string; null where null or unreadable. A batch whose text outgrows
        2 GiB is refused.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from fenpack import batch
    >>> rows = pa.record_batch({"fen": ["8/8/8/8/8/8/8/K1k5 w - - 3 9", "?"]})
    >>> batch.canonicalize("fen", into="fen", counters="drop")(rows).to_pylist()
    [{'fen': '8/8/8/8/8/8/8/K1k5 w - -'}, {'fen': None}]
    """
    return _step(
        column,
        into,
        pa.string(),
        fp.canonicalize,
        en_passant=en_passant,
        castling=castling,
        counters=counters,
        chess960=chess960,
    )


def parse(
    column: str,
    *,
    into: str = "position",
    dialect: Dialect = "lenient",
    chess960: bool = False,
) -> Step:
    """Add the packed position of each FEN, as `fenpack.parse` does.

    Parameters
    ----------
    column : str
        The column of text.
    into : str
        The name of the new column; `column` itself to replace it.
    dialect, chess960 : optional
        As for `fenpack.parse`.

    Returns
    -------
    Step
        That adds a column of ``fixed_size_binary[40]``, the storage of `PositionType`, which every
        engine can carry; null where null or unreadable.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from fenpack import batch
    >>> rows = pa.record_batch({"fen": ["8/8/8/8/8/8/8/K1k5 w - - 3 9", "?"]})
    >>> positions = batch.parse("fen")(rows)["position"]
    >>> positions.type, positions.null_count
    (FixedSizeBinaryType(fixed_size_binary[40]), 1)
    """
    return _step(column, into, POSITION, fp.parse, dialect=dialect, chess960=chess960)


def key(
    column: str,
    *,
    into: str = "key",
    bits: Literal[64, 128] = 64,
    signed: bool = False,
    chess960: bool = False,
) -> Step:
    """Add the key of each position, as `fenpack.key` does.

    Parameters
    ----------
    column : str
        The column of text or packed positions.
    into : str
        The name of the new column.
    bits : {64, 128}
        The size of the key.
    signed : bool
        Give the same 64 bits as int64, for engines without unsigned integers.
    chess960 : bool
        Judge castling rights as in Chess960.

    Returns
    -------
    Step
        That adds a column of uint64, int64 or ``fixed_size_binary[16]``; null where null or
        unreadable.

    Raises
    ------
    ValueError
        If `bits` is neither, or 128 and `signed`.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from fenpack import batch
    >>> rows = pa.record_batch({"fen": ["8/8/8/8/8/8/8/K1k5 w - - 3 9", "?"]})
    >>> batch.key("fen")(rows)["key"].to_pylist()
    [4958797179798730172, None]
    >>> batch.key("fen", signed=True).schema(rows.schema).field("key").type
    DataType(int64)
    """
    if bits not in (64, 128):
        raise ValueError(f"bits must be 64 or 128, got {bits}")
    if signed and bits == 128:
        raise ValueError("signed goes with bits=64 only")
    integer = pa.int64() if signed else pa.uint64()
    kind = integer if bits == 64 else pa.binary(16)
    return _step(column, into, kind, fp.key, bits=bits, chess960=chess960)


def zobrist(
    column: str, *, into: str = "zobrist", signed: bool = False, chess960: bool = False
) -> Step:
    """Add Polyglot's key of each position, as `fenpack.zobrist` does.

    Parameters
    ----------
    column : str
        The column of text or packed positions.
    into : str
        The name of the new column.
    signed : bool
        Give the same 64 bits as int64.
    chess960 : bool
        Judge castling rights as in Chess960.

    Returns
    -------
    Step
        That adds a column of uint64 or int64; null where null or unreadable.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from fenpack import batch
    >>> rows = pa.record_batch({"fen": ["8/8/8/8/8/8/8/K1k5 w - - 3 9", "?"]})
    >>> batch.zobrist("fen")(rows)["zobrist"].to_pylist()
    [10946194735889217220, None]
    """
    integer = pa.int64() if signed else pa.uint64()
    return _step(column, into, integer, fp.zobrist, chess960=chess960)


def identity(
    column: str, *, into: str = "identity", by: By = "position", chess960: bool = False
) -> Step:
    """Add the bytes that two rows share if and only if they count as one.

    Parameters
    ----------
    column : str
        The column of text or packed positions.
    into : str
        The name of the new column.
    by, chess960 : optional
        As for `fenpack.identity`.

    Returns
    -------
    Step
        That adds a column of ``fixed_size_binary[36]``; null where null or unreadable.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from fenpack import batch
    >>> rows = pa.record_batch({"fen": ["8/8/8/8/8/8/8/K1k5 w - - 3 9", "?"]})
    >>> [row and len(row) for row in batch.identity("fen")(rows)["identity"].to_pylist()]
    [36, None]
    """
    return _step(column, into, IDENTITY, fp.identity, by=by, chess960=chess960)


def problem_names(column: str, *, into: str = "problem_names") -> Step:
    """Add the names of problem bits, as `fenpack.problem_names` does.

    Parameters
    ----------
    column : str
        The column of problem bits: uint64, or the same bits as int64.
    into : str
        The name of the new column.

    Returns
    -------
    Step
        That adds a column of ``list<string>``; null for null.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from fenpack import batch
    >>> rows = pa.record_batch({"fen": ["8/8/8/8/8/8/8/K1k5 w - - 3 9", "?"]})
    >>> step = batch.problem_names("problems")
    >>> step(batch.validate("fen")(rows))["problem_names"].to_pylist()
    [['captures_exceed_game'], ['field_count', 'rank_count', 'bad_piece_char']]
    """
    return _step(column, into, pa.list_(pa.string()), _names_of_bits)


def _names_of_bits(bits: Any) -> Any:
    signed = pa.types.is_int64(bits.type)
    return fp.problem_names(bits.cast(pa.uint64(), safe=False) if signed else bits)


# --- deduplication ---------------------------------------------------------------------------


def partition(
    column: str,
    partitions: int,
    *,
    into: str = "partition",
    by: By = "position",
    chess960: bool = False,
) -> Step:
    """Add the number of the partition in which each row meets all that count as the same.

    Parameters
    ----------
    column : str
        The column of text or packed positions.
    partitions : int
        How many there are.
    into : str
        The name of the new column.
    by, chess960 : optional
        As for `fenpack.identity`.

    Returns
    -------
    Step
        That adds a column of int32 from 0 to ``partitions - 1``, never null: rows without an
        identity are the same as no other and go to all partitions in turn.

    Raises
    ------
    ValueError
        If there is less than one partition.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from fenpack import batch
    >>> fens = ["8/8/8/8/8/8/8/K1k5 w - - 0 1", "8/8/8/8/8/8/8/K1k5 w - - 7 9"]
    >>> first, second = batch.partition("fen", 8)(pa.record_batch({"fen": fens}))["partition"]
    >>> first == second
    True
    """
    if partitions < 1:
        raise ValueError(f"partitions must be at least 1, got {partitions}")
    options = {"partitions": partitions, "by": by, "chess960": chess960}
    return _step(column, into, pa.int32(), _partition_of, **options)


def _partition_of(rows: Any, *, partitions: int, by: By, chess960: bool) -> pa.Array:
    keys = fp.key(packed_identity(rows, by, chess960), chess960=True)
    places = keys.fill_null(0).to_numpy() % np.uint64(partitions)
    nulls = np.asarray(keys.is_null())
    places[nulls] = np.arange(np.count_nonzero(nulls), dtype=np.uint64) % np.uint64(partitions)
    return pa.array(places.astype(np.int32))
