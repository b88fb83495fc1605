"""One more column of a batch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import pyarrow as pa

from fenpack import _native

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Batch: TypeAlias = Any  # pa.RecordBatch or pa.Table; what comes in goes out


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


def check_column(column: str, names: Sequence[str], argument: str = "column") -> None:
    """Refuse columns called `names` unless just one is called `column`."""
    if (times := list(names).count(column)) != 1:
        found = "is there twice" if times else "is not there"
        raise ValueError(f"{argument} {column!r} {found}; the columns are {', '.join(names)}")
