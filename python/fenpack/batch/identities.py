"""Identities as positions, so that what compares positions compares them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

import fenpack as fp

if TYPE_CHECKING:
    from fenpack.identity import By

IDENTITY = pa.binary(36)
POSITION = pa.binary(fp.position_dtype.itemsize)


def packed_identity(rows: pa.Array | pa.ChunkedArray, by: By, chess960: bool) -> pa.Array:
    """Give the positions that are told apart by what `by` compares, and by nothing else.

    An identity is the head of a packed position. Read as Chess960 it has no right that does not
    hold and no en passant square that is not legal, so that it is its own identity.
    """
    heads = fp.identity(rows, by=by, chess960=chess960)
    if isinstance(heads, pa.ChunkedArray):  # of `rows`, dictionaries with nulls are not combined
        heads = heads.combine_chunks()
    packed = np.zeros((len(heads), POSITION.byte_width), np.uint8)
    data = heads.buffers()[1]
    if data is not None:
        start = heads.offset * IDENTITY.byte_width
        shape = len(heads), IDENTITY.byte_width
        size = shape[0] * shape[1]
        packed[:, : shape[1]] = np.frombuffer(data, np.uint8, size, start).reshape(shape)
    whole = pa.Array.from_buffers(POSITION, len(heads), [None, pa.py_buffer(packed)])
    return pc.if_else(heads.is_valid(), whole, pa.scalar(None, POSITION))
