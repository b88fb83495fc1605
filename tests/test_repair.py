"""The safe repairs, each reported, and the unsafe ones refused."""

from __future__ import annotations

import pyarrow as pa
import pytest

import fenpack as fp
from fenpack import Problem
from mutations import mutated
from test_profiles import odd

PLACEMENT = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
START = f"{PLACEMENT} w KQkq - 0 1"
KINGS = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"


def repaired(fen: str, *, chess960: bool = False) -> tuple[str, list[str]] | None:
    """Give the repaired text and the names of the repairs, or None where there is none."""
    row = fp.repair([fen], chess960=chess960)
    assert row.type == pa.struct([("fen", pa.string()), ("repairs", pa.uint64())])
    if not row[0].is_valid:
        return None
    return row.field("fen")[0].as_py(), fp.problem_names(row.field("repairs"))[0].as_py()


SAFE = [
    (START, START, []),
    (f" {START}", START, ["whitespace"]),
    (f"{START}\r\n", START, ["whitespace"]),
    (f"\ufeff{START}", START, ["whitespace"]),
    (START.replace(" w", " \t w"), START, ["whitespace"]),
    (START.replace(" ", "_"), START, ["whitespace"]),
    (START.replace("/8/", "/44/", 1), START, ["adjacent_digits"]),
    (START.replace("/8/", "/11111111/", 1), START, ["adjacent_digits"]),
    (START.replace(" w ", " W "), START, ["bad_turn"]),
    (START.replace("KQkq", "qkQK"), START, ["castling_order"]),
    (START.replace("KQkq", "KKQkq"), START, ["castling_duplicate"]),
    (START.replace("KQkq", "HAha"), START, ["castling_shredder"]),
    (f"{PLACEMENT} w KQkq -", START, ["field_count"]),
    (f"{PLACEMENT} w KQkq - 3", f"{PLACEMENT} w KQkq - 3 1", ["field_count"]),
    (START.replace("0 1", "0 0"), START, ["fullmove_zero"]),
    (START.replace("0 1", "007 01"), START.replace("0 1", "7 1"), ["counter_format"]),
    (f"{PLACEMENT} w KQkq - bm e4;", START, ["epd_operations"]),
    (
        f"{PLACEMENT} w KQkq - hmvc 4; fmvn 9;",
        f"{PLACEMENT} w KQkq - 4 9",
        ["epd_operations"],
    ),
    (KINGS.replace("w -", "w Kq"), KINGS, ["castling_impossible"]),
    (
        "4k3/8/8/8/8/8/8/3K3R w K - 0 1",
        "4k3/8/8/8/8/8/8/3K3R w - - 0 1",
        ["castling_needs_960"],
    ),
    (KINGS.replace("- 0", "e4 0"), KINGS, ["ep_wrong_rank"]),
    (KINGS.replace("- 0", "e6 0"), KINGS, ["ep_no_pawn"]),
    (
        "4k3/8/8/8/3pP3/8/4N3/4K3 b - e3 0 1",
        "4k3/8/8/8/3pP3/8/4N3/4K3 b - - 0 1",
        ["ep_occupied"],
    ),
]


@pytest.mark.parametrize(("fen", "text", "names"), SAFE)
def test_safe(fen: str, text: str, names: list[str]) -> None:
    assert repaired(fen) == (text, names)


def test_chess960() -> None:
    fen = "rr2k2r/8/8/8/8/8/8/RR2K2R w {} - 0 1"
    assert repaired(fen.format("KBkb"), chess960=True) == (fen.format("KBkb"), [])
    assert repaired(fen.format("HBhb"), chess960=True) == (
        fen.format("KBkb"),
        ["castling_shredder"],
    )
    assert repaired(fen.format("KBkb")) == (fen.format("Kk"), ["castling_needs_960"])


def test_all_at_once() -> None:
    assert repaired("4k3/8/8/8/44/8/8/4K2R W HKa E6".replace("E6", "e6")) == (
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        [
            "field_count",
            "adjacent_digits",
            "bad_turn",
            "castling_duplicate",
            "castling_impossible",
            "ep_no_pawn",
            "castling_shredder",
        ],
    )


@pytest.mark.parametrize(
    "fen",
    [
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
        "8/8/8/8/8/8/5kK1/8 w - - 0 1",
        "8/8/8/8/8/8/8/8 b - - 65535 65535",
        "4k3/8/8/8/8/8/PPPPPPPP/QQQQKQQQ w - - 200 1",
    ],
)
def test_what_is_no_repair(fen: str) -> None:
    """Superfluous squares and illegal or impossible positions stay as they are."""
    assert repaired(fen) == (fen, [])


UNSAFE = {
    "side to move": [PLACEMENT, "8/1k6/8/K7/4Q3/r7/8/8", START.replace(" w ", " x ")],
    "castling from home squares": [
        f"{PLACEMENT} w",
        START.replace(" KQkq", ""),
        f"{PLACEMENT} w ? - 0 1",
    ],
    "missing en passant": [f"{PLACEMENT} w KQkq"],
    "padding or cutting ranks": [
        START.replace("pppppppp", "ppppppp"),
        START.replace("pppppppp", "ppppppppp"),
        START.replace("/8/", "/7/", 1),
        START.replace("/8", "", 1),
    ],
    "a ninth rank": [f"{PLACEMENT}/QPn w KQkq - 0 1", f"{PLACEMENT}/ w KQkq - 0 1"],
    "look-alikes": [
        START.replace("/8/", "/80/", 1),
        START.replace("/8/", "/9/", 1),
        START.replace("K", "\u212a", 1),
        START.replace("8", "\N{FULLWIDTH DIGIT EIGHT}", 1),
        START.replace(" ", "\u00a0"),
    ],
    "odd numbers": [
        START.replace("0 1", f"{number} 1") for number in ("+5", "1_0", "1.5", "٥", "-1", "-")
    ],
    "clamping": [START.replace("0 1", "65536 1"), START.replace("0 1", "0 99999999999")],
    "a dash for a counter": [START.replace("0 1", "- -")],
    "a seventh field": [f"{START} 0", f"{START} +0+0"],
    "missing separators": [START.replace("/", "")],
    "upper-case en passant": ["rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq E3 0 1"],
    "pieces of variants": ["4k3/8/8/3Q~4/8/8/8/4K3 b - - 0 30", f"{PLACEMENT}[Q] w KQkq - 0 1"],
    "three rights for a side": ["rr2k2r/8/8/8/8/8/8/RR2K2R w KBQk - 0 1"],
    "nothing": ["", "  "],
}


@pytest.mark.parametrize("fen", [fen for fens in UNSAFE.values() for fen in fens])
def test_unsafe_is_refused(fen: str) -> None:
    for chess960 in (False, True):
        assert repaired(fen, chess960=chess960) is None
    assert fp.explain(fen).repaired is None


def test_unsafe_that_would_change_a_readable_row() -> None:
    # No square is moved or added, no right guessed, no side flipped, no board turned, no
    # standard row taken as Chess960, no counter swapped.
    assert repaired(START.replace("KQkq -", "KQkq e5")) == (START, ["ep_wrong_rank"])
    assert repaired(START.replace("KQkq", "-")) == (START.replace("KQkq", "-"), [])
    flipped = "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"
    assert repaired(flipped) == (flipped, [])
    turned = f"{PLACEMENT[::-1]} w - - 0 1"
    assert repaired(turned) == (turned, [])
    array = "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1"
    assert repaired(array) == (array.replace("KQkq", "-"), ["castling_needs_960"])
    swapped = START.replace("0 1", "30 2")
    assert repaired(swapped) == (swapped, [])
    pushed = "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3"
    assert repaired(pushed) == (pushed, [])


@pytest.mark.parametrize("chess960", [False, True])
def test_invariants(sample: list[str], chess960: bool) -> None:
    rows = [*sample[:10_000], *mutated(sample, 30_000, seed=53), *odd(sample, 30_000, seed=54)]
    result = fp.repair(rows, chess960=chess960)
    fens, repairs = result.field("fen"), result.field("repairs")
    assert result.is_valid().equals(fp.is_valid(rows, level="syntax", chess960=chess960))
    assert fens.equals(fp.canonicalize(rows, en_passant="keep", chess960=chess960))
    mended = 0
    for row, fen, bits in zip(rows, fens.to_pylist(), repairs.to_pylist(), strict=True):
        assert (bits == 0) == (fen == row) if fen is not None else bits is None
        mended += bool(bits)
    assert mended > 5000
    known = fens.drop_null()
    assert fp.parse(known, dialect="fen", chess960=chess960).null_count == 0
    left = fp.validate(known, chess960=chess960).to_numpy()
    assert not (left & repairs.drop_null().to_numpy()).any()
    again = fp.repair(known, chess960=chess960)
    assert again.field("fen").equals(known)
    assert not again.field("repairs").to_numpy().any()


@pytest.mark.parametrize("chess960", [False, True])
def test_explain_repairs_the_same(sample: list[str], chess960: bool) -> None:
    for fen in odd(sample, 3000, seed=55):
        row = fp.repair([fen], chess960=chess960)
        text = row.field("fen")[0].as_py()
        diagnosis = fp.explain(fen, chess960=chess960)
        assert diagnosis.repaired == (None if text == fen else text)
        if text is not None:
            bits = Problem(row.field("repairs")[0].as_py())
            assert bits in diagnosis.problems


def test_columns(sample: list[str]) -> None:
    rows = [None, *odd(sample, 3000, seed=56), None]
    expected = fp.repair(rows)
    assert expected[0].as_py() is None
    text = pa.array(rows)
    chunked = pa.chunked_array([text.slice(0, 700), text.slice(700)])
    result = fp.repair(chunked)
    assert result.num_chunks == 2
    assert result.combine_chunks().equals(expected)
    assert fp.repair(text.slice(13, 500)).equals(expected.slice(13, 500))
    for other in (text.cast(pa.binary()), text.dictionary_encode(), text.cast(pa.string_view())):
        assert fp.repair(other).equals(expected)
    large = fp.repair(text.cast(pa.large_string()))
    assert large.type.field("fen").type == pa.large_string()
    assert large.cast(expected.type).equals(expected)
    assert fp.repair([]).to_pylist() == []
    with pytest.raises(TypeError, match="fens"):
        fp.repair(fp.parse([START]))
