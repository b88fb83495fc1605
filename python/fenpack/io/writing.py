"""Outputs: files that appear whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

import pyarrow as pa

from fenpack.io.kinds import LINES, PARQUET, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator


def can_write(path: Path, schema: pa.Schema) -> bool:
    """Tell whether `open_writer` knows the kind of `path` and it can hold `schema`."""
    kind = kind_of(path)
    if kind is None:
        return False
    return kind.suffix in PARQUET or (kind.suffix in LINES and len(schema) == 1)


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
        ``.parquet`` (zstd), or ``.fen``, ``.epd``, ``.txt`` with one text a line, also ``.gz``,
        ``.zst`` or ``.bz2``.
    schema : pyarrow.Schema
        Of the batches; a text file takes one column.

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

            with pq.ParquetWriter(file, schema, compression="zstd") as writer:
                yield writer
        else:
            with pa.output_stream(file, compression=kind.compression) as stream:
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
