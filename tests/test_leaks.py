"""Ten thousand calls of every native function, of its errors too, hold no memory."""

from __future__ import annotations

import ctypes
import gc
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest

from fenpack import _native
from hostile import HOSTILE
from texts import START

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CALLS = 10_000

TEXTS = pa.array([START, START.replace(" 0 1", ""), None, "r3k2r/8/8/3pP3/8/8/8/R3K2R w HA d6"])
HOPELESS = pa.array([text for text, _ in HOSTILE.values() if len(text) < 100], pa.binary())
POSITIONS = _native.parse(TEXTS, "lenient", False, False)[0]
MALFORMED = pa.array([b"\xff" * 40], pa.binary(40))
ROWS = len(TEXTS)
STATE = ("legal", False)
BLACK = np.zeros(ROWS, np.bool_)


def room(width: int, dtype: str) -> Callable[[int], Any]:
    """Give what makes the array of a number of rows."""
    return lambda rows: np.zeros(rows * width, dtype)


def numbers(width: int, dtype: str) -> Any:
    return np.zeros(ROWS * width, dtype)


PLANES = [[13 * square + class_ for square in range(64)] for class_ in [*range(1, 13), 0]]
TABLE = [[-float(class_)] * 64 for class_ in range(13)]
SCORES = pa.array(np.arange(2 * 832, dtype=np.float32) % 7)
NOT_FINITE = pa.array(np.full(832, np.nan, np.float32))


def decoder(kind: str = "logits") -> _native.Decoder:
    return _native.Decoder(
        *(kind, PLANES, False, "column", 0.0, [0, 180], "legal", 4.0, 1.0, 1e-6),
        *(TABLE, TABLE, 0.25, 0.5, (129, 129), 1.0),
    )


def audit(x: Any = TEXTS) -> None:
    counted, other = _native.Audit(False, 3, 0), _native.Audit(False, 3, 1)
    counted.feed(x)
    other.feed(x)
    counted.merge(other)
    counted.totals()
    counted.habits()
    counted.men()
    counted.problems()
    counted.ladder()


SPILL = tempfile.gettempdir()


def deduplicate(x: Any = TEXTS) -> None:
    rows = _native.Deduplicator("position", "first", False, True, "keep", 1 << 20, SPILL)
    rows.feed(x)
    rows.finish()
    rows.kept(0, ROWS)
    rows.counts(0, ROWS)
    rows.report()


DECODER = decoder()

LAYOUT = ("pieces", "white", "a1")


#: What each function does, and what it refuses.
class Exports:
    """An array that shows no more than its C interface."""

    def __init__(self, array: pa.Array) -> None:
        self.array = array

    def __arrow_c_array__(self, requested: object = None) -> object:
        return self.array.__arrow_c_array__(requested)


FUNCTIONS: dict[str, tuple[list[Callable[[], Any]], list[Callable[[], Any]]]] = {
    "Audit": ([audit], [lambda: audit(3)]),
    "Decoder": (
        [
            decoder,
            lambda: DECODER.decode(SCORES, 2, 832),
            lambda: DECODER.decode(NOT_FINITE, 1, 832),
        ],
        [lambda: DECODER.decode(SCORES, 3, 832), lambda: decoder("unknown")],
    ),
    "Deduplicator": ([deduplicate], [lambda: deduplicate(MALFORMED)]),
    "as_pyarrow": (
        [lambda: _native.as_pyarrow(Exports(TEXTS), "x")],
        [lambda: _native.as_pyarrow(3, "x")],
    ),
    "holds_positions": (
        [lambda: _native.holds_positions(POSITIONS, "x")],
        [lambda: _native.holds_positions(3, "x")],
    ),
    "accepts": (
        [
            lambda: _native.accepts(TEXTS, "python-chess", False),
            lambda: _native.accepts(HOPELESS, "stockfish", True),
        ],
        [lambda: _native.accepts(TEXTS, "unknown", False)],
    ),
    "canonicalize": (
        [lambda: _native.canonicalize(TEXTS, "legal", "xfen", "keep", False)],
        [lambda: _native.canonicalize(TEXTS, "unknown", "xfen", "keep", False)],
    ),
    "check_positions": (
        [lambda: _native.check_positions(POSITIONS)],
        [lambda: _native.check_positions(MALFORMED)],
    ),
    "decode_flags": ([_native.decode_flags], []),
    "decode_statuses": ([_native.decode_statuses], []),
    "diagnose": (
        [
            lambda: _native.diagnose(START.encode(), "lenient", False),
            lambda: _native.diagnose(HOPELESS[0].as_py(), "fen", True),
        ],
        [lambda: _native.diagnose(b"", "unknown", False)],
    ),
    "encode_bitboards": (
        [lambda: _native.encode_bitboards(TEXTS, [], LAYOUT, STATE, "no", True, room(12, "u8"))],
        [lambda: _native.encode_bitboards(TEXTS, [], LAYOUT, STATE, "no", False, room(13, "u8"))],
    ),
    "encode_features": (
        [lambda: _native.encode_features(TEXTS, "halfkp", "mover", True, room(64, "i4"))],
        [lambda: _native.encode_features(TEXTS, "unknown", "mover", True, room(64, "i4"))],
    ),
    "encode_planes": (
        [
            lambda: _native.encode_planes(
                *(POSITIONS, [POSITIONS], ("lc0_112", "mover", "a1"), STATE),
                *("fen_only", "last", "float16", True, room(112 * 64, "u2")),
            ),
            lambda: _native.encode_planes(
                *(MALFORMED, [], ("maia2_18", "white", "a1"), STATE),
                *("no", "first", "uint8", False, room(18 * 64, "u1")),
            ),
        ],
        [
            lambda: _native.encode_planes(
                *(POSITIONS, [TEXTS], ("lc0_112", "mover", "a1"), STATE),
                *("fen_only", "last", "float16", True, room(112 * 64, "u2")),
            )
        ],
    ),
    "encode_records": (
        [
            lambda: _native.encode_records(POSITIONS, "compressed", STATE, True, room(24, "u1")),
            lambda: _native.encode_records(MALFORMED, "compressed", STATE, True, room(24, "u1")),
        ],
        [lambda: _native.encode_records(POSITIONS, "unknown", STATE, True, room(24, "u1"))],
    ),
    "encode_tokens": (
        [
            lambda: _native.encode_tokens(
                TEXTS, "searchless_77", "white", "a1", STATE, "int64", True, room(77, "i8")
            )
        ],
        [
            lambda: _native.encode_tokens(
                TEXTS, "searchless_77", "white", "a1", STATE, "unknown", True, room(77, "i8")
            )
        ],
    ),
    "format": (
        [lambda: _native.format(POSITIONS, "keep", "shredder", "drop")],
        [lambda: _native.format(MALFORMED, "keep", "shredder", "drop")],
    ),
    "get_num_threads": ([_native.get_num_threads], []),
    "identity": (
        [lambda: _native.identity(TEXTS, "position", False)],
        [lambda: _native.identity(MALFORMED, "board", False)],
    ),
    "instruction_sets": ([_native.instruction_sets], []),
    "is_duplicate": (
        [lambda: _native.is_duplicate(TEXTS, "last", False)],
        [lambda: _native.is_duplicate(MALFORMED, None, False)],
    ),
    "is_valid": (
        [lambda: _native.is_valid(TEXTS, "reachable", True, False)],
        [lambda: _native.is_valid(object(), "legal", False, False)],
    ),
    "key": (
        [lambda: _native.key(TEXTS, 128, False)],
        [lambda: _native.key(TEXTS, 65, False)],
    ),
    "layouts": ([_native.layouts], []),
    "limit_threads": ([lambda: _native.limit_threads(1)], []),
    "parse": (
        [
            lambda: _native.parse(TEXTS, "lenient", False, True),
            lambda: _native.parse(TEXTS.dictionary_encode(), "fen", True, False),
            lambda: _native.parse(HOPELESS, "placement", False, True),
        ],
        [lambda: _native.parse([START], "lenient", False, False)],
    ),
    "problem_names": (
        [lambda: _native.problem_names(pa.array([3, None, 1 << 40], pa.uint64()))],
        [lambda: _native.problem_names(TEXTS)],
    ),
    "problem_table": ([_native.problem_table], []),
    "read_binary_fens": (
        [lambda: _native.read_binary_fens(pa.array([b"\0" * 8, None]), False)],
        [lambda: _native.read_binary_fens(HOPELESS, False)],
    ),
    "read_bitboards": (
        [lambda: _native.read_bitboards(numbers(12, "u8"), LAYOUT, STATE, BLACK)],
        [lambda: _native.read_bitboards(numbers(12, "u8") + 1, LAYOUT, STATE, BLACK)],
    ),
    "read_placements": (
        [lambda: _native.read_placements(TEXTS)],
        [lambda: _native.read_placements(POSITIONS)],
    ),
    "read_planes": (
        [lambda: _native.read_planes(numbers(768, "f4"), LAYOUT, STATE, "first", "float32", BLACK)],
        [
            lambda: _native.read_planes(
                numbers(768, "f4") + 1, LAYOUT, STATE, "first", "float32", BLACK
            )
        ],
    ),
    "read_records": (
        [lambda: _native.read_records(numbers(24, "u1"), "compressed", False)],
        [lambda: _native.read_records(numbers(24, "u1") + 255, "compressed", False)],
    ),
    "read_tokens": (
        [
            lambda: _native.read_tokens(
                numbers(64, "u1"), "squares", "white", "a1", STATE, "uint8", BLACK
            )
        ],
        [
            lambda: _native.read_tokens(
                numbers(64, "u1") + 99, "squares", "white", "a1", STATE, "uint8", BLACK
            )
        ],
    ),
    "repair": (
        [lambda: _native.repair(TEXTS, False)],
        [lambda: _native.repair(POSITIONS, False)],
    ),
    "set_num_threads": (
        [lambda: _native.set_num_threads(2)],
        [lambda: _native.set_num_threads(-1)],
    ),
    "survey": (
        [lambda: _native.survey(TEXTS, "legal", False, True)],
        [lambda: _native.survey(TEXTS, "unknown", False, True)],
    ),
    "tally": (
        [lambda: _native.tally(pa.array([3, None], pa.uint64()))],
        [lambda: _native.tally(TEXTS)],
    ),
    "unique": (
        [lambda: _native.unique(TEXTS, False)],
        [lambda: _native.unique(MALFORMED, False)],
    ),
    "validate": (
        [
            lambda: _native.validate(TEXTS, False),
            lambda: _native.validate(pa.chunked_array([TEXTS, TEXTS]), True),
        ],
        [lambda: _native.validate(MALFORMED, False), lambda: _native.validate(None, False)],
    ),
    "write_binary_fens": (
        [lambda: _native.write_binary_fens(TEXTS, STATE, "keep")],
        [lambda: _native.write_binary_fens(MALFORMED, STATE, "standard")],
    ),
    "zobrist": (
        [lambda: _native.zobrist(POSITIONS, False)],
        [lambda: _native.zobrist(3, False)],
    ),
}


def test_every_function_is_called() -> None:
    functions = {name for name in dir(_native) if callable(getattr(_native, name))}
    assert functions - {"__loader__"} == set(FUNCTIONS)


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    threads = _native.get_num_threads()
    # What there is already need not be looked through again and again.
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()
    _native.limit_threads(0)
    _native.set_num_threads(threads)


class _MallInfo(ctypes.Structure):
    """What glibc tells of its heap."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks"),
            *("uordblks", "fordblks", "keepcost"),
        )
    ]


def heap() -> int:
    """Give the bytes that the C heap holds, mapped ones too; 0 where it does not tell."""
    try:
        mallinfo = ctypes.CDLL(None).mallinfo2
    except (AttributeError, OSError, TypeError):
        return 0
    mallinfo.restype = _MallInfo
    info = mallinfo()
    return int(info.hblkhd + info.uordblks)


def resident() -> int:
    """Give the bytes that the process has in memory; 0 where there is no way to tell."""
    statm = Path("/proc/self/statm")
    return 4096 * int(statm.read_text().split()[1]) if statm.exists() else 0


def held() -> dict[str, int]:
    gc.collect()
    return {
        "objects": sys.getallocatedblocks(),
        "references": sum(map(sys.getrefcount, (TEXTS, HOPELESS, POSITIONS, MALFORMED, None))),
        "arrow": pa.total_allocated_bytes(),
        "heap": heap(),
        "resident": resident(),
    }


#: A leak of one object, one reference or a few bytes a call is many times as much.
ALLOWED = {"objects": 200, "references": 200, "arrow": 0, "heap": 1 << 15, "resident": 1 << 22}


def call(works: list[Callable[[], Any]], refusals: list[Callable[[], Any]], times: int) -> None:
    """Call everything as often as makes this many calls."""
    for _ in range(times // len(works + refusals)):
        for work in works:
            work()
        for refuse in refusals:
            try:
                refuse()
            except (TypeError, ValueError):
                continue
            pytest.fail("nothing was refused")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_nothing_is_held(name: str) -> None:
    call(*FUNCTIONS[name], CALLS // 20)
    rounds = [held()]
    for _ in range(2):
        call(*FUNCTIONS[name], CALLS // 2)
        rounds.append(held())
    # What grows once is a cache; a leak grows every time.
    grown = {what: min(b[what] - a[what] for a, b in pairwise(rounds)) for what in ALLOWED}
    assert all(grown[what] <= allowed for what, allowed in ALLOWED.items()), grown
