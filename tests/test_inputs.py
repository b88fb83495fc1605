"""Every producer and every Arrow type gives the same answers, and what is no column is refused."""

import arro3.core
import datafusion
import duckdb
import nanoarrow
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import fenpack as fp
from fenpack import Problem

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
REPAIRED = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
CANONICAL = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
THREE_KINGS = "8/8/8/8/8/8/8/KKk5 w - - 0 1"

# text, problems, valid, the position read from it (written again), canonical text
ROWS = [
    (START, Problem(0), True, START, START),
    (None, None, None, None, None),
    (
        "rnbqkbnr/pppppppp/44/8/4P3/8/PPPP1PPP/RNBQKBNR b QKkq e3",
        Problem.FIELD_COUNT
        | Problem.ADJACENT_DIGITS
        | Problem.CASTLING_ORDER
        | Problem.EP_NOT_CAPTURABLE,
        True,
        REPAIRED,
        CANONICAL,
    ),
    ("", Problem.EMPTY, False, None, None),
    (
        THREE_KINGS,
        Problem.EXTRA_WHITE_KING | Problem.OPPOSITE_CHECK | Problem.KINGS_ADJACENT,
        False,
        THREE_KINGS,
        THREE_KINGS,
    ),
    ("8/8 w - - 10", Problem.FIELD_COUNT | Problem.RANK_COUNT, False, None, None),
    (None, None, None, None, None),
    ("8/8 w - - 0 1", Problem.RANK_COUNT, False, None, None),
    ("4k3/8/8/8/8/8/5PPPP/4K3 w - - 0 1", Problem.RANK_WIDTH, False, None, None),
    (f"{START}\r\n", Problem.WHITESPACE, True, START, START),
]
TEXTS, *ANSWERS = (list(column) for column in zip(*ROWS, strict=True))


def parse_and_format(fens):
    return fp.format(fp.parse(fens))


QUESTIONS = [
    pytest.param(fp.validate, ANSWERS[0], id="validate"),
    pytest.param(fp.is_valid, ANSWERS[1], id="is_valid"),
    pytest.param(parse_and_format, ANSWERS[2], id="parse"),
    pytest.param(fp.canonicalize, ANSWERS[3], id="canonicalize"),
]
FUNCTIONS = [question.values[0] for question in QUESTIONS]
ask = pytest.mark.parametrize(("function", "answers"), QUESTIONS)

TEXT_TYPES = [
    pa.string(),
    pa.large_string(),
    pa.string_view(),
    pa.binary(),
    pa.large_binary(),
    pa.binary_view(),
]
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
each_text_type = pytest.mark.parametrize("text_type", TEXT_TYPES, ids=str)
each_key_type = pytest.mark.parametrize("key_type", KEY_TYPES, ids=str)


def two_parts(texts):
    return [texts[:3], texts[3:]]


# --- producers -------------------------------------------------------------------------------

PRODUCERS = {
    "list": list,
    "tuple": tuple,
    "pyarrow array": pa.array,
    "pyarrow chunks": lambda texts: pa.chunked_array(two_parts(texts)),
    "pyarrow dictionary": lambda texts: pa.array(texts).dictionary_encode(),
    "table column": lambda texts: pa.table({"fen": texts})["fen"],
    "polars": pl.Series,
    "polars chunks": lambda texts: pl.concat(map(pl.Series, two_parts(texts)), rechunk=False),
    "polars slice": lambda texts: pl.Series(["x", *texts, "y"])[1:-1],
    "polars categorical": lambda texts: pl.Series(texts, dtype=pl.Categorical),
    "polars enum": lambda texts: pl.Series(
        texts, dtype=pl.Enum([text for text in texts if text is not None])
    ),
    "polars binary": lambda texts: pl.Series(texts, dtype=pl.String).cast(pl.Binary),
    "pandas str": lambda texts: pd.Series(texts, dtype="str"),
    "pandas string": lambda texts: pd.Series(texts, dtype="string"),
    "pandas python string": lambda texts: pd.Series(texts, dtype=pd.StringDtype("python")),
    "pandas object": lambda texts: pd.Series(texts, dtype=object),
    "pandas category": lambda texts: pd.Series(texts, dtype="category"),
    "pandas arrow": lambda texts: pd.Series(texts, dtype=pd.ArrowDtype(pa.string())),
    "pandas index 5 3 1": lambda texts: pd.Series(texts, index=range(99, 99 - len(texts), -1)),
    "pandas slice": lambda texts: pd.Series(["x", *texts, "y"], dtype="str").iloc[1:-1],
    "duckdb": lambda texts: pa.table(duckdb.from_arrow(pa.table({"fen": texts})))["fen"],
    "datafusion": lambda texts: pa.table(
        datafusion.SessionContext().from_arrow(pa.table({"fen": texts})).select("fen")
    )["fen"],
    "arro3 array": lambda texts: arro3.core.Array.from_arrow(pa.array(texts)),
    "arro3 chunks": lambda texts: arro3.core.ChunkedArray.from_arrow(
        pa.chunked_array(two_parts(texts))
    ),
    "arro3 reader": lambda texts: arro3.core.ArrayReader.from_stream(
        pa.chunked_array(two_parts(texts))
    ),
    "arro3 table column": lambda texts: arro3.core.Table.from_arrow(pa.table({"fen": texts}))[
        "fen"
    ],
    "nanoarrow array": lambda texts: nanoarrow.Array(texts, nanoarrow.string()),
    "nanoarrow stream": lambda texts: nanoarrow.ArrayStream(pa.chunked_array(two_parts(texts))),
    "numpy object": lambda texts: np.array(texts, dtype=object),
    "numpy object strided": lambda texts: np.array([texts, texts], dtype=object).T[:, 0],
    "numpy StringDType": lambda texts: np.array(texts, dtype=np.dtypes.StringDType(na_object=None)),
}


@pytest.mark.parametrize("produce", PRODUCERS.values(), ids=PRODUCERS)
@ask
def test_producers_agree(produce, function, answers):
    assert function(produce(TEXTS)).to_pylist() == answers


FIXED_TEXTS = [text for text in TEXTS if text is not None]
NUMPY_STRINGS = {
    "U": np.array(FIXED_TEXTS),
    "U big-endian": np.array(FIXED_TEXTS).astype(">U70"),
    "U strided": np.repeat(np.array(FIXED_TEXTS), 2)[::2],
    "S": np.array([text.encode() for text in FIXED_TEXTS]),
    "StringDType": np.array(FIXED_TEXTS, dtype=np.dtypes.StringDType()),
}


@pytest.mark.parametrize("array", NUMPY_STRINGS.values(), ids=NUMPY_STRINGS)
@ask
def test_numpy_strings_without_nulls_agree(array, function, answers):
    expected = [answers[i] for i, text in enumerate(TEXTS) if text is not None]
    assert function(array).to_pylist() == expected


MISSING = {
    "pandas str": pd.Series([START, None, np.nan, pd.NA], dtype="str"),
    "pandas string": pd.Series([START, None, np.nan, pd.NA], dtype="string"),
    "pandas object": pd.Series([START, None, np.nan, pd.NA], dtype=object),
    "numpy object": np.array([START, None, np.nan, pd.NA], dtype=object),
    "numpy StringDType": np.array(
        [START, np.nan, np.nan, np.nan], dtype=np.dtypes.StringDType(na_object=np.nan)
    ),
    "numpy masked": np.ma.array([START] * 4, mask=[False, True, True, True]),
}


@pytest.mark.parametrize("column", MISSING.values(), ids=MISSING)
def test_every_kind_of_missing_value_is_null(column):
    assert fp.is_valid(column).to_pylist() == [True, None, None, None]


ALL_MISSING = {
    "list": [None, None],
    "numpy object": np.array([None, np.nan], dtype=object),
    "pandas object": pd.Series([np.nan, None], dtype=object),
    "pandas str": pd.Series([None, None], dtype="str"),
    "polars string": pl.Series([None, None], dtype=pl.String),
    "polars categorical": pl.Series([None, None], dtype=pl.Categorical),
    "polars null": pl.Series([None, None]),
    "pyarrow string": pa.nulls(2, pa.string()),
    "pyarrow null": pa.nulls(2),
    "pyarrow null chunks": pa.chunked_array([pa.nulls(1), pa.nulls(1)]),
}


@pytest.mark.parametrize("column", ALL_MISSING.values(), ids=ALL_MISSING)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_all_missing_is_all_null(column, function):
    assert function(column).to_pylist() == [None, None]


NO_ROWS = {
    "list": [],
    "tuple": (),
    "numpy U": np.array([], dtype="U1"),
    "numpy object": np.array([], dtype=object),
    "pandas str": pd.Series([], dtype="str"),
    "pandas object": pd.Series([], dtype=object),
    "polars": pl.Series([], dtype=pl.String),
    "pyarrow null": pa.nulls(0),
    "no chunks": pa.chunked_array([], pa.string()),
}


@pytest.mark.parametrize("column", NO_ROWS.values(), ids=NO_ROWS)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_no_rows_in_no_rows_out(column, function):
    assert function(column).to_pylist() == []


@pytest.mark.parametrize("function", [fp.validate, fp.is_valid, fp.format])
def test_numpy_position_records_are_positions(function):
    positions = fp.parse([START, THREE_KINGS])
    assert function(positions.to_numpy()).equals(function(positions))


@pytest.mark.parametrize("function", [fp.validate, fp.is_valid, fp.format])
def test_strided_numpy_position_records_are_positions(function):
    positions = fp.parse([START, "", THREE_KINGS, ""])
    assert function(positions.to_numpy()[::2]).equals(function(fp.parse([START, THREE_KINGS])))


# --- Arrow types -----------------------------------------------------------------------------


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


# --- shape of the answer ---------------------------------------------------------------------

ANSWER_TYPES = [
    pytest.param(fp.validate, pa.uint64(), id="validate"),
    pytest.param(fp.is_valid, pa.bool_(), id="is_valid"),
    pytest.param(fp.parse, fp.PositionType(), id="parse"),
    pytest.param(fp.canonicalize, pa.string(), id="canonicalize"),
]
each_answer_type = pytest.mark.parametrize(("function", "answer_type"), ANSWER_TYPES)


@each_answer_type
@pytest.mark.parametrize("texts", [TEXTS, [None, None], []], ids=["mixed", "null", "empty"])
def test_array_in_array_out(function, answer_type, texts):
    answer = function(pa.array(texts, pa.string()))
    assert isinstance(answer, pa.Array)
    assert answer.type == answer_type
    assert len(answer) == len(texts)


@each_answer_type
@pytest.mark.parametrize(
    "lengths",
    [(), (0,), (0, 0), (1,), (10,), (0, 10, 0), (1, 2, 0, 7), (20_000, 1, 0, 9_999, 3)],
    ids=str,
)
def test_chunks_in_chunks_out(function, answer_type, lengths):
    texts = pa.array(TEXTS * (sum(lengths) // len(TEXTS) + 1))
    starts = [sum(lengths[:i]) for i in range(len(lengths))]
    chunks = [texts[start : start + n] for start, n in zip(starts, lengths, strict=True)]
    answer = function(pa.chunked_array(chunks, pa.string()))
    assert isinstance(answer, pa.ChunkedArray)
    assert answer.type == answer_type
    assert tuple(map(len, answer.chunks)) == lengths
    assert answer.to_pylist() == function(texts[: sum(lengths)]).to_pylist()


STREAMS = {
    name: PRODUCERS[name]
    for name in ("polars chunks", "arro3 chunks", "arro3 reader", "nanoarrow stream")
}


@pytest.mark.parametrize("produce", STREAMS.values(), ids=STREAMS)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_streams_keep_their_chunks(produce, function):
    assert [len(chunk) for chunk in function(produce(TEXTS)).chunks] == [3, 7]


@each_text_type
def test_canonical_text_has_the_offsets_of_its_source(text_type):
    large = text_type in (pa.large_string(), pa.large_binary())
    answer = fp.canonicalize(pa.array(TEXTS, pa.string()).cast(text_type))
    assert answer.type == (pa.large_string() if large else pa.string())


# --- what is no column -----------------------------------------------------------------------

ARGUMENTS = [
    pytest.param(fp.validate, "x", id="validate"),
    pytest.param(fp.is_valid, "x", id="is_valid"),
    pytest.param(fp.parse, "fens", id="parse"),
    pytest.param(fp.canonicalize, "fens", id="canonicalize"),
    pytest.param(fp.format, "positions", id="format"),
]
each_argument = pytest.mark.parametrize(("function", "argument"), ARGUMENTS)

GAMES = {"fen": [START], "elo": [2851]}
FRAMES = {
    "pyarrow table": lambda: pa.table(GAMES),
    "pyarrow batch": lambda: pa.record_batch(GAMES),
    "pyarrow reader": lambda: pa.table(GAMES).to_reader(),
    "pyarrow struct": lambda: pa.array([{"fen": START, "elo": 2851}]),
    "polars frame": lambda: pl.DataFrame(GAMES),
    "polars struct": lambda: pl.DataFrame(GAMES).to_struct(),
    "pandas frame": lambda: pd.DataFrame(GAMES),
    "duckdb relation": lambda: duckdb.from_arrow(pa.table(GAMES)),
    "datafusion frame": lambda: datafusion.SessionContext().from_arrow(pa.table(GAMES)),
    "arro3 table": lambda: arro3.core.Table.from_arrow(pa.table(GAMES)),
    "nanoarrow struct": lambda: nanoarrow.Array(pa.record_batch(GAMES)),
}


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
@each_argument
def test_frames_are_refused_with_their_fields(frame, function, argument):
    with pytest.raises(TypeError, match=rf"^{argument} must be one column.*\bfen, elo\b"):
        function(frame())


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame({"fen": [START]}),
        pd.DataFrame({"fen": [START]}),
        duckdb.from_arrow(pa.table({"fen": [START]})),
    ],
    ids=["polars", "pandas", "duckdb"],
)
@each_argument
def test_a_frame_of_one_column_is_still_no_column(frame, function, argument):
    with pytest.raises(TypeError, match=rf"^{argument} must be one column.*\bfen\b"):
        function(frame)


@pytest.mark.parametrize(
    "frame",
    ["pyarrow table", "polars frame", "pandas frame", "duckdb relation", "datafusion frame"],
)
def test_the_advice_for_a_frame_works(frame):
    with pytest.raises(TypeError, match=r'pyarrow\.table\(x\)\["fen"\]'):
        fp.validate(FRAMES[frame]())
    assert fp.is_valid(pa.table(FRAMES[frame]())["fen"]).to_pylist() == [True]


@pytest.mark.parametrize(
    ("lone", "kind"),
    [
        (START, "str"),
        ("", "str"),
        (START.encode(), "bytes"),
        (bytearray(40), "bytearray"),
        (memoryview(bytes(40)), "memoryview"),
        (np.str_(START), "str_"),
    ],
)
@each_argument
def test_a_lone_text_is_refused(lone, kind, function, argument):
    message = rf"^{argument} must be a column, got a lone {kind}; wrap it in a list: \["
    with pytest.raises(TypeError, match=message):
        function(lone)


NO_COLUMNS = {
    "dict": ({"fen": START}, "dict"),
    "set": ({START}, "set"),
    "generator": ((text for text in [START]), "generator"),
    "iterator": (iter([START]), "list_iterator"),
    "lazy frame": (pl.LazyFrame({"fen": [START]}), "LazyFrame"),
    "None": (None, "NoneType"),
    "int": (64, "int"),
    "pyarrow scalar": (pa.scalar(START), "StringScalar"),
    "two dimensions": (np.array([[START]]), r"shape \(1, 1\)"),
    "no dimension": (np.array(START), r"shape \(\)"),
    "list of int": ([1, 2], "Int64"),
    "list of float": ([1.5], "Double|Float64"),
    "list of bool": ([True], "Boolean"),
    "list of lists": ([[START]], "List"),
    "range": (range(3), "Int64"),
    "list of str and int": ([START, 1], "int"),
    "list of str and list": ([START, [START]], "list"),
    "numpy int": (np.arange(3), "int64"),
    "numpy float": (np.array([np.nan]), "float64"),
    "numpy object with int": (np.array([START, 1], dtype=object), "int"),
    "numpy other records": (np.zeros(1, dtype=[("a", "u1")]), "u1"),
    "pandas int": (pd.Series([1]), "Int64"),
    "pandas object with int": (pd.Series([START, 1], dtype=object), "int"),
    "polars int": (pl.Series([1], dtype=pl.UInt8), "UInt8"),
    "pyarrow int": (pa.array([1], pa.int32()), "Int32"),
    "pyarrow list": (pa.array([[START]]), "List"),
    "pyarrow date": (pa.array([1], pa.date32()), "Date32"),
    "pyarrow dictionary of int": (pa.array([1, 1]).dictionary_encode(), "Int64"),
    "pyarrow wide binary": (pa.array([bytes(41)], pa.binary(41)), r"FixedSizeBinary\(41\)"),
}


@pytest.mark.parametrize(("column", "given"), NO_COLUMNS.values(), ids=NO_COLUMNS)
@each_argument
def test_no_columns_are_refused_by_name(column, given, function, argument):
    with pytest.raises(TypeError, match=rf"^{argument} .*({given})"):
        function(column)


@pytest.mark.parametrize("column", [[START], pa.array([START]), pl.Series([START])], ids=repr)
def test_text_is_no_position(column):
    with pytest.raises(TypeError, match=r"^positions must be a column of packed positions.*got"):
        fp.format(column)


@pytest.mark.parametrize("function", [fp.parse, fp.canonicalize])
def test_positions_are_no_text(function):
    with pytest.raises(TypeError, match=r"^fens must be a column of FEN text.*use format"):
        function(fp.parse([START]))
