"""Arrow IPC files and streams."""

from __future__ import annotations

import sys
import warnings
from contextlib import contextmanager
from struct import unpack_from
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyarrow import ipc

from fenpack.io.columns import check_text, find_text
from fenpack.io.errors import InputError, InputWarning, as_input_error, opened
from fenpack.io.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

_FILE = b"ARROW1"
#: Bytes between the last batch and the footer: the end mark of the stream, and padding.
_MOST_BETWEEN = 128
_BYTES = {
    pa.string(): pa.binary(),
    pa.large_string(): pa.large_binary(),
    pa.string_view(): pa.binary_view(),
}
#: What a stream ends with.
_END = b"\xff\xff\xff\xff\0\0\0\0"


def open_arrow(path: Path | None, column: str | None) -> Source:
    """Read the record batches of an Arrow file or stream, told apart by its first bytes.

    Standard input, for which `path` is None, holds a stream.
    """
    if path is None:
        return _open_stdin(column)
    name = str(path)
    with as_input_error(name), opened(path) as file, _reading(name, file) as reader:
        schema = reader.schema
    text = find_text(name, schema, column)

    def batches(columns: list[str] | None = None) -> Iterator[tuple[pa.RecordBatch, int]]:
        with as_input_error(name), opened(path) as file, _reading(name, file) as reader:
            yield from _checked(name, _all(reader, file), text, columns)
            if isinstance(reader, ipc.RecordBatchFileReader):
                _check_footer(name, file)
            else:
                file.seek(file.tell() - len(_END))
                _check_end(name, file.read(len(_END)), file.read(1))

    return Source(schema, text, path.stat().st_size, "bytes", batches)


def _open_stdin(column: str | None) -> Source:
    name = "standard input"
    if sys.stdin is None:
        raise InputError(f"{name}: closed")
    stream = _Pipe(sys.stdin.buffer)
    with as_input_error(name):
        reader = ipc.open_stream(stream)
    schema = reader.schema
    text = find_text(name, schema, column)

    def batches(columns: list[str] | None = None) -> Iterator[tuple[pa.RecordBatch, int]]:
        with as_input_error(name):
            read = ((batch, stream.done) for batch in reader)
            yield from _checked(name, read, text, columns)
            _check_end(name, stream.last, stream.read(1))

    return Source(schema, text, None, "bytes", batches)


class _Pipe:
    """Remembers the last bytes that were read."""

    closed = False

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self.last, self.done = b"", 0

    def read(self, size: int) -> bytes:
        """Give `size` bytes, or what is left."""
        found: bytes = self._raw.read(size)
        self.done += len(found)
        if found:
            self.last = (self.last + found[-len(_END) :])[-len(_END) :]
        return found


@contextmanager
def _reading(name: str, file: pa.OSFile) -> Iterator[Any]:
    begins = file.read(len(_FILE))
    file.seek(0)
    if not begins:
        raise InputError(f"{name}: empty, which no Arrow file is")
    try:
        reader = (ipc.open_file if begins == _FILE else ipc.open_stream)(file)
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"{name}: no whole file or stream of Arrow: {error}") from error
    with reader:
        yield reader


def _all(reader: Any, file: pa.OSFile) -> Iterator[tuple[pa.RecordBatch, int]]:
    if not isinstance(reader, ipc.RecordBatchFileReader):
        for batch in reader:
            yield batch, file.tell()
        return
    for i in range(reader.num_record_batches):
        yield reader.get_batch(i), file.size() * (i + 1) // reader.num_record_batches


def _checked(
    name: str,
    batches: Iterable[tuple[pa.RecordBatch, int]],
    text: str,
    columns: list[str] | None,
) -> Iterator[tuple[pa.RecordBatch, int]]:
    """Give batches whose offsets and lengths are true, as far as they are used."""
    row = 0
    for batch, done in batches:
        chosen = batch if columns is None else batch.select(columns)
        for column in chosen.columns:
            _check_layout(name, column, row)
        if text in chosen.schema.names:
            check_text(name, chosen.column(text), row)
        row += batch.num_rows
        yield chosen, done


def _check_layout(name: str, column: pa.Array, row: int) -> None:
    """Refuse what would be read outside its buffers; the readers look at none of it."""
    # Whether strings are UTF-8 is of no matter here, and takes a hundred times as long.
    if (bytes_ := _BYTES.get(column.type)) is not None:
        column = column.view(bytes_)
    try:
        column.validate(full=True)
    except pa.ArrowInvalid as error:
        rows = f"rows {row} to {row + len(column) - 1}"
        raise InputError(f"{name}: {rows}: {error}") from error


def _check_end(name: str, last: bytes, following: bytes) -> None:
    if following:
        raise InputError(f"{name}: more follows the end of the stream, such as another stream")
    if last != _END:
        warnings.warn(
            f"{name}: the stream has no end mark, so that rows may be missing",
            InputWarning,
            stacklevel=1,
        )


def _check_footer(name: str, file: pa.OSFile) -> None:
    """Refuse files one after the other, of which the last footer tells only of as many bytes."""
    end = file.size() - len(_FILE) - 4
    file.seek(end)
    footer = file.read_at(size := int.from_bytes(file.read(4), "little"), end - size)
    last = 0
    # A table of flatbuffers: dictionaries and record batches are the third and the fourth field,
    # vectors of their offset, the length of their head, and the length of their body.
    (table,) = unpack_from("<i", footer)
    (back,) = unpack_from("<i", footer, table)
    (slots,) = unpack_from("<H", footer, table - back)
    for slot in (8, 10):
        if slot < slots and (field := unpack_from("<H", footer, table - back + slot)[0]):
            vector = table + field + unpack_from("<I", footer, table + field)[0]
            (count,) = unpack_from("<I", footer, vector)
            for i in range(count):
                offset, head, body = unpack_from("<qi4xq", footer, vector + 4 + 24 * i)
                last = max(last, offset + head + body)
    if last and end - size - last > _MOST_BETWEEN:
        raise InputError(f"{name}: its footer leaves out bytes, such as those of another file")
