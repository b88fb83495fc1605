"""Parquet files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fenpack.io.columns import check_text, find_text
from fenpack.io.errors import InputError, as_input_error, opened
from fenpack.io.kinds import PARQUET
from fenpack.io.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pyarrow as pa

_BATCH_ROWS = 1 << 16
_BATCH_BYTES = 1 << 24
_PORTION_ROWS = 1 << 18


def open_parquet(path: Path, column: str | None) -> Source:
    """Read the row groups of a Parquet file in turn."""
    import pyarrow.parquet as pq

    name = str(path)
    with as_input_error(name), opened(path) as raw, pq.ParquetFile(raw) as file:
        schema, size = file.schema_arrow, file.metadata.num_rows
    text = find_text(name, schema, column)

    def batches(columns: list[str] | None = None) -> Iterator[tuple[pa.RecordBatch, int]]:
        rows = 0
        options = {"pre_buffer": True, "page_checksum_verification": True}
        with as_input_error(name), opened(path) as raw, pq.ParquetFile(raw, **options) as file:
            for groups in _portions(file.metadata):
                for batch in file.iter_batches(_batch_rows(file.metadata), groups, columns):
                    if text in batch.schema.names:
                        check_text(name, batch.column(text), rows)
                    rows += batch.num_rows
                    yield batch, rows
            if rows != size:
                raise InputError(f"{name}: {rows} rows, but its footer tells of {size}")

    return Source(schema, text, size, "rows", batches)


def compression_of(path: Path | None) -> str:
    """Give how a Parquet file is compressed, in its first column, and zstd of any other."""
    import pyarrow.parquet as pq

    if path is None or path.suffix.lower() not in PARQUET:
        return "zstd"
    with as_input_error(str(path)), opened(path) as raw, pq.ParquetFile(raw) as file:
        if file.metadata.num_row_groups == 0:
            return "zstd"
        codec = str(file.metadata.row_group(0).column(0).compression).lower()
    return "none" if codec == "uncompressed" else codec


def _batch_rows(metadata: Any) -> int:
    """Give the rows of a batch, fewer where they are wide."""
    size = _bytes(metadata) // max(int(metadata.num_rows), 1)
    return max(min(_BATCH_ROWS, _BATCH_BYTES // max(size, 1)), 1024)


def _bytes(metadata: Any) -> int:
    groups = (metadata.row_group(i) for i in range(metadata.num_row_groups))
    return sum(int(group.total_byte_size) for group in groups)


def _portions(metadata: Any) -> Iterator[list[int]]:
    """Divide the row groups, for the reader keeps the bytes of those that it is given together."""
    portion: list[int] = []
    rows = 0
    for i in range(metadata.num_row_groups):
        portion.append(i)
        rows += metadata.row_group(i).num_rows
        if rows >= _PORTION_ROWS:
            yield portion
            portion, rows = [], 0
    if portion:
        yield portion
