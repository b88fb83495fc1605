"""The README quotes the figures of the page of benchmarks."""

from __future__ import annotations

from benches.table import quoted
from pages import DOCS, ROOT


def test_speeds_are_those_that_were_measured() -> None:
    page = (DOCS / "benchmarks.md").read_text("utf-8")
    assert quoted((ROOT / "README.md").read_text("utf-8")) == quoted(page)
