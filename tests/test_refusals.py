"""What is no column is refused, with advice."""

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
from texts import START

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


JUDGES = (
    *(fp.parse, fp.canonicalize, fp.validate, fp.is_valid, fp.repair, fp.key, fp.zobrist),
    *(fp.identity, fp.is_duplicate, fp.unique, fp.planes, fp.bitboards, fp.tokens),
)


@pytest.mark.parametrize("call", JUDGES)
def test_chess960_is_true_or_false(call):
    for value in ("no", 1, None):
        with pytest.raises(TypeError, match=f"chess960 must be True or False, got {value!r}"):
            call([START], chess960=value)
    call([START], chess960=np.True_)
