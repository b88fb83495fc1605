"""The pages about problem codes: one section per code, and every example gets its code."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

import pytest

import fenpack as fp
from fenpack import Problem
from fenpack.sentences import catalogue

PAGES = Path(__file__).parents[1] / "docs" / "problems"
_spec = importlib.util.spec_from_file_location("draw_boards", PAGES / "draw_boards.py")
assert _spec is not None
assert _spec.loader is not None
draw_boards = importlib.util.module_from_spec(_spec)
sys.modules["draw_boards"] = draw_boards
_spec.loader.exec_module(draw_boards)

SECTIONS = draw_boards.read_sections()
CODES = [problem.name.lower() for problem in Problem if problem.bit_count() == 1]


def test_every_code_has_one_section() -> None:
    assert sorted(section.code for section in SECTIONS) == sorted(CODES)


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.code)
def test_section(section: draw_boards.Section) -> None:
    problem = Problem[section.code.upper()]
    [bits] = fp.validate([section.fen], chess960=section.chess960).to_pylist()
    assert problem in Problem(bits)
    text = " ".join(section.text.split())
    assert text.startswith(f"*{problem.severity.capitalize()}.* {problem.rule} ")
    repair = catalogue("en").repair(section.code)
    assert repair is None or f" Lenient reading: {repair}." in text
    file = draw_boards.BOARDS / f"{section.code}.svg"
    drawn = draw_boards.draw(section)
    if drawn is None:
        assert not file.exists()
        assert "boards/" not in section.text
    else:
        assert file.read_text("utf-8") == f"{drawn}\n"
        assert f"](boards/{section.code}.svg)" in section.text


def test_no_board_is_left_over() -> None:
    assert {file.stem for file in draw_boards.BOARDS.iterdir()} <= set(CODES)


def test_index_names_every_code_once() -> None:
    index = (PAGES / "README.md").read_text("utf-8")
    assert sorted(re.findall(r"\[`(\w+)`\]", index)) == sorted(CODES)
