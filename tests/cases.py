"""The table of cases."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple

DATA = Path(__file__).parent / "data"


class Case(NamedTuple):
    """One row of tests/data/cases.tsv."""

    id: str
    fen: str
    chess960: bool
    readable: bool
    legal: bool
    must: frozenset[str]
    must_not: frozenset[str]
    canonical: str | None
    xfen: str


def _unescape(text: str) -> str:
    return text.encode("ascii").decode("unicode_escape")


def _codes(text: str) -> frozenset[str]:
    return frozenset(filter(None, text.split(",")))


def read_cases() -> list[Case]:
    """Read the table of cases; a cell that says nothing about the canonical form gives None."""
    lines = (DATA / "cases.tsv").read_text("ascii").splitlines()
    rows = csv.DictReader(
        (line for line in lines if not line.startswith("#")),
        delimiter="\t",
        quoting=csv.QUOTE_NONE,
    )
    return [
        Case(
            id=row["id"],
            fen=_unescape(row["fen"]),
            chess960=row["chess960"] == "1",
            readable=row["readable"] == "1",
            legal=row["legal"] == "1",
            must=_codes(row["must"]),
            must_not=_codes(row["must_not"]),
            canonical=row["canonical"] or None,
            xfen=row["xfen"],
        )
        for row in rows
    ]
