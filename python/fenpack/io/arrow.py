"""Arrow IPC files and streams."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyarrow import ipc

from fenpack.io.columns import find_text
from fenpack.io.errors import InputError, as_input_error
from fenpack.io.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_FILE = b"ARROW1"


def open_arrow(path: Path | None, column: str | None) -> Source:
    """Read the record batches of an Arrow file or stream, told apart by its first bytes.

    Standard input, for which `path` is None, holds a stream.
    """
    if path is None:
        return _open_stdin(column)
    name = str(path)
    with as_input_error(name), pa.OSFile(name) as file, _opened(file) as reader:
        schema = reader.schema

    def batches(columns: list[str] | None = None) -> Iterator[tuple[pa.RecordBatch, int]]:
        with as_input_error(name), pa.OSFile(name) as file, _opened(file) as reader:
            for batch, done in _all(reader, file):
                yield batch if columns is None else batch.select(columns), done

    return Source(schema, find_text(name, schema, column), path.stat().st_size, "bytes", batches)


def _open_stdin(column: str | None) -> Source:
    name = "standard input"
    if sys.stdin is None:
        raise InputError(f"{name}: closed")
    with as_input_error(name):
        reader = ipc.open_stream(sys.stdin.buffer)
    schema = reader.schema

    def batches(columns: list[str] | None = None) -> Iterator[tuple[pa.RecordBatch, int]]:
        done = 0
        with as_input_error(name):
            for batch in reader:
                done += batch.nbytes
                yield batch if columns is None else batch.select(columns), done

    return Source(schema, find_text(name, schema, column), None, "bytes", batches)


@contextmanager
def _opened(file: pa.OSFile) -> Iterator[Any]:
    begins = file.read(len(_FILE))
    file.seek(0)
    with (ipc.open_file if begins == _FILE else ipc.open_stream)(file) as reader:
        yield reader


def _all(reader: Any, file: pa.OSFile) -> Iterator[tuple[pa.RecordBatch, int]]:
    if not isinstance(reader, ipc.RecordBatchFileReader):
        for batch in reader:
            yield batch, file.tell()
        return
    for i in range(reader.num_record_batches):
        yield reader.get_batch(i), file.size() * (i + 1) // reader.num_record_batches
