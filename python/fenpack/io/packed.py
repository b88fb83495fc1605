"""Write batches with a column of fixed width: packed positions, or tensors."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from fenpack.io.kinds import ARROW, PARQUET, kind_of
from fenpack.io.writing import atomic_output

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fenpack.io.writing import Writer


def can_pack(path: Path) -> bool:
    """Tell whether `open_packed` knows the kind of `path`."""
    kind = kind_of(path)
    return kind is not None and kind.suffix in (*PARQUET, *ARROW)


@contextmanager
def open_packed(path: Path, schema: pa.Schema, column: str) -> Iterator[Writer]:
    """Write batches of `schema` to `path`, which appears whole at the end or not at all.

    An Arrow file is not compressed, so that it can be mapped into memory. In a Parquet file
    `column`, which holds bytes or numbers of fixed width, has no dictionary; packed positions are
    split into streams of their bytes. All is compressed with zstd.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    kind = kind_of(path)
    assert kind is not None
    with atomic_output(path) as file:
        if kind.suffix in PARQUET:
            import pyarrow.parquet as pq

            with pq.ParquetWriter(file, schema, **_encoding(schema, column)) as writer:
                yield writer
        elif kind.suffix == ".arrows":
            with pa.ipc.new_stream(file, schema) as writer:
                yield writer
        else:
            with pa.ipc.new_file(file, schema) as writer:
                yield writer


def _encoding(schema: pa.Schema, column: str) -> dict[str, Any]:
    others = [name for name in schema.names if name != column]
    encoding: dict[str, Any] = {"compression": "zstd", "use_dictionary": others}
    kind = schema.field(column).type
    storage = getattr(kind, "storage_type", kind)
    if pa.types.is_fixed_size_binary(storage):
        encoding["column_encoding"] = {column: "BYTE_STREAM_SPLIT"}
    return encoding
