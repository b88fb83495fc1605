"""Arrays for networks, against filling such arrays and what people write themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import fenpack as fp
from benches.figures import a_second, faster, figure

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pyarrow as pa

FILL = "filling such an array"
RECIPE = "the usual recipe with python-chess"
BATCH = "the fastest recipe in numpy, batched"


@pytest.fixture(scope="module")
def positions(column: pa.Array) -> pa.Array:
    return fp.parse(column)


@pytest.fixture(scope="module")
def out(column: pa.Array) -> np.ndarray:
    """Give a place for the planes that has been written to before."""
    planes = fp.planes(column)
    planes.fill(0)
    return planes


@figure("`planes`, 12 × 8 × 8 uint8, of positions", faster(FILL, 0.7), headline=True)
def test_planes_of_positions(
    timed: Callable[..., Any], positions: pa.Array, out: np.ndarray
) -> None:
    timed(lambda: fp.planes(positions, out=out), len(out))
    assert (out.sum(axis=(1, 2, 3)) <= 32).all()


@figure(FILL)
def test_fill(timed: Callable[..., Any], out: np.ndarray) -> None:
    timed(lambda: out.fill(1), len(out))


@figure("`planes` of text", faster(RECIPE, 500), faster(BATCH, 10), headline=True)
def test_planes_of_text(timed: Callable[..., Any], column: pa.Array, out: np.ndarray) -> None:
    timed(lambda: fp.planes(column, out=out), len(out))
    assert (out == fp.planes(column)).all()


@figure(RECIPE, package="chess")
def test_python_chess_planes(timed: Callable[..., Any], fens: list[str]) -> None:
    import chess

    def planes(fen: str) -> np.ndarray:
        board = np.zeros((12, 8, 8), np.uint8)
        for square, piece in chess.Board(fen).piece_map().items():
            role = piece.piece_type - 1 + (0 if piece.color else 6)
            board[role, square >> 3, square & 7] = 1
        return board

    some = fens[:2000]
    made = timed(lambda: np.stack([planes(fen) for fen in some]), len(some), rounds=3)
    assert (made == fp.planes(some)).all()


@figure(BATCH, package="numpy")
def test_numpy_planes(timed: Callable[..., Any], fens: list[str]) -> None:
    """The fastest that is found: all placements spelled out in one text, compared with letters."""
    spelled = {ord(str(digit)): "." * digit for digit in range(1, 9)} | {ord("/"): None}
    letters = np.frombuffer(b"PNBRQKpnbrqk", np.uint8)[:, None]
    some = fens[:20_000]

    def planes() -> np.ndarray:
        text = "".join([fen.split(" ", 1)[0] for fen in some]).translate(spelled)
        squares = np.frombuffer(text.encode(), np.uint8).reshape(len(some), 1, 64)
        made: np.ndarray = (squares == letters).view(np.uint8).reshape(-1, 12, 8, 8)
        return made

    made = timed(planes, len(some), rounds=5)
    assert (made == fp.planes(some, squares="a8")).all()


@figure(
    "`nnue_features` (`halfka_v2_hm`) of positions", a_second(5e6), per="position", headline=True
)
def test_features(timed: Callable[..., Any], positions: pa.Array) -> None:
    out = np.zeros((len(positions), 2, 32), np.int32)
    timed(lambda: fp.nnue_features(positions, out=out), len(out))
    assert out.max() < 22_528


def filled(layout: str) -> str:
    return f"filling an array of `{layout}`"


@pytest.mark.parametrize(
    "layout",
    [
        pytest.param(layout, marks=figure(f"`planes` in `{layout}`", faster(filled(layout))))
        for layout in ("maia2_18", "lc0_112")
    ],
)
def test_layouts(timed: Callable[..., Any], positions: pa.Array, layout: str) -> None:
    some = positions[:20_000]
    out = fp.planes(some, layout)
    timed(lambda: fp.planes(some, layout, out=out), len(some))
    assert (out == fp.planes(some, layout)).all()


@pytest.mark.parametrize(
    "layout",
    [pytest.param(layout, marks=figure(filled(layout))) for layout in ("maia2_18", "lc0_112")],
)
def test_layout_filled(timed: Callable[..., Any], positions: pa.Array, layout: str) -> None:
    out = fp.planes(positions[:20_000], layout)
    timed(lambda: out.fill(1), len(out))


@figure("`tokens` of positions")
def test_tokens(timed: Callable[..., Any], positions: pa.Array) -> None:
    out = np.zeros((len(positions), 64), np.uint8)
    timed(lambda: fp.tokens(positions, out=out), len(out))
    assert out.max() == 12


@figure(
    "`fenpack.torch.PositionBatches`, two workers, Parquet to tensors",
    a_second(1e6),
    per="position",
    package="torch",
)
def test_torch(timed: Callable[..., Any], column: pa.Array, tmp_path: Path) -> None:
    """From texts in a file to batches in the main process."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    from torch.utils.data import DataLoader

    from fenpack.torch import PositionBatches

    file = tmp_path / "rows.parquet"
    pq.write_table(pa.table({"fen": column}), file)
    dataset = PositionBatches([file] * 20, batch_size=8192)
    rows = 20 * len(column)

    def feed() -> int:
        loader = DataLoader(dataset, batch_size=None, num_workers=2)
        return sum(len(batch["x"]) for batch in loader)

    assert timed(feed, rows, rounds=1) == rows
