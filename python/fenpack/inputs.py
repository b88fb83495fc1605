"""Columns in: what has no Arrow interface becomes Arrow here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
import pyarrow as pa

from fenpack import _native
from fenpack.position import PositionArray, position_dtype
from fenpack.sound import sound

__all__ = ["Column", "as_arrow", "as_bool", "as_pyarrow"]


@runtime_checkable
class ArrowArrayExportable(Protocol):
    """One Arrow array: pyarrow and nanoarrow arrays."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """Export the array."""


@runtime_checkable
class ArrowStreamExportable(Protocol):
    """An Arrow array in chunks: pyarrow ChunkedArray, Polars and pandas Series, arro3, narwhals."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Export the chunks."""


Column: TypeAlias = (
    ArrowArrayExportable | ArrowStreamExportable | np.ndarray[Any, Any] | Sequence[str | None]
)


def as_arrow(column: Any, name: str) -> ArrowArrayExportable | ArrowStreamExportable:
    """Give `column`, the argument called `name`, an Arrow interface.

    Raises
    ------
    TypeError
        If `column` is no column: a lone string, a lazy frame, a mapping, a generator, or a
        sequence that mixes text with something else.
    ValueError
        If an array of pyarrow is larger than its buffers.
    """
    if isinstance(column, pa.Array | pa.ChunkedArray):  # engines call with 2,048 rows at a time
        return sound(column, name)  # type: ignore[no-any-return]
    if isinstance(column, str | bytes | bytearray | memoryview):
        raise TypeError(
            f"{name} must be a column, got a lone {type(column).__name__}; wrap it in a list: "
            f"[{column!r:.80}]"
        )
    dtype = str(getattr(column, "dtype", None))
    if dtype == "Null":  # Polars exports it in a form that not every importer takes.
        return pa.chunked_array([pa.nulls(len(column))])  # type: ignore[no-any-return]
    # An object column may hold NaN for a missing text, which its own export refuses.
    objects = dtype == "object"
    if not objects and isinstance(column, ArrowArrayExportable | ArrowStreamExportable):
        return column
    if not isinstance(column, np.ndarray | Sequence) and not hasattr(column, "__array__"):
        kind = f"{type(column).__module__}.{type(column).__qualname__}"
        raise TypeError(
            f"{name} must be a column: an Arrow, Polars or pandas column, a numpy string array or "
            f"a sequence of str | None, got {kind}"
        )
    if isinstance(column, np.ndarray):
        return _from_numpy(column, name)
    return _from_values(list(column) if isinstance(column, Sequence) else column, name)


def as_pyarrow(column: Any, name: str) -> pa.Array | pa.ChunkedArray:
    """Give `column`, the argument called `name`, as pyarrow has it.

    Raises
    ------
    TypeError
        If `column` is no column of text or positions.
    ValueError
        If it is no valid Arrow data.
    """
    arrow = as_arrow(column, name)
    if isinstance(arrow, pa.Array | pa.ChunkedArray):
        return arrow
    return _native.as_pyarrow(arrow, name)


def as_bool(value: Any, name: str) -> bool:
    """Give `value`, the argument called `name`, which is True or False.

    Raises
    ------
    TypeError
        If it is anything else.
    """
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, got {value!r:.80}")
    return bool(value)


def _from_numpy(
    array: np.ndarray[Any, Any], name: str
) -> ArrowArrayExportable | ArrowStreamExportable:
    if array.ndim != 1:
        raise TypeError(f"{name} must have one dimension, got an array of shape {array.shape}")
    if array.dtype == position_dtype and isinstance(array, np.ma.MaskedArray):
        raise TypeError(f"{name} must not be masked; a PositionArray has nulls")
    if array.dtype == position_dtype:
        return PositionArray.from_numpy(array)
    if array.dtype.kind not in "USOT":
        raise TypeError(f"{name} must hold strings, got a numpy array of {array.dtype}")
    return _from_values(array.astype(object) if array.dtype.kind in "UT" else array, name)


def _from_values(values: Any, name: str) -> ArrowArrayExportable | ArrowStreamExportable:
    try:
        array = pa.array(values, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError, UnicodeEncodeError) as error:
        for row, value in enumerate(values):
            if not isinstance(value, str | bytes) and not _is_null(value):
                kind = type(value).__name__
                raise TypeError(f"{name} row {row} must be str or None, got {kind}") from None
        raise TypeError(f"{name} must hold str or None in every row: {error}") from None
    result: ArrowArrayExportable | ArrowStreamExportable = array
    return result


def _is_null(value: Any) -> bool:
    try:
        return bool(pa.array([value], from_pandas=True).null_count)
    except pa.ArrowException:
        return False
