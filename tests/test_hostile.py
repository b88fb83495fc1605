"""Nothing in a text column raises or panics: whatever cannot be read is a problem of its row."""

import numpy as np
import pyarrow as pa
import pytest

import fenpack as fp
from fenpack import Problem
from hostile import HOSTILE, MB, ODD_BUT_READABLE, hostile
from texts import START

SHORT = {name: row for name, row in HOSTILE.items() if len(row[0]) < MB}
short = pytest.mark.parametrize(("text", "problem"), SHORT.values(), ids=SHORT)


@hostile
def test_hostile_rows_have_their_problem(text, problem):
    (bits,) = fp.validate(pa.array([text])).to_pylist()
    assert problem in Problem(bits)


@hostile
def test_hostile_rows_are_invalid(text, problem):
    del problem
    assert fp.is_valid(pa.array([text]), level="syntax").to_pylist() == [False]
    assert fp.is_valid(pa.array([text]), level="legal").to_pylist() == [False]


@hostile
@pytest.mark.parametrize("dialect", ["lenient", "fen"])
def test_hostile_rows_have_no_position(text, problem, dialect):
    del problem
    assert fp.parse(pa.array([text]), dialect=dialect).to_pylist() == [None]


@hostile
def test_hostile_rows_have_no_canonical_text(text, problem):
    del problem
    assert fp.canonicalize(pa.array([text])).to_pylist() == [None]


@pytest.mark.parametrize("text", ODD_BUT_READABLE.values(), ids=ODD_BUT_READABLE)
def test_long_but_readable_rows_are_read(text):
    assert fp.is_valid([text], level="syntax").to_pylist() == [True]
    (canonical,) = fp.canonicalize([text]).to_pylist()
    assert canonical == (START if START[:43] in text else "8/8/8/8/8/8/8/8 w - - 0 1")


@short
@pytest.mark.parametrize(
    "text_type",
    [pa.large_binary(), pa.binary_view(), pa.dictionary(pa.int8(), pa.binary())],
    ids=str,
)
def test_hostile_rows_are_the_same_in_every_type(text, problem, text_type):
    column = pa.array([text, START.encode(), text]).cast(text_type)
    before, start, after = map(Problem, fp.validate(column).to_pylist())
    assert problem in before
    assert (before, start) == (after, Problem(0))


@short
def test_hostile_neighbours_change_nothing(text, problem):
    del problem
    column = pa.array([text, START.encode(), None, text, START.encode()])
    assert fp.is_valid(column).to_pylist() == [False, True, None, False, True]
    assert fp.canonicalize(column).to_pylist() == [None, START, None, None, START]
    assert fp.format(fp.parse(column)).to_pylist() == [None, START, None, None, START]


@short
def test_what_follows_a_row_is_not_read(text, problem):
    """The fast paths load whole words: bytes behind a row's end must not count."""
    del problem
    column = pa.array([START.encode(), text])
    assert fp.validate(column[:1]).to_pylist() == [0]
    assert fp.canonicalize(column[:1]).to_pylist() == [START]


@pytest.mark.parametrize("length", range(len(START) + 1))
def test_a_cut_fen_is_not_completed_by_the_next_row(length):
    values = pa.py_buffer(START.encode())
    offsets = pa.py_buffer(np.array([0, length, len(START)], np.int32))
    column = pa.Array.from_buffers(pa.string(), 2, [None, offsets, values])
    assert fp.validate(column).equals(fp.validate([START[:length], START[length:]]))
