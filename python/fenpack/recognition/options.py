"""The options of a decoding as the decoder takes them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from fenpack.inputs import as_pyarrow
from fenpack.recognition.boards import CLASSES
from fenpack.recognition.games import log_shares
from fenpack.recognition.squares import square_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["allowed_classes", "castling_rights", "number", "prior_table", "turnings", "turns"]

_ALL = (1 << len(CLASSES)) - 1
_TURNINGS = {
    "white": [0],
    "black": [180],
    "auto": [0, 180],
    "any": [0, 90, 180, 270],
    0: [0],
    90: [90],
    180: [180],
    270: [270],
}
#: Files of the rooks, of White in the low byte and of Black in the high one.
_RIGHTS = {"K": 0x80, "Q": 0x01, "k": 0x8000, "q": 0x0100}


def turnings(orientation: Any) -> list[int]:
    """Give the turnings that are possible in degrees, the one in doubt first."""
    known_type = isinstance(orientation, str | int | np.integer)
    if known_type and not isinstance(orientation, bool) and orientation in _TURNINGS:
        return _TURNINGS[orientation]
    known = ", ".join(repr(name) for name in _TURNINGS)
    raise ValueError(f"orientation must be one of {known}, got {orientation!r}")


def number(
    value: Any, name: str, least: float, most: float = math.inf, *, inclusive: bool = True
) -> float:
    """Check a number that must be between `least` and `most`."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.number):
        raise TypeError(f"{name} must be a number, got {value!r:.80}")
    checked = float(value)
    if not (least <= checked <= most) or (not inclusive and checked in (least, most)):
        between = "between" if inclusive else "inside"
        raise ValueError(f"{name} must be {between} {least} and {most}, got {value}")
    return checked


def prior_table(prior: Any) -> list[list[float]] | None:
    """Give a table of log shares of shape (13, 64)."""
    if prior is None:
        return None
    if isinstance(prior, str):
        if prior != "games":
            raise ValueError(f"prior must be 'games', a (13, 64) table or None, got {prior!r}")
        return log_shares().tolist()  # type: ignore[no-any-return]
    table = np.asarray(prior)
    if table.dtype.kind not in "fiu":
        raise TypeError(f"prior must be a (13, 64) table of real numbers, got {table.dtype}")
    table = table.astype(np.float32)
    if table.shape != (len(CLASSES), 64) or not np.isfinite(table).all():
        raise ValueError(
            f"prior must be a (13, 64) table of finite log probabilities, got {table.shape}"
        )
    return table.tolist()  # type: ignore[no-any-return]


def turns(turn: Any, rows: int) -> NDArray[np.uint8] | None:
    """Give 0 unknown, 1 White, 2 Black for each row."""
    if turn is None:
        return None
    codes = {None: 0, "w": 1, "b": 2}
    if isinstance(turn, str):
        if turn not in codes:
            raise ValueError(f'turn must be "w", "b", None or a column of them, got {turn!r}')
        return np.full(rows, codes[turn], np.uint8)
    return _coded(turn, "turn", rows, codes.__getitem__, '"w", "b" or null').astype(np.uint8)


def castling_rights(castling: Any, rows: int) -> NDArray[np.uint16] | None:
    """Give the rook files with a right of each row; None if there are no rights to give."""
    if isinstance(castling, str):
        rights = _rights(castling, "castling")
        return np.full(rows, rights, np.uint16) if rights else None
    code = lambda text: 0 if text is None else _rights(text, "castling")  # noqa: E731
    return _coded(castling, "castling", rows, code, "castling fields such as KQkq").astype(
        np.uint16
    )


def _rights(text: str, name: str) -> int:
    if text in ("none", "home"):
        return sum(_RIGHTS.values()) if text == "home" else 0
    if text != "-" and (not text or len(set(text)) != len(text) or set(text) - set(_RIGHTS)):
        raise ValueError(f'{name} must be "none", "home" or letters of KQkq, got {text!r}')
    return sum(_RIGHTS[letter] for letter in text if letter != "-")


def _coded(column: Any, name: str, rows: int, code: Any, wanted: str) -> NDArray[np.uint16]:
    """Translate a column of text value by value."""
    array = as_pyarrow(column, name)
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
    if len(array) != rows:
        raise ValueError(
            f"{name} must have one value for each of the {rows} rows, got {len(array)}"
        )
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    coded = array.cast(pa.string()).dictionary_encode()
    try:
        codes = [code(text) for text in coded.dictionary.to_pylist()]
    except KeyError as error:
        raise ValueError(f"{name} must hold {wanted}, got {error}") from None
    table = np.array([*codes, code(None)], np.uint16)
    return np.asarray(
        table[coded.indices.fill_null(len(codes)).to_numpy(zero_copy_only=False)], np.uint16
    )


def allowed_classes(force: Any, forbid: Any, rows: int) -> tuple[NDArray[np.uint16] | None, bool]:
    """Give the classes that each square may have as bits.

    Returns
    -------
    allowed : ndarray of uint16, shape (1, 64) or (N, 64), or None
        Bit *c* for class *c*; None if all may.
    shared : bool
        Whether they are the same for all rows.
    """
    if force is None and forbid is None:
        return None, True
    allowed = np.full((1, 64), _ALL, np.uint16)
    if force is not None:
        allowed = allowed & _forced(force, rows)
    if forbid is not None:
        allowed = allowed & ~_forbidden(forbid, rows)
    return allowed, len(allowed) == 1


def _bits(classes: Any, name: str, square: str) -> int:
    if not isinstance(classes, str) or not classes or set(classes) - set(CLASSES):
        raise ValueError(f"{name} must give {square} letters of {CLASSES!r}, got {classes!r:.80}")
    return sum(1 << CLASSES.index(letter) for letter in set(classes))


def _mapping(squares: Mapping[str, str], name: str) -> dict[int, int]:
    return {
        square_number(square): _bits(classes, name, square) for square, classes in squares.items()
    }


def _forced(force: Any, rows: int) -> NDArray[np.uint16]:
    bits = np.full((1, 64), _ALL, np.uint16)
    if isinstance(force, Mapping):
        for square, allowed in _mapping(force, "force").items():
            bits[0, square] = allowed
        return bits
    array = np.asarray(force)
    if array.dtype.kind not in "iu" or array.shape not in ((64,), (rows, 64)):
        raise ValueError(
            f"force must map squares to letters or be integers of shape (64,) or ({rows}, 64), got "
            f"{_described(force)}"
        )
    array = array.reshape(-1, 64).astype(np.int64)
    if array.size and (array.min() < -1 or array.max() >= len(CLASSES)):
        raise ValueError("force must hold class numbers 0 to 12, or -1 for a free square")
    return np.where(array < 0, _ALL, 1 << np.maximum(array, 0)).astype(np.uint16)


def _forbidden(forbid: Any, rows: int) -> NDArray[np.uint16]:
    bits = np.zeros((1, 64), np.uint16)
    if isinstance(forbid, Mapping):
        for square, forbidden in _mapping(forbid, "forbid").items():
            bits[0, square] = forbidden
        return bits
    array = np.asarray(forbid)
    shapes = ((64, len(CLASSES)), (rows, 64, len(CLASSES)))
    if array.dtype != bool or array.shape not in shapes:
        raise ValueError(
            f"forbid must map squares to letters or be booleans of shape {shapes[0]} or "
            f"{shapes[1]}, got {_described(forbid)}"
        )
    weights = (1 << np.arange(len(CLASSES))).astype(np.uint16)
    return np.asarray((array.reshape(-1, 64, len(CLASSES)) * weights).sum(2), np.uint16)


def _described(value: Any) -> str:
    if isinstance(value, np.ndarray | Sequence):
        array = np.asarray(value)
        return f"{array.dtype} of shape {array.shape}"
    return repr(value)[:80]
