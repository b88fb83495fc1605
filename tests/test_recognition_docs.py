"""The page about recognizers: every example gives what it shows, the table is that of the code."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from fenpack.recognition import PRESETS

if TYPE_CHECKING:
    import pytest

PAGE = Path(__file__).parents[1] / "docs" / "recognizers.md"
TEXT = PAGE.read_text("utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```\n", TEXT, re.DOTALL)
EXAMPLES = [
    (block, output if after == "text" else None)
    for (kind, block), (after, output) in pairwise([*BLOCKS, ("", "")])
    if kind == "python"
]


def test_page(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PAGE.parents[1])
    names: dict[str, object] = {}
    for block, output in EXAMPLES:
        exec(compile(block, "recognizers.md", "exec"), names)
        assert capsys.readouterr().out == (output or "")


def test_every_form_has_an_example() -> None:
    assert sum(output is not None for _, output in EXAMPLES) == 12


def test_table_of_presets() -> None:
    rows = re.findall(r"^\| `(\w+)` \| `([^`]+)` \| (\S+) \| (\w*) ?\|$", TEXT, re.MULTILINE)
    assert [tuple(row) for row in rows] == [
        (name, preset.classes, preset.squares, preset.kind or "")
        for name, preset in PRESETS.items()
    ]


def test_links() -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", TEXT):
        assert (PAGE.parent / target).exists()
