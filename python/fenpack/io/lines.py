"""One text a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from fenpack.io.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fenpack.io.text import Block, Text


def open_lines(text: Text, kind: pa.DataType) -> Source:
    """Read lines as a column ``fen`` of type `kind`, string or binary; blank lines are rows."""
    schema = pa.schema([("fen", kind)])

    def batches(columns: list[str] | None = None) -> Iterator[tuple[pa.RecordBatch, int]]:
        for block in text.blocks():
            yield pa.RecordBatch.from_arrays([_split(block, kind)], schema=schema), block.done

    return Source(schema, "fen", text.size, "bytes", batches)


def _split(block: Block, kind: pa.DataType) -> pa.Array:
    data = block.data
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    block.lines = len(ends)
    rows = len(ends) + (not data.endswith(b"\n"))
    offsets = np.empty(rows + 1, np.int32)
    offsets[0] = 0
    np.subtract(ends, np.arange(len(ends)), out=offsets[1 : len(ends) + 1], casting="unsafe")
    texts = data.replace(b"\n", b"")
    offsets[-1] = len(texts)
    return pa.Array.from_buffers(kind, rows, [None, pa.py_buffer(offsets), pa.py_buffer(texts)])
