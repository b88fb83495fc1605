"""Text: the decompressed bytes of an input in blocks of whole lines."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from fenpack.io.compression import decompressed, is_compressed
from fenpack.io.errors import InputError, as_input_error

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fenpack.io.paths import Input

BLOCK_BYTES = 1 << 21
LONGEST_LINE = 1 << 28


class Block:
    """Whole lines of a text; only the last may lack its end.

    Attributes
    ----------
    data : bytes
        The lines.
    line : int
        The number of the first of them, from 1.
    done : int
        Bytes of the file that have been read.
    """

    def __init__(self, data: bytes, line: int, done: int) -> None:
        self.data = data
        self.line = line
        self.done = done

    @cached_property
    def lines(self) -> int:
        """Count the line ends."""
        return self.data.count(b"\n")

    def line_at(self, offset: int) -> int:
        """Give the number of the line that holds the byte at `offset`."""
        return self.line + self.data.count(b"\n", 0, offset)


class Text:
    """One input as text.

    Parameters
    ----------
    source : Input
        A file, which each reading opens anew, or standard input, which is read once.
    utf8 : bool, default True
        Whether bytes that are not UTF-8 are an error.
    """

    def __init__(self, source: Input, *, utf8: bool = True) -> None:
        self.name = source.name
        self._path = source.path
        self._compression = source.kind.compression
        self._utf8 = utf8
        self._once: Iterator[Block] | None = None if source.path else self._read()
        self._first: list[Block] = []
        self.size: int | None = None
        if source.path is not None:
            with as_input_error(self.name), source.path.open("rb"):
                self.size = source.path.stat().st_size

    def first(self, size: int = 1) -> bytes:
        """Give the first blocks, of together at least `size` bytes if there are so many."""
        found: list[Block] = []
        blocks = self._read() if self._once is None else self._once
        while sum(len(block.data) for block in found) < size:
            if (block := next(blocks, None)) is None:
                break
            found.append(block)
        if self._once is not None:
            self._first = found
        return b"".join(block.data for block in found)

    def blocks(self) -> Iterator[Block]:
        """Read from the start."""
        if self._once is None:
            yield from self._read()
            return
        first, self._first = self._first, []
        yield from first
        first.clear()
        yield from self._once

    def _read(self) -> Iterator[Block]:
        line, begun = 1, []
        with as_input_error(self.name), self._open() as raw:
            if self._path is not None and self._compression is not None:
                self._check_compression(raw, self._compression)
            stream = decompressed(raw, self._compression)
            done = 0

            def block(data: bytes) -> Block:
                made = Block(data, line, done if self._path is None else raw.tell())
                if self._utf8 and not data.isascii():
                    self._check(made)
                return made

            while chunk := self._next(stream, line):
                if not done:
                    chunk = self._without_mark(chunk)
                done += len(chunk)
                complete = chunk.rfind(b"\n") + 1
                view = memoryview(chunk)
                if complete:
                    begun.append(view[:complete])
                    whole = block(b"".join(begun))
                    begun.clear()
                    yield whole
                    line += whole.lines
                begun.append(view[complete:])
                if sum(map(len, begun)) > LONGEST_LINE:
                    raise InputError(
                        f"{self.name}: line {line} is longer than {LONGEST_LINE} bytes"
                    )
            if self._compression is not None and not done and not raw.tell():
                raise InputError(f"{self.name}: empty, which no compressed file is")
            if rest := b"".join(begun):
                yield block(rest)

    @contextmanager
    def _open(self) -> Iterator[Any]:
        if self._path is not None:
            with self._path.open("rb", buffering=0) as file:
                yield file
            return
        if sys.stdin is None:
            raise InputError(f"{self.name}: closed")
        try:
            descriptor = sys.stdin.fileno()
        except OSError:
            yield sys.stdin.buffer
            return
        with open(descriptor, "rb", closefd=False) as file:
            yield file

    def _check_compression(self, raw: Any, compression: str) -> None:
        if not is_compressed(raw, compression):
            raise InputError(f"{self.name}: not compressed with {compression}, as its name says")

    def _next(self, stream: Any, line: int) -> bytes:
        try:
            return bytes(stream.read(BLOCK_BYTES))
        except (OSError, EOFError, pa.ArrowException) as error:
            if isinstance(error, OSError) and error.strerror:
                raise
            raise InputError(f"{self.name}: in or after line {line}: {error}") from error

    def _without_mark(self, data: bytes) -> bytes:
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise InputError(f"{self.name}: UTF-16; convert it to UTF-8")
        return data.removeprefix(b"\xef\xbb\xbf")

    def _check(self, block: Block) -> None:
        try:
            block.data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = block.line_at(error.start)
            found = block.data[error.start]
            raise InputError(f"{self.name}: line {line}: not UTF-8 (byte 0x{found:02x})") from error
