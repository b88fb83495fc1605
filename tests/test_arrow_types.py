"""Every Arrow type gives the same answers."""

import numpy as np
import pyarrow as pa
import pytest

import fenpack as fp
from answers import ANSWERS, FIXED_TEXTS, FUNCTIONS, TEXTS, ask, each_text_type, two_parts
from texts import START

KEY_TYPES = [
    pa.int8(),
    pa.int16(),
    pa.int32(),
    pa.int64(),
    pa.uint8(),
    pa.uint16(),
    pa.uint32(),
    pa.uint64(),
]
each_key_type = pytest.mark.parametrize("key_type", KEY_TYPES, ids=str)


@each_text_type
@ask
def test_text_types_agree(text_type, function, answers):
    column = pa.array(TEXTS, pa.string()).cast(text_type)
    assert function(column).to_pylist() == answers


@each_text_type
@pytest.mark.parametrize("start", [1, 2, 7])
@ask
def test_slices_agree(text_type, start, function, answers):
    column = pa.array(TEXTS, pa.string()).cast(text_type)
    assert function(column[start:9]).to_pylist() == answers[start:9]


@each_text_type
@pytest.mark.parametrize("start", [0, 2, len(TEXTS)])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_slices_without_rows(text_type, start, function):
    column = pa.array(TEXTS, pa.string()).cast(text_type)
    assert function(column[start:start]).to_pylist() == []


@each_text_type
@pytest.mark.parametrize("start", [1, 7, 8, 63, 64, 65, 255, 256, 257])
def test_slices_at_any_bit_keep_their_nulls(text_type, start):
    texts, valid = TEXTS * 60, ANSWERS[1] * 60
    column = pa.array(texts, pa.string()).cast(text_type)
    assert fp.is_valid(column[start : start + 321]).to_pylist() == valid[start : start + 321]


def with_dictionary(key_type, values):
    """Encode `TEXTS` with `values` as the dictionary, nulls as null keys."""
    keys = [None if text is None else values.index(text) for text in TEXTS]
    return pa.array(keys, key_type), values


@each_key_type
@each_text_type
@ask
def test_dictionaries_agree(key_type, text_type, function, answers):
    keys, values = with_dictionary(key_type, FIXED_TEXTS)
    column = pa.DictionaryArray.from_arrays(keys, pa.array(values).cast(text_type))
    assert function(column).to_pylist() == answers


@each_key_type
@each_text_type
@ask
def test_dictionaries_with_a_null_value_agree(key_type, text_type, function, answers):
    values = [None, *FIXED_TEXTS]
    keys = pa.array([values.index(text) for text in TEXTS], key_type)
    column = pa.DictionaryArray.from_arrays(keys, pa.array(values).cast(text_type))
    assert function(column).to_pylist() == answers


@each_text_type
@ask
def test_unused_dictionary_values_do_not_matter(text_type, function, answers):
    keys, values = with_dictionary(pa.int8(), [*FIXED_TEXTS, "unused", "\N{BLACK CHESS KING}" * 99])
    column = pa.DictionaryArray.from_arrays(keys, pa.array(values).cast(text_type))
    assert function(column).to_pylist() == answers


@each_key_type
@each_text_type
@ask
def test_dictionaries_larger_than_the_column_agree(key_type, text_type, function, answers):
    keys, values = with_dictionary(key_type, ["unused"] * 100 + FIXED_TEXTS)
    column = pa.DictionaryArray.from_arrays(keys, pa.array(values).cast(text_type))
    assert function(column).to_pylist() == answers


@each_text_type
@ask
def test_slices_of_dictionaries_agree(text_type, function, answers):
    keys, values = with_dictionary(pa.int16(), FIXED_TEXTS)
    column = pa.DictionaryArray.from_arrays(keys, pa.array(values).cast(text_type))
    assert function(column[4:9]).to_pylist() == answers[4:9]


@ask
def test_slices_of_dictionary_values_agree(function, answers):
    keys, values = with_dictionary(pa.int16(), FIXED_TEXTS)
    values = pa.array(["before", *values, "after"])[1:-1]
    assert function(pa.DictionaryArray.from_arrays(keys, values)).to_pylist() == answers


@ask
def test_dictionaries_may_differ_by_chunk(function, answers):
    chunks = [pa.array(part).dictionary_encode() for part in two_parts(TEXTS)]
    assert function(pa.chunked_array(chunks)).to_pylist() == answers


@pytest.mark.parametrize("values", [[START], [START] * 9], ids=["smaller", "larger"])
@ask
def test_keys_under_nulls_are_not_read(values, function, answers):
    keys = pa.Array.from_buffers(
        pa.uint8(), 3, [pa.py_buffer(b"\x05"), pa.py_buffer(b"\x00\xff\x00")]
    )
    column = pa.DictionaryArray.from_arrays(keys, pa.array(values), safe=False)
    assert function(column).to_pylist() == [answers[0], None, answers[0]]


@pytest.mark.parametrize("key", [-1, 1, 127])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_keys_without_a_value_are_refused(key, function):
    keys = pa.array([0, key], pa.int8())
    column = pa.DictionaryArray.from_arrays(keys, pa.array([START]), safe=False)
    with pytest.raises(ValueError, match="dictionary key without a value"):
        function(column)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_dictionary_of_nulls_is_null(function):
    column = pa.DictionaryArray.from_arrays(pa.array([None, None], pa.int8()), pa.nulls(0))
    assert function(column).to_pylist() == [None, None]


@pytest.mark.parametrize("text_type", [pa.string(), pa.binary()], ids=str)
@pytest.mark.parametrize("function", [fp.is_duplicate, fp.validate, lambda x: fp.audit(x).men])
def test_dictionaries_take_no_room_for_their_text(text_type, function):
    """Written out, these rows would outgrow 32-bit offsets."""
    column = pa.DictionaryArray.from_arrays([0] * 22, pa.array(["x" * (100 << 20)], text_type))
    assert len(function(column)) in (22, 65)


VIEW_TYPES = [pa.string_view(), pa.binary_view()]


@pytest.mark.parametrize("view_type", VIEW_TYPES, ids=str)
def test_views_on_both_sides_of_the_inline_length(view_type):
    texts = [START[:length] for length in range(len(START) + 1)]
    column = pa.array(texts).cast(view_type)
    assert fp.validate(column).equals(fp.validate(texts))


@pytest.mark.parametrize("view_type", VIEW_TYPES, ids=str)
@ask
def test_views_into_several_buffers(view_type, function, answers):
    parts = [pa.array(part).cast(view_type) for part in two_parts(TEXTS)]
    column = pa.concat_arrays(parts)
    assert len(column.buffers()) == 4, "validity, views and two buffers"
    assert function(column).to_pylist() == answers


@pytest.mark.parametrize("view_type", VIEW_TYPES, ids=str)
@ask
def test_views_under_nulls_are_not_read(view_type, function, answers):
    good, length = START.encode(), len(START)
    views = np.array([length, 0, 0, 0, length, 0, 99, 99], np.int32)
    views[1] = np.frombuffer(good[:4], np.int32)[0]
    buffers = [pa.py_buffer(b"\x01"), pa.py_buffer(views), pa.py_buffer(good)]
    column = pa.Array.from_buffers(view_type, 2, buffers)
    assert function(column).to_pylist() == [answers[0], None]


@pytest.mark.parametrize("function", [fp.validate, fp.is_valid, fp.parse, fp.canonicalize])
def test_string_bytes_need_not_be_utf8(function):
    offsets = pa.py_buffer(np.array([0, 3, 3 + len(START)], np.int32))
    column = pa.Array.from_buffers(
        pa.string(), 2, [None, offsets, pa.py_buffer(b"\xff\xc3\x28" + START.encode())]
    )
    assert function(column)[1].as_py() == function([START])[0].as_py()
