"""Every producer gives the same answers, in the shape of its column."""

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
from answers import FIXED_TEXTS, FUNCTIONS, TEXTS, THREE_KINGS, ask, each_text_type, two_parts
from texts import START

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
}
HAS_NUMPY_2 = hasattr(np.dtypes, "StringDType")
if HAS_NUMPY_2:
    PRODUCERS["numpy StringDType"] = lambda texts: np.array(
        texts, dtype=np.dtypes.StringDType(na_object=None)
    )


@pytest.mark.parametrize("produce", PRODUCERS.values(), ids=PRODUCERS)
@ask
def test_producers_agree(produce, function, answers):
    assert function(produce(TEXTS)).to_pylist() == answers


NUMPY_STRINGS = {
    "U": np.array(FIXED_TEXTS),
    "U big-endian": np.array(FIXED_TEXTS).astype(">U70"),
    "U strided": np.repeat(np.array(FIXED_TEXTS), 2)[::2],
    "S": np.array([text.encode() for text in FIXED_TEXTS]),
}
if HAS_NUMPY_2:
    NUMPY_STRINGS["StringDType"] = np.array(FIXED_TEXTS, dtype=np.dtypes.StringDType())


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
    "numpy masked": np.ma.array([START] * 4, mask=[False, True, True, True]),
}
if HAS_NUMPY_2:
    MISSING["numpy StringDType"] = np.array(
        [START, np.nan, np.nan, np.nan], dtype=np.dtypes.StringDType(na_object=np.nan)
    )


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
