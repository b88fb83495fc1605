"""Arrays of pyarrow whose buffers are as large as they say."""

from __future__ import annotations

import pyarrow as pa

__all__ = ["sound"]


def sound(column: pa.Array | pa.ChunkedArray, name: str) -> pa.Array | pa.ChunkedArray:
    """Give `column`, the argument called `name`, if its buffers hold what it says.

    Those of an array that was read from a damaged file may not, and the C interface, by which it
    goes on, does not tell their sizes.

    Raises
    ------
    ValueError
        If a buffer is missing or too small.
    """
    try:
        column.validate()
    except pa.ArrowInvalid as error:
        raise ValueError(f"{name} is no valid Arrow data: {error}") from None
    return column
