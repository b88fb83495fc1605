"""The column functions against the peers, one core each."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from random import Random
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

import fenpack as fp
from figures import FIGURES, SHARED

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

#: What people write who have nothing better; it knows neither rank sums nor rules.
REGEX = (
    r"^([pnbrqkPNBRQK1-8]{1,8}/){7}[pnbrqkPNBRQK1-8]{1,8} [wb] (-|K?Q?k?q?) "
    r"(-|[a-h][36]) \d+ [1-9]\d*$"
)


def test_python_chess_status(timed: Callable[..., Any], fens: list[str]) -> None:
    import chess

    some = fens[:2000]

    def call() -> list[bool]:
        return [chess.Board(fen).status() == chess.STATUS_VALID for fen in some]

    assert timed("python-chess status", call, len(some), rounds=7) == fp.is_valid(some).to_pylist()


def test_cozy_chess(timed: Callable[..., Any], fens: list[str]) -> None:
    cozy = pytest.importorskip("cozy_chess")

    def readable(fen: str) -> bool:
        try:
            cozy.Board.from_fen(fen, False)
        except ValueError:
            return False
        return True

    some = fens[:50_000]
    accepted = timed("cozy-chess-py", lambda: [readable(fen) for fen in some], len(some), rounds=7)
    assert sum(accepted) > 0.9 * len(some)


def test_polars_regex(timed: Callable[..., Any], column: pa.Array) -> None:
    polars = pytest.importorskip("polars")
    series = polars.Series(column)
    matched = timed("polars regex", lambda: series.str.contains(REGEX), len(series), rounds=7)
    assert matched.all()


def test_is_valid(timed: Callable[..., Any], column: pa.Array) -> None:
    assert timed("is_valid", lambda: fp.is_valid(column), len(column)).true_count == len(column)


def test_validate(timed: Callable[..., Any], column: pa.Array) -> None:
    problems = timed("validate", lambda: fp.validate(column), len(column))
    assert not (problems.to_numpy() & fp.Problem.ILLEGAL.value).any()


def test_parse(timed: Callable[..., Any], column: pa.Array) -> None:
    assert timed("parse", lambda: fp.parse(column), len(column)).null_count == 0


def test_format(timed: Callable[..., Any], column: pa.Array) -> None:
    positions = fp.parse(column)
    assert timed("format", lambda: fp.format(positions), len(column)).equals(column)


def test_canonicalize(timed: Callable[..., Any], column: pa.Array) -> None:
    canonical = timed("canonicalize", lambda: fp.canonicalize(column), len(column))
    assert canonical.null_count == 0


def test_python_chess_fen(timed: Callable[..., Any], fens: list[str]) -> None:
    import chess

    some = fens[:2000]
    call = lambda: [chess.Board(fen).fen() for fen in some]  # noqa: E731
    assert timed("python-chess fen", call, len(some), rounds=7) == fp.canonicalize(some).to_pylist()


@pytest.mark.parametrize("function", [fp.is_valid, fp.validate], ids=["is_valid", "validate"])
def test_two_threads(
    timed: Callable[..., Any], column: pa.Array, function: Callable[..., Any]
) -> None:
    fp.set_num_threads(2)
    name = f"{function.__name__} 2 threads"
    assert len(timed(name, lambda: function(column), len(column))) == len(column)


@pytest.fixture(scope="module")
def in_check() -> pa.Array:
    """Give 40,000 boards of 30 men anywhere, most of them impossible, with the mover in check."""
    import chess

    order, boards = Random(7), []
    while len(boards) < 20_000:
        board = chess.Board(None)
        men = ["K", "k", *order.choices("PPPPPPPPNNBBRRQppppppppnnbbrrq", k=28)]
        for square, man in zip(order.sample(range(64), 30), men, strict=True):
            on_edge = square < 8 or square >= 56
            man = {"P": "N", "p": "n"}.get(man, man) if on_edge else man
            board.set_piece_at(square, chess.Piece.from_symbol(man))
        if board.is_check():
            boards.append(board.fen())
    return pa.array(boards * 2)


@pytest.mark.parametrize("function", [fp.is_valid, fp.validate], ids=["is_valid", "validate"])
def test_boards_in_check(
    timed: Callable[..., Any], in_check: pa.Array, function: Callable[..., Any]
) -> None:
    name = f"{function.__name__} in check"
    assert len(timed(name, lambda: function(in_check), len(in_check))) == len(in_check)


ALONE = """
import sys, time, statistics
import pyarrow as pa, fenpack as fp
fp.set_num_threads(1)
column = pa.array(sys.stdin.read().split("\\n"))
times = []
for _ in range(21):
    start = time.perf_counter()
    fp.is_valid(column)
    times.append(time.perf_counter() - start)
print(statistics.median(times) / len(column) * 1e9)
"""


@pytest.mark.parametrize("instructions", ["", "portable"])
def test_instruction_sets(benchmark: Any, fens: list[str], instructions: str) -> None:
    """The instruction set is chosen once a process, so each gets its own."""

    def call() -> float:
        done = subprocess.run(
            [sys.executable, "-c", ALONE],
            input="\n".join(fens),
            env=os.environ | {"FENPACK_INSTRUCTION_SET": instructions},
            capture_output=True,
            text=True,
            check=True,
        )
        return float(done.stdout)

    name = f"is_valid {instructions or 'alone'}"
    FIGURES[name] = benchmark.pedantic(call, rounds=1)


def test_prototype(benchmark: Any, fens: list[str], tmp_path: Path) -> None:
    """The kernel that showed what is reachable: parses strict FEN and makes the basic checks."""
    source = SHARED / "prototype" / "fen_kernel.rs"
    if not source.exists() or shutil.which("rustc") is None:
        pytest.skip("the prototype is not part of the repository")
    binary, text = tmp_path / "prototype", tmp_path / "rows.fen"
    compile_it = [
        "rustc",
        "-Copt-level=3",
        "-Ctarget-cpu=native",
        "-Awarnings",
        source,
        "-o",
        binary,
    ]
    subprocess.run(compile_it, check=True)
    text.write_text("\n".join(fens))

    def call() -> float:
        done = subprocess.run([binary, text], capture_output=True, text=True, check=True)
        found = re.search(r"simd parse\+validate ([\d.]+) ns", done.stdout)
        assert found
        return float(found[1])

    FIGURES["prototype"] = benchmark.pedantic(call, rounds=1)
