"""Of the rows of a batch that count as one, the first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

import fenpack as fp
from fenpack import _native
from fenpack.batch.identities import packed_identity
from fenpack.batch.step import check_column
from fenpack.views import plain, viewed, without_views

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fenpack.batch.step import Batch
    from fenpack.identity import By


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
            packed = packed_identity(rows, self.by, self.chess960)
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
