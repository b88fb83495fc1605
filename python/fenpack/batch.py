"""Arrow batches in, Arrow batches out: what an engine's workers run.

Each function here returns a step, a value that is called with a batch. Steps are pure and
deterministic, can be pickled, compared and run again, and tell the schema of what they give, so
that an engine may run them anywhere, twice, or on no rows at all. They use one thread: the engine
has the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

import fenpack as fp
from fenpack import _native
from fenpack.views import plain, viewed, without_views

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fenpack.columns import Castling, Counters, Dialect, EnPassant, Level, Profile
    from fenpack.identity import By

__all__ = [
    "Distinct",
    "Step",
    "canonicalize",
    "distinct",
    "identity",
    "is_valid",
    "key",
    "parse",
    "partition",
    "problem_names",
    "validate",
    "zobrist",
]

Batch: TypeAlias = Any  # pa.RecordBatch or pa.Table; what comes in goes out

_IDENTITY = pa.binary(36)
_POSITION = pa.binary(fp.position_dtype.itemsize)


@dataclass(frozen=True)
class Step:
    """One more column named `into`: `function` of `column` with `options`, of Arrow type `type`.

    Called with a RecordBatch or a Table, it gives one of the same rows in the same order, with
    the other columns as they were. Where `into` is `column`, the column is replaced.

    Attributes
    ----------
    column : str
        The column that is read.
    into : str
        The column that is added, or replaced.
    type : pyarrow.DataType
        Its type; what the function gives is cast to it.
    function : callable
        Makes an Arrow array of a column, such as `fenpack.validate`; must be one that can be
        pickled.
    options : tuple of (str, object)
        Its keyword arguments.
    """

    column: str
    into: str
    type: pa.DataType
    function: Callable[..., Any]
    options: tuple[tuple[str, Any], ...] = ()

    def check(self, names: Sequence[str]) -> None:
        """Refuse a batch whose columns, called `names`, lack `column` or have `into` already.

        Parameters
        ----------
        names : sequence of str
            The names of the columns.

        Raises
        ------
        ValueError
            If `column` is missing or there twice, or `into` is the name of another column.
        """
        check_column(self.column, names)
        if self.into != self.column and self.into in names:
            raise ValueError(f"into={self.into!r} is a column already; choose another name")

    def schema(self, schema: pa.Schema) -> pa.Schema:
        """Give the schema that a batch of `schema` becomes.

        Parameters
        ----------
        schema : pyarrow.Schema
            What the step is given.

        Returns
        -------
        pyarrow.Schema
            With one more field, or another type of the one that is replaced.

        Raises
        ------
        ValueError
            As for `check`.
        """
        self.check(schema.names)
        field = pa.field(self.into, self.type)
        if self.into == self.column:
            return schema.set(schema.get_field_index(self.column), field)
        return schema.append(field)

    def __call__(self, batch: Batch) -> Batch:
        """Give the batch with the column."""
        self.check(batch.schema.names)
        before = _native.limit_threads(1)
        try:
            made = self.function(batch.column(self.column), **dict(self.options))
        except (TypeError, ValueError) as error:
            error.add_note(f"x is column {self.column!r}")
            raise
        finally:
            _native.limit_threads(before)
        if made.type != self.type:
            made = made.cast(self.type, safe=False)  # uint64 to int64 keeps the bits
        field = pa.field(self.into, self.type)
        if self.into == self.column:
            return batch.set_column(batch.schema.get_field_index(self.column), field, made)
        return batch.append_column(field, made)


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
    return _step(column, into, _POSITION, fp.parse, dialect=dialect, chess960=chess960)


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
    return _step(column, into, _IDENTITY, fp.identity, by=by, chess960=chess960)


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
    keys = fp.key(_packed_identity(rows, by, chess960), chess960=True)
    places = keys.fill_null(0).to_numpy() % np.uint64(partitions)
    nulls = np.asarray(keys.is_null())
    places[nulls] = np.arange(np.count_nonzero(nulls), dtype=np.uint64) % np.uint64(partitions)
    return pa.array(places.astype(np.int32))


def _packed_identity(rows: pa.Array | pa.ChunkedArray, by: By, chess960: bool) -> pa.Array:
    """Give the positions that are told apart by what `by` compares, and by nothing else.

    An identity is the head of a packed position. Read as Chess960 it has no right that does not
    hold and no en passant square that is not legal, so that it is its own identity.
    """
    heads = fp.identity(rows, by=by, chess960=chess960)
    if isinstance(heads, pa.ChunkedArray):  # of `rows`, dictionaries with nulls are not combined
        heads = heads.combine_chunks()
    packed = np.zeros((len(heads), _POSITION.byte_width), np.uint8)
    data = heads.buffers()[1]
    if data is not None:
        start = heads.offset * _IDENTITY.byte_width
        shape = len(heads), _IDENTITY.byte_width
        size = shape[0] * shape[1]
        packed[:, : shape[1]] = np.frombuffer(data, np.uint8, size, start).reshape(shape)
    whole = pa.Array.from_buffers(_POSITION, len(heads), [None, pa.py_buffer(packed)])
    return pc.if_else(heads.is_valid(), whole, pa.scalar(None, _POSITION))


def _without_views(batch: Batch) -> Batch:
    """Give a batch whose rows can be sorted and filtered."""
    fields = [field.with_type(without_views(field.type)) for field in batch.schema]
    columns = [plain(column) for column in batch.columns]
    return type(batch).from_arrays(columns, schema=pa.schema(fields))


@dataclass(frozen=True)
class Distinct:
    """Of the rows that count as one, the first by `order_by`, then by the other columns.

    Called with a RecordBatch or a Table that has all such rows, it gives one of the same schema.

    Attributes
    ----------
    column : str
        The column of text or packed positions.
    order_by : tuple of str
        The columns whose least values survive.
    by : str
        What counts as one, as for `fenpack.identity`.
    chess960 : bool
        Whether castling rights are judged as in Chess960.
    """

    column: str
    order_by: tuple[str, ...]
    by: By
    chess960: bool

    def schema(self, schema: pa.Schema) -> pa.Schema:
        """Give `schema`, if it has the columns.

        Parameters
        ----------
        schema : pyarrow.Schema
            What is given.

        Returns
        -------
        pyarrow.Schema
            The same.

        Raises
        ------
        ValueError
            If a column is missing or there twice.
        """
        check_column(self.column, schema.names)
        for name in self.order_by:
            check_column(name, schema.names, "order_by")
        return schema

    def __call__(self, batch: Batch) -> Batch:
        """Give the rows that survive, in their order."""
        schema = self.schema(batch.schema)
        batch = _without_views(batch)
        others = [field.name for field in batch.schema if _has_order(field.type)]
        names = dict.fromkeys((*self.order_by, *others))
        if names:
            order = [(name, "ascending") for name in names]
            batch = batch.take(pc.sort_indices(batch, order))  # nulls last
        rows = batch.column(self.column)
        before = _native.limit_threads(1)
        try:
            packed = _packed_identity(rows, self.by, self.chess960)
            repeated = fp.is_duplicate(packed, chess960=True)
        finally:
            _native.limit_threads(before)
        first = batch.filter(pc.invert(repeated.fill_null(False)))
        columns = [
            viewed(one, field.type) for one, field in zip(first.columns, schema, strict=True)
        ]
        return type(batch).from_arrays(columns, schema=schema)


def distinct(
    column: str,
    *,
    order_by: str | Sequence[str] = (),
    by: By = "position",
    chess960: bool = False,
) -> Distinct:
    """Keep one row of each position, in a batch that has all rows of its positions.

    Which one does not depend on the order of the rows: the first by `order_by`, then by every
    other column that has an order, from the first to the last, nulls last. Rows that are null or
    cannot be read are all kept.

    Parameters
    ----------
    column : str
        The column of text or packed positions.
    order_by : str or sequence of str
        The columns whose least values survive, such as a row number.
    by, chess960 : optional
        As for `fenpack.identity`.

    Returns
    -------
    Distinct
        Whose batches have the schema of what it is given.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from fenpack import batch
    >>> rows = pa.record_batch({
    ...     "fen": ["8/8/8/8/8/8/8/K1k5 w - - 9 9", "8/8/8/8/8/8/8/K1k5 w - - 0 1", "?"],
    ...     "row": [2, 1, 0],
    ... })
    >>> batch.distinct("fen", order_by="row")(rows)["row"].to_pylist()
    [0, 1]
    """
    names = (order_by,) if isinstance(order_by, str) else tuple(order_by)
    return Distinct(column, names, by, chess960)


def _has_order(kind: pa.DataType) -> bool:
    return bool(
        pa.types.is_primitive(kind)
        or pa.types.is_decimal(kind)
        or pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_binary(kind)
        or pa.types.is_large_binary(kind)
        or pa.types.is_fixed_size_binary(kind)
    )


def check_column(column: str, names: Sequence[str], argument: str = "column") -> None:
    """Refuse columns called `names` unless just one is called `column`."""
    if (times := list(names).count(column)) != 1:
        found = "is there twice" if times else "is not there"
        raise ValueError(f"{argument} {column!r} {found}; the columns are {', '.join(names)}")
