"""Arrays for networks against what people write themselves, one core each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import fenpack as fp
from figures import FIGURES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pyarrow as pa

#: Rates that are asked for, in nanoseconds a row.
FIGURES |= {"5 M rows a second": 200.0, "1 M rows a second": 1000.0}


@pytest.fixture(scope="module")
def positions(column: pa.Array) -> pa.Array:
    return fp.parse(column)


@pytest.fixture(scope="module")
def out(column: pa.Array) -> np.ndarray:
    """Give a place for the planes that has been written to before."""
    planes = fp.planes(column)
    planes.fill(0)
    return planes


def test_fill(timed: Callable[..., Any], out: np.ndarray) -> None:
    timed("fill", lambda: out.fill(1), len(out))


def test_planes_of_positions(
    timed: Callable[..., Any], positions: pa.Array, out: np.ndarray
) -> None:
    timed("planes of positions", lambda: fp.planes(positions, out=out), len(out))
    assert (out.sum(axis=(1, 2, 3)) <= 32).all()


def test_planes_of_text(timed: Callable[..., Any], column: pa.Array, out: np.ndarray) -> None:
    timed("planes of text", lambda: fp.planes(column, out=out), len(out))
    assert (out == fp.planes(column)).all()


def test_python_chess_planes(timed: Callable[..., Any], fens: list[str]) -> None:
    import chess

    def planes(fen: str) -> np.ndarray:
        board = np.zeros((12, 8, 8), np.uint8)
        for square, piece in chess.Board(fen).piece_map().items():
            role = piece.piece_type - 1 + (0 if piece.color else 6)
            board[role, square >> 3, square & 7] = 1
        return board

    some = fens[:2000]
    made = timed(
        "python-chess planes", lambda: np.stack([planes(fen) for fen in some]), len(some), rounds=7
    )
    assert (made == fp.planes(some)).all()


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

    made = timed("numpy planes", planes, len(some), rounds=7)
    assert (made == fp.planes(some, squares="a8")).all()


def test_features(timed: Callable[..., Any], positions: pa.Array) -> None:
    out = np.zeros((len(positions), 2, 32), np.int32)
    timed("halfka_v2_hm", lambda: fp.nnue_features(positions, out=out), len(out))
    assert out.max() < 22_528


@pytest.mark.parametrize("filled", [True, False])
@pytest.mark.parametrize("layout", ["maia2_18", "lc0_112"])
def test_layouts(timed: Callable[..., Any], positions: pa.Array, layout: str, filled: bool) -> None:
    some = positions[:20_000]
    out = fp.planes(some, layout)
    if filled:
        timed(f"{layout} fill", lambda: out.fill(1), len(some), rounds=7)
    else:
        timed(layout, lambda: fp.planes(some, layout, out=out), len(some), rounds=7)


def test_tokens(timed: Callable[..., Any], positions: pa.Array) -> None:
    out = np.zeros((len(positions), 64), np.uint8)
    timed("tokens", lambda: fp.tokens(positions, out=out), len(out))
    assert out.max() == 12


def test_torch(timed: Callable[..., Any], column: pa.Array, tmp_path: Path) -> None:
    """Two workers on two cores, from a Parquet file of texts to tensors in the main process."""
    pytest.importorskip("torch", reason="torch is not installed: pip install fenpack[torch]")
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

    assert timed("torch feed", feed, rows, rounds=3) == rows
