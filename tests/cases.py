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


class Pair(NamedTuple):
    """One row of tests/data/pairs.tsv."""

    id: str
    fens: tuple[str, str]
    chess960: bool
    same_position: bool
    same_polyglot: bool


def _unescape(text: str) -> str:
    return text.encode("ascii").decode("unicode_escape")


def _codes(text: str) -> frozenset[str]:
    return frozenset(filter(None, text.split(",")))


def _rows(name: str) -> csv.DictReader[str]:
    lines = (DATA / name).read_text("ascii").splitlines()
    return csv.DictReader(
        (line for line in lines if not line.startswith("#")),
        delimiter="\t",
        quoting=csv.QUOTE_NONE,
    )


def read_pairs() -> list[Pair]:
    """Read the table of pairs."""
    return [
        Pair(
            id=row["id"],
            fens=(_unescape(row["fen_a"]), _unescape(row["fen_b"])),
            chess960=row["chess960"] == "1",
            same_position=row["same_position"] == "1",
            same_polyglot=row["same_polyglot"] == "1",
        )
        for row in _rows("pairs.tsv")
    ]


def read_cases() -> list[Case]:
    """Read the table of cases; a cell that says nothing about the canonical form gives None."""
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
        for row in _rows("cases.tsv")
    ]
