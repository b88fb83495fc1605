"""Boards drawn as SVG and as text, White at the bottom, squares at fault marked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["Board", "board_svg", "board_text", "read_board"]

_SIDE, _LEFT, _TOP, _WIDTH, _HEIGHT = 40, 18, 2, 340, 342
_LIGHT, _DARK, _FAULT, _LABEL = "#e9edf2", "#a3b4c8", "#d6303a", "#767676"

# Silhouettes on a square of 40 by 40, and the lines inside them.
_FOOT = "M10 36v-2.5l2-2h16l2 2V36z"
_SHAPES = {
    "p": (
        "M20 9a4.6 4.6 0 0 1 3.2 7.9h2v2.2h-2.7c.4 5 2 8.6 5 12.4h-15c3-3.8 4.6-7.4 5-12.4"
        "h-2.7v-2.2h2A4.6 4.6 0 0 1 20 9z" + _FOOT,
        "",
    ),
    "n": (
        "M14 31.5c-.6-6.4 4.6-8.6 6-13.2-2.2 2.4-5.2 3.2-7 5-1.6 1.6-4.2.8-4.2-1.8 0-2.4 3-5.4"
        " 4-9.3L12.6 6l4.2 3c7.8.3 12.7 6.6 12.7 15 0 3-.3 5.3-1.1 7.5z" + _FOOT,
        "M15.8 14l1.6.6M25.5 15c1.5 3 1.9 7 1.3 12",
    ),
    "b": (
        "M20 4a2.3 2.3 0 0 1 1.3 4.2c4 3 6.7 7 6.7 11.2 0 3-1.4 5-3.4 6.4v2.2"
        "l2 3.5H13.4l2-3.5v-2.2c-2-1.4-3.4-3.4-3.4-6.4 0-4.2 2.7-8.2"
        " 6.7-11.2A2.3 2.3 0 0 1 20 4z" + _FOOT,
        "M20 13.5v7M16.7 17h6.6M15.4 25.8h9.2",
    ),
    "r": (
        "M10.5 7h4.6v3h2.6V7h4.6v3h2.6V7h4.6v7.5l-3.5 3v9.5l2 4.5H12.6l2-4.5v-9.5l-4.1-3z" + _FOOT,
        "M14.6 17.5h11.4M14.6 27h11.4",
    ),
    "q": (
        "M6.5 11.5a2 2 0 1 1 2.7 1.6l4.4 8.3 1.3-11a2 2 0 1 1 2.4-.5L20 20.5"
        "l2.7-10.6a2 2 0 1 1 2.4.5l1.3 11 4.4-8.3a2 2 0 1 1 1.7.3L28.5 26l.5 5.5H11"
        "l.5-5.5L7.5 13.4a2 2 0 0 1-1-1.9z" + _FOOT,
        "M11.5 26c5-1.6 12-1.6 17 0",
    ),
    "k": (
        "M18.8 3h2.4v2.6h2.6V8h-2.6v3.2c1.5.7 2.4 2 2.5 3.6 4-2.6 9.3-.3 9.3 4.3"
        " 0 4-3.5 5.5-5 8.4l.6 4H11.4l.6-4c-1.5-2.9-5-4.4-5-8.4 0-4.6 5.3-6.9"
        " 9.3-4.3.1-1.6 1-2.9 2.5-3.6V8h-2.6V5.6h2.6z" + _FOOT,
        "M20 26.3V19c0-2 3.7-4.2 3.7-4.2M20 19c0-2-3.7-4.2-3.7-4.2M12 27.5c5-1.6 11-1.6 16 0",
    ),
}
_DRAWN = {
    "white": ("#fff", "#1d2733", "#1d2733"),
    "black": ("#2b3642", "#10161d", "#cfd8e3"),
}


@dataclass(frozen=True)
class Board:
    """What the piece placement of a FEN says.

    Attributes
    ----------
    men : dict of str to str
        The FEN letter on each occupied square.
    places : dict of str to int
        The byte of the text where each of these letters stands.
    unread : tuple of int
        The ranks that cannot be read, 1 to 8.
    """

    men: dict[str, str]
    places: dict[str, int]
    unread: tuple[int, ...]


def read_board(text: str | bytes) -> Board | None:
    """Read the piece placement of a FEN as far as it goes.

    Parameters
    ----------
    text : str or bytes
        A FEN, whole or its first field alone.

    Returns
    -------
    Board or None
        None if there are not eight ranks.
    """
    # One character a byte, so that places count bytes.
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    letters = data.decode("latin-1")
    start = 3 if letters.startswith("ï»¿") else 0
    start += len(letters[start:]) - len(letters[start:].lstrip(" \t\r\n"))
    fields = re.split(r"[ \t\r\n]+", letters[start:].rstrip(" \t\r\n"))
    if len(fields) == 1:
        fields = fields[0].split("_")
    ranks = fields[0].split("/")
    if len(ranks) != 8:
        return None
    men: dict[str, str] = {}
    places: dict[str, int] = {}
    unread = []
    for rank, line in zip(range(8, 0, -1), ranks, strict=True):
        found = _read_rank(line)
        if found is None:
            unread.append(rank)
        else:
            for file, at in found:
                square = f"{'abcdefgh'[file]}{rank}"
                men[square] = line[at]
                places[square] = start + at
        start += len(line) + 1
    return Board(men, places, tuple(unread))


def _read_rank(line: str) -> list[tuple[int, int]] | None:
    """Give file and place of each man of a rank, or None if the rank is not one."""
    found, file = [], 0
    for at, character in enumerate(line):
        if character in "PNBRQKpnbrqk":
            found.append((file, at))
            file += 1
        elif character in "12345678":
            file += int(character)
        else:
            return None
    return found if file == 8 else None


def board_svg(
    position: Any, marked: Collection[str] = (), *, label: str = "", width: int | None = None
) -> str:
    """Draw a board as one self-contained SVG element.

    Parameters
    ----------
    position : str or record of position_dtype
        A FEN, whole or its piece placement alone, or one packed position. Ranks that cannot be
        read are hatched.
    marked : collection of str
        The squares to mark, such as ``{"e4"}``.
    label : str
        What the picture shows, for those who cannot see it.
    width : int, optional
        The width in pixels; by default that of the surrounding element.

    Returns
    -------
    str
        The element, without script, style sheet, font or reference.

    Raises
    ------
    ValueError
        If the placement has not eight ranks.

    Examples
    --------
    >>> from fenpack.drawing import board_svg
    >>> board_svg("8/8/8/8/8/8/8/K1k5 w - - 0 1", {"a1", "c1"})[:42]
    '<svg xmlns="http://www.w3.org/2000/svg" vi'
    """
    board = _board(position)
    size = ' style="display:block;width:100%;height:auto"'
    if width is not None:
        size = f' width="{width}" height="{width * _HEIGHT // _WIDTH}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img"'
        f' aria-label="{escape(label)}"{size}>',
        f'<g transform="translate({_LEFT} {_TOP})">',
        f'<path fill="{_LIGHT}" d="M0 0h320v320H0z"/>',
        f'<path fill="{_DARK}" d="{_dark_squares()}"/>',
    ]
    parts += [_hatched(8 - rank) for rank in board.unread]
    parts += [_ring(*_corner(square)) for square in sorted(marked)]
    parts += [_man(letter, *_corner(square)) for square, letter in board.men.items()]
    parts += ["</g>", _coordinates(), "</svg>"]
    return "".join(parts)


def board_text(position: Any, marked: Collection[str] = ()) -> str:
    """Draw a board as text: eight lines and one of file letters, marked squares in brackets.

    Parameters
    ----------
    position : str or record of position_dtype
        As for `board_svg`; ranks that cannot be read are question marks.
    marked : collection of str
        The squares to mark.

    Returns
    -------
    str
        Nine lines.

    Raises
    ------
    ValueError
        If the placement has not eight ranks.

    Examples
    --------
    >>> from fenpack.drawing import board_text
    >>> print(board_text("8/8/8/8/8/8/5kK1/8 w - - 0 1", {"f2", "g2"}).splitlines()[6])
    2  .  .  .  .  . [k][K] .
    """
    board = _board(position)
    lines = []
    for rank in range(8, 0, -1):
        cells = []
        for file in "abcdefgh":
            square = f"{file}{rank}"
            shown = "?" if rank in board.unread else board.men.get(square, ".")
            cells.append(f"[{shown}]" if square in marked else f" {shown} ")
        lines.append(f"{rank} {''.join(cells)}".rstrip())
    lines.append("   " + "  ".join("abcdefgh"))
    return "\n".join(lines)


def _board(position: Any) -> Board:
    board = read_board(position if isinstance(position, str) else _unpacked(position))
    if board is None:
        raise ValueError("the piece placement has not eight ranks")
    return board


def _unpacked(record: Any) -> str:
    import numpy as np

    from fenpack import _native
    from fenpack.position import PositionArray, position_dtype

    records = np.array([record], position_dtype)
    return str(_native.format(PositionArray.from_numpy(records), "keep", "xfen", "keep")[0].as_py())


def _corner(square: str) -> tuple[int, int]:
    return "abcdefgh".index(square[0]) * _SIDE, (8 - int(square[1])) * _SIDE


def _dark_squares() -> str:
    corners = ((x, y) for y in range(8) for x in range(8) if (x + y) % 2)
    return "".join(f"M{x * _SIDE} {y * _SIDE}h40v40h-40z" for x, y in corners)


def _hatched(row: int) -> str:
    y = row * _SIDE
    lines = "".join(f"M{x} {y + _SIDE}l40-40" for x in range(0, 281, 14))
    return (
        f'<path fill="#c9c9c9" d="M0 {y}h320v40H0z"/>'
        f'<path stroke="#8a8a8a" stroke-width="2" d="{lines}"/>'
    )


def _ring(x: int, y: int) -> str:
    return (
        f'<rect x="{x + 1.5}" y="{y + 1.5}" width="37" height="37" fill="{_FAULT}"'
        f' fill-opacity=".4" stroke="{_FAULT}" stroke-width="3"/>'
    )


def _man(letter: str, x: int, y: int) -> str:
    fill, edge, inside = _DRAWN["white" if letter.isupper() else "black"]
    outline, lines = _SHAPES[letter.lower()]
    detail = f'<path fill="none" stroke="{inside}" d="{lines}"/>' if lines else ""
    return (
        f'<g transform="translate({x} {y})" stroke-width="1.4" stroke-linejoin="round"'
        f' stroke-linecap="round"><path fill="{fill}" stroke="{edge}" d="{outline}"/>{detail}</g>'
    )


def _coordinates() -> str:
    files = "".join(
        f'<text x="{_LEFT + 20 + 40 * i}" y="337">{file}</text>'
        for i, file in enumerate("abcdefgh")
    )
    ranks = "".join(
        f'<text x="9" y="{_TOP + 345 - 40 * rank}">{rank}</text>' for rank in range(1, 9)
    )
    return (
        f'<g fill="{_LABEL}" font-family="sans-serif" font-size="13" text-anchor="middle"'
        f' direction="ltr">{files}{ranks}</g>'
    )
