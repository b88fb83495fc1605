"""Files of every kind and compression, written by other hands than the readers."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import feather, ipc

if TYPE_CHECKING:
    from pathlib import Path

COMPRESSIONS = ("", ".gz", ".zst", ".bz2")
TEXTS = (".fen", ".txt", ".epd", ".csv", ".tsv", ".jsonl", ".ndjson", ".pgn")
TABLES = (".parquet", ".pq", ".arrow", ".feather", ".ipc", ".arrows")


def zstd(data: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data)
    return bytes(sink.getvalue())


COMPRESS = {"": bytes, ".gz": gzip.compress, ".zst": zstd, ".bz2": bz2.compress}


def as_kind(kind: str, fens: list[str]) -> bytes:
    """Spell rows as a text of `kind`."""
    if kind in (".csv", ".tsv"):
        sink = io.StringIO()
        writer = csv.writer(sink, delimiter="," if kind == ".csv" else "\t", lineterminator="\n")
        writer.writerows([["id", "FEN", "note"], *([i, fen, "a, b"] for i, fen in enumerate(fens))])
        return sink.getvalue().encode()
    if kind in (".jsonl", ".ndjson"):
        rows = ({"fen": fen, "evals": [{"pvs": [{"cp": i}]}]} for i, fen in enumerate(fens))
        return "".join(f"{json.dumps(row)}\n" for row in rows).encode()
    if kind == ".pgn":
        games = (f'[Event "?"]\n[SetUp "1"]\n[FEN "{fen}"]\n\n1. e4 *\n\n' for fen in fens)
        return "".join(games).encode()
    return "".join(f"{fen}\n" for fen in fens).encode()


def write(path: Path, fens: list[str]) -> Path:
    """Write rows to a file of the kind that its name tells."""
    kind = path.suffixes[0]
    table = pa.table({"id": range(len(fens)), "fen": fens})
    if kind in (".parquet", ".pq"):
        pq.write_table(table, path)
    elif kind == ".feather":
        feather.write_feather(table, path)
    elif kind in (".arrow", ".ipc", ".arrows"):
        new = ipc.new_stream if kind == ".arrows" else ipc.new_file
        with new(path, table.schema) as writer:
            writer.write_table(table, max_chunksize=2)
    else:
        path.write_bytes(COMPRESS["".join(path.suffixes[1:])](as_kind(kind, fens)))
    return path


def rows_of(reader: pa.RecordBatchReader, column: str = "fen") -> list[Any]:
    return reader.read_all()[column].to_pylist()
