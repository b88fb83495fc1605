"""Decompression."""

from __future__ import annotations

from bz2 import BZ2Decompressor
from typing import Any

import pyarrow as pa

_INPUT_BYTES = 1 << 18
_LONGEST = 4
_BEGINS = {
    "gzip": (b"\x1f\x8b",),
    "bz2": (b"BZh",),
    # A frame, or one of those that are skipped.
    "zstd": (b"\x28\xb5\x2f\xfd", *(bytes([0x50 + i]) + b"\x2a\x4d\x18" for i in range(16))),
}


def is_compressed(raw: Any, compression: str) -> bool:
    """Tell by the first bytes of a file whether it may be what its name says, or is empty."""
    begins = raw.read(_LONGEST)
    raw.seek(0)
    return not begins or begins.startswith(_BEGINS[compression])


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
