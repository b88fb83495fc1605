"""What each layout is: its size, where it is seen from, which planes hold numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from fenpack import _native
from fenpack.inputs import as_bool

__all__ = [
    "CELLS",
    "LAYOUTS",
    "TOKENS",
    "Array",
    "Channels",
    "Count",
    "Layout",
    "Perspective",
    "Squares",
    "layout_named",
    "length_of",
    "plane_shape",
    "state_of",
    "token_view",
    "words_of",
]

Perspective: TypeAlias = Literal["white", "mover", "mover_rotated"]
Squares: TypeAlias = Literal["a1", "a8"]
Channels: TypeAlias = Literal["first", "last"]
Array: TypeAlias = np.ndarray[Any, Any]

#: The types of planes and of tokens.
CELLS = ("bool", "uint8", "int8", "float16", "float32")
TOKENS = ("uint8", "int32", "int64")
_LENGTHS = {"squares": 64, "searchless_77": 77, "chess_transformers": 69}


@dataclass(frozen=True)
class Count:
    """A plane that holds one number.

    Attributes
    ----------
    plane : int
        Which one.
    divisor : int
        The plane holds what is counted divided by this.
    name : str
        What is counted.
    """

    plane: int
    divisor: int
    name: str


@dataclass(frozen=True)
class Layout:
    """A set of planes.

    Attributes
    ----------
    name : str
        As `planes` and `bitboards` take it.
    channels : int
        The number of planes.
    perspective : str
        Whose board it shows, unless another is asked for.
    squares : str
        Which square comes first, unless another is asked for.
    relative : bool
        Whether its planes speak of mover and opponent, so that the perspective is fixed.
    history : bool
        Whether earlier positions have planes.
    counts : tuple of Count
        The planes that hold a number; all others hold 0 and 1.
    """

    name: str
    channels: int
    perspective: str
    squares: str
    relative: bool
    history: bool
    counts: tuple[Count, ...]


LAYOUTS = {
    name: Layout(
        name,
        channels,
        perspective,
        squares,
        relative,
        history,
        tuple(Count(*count) for count in counts),
    )
    for name, channels, perspective, squares, relative, history, counts in _native.layouts()
}


def layout_named(name: str) -> Layout:
    """Give the layout called `name`.

    Raises
    ------
    ValueError
        If there is none.
    """
    if not isinstance(name, str) or name not in LAYOUTS:
        known = ", ".join(f'"{known}"' for known in LAYOUTS)
        raise ValueError(f"layout must be one of {known}, got {name!r}")
    return LAYOUTS[name]


def state_of(en_passant: str, chess960: bool) -> tuple[str, bool]:
    """Give the choice of what of the state counts, as the extension takes it."""
    return en_passant, as_bool(chess960, "chess960")


def words_of(layout: Layout, perspective: str | None, squares: str | None) -> tuple[str, str, str]:
    """Give the names of layout, perspective and squares, as the extension takes them."""
    if layout.relative and perspective not in (None, layout.perspective):
        raise ValueError(
            f"layout {layout.name!r} speaks of mover and opponent: perspective must be "
            f'"{layout.perspective}", got {perspective!r}'
        )
    return layout.name, perspective or layout.perspective, squares or layout.squares


def plane_shape(layout: Layout, channels: str) -> tuple[int, ...]:
    """Give the shape of one row of planes."""
    if channels not in ("first", "last"):
        raise ValueError(f'channels must be one of "first", "last", got {channels!r}')
    return (8, 8, layout.channels) if channels == "last" else (layout.channels, 8, 8)


def length_of(vocabulary: str) -> int:
    """Give the number of tokens of a row."""
    if not isinstance(vocabulary, str) or vocabulary not in _LENGTHS:
        known = ", ".join(f'"{name}"' for name in _LENGTHS)
        raise ValueError(f"vocabulary must be one of {known}, got {vocabulary!r}")
    return _LENGTHS[vocabulary]


def token_view(vocabulary: str, perspective: str | None, squares: str | None) -> tuple[str, str]:
    """Give the perspective and the order of squares of tokens."""
    if vocabulary != "squares" and (perspective or squares):
        raise ValueError(
            f"vocabulary {vocabulary!r} is White's board from a8: perspective and squares go with "
            '"squares" only'
        )
    return perspective or "white", squares or "a1"
