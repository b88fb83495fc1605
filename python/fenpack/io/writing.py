"""Outputs: files that appear whole or not at all."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

import pyarrow as pa

from fenpack.io.kinds import ARROW, LINES, PARQUET, TABLES, kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Future


WRITABLE = ".parquet, .arrow, .csv, .tsv, or a single column of text as .fen, .epd, .txt"

#: Rows, or bytes, of a row group of Parquet.
_GROUP_ROWS = 1 << 20
_GROUP_BYTES = 1 << 26
#: Tables that may wait to be written.
_WAITING = 3


def can_write(path: Path, schema: pa.Schema) -> bool:
    """Tell whether `open_writer` knows the kind of `path` and it can hold `schema`."""
    kind = kind_of(path)
    if kind is None:
        return False
    if kind.suffix in LINES:
        return len(schema) == 1 and _is_text(schema.field(0).type)
    try:
        _try(kind.suffix, schema.empty_table())
    except pa.ArrowException:
        return False
    return kind.suffix in (*PARQUET, *ARROW, *TABLES)


def _is_text(kind: pa.DataType) -> bool:
    return str(kind) in ("string", "large_string", "binary", "large_binary")


def _try(suffix: str, table: pa.Table) -> None:
    """Write `table` to memory; what a writer cannot hold it refuses already there."""
    sink = pa.BufferOutputStream()
    if suffix in PARQUET:
        import pyarrow.parquet as pq

        pq.write_table(table, sink)
    elif suffix in ARROW:
        with pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
    elif suffix in TABLES:
        for field in table.schema:
            if isinstance(field.type, pa.BaseExtensionType) or pa.types.is_binary(field.type):
                raise pa.ArrowNotImplementedError(f"{field.type} in a table of text")
            # The writer looks at types only where there are rows.
            pa.nulls(1, field.type).cast(pa.string())


class Writer(Protocol):
    """Takes batches or tables in order."""

    def write(self, rows: pa.RecordBatch | pa.Table) -> None:
        """Take the next rows."""


class _Parquet:
    """Gathers rows until they make a row group."""

    def __init__(self, writer: Any) -> None:
        self._writer = writer
        self._batches: list[pa.RecordBatch] = []
        self._rows = self._bytes = 0

    def write(self, rows: pa.RecordBatch | pa.Table) -> None:
        self._batches += rows.to_batches() if isinstance(rows, pa.Table) else [rows]
        self._rows += rows.num_rows
        self._bytes += rows.nbytes
        if self._rows >= _GROUP_ROWS or self._bytes >= _GROUP_BYTES:
            self.flush()

    def flush(self) -> None:
        if self._batches:
            self._writer.write_table(pa.Table.from_batches(self._batches), _GROUP_ROWS)
        self._batches, self._rows, self._bytes = [], 0, 0


class _Lines:
    """Writes the only column as one text a line, an empty line for a null."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, rows: pa.RecordBatch | pa.Table) -> None:
        import pyarrow.compute as pc

        column = rows.column(0)
        for chunk in column.chunks if isinstance(column, pa.ChunkedArray) else [column]:
            if len(chunk) == 0:
                continue
            texts = chunk.fill_null("")
            whole = pa.ListArray.from_arrays([0, len(texts)], texts)
            separator = pa.scalar("\n", pa.string()).cast(texts.type)
            joined = pc.binary_join(whole, separator)[0].as_buffer()
            if joined.to_pybytes().count(b"\n") != len(texts) - 1:
                broken = pc.filter(texts, pc.match_substring(texts, "\n"))[0].as_py()
                raise pa.ArrowInvalid(
                    f"the text {broken!r:.100} has a line end and cannot be a line; write .parquet"
                )
            self._stream.write(joined)
            self._stream.write(b"\n")


def as_text(texts: pa.Array) -> pa.Array:
    r"""Make strings of binary rows; bytes that are not UTF-8 become ``\xNN``."""
    if pa.types.is_dictionary(texts.type):
        texts = texts.dictionary_decode()
    try:
        return texts.cast(pa.string())
    except pa.ArrowInvalid:
        # Rare, and Arrow has no kernel for it.
        spelled = (text and text.decode("utf-8", "backslashreplace") for text in texts.to_pylist())
        return pa.array(("" if text == b"" else text for text in spelled), pa.string())


@contextmanager
def open_writer(
    path: Path, schema: pa.Schema, plain: Sequence[str] = (), compression: str = "zstd"
) -> Iterator[Writer]:
    """Write rows of `schema` to `path`, which appears whole at the end or not at all.

    Parameters
    ----------
    path : Path
        ``.parquet``, ``.arrow`` (a file, zstd), ``.csv`` or ``.tsv``, or ``.fen``, ``.epd``,
        ``.txt`` with one text a line; text also with ``.gz``, ``.zst`` or ``.bz2``.
    schema : pyarrow.Schema
        Of the rows, as `can_write` allows.
    plain : sequence of str
        Columns of values that hardly repeat, so that Parquet looks for no dictionary.
    compression : str
        Of Parquet.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    kind = kind_of(path)
    assert kind is not None
    with atomic_output(path) as file, ExitStack() as stack:
        if kind.suffix in PARQUET:
            import pyarrow.parquet as pq

            repeated = [name for name in schema.names if name not in plain]
            inner = pq.ParquetWriter(
                file,
                schema,
                compression=compression,
                use_dictionary=repeated or False,
                write_statistics=repeated or False,
            )
            writer = _Parquet(stack.enter_context(inner))
            yield writer
            writer.flush()
        elif kind.suffix in ARROW:
            options = pa.ipc.IpcWriteOptions(compression="zstd")
            new = pa.ipc.new_stream if kind.suffix == ".arrows" else pa.ipc.new_file
            yield stack.enter_context(new(file, schema, options=options))
        elif kind.suffix in TABLES:
            import pyarrow.csv as csv

            stream = stack.enter_context(pa.output_stream(file, compression=kind.compression))
            format_ = csv.WriteOptions(delimiter="," if kind.suffix == ".csv" else "\t")
            yield stack.enter_context(csv.CSVWriter(stream, schema, write_options=format_))
        else:
            yield _Lines(stack.enter_context(pa.output_stream(file, compression=kind.compression)))


@contextmanager
def behind(writer: Writer) -> Iterator[Callable[[pa.Table], None]]:
    """Write in a thread of its own while the next rows are made."""
    with ThreadPoolExecutor(1) as thread:
        pending: deque[Future[None]] = deque()

        def write(table: pa.Table) -> None:
            # A row group takes as long as several tables, so one in waiting would not be enough.
            if len(pending) > _WAITING:
                pending.popleft().result()
            pending.append(thread.submit(writer.write, table))

        try:
            yield write
        except BaseException:
            thread.shutdown(wait=False, cancel_futures=True)  # not to be waited for
            raise
        for done in pending:
            done.result()


def _create(path: Path, mode: int) -> tuple[int, str]:
    """Make a file beside `path`, as `tempfile.mkstemp` does, but with the umask's permissions.

    To ask for the umask is to change it, for all threads.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    while True:
        # A name may have 255 bytes, so the temporary one holds but the beginning of a long one.
        name = path.with_name(f".{path.name[:40]}.{secrets.token_hex(4)}.partial")
        try:
            return os.open(name, flags, mode), str(name)
        except FileExistsError:
            continue
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(path)) from error


def _sync_folder(folder: Path) -> None:
    """Make a new name outlast a loss of power, where folders can be opened for that."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except PermissionError:
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def atomic_output(path: Path) -> Iterator[BinaryIO]:
    """Open a file that takes the place of `path` when it is complete.

    Until then it stands beside `path` under a temporary name; it is removed if anything fails. File
    and folder are synced, so that after a loss of power, too, it is there whole or not at all.
    """
    path = Path(os.path.realpath(path))
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else None
    handle, name = _create(path, 0o666 if mode is None else mode)
    try:
        with open(handle, "wb") as file:
            yield file
            if not file.closed:
                file.flush()
        # Windows syncs none that is open for reading only.
        descriptor = os.open(name, os.O_RDWR)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        if mode is not None:
            os.chmod(name, mode)
        os.replace(name, path)
        _sync_folder(path.parent)
    except BaseException as error:
        with suppress(OSError):
            os.unlink(name)
        if isinstance(error, OSError) and error.errno and error.filename is None:
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise
