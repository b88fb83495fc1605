"""The page about recognizers has the presets of the code."""

from __future__ import annotations

import re
from pathlib import Path

from fenpack.recognition import PRESETS

TEXT = (Path(__file__).parents[1] / "docs" / "recognizers.md").read_text("utf-8")


def test_table_of_presets() -> None:
    rows = re.findall(r"^\| `(\w+)` \| `([^`]+)` \| (\S+) \| (\w*) ?\|$", TEXT, re.MULTILINE)
    assert [tuple(row) for row in rows] == [
        (name, preset.classes, preset.squares, preset.kind or "")
        for name, preset in PRESETS.items()
    ]
