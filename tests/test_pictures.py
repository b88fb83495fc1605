"""The pictures of the layouts are those that the layouts give."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from fenpack.layouts import LAYOUTS

DOCS = Path(__file__).parents[1] / "docs"
PICTURES = DOCS / "tensors"
_spec = importlib.util.spec_from_file_location("draw_planes", PICTURES / "draw_planes.py")
assert _spec is not None
assert _spec.loader is not None
draw_planes = importlib.util.module_from_spec(_spec)
sys.modules["draw_planes"] = draw_planes
_spec.loader.exec_module(draw_planes)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_picture(layout):
    drawn = (PICTURES / f"{layout}.svg").read_text("utf-8")
    assert drawn == f"{draw_planes.draw(layout)}\n"
    ElementTree.fromstring(drawn)
    assert set(draw_planes.NAMES[layout]) <= set(range(LAYOUTS[layout].channels))
    page = (DOCS / "tensors.md").read_text("utf-8")
    assert f"\n### {layout}\n" in page
    assert f"](tensors/{layout}.svg)" in page


def test_no_picture_is_left_over():
    assert {file.stem for file in PICTURES.glob("*.svg")} == set(LAYOUTS)
