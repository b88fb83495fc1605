"""Decompression."""

from __future__ import annotations

from bz2 import BZ2Decompressor
from typing import Any

import pyarrow as pa

_INPUT_BYTES = 1 << 18


def decompressed(raw: Any, compression: str | None) -> Any:
    """Give a stream of what `raw` holds, all members or frames of it."""
    if compression == "bz2":
        return _Bzip2(raw)
    return raw if compression is None else pa.input_stream(raw, compression=compression)


class _Bzip2:
    """Reads bzip2 streams one after the other; Arrow's codec fails at one that is empty."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self._codec = BZ2Decompressor()

    def read(self, size: int) -> bytes:
        """Give at most `size` bytes, none at the end."""
        while True:
            data = b""
            if self._codec.eof:
                data = self._codec.unused_data or self._raw.read(_INPUT_BYTES)
                if not data:
                    return b""
                self._codec = BZ2Decompressor()
            elif self._codec.needs_input:
                data = self._raw.read(_INPUT_BYTES)
                if not data:
                    raise EOFError("Truncated compressed stream")
            if found := self._codec.decompress(data, size):
                return found
