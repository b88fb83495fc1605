"""Judging and rewriting columns of FENs.

The peers are libraries that take one FEN at a time, from Python and from their own language, and
the regular expression that people write who have nothing better.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

import fenpack as fp
from benches.figures import ROOT, SHARED, faster, figure, within

if TYPE_CHECKING:
    from collections.abc import Callable

#: What people write who have nothing better; it knows neither rank sums nor rules.
REGEX = (
    r"^([pnbrqkPNBRQK1-8]{1,8}/){7}[pnbrqkPNBRQK1-8]{1,8} [wb] (-|K?Q?k?q?) "
    r"(-|[a-h][36]) \d+ [1-9]\d*$"
)
STATUS = "python-chess `Board(fen).status()`"
STATUS_ELSEWHERE = "the same with the system's Python"
WRITTEN = "python-chess `Board(fen).fen()`"
COZY = "cozy-chess-py `Board.from_fen`"
EXPRESSION = "a regular expression in Polars, which sees little"
NATIVE = {name: f"{name}, called from Rust" for name in ("cozy-chess", "shakmaty")}
PROTOTYPE = "the prototype, strict FEN and basic checks"


@figure(
    "`is_valid`",
    faster(STATUS, 800),
    faster(STATUS_ELSEWHERE, 800),
    faster(COZY, 10),
    faster(tuple(NATIVE.values()), 5),
    faster(EXPRESSION, 1),
    within(1.5, PROTOTYPE),
    headline=True,
)
def test_is_valid(timed: Callable[..., Any], column: pa.Array) -> None:
    assert timed(lambda: fp.is_valid(column), len(column)).true_count == len(column)


@figure("`validate`, every code", within(2, "`is_valid`"), headline=True)
def test_validate(timed: Callable[..., Any], column: pa.Array) -> None:
    problems = timed(lambda: fp.validate(column), len(column))
    assert not (problems.to_numpy() & fp.Problem.ILLEGAL.value).any()


@figure("`canonicalize`", within(2, "`is_valid`"), faster(WRITTEN, 600), headline=True)
def test_canonicalize(timed: Callable[..., Any], column: pa.Array) -> None:
    assert timed(lambda: fp.canonicalize(column), len(column)).null_count == 0


@figure("`parse`", within(None, "`is_valid`"))
def test_parse(timed: Callable[..., Any], column: pa.Array) -> None:
    assert timed(lambda: fp.parse(column), len(column)).null_count == 0


@figure("`format`")
def test_format(timed: Callable[..., Any], column: pa.Array) -> None:
    positions = fp.parse(column)
    assert timed(lambda: fp.format(positions), len(column)).equals(column)


@figure("`key`", within(None, "`is_valid`"))
def test_key(timed: Callable[..., Any], column: pa.Array) -> None:
    assert timed(lambda: fp.key(column), len(column)).null_count == 0


def on_two(name: str, one: str) -> Any:
    """Give a function and what its figure is: twice the threads, nearly twice the speed."""
    label = f"`{name}`, two threads"
    of = figure(label, faster(one, 1.8), threads=2, headline=name == "is_valid")
    return pytest.param(getattr(fp, name), marks=of, id=name)


@pytest.mark.parametrize(
    "function",
    [
        on_two("is_valid", "`is_valid`"),
        on_two("validate", "`validate`, every code"),
        on_two("canonicalize", "`canonicalize`"),
        on_two("parse", "`parse`"),
        on_two("key", "`key`"),
    ],
)
def test_two_threads(
    timed: Callable[..., Any], column: pa.Array, function: Callable[..., Any]
) -> None:
    assert len(timed(lambda: function(column), len(column))) == len(column)


@pytest.fixture(scope="module")
def in_check(scaled: Callable[..., int]) -> pa.Array:
    """Give 40,000 boards of 30 men anywhere, most of them impossible, with the mover in check."""
    chess = pytest.importorskip("chess")
    order, boards = Random(7), []
    while len(boards) < scaled(20_000):
        board = chess.Board(None)
        men = ["K", "k", *order.choices("PPPPPPPPNNBBRRQppppppppnnbbrrq", k=28)]
        for square, man in zip(order.sample(range(64), 30), men, strict=True):
            on_edge = square < 8 or square >= 56
            man = {"P": "N", "p": "n"}.get(man, man) if on_edge else man
            board.set_piece_at(square, chess.Piece.from_symbol(man))
        if board.is_check():
            boards.append(board.fen())
    return pa.array(boards * 2)


IN_CHECK = "`is_valid`, random boards in check"


@pytest.mark.parametrize(
    "function",
    [
        pytest.param(fp.is_valid, marks=figure(IN_CHECK), id="is_valid"),
        pytest.param(
            fp.validate,
            marks=figure("`validate`, random boards in check", within(6, IN_CHECK)),
            id="validate",
        ),
    ],
)
def test_boards_in_check(
    timed: Callable[..., Any], in_check: pa.Array, function: Callable[..., Any]
) -> None:
    assert len(timed(lambda: function(in_check), len(in_check))) == len(in_check)


#: Prints the seconds a FEN takes: the instruction set is chosen once a process.
ALONE = """
import gc, sys, time, statistics
import pyarrow as pa, fenpack as fp
column, times = pa.array(sys.stdin.read().split("\\n")), []
gc.disable()
for _ in range(22):
    start = time.perf_counter()
    fp.is_valid(column)
    times.append(time.perf_counter() - start)
print(statistics.median(times[1:]) / len(column))
"""
VECTORS = "`is_valid` in a process of its own"


@pytest.mark.parametrize(
    "instructions",
    [
        pytest.param("", marks=figure(VECTORS)),
        pytest.param(
            "portable",
            marks=figure(
                "`is_valid` without vector instructions", within(4, VECTORS), headline=True
            ),
        ),
    ],
)
def test_instruction_sets(noted: Callable[..., None], fens: list[str], instructions: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ALONE],
        input="\n".join(fens),
        env=os.environ | {"FENPACK_INSTRUCTION_SET": instructions},
        capture_output=True,
        text=True,
        check=True,
    )
    noted(float(done.stdout))


@figure(STATUS, package="chess")
def test_python_chess_status(timed: Callable[..., Any], fens: list[str]) -> None:
    import chess

    some = fens[:2000]
    call = lambda: [chess.Board(fen).status() == chess.STATUS_VALID for fen in some]  # noqa: E731
    assert timed(call, len(some), rounds=3) == fp.is_valid(some).to_pylist()


#: Prints the version of the interpreter and the nanoseconds a FEN takes.
ELSEWHERE = """
import gc, platform, statistics, sys, time
sys.path.append(sys.argv[1])
import chess
gc.disable()
fens, times = sys.stdin.read().splitlines(), []
for _ in range(4):
    start = time.perf_counter()
    assert all([chess.Board(fen).status() == chess.STATUS_VALID for fen in fens])
    times.append(time.perf_counter() - start)
print(platform.python_version(), statistics.median(times[1:]) / len(fens))
"""


@figure(STATUS_ELSEWHERE, package="chess")
def test_python_chess_elsewhere(noted: Callable[..., None], fens: list[str]) -> None:
    """How an interpreter was built makes python-chess up to 1.4 times faster."""
    system = Path("/usr/bin/python3")
    if not system.exists() or system.resolve() == Path(sys.executable).resolve():
        pytest.skip("there is no other Python at /usr/bin/python3")
    packages = str(distribution("chess").locate_file(""))
    done = subprocess.run(
        [system, "-c", ELSEWHERE, packages],
        input="\n".join(fens[:2000]),
        capture_output=True,
        text=True,
        check=True,
    )
    version, seconds = done.stdout.split()
    noted(float(seconds), version=f"CPython {version}")


@figure(WRITTEN, package="chess")
def test_python_chess_fen(timed: Callable[..., Any], fens: list[str]) -> None:
    import chess

    some = fens[:2000]
    call = lambda: [chess.Board(fen).fen() for fen in some]  # noqa: E731
    assert timed(call, len(some), rounds=3) == fp.canonicalize(some).to_pylist()


@figure(COZY, package="cozy-chess-py")
def test_cozy_chess(timed: Callable[..., Any], fens: list[str]) -> None:
    import cozy_chess

    def readable(fen: str) -> bool:
        try:
            cozy_chess.Board.from_fen(fen, False)
        except ValueError:
            return False
        return True

    some = fens[:50_000]
    accepted = timed(lambda: [readable(fen) for fen in some], len(some), rounds=3)
    assert sum(accepted) > 0.9 * len(some)


@pytest.fixture(scope="module")
def native(scaled: Callable[..., int]) -> Path:
    """Compile the program that calls the libraries of Rust."""
    if scaled(1000) != 1000:
        pytest.skip("a quick run compiles nothing")
    if shutil.which("cargo") is None:
        pytest.skip("cargo is not installed")
    target = ROOT / "target" / "native"
    command = ["cargo", "build", "--release", "--locked", "--quiet", f"--target-dir={target}"]
    done = subprocess.run(command, cwd=ROOT / "benches" / "native", capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip(f"cargo could not build it: {done.stderr.splitlines()[0]}")
    return target / "release" / "native"


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=figure(label)) for name, label in NATIVE.items()]
)
def test_native(
    noted: Callable[..., None], native: Path, fens: list[str], tmp_path: Path, name: str
) -> None:
    file = tmp_path / "rows.fen"
    file.write_text("\n".join(fens))
    done = subprocess.run([native, file, name], capture_output=True, text=True, check=True)
    accepted, seconds = done.stdout.split()
    assert int(accepted) > 0.9 * len(fens)
    lock = tomllib.loads((ROOT / "benches" / "native" / "Cargo.lock").read_text("utf-8"))
    [version] = [package["version"] for package in lock["package"] if package["name"] == name]
    noted(float(seconds), version=version)


@figure(EXPRESSION, package="polars")
def test_polars_regex(timed: Callable[..., Any], column: pa.Array) -> None:
    import polars as pl

    series = pl.Series(column)
    assert timed(lambda: series.str.contains(REGEX), len(series), rounds=5).all()


@figure(PROTOTYPE)
def test_prototype(noted: Callable[..., None], fens: list[str], tmp_path: Path) -> None:
    """The kernel that showed what is reachable: parses strict FEN and makes the basic checks."""
    source = SHARED / "prototype" / "fen_kernel.rs"
    if not source.exists() or shutil.which("rustc") is None:
        pytest.skip("its source is not part of the repository, or rustc is not installed")
    binary, text = tmp_path / "prototype", tmp_path / "rows.fen"
    options = ["-Copt-level=3", "-Ctarget-cpu=native", "-Awarnings"]
    subprocess.run(["rustc", *options, source, "-o", binary], check=True)
    text.write_text("\n".join(fens))
    done = subprocess.run([binary, text], capture_output=True, text=True, check=True)
    found = re.search(r"simd parse\+validate ([\d.]+) ns", done.stdout)
    assert found
    noted(float(found[1]) * 1e-9)
