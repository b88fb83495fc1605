"""The pages about tensors and training: what they show is what happens."""

from __future__ import annotations

import importlib.util
import re
import shutil
import sys
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from fenpack.layouts import LAYOUTS

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PICTURES = DOCS / "tensors"
_spec = importlib.util.spec_from_file_location("draw_planes", PICTURES / "draw_planes.py")
assert _spec is not None
assert _spec.loader is not None
draw_planes = importlib.util.module_from_spec(_spec)
sys.modules["draw_planes"] = draw_planes
_spec.loader.exec_module(draw_planes)

HAS_TORCH = importlib.util.find_spec("torch") is not None


def shown(page: str) -> list[tuple[str, str | None]]:
    """Give every block of Python with the output that follows it."""
    text = (DOCS / page).read_text("utf-8")
    blocks = [*re.findall(r"```(\w+)\n(.*?)```\n", text, re.DOTALL), ("", "")]
    return [
        (block, output if after == "text" else None)
        for (kind, block), (after, output) in pairwise(blocks)
        if kind == "python"
    ]


@pytest.mark.parametrize("page", ["tensors.md", "train.md"])
def test_page(page, capsys, monkeypatch, tmp_path):
    shutil.copytree(ROOT / "tests" / "data", tmp_path / "tests" / "data")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    left_out = False
    for block, output in shown(page):
        if "torch" in block and not HAS_TORCH:
            left_out = True
            continue
        exec(compile(block, page, "exec"), names)
        assert capsys.readouterr().out == (output or "")
    if left_out:
        pytest.skip("torch is not installed: all but its blocks were run")


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


@pytest.mark.parametrize("page", ["tensors.md", "train.md"])
def test_links(page):
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", (DOCS / page).read_text("utf-8")):
        assert (DOCS / target).exists()
