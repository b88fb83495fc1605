"""A diagnosis as HTML, for notebooks."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from fenpack.drawing import board_svg, read_board
from fenpack.sentences import catalogue, printable

if TYPE_CHECKING:
    from fenpack.problems import Diagnosis, Finding
    from fenpack.sentences import Catalogue

__all__ = ["diagnosis_html"]

_COLOURS = {
    "syntax": "#d6303a",
    "illegal": "#d6303a",
    "unreachable": "#b7791f",
    "suspicious": "#3b82c4",
}
_MOST_BYTES = 400
_SNIPPET = re.compile("`([^`]*)`")


def diagnosis_html(diagnosis: Diagnosis) -> str:
    """Draw `diagnosis`: the board, the FEN, and every sentence, in one self-contained element."""
    words = catalogue(diagnosis.language)
    direction, align = ("rtl", "right") if words.right_to_left else ("ltr", "left")
    fen = _monospace(_marked_fen(diagnosis))
    items = "".join(_item(words, *pair) for pair in diagnosis.remedies())
    said = (
        f'<ul style="list-style:none;margin:8px 0;padding:0">{items}</ul>'
        if items
        else f'<p style="margin:8px 0">{_text(words.word("nothing_wrong"))}</p>'
    )
    if diagnosis.repaired is not None:
        said += f"<div>{_text(words.word('repaired'))}:</div>" + _monospace(
            escape(printable(diagnosis.repaired, _MOST_BYTES))
        )
    elif not diagnosis.readable:
        said += f"<div><b>{_text(words.word('unreadable'))}</b></div>"
    return (
        f'<div lang="{diagnosis.language}" dir="{direction}" style="display:flex;flex-wrap:wrap;'
        f'gap:12px 24px;align-items:flex-start;max-width:64em;line-height:1.5;text-align:{align}">'
        f"{_picture(diagnosis)}"
        f'<div style="flex:1 1 300px;min-width:0">{fen}{said}</div></div>'
    )


def _picture(diagnosis: Diagnosis) -> str:
    words = catalogue(diagnosis.language)
    board = read_board(diagnosis.text)
    if board is None:
        text = _text(words.word("no_board"))
        return (
            '<div style="flex:0 1 280px;padding:24px 12px;box-sizing:border-box;'
            f'border:1px dashed #8a8a8a;text-align:center">{text}</div>'
        )
    marked = diagnosis.squares
    label = words.word("board")
    if marked:
        label += f"; {words.word('marked')}: {', '.join(marked)}"
    if board.unread:
        below = words.word("unread_ranks")
    elif diagnosis.readable:
        turn = (diagnosis.repaired or diagnosis.fen).split()[1]
        below = words.word("white_to_move" if turn == "w" else "black_to_move")
    else:
        below = ""
    drawn = board_svg(diagnosis.fen, marked, label=label)
    return (
        f'<div style="flex:0 1 280px;min-width:200px">{drawn}'
        f'<div style="text-align:center">{escape(below)}</div></div>'
    )


def _item(words: Catalogue, finding: Finding, remedy: str) -> str:
    severity = finding.problem.severity
    colour = _COLOURS[severity]
    side = "right" if words.right_to_left else "left"
    below = f'<div style="opacity:.8">{_text(remedy)}</div>' if remedy else ""
    return (
        f'<li style="margin:6px 0;padding-{side}:10px;border-{side}:4px solid {colour};'
        f'overflow-wrap:anywhere"><b style="color:{colour}">{_text(words.word(severity))}</b>: '
        f"{_text(finding.sentence)} "
        f'<small dir="ltr" style="opacity:.7;white-space:nowrap">({finding.code})</small>'
        f"{below}</li>"
    )


def _text(sentence: str) -> str:
    """Escape a sentence and set what stands between backticks as code."""
    return _SNIPPET.sub(r'<code dir="ltr">\1</code>', escape(sentence))


def _monospace(inner: str) -> str:
    return (
        '<div dir="ltr" style="font-family:monospace;text-align:left;width:fit-content;'
        f'max-width:100%;overflow-wrap:anywhere;white-space:pre-wrap;unicode-bidi:isolate">{inner}</div>'
    )


def _marked_fen(diagnosis: Diagnosis) -> str:
    """Give the FEN with the bytes at fault marked."""
    data = diagnosis.text
    faulty = bytearray(len(data))
    board = read_board(diagnosis.text)
    for finding in diagnosis.findings:
        start, end = finding.span
        men = []
        if board is not None and finding.field == "placement":
            men = [board.places[square] for square in finding.squares if square in board.places]
        if men:
            for at in men:
                faulty[at] = 1
        elif end - start < len(data.strip()):
            faulty[start:end] = b"\1" * (end - start)
    parts: list[str] = []
    start = 0
    shown_bytes = min(len(data), _MOST_BYTES)
    for end in range(1, shown_bytes + 1):
        if end < shown_bytes and (faulty[end] == faulty[start] or data[end] & 0xC0 == 0x80):
            continue
        text = escape(printable(data[start:end].decode("utf-8", "surrogateescape"), _MOST_BYTES))
        parts.append(
            f'<mark style="background:#f6b3b6;color:#1d2733">{text}</mark>'
            if any(faulty[start:end])
            else text
        )
        start = end
    return "".join(parts) + ("…" if len(data) > _MOST_BYTES else "")
