"""Placements as text, with any of the separators that recognizers print."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from fenpack import _native
from fenpack.recognition.boards import CLASSES
from fenpack.recognition.classes import class_order
from fenpack.recognition.decoded import Status
from fenpack.recognition.ids import IdSource
from fenpack.recognition.squares import square_order

__all__ = ["text_sources"]


def text_sources(texts: Any, *, eps: float) -> list[IdSource]:
    """Read a column of text as class numbers, one source for each chunk.

    Parameters
    ----------
    texts : Arrow column of text
        One placement a row.
    eps : float
        The least probability of a class.

    Returns
    -------
    list of IdSource
        Null rows and unreadable ones have their status.
    """
    ids, turns = _native.read_placements(texts)
    if not isinstance(texts, pa.ChunkedArray):
        return [_source(ids, turns, texts, eps)]
    parts = zip(ids.chunks, turns.chunks, texts.chunks, strict=True)
    return [_source(*part, eps) for part in parts]


def _source(ids: pa.Array, turns: pa.Array, texts: pa.Array, eps: float) -> IdSource:
    status = np.zeros(len(ids), np.uint8)
    status[np.asarray(ids.is_null())] = Status.UNREADABLE
    status[np.asarray(texts.is_null())] = Status.NULL
    data = ids.buffers()[1]
    boards = np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8)
    boards = boards[ids.offset * 64 :][: len(ids) * 64].reshape(len(ids), 64)
    return IdSource(
        boards,
        class_order(CLASSES),
        square_order("a1"),
        confidence=None,
        eps=eps,
        status=status,
        turns=turns.to_numpy(zero_copy_only=False),
    )
