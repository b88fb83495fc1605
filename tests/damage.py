"""What happens to files: cut, overwritten, mistaken for another kind."""

from __future__ import annotations

import gzip
import random
from typing import TYPE_CHECKING

from files import COMPRESS, as_kind

if TYPE_CHECKING:
    from collections.abc import Callable

#: Ways in which a file loses its end.
CUTS: dict[str, Callable[[bytes], bytes]] = {
    "one byte": lambda data: data[:1],
    "six bytes": lambda data: data[:6],
    "a half": lambda data: data[: len(data) // 2],
    "all but 100": lambda data: data[:-100],
    "all but 9": lambda data: data[:-9],
    "all but one": lambda data: data[:-1],
}


def _at(share: float) -> Callable[[bytes], bytes]:
    def damaged(data: bytes) -> bytes:
        at = int(share * (len(data) - 1))
        return data[:at] + bytes([data[at] ^ 0x95]) + data[at + 1 :]

    return damaged


def _hole(data: bytes) -> bytes:
    third = len(data) // 3
    return data[:third] + bytes(third) + data[2 * third :]


def _noise(seed: int) -> Callable[[bytes], bytes]:
    def damaged(data: bytes) -> bytes:
        chosen = random.Random(seed)
        noisy = bytearray(data)
        for _ in range(chosen.randrange(1, 8)):
            noisy[chosen.randrange(len(noisy))] = chosen.randrange(256)
        return bytes(noisy)

    return damaged


#: Ways in which bytes of it become others.
SPOILT: dict[str, Callable[[bytes], bytes]] = {
    **{f"a byte at {share:.0%}": _at(share) for share in (0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1)},
    **{f"noise {seed}": _noise(seed) for seed in range(4)},
    "a hole": _hole,
    "a blank block in front": lambda data: bytes(512) + data,
    "the end first": lambda data: data[len(data) // 2 :] + data[: len(data) // 2],
}

#: What else a file of that name may hold.
MISTAKEN: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda _: b"",
    "prose": lambda _: b"This is no data.\n" * 9,
    "a web page": lambda _: b"<!DOCTYPE html>\n<html><body>404 Not Found</body></html>\n",
    "a pointer": lambda _: b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n",
    "gzip": lambda _: gzip.compress(b"fen\n" * 9),
    "zstd": lambda _: COMPRESS[".zst"](as_kind(".csv", ["a"])),
    "Parquet": lambda _: b"PAR1" + bytes(90) + b"PAR1",
    "Arrow": lambda _: b"ARROW1\0\0" + b"\xff" * 90 + b"ARROW1",
    "UTF-16": lambda data: data.decode("latin-1").encode("utf-16"),
    "blanks": lambda _: b" \t\r\n" * 99,
    "NUL bytes": lambda _: bytes(999),
}
