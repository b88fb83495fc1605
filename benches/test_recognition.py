"""Decoding the scores of recognizers: boards whose argmax is legal, noisy ones, the worst.

numpy's argmax of the same numbers is what reading them alone takes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import fenpack as fp
from benches.figures import Bound, at_most, figure, within
from fenpack.recognition import decode
from fenpack.recognition.boards import CLASSES, classes_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

LAYOUT: dict[str, Any] = {"classes": CLASSES, "squares": "a1"}
ARGMAX = "numpy `argmax` of the same scores"


def decoding(what: str, *bounds: Bound, headline: bool = False) -> pytest.MarkDecorator:
    return figure(f"`recognition.decode`, {what}", *bounds, per="board", headline=headline)


@pytest.fixture(scope="module")
def boards(fens: list[str], scaled: Callable[..., int]) -> NDArray[np.uint8]:
    """Give real boards without promoted men, whose argmax needs no flow when it is right."""
    found = classes_of(fp.parse(fens[: scaled(40_000)]))
    ordinary = np.ones(len(found), bool)
    for first in (0, 6):
        for role, most in ((2, 2), (3, 2), (4, 2), (5, 1)):
            ordinary &= (found == first + role).sum(1) <= most
    return found[ordinary][: scaled(20_000)]


def one_hot(boards: NDArray[np.uint8]) -> NDArray[np.float32]:
    return np.eye(13, dtype=np.float32)[boards]


def noise(shape: tuple[int, ...], scale: float) -> NDArray[np.float32]:
    return np.random.default_rng(1).normal(scale=scale, size=shape).astype(np.float32)


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(
            "logits",
            marks=decoding("argmax legal", at_most(2e-6), within(None, ARGMAX), headline=True),
        ),
        pytest.param("probs", marks=decoding("argmax legal, probabilities", at_most(2e-6))),
    ],
)
def test_argmax_legal(timed: Callable[..., Any], boards: NDArray[np.uint8], kind: str) -> None:
    scores = one_hot(boards) * np.float32(9 if kind == "logits" else 1)
    decoded = timed(lambda: decode(scores, kind=kind, **LAYOUT), len(boards))
    assert (classes_of(decoded.positions) == boards).all()


@figure(ARGMAX, per="board", package="numpy")
def test_read_alone(timed: Callable[..., Any], boards: NDArray[np.uint8]) -> None:
    scores = one_hot(boards) * np.float32(9)
    assert (timed(lambda: scores.argmax(2), len(boards)) == boards).all()


@pytest.mark.parametrize(
    "margins",
    [
        pytest.param(False, marks=decoding("real noise", at_most(25e-6), headline=True)),
        pytest.param(True, marks=decoding("real noise, with margins", at_most(25e-6))),
    ],
    ids=["boards", "margins"],
)
def test_real_noise(timed: Callable[..., Any], boards: NDArray[np.uint8], margins: bool) -> None:
    scores = one_hot(boards) * np.float32(8) + noise((*boards.shape, 13), 2.0)
    call = lambda: decode(scores, kind="logits", margins=margins, **LAYOUT)  # noqa: E731
    decoded = timed(call, len(boards), rounds=3)
    assert decoded.positions.null_count == 0
    assert (classes_of(decoded.positions) == boards).all(1).mean() > 0.5


@pytest.mark.parametrize(
    "worst",
    [
        pytest.param(worst, marks=decoding(f"the worst boards: {worst}", at_most(500e-6)))
        for worst in ("noise", "kings", "queens and bishops")
    ],
)
def test_worst(timed: Callable[..., Any], scaled: Callable[..., int], worst: str) -> None:
    scores = noise((scaled(5000), 64, 13), 3.0)
    if worst == "kings":
        scores[..., 6] += 20
    elif worst != "noise":
        scores[..., [3, 5]] += 20
    decoded = timed(lambda: decode(scores, kind="logits", **LAYOUT), len(scores), rounds=3)
    assert decoded.positions.null_count == 0
