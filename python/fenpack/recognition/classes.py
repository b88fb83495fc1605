"""Class orders: which column of a recognizer is which man."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from fenpack.recognition.boards import CLASSES

__all__ = ["EMPTY", "IGNORED", "class_order"]

EMPTY = 0
IGNORED = -1

_EMPTY_SIGNS = "._x"
_EMPTY_NAMES = frozenset(("", "empty", "em", "x", "xx", "e", "none", "blank", "nothing"))
_IGNORED_NAMES = frozenset(("!", "ignore", "ignored"))
_ROLES = {"pawn": "p", "knight": "n", "bishop": "b", "rook": "r", "queen": "q", "king": "k"}
_MOST_EMPTY = 2


def class_order(classes: str | Sequence[str]) -> list[int]:
    """Give the class number of each column.

    Parameters
    ----------
    classes : str or sequence of str
        One character a column: the letters of FEN, ``.``, ``_`` or ``x`` for the empty square,
        ``!`` for a column that is ignored. Or one name a column: ``white_pawn``, ``pawn-white``,
        ``WhitePawn``, ``wP``, ``P``, ``empty``, ``em``, ``xx``, ``ignore``.

    Returns
    -------
    list of int
        0 to 12 in the order ``.PNBRQKpnbrqk``, or -1 for a column that is ignored.

    Raises
    ------
    ValueError
        If a name is unknown, a man is missing or there twice, or more than two columns are empty.
    TypeError
        If `classes` is neither a string nor a sequence of strings.

    Examples
    --------
    >>> from fenpack.recognition import class_order
    >>> class_order("!bknpqrBKNPQR.")
    [-1, 9, 12, 8, 7, 11, 10, 3, 6, 2, 1, 5, 4, 0]
    """
    read: Callable[[str], int | None]
    if isinstance(classes, str):
        read, names = _sign, list(classes)
    elif isinstance(classes, Sequence) and all(isinstance(name, str) for name in classes):
        read, names = _name, list(classes)
    else:
        raise TypeError(f"classes must be a string or a list of names, got {classes!r:.80}")
    order = []
    for column, name in enumerate(names):
        number = read(name)
        if number is None:
            raise ValueError(
                f"classes has the unknown class {name!r} in column {column}; known are the letters "
                f"PNBRQKpnbrqk, '.', '_' or 'x' for the empty square and '!' for a column to "
                f"ignore, in a list also names such as 'white_pawn', 'wP' and 'empty'"
            )
        order.append(number)
    for number, letter in enumerate(CLASSES):
        count = order.count(number)
        if number == EMPTY:
            if count > _MOST_EMPTY:
                raise ValueError(f"classes has {count} empty columns, at most 2 are allowed")
        elif count != 1:
            found = f"has {letter} {count} times" if count else f"has no {letter}"
            raise ValueError(f"classes {found}, each man must be there once, got {classes!r}")
    return order


def _sign(sign: str) -> int | None:
    if sign in _EMPTY_SIGNS:
        return EMPTY
    if sign == "!":
        return IGNORED
    return CLASSES.find(sign) if sign in CLASSES else None


def _name(name: str) -> int | None:
    if len(name) == 1 and (number := _sign(name)) is not None:
        return number
    plain = re.sub(r"[^a-z!]", "", name.lower())
    if plain in _IGNORED_NAMES:
        return IGNORED
    if plain in _EMPTY_NAMES and not re.search(r"[0-9]", name):
        return EMPTY
    for side, prefix in (("white", "w"), ("black", "b")):
        role = None
        if plain.startswith(side) or plain.endswith(side):
            role = _ROLES.get(plain.replace(side, "", 1))
        elif len(plain) == 2 and plain[0] == prefix and plain[1] in "pnbrqk":
            role = plain[1]
        if role is not None:
            return CLASSES.index(role.upper() if side == "white" else role)
    return None
