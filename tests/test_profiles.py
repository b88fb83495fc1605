"""What other programs accept: python-chess asked itself, the others by tables of what they did.

`FENPACK_ORACLE_ROWS` sets how many mutated rows python-chess is asked about; ``all`` asks about a
million. The tables follow the design notes, section 2: every input with the programs that take it.
"""

from __future__ import annotations

import os
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pytest

import fenpack as fp
from fenpack import Problem
from mutations import mutated
from oracle import compare_profile, everywhere, is_valid

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_ROWS = os.environ.get("FENPACK_ORACLE_ROWS", "60000")
ROWS = 1_000_000 if _ROWS == "all" else int(_ROWS)

PROFILES = ("python-chess", "shakmaty", "stockfish", "chess.js")
PLACEMENT = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
START = f"{PLACEMENT} w KQkq - 0 1"

# What a mutation alone seldom writes.
_ODD = (
    *("+5", "-0", "1_0", "_1", "005", "3+3", "1.5", "٥", "𝟗", "²", "4294967296", "99999999999x"),
    *("--", "-", "KKkk", "KQkqKQkq", "qkQK", "HAha", "GCgc", "KB", "Q", "q", "A", "K", "E", "KBQk"),
    *("~", "Q~", "K~", "44", "0", "_", "\u00a0", "\u3000", "\u0085", "\x1c", "\ufeff", "\t", "  "),
    *("a3", "e33", "e3", "[Qp]", "/Q", "/"),
)


def odd(fens: Sequence[str], count: int, seed: int) -> Iterator[str]:
    """Yield mutated rows, every third with something odd put in."""
    random = Random(seed)
    for fen in mutated(fens, count, seed):
        fields = fen.split(" ")
        at = random.randrange(len(fields))
        added = random.choice(_ODD)
        yield random.choice(
            (
                *(fen,) * 8,
                " ".join((*fields[:at], added, *fields[at:])),
                " ".join((*fields[:at], added, *fields[at + 1 :])),
                " ".join((*fields[:at], fields[at] + added, *fields[at + 1 :])),
                fen.replace(" ", added, 1),
                " ".join(fields[:at]),
            )
        )


@pytest.mark.parametrize("chess960", [False, True])
@pytest.mark.parametrize("rows", [mutated, odd])
def test_python_chess_itself(sample: list[str], rows: object, chess960: bool) -> None:
    fens = list(rows(sample, ROWS, seed=1112 + chess960))
    found = everywhere(compare_profile, chess960, fens)
    assert not found, (len(found), found[:10])


def accepting(fen: str, *, chess960: bool = False) -> str:
    """Name the programs that accept `fen` by their initials: p, s (shakmaty), S (Stockfish), c."""
    accepted = (
        fp.is_valid([fen], profile=profile, chess960=chess960)[0].as_py() for profile in PROFILES
    )
    return "".join(letter for letter, accepts in zip("psSc", accepted, strict=True) if accepts)


def start(**fields: str) -> str:
    """Give the start position's FEN with some fields changed."""
    own = {"board": PLACEMENT, "turn": "w", "rights": "KQkq", "ep": "-", "half": "0", "full": "1"}
    return " ".join((own | fields).values())


SHAPE = [
    (START, "psSc"),
    (f" {START}", "ps"),
    (f"{START} ", "psS"),
    (START.replace(" w", "  w"), "psc"),
    (START.replace(" K", "  K"), "psc"),
    (START.replace("q -", "q  -"), "psc"),
    (START.replace(" w", "\tw"), "pSc"),
    (f"{START}\n", "pS"),
    (START.replace(" ", "\u00a0"), "pc"),
    (START.replace(" ", "_"), "s"),
    ("", ""),
    ("   ", ""),
    (PLACEMENT, "ps"),
    (f"{PLACEMENT} b", "ps"),
    (f"{PLACEMENT} b KQkq", "psS"),
    (f"{PLACEMENT} w KQkq -", "psS"),
    (f"{PLACEMENT} w KQkq - 0", "psS"),
    (f"{START} 0", "S"),
    (f"{PLACEMENT} w KQkq - bm e4;", "S"),
    (f"{PLACEMENT} w - 0 1", ""),
    (f"{PLACEMENT} w  - 0 1", "S"),
    (f"\ufeff{START}", ""),
    (START.replace(" ", "\u0085"), "p"),
]
BOARD = [
    (start(board=PLACEMENT.replace("pppppppp", "ppppppp")), ""),
    (start(board=PLACEMENT.replace("pppppppp", "ppppppppp")), ""),
    (start(board=PLACEMENT.replace("/8/", "/", 1)), ""),
    ("4k3/8/8/4K3 w - - 0 1", ""),
    (start(board=PLACEMENT + "/8"), ""),
    (start(board=PLACEMENT + "/QPn"), "s"),
    (start(board=PLACEMENT + "/"), "s"),
    (start(board=PLACEMENT.replace("/", "")), ""),
    (start(board=PLACEMENT.replace("/8/", "/44/", 1)), "sS"),
    (start(board=PLACEMENT.replace("/8/", "/11111111/", 1)), "sS"),
    ("4k3/p0p6/8/8/8/8/8/4K3 w - - 0 1", "c"),
    ("4k3/p0p51/8/8/8/8/8/4K3 w - - 0 1", ""),
    ("4k3/80/8/8/8/8/8/4K3 w - - 0 1", ""),
    ("4k3/9/8/8/8/8/8/4K3 w - - 0 1", ""),
    ("4k3/8/8/3Q~4/8/8/8/4K3 b - - 0 30", "ps"),
    ("4k3/8/8/3Q~~4/8/8/8/4K3 b - - 0 30", ""),
    ("4k3/8/8/~8/8/8/8/4K3 b - - 0 30", ""),
    (start(board=PLACEMENT + "[QPn]"), "s"),
    (start(board=PLACEMENT + "[]"), "s"),
    (start(board=PLACEMENT + "[-]"), ""),
    ("4\u212a3/8/8/8/8/8/8/4k3 b - - 0 30", "p"),
    (start(board=PLACEMENT.replace("8", "\N{FULLWIDTH DIGIT EIGHT}", 1)), ""),
]
TURN = [(start(turn=turn), "") for turn in ("W", "B", "white", "-")]
CORNERS = "r3k2r/8/8/8/8/8/8/R3K2R"
CASTLING = [
    (start(rights="QKqk"), "psSc", "psSc"),
    (start(rights="kqKQ"), "sSc", "sSc"),
    (start(rights="qkQK"), "sSc", "sSc"),
    (start(rights="KKkk"), "psSc", "psSc"),
    (start(rights="KQkqKQkq"), "sc", "sc"),
    (start(rights="--"), "Sc", "Sc"),
    (start(rights="-KQ"), "c", "c"),
    (start(rights="K-"), "c", "c"),
    (start(rights="KX"), "", ""),
    ("r3k2r/8/8/8/8/8/8/4K3 w KQkq - 0 1", "Sc", "Sc"),
    ("4k3/8/8/8/8/8/8/4K3 w Q - 0 1", "pSc", "pSc"),
    ("4k3/8/8/8/8/8/8/4K3 w q - 0 1", "pSc", "pSc"),
    ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "Sc", "Sc"),
    ("4k3/8/8/8/8/8/8/4K3 w A - 0 1", "S", "S"),
    ("4k3/8/8/8/8/8/8/R2K3R w KQ - 0 1", "Sc", "psSc"),
    ("4k3/8/8/8/8/4K3/8/R6R w KQ - 0 1", "Sc", "Sc"),
    ("4k2r/8/8/8/8/8/8/4K2n w K - 0 1", "Sc", "Sc"),
    ("4k3/8/8/8/8/8/8/R3KRN1 w KQ - 0 1", "Sc", "psSc"),
    (f"{CORNERS} w HAha - 0 1", "psS", "psS"),
    ("1nr1k1r1/8/8/8/8/8/8/1NR1K1R1 w GCgc - 0 1", "S", "psS"),
    ("1nr1k1r1/8/8/8/8/8/8/1NR1K1R1 w KQkq - 0 1", "Sc", "psSc"),
    ("rr2k2r/8/8/8/8/8/8/RR2K2R w KBkb - 0 1", "S", "psS"),
    (f"{CORNERS} w KAkq - 0 1", "psS", "psS"),
    (f"{CORNERS} w E - 0 1", "S", "S"),
    ("rr2k2r/8/8/8/8/8/8/RR2K2R w KBQk - 0 1", "S", "S"),
    ("4k3/8/8/8/8/8/8/K6R w K - 0 1", "Sc", "psSc"),
]
EN_PASSANT = [
    *((start(ep=ep), "") for ep in ("E3", "e", "i9", "0")),
    (start(turn="b", ep="e33"), "S"),
    (start(ep="e4"), ""),
    (start(ep="a1"), ""),
    (start(ep="e3"), ""),
    ("rnbqkb1r/ppp3pp/3p1n2/3P4/8/2P5/PP3PPP/RNBQKB1R w KQkq e6 0 1", "Sc"),
    ("4k3/8/8/8/3pP3/8/4N3/4K3 b - e3 0 1", "Sc"),
    ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "psSc"),
    ("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", "psSc"),
    ("4k3/8/5N2/8/2pP4/8/8/4K3 b - d3 0 1", "Sc"),
    ("k7/8/8/3pP3/8/7n/5K2/8 w - d6 0 1", "Sc"),
    ("8/8/7k/8/4pP2/8/8/2B1K3 b - f3 0 1", "psSc"),
]
COUNTERS = [
    (start(half="-1"), ""),
    (start(half="+5"), "pSc"),
    (start(half="005"), "psSc"),
    (start(half="1_0"), "pSc"),
    (start(half="٥"), "pS"),
    (start(half="1.5"), "Sc"),
    (start(half="12abc"), "Sc"),
    (start(half="abc"), "S"),
    (start(half="-"), "S"),
    (f"{PLACEMENT} w KQkq - 3+3 0 1", "sS"),
    (f"{START} +0+0", "sS"),
    *((start(half=half), "psSc") for half in ("100", "101", "150", "5000", "32767")),
    (start(half="32768"), "psc"),
    (start(half="99999999999"), "psc"),
    (start(full="0"), "psS"),
    (start(full="-1"), ""),
    (start(full="abc"), "S"),
    (start(full="70000"), "psSc"),
    (start(full="100001"), "psc"),
]
POSITION = [
    ("8/8/8/8/8/8/8/8 w - - 0 1", ""),
    ("4k3/8/8/8/8/8/8/8 w - - 0 1", ""),
    ("8/8/8/8/8/8/8/2K1K3 w - - 0 1", ""),
    ("4k3/8/8/8/8/8/8/2K1K3 w - - 0 1", ""),
    ("8/8/8/8/8/8/5kK1/8 w - - 0 1", "c"),
    ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "c"),
    ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", ""),
    ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "c"),
    ("4k3/8/8/8/8/NNNNNNNN/QQQQQQQQ/RRRRKRRR b - - 0 1", "c"),
    ("4k3/8/8/8/8/8/PPPPPPPP/QQQQKQQQ w - - 0 1", "pc"),
    ("4k3/8/8/8/8/8/PPPPPPPP/1B1BK3 w - - 0 1", "pSc"),
    ("1k1q1r2/8/8/6n1/8/5Kq1/8/8 w - - 0 1", "Sc"),
    ("8/8/8/8/8/4K3/8/R3k2R b - - 0 1", "Sc"),
    ("8/8/N7/2k5/N7/8/8/3K4 b - - 0 1", "pSc"),
    ("8/8/8/2k5/1P1P4/8/8/3K4 b - - 0 1", "pSc"),
    ("8/8/8/4k3/8/2B3B1/8/3K4 b - - 0 1", "psSc"),
]


@pytest.mark.parametrize(
    ("fen", "programs"), [*SHAPE, *BOARD, *TURN, *EN_PASSANT, *COUNTERS, *POSITION]
)
def test_tables(fen: str, programs: str) -> None:
    assert accepting(fen) == programs
    assert ("p" in programs) == is_valid(fen, chess960=False)


@pytest.mark.parametrize(("fen", "standard", "chess960"), CASTLING)
def test_castling_table(fen: str, standard: str, chess960: str) -> None:
    assert accepting(fen) == standard
    assert accepting(fen, chess960=True) == chess960
    assert ("p" in standard) == is_valid(fen, chess960=False)
    assert ("p" in chess960) == is_valid(fen, chess960=True)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("chess960", [False, True])
def test_positions_are_judged_by_their_text(
    sample: list[str], profile: str, chess960: bool
) -> None:
    rows = [*sample[:5000], *odd(sample, 20_000, seed=8)]
    positions = fp.parse(rows, chess960=chess960).drop_null()
    from_text = fp.is_valid(fp.format(positions), profile=profile, chess960=chess960)
    assert fp.is_valid(positions, profile=profile).equals(from_text)


def test_positions_that_no_text_gives() -> None:
    position = fp.parse([START]).to_numpy(writable=True)
    for field, value, programs in (
        ("castling", [255, 0], ""),
        ("castling", [0b1001_0001, 0], "S"),
        ("halfmove", 65535, "psc"),
        ("fullmove", 0, "psS"),
        ("en_passant", 8, ""),
    ):
        changed = np.copy(position)
        changed[field][0] = value
        accepted = "".join(
            letter
            for letter, profile in zip("psSc", PROFILES, strict=True)
            if fp.is_valid(changed, profile=profile)[0].as_py()
        )
        assert accepted == programs, (field, value)
        assert accepting(fp.format(changed)[0].as_py()) == programs


@pytest.mark.parametrize("profile", PROFILES)
def test_columns(sample: list[str], profile: str) -> None:
    rows = [None, *odd(sample, 3000, seed=3)]
    expected = fp.is_valid(rows, profile=profile)
    assert expected.null_count == 1
    text = pa.array(rows)
    chunked = pa.chunked_array([text.slice(0, 700), text.slice(700)])
    assert fp.is_valid(chunked, profile=profile).combine_chunks().equals(expected)
    for other in (text.cast(pa.large_string()), text.cast(pa.binary()), text.dictionary_encode()):
        assert fp.is_valid(other, profile=profile).equals(expected)
    with pytest.raises(ValueError, match="row 1 is no packed position"):
        fp.is_valid(pa.array([None, b"\xff" * 40], pa.binary(40)), profile=profile)


def test_wrong_use() -> None:
    with pytest.raises(ValueError, match='profile must be one of "python-chess", "shakmaty"'):
        fp.is_valid([START], profile="scalachess")
    for option in ({"level": "syntax"}, {"level": "reachable"}, {"strict": True}):
        with pytest.raises(ValueError, match="profile goes with neither level nor strict"):
            fp.is_valid([START], profile="shakmaty", **option)
    assert fp.is_valid([START], profile="shakmaty", level="legal").to_pylist() == [True]


def test_reachable(sample: list[str]) -> None:
    rows = [*sample[:2000], *mutated(sample, 20_000, seed=4)]
    problems = fp.validate(rows).to_numpy()
    readable = fp.is_valid(rows, level="syntax").to_numpy(zero_copy_only=False)
    reachable = fp.is_valid(rows, level="reachable").to_numpy(zero_copy_only=False)
    refused = (Problem.ILLEGAL | Problem.UNREACHABLE).value
    assert (reachable == readable & (problems & refused == 0)).all()
    legal = fp.is_valid(rows).to_numpy(zero_copy_only=False)
    assert 0 < reachable.sum() < legal.sum()
    positions = fp.parse(rows).drop_null()
    assert fp.is_valid(positions, level="reachable").equals(
        pa.array(reachable).filter(pa.array(readable))
    )
    assert fp.is_valid([START.replace(" w ", " b ")], level="reachable").to_pylist() == [False]


def test_masks_are_near(sample: list[str]) -> None:
    """Clean text passes the mask where the program accepts it, but for the exceptions named."""
    rows = pa.array(mutated(sample, 20_000, seed=12))
    rows = rows.filter(fp.is_valid(rows, level="syntax", strict=True))
    problems = fp.validate(rows).to_numpy()
    for profile, mask, most in (
        ("python-chess", Problem.PYTHON_CHESS, 0.01),
        ("shakmaty", Problem.SHAKMATY, 0.0),
        ("stockfish", Problem.STOCKFISH, 0.01),
    ):
        accepted = fp.is_valid(rows, profile=profile).to_numpy(zero_copy_only=False)
        differ = accepted != (problems & mask.value == 0)
        assert differ.mean() <= most, profile
        # A mask may refuse what the program lets pass, never the other way round.
        assert not (differ & ~accepted).any()
