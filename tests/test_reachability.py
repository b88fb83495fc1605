"""The reachability rules: against slow versions of themselves, and on positions that were reached.

`FENPACK_RETRO_POSITIONS` sets how many random positions the slow versions see; 100000 is the full
number. `tests/soak/reachable_games.py` is the long form of the last test.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from typing import TYPE_CHECKING

import pytest

import fenpack as fp
from fenpack import Problem
from retro import (
    SQUARES,
    board_of,
    is_attacked,
    king_of,
    last_move_codes,
    other,
    pawn_codes,
    placement_of,
)
from soak.reachable_games import play

if TYPE_CHECKING:
    from collections.abc import Iterator

    from retro import Board

POSITIONS = int(os.environ.get("FENPACK_RETRO_POSITIONS", "4000"))
COMPARED = {"pawn_structure", "pawn_captures", "no_last_move", "clock_contradicts_check"}
NEAR = {"P": "PPPNBRQ", "p": "pppnbrq"}


def placed(rng: random.Random, board: Board, letter: str, squares: list[tuple[int, int]]) -> None:
    """Put `letter` on a free one of `squares`, if there is one."""
    free = [
        (file, rank)
        for file, rank in squares
        if (file, rank) not in board and not (letter in "Pp" and rank in (0, 7))
    ]
    if free:
        board[rng.choice(free)] = letter


def random_board(rng: random.Random) -> Board:
    """Give a board that is crowded, above all around one king."""
    board: Board = {}
    home = rng.random() < 0.3
    placed(rng, board, "K", [(4, 0), (6, 0), (2, 0)] if home else SQUARES)
    placed(rng, board, "k", [(4, 7), (6, 7), (2, 7)] if home else SQUARES)
    if home:
        for letter, rank in (("R", 0), ("r", 7)):
            for file in rng.sample((0, 3, 5, 7), 2):
                board.setdefault((file, rank), letter)
    hunted = king_of(board, rng.choice("wb"))
    around = [s for s in SQUARES if max(abs(s[0] - hunted[0]), abs(s[1] - hunted[1])) <= 2]
    hunters = "PPPNNBBRRQQ" if board[hunted] == "k" else "pppnnbbrrqq"
    for letter in rng.sample(hunters, rng.randint(0, 4)):
        placed(rng, board, letter, around if rng.random() < 0.7 else SQUARES)
    men = "P" * rng.randint(3, 8) + "p" * rng.randint(3, 8) + "NNBBRRQ" + "nnbbrrq"
    for letter in rng.sample(men, rng.randint(0, len(men))):
        placed(rng, board, letter, SQUARES)
    return board


def rights_of(rng: random.Random, board: Board, side: str, chess960: bool) -> set[int]:
    """Give the files of rooks that may hold a right, perhaps."""
    rank, rook = (0, "R") if side == "w" else (7, "r")
    file, king_rank = king_of(board, side)
    if king_rank != rank or rng.random() < 0.5 or (not chess960 and file != 4):
        return set()
    rooks = [f for f in range(8) if board.get((f, rank)) == rook]
    if not chess960:
        return {f for f in rooks if f in (0, 7)}
    a_side = [f for f in rooks if f < file][:1]
    h_side = [f for f in rooks if f > file][-1:]
    return {*a_side, *h_side}


def castling_of(rights: dict[str, set[int]]) -> str:
    white = "".join("ABCDEFGH"[file] for file in sorted(rights["w"], reverse=True))
    black = "".join("abcdefgh"[file] for file in sorted(rights["b"], reverse=True))
    return white + black or "-"


def random_positions(count: int, chess960: bool, seed: int) -> Iterator[tuple[str, set[str]]]:
    """Give FENs and the codes among `COMPARED` that the slow rules find."""
    rng = random.Random(seed)
    for _ in range(count):
        board = random_board(rng)
        in_check = [side for side in "wb" if is_attacked(board, king_of(board, side), other(side))]
        turn = rng.choice(in_check or ["w", "b"])
        rights = {side: rights_of(rng, board, side, chess960) for side in "wb"}
        halfmove = rng.choice((0, 9))
        fen = f"{placement_of(board)} {turn} {castling_of(rights)} - {halfmove} 90"
        expected = pawn_codes(board) | last_move_codes(board, turn, rights, chess960, halfmove)
        yield fen, expected


@pytest.mark.parametrize("chess960", [False, True], ids=["standard", "chess960"])
def test_agrees_with_the_slow_rules(chess960: bool) -> None:
    fens, expected = zip(*random_positions(POSITIONS // 2, chess960, seed=17), strict=True)
    names = fp.problem_names(fp.validate(fens, chess960=chess960)).to_pylist()
    met: Counter[str] = Counter()
    for fen, slow, fast in zip(fens, expected, names, strict=True):
        assert set(fast) & COMPARED == slow, fen
        met.update(slow or {"none"})
    for code in (*COMPARED, "none"):
        assert met[code] > POSITIONS // 200, met


def test_the_slow_board_reads_and_writes() -> None:
    placement = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R"
    assert placement_of(board_of(placement)) == placement


def unreachable(fens: list[str], *, chess960: bool) -> list[tuple[str, str]]:
    """Name the unreachable codes of `fens`."""
    problems = fp.validate(fens, chess960=chess960).to_pylist()
    return [
        (fen, str(Problem(bits) & Problem.UNREACHABLE))
        for fen, bits in zip(fens, problems, strict=True)
        if bits & Problem.UNREACHABLE
    ]


def test_no_false_alarm_on_a_million_rows(million: list[str]) -> None:
    assert unreachable(million, chess960=False) == []


def test_no_false_alarm_on_a_chess960_book(chess960_book: list[str]) -> None:
    assert unreachable(chess960_book, chess960=True) == []


def test_turned_boards_are_noticed(million: list[str]) -> None:
    rows = [fen for fen in million[::200] if sum(map(str.isalpha, fen.split()[0])) >= 28]
    turned = [f"{fen.split()[0][::-1]} {fen.split()[1]} - - 0 1" for fen in rows]
    mirrored = [
        f"{'/'.join(fen.split()[0].split('/')[::-1])} {fen.split()[1]} - - 0 1" for fen in rows
    ]
    for fens, code in ((turned, Problem.LOOKS_ROTATED), (mirrored, Problem.LOOKS_MIRRORED)):
        found = sum(bool(bits & code) for bits in fp.validate(fens).to_pylist())
        assert found > 0.9 * len(rows)
    hints = Problem.LOOKS_ROTATED | Problem.LOOKS_MIRRORED
    assert not any(bits & hints for bits in fp.validate(rows).to_pylist())


@pytest.mark.slow
@pytest.mark.parametrize("chess960", [False, True], ids=["standard", "chess960"])
def test_no_false_alarm_on_random_games(chess960: bool) -> None:
    rng = random.Random(5)
    fens: list[str] = []
    while len(fens) < 20_000:
        fens += play(rng, chess960=chess960)
    assert unreachable(fens, chess960=chess960) == []
