"""Files: one column of text in batches, and outputs that appear whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = [
    "InputError",
    "Source",
    "as_text",
    "atomic_output",
    "can_write",
    "open_source",
    "open_writer",
]

BATCH_ROWS = 1 << 16
_CHUNK_BYTES = 1 << 23
_LINES = (".fen", ".epd", ".txt")
_PARQUET = (".parquet", ".pq")


class InputError(Exception):
    """A file that cannot be read, or lacks the column asked for."""


@dataclass(frozen=True)
class Source:
    """One file as record batches.

    Attributes
    ----------
    schema : pyarrow.Schema
        Of the batches.
    column : str
        The column that holds the text.
    size : int
        Rows of a Parquet file, or bytes of a text file on disk.
    unit : str
        What `size` counts: ``rows`` or ``bytes``.
    batches : callable
        Yields each batch with how much of `size` has been read by then. Takes the columns to
        read, all by default.
    """

    schema: pa.Schema
    column: str
    size: int
    unit: str
    batches: Callable[..., Iterator[tuple[pa.RecordBatch, int]]]


def open_source(path: str | Path, column: str | None = None) -> Source:
    """Open a file of FENs.

    Parameters
    ----------
    path : str or Path
        A ``.parquet`` file, or ``.fen``, ``.epd`` or ``.txt`` with one FEN a line, which may be
        compressed (``.gz``). CRLF line ends are line ends.
    column : str, optional
        The column of a Parquet file. By default ``fen``, whatever its case, or the only column.

    Returns
    -------
    Source
        Batches are read as they are asked for; memory does not grow with the file.

    Raises
    ------
    InputError
        If the file cannot be read, or has no such column.
    """
    path = Path(path)
    if not path.is_file():
        raise InputError(f"{path}: {'not a file' if path.exists() else 'no such file'}")
    with _as_input_error(path):
        kind = _suffix(path)
        if kind in _PARQUET:
            return _open_parquet(path, column)
        if kind in _LINES:
            if column not in (None, "fen"):
                raise InputError(f"{path}: a text file has no columns, got --column {column}")
            return _open_lines(path)
    known = ", ".join((*_PARQUET, *_LINES))
    raise InputError(f"{path}: unknown kind of file; known are {known}, text also with .gz")


def _suffix(path: Path) -> str:
    """Give the kind of a file; Parquet compresses itself and is none behind ``.gz``."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if _is_gzip(path) and suffixes[-2:-1] and suffixes[-2] in _LINES:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def _is_gzip(path: Path) -> bool:
    return path.suffix.lower() == ".gz"


@contextmanager
def _as_input_error(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, EOFError, pa.ArrowException) as error:
        if isinstance(error, OSError) and error.strerror:
            raise InputError(f"{path}: {error.strerror}") from error
        raise InputError(f"{path}: {error}") from error


def _open_parquet(path: Path, column: str | None) -> Source:
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        schema, size = file.schema_arrow, file.metadata.num_rows
    name = _text_column(path, schema, column)

    def batches(columns: list[str] | None = None) -> Iterator[tuple[pa.RecordBatch, int]]:
        rows = 0
        with _as_input_error(path), pq.ParquetFile(path, pre_buffer=True) as file:
            for batch in _ahead(file.iter_batches(BATCH_ROWS, columns=columns)):
                rows += batch.num_rows
                yield batch, rows

    return Source(schema, name, size, "rows", batches)


def _ahead(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Decode the next batch while the last one is worked on."""
    with ThreadPoolExecutor(1) as thread:
        pending = thread.submit(next, batches, None)
        while (batch := pending.result()) is not None:
            pending = thread.submit(next, batches, None)
            yield batch


def _text_column(path: Path, schema: pa.Schema, column: str | None) -> str:
    name = _find_column(path, schema, column)
    kind = schema.field(name).type
    values = kind.value_type if pa.types.is_dictionary(kind) else kind
    if not str(values).startswith(("string", "large_string", "binary", "large_binary", "null")):
        raise InputError(f"{path}: column {name} holds {kind}, not text")
    return name


def _find_column(path: Path, schema: pa.Schema, column: str | None) -> str:
    names: list[str] = schema.names
    if column is not None:
        if column not in names:
            raise InputError(f"{path}: no column {column!r}, only {', '.join(names)}")
        if names.count(column) > 1:
            raise InputError(f"{path}: {names.count(column)} columns are called {column!r}")
        return column
    found = [name for name in names if name.lower() == "fen"]
    if len(found) > 1:
        raise InputError(f"{path}: several columns are called fen; name one by --column")
    if len(found) == 1:
        return found[0]
    if len(names) == 1:
        return names[0]
    raise InputError(f"{path}: no column called fen, only {', '.join(names)}; name it by --column")


def _open_lines(path: Path) -> Source:
    schema = pa.schema([("fen", pa.binary())])

    def batches(columns: list[str] | None = None) -> Iterator[tuple[pa.RecordBatch, int]]:
        with _as_input_error(path), path.open("rb") as raw:
            stream = pa.input_stream(raw, compression="gzip" if _is_gzip(path) else None)
            for lines in _lines(stream):
                yield pa.RecordBatch.from_arrays([lines], schema=schema), raw.tell()

    with path.open("rb"):
        size = path.stat().st_size
    return Source(schema, "fen", size, "bytes", batches)


def _lines(stream: Any) -> Iterator[pa.BinaryArray]:
    """Split a byte stream at line ends; a text after the last one is a line too."""
    import pyarrow.compute as pc

    # A line may be longer than a chunk, and a CR at a chunk's end half of a CRLF.
    begun: list[bytes] = []
    while chunk := stream.read(_CHUNK_BYTES):
        complete = chunk.rfind(b"\n") + 1
        if complete:
            text = b"".join((*begun, chunk[: complete - 1]))
            begun.clear()
            whole = text.removesuffix(b"\r").replace(b"\r\n", b"\n")
            yield pc.split_pattern(pa.array([whole], pa.binary()), b"\n").flatten()
        begun.append(chunk[complete:])
    if rest := b"".join(begun):
        yield pa.array([rest], pa.binary())


def can_write(path: Path, schema: pa.Schema) -> bool:
    """Tell whether `open_writer` knows the kind of `path` and it can hold `schema`."""
    kind = _suffix(path)
    return kind in _PARQUET or (kind in _LINES and len(schema) == 1)


class Writer(Protocol):
    """Takes batches in order."""

    def write(self, batch: pa.RecordBatch) -> None:
        """Take one batch."""


class _Lines:
    """Writes the only column as one text a line, an empty line for a null."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, batch: pa.RecordBatch) -> None:
        import pyarrow.compute as pc

        texts = batch.column(0).fill_null("")
        whole = pa.ListArray.from_arrays([0, len(texts)], texts)
        separator = pa.scalar("\n", pa.string()).cast(texts.type)
        self._stream.write(pc.binary_join(whole, separator)[0].as_buffer())
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
def open_writer(path: Path, schema: pa.Schema) -> Iterator[Writer]:
    """Write batches of `schema` to `path`, which appears whole at the end or not at all.

    Parameters
    ----------
    path : Path
        ``.parquet`` (zstd), or ``.fen``, ``.epd``, ``.txt`` with one text a line, also ``.gz``.
    schema : pyarrow.Schema
        Of the batches; a text file takes one column.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    with atomic_output(path) as file:
        if _suffix(path) in _PARQUET:
            import pyarrow.parquet as pq

            with pq.ParquetWriter(file, schema, compression="zstd") as writer:
                yield writer
        else:
            compression = "gzip" if _is_gzip(path) else None
            with pa.output_stream(file, compression=compression) as stream:
                yield _Lines(stream)


def _mode(path: Path) -> int:
    """Give the permissions of `path`, or those that a new file gets."""
    if path.exists():
        return stat.S_IMODE(path.stat().st_mode)
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask


@contextmanager
def atomic_output(path: Path) -> Iterator[BinaryIO]:
    """Open a file that takes the place of `path` when it is complete.

    Until then it stands beside `path` under a temporary name; it is removed if anything fails.
    """
    path = Path(os.path.realpath(path))
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".partial")
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    try:
        with open(handle, "wb") as file:
            yield file
            if not file.closed:
                file.flush()
        descriptor = os.open(name, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.chmod(name, _mode(path))
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise
