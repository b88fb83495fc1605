"""What each layout of planes is: its size, where it is seen from, which planes hold numbers."""

from __future__ import annotations

from dataclasses import dataclass

from fenpack import _native

__all__ = ["LAYOUTS", "Count", "Layout", "layout_named"]


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
