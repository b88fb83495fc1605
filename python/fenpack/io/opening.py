"""Open one or more files as one source."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow as pa

from fenpack.io.arrow import open_arrow
from fenpack.io.epd import split_records
from fenpack.io.errors import InputError, state_of, unchanged
from fenpack.io.joining import join
from fenpack.io.jsonl import open_json
from fenpack.io.kinds import ARROW, LINES, PARQUET, TABLES
from fenpack.io.lines import open_lines
from fenpack.io.parquet import open_parquet
from fenpack.io.paths import find_inputs
from fenpack.io.pgn import open_pgn
from fenpack.io.source import Source, ahead
from fenpack.io.tables import open_table
from fenpack.io.text import Text

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from fenpack.io.paths import Input


def open_source(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    column: str | None = None,
    *,
    format: str | None = None,  # noqa: A002
    strict: bool = False,
) -> Source:
    """Open files of FENs.

    Parameters
    ----------
    paths : str, Path or an iterable of them
        Files, folders, patterns or ``-``, as in `scan`.
    column : str, optional
        The column that holds the text. By default ``fen``, whatever its case, or the only column.
    format : str, optional
        The kind of every file, as in `scan`.
    strict : bool, default False
        Whether lines that are not UTF-8 are an error and EPD operations a column, as in `scan`.
        By default lines are given as they are, in a column of binary, to be judged.

    Returns
    -------
    Source
        Batches are read as they are asked for; memory does not grow with the files.

    Raises
    ------
    InputError
        If a file cannot be read or has no such column, or if the columns of files differ.
    ValueError
        If `format` is no kind.
    """
    return open_inputs(find_inputs(paths, format), column, strict=strict)


def open_inputs(
    inputs: Sequence[Input], column: str | None = None, *, strict: bool = False
) -> Source:
    """Open inputs that `find_inputs` found, as `open_source` does."""
    sources = [_open(one, column, strict) for one in inputs]
    source = join(sources, [one.name for one in inputs])
    if any(one.path is None for one in inputs):
        # A thread that waits for a pipe could not be interrupted.
        return source

    def batches(columns: list[str] | None = None) -> Iterator[tuple[pa.RecordBatch, int]]:
        return ahead(source.batches(columns))

    return replace(source, batches=batches)


def _open(one: Input, column: str | None, strict: bool) -> Source:
    if one.path is None:
        return _open_kind(one, column, strict)
    source = _open_file(one, one.path, column, strict)
    return _with_partition(source, one.partition) if one.partition else source


def _open_file(one: Input, path: Path, column: str | None, strict: bool) -> Source:
    """Open a file that must not change from now on: it is opened again for each reading."""
    state = state_of(path)
    with unchanged(path, state):
        source = _open_kind(one, column, strict)

    def batches(columns: list[str] | None = None) -> Iterator[tuple[pa.RecordBatch, int]]:
        with unchanged(path, state):
            yield from source.batches(columns)

    return replace(source, batches=batches)


def _open_kind(one: Input, column: str | None, strict: bool) -> Source:
    suffix = one.kind.suffix
    if suffix in PARQUET:
        if one.path is None:
            raise InputError(f"{one.name}: Parquet cannot be read from a pipe")
        return open_parquet(one.path, column)
    if suffix in ARROW:
        return open_arrow(one.path, column)
    if suffix in TABLES:
        return open_table(Text(one), "," if suffix == ".csv" else "\t", column)
    if suffix not in LINES and suffix != ".pgn":
        return open_json(Text(one), column)
    if column not in (None, "fen"):
        raise InputError(f"{one.name}: a text file has no columns, got --column {column}")
    if suffix == ".pgn":
        # Names of players are often in Latin-1.
        return open_pgn(Text(one, utf8=False))
    lines = open_lines(Text(one, utf8=strict), pa.string() if strict else pa.binary())
    return split_records(lines) if strict and suffix == ".epd" else lines


def _with_partition(source: Source, partition: dict[str, pa.Scalar]) -> Source:
    """Add the columns that folders name, but for those that the file has."""
    added = {key: one for key, one in partition.items() if key not in source.schema.names}
    schema = source.schema
    for key, value in added.items():
        schema = schema.append(pa.field(key, value.type))

    def batches(columns: list[str] | None = None) -> Iterator[tuple[pa.RecordBatch, int]]:
        inner = None if columns is None else [name for name in columns if name not in added]
        kept = [key for key in added if columns is None or key in columns]
        for batch, done in source.batches(inner):
            whole = [*batch.columns, *(pa.repeat(added[key], batch.num_rows) for key in kept)]
            fields = [*batch.schema, *(schema.field(key) for key in kept)]
            yield pa.RecordBatch.from_arrays(whole, schema=pa.schema(fields)), done

    return replace(source, schema=schema, batches=batches)
