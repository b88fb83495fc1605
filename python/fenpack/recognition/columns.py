"""Arrow columns of scores or ids as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from fenpack.recognition.decoded import Status
from fenpack.sound import sound

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["arrow_chunks", "fixed_rows", "is_arrow"]


def is_arrow(column: Any) -> bool:
    """Tell whether `column` speaks Arrow."""
    return hasattr(column, "__arrow_c_array__") or hasattr(column, "__arrow_c_stream__")


def arrow_chunks(column: Any) -> tuple[list[pa.Array], bool]:
    """Give the chunks of an Arrow column and whether it came in chunks."""
    if not isinstance(column, pa.Array | pa.ChunkedArray):
        if hasattr(column, "__arrow_c_array__"):
            column = pa.array(column)
        else:
            column = pa.chunked_array(column)
    column = sound(column, "scores")
    if isinstance(column, pa.ChunkedArray):
        chunks = column.chunks or [pa.array([], column.type)]
        return chunks, True
    return [column], False


def fixed_rows(column: pa.Array) -> tuple[NDArray[Any], NDArray[np.uint8] | None]:
    """View a column whose rows are all of one size as an array of two dimensions.

    Parameters
    ----------
    column : FixedSizeListArray, nested or not, or fixed_size_binary
        A null row has unspecified content.

    Returns
    -------
    array : ndarray, shape (N, size)
        Without a copy.
    status : ndarray of uint8, shape (N,), or None
        A `Status` for each row, if any is not fine.

    Raises
    ------
    TypeError
        If it is a column of another type.
    """
    rows = len(column)
    null = np.asarray(column.is_null()) if column.null_count else None
    if pa.types.is_dictionary(column.type):
        return fixed_rows(column.dictionary_decode())
    if pa.types.is_fixed_size_binary(column.type):
        width = column.type.byte_width
        data = column.buffers()[1]
        flat = np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8)
        array = flat[column.offset * width :][: rows * width].reshape(rows, width)
        return array, _status(null, None)
    size, values = 1, column
    lost = np.zeros(rows, bool)
    while pa.types.is_fixed_size_list(values.type):
        width = values.type.list_size
        inner = values.values[values.offset * width : (values.offset + len(values)) * width]
        size *= width
        if inner.null_count:
            lost |= np.asarray(inner.is_null()).reshape(rows, size).any(1)
        values = inner
    if values is column:
        raise TypeError(
            f"scores must be a column of fixed-size lists or fixed_size_binary, of text, or of "
            f"lists of detections, got {column.type}"
        )
    if not (pa.types.is_floating(values.type) or pa.types.is_integer(values.type)):
        raise TypeError(f"scores must be lists of numbers, got {column.type}")
    data = values.buffers()[1]
    dtype = values.type.to_pandas_dtype()
    flat = np.frombuffer(data, dtype) if data is not None else np.zeros(0, dtype)
    array = flat[values.offset :][: rows * size].reshape(rows, size)
    return array, _status(null, lost if lost.any() else None)


def _status(
    null: NDArray[np.bool_] | None, lost: NDArray[np.bool_] | None
) -> NDArray[np.uint8] | None:
    if null is None and lost is None:
        return None
    status = np.zeros(len(null if null is not None else lost), np.uint8)  # type: ignore[arg-type]
    if lost is not None:
        status[lost] = Status.NOT_FINITE
    if null is not None:
        status[null] = Status.NULL
    return status
