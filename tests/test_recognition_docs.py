"""The page about recognizers: every example gives what it shows, the table is that of the code."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from fenpack.recognition import PRESETS, class_order, square_order
from recognizers import boards_of, look_alike, one_hot

PAGE = Path(__file__).parents[1] / "docs" / "recognizers.md"
TEXT = PAGE.read_text("utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```\n", TEXT, re.DOTALL)
EXAMPLES = [
    (block, output)
    for (kind, block), (after, output) in pairwise(BLOCKS)
    if (kind, after) == ("python", "text")
]
BOARD = "4k3/8/8/3p4/8/8/4P3/4K2R w - - 0 1"
# Feet stand a third of a width, 20 pixels, above the lower edge of a box.
LEFT_TOP, RIGHT_BOTTOM = np.array([10, 40 / 3]), np.array([10, 20 / 3])
MIDDLEGAME = "r1bqr1k1/pppn1pbp/3p1np1/4p1B1/2PP4/3BPN1P/PP1N1PP1/R2QK2R w - - 0 1"


@pytest.fixture(scope="module")
def given(sample: list[str]) -> dict[str, object]:
    """Give the arrays that the examples speak of."""

    def ordered(scores: np.ndarray, preset: str) -> np.ndarray:
        order = class_order(PRESETS[preset].classes)
        squares = square_order(PRESETS[preset].squares)
        return np.ascontiguousarray(scores[:, squares][..., order])

    board = boards_of([BOARD])
    scores = one_hot(boards_of([MIDDLEGAME])) * np.float32(0.987) + np.float32(0.001)
    scores[0, 3] = 0.001
    scores[0, 3, [6, 5]] = 0.9, 0.1 - 0.011
    scores[0, 3, 5] = 0.1
    scores[0, 3] /= scores[0, 3].sum()
    truth = sample[:500]
    noisy = np.exp(look_alike(boards_of(truth), 1.55, seed=8))
    noisy /= noisy.sum(2, keepdims=True)
    men = board[0] > 0
    squares = np.flatnonzero(men)
    centres = np.column_stack([125 + 50 * (squares % 8), 425 - 50 * (squares // 8)])
    labels = ["!bknpqrBKNPQR".index(".PNBRQKpnbrqk"[board[0, square]]) for square in squares]
    fourteen = ordered(one_hot(board) * 9, "chesspdftofen")
    fourteen[..., 13] -= np.float32(2)
    planes = (one_hot(board) * 9)[:, square_order("a8")].reshape(1, 8, 8, 13).transpose(0, 3, 1, 2)
    column = pa.FixedSizeListArray.from_arrays(
        pa.array((one_hot(board) * 9)[:, square_order("a8")].reshape(-1)), 832
    )
    return {
        "scores": ordered(scores, "chessvision"),
        "many": ordered(noisy, "chessvision"),
        "truth": truth,
        "planes": planes,
        "men": ordered(one_hot(board) * 0.98, "camerachess"),
        "fourteen": fourteen,
        "pieces": ordered(one_hot(np.maximum(board, 1)), "chesscog"),
        "occupied": np.where(board > 0, 0.97, 0.03),
        "ids": board,
        "confidence": np.full((1, 64), 0.95),
        "boxes": np.hstack([centres - LEFT_TOP, centres + RIGHT_BOTTOM]),
        "labels": labels,
        "confidences": np.full(5, 0.97),
        "column": pa.chunked_array([column, pa.nulls(1, column.type)]),
    }


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_example(number: int, given: dict, capsys: pytest.CaptureFixture[str]) -> None:
    block, output = EXAMPLES[number]
    names = dict(given)
    exec("from fenpack.recognition import decode", names)
    exec(compile(block, f"recognizers.md example {number}", "exec"), names)
    assert capsys.readouterr().out == output


def test_every_form_has_an_example() -> None:
    assert len(EXAMPLES) == 12
    assert len(EXAMPLES) == sum(kind == "python" for kind, _ in BLOCKS)


def test_table_of_presets() -> None:
    rows = re.findall(r"^\| `(\w+)` \| `([^`]+)` \| (\S+) \| (\w*) ?\|$", TEXT, re.MULTILINE)
    assert [tuple(row) for row in rows] == [
        (name, preset.classes, preset.squares, preset.kind or "")
        for name, preset in PRESETS.items()
    ]


def test_links() -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", TEXT):
        assert (PAGE.parent / target).exists()
