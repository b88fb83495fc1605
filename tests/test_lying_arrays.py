"""Arrays that say what is not so are refused, or read as what they are."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fenpack as fp
from arrow_structs import (
    GET_NEXT,
    GET_SCHEMA,
    RELEASE_ARRAY,
    RELEASE_SCHEMA,
    RELEASE_STREAM,
    Chunks,
    Pair,
    array,
    new_capsule,
    schema,
)
from fenpack.recognition import decode
from texts import FENS, START

if TYPE_CHECKING:
    from collections.abc import Callable

ROWS = [START.encode(), *(fen.encode() for fen in FENS.values())]
DATA = b"".join(ROWS)
ENDS = np.cumsum([0, *map(len, ROWS)])
N = len(ROWS)
PACKED = b"".join(fp.parse(ROWS[:3]).storage.to_pylist())

#: Names and calls of one column.
CALLS: dict[str, Callable[[Any], Any]] = {
    "validate": fp.validate,
    "is_valid": fp.is_valid,
    "canonicalize": fp.canonicalize,
    "is_duplicate": fp.is_duplicate,
    "planes": lambda x: fp.planes(x, errors="blank"),
    "key": fp.key,
    "audit": fp.audit,
    "features": lambda x: fp.nnue_features(x, "chess_768", form="csr", errors="blank").indptr[1::2],
    "decode": lambda x: decode(x, kind="text", errors="null"),
}
READERS = CALLS | {
    "history": lambda x: fp.planes([START] * N, "lc0_112", history=[x], errors="blank"),
}
readers = pytest.mark.parametrize("function", READERS.values(), ids=READERS)
NAMED = r"(x|fens|scores|history\[0\])"
calls = pytest.mark.parametrize("function", CALLS.values(), ids=CALLS)


def offsets(*ends: int, width: Any = np.int32) -> bytes:
    return np.array(ends, width).tobytes()


def views(*rows: tuple[int, bytes, int, int]) -> bytes:
    return b"".join(
        np.int32(length).tobytes()
        + prefix.ljust(4, b"\0")
        + np.array([buffer, start], np.int32).tobytes()
        for length, prefix, buffer, start in rows
    )


def strings(**fields: Any) -> Pair:
    """True strings, but for some fields of the array."""
    return Pair(schema(b"u"), array(N, [None, offsets(*ENDS), DATA], **fields))


VIEWS = views(*((len(row), row[:4], 0, start) for row, start in zip(ROWS, ENDS, strict=False)))


def viewed(rows: bytes = VIEWS, *, lengths: bytes | None = None, **fields: Any) -> Pair:
    """True views, but for some fields of the array."""
    sizes = np.array([len(DATA)], np.int64).tobytes() if lengths is None else lengths
    return Pair(schema(b"vu"), array(N, [None, rows, DATA, sizes], **fields))


def keyed(
    keys: bytes = bytes(range(N)), values: Any = None, fields: Any = None, **others: Any
) -> Pair:
    """A true dictionary, but for some fields of the array."""
    values = values or array(N, [None, offsets(*ENDS), DATA])
    kind = schema(b"c", dictionary=schema(b"u"), **(fields or {}))
    return Pair(kind, array(len(keys), [None, keys], dictionary=values, **others))


def packed(**fields: Any) -> Pair:
    return Pair(schema(b"w:40"), array(3, [None, PACKED], **fields))


# --- the truth -------------------------------------------------------------------------------

TRUE = {
    "strings": strings,
    "large": lambda: Pair(schema(b"U"), array(N, [None, offsets(*ENDS, width=np.int64), DATA])),
    "unaligned": lambda: strings(shift=1),
    "views": viewed,
    "unaligned views": lambda: viewed(shift=3),
    "dictionary": keyed,
    "stream": lambda: Chunks(
        schema(b"u"), [array(N, [None, offsets(*ENDS), DATA]), array(0, [None, offsets(0), b""])]
    ),
    "metadata that is no text": lambda: Pair(
        schema(b"u", metadata=ctypes.cast(METADATA, ctypes.c_void_p)),
        array(N, [None, offsets(*ENDS), DATA]),
    ),
}
METADATA = ctypes.create_string_buffer(
    np.array([1, 1], np.int32).tobytes() + b"k" + np.int32(2).tobytes() + b"\xff\xfe"
)


@pytest.mark.parametrize("column", TRUE.values(), ids=TRUE)
def test_true_structs_are_read(column):
    expected = fp.validate(ROWS)
    assert fp.validate(column()).to_pylist() == expected.to_pylist()
    assert fp.canonicalize(column()).to_pylist() == fp.canonicalize(ROWS).to_pylist()


def test_true_positions_are_read():
    assert fp.format(packed()).to_pylist() == fp.format(fp.parse(ROWS[:3])).to_pylist()


NOTHING = {
    "strings": lambda: Pair(schema(b"u"), array(0, [None, None, None])),
    "no buffers": lambda: Pair(schema(b"u"), array(0, [])),
    "views": lambda: Pair(schema(b"vu"), array(0, [None, None, None])),
    "dictionary": lambda: Pair(
        schema(b"c", dictionary=schema(b"u")),
        array(0, [None, None], dictionary=array(0, [None, None, None])),
    ),
    "positions": lambda: Pair(schema(b"w:40"), array(0, [None, None])),
    "offset": lambda: strings(length=0, offset=2),
}


@calls
@pytest.mark.parametrize("column", NOTHING.values(), ids=NOTHING)
def test_buffers_of_no_rows_are_not_needed(column, function):
    if column is NOTHING["positions"] and function in (CALLS["canonicalize"], CALLS["decode"]):
        function = fp.format
    result = function(column())
    assert (result.rows if isinstance(result, fp.Audit) else len(result)) == 0


def test_nulls_need_no_buffer_and_may_have_one():
    for buffers in ([], [None], [b"\0"]):
        assert fp.validate(Pair(schema(b"n"), array(3, buffers))).to_pylist() == [None] * 3


@pytest.mark.parametrize("count", [-1, 0, 1, 2, 3, 4])
@pytest.mark.parametrize("kind", ["strings", "views", "keys", "values", "positions"])
def test_the_count_of_nulls_is_not_believed(kind, count):
    valid = bytes([0b1111_1101])
    fields: dict[str, Any] = {"null_count": count}
    if kind == "strings":
        column = Pair(schema(b"u"), array(4, [valid, offsets(*ENDS[:5]), DATA], **fields))
    elif kind == "views":
        bad = views((99, b"bad", 7, 7))
        size = offsets(len(DATA), width=np.int64)
        rows = VIEWS[:16] + bad + VIEWS[32:64]
        column = Pair(schema(b"vu"), array(4, [valid, rows, DATA, size], **fields))
    elif kind == "keys":
        values = array(N, [None, offsets(*ENDS), DATA])
        column = Pair(
            schema(b"c", dictionary=schema(b"u")),
            array(4, [valid, bytes([0, 99, 2, 3])], dictionary=values, **fields),
        )
    elif kind == "values":
        values = array(4, [valid, offsets(*ENDS[:5]), DATA], **fields)
        column = keyed(bytes([0, 1, 2, 3]), values)
    else:
        column = Pair(schema(b"w:40"), array(3, [valid, PACKED], **fields))
        if count == 4:
            with pytest.raises(ValueError, match="4 nulls in 3 rows"):
                fp.validate(column)
            return
    length = 3 if kind == "positions" else 4
    result = fp.is_valid(column)
    assert result.is_null().to_pylist() == [False, True, False, False][:length]
    result.validate(full=True)


# --- lies ------------------------------------------------------------------------------------

BEYOND, LAST = int(ENDS[-1]) + 1, int(ENDS[-1])
HUGE = 2**62
LIES: dict[str, tuple[Callable[[], Any], str]] = {
    "decreasing offsets": (
        lambda: Pair(schema(b"u"), array(3, [None, offsets(0, 60, 20, 90), DATA])),
        "offset lies outside",
    ),
    "an offset beyond the last": (
        lambda: Pair(schema(b"u"), array(2, [None, offsets(0, 2**31 - 1, 60), DATA])),
        "offset lies outside",
    ),
    "negative offset": (
        lambda: Pair(schema(b"u"), array(2, [None, offsets(-9, 0, 60), DATA])),
        "offset lies outside",
    ),
    "negative last offset": (
        lambda: Pair(schema(b"u"), array(2, [None, offsets(0, 60, -1), DATA])),
        "offset lies outside",
    ),
    "negative large offset": (
        lambda: Pair(schema(b"U"), array(1, [None, offsets(0, -1, width=np.int64), DATA])),
        "offset lies outside",
    ),
    "decreasing large offsets": (
        lambda: Pair(schema(b"Z"), array(2, [None, offsets(0, HUGE, 60, width=np.int64), DATA])),
        "offset lies outside",
    ),
    "view beyond its buffer": (
        lambda: viewed(views((99, ROWS[0][:4], 0, LAST - 98)) + VIEWS[16:]),
        "offset lies outside",
    ),
    "view with a negative start": (
        lambda: viewed(views((56, ROWS[0][:4], 0, -1)) + VIEWS[16:]),
        "offset lies outside",
    ),
    "view of a missing buffer": (
        lambda: viewed(views((56, ROWS[0][:4], 1, 0)) + VIEWS[16:]),
        "offset lies outside",
    ),
    "view of a negative buffer": (
        lambda: viewed(views((56, ROWS[0][:4], -1, 0)) + VIEWS[16:]),
        "offset lies outside",
    ),
    "view of negative length": (
        lambda: viewed(views((-1, ROWS[0][:4], 0, 0)) + VIEWS[16:]),
        "offset lies outside",
    ),
    "views without lengths": (lambda: viewed(n_buffers=2), "2 buffers"),
    "views with no lengths": (
        lambda: Pair(schema(b"vu"), array(N, [None, VIEWS, DATA, None])),
        "lacks the lengths",
    ),
    "views with a negative length": (
        lambda: viewed(lengths=offsets(-1, width=np.int64)),
        "lacks the lengths",
    ),
    "views without their buffer": (
        lambda: Pair(
            schema(b"vz"), array(N, [None, VIEWS, None, offsets(len(DATA), width=np.int64)])
        ),
        "position 2 is null",
    ),
    "key without a value": (lambda: keyed(bytes([0, N])), "key without a value"),
    "negative key": (lambda: keyed(b"\0\xff"), "key without a value"),
    "no dictionary": (
        lambda: Pair(schema(b"c", dictionary=schema(b"u")), array(1, [None, b"\0"])),
        "lacks its dictionary",
    ),
    "unexpected dictionary": (
        lambda: strings(dictionary=array(1, [None, offsets(0, 1), b"x"])),
        "has a dictionary",
    ),
    "dictionary that lies": (
        lambda: keyed(values=array(N, [None, offsets(*ENDS[:-1], -1), DATA])),
        "offset lies outside",
    ),
    "dictionary whose middle lies": (
        lambda: keyed(values=array(2, [None, offsets(0, 2**30, 60), DATA]), keys=bytes(2)),
        "offset lies outside",
    ),
    "large dictionary that lies": (
        lambda: keyed(values=array(3, [None, offsets(0, 2**30, 60, 90), DATA]), keys=bytes(1)),
        "offset lies outside",
    ),
    "dictionary of dictionaries": (
        lambda: Pair(
            schema(b"c", dictionary=schema(b"c", dictionary=schema(b"u"))),
            array(1, [None, b"\0"], dictionary=array(1, [None, b"\0"])),
        ),
        "Dictionary",
    ),
    "dictionary with keys of text": (
        lambda: Pair(
            schema(b"u", dictionary=schema(b"u")),
            array(1, [None, offsets(0, 1), b"x"], dictionary=array(0, [None, None, None])),
        ),
        "Dictionary",
    ),
    "empty dictionary without buffers": (
        lambda: keyed(values=array(0, []), keys=bytes(1)),
        "0 buffers",
    ),
    "negative length": (lambda: strings(length=-1), "length -1"),
    "huge length": (lambda: strings(length=HUGE), "length 4611686018427387904"),
    "negative array offset": (lambda: strings(offset=-1), "offset -1"),
    "huge array offset": (lambda: strings(offset=2**63 - 1), "offset 9223372036854775807"),
    "too many nulls": (lambda: strings(null_count=N + 1), "nulls in"),
    "fewer nulls than none": (lambda: strings(null_count=-2), "-2 nulls"),
    "too few buffers": (lambda: strings(n_buffers=2), "2 buffers"),
    "too many buffers": (lambda: strings(n_buffers=4), "4 buffers"),
    "negative number of buffers": (lambda: strings(n_buffers=-1), "-1 buffers"),
    "no buffers": (lambda: strings(buffers=None), "3 buffers"),
    "no offsets": (lambda: Pair(schema(b"u"), array(N, [None, None, DATA])), "lacks a buffer"),
    "no text": (
        lambda: Pair(schema(b"u"), array(N, [None, offsets(*ENDS), None])),
        "position 2 is null",
    ),
    "no positions": (lambda: Pair(schema(b"w:40"), array(3, [None, None])), "lacks a buffer"),
    "no views": (
        lambda: Pair(schema(b"vu"), array(3, [None, None, None])),
        "lacks a buffer",
    ),
    "children": (lambda: strings(n_children=1), "1 children"),
    "negative number of children": (lambda: strings(n_children=-1), "-1 children"),
    "released array": (lambda: strings(release=RELEASE_ARRAY()), "used already"),
    "numbers called strings": (
        lambda: Pair(schema(b"u"), array(3, [None, b"\1\2\3"])),
        "2 buffers",
    ),
    "strings called nothing": (
        lambda: Pair(schema(b"b"), array(N, [None, offsets(*ENDS), DATA])),
        "Boolean",
    ),
    "released schema": (
        lambda: Pair(schema(b"u", release=RELEASE_SCHEMA()), strings().structs[1]),
        "used already",
    ),
    "no type": (lambda: Pair(schema(None), strings().structs[1]), "names no type"),
    "type that is no text": (lambda: Pair(schema(b"\xff"), strings().structs[1]), "no type"),
    "unknown type": (lambda: Pair(schema(b"?"), strings().structs[1]), "not supported"),
    "empty type": (lambda: Pair(schema(b""), strings().structs[1]), "not supported"),
    "width that is no number": (lambda: Pair(schema(b"w:x"), packed().structs[1]), "integer"),
    "negative width": (lambda: Pair(schema(b"w:-1"), packed().structs[1]), "FixedSizeBinary"),
    "huge width": (lambda: Pair(schema(b"w:2147483647"), packed().structs[1]), "FixedSizeBinary"),
    "name that is no text": (
        lambda: Pair(schema(b"u", name=b"\xff"), strings().structs[1]),
        "not UTF-8",
    ),
    "entries of metadata": (
        lambda: Pair(
            schema(b"u", metadata=ctypes.cast(b"\xff\xff\xff\x7f", ctypes.c_void_p)),
            strings().structs[1],
        ),
        "entries of metadata",
    ),
    "list without a child": (lambda: Pair(schema(b"+l"), strings().structs[1]), "0 children"),
    "runs with one child": (
        lambda: Pair(schema(b"+r", children=[schema(b"i")]), strings().structs[1]),
        "1 children",
    ),
    "missing children": (
        lambda: Pair(schema(b"+s", n_children=2), strings().structs[1]),
        "2 children",
    ),
    "negative number of fields": (
        lambda: Pair(schema(b"+s", n_children=-2), strings().structs[1]),
        "-2 children",
    ),
    "runs that lie": (
        lambda: Pair(
            schema(b"+r", children=[schema(b"i"), schema(b"u")]),
            array(
                9,
                [],
                children=[
                    array(1, [None, offsets(3)]),
                    array(2, [None, offsets(0, 9, 3), DATA]),
                ],
            ),
        ),
        "RunEndEncoded",
    ),
    "lists that lie": (
        lambda: Pair(schema(b"+l", children=[schema(b"u")]), array(1, [None, offsets(0, -5)])),
        "List",
    ),
    "nested too deep": (lambda: Pair(deep(), strings().structs[1]), "deep"),
    "endless schema": (lambda: Pair(endless(), strings().structs[1]), "deep"),
    "stream that fails": (
        lambda: Chunks(schema(b"u"), [strings().structs[1], 5], b"the disk is gone"),
        "the disk is gone",
    ),
    "stream that fails without a word": (
        lambda: Chunks(schema(b"u"), [22]),
        "failed with error 22",
    ),
    "stream that fails in bytes": (
        lambda: Chunks(schema(b"u"), [22], b"\xff no"),
        "no",
    ),
    "stream with an array that lies": (
        lambda: Chunks(schema(b"u"), [strings().structs[1], strings(length=-1).structs[1]]),
        "length -1",
    ),
    "stream of other types": (
        lambda: Chunks(schema(b"u"), [strings().structs[1], packed().structs[1]]),
        "2 buffers",
    ),
    "released stream": (
        lambda: Chunks(schema(b"u"), [], release=RELEASE_STREAM()),
        "read already",
    ),
    "stream without callbacks": (
        lambda: Chunks(schema(b"u"), [], get_schema=GET_SCHEMA(), get_next=GET_NEXT()),
        "read already",
    ),
    "stream with a schema that lies": (lambda: Chunks(schema(None), []), "names no type"),
}


def deep() -> Any:
    made = schema(b"u")
    for _ in range(5000):
        made = schema(b"+l", children=[made])
    return made


def endless() -> Any:
    made = schema(b"+l", children=[schema(b"u")])
    made.children[0] = ctypes.pointer(made)
    return made


@readers
@pytest.mark.parametrize(("column", "reason"), LIES.values(), ids=LIES)
def test_lies_are_refused(column, reason, function):
    with pytest.raises((TypeError, ValueError), match=rf"^{NAMED} .*{reason}"):
        function(column())


OTHERS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "parse": ("fens", fp.parse),
    "format": ("positions", fp.format),
    "repair": ("fens", fp.repair),
    "unique": ("x", lambda x: fp.unique(x)),
    "tokens": ("x", lambda x: fp.tokens(x)),
    "problem_names": ("problems", fp.problem_names),
}


@pytest.mark.parametrize("name", OTHERS)
def test_every_function_names_its_argument(name):
    argument, function = OTHERS[name]
    kind = b"L" if name == "problem_names" else b"w:40" if name == "format" else b"u"
    column = Pair(schema(kind), array(3, [None, PACKED, PACKED][: 3 if kind == b"u" else 2]))
    column.structs[1].length = -3
    with pytest.raises(ValueError, match=rf"^{argument} cannot be imported: it has length -3"):
        function(column)


@readers
def test_capsules_serve_once(function):
    for column in (strings(), Chunks(schema(b"u"), [strings().structs[1]])):
        function(column)
        with pytest.raises(ValueError, match=rf"^{NAMED} cannot be imported: .* already$"):
            function(column)


class Says:
    """What gives whatever it was made with."""

    def __init__(self, *, array: Any = None, stream: Any = None) -> None:
        if array is not None:
            self.__arrow_c_array__ = lambda requested_schema=None: array
        if stream is not None:
            self.__arrow_c_stream__ = lambda requested_schema=None: stream


def wrong_capsule() -> object:
    return new_capsule(ctypes.addressof(wrong), b"dltensor", None)


wrong = ctypes.c_int64(7)


@readers
@pytest.mark.parametrize(
    ("column", "reason"),
    [
        (lambda: Says(array=5), "pair of capsules"),
        (lambda: Says(array=()), "pair of capsules"),
        (lambda: Says(array=("a", "b")), "pair of capsules"),
        (lambda: Says(array=list(strings().capsules)), "pair of capsules"),
        (lambda: Says(array=(wrong_capsule(), wrong_capsule())), "cannot be imported"),
        (lambda: Says(array=strings().capsules[::-1]), "cannot be imported"),
        (lambda: Says(stream=5), "give a capsule"),
        (lambda: Says(stream=wrong_capsule()), "cannot be imported"),
        (lambda: Says(stream=strings().capsules[1]), "cannot be imported"),
    ],
)
def test_what_is_no_capsule_is_refused(column, reason, function):
    with pytest.raises((TypeError, ValueError), match=rf"^{NAMED} .*{reason}"):
        function(column())


class Raises:
    """What cannot be exported."""

    def __arrow_c_array__(self, requested_schema=None):
        raise ZeroDivisionError("no array today")


@readers
def test_what_an_export_raises_is_raised(function):
    with pytest.raises(ZeroDivisionError, match="no array today"):
        function(Raises())


@pytest.mark.parametrize(
    "function",
    [fp.validate, fp.is_valid, fp.parse, fp.repair, fp.key, fp.identity, fp.zobrist],
)
def test_results_that_no_memory_holds_are_refused(function):
    """Nulls take none; the result would have more bytes than there are addresses."""
    nulls = Pair(schema(b"n"), array(1 << 54, []))
    with pytest.raises(MemoryError, match=r"the result takes \d+ bytes, which cannot be had"):
        function(nulls)


# --- lies of pyarrow -------------------------------------------------------------------------


def damaged(column: pa.Array, before: bytes, after: bytes) -> pa.Array:
    """Write `column` to the bytes of a file, change some of them, and read it back."""
    sink = pa.BufferOutputStream()
    batch = pa.record_batch({"fen": column})
    with pa.ipc.new_file(sink, batch.schema) as writer:
        writer.write_batch(batch)
    data = sink.getvalue().to_pybytes()
    assert data.count(before) == 1
    return pa.ipc.open_file(pa.py_buffer(data.replace(before, after))).get_batch(0).column(0)


DAMAGED = {
    "offsets": lambda: damaged(
        pa.array(ROWS, pa.string()),
        offsets(*ENDS),
        offsets(*ENDS[:-1], 2**30),
    ),
    "large offsets": lambda: damaged(
        pa.array(ROWS, pa.large_binary()),
        offsets(*ENDS, width=np.int64),
        offsets(*ENDS[:-1], 2**40, width=np.int64),
    ),
}


@readers
@pytest.mark.parametrize("column", DAMAGED.values(), ids=DAMAGED)
def test_damaged_files_are_refused(column, function):
    with pytest.raises(ValueError, match=rf"^{NAMED} is no valid Arrow data"):
        function(column())


def test_structs_and_problems_of_damaged_files_are_refused():
    structs = fp.to_struct(fp.parse(ROWS))
    short = pa.Array.from_buffers(pa.uint64(), 1, [None, pa.py_buffer(bytes(8))])
    assert fp.problem_names(short).to_pylist() == [[]]
    assert fp.from_struct(structs).equals(fp.parse(ROWS))


# --- any numbers -----------------------------------------------------------------------------


def refusal(function: Callable[[Any], Any], column: Any) -> str:
    """What is said of a column, nothing if it is taken."""
    try:
        function(column)
    except (TypeError, ValueError) as error:
        return str(error)
    return ""


numbers = st.one_of(
    st.integers(-3, 9), st.sampled_from([2**31, 2**32, 2**55, 2**62, 2**63 - 1, -(2**63)])
)


@given(
    rows=st.lists(st.integers(-(2**31), 2**31 - 1) | st.integers(0, LAST), min_size=2, max_size=8),
    last=st.integers(0, LAST),
    name=st.sampled_from([*CALLS]),
)
def test_any_offsets(rows, last, name):
    """Only the last offset is believed: no size of a buffer is known."""
    column = Pair(schema(b"z"), array(len(rows), [None, offsets(*rows, last), DATA]))
    true = all(a <= b for a, b in zip([0, *rows], [*rows, last], strict=True))
    said = refusal(CALLS[name], column)
    assert (said == "") == true
    assert true or "offset lies outside" in said


@given(
    rows=st.lists(st.binary(min_size=16, max_size=16), min_size=1, max_size=6),
    name=st.sampled_from([*CALLS]),
)
def test_any_views(rows, name):
    size = offsets(len(DATA), width=np.int64)
    column = Pair(schema(b"vz"), array(len(rows), [None, b"".join(rows), DATA, size]))
    said = refusal(CALLS[name], column)
    assert said == "" or "offset lies outside" in said


@given(
    fields=st.fixed_dictionaries(
        {},
        optional={
            "null_count": numbers,
            "n_children": numbers,
            "n_buffers": st.integers(-3, 3) | st.sampled_from([-(2**63), 2**63 - 1, 2**40]),
            "offset": st.integers(-9, 0) | st.sampled_from([2**55, 2**62, 2**63 - 1, -(2**63)]),
            "length": st.integers(-9, N) | st.sampled_from([2**56, 2**62, 2**63 - 1, -(2**63)]),
        },
    ),
    kind=st.sampled_from(["strings", "views", "keys", "packed"]),
    name=st.sampled_from([*CALLS]),
)
def test_any_fields(fields, kind, name):
    """What cannot be true of these buffers is refused; a view may have more buffers than these."""
    if kind == "views":
        fields.pop("n_buffers", None)
    make = {"strings": strings, "views": viewed, "keys": keyed, "packed": packed}[kind]
    if kind == "packed" and fields.get("length", 0) > 3:
        fields["length"] = 3
    said = refusal(CALLS[name], make(**fields))
    other = kind == "packed" and "must be" in said
    assert said == "" or other or "cannot be imported" in said
