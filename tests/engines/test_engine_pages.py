"""What the pages about Spark, Ray and datasets show is what happens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import pages

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
@pytest.mark.parametrize("page", [*filter(pages.is_slow, pages.PAGES)], ids=pages.name)
def test_page(page: Path, tmp_path: Path) -> None:
    pages.run(page, tmp_path)
