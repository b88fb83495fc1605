"""Copies of what can be read only once."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow as pa

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from fenpack.io.source import Source


@contextmanager
def spooled(source: Source, directory: str | os.PathLike[str] | None = None) -> Iterator[Source]:
    """Give `source` as one that can be read again, from a file without a name in `directory`."""
    with tempfile.TemporaryFile(dir=directory) as file:
        options = pa.ipc.IpcWriteOptions(compression="lz4")
        rows = 0
        try:
            with pa.ipc.new_stream(file, source.schema, options=options) as writer:
                for batch, _ in source.batches():
                    writer.write_batch(batch)
                    rows += batch.num_rows
        except OSError as error:
            if error.errno is None or error.filename is not None:
                raise
            raise OSError(error.errno, error.strerror, str(directory)) from error

        def batches(columns: list[str] | None = None) -> Iterator[tuple[pa.RecordBatch, int]]:
            done = 0
            file.seek(0)
            for batch in pa.ipc.open_stream(file):
                done += batch.num_rows
                yield batch if columns is None else batch.select(columns), done

        yield replace(source, size=rows, unit="rows", batches=batches)
