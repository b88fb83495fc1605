"""Spark data frames: problems, canonical text, keys, exact deduplication on a cluster.

Every function takes a DataFrame and the name of a column and gives a DataFrame, lazily; the workers
need this package. They run on Spark itself and, as nothing but the DataFrame API is used, on Spark
Connect servers.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import pyarrow as pa
from pyspark.sql import Window, types
from pyspark.sql import functions as sql

from fenpack import batch
from fenpack.batch.step import check_column

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pyspark.sql import DataFrame

    from fenpack.columns import Castling, Counters, Dialect, EnPassant, Level, Profile
    from fenpack.identity import By

__all__ = [
    "canonicalize",
    "deduplicate",
    "identity",
    "is_valid",
    "key",
    "parse",
    "problem_names",
    "run",
    "validate",
    "zobrist",
]


def validate(
    frame: DataFrame, column: str, *, into: str = "problems", chess960: bool = False
) -> DataFrame:
    """Add every problem of each row, as `fenpack.validate` does.

    Parameters
    ----------
    frame : DataFrame
        The rows.
    column : str
        The column of text or packed positions.
    into : str
        The name of the new column.
    chess960 : bool
        Judge castling rights by the rules of Chess960.

    Returns
    -------
    DataFrame
        With a ``bigint``, the `Problem` bits, of which bit 63 is never set; null for null.
    """
    return run(frame, batch.validate(column, into=into, chess960=chess960))


def is_valid(
    frame: DataFrame,
    column: str,
    *,
    into: str = "valid",
    level: Level = "legal",
    strict: bool = False,
    chess960: bool = False,
    profile: Profile | None = None,
) -> DataFrame:
    """Add whether each row is valid, as `fenpack.is_valid` does.

    Parameters
    ----------
    frame : DataFrame
        The rows.
    column : str
        The column of text or packed positions.
    into : str
        The name of the new column.
    level, strict, chess960, profile : optional
        As for `fenpack.is_valid`.

    Returns
    -------
    DataFrame
        With a ``boolean``; null for null.
    """
    step = batch.is_valid(
        column, into=into, level=level, strict=strict, chess960=chess960, profile=profile
    )
    return run(frame, step)


def canonicalize(
    frame: DataFrame,
    column: str,
    *,
    into: str = "canonical",
    en_passant: EnPassant = "legal",
    castling: Castling = "xfen",
    counters: Counters = "keep",
    chess960: bool = False,
) -> DataFrame:
    """Add the canonical form of each FEN, as `fenpack.canonicalize` does.

    Parameters
    ----------
    frame : DataFrame
        The rows.
    column : str
        The column of text.
    into : str
        The name of the new column; `column` itself to replace it.
    en_passant, castling, counters, chess960 : optional
        As for `fenpack.canonicalize`.

    Returns
    -------
    DataFrame
        With a ``string``; null where null or unreadable.
    """
    step = batch.canonicalize(
        column,
        into=into,
        en_passant=en_passant,
        castling=castling,
        counters=counters,
        chess960=chess960,
    )
    return run(frame, step)


def parse(
    frame: DataFrame,
    column: str,
    *,
    into: str = "position",
    dialect: Dialect = "lenient",
    chess960: bool = False,
) -> DataFrame:
    """Add the packed position of each FEN, as `fenpack.parse` does.

    Parameters
    ----------
    frame : DataFrame
        The rows.
    column : str
        The column of text.
    into : str
        The name of the new column; `column` itself to replace it.
    dialect, chess960 : optional
        As for `fenpack.parse`.

    Returns
    -------
    DataFrame
        With a ``binary`` of 40 bytes, which every function here takes; null where null or
        unreadable.
    """
    return run(frame, batch.parse(column, into=into, dialect=dialect, chess960=chess960))


def key(
    frame: DataFrame,
    column: str,
    *,
    into: str = "key",
    bits: Literal[64, 128] = 64,
    chess960: bool = False,
) -> DataFrame:
    """Add the key of each position, as `fenpack.key` does.

    Parameters
    ----------
    frame : DataFrame
        The rows.
    column : str
        The column of text or packed positions.
    into : str
        The name of the new column.
    bits, chess960 : optional
        As for `fenpack.key`.

    Returns
    -------
    DataFrame
        With a ``bigint`` that has the 64 bits of the key, so that keys of 2**63 and more are
        negative, or a ``binary`` of 16 bytes; null where null or unreadable.
    """
    return run(frame, batch.key(column, into=into, bits=bits, chess960=chess960))


def zobrist(
    frame: DataFrame, column: str, *, into: str = "zobrist", chess960: bool = False
) -> DataFrame:
    """Add Polyglot's key of each position, as `fenpack.zobrist` does.

    Parameters
    ----------
    frame : DataFrame
        The rows.
    column : str
        The column of text or packed positions.
    into : str
        The name of the new column.
    chess960 : bool
        Judge castling rights as in Chess960.

    Returns
    -------
    DataFrame
        With a ``bigint`` that has the 64 bits of the key; null where null or unreadable.
    """
    return run(frame, batch.zobrist(column, into=into, chess960=chess960))


def identity(
    frame: DataFrame,
    column: str,
    *,
    into: str = "identity",
    by: By = "position",
    chess960: bool = False,
) -> DataFrame:
    """Add the bytes that two rows share if and only if they count as one.

    Parameters
    ----------
    frame : DataFrame
        The rows.
    column : str
        The column of text or packed positions.
    into : str
        The name of the new column.
    by, chess960 : optional
        As for `fenpack.identity`.

    Returns
    -------
    DataFrame
        With a ``binary`` of 36 bytes; null where null or unreadable.
    """
    return run(frame, batch.identity(column, into=into, by=by, chess960=chess960))


def problem_names(frame: DataFrame, column: str, *, into: str = "problem_names") -> DataFrame:
    """Add the names of problem bits, as `fenpack.problem_names` does.

    Parameters
    ----------
    frame : DataFrame
        The rows.
    column : str
        The column of problem bits, as `validate` gives it.
    into : str
        The name of the new column.

    Returns
    -------
    DataFrame
        With an ``array<string>``; null for null.
    """
    return run(frame, batch.problem_names(column, into=into))


def deduplicate(
    frame: DataFrame,
    column: str,
    *,
    order_by: str | Sequence[str] = (),
    by: By = "position",
    chess960: bool = False,
) -> DataFrame:
    """Keep one row of each position.

    Exact: rows meet by a hash of their identity (see `fenpack.identity`), and the identities
    themselves are compared. Which row survives depends on the data alone, never on partitions,
    on the order in which tasks end or on a task that is run again: the first by `order_by`, then by
    every other column of an atomic type, from the first to the last, nulls last. Rows that are null
    or cannot be read are the same as no other and are all kept.

    Parameters
    ----------
    frame : DataFrame
        The rows.
    column : str
        The column of text or packed positions.
    order_by : str or sequence of str
        The columns whose least values survive. For the first occurrence, give a row number that is
        part of the data, or what Spark tells of a Parquet file: ``_metadata.file_path`` and
        ``_metadata.row_index``, selected as columns. ``monotonically_increasing_id()`` is no such
        number: it changes with the partitions of what it is applied to.
    by, chess960 : optional
        As for `fenpack.identity`.

    Returns
    -------
    DataFrame
        Of the same columns, in no particular order.

    Raises
    ------
    ValueError
        If a column is missing or there twice.

    Notes
    -----
    One shuffle of whole rows; sorting spills to the local disks of the executors. Wide columns that
    only the survivors need are better joined back by a row number.
    """
    names = (order_by,) if isinstance(order_by, str) else tuple(order_by)
    for name in names:
        check_column(name, frame.columns, "order_by")
    others = [field.name for field in frame.schema.fields if isinstance(field.dataType, _ORDERED)]
    order = [sql.asc_nulls_last(name) for name in dict.fromkeys((*names, *others))]
    rows = identity(frame, column, into=_IDENTITY, by=by, chess960=chess960)
    # Rows without an identity get a number of their own, so that no partition has them all.
    unreadable = sql.col(_IDENTITY).isNull()
    place = sql.when(unreadable, sql.monotonically_increasing_id()).otherwise(
        sql.xxhash64(_IDENTITY)
    )
    same = Window.partitionBy(_PLACE, _IDENTITY).orderBy(*order or [sql.col(_IDENTITY)])
    rows = rows.withColumn(_PLACE, place).withColumn(_RANK, sql.row_number().over(same))
    return rows.filter(sql.col(_RANK) == 1).drop(_IDENTITY, _PLACE, _RANK)


_IDENTITY, _PLACE, _RANK = "_fenpack_identity", "_fenpack_place", "_fenpack_rank"

_ORDERED = (
    types.BinaryType,
    types.BooleanType,
    types.DateType,
    types.NumericType,
    types.StringType,
    types.TimestampNTZType,
    types.TimestampType,
)


def run(frame: DataFrame, step: batch.Step) -> DataFrame:
    """Add the column of a step from `fenpack.batch`.

    Spark has neither unsigned integers nor values of fixed size. A uint64 column becomes ``bigint``
    with the same bits, narrower unsigned ones the next wider signed type, ``fixed_size_binary``
    becomes ``binary`` and a fixed-size list an ``array``.

    Parameters
    ----------
    frame : DataFrame
        The rows.
    step : fenpack.batch.Step
        What to add.

    Returns
    -------
    DataFrame
        The same rows with one more column, or with another in its place if ``step.into`` is
        ``step.column``.

    Raises
    ------
    ValueError
        If the column is missing or there twice, or the new name is taken.
    """
    step.check(frame.columns)
    field = types.StructField(step.into, _spark_type(_accepted(step.type)))
    fields = list(frame.schema.fields)
    if step.into == step.column:
        fields[frame.columns.index(step.into)] = field
    else:
        fields.append(field)
    return frame.mapInArrow(partial(_run_on_batches, step), types.StructType(fields))


def _run_on_batches(step: batch.Step, batches: Iterator[pa.RecordBatch]) -> Any:
    for rows in batches:
        made = step(rows)
        place = made.schema.get_field_index(step.into)
        column = made.column(place)
        accepted = _accepted(column.type)
        if accepted != column.type:
            # Unchecked, so that bits beyond the signed range are kept.
            made = made.set_column(place, step.into, column.cast(accepted, safe=False))
        yield made


def _accepted(kind: pa.DataType) -> pa.DataType:
    """Give the type that Spark takes in place of `kind`."""
    if kind in _SIGNED:
        return _SIGNED[kind]
    if pa.types.is_fixed_size_binary(kind):
        return pa.binary()
    if pa.types.is_list(kind) or pa.types.is_fixed_size_list(kind):
        return pa.list_(_accepted(kind.value_type))
    return kind


_SIGNED = {
    pa.uint8(): pa.int16(),
    pa.uint16(): pa.int32(),
    pa.uint32(): pa.int64(),
    pa.uint64(): pa.int64(),
}

_SPARK_TYPES = {
    pa.bool_(): types.BooleanType,
    pa.int16(): types.ShortType,
    pa.int32(): types.IntegerType,
    pa.int64(): types.LongType,
    pa.float32(): types.FloatType,
    pa.float64(): types.DoubleType,
    pa.string(): types.StringType,
    pa.binary(): types.BinaryType,
}


def _spark_type(kind: pa.DataType) -> types.DataType:
    if pa.types.is_list(kind):
        return types.ArrayType(_spark_type(kind.value_type))
    if kind not in _SPARK_TYPES:
        raise TypeError(f"a column of {kind} has no place in Spark")
    return _SPARK_TYPES[kind]()
