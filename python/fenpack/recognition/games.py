"""How often each class stands on each square in games, and what follows from it.

``games.tsv`` is made by ``docs/recognizers/count_games.py``; it names its source.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

from fenpack.recognition.boards import CLASSES

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["log_shares"]

#: Added to every count, so that what never happened is not impossible.
SMOOTHING = 50.0


@cache
def log_shares() -> NDArray[np.float32]:
    """Give the log share of each class on each square.

    Returns
    -------
    ndarray of float32, shape (13, 64)
        ``.PNBRQKpnbrqk`` by squares, a1 first; the shares of a square sum to 1. The prior of a
        decoding and, as differences between squares, the weights of the orientation score.
    """
    lines = files("fenpack.recognition").joinpath("games.tsv").read_text("ascii").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    assert [row[0] for row in rows] == list(CLASSES)
    counts = np.array([row[1:] for row in rows], np.float64) + SMOOTHING
    return np.asarray(np.log(counts / counts.sum(0)), np.float32)
