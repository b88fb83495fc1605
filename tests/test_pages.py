"""What the README and the pages show is what happens, and where they point something is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import pages

if TYPE_CHECKING:
    from pathlib import Path

LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")


@pytest.mark.parametrize(
    "page", [page for page in pages.PAGES if not pages.is_slow(page)], ids=pages.name
)
def test_page(page: Path, tmp_path: Path) -> None:
    pages.run(page, tmp_path)


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


def test_blocks_that_are_run_elsewhere_are_few() -> None:
    """No page hides a block from the tests by what it begins with."""
    hidden = [
        (pages.name(page), block.line)
        for page in pages.PAGES
        for block in pages.blocks(page)
        if block.language == "sh" and pages.ELSEWHERE.match(block.code)
    ]
    assert {page for page, _ in hidden} <= {"README.md", "docs/CONTRIBUTING.md"}
