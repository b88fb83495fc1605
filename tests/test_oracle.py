"""Codes, canonical text and readability against python-chess, on real and on mutated rows.

`FENPACK_ORACLE_ROWS` sets how many rows of each data set are compared; ``all`` compares every row
of the large sets and a million mutated ones.
"""

from __future__ import annotations

import os
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

import pytest

import fenpack as fp
from fenpack import Problem
from mutations import mutated
from oracle import compare, compare_reading, disagreements, everywhere

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_ROWS = os.environ.get("FENPACK_ORACLE_ROWS", "60000")
ROWS = None if _ROWS == "all" else int(_ROWS)
MUTANTS = 1_000_000 if ROWS is None else ROWS


def agree(
    compare: Callable[[bool, Sequence[str]], list[tuple[str, str]]], chess960: bool, fens: list[str]
) -> None:
    found = everywhere(compare, chess960, fens)
    assert not found, found[:10]


def _some(fens: list[str]) -> list[str]:
    """Every n-th row, so that all parts of a set are met."""
    step = 1 if ROWS is None else max(1, len(fens) // ROWS)
    return fens[::step]


def test_sample(sample: list[str]) -> None:
    agree(compare, False, _some(sample))
    agree(compare, True, _some(sample))


def test_million(million: list[str]) -> None:
    agree(compare, False, _some(million))


def test_chess960_book(chess960_book: list[str]) -> None:
    agree(compare, True, _some(chess960_book))


@pytest.mark.parametrize("chess960", [False, True])
def test_mutated(sample: list[str], chess960: bool) -> None:
    fens = list(mutated(sample, MUTANTS, seed=20261130 + chess960))
    agree(compare, chess960, fens)


@pytest.mark.parametrize("chess960", [False, True])
def test_readability(sample: list[str], chess960: bool) -> None:
    fens = list(mutated(sample, MUTANTS // 4, seed=1994 + chess960))
    agree(compare_reading, chess960, fens)


def test_the_comparison_has_teeth(sample: list[str]) -> None:
    """Mutated rows meet every code that is compared, and a planted fault is seen."""
    fens = list(islice(mutated(sample, 40_000, seed=7), None))
    counts = Counter(
        name for names in fp.problem_names(fp.validate(fens)).to_pylist() for name in names
    )
    illegal = {problem.name.lower() for problem in Problem if problem & Problem.ILLEGAL}
    assert illegal - set(counts) <= {"board_empty", "too_many_checkers"}
    fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
    assert not disagreements(fen, 0, fen)
    assert disagreements(fen, Problem.OPPOSITE_CHECK, fen)
    assert disagreements(fen, Problem.CASTLING_IMPOSSIBLE, fen)
    assert disagreements(fen, Problem.EP_NO_PAWN, fen)
    assert disagreements(fen, 0, fen.replace("0 1", "1 1"))
