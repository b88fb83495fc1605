"""Boards as class numbers, 64 a row, and as packed positions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fenpack.position import PositionArray, position_dtype

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["CLASSES", "classes_of", "positions_of"]

#: The letter of each class; the class number is its place.
CLASSES = ".PNBRQKpnbrqk"

_SIDE = 6
_COUNTERS_ABSENT = 2
_BITS = np.arange(64, dtype=np.uint64)


def classes_of(positions: PositionArray) -> NDArray[np.uint8]:
    """Spread positions over class numbers.

    Parameters
    ----------
    positions : PositionArray
        The positions; a null gives unspecified numbers.

    Returns
    -------
    ndarray of uint8, shape (N, 64)
        0 for an empty square, 1 to 6 for P N B R Q K, 7 to 12 for p n b r q k; a1 first, then b1.
    """
    records = positions.to_numpy()
    classes = np.zeros((len(records), 64), np.uint8)
    for plane in range(3):
        classes |= _bits(records["code"][:, plane]) << np.uint8(plane)
    classes += _bits(records["black"]) * np.uint8(_SIDE)
    return classes


def _bits(planes: NDArray[Any]) -> NDArray[np.uint8]:
    return (planes[:, None] >> _BITS & np.uint64(1)).astype(np.uint8)


def positions_of(classes: NDArray[np.uint8]) -> PositionArray:
    """Pack class numbers, the inverse of `classes_of`: White to move, no rights, no counters."""
    records = np.zeros(len(classes), position_dtype)
    black = classes > _SIDE
    codes = classes - black * np.uint8(_SIDE)
    for plane in range(3):
        records["code"][:, plane] = _gather(codes >> plane & 1)
    records["black"] = _gather(black)
    records["flags"] = _COUNTERS_ABSENT
    records["en_passant"] = 64
    records["fullmove"] = 1
    return PositionArray.from_numpy(records)


def _gather(bits: NDArray[Any]) -> NDArray[np.uint64]:
    packed = np.packbits(bits.astype(np.uint8), axis=1, bitorder="little")
    return packed.view("<u8").reshape(-1)
