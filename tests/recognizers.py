"""Boards as a recognizer would score them, and a solver that knows nothing of flows."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import chess
import numpy as np

import fenpack as fp
from fenpack.recognition import decode
from fenpack.recognition.boards import CLASSES, classes_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from fenpack.recognition import Decoded

_ROWS = os.environ.get("FENPACK_ORACLE_ROWS", "60000")
ALL = _ROWS == "all"
ROWS = 1_000_000 if ALL else int(_ROWS)

#: What `decode` is told of an array in the package's own order.
OWN = {"classes": CLASSES, "squares": "a1"}
PAWNS, KINGS = (1, 7), (6, 12)

_PAIRS = dict(zip("PBQKNRpbqknr", "BPKQRNbpkqrn", strict=True))


def boards_of(fens: Sequence[str]) -> NDArray[np.uint8]:
    """Give the class numbers of FENs, (N, 64)."""
    return classes_of(fp.parse(fens))


def one_hot(boards: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Give 1 to the class of each square and 0 to the others, (N, 64, 13)."""
    return np.eye(13, dtype=np.float32)[boards]


def logits(fen: str, margin: float = 9.0) -> NDArray[np.float32]:
    """Score one board with the same margin everywhere, (1, 64, 13)."""
    board = boards_of([fen if " " in fen else f"{fen} w - - 0 1"])
    return one_hot(board) * np.float32(margin)


def _alike() -> NDArray[np.bool_]:
    alike = np.zeros((13, 13), bool)
    for letter, other in _PAIRS.items():
        alike[CLASSES.index(letter), CLASSES.index(other)] = True
        alike[CLASSES.index(letter), CLASSES.index(letter.swapcase())] = True
    for pawn in PAWNS:
        alike[0, pawn] = alike[pawn, 0] = True
    return alike


def look_alike(boards: NDArray[np.uint8], sigma: float, seed: int) -> NDArray[np.float32]:
    """Score boards as a recognizer that confuses what looks alike.

    The true class leads by 8, by 6 before its look-alikes: pawn and bishop, queen and king, knight
    and rook, the other colour, pawn and empty. Every score has Gaussian noise.
    """
    lead = np.full((13, 13), -8.0)
    lead[_alike()] = -6.0
    np.fill_diagonal(lead, 0.0)
    noise = np.random.default_rng(seed).normal(scale=sigma, size=(*boards.shape, 13))
    return (lead[boards] + noise).astype(np.float32)


def own(scores: NDArray[Any], **options: Any) -> Decoded:
    """Decode scores in the package's own order, logits unless said otherwise."""
    return decode(scores, **{"kind": "logits", **OWN, **options})


def placement(scores: NDArray[Any], **options: Any) -> str | None:
    """Decode one board to field 1 of its FEN."""
    [text] = own(scores, **options).placements().to_pylist()
    return text


def objective(scores: NDArray[Any], board: NDArray[np.uint8], penalty: float) -> float:
    """Sum the scores of a board, less the penalty for each promoted man."""
    gain = np.take_along_axis(scores.astype(np.float64), board[:, None].astype(np.intp), 1).sum()
    men = promoted(board)
    return float(gain - (penalty * men if men else 0.0))


LIGHT = np.array([(square ^ square >> 3) & 1 for square in range(64)], bool)


def promoted(board: NDArray[np.uint8]) -> int:
    """Count the men that must be promoted."""
    excess = 0
    for first in (0, 6):
        for role, native in ((2, 2), (4, 2), (5, 1)):
            excess += max(0, int((board == first + role).sum()) - native)
        for colour in (LIGHT, ~LIGHT):
            excess += max(0, int((board[colour] == first + 3).sum()) - 1)
    return excess


def solve(
    scores: NDArray[Any],
    penalty: float,
    *,
    forbidden: Iterable[tuple[int, int]] = (),
    checks: bool = False,
) -> NDArray[np.uint8] | None:
    """Find the best legal board by integer programming; with `checks`, also its kings are legal."""
    from scipy.optimize import LinearConstraint, milp

    gain = scores.astype(np.float64).copy()
    for square, number in forbidden:
        gain[square, number] = -np.inf
    gain[:8, PAWNS] = gain[56:, PAWNS] = -np.inf
    # One variable for each square and class, then the excess of each kind.
    kinds = [
        (first + role, native, colour)
        for first in (0, 6)
        for role, native, colour in (
            (2, 2, LIGHT | True),
            (4, 2, LIGHT | True),
            (5, 1, LIGHT | True),
            (3, 1, LIGHT),
            (3, 1, ~LIGHT),
        )
    ]
    cells, size = 64 * 13, 64 * 13 + len(kinds)
    rows, low, high = [], [], []

    def add(entries: dict[int, float], least: float, most: float) -> None:
        row = np.zeros(size)
        for at, value in entries.items():
            row[at] = value
        rows.append(row)
        low.append(least)
        high.append(most)

    def men(number: int, squares: Any = range(64)) -> dict[int, float]:
        return {int(square) * 13 + number: 1.0 for square in squares}

    for square in range(64):
        add({square * 13 + number: 1.0 for number in range(13)}, 1, 1)
    for king in KINGS:
        add(men(king), 1, 1)
    for i, (number, native, colour) in enumerate(kinds):
        add({**men(number, np.flatnonzero(colour)), cells + i: -1.0}, -np.inf, native)
    for side, pawn in enumerate(PAWNS):
        excess = {cells + i: 1.0 for i in range(side * 5, side * 5 + 5)}
        add({**men(pawn), **excess}, -np.inf, 8)
    cost = np.concatenate([-np.where(np.isfinite(gain), gain, 0.0).reshape(-1), np.zeros(10)])
    cost[cells:] = penalty if np.isfinite(penalty) else 0.0
    upper = np.concatenate([np.isfinite(gain).reshape(-1).astype(float), np.full(10, 64.0)])
    if not np.isfinite(penalty):
        upper[cells:] = 0.0
    integral = np.concatenate([np.ones(cells), np.zeros(10)])
    while True:
        found = milp(
            cost,
            constraints=LinearConstraint(np.array(rows), low, high),
            bounds=(0, upper),
            integrality=integral,
            options={"mip_rel_gap": 0.0},
        )
        if found.x is None:
            return None
        board = found.x[:cells].reshape(64, 13).argmax(1).astype(np.uint8)
        shown = king_fault(board) if checks else None
        if shown is None:
            return board
        # No board with the same on these squares is legal.
        add({square * 13 + int(board[square]): 1.0 for square in shown}, -np.inf, len(shown) - 1)


def as_chess(board: NDArray[np.uint8]) -> chess.Board:
    """Give a board to python-chess."""
    made = chess.Board(None)
    for square, number in enumerate(board):
        if number:
            made.set_piece_at(square, chess.Piece.from_symbol(CLASSES[number]))
    return made


def king_fault(board: NDArray[np.uint8]) -> list[int] | None:
    """Give squares that show adjacent kings or two checks, after python-chess."""
    made = as_chess(board)
    white, black = made.king(chess.WHITE), made.king(chess.BLACK)
    assert white is not None
    assert black is not None
    if chess.square_distance(white, black) <= 1:
        return [white, black]
    shown = {white, black}
    for side, king in ((chess.BLACK, white), (chess.WHITE, black)):
        checkers = list(made.attackers(side, king))
        if not checkers:
            return None
        shown |= {checkers[0], *chess.SquareSet.between(king, checkers[0])}
    return sorted(shown)
