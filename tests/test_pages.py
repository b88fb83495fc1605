"""What the README and the pages show is what happens, and where they point something is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import pages

if TYPE_CHECKING:
    from pathlib import Path

LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")

#: Steps that no script runs, and why.
BY_HAND = {
    "pip install .": ".ci/run runs it as the README has it",
    "pip install fenpack": "it is on no index yet",
    "pip install 'maturin[zig]'": "the workflow builds wheels",
    "maturin build --release --zig --compatibility manylinux2014": "the workflow builds wheels",
    "python3 -m venv .venv": "the README has it",
    ".venv/bin/pip install '.[dev]'": "the README and .ci/run install the parts of it",
    ".venv/bin/maturin develop --release": "pip has built it",
    '.venv/bin/pytest -m "not slow"': "a part of the tests",
    ".venv/bin/pip install '.[bench]'": "figures are made by hand",
    ".venv/bin/python -m benches": "figures are made by hand",
    ".venv/bin/pip install '.[docs]'": ".ci/run adds them to what is installed",
}


@pytest.mark.parametrize(
    "page", [page for page in pages.PAGES if not pages.is_slow(page)], ids=pages.name
)
def test_page(page: Path, tmp_path: Path) -> None:
    pages.run(page, tmp_path)


@pytest.mark.parametrize("page", pages.PAGES, ids=pages.name)
def test_every_block_is_seen(page: Path) -> None:
    fences = re.findall(r"^\s*(?:```|~~~)", page.read_text("utf-8"), re.MULTILINE)
    assert len(fences) == 2 * len(pages.fenced(page))
    assert pages.blocks(page) is not None


@pytest.mark.parametrize("page", [*pages.PAGES, pages.ROOT / "CHANGELOG.md"], ids=pages.name)
def test_links(page: Path) -> None:
    for target, anchor in LINK.findall(re.sub(r"`[^`\n]*`", "", page.read_text("utf-8"))):
        file = (page.parent / target).resolve() if target else page
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), f"{target}#{anchor}"


def anchors(page: Path) -> set[str]:
    """Give the anchors that a forge makes of headings."""
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_steps_that_are_run_elsewhere() -> None:
    """What no page runs is run by `.ci/run`, which runs the README, or is on the list."""
    steps = {
        (pages.name(page), step)
        for page in pages.PAGES
        for block in pages.blocks(page)
        if block.language == "sh"
        for step in pages.steps(block.code)
        if pages.ELSEWHERE.match(step)
    }
    by_ci = (pages.ROOT / ".ci" / "run").read_text("utf-8")
    by_hand = {step for page, step in steps if page != "README.md" and step not in by_ci}
    assert by_hand == set(BY_HAND)
