"""Draw the board of every example in these pages; run after changing one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import fenpack as fp
from fenpack.drawing import board_svg, read_board

PAGES = Path(__file__).parent
BOARDS = PAGES / "boards"

_SECTION = re.compile(r"^## (\w+)$(.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)
_EXAMPLE = re.compile(r"^Example( \(Chess960\))?: `(.*)`$", re.MULTILINE)


class Section(NamedTuple):
    """One code in the pages: its text and its example."""

    page: str
    code: str
    text: str
    fen: str
    chess960: bool


def read_sections() -> list[Section]:
    r"""Read every section; in an example ``\t`` and ``\u0020`` stand for the character."""
    sections = []
    for page in sorted(PAGES.glob("*.md")):
        for code, text in _SECTION.findall(page.read_text("utf-8")):
            [(chess960, fen)] = _EXAMPLE.findall(text)
            fen = fen.encode("ascii").decode("unicode_escape")
            sections.append(Section(page.name, code, text, fen, bool(chess960)))
    return sections


def draw(section: Section) -> str | None:
    """Draw the board of an example, or give None where it cannot be read."""
    if read_board(section.fen) is None:
        return None
    findings = fp.explain(section.fen, chess960=section.chess960).findings
    shown = [finding for finding in findings if finding.code == section.code]
    squares = {square for finding in shown for square in finding.squares}
    sized = '<svg width="272" height="274" '
    drawn = board_svg(section.fen, squares, label=shown[0].sentence)
    return drawn.replace("<svg ", sized, 1).replace(
        ' style="display:block;width:100%;height:auto"', ""
    )


if __name__ == "__main__":
    BOARDS.mkdir(exist_ok=True)
    for section in read_sections():
        drawn = draw(section)
        if drawn is not None:
            (BOARDS / f"{section.code}.svg").write_text(drawn + "\n", "utf-8")
