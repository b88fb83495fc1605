"""Packed positions, and the columns of plain bytes that hold them."""

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa

import fenpack as fp
from texts import ODD, START

POSITIONS = fp.parse([START, None, ODD, "no FEN", START])
RAW = POSITIONS.storage
PLAIN = {
    "extension": POSITIONS,
    "fixed_size_binary": RAW,
    "binary": RAW.cast(pa.binary()),
    "large_binary": RAW.cast(pa.binary()).cast(pa.large_binary()),
    "binary_view": RAW.cast(pa.binary()).cast(pa.binary_view()),
    "dictionary": RAW.dictionary_encode(),
    "dictionary of binary": RAW.cast(pa.binary()).dictionary_encode(),
    "list of bytes": RAW.to_pylist(),
    "polars": pl.Series(RAW.to_pylist()),
    "duckdb": pa.table(duckdb.from_arrow(pa.table({"p": RAW})))["p"],
    "slice": pa.concat_arrays([POSITIONS, POSITIONS])[5:],
    "binary slice": pa.concat_arrays([RAW, RAW]).cast(pa.binary())[5:],
    "chunks": pa.chunked_array([RAW[:1], RAW[1:1], RAW[1:]]),
}


def packed(**fields):
    record = np.array(fp.parse([START]).to_numpy())
    for name, value in fields.items():
        record[name] = value
    return record.tobytes()
