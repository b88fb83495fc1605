"""Slow and plain versions of three reachability rules, to hold the fast ones against.

Nothing here shares code, tables or board representation with fenpack: a board is a dict from
``(file, rank)``, both 0 to 7, to a piece letter. Pawns are matched to files by trying every map;
the last move is taken back by writing down every earlier board.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

Square = tuple[int, int]
Board = dict[Square, str]

STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
LEAPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
RAYS = {"b": DIAGONAL, "r": STRAIGHT, "q": STRAIGHT + DIAGONAL}
STEPS = {"n": LEAPS, "k": STRAIGHT + DIAGONAL}
SQUARES = [(file, rank) for rank in range(8) for file in range(8)]


def board_of(placement: str) -> Board:
    """Read a piece placement."""
    board = {}
    for rank, row in zip(range(7, -1, -1), placement.split("/"), strict=True):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                board[file, rank] = letter
                file += 1
    return board


def placement_of(board: Board) -> str:
    """Write a piece placement."""
    rows = []
    for rank in range(7, -1, -1):
        row = "".join(board.get((file, rank), ".") for file in range(8))
        for empty in range(8, 0, -1):
            row = row.replace("." * empty, str(empty))
        rows.append(row)
    return "/".join(rows)


def is_of(letter: str | None, side: str) -> bool:
    """Whether `letter` is a man of `side`, ``"w"`` or ``"b"``."""
    return letter is not None and letter.isupper() == (side == "w")


def other(side: str) -> str:
    """Give the other side."""
    return "b" if side == "w" else "w"


def forward(side: str) -> int:
    """Give the direction in which pawns of `side` advance."""
    return 1 if side == "w" else -1


def reached(board: Board, square: Square, kind: str) -> Iterator[Square]:
    """Give the squares, empty or not, that a piece of lower-case `kind` on `square` reaches."""
    file, rank = square
    for x, y in STEPS.get(kind, ()):
        if 0 <= file + x < 8 and 0 <= rank + y < 8:
            yield file + x, rank + y
    for x, y in RAYS.get(kind, ()):
        for far in range(1, 8):
            target = file + x * far, rank + y * far
            if not (0 <= target[0] < 8 and 0 <= target[1] < 8):
                break
            yield target
            if target in board:
                break


def is_attacked(board: Board, square: Square, by: str) -> bool:
    """Whether a man of `by` attacks `square`."""
    file, rank = square
    for side in (-1, 1):
        letter = board.get((file + side, rank - forward(by)))
        if letter in ("P", "p") and is_of(letter, by):
            return True
    return any(
        is_of(board.get(target), by) and board[target].lower() == kind
        for kind in "nbrqk"
        for target in reached(board, square, kind)
    )


def king_of(board: Board, side: str) -> Square:
    """Give the square of the only king of `side`."""
    [square] = [s for s, letter in board.items() if letter == ("K" if side == "w" else "k")]
    return square


def fits_material(board: Board, side: str) -> bool:
    """Whether pawns and promoted men of `side` are eight at most (rule 4.1)."""
    count = dict.fromkeys("pnrqk", 0) | {"light": 0, "dark": 0}
    for (file, rank), letter in board.items():
        if is_of(letter, side):
            kind = letter.lower()
            count[kind if kind != "b" else ("light", "dark")[(file + rank + 1) % 2]] += 1
    promoted = sum(
        max(0, count[kind] - least)
        for kind, least in (("q", 1), ("r", 2), ("n", 2), ("light", 1), ("dark", 1))
    )
    return count["p"] + promoted <= 8


def men(board: Board, side: str) -> int:
    """Count the men of `side`."""
    return sum(is_of(letter, side) for letter in board.values())


# Rules 4.2 and 4.3


def fewest_captures(pawns: tuple[Square, ...]) -> int | None:
    """Give the least captures that bring pawns from different files to `pawns`.

    The second coordinate is how many ranks a pawn has advanced.
    """

    @cache
    def fewest(rest: tuple[Square, ...], homes: frozenset[int]) -> int | None:
        if not rest:
            return 0
        (file, advanced), *later = rest
        best = None
        for home in homes:
            if abs(file - home) <= advanced:
                others = fewest(tuple(later), homes - {home})
                if others is not None and (best is None or others + abs(file - home) < best):
                    best = others + abs(file - home)
        return best

    return fewest(pawns, frozenset(range(8)))


def pawn_codes(board: Board) -> set[str]:
    """Give the codes of rules 4.2 and 4.3."""
    codes = set()
    for side in "wb":
        letter, second = ("P", 1) if side == "w" else ("p", 6)
        pawns = [(file, abs(rank - second)) for (file, rank), man in board.items() if man == letter]
        fewest = fewest_captures(tuple(pawns))
        if fewest is None:
            codes.add("pawn_structure")
        elif fewest > 16 - men(board, other(side)):
            codes.add("pawn_captures")
    return codes


# Rule 4.8


def moved(board: Board, start: Square, end: Square, letter: str | None = None) -> Board:
    """Give the board with the man on `end` back on `start`, as `letter` if it has changed."""
    earlier = dict(board)
    earlier[start] = letter or earlier[end]
    del earlier[end]
    return earlier


def with_capture(earlier: Board, square: Square, side: str) -> Iterator[Board]:
    """Give the boards on which a man of `side` stood on `square` to be captured."""
    if men(earlier, side) >= 16:
        return
    for kind in "pnbrq":
        if kind == "p" and square[1] in (0, 7):
            continue
        board = earlier | {square: kind.upper() if side == "w" else kind}
        if fits_material(board, side):
            yield board


def pawn_retractions(board: Board, end: Square, mover: str) -> Iterator[Board]:
    """Give the boards before a pawn came to `end`, as a pawn or to promote there."""
    file, rank = end
    ahead = forward(mover)
    first = 0 if mover == "w" else 7
    pawn = "P" if mover == "w" else "p"
    single, double = (file, rank - ahead), (file, rank - 2 * ahead)
    if single[1] != first and single not in board:
        yield moved(board, single, end, pawn)
        if double[1] == first + ahead and double not in board:
            yield moved(board, double, end, pawn)
    for start in ((file - 1, rank - ahead), (file + 1, rank - ahead)):
        if 0 <= start[0] < 8 and start[1] != first and start not in board:
            yield from with_capture(moved(board, start, end, pawn), end, other(mover))


def en_passant_retractions(board: Board, end: Square, mover: str) -> Iterator[Board]:
    """Give the boards before the pawn on `end` captured en passant."""
    file, rank = end
    ahead = forward(mover)
    if rank != (5 if mover == "w" else 2):
        return
    taken = (file, rank - ahead)
    if taken in board or (file, rank + ahead) in board or men(board, other(mover)) >= 16:
        return
    for start in ((file - 1, rank - ahead), (file + 1, rank - ahead)):
        if 0 <= start[0] < 8 and start not in board:
            earlier = moved(board, start, end)
            earlier[taken] = "p" if mover == "w" else "P"
            if fits_material(earlier, other(mover)):
                yield earlier


def castling_retractions(board: Board, mover: str, chess960: bool) -> Iterator[Board]:
    """Give the boards before `mover` castled."""
    rank = 0 if mover == "w" else 7
    king, rook = ("K", "R") if mover == "w" else ("k", "r")
    for king_to, rook_to in ((6, 5), (2, 3)):
        if board.get((king_to, rank)) != king or board.get((rook_to, rank)) != rook:
            continue
        bare = {s: m for s, m in board.items() if s not in ((king_to, rank), (rook_to, rank))}
        for king_from in range(1, 7) if chess960 else (4,):
            if chess960:
                rooks = range(king_from + 1, 8) if king_to == 6 else range(king_from)
            else:
                rooks = (7,) if king_to == 6 else (0,)
            for rook_from in rooks:
                travelled = {
                    *range(min(king_from, king_to), max(king_from, king_to) + 1),
                    *range(min(rook_from, rook_to), max(rook_from, rook_to) + 1),
                }
                if not any((file, rank) in bare for file in travelled):
                    yield bare | {(king_from, rank): king, (rook_from, rank): rook}


def retractions(
    board: Board, mover: str, unmoved: set[Square], chess960: bool
) -> Iterator[tuple[Board, bool]]:
    """Give each board before the last move and whether that was neither pawn move nor capture.

    `unmoved` are the king and rooks of `mover` that hold a castling right.
    """
    if not unmoved:
        for earlier in castling_retractions(board, mover, chess960):
            yield earlier, True
    last = 7 if mover == "w" else 0
    for end, letter in board.items():
        if not is_of(letter, mover) or end in unmoved:
            continue
        kind = letter.lower()
        if kind == "p":
            for earlier in pawn_retractions(board, end, mover):
                yield earlier, False
            for earlier in en_passant_retractions(board, end, mover):
                yield earlier, False
            continue
        for start in reached(board, end, kind):
            if start not in board:
                earlier = moved(board, start, end)
                yield earlier, True
                for before in with_capture(earlier, end, other(mover)):
                    yield before, False
        if kind != "k" and end[1] == last:
            for earlier in pawn_retractions(board, end, mover):
                if fits_material(earlier, mover):
                    yield earlier, False


def last_move_codes(
    board: Board, turn: str, rights: dict[str, set[int]], chess960: bool, halfmove: int
) -> set[str]:
    """Give the codes of rule 4.8 for a position without en passant square.

    `rights` are the files of the rooks that hold a castling right.
    """
    mover = other(turn)
    king = king_of(board, turn)
    if not is_attacked(board, king, mover):
        return set()
    rank = 0 if mover == "w" else 7
    unmoved = {(file, rank) for file in rights[mover]}
    if unmoved:
        unmoved.add(king_of(board, mover))
    found = False
    for earlier, quiet in retractions(board, mover, unmoved, chess960):
        if not is_attacked(earlier, king, mover):
            if quiet or not halfmove:
                return set()
            found = True
    return {"clock_contradicts_check"} if found else {"no_last_move"}
