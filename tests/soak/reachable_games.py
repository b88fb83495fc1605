"""Play random legal games and assert that no position of them gets an unreachable code.

The games are played with python-chess, standard and Chess960 by turns, and prefer what the rules
speak of: checks, double checks, promotions, under-promotions, captures en passant, castling.

    python tests/soak/reachable_games.py --positions 5000000 --processes 2
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from typing import TYPE_CHECKING

import chess

import fenpack as fp
from fenpack import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Positions that one task plays and judges.
BATCH = 20_000


def taste(rng: random.Random) -> dict[str, float]:
    """Choose what the next game prefers; the more, the likelier."""
    return {
        "promotion": rng.choice((3, 30)),
        "en passant": rng.choice((3, 30)),
        "castling": rng.choice((1, 20)),
        "check": rng.choice((1, 4, 30)),
        "double check": rng.choice((1, 100, 1000)),
        "capture": rng.choice((0.05, 0.3, 1)),
        "pawn": rng.choice((1, 3, 8)),
        "king": rng.choice((0.3, 1)),
        "knight or rook": rng.choice((1, 1, 20)),
    }


def weight(board: chess.Board, move: chess.Move, likes: dict[str, float]) -> float:
    """Say how likely `move` is to be played."""
    kind = board.piece_type_at(move.from_square)
    value = 1.0
    if move.promotion:
        value *= likes["promotion"]
    if board.is_castling(move):
        value *= likes["castling"]
    elif board.is_en_passant(move):
        value *= likes["en passant"]
    elif board.is_capture(move):
        value *= likes["capture"]
    if kind == chess.PAWN:
        value *= likes["pawn"]
    elif kind == chess.KING:
        value *= likes["king"]
    elif kind in (chess.KNIGHT, chess.ROOK):
        value *= likes["knight or rook"]
    if board.gives_check(move):
        value *= likes["check"]
        if likes["double check"] > 1:
            board.push(move)
            if len(board.checkers()) > 1:
                value *= likes["double check"]
            board.pop()
    return value


def kinds_of(board: chess.Board, move: chess.Move) -> Iterator[str]:
    """Name what the rules speak of in `move`, which is about to be played."""
    if move.promotion:
        yield "promotions" if move.promotion == chess.QUEEN else "under-promotions"
    if board.is_en_passant(move):
        yield "captures en passant"
    if board.is_castling(move):
        yield "castlings"
    if board.gives_check(move):
        board.push(move)
        yield "double checks" if len(board.checkers()) > 1 else "single checks"
        board.pop()


def is_rare(board: chess.Board, move: chess.Move) -> bool:
    """Whether `move` is one of those that a sample of moves should not miss."""
    return bool(move.promotion) or board.is_castling(move) or board.is_en_passant(move)


def play(
    rng: random.Random, *, chess960: bool, plies: int = 400, met: Counter[str] | None = None
) -> list[str]:
    """Give every position of one random game as FEN, and count what was `met`."""
    board = chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board()
    likes = taste(rng)
    fens = [board.fen(en_passant="fen")]
    while len(fens) < plies:
        moves = list(board.legal_moves)
        if not moves:
            break
        if len(moves) > 10:
            moves = rng.sample(moves, 10) + [move for move in moves if is_rare(board, move)]
        [move] = rng.choices(moves, [weight(board, move, likes) for move in moves])
        if met is not None:
            met.update(kinds_of(board, move))
        board.push(move)
        # Half the positions keep the square of a double push nobody can answer, half don't.
        fens.append(board.fen(en_passant=rng.choice(("fen", "legal"))))
    return fens


def soak(seed: int) -> tuple[list[tuple[str, str]], Counter[str]]:
    """Play and judge one batch: the false alarms, and how many positions of what kind."""
    rng = random.Random(seed)
    chess960 = seed % 2 == 1
    fens: list[str] = []
    kinds: Counter[str] = Counter()
    while len(fens) < BATCH:
        fens += play(rng, chess960=chess960, met=kinds)
    alarms = []
    kinds.update({"positions": len(fens), "of Chess960": chess960 * len(fens)})
    for fen, bits in zip(fens, fp.validate(fens, chess960=chess960).to_pylist(), strict=True):
        wrong = Problem(bits) & (Problem.ILLEGAL | Problem.UNREACHABLE)
        wrong |= Problem(bits) & (Problem.CLOCK_CONTRADICTS_CHECK | Problem.CAPTURES_EXCEED_GAME)
        if wrong:
            alarms.append((fen, str(wrong)))
    return alarms, kinds


def main() -> int:
    """Run the soak."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--positions", type=int, default=5_000_000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    total: Counter[str] = Counter()
    alarms: list[tuple[str, str]] = []
    seeds = iter(range(arguments.seed, sys.maxsize))
    begun = time.monotonic()
    with ProcessPoolExecutor(arguments.processes) as pool:
        running = {pool.submit(soak, next(seeds)) for _ in range(arguments.processes)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                found, kinds = future.result()
                alarms += found
                total += kinds
                for fen, wrong in found[:5]:
                    print(f"false alarm: {fen}: {wrong}", flush=True)
                if total["positions"] < arguments.positions and not alarms:
                    running.add(pool.submit(soak, next(seeds)))
            minutes = (time.monotonic() - begun) / 60
            print(f"{dict(total)}, {len(alarms)} false alarms, {minutes:.1f} min", flush=True)
    return 1 if alarms else 0


if __name__ == "__main__":
    raise SystemExit(main())
