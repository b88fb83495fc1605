"""The decoder is exact: against integer programming, on real boards, on simulated scores.

`FENPACK_ORACLE_ROWS` sets how many real boards decode to themselves; ``all`` takes every row of the
large set and a thousand hard boards against the integer program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import fenpack as fp
from fenpack.recognition import Flag
from fenpack.recognition.boards import classes_of
from recognizers import (
    ALL,
    PAWNS,
    ROWS,
    boards_of,
    look_alike,
    objective,
    one_hot,
    own,
    promoted,
    solve,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

HARD = 1000 if ALL else 100
PENALTIES = (0.0, 0.5, 2.0, 4.0, 8.0, np.inf)
SQUARES = ("knights", "kings", "pawns", "officers", "empty", "ties", "hard masks", "middlegame")


def hard_board(kind: str, rng: np.random.Generator) -> NDArray[np.float32]:
    """Score one board that breaks the rules in many ways at once."""
    scores = rng.normal(scale=3.0, size=(64, 13))
    if kind == "knights":
        scores[:, [2, 8]] += rng.choice([0, 6], size=(64, 2))
    elif kind == "kings":
        scores[:, 6] += 20
    elif kind == "pawns":
        scores[:, PAWNS] += 6
    elif kind == "officers":
        scores[:, [3, 5]] += 8
    elif kind == "empty":
        scores[:, 0] += 8
    elif kind == "ties":
        scores = rng.integers(0, 4, size=(64, 13)).astype(float)
    elif kind == "hard masks":
        scores[rng.random((64, 13)) < 0.3] = -np.inf
        scores[:, 0] = np.maximum(scores[:, 0], -5)
    else:
        scores[:, 0] += rng.choice([0, 9], size=64)
    return scores.astype(np.float32)


@pytest.mark.slow
def test_f5_33_objective_equals_integer_program() -> None:
    pytest.importorskip("scipy.optimize")
    rng = np.random.default_rng(33)
    scores = np.stack([hard_board(SQUARES[i % len(SQUARES)], rng) for i in range(HARD)])
    refused = 0
    for i, penalty in enumerate(PENALTIES):
        rows = scores[i :: len(PENALTIES)]
        decoded = own(rows, promotion_penalty=penalty, errors="null")
        flags = decoded.flags.to_numpy(zero_copy_only=False)
        for row, board in enumerate(classes_of(decoded.positions)):
            best = solve(rows[row], penalty, checks=True)
            if best is None:
                assert not decoded.positions[row].is_valid
                continue
            if int(flags[row]) & (Flag.KINGS_ADJACENT | Flag.BOTH_IN_CHECK):
                refused += 1
                continue
            found = objective(rows[row], board, penalty)
            assert found == pytest.approx(objective(rows[row], best, penalty), abs=1e-6), row
    # The bound on next-best boards is met by few even among these.
    assert refused <= HARD // 50


@pytest.mark.slow
def test_f5_34_margins_equal_solving_again() -> None:
    pytest.importorskip("scipy.optimize")
    rng = np.random.default_rng(34)
    scores = np.stack([hard_board(SQUARES[i % len(SQUARES)], rng) for i in range(HARD // 2)])
    decoded = own(scores, margins=True)
    flags = decoded.flags.to_numpy()
    compared = 0
    for row, board in enumerate(classes_of(decoded.positions)):
        if flags[row] & (Flag.NEXT_BEST | Flag.BOTH_IN_CHECK | Flag.KINGS_ADJACENT):
            continue
        value = objective(scores[row], board, 4.0)
        for square in rng.choice(64, 2, replace=False):
            other = solve(scores[row], 4.0, forbidden=[(square, board[square])])
            margin = decoded.margins()[row, square]
            if other is None:
                assert np.isinf(margin)
                continue
            assert margin == pytest.approx(value - objective(scores[row], other, 4.0), abs=1e-4)
            forced = np.full(13, True)
            forced[decoded.runner_up[row].as_py()[square]] = False
            named = solve(
                scores[row], 4.0, forbidden=[(square, number) for number in np.flatnonzero(forced)]
            )
            assert named is not None
            assert objective(scores[row], named, 4.0) == pytest.approx(value - margin, abs=1e-4)
            compared += 1
    assert compared > HARD // 3


@pytest.mark.slow
@pytest.mark.parametrize("penalty", [0.0, 4.0])
@pytest.mark.parametrize("kind", ["probs", "logits"])
def test_f5_31_every_legal_board_decodes_to_itself(
    penalty: float, kind: str, request: pytest.FixtureRequest
) -> None:
    fens = request.getfixturevalue("million" if ALL else "sample")[:ROWS]
    scale = np.float32(1 if kind == "probs" else 9)
    for start in range(0, len(fens), 20_000):
        positions = fp.parse(fens[start : start + 20_000])
        boards = classes_of(positions)[np.asarray(fp.is_valid(positions, chess960=True))]
        decoded = own(one_hot(boards) * scale, kind=kind, promotion_penalty=penalty)
        assert (classes_of(decoded.positions) == boards).all()
        assert not decoded.changed.to_numpy().any()


@pytest.mark.parametrize(
    ("sigma", "argmax", "free", "charged"),
    # The shares of exact boards without rules, with rules, with rules and penalty.
    [(1.2, 0.958, 0.965, 0.981), (1.6, 0.516, 0.610, 0.748), (2.0, 0.048, 0.111, 0.259)],
)
def test_simulated_scores(
    sigma: float, argmax: float, free: float, charged: float, sample: list[str]
) -> None:
    boards = boards_of([fen for fen in sample[:1200] if fp.is_valid([fen])[0].as_py()][:800])
    scores = look_alike(boards, sigma, seed=5)
    decoded = own(scores)
    seen = (classes_of(decoded.argmax) == boards).all(1)
    right = (classes_of(decoded.positions) == boards).all(1)
    right_free = (classes_of(own(scores, promotion_penalty=0.0).positions) == boards).all(1)
    assert seen.mean() == pytest.approx(argmax, abs=0.06)
    assert right_free.mean() > free - 0.06
    assert right.mean() == pytest.approx(charged, abs=0.06)
    # Without the penalty the argmax that is legal stays; with it, unless it has promoted men.
    assert not (seen & ~right_free).any()
    assert all(promoted(boards[row]) for row in np.flatnonzero(seen & ~right))
    assert (seen & ~right).mean() < 0.005
