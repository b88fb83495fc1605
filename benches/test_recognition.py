"""Decoding recognizer scores, one core: argmax legal, real noise, the worst boards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import fenpack as fp
from fenpack.recognition import decode
from fenpack.recognition.boards import CLASSES, classes_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

BOARDS = 20_000
LAYOUT: dict[str, Any] = {"classes": CLASSES, "squares": "a1"}


@pytest.fixture(scope="module")
def boards(fens: list[str]) -> NDArray[np.uint8]:
    """Give real boards without promoted men, whose argmax needs no flow when it is right."""
    found = classes_of(fp.parse(fens[: BOARDS * 2]))
    ordinary = np.ones(len(found), bool)
    for first in (0, 6):
        for role, most in ((2, 2), (3, 2), (4, 2), (5, 1)):
            ordinary &= (found == first + role).sum(1) <= most
    return found[ordinary][:BOARDS]


def one_hot(boards: NDArray[np.uint8]) -> NDArray[np.float32]:
    return np.eye(13, dtype=np.float32)[boards]


def noise(shape: tuple[int, ...], scale: float) -> NDArray[np.float32]:
    return np.random.default_rng(1).normal(scale=scale, size=shape).astype(np.float32)


@pytest.mark.parametrize("kind", ["logits", "probs"])
def test_argmax_legal(timed: Callable[..., Any], boards: NDArray[np.uint8], kind: str) -> None:
    scores = one_hot(boards) * np.float32(9 if kind == "logits" else 1)
    name = f"decode {kind}, argmax legal"
    decoded = timed(name, lambda: decode(scores, kind=kind, **LAYOUT), len(boards))
    assert (classes_of(decoded.positions) == boards).all()


def test_read_alone(timed: Callable[..., Any], boards: NDArray[np.uint8]) -> None:
    """What numpy takes to find the argmax of the same numbers."""
    scores = one_hot(boards) * np.float32(9)
    assert (timed("numpy argmax", lambda: scores.argmax(2), len(boards)) == boards).all()


@pytest.mark.parametrize("margins", [False, True], ids=["boards", "margins"])
def test_real_noise(timed: Callable[..., Any], boards: NDArray[np.uint8], margins: bool) -> None:
    scores = one_hot(boards) * np.float32(8) + noise((*boards.shape, 13), 2.0)
    name = "decode, real noise" + (", margins" if margins else "")
    call = lambda: decode(scores, kind="logits", margins=margins, **LAYOUT)  # noqa: E731
    decoded = timed(name, call, len(boards), rounds=9)
    assert decoded.positions.null_count == 0
    assert (classes_of(decoded.positions) == boards).all(1).mean() > 0.5


@pytest.mark.parametrize("worst", ["noise", "kings", "queens and bishops"])
def test_worst(timed: Callable[..., Any], worst: str) -> None:
    scores = noise((5000, 64, 13), 3.0)
    if worst == "kings":
        scores[..., 6] += 20
    elif worst != "noise":
        scores[..., [3, 5]] += 20
    call = lambda: decode(scores, kind="logits", **LAYOUT)  # noqa: E731
    decoded = timed(f"decode, worst: {worst}", call, len(scores), rounds=5)
    assert decoded.positions.null_count == 0
