"""What python-chess says of a FEN, in fenpack's codes.

python-chess (GPL) is a test oracle only. Version 1.11.2 differs from the rules on purpose or by
accident in a few stated places; `known_differences` names them, so that every other difference is
a failure.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from typing import TYPE_CHECKING

import chess

import fenpack as fp
from fenpack import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_STATUS = {
    chess.STATUS_NO_WHITE_KING: Problem.NO_WHITE_KING,
    chess.STATUS_NO_BLACK_KING: Problem.NO_BLACK_KING,
    chess.STATUS_TOO_MANY_WHITE_PAWNS: Problem.WHITE_PAWNS_GT_8,
    chess.STATUS_TOO_MANY_BLACK_PAWNS: Problem.BLACK_PAWNS_GT_8,
    chess.STATUS_PAWNS_ON_BACKRANK: Problem.PAWN_ON_BACK_RANK,
    chess.STATUS_TOO_MANY_WHITE_PIECES: Problem.WHITE_MEN_GT_16,
    chess.STATUS_TOO_MANY_BLACK_PIECES: Problem.BLACK_MEN_GT_16,
    chess.STATUS_OPPOSITE_CHECK: Problem.OPPOSITE_CHECK,
    chess.STATUS_EMPTY: Problem.BOARD_EMPTY,
    chess.STATUS_TOO_MANY_CHECKERS: Problem.TOO_MANY_CHECKERS,
    chess.STATUS_IMPOSSIBLE_CHECK: Problem.IMPOSSIBLE_CHECK,
}

KINGS = Problem.EXTRA_WHITE_KING | Problem.EXTRA_BLACK_KING
CASTLING = Problem.CASTLING_IMPOSSIBLE | Problem.CASTLING_NEEDS_960
EN_PASSANT = Problem.EP_WRONG_RANK | Problem.EP_NO_PAWN | Problem.EP_OCCUPIED
CHECKS = Problem.OPPOSITE_CHECK | Problem.TOO_MANY_CHECKERS | Problem.IMPOSSIBLE_CHECK

#: Codes that python-chess sees too, one bit for each of its own.
COMPARED = Problem(0)
for _problem in _STATUS.values():
    COMPARED |= _problem


@dataclass(frozen=True, slots=True)
class Verdict:
    """One row's comparison: what fenpack should say and what python-chess writes."""

    problems: Problem
    castling_bad: bool
    ep_invalid: bool
    too_many_kings: bool
    fen: str
    differences: frozenset[str]


def verdict(fen: str, *, chess960: bool = False) -> Verdict | None:
    """Ask python-chess about `fen`; None if it cannot be read."""
    try:
        board = chess.Board(fen, chess960=chess960)
    except ValueError:
        return None
    status = board.status()
    problems = Problem(0)
    for flag, problem in _STATUS.items():
        if status & flag:
            problems |= problem
    return Verdict(
        problems=problems,
        castling_bad=bool(status & chess.STATUS_BAD_CASTLING_RIGHTS),
        ep_invalid=bool(status & chess.STATUS_INVALID_EP_SQUARE),
        too_many_kings=bool(status & chess.STATUS_TOO_MANY_KINGS),
        fen=board.fen(en_passant="legal"),
        differences=frozenset(_known_differences(board, fen.split()[2])),
    )


def _known_differences(board: chess.Board, castling: str) -> set[str]:
    found = set()
    # 1.11.2 picks one of several kings; fenpack, like the unreleased version, judges no check
    # against a side without exactly one, and lets none of its rights hold.
    if any(len(board.pieces(chess.KING, color)) > 1 for color in chess.COLORS):
        found.add("several kings")
    # 1.11.2 forgets a lone Q or q where that side has no rook on its back rank.
    for letter, color, rank in (
        ("Q", chess.WHITE, chess.BB_RANK_1),
        ("q", chess.BLACK, chess.BB_RANK_8),
    ):
        if letter in castling and not board.pieces_mask(chess.ROOK, color) & rank:
            found.add("lone queenside right")
    # 1.11.2 lets two men that only check by moving give check together.
    checkers = board.checkers_mask()
    steppers = board.pawns | board.knights | board.kings
    if checkers.bit_count() == 2 and not checkers & ~steppers:
        found.add("two steppers")
    return found


def disagreements(
    fen: str, problems: int, canonical: str | None, *, chess960: bool = False
) -> list[str]:
    """Name what fenpack's `problems` and `canonical` text of `fen` get wrong by the oracle."""
    expected = verdict(fen, chess960=chess960)
    if expected is None or canonical is None:
        return []
    found = Problem(problems)
    known = expected.differences
    wrong = []
    compared = COMPARED
    if "several kings" in known:
        compared &= ~CHECKS
    if "two steppers" in known:
        compared &= ~Problem.IMPOSSIBLE_CHECK
        if not expected.problems & Problem.IMPOSSIBLE_CHECK and not (
            found & Problem.IMPOSSIBLE_CHECK or "several kings" in known
        ):
            wrong.append("two steppers not flagged")
    if (found ^ expected.problems) & compared:
        wrong.append(f"codes {found & compared!r}, oracle {expected.problems & compared!r}")
    if expected.too_many_kings and not found & KINGS:
        wrong.append("too many kings not flagged")
    if bool(found & EN_PASSANT) != expected.ep_invalid:
        wrong.append("en passant validity")
    exempt = bool(known & {"lone queenside right", "several kings"})
    if bool(found & CASTLING) != expected.castling_bad and not exempt:
        wrong.append("castling validity")
    if not expected.ep_invalid and canonical != expected.fen and "several kings" not in known:
        wrong.append(f"canonical {canonical!r}, oracle {expected.fen!r}")
    return wrong


#: python-chess refuses these, which fenpack repairs.
ONLY_FENPACK_READS = (
    Problem.ADJACENT_DIGITS
    | Problem.CASTLING_ORDER  # Black's rights before White's
    | Problem.CASTLING_DUPLICATE  # more than two letters for a side
    | Problem.BAD_TURN  # W and B
    | Problem.WHITESPACE  # underscores, byte order mark
    | Problem.EPD_OPERATIONS
)
#: python-chess accepts these, which are not FEN.
ONLY_PYTHON_CHESS_READS = (
    Problem.BAD_HALFMOVE  # +5, -0, 1_0, other scripts' digits
    | Problem.BAD_FULLMOVE
    | Problem.COUNTER_OVERFLOW
    | Problem.VARIANT_SYNTAX  # ~
    | Problem.NON_ASCII  # the Kelvin sign as a king, no-break space between fields
    | Problem.FIELD_COUNT  # one to three fields
)


def compare(chess960: bool, fens: Sequence[str]) -> list[tuple[str, str]]:
    """Name every disagreement over `fens`."""
    problems = fp.validate(fens, chess960=chess960).to_pylist()
    canonical = fp.canonicalize(fens, chess960=chess960).to_pylist()
    return [
        (fen, wrong)
        for fen, bits, text in zip(fens, problems, canonical, strict=True)
        for wrong in disagreements(fen, bits, text, chess960=chess960)
    ]


def compare_reading(chess960: bool, fens: Sequence[str]) -> list[tuple[str, str]]:
    """Name every row that only one of the two reads, without a stated reason."""
    problems = fp.validate(fens, chess960=chess960).to_pylist()
    readable = fp.is_valid(fens, level="syntax", chess960=chess960).to_pylist()
    found = []
    for fen, bits, ours in zip(fens, problems, readable, strict=True):
        theirs = verdict(fen, chess960=chess960) is not None
        reasons = ONLY_FENPACK_READS if ours else ONLY_PYTHON_CHESS_READS
        if ours != theirs and not bits & reasons:
            found.append((fen, f"fenpack {ours}, python-chess {theirs}: {Problem(bits)!r}"))
    return found


def compare_profile(chess960: bool, fens: Sequence[str]) -> list[tuple[str, str]]:
    """Name every row that python-chess takes and its profile does not, or the other way round."""
    ours = fp.is_valid(fens, profile="python-chess", chess960=chess960).to_pylist()
    theirs = [is_valid(fen, chess960=chess960) for fen in fens]
    assert 0 < sum(theirs) < len(fens)
    return [
        (fen, f"profile {our}, python-chess {their}")
        for fen, our, their in zip(fens, ours, theirs, strict=True)
        if our != their
    ]


def is_valid(fen: str, *, chess960: bool) -> bool:
    """Tell whether python-chess reads `fen` and calls it valid."""
    try:
        return chess.Board(fen, chess960=chess960).is_valid()
    except ValueError:
        return False


SLICE = 20_000


def everywhere(
    compare: Callable[[bool, Sequence[str]], list[tuple[str, str]]], chess960: bool, fens: list[str]
) -> list[tuple[str, str]]:
    """Run `compare`, a function of this module, over `fens` on all cores."""
    slices = [fens[start : start + SLICE] for start in range(0, len(fens), SLICE)]
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        return [row for rows in pool.map(partial(compare, chess960), slices) for row in rows]
