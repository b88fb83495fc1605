"""Columns of random bytes and of FENs made wrong."""

import numpy as np
import pyarrow as pa

from texts import FENS


def garbage(rows, alphabet, longest, seed=20261130):
    """A binary column of `rows` random rows of at most `longest` bytes of `alphabet`."""
    random = np.random.default_rng(seed)
    lengths = random.integers(0, longest, rows, endpoint=True)
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    values = np.frombuffer(alphabet, np.uint8)[random.integers(0, len(alphabet), offsets[-1])]
    return pa.Array.from_buffers(
        pa.binary(), rows, [None, pa.py_buffer(offsets), pa.py_buffer(values)]
    )


def with_wrong_bytes(rows, seed=20261130):
    """FENs with a byte, NUL and 0xff too, changed in each, and a second in half of them."""
    random = np.random.default_rng(seed)
    fens = np.array([fen.encode() for fen in FENS.values()])
    chosen = random.integers(0, len(fens), rows)
    lengths = np.char.str_len(fens)[chosen]
    texts = fens.view(np.uint8).reshape(len(fens), fens.itemsize)[chosen]
    alphabet = np.frombuffer(b"pnbrqkPNBRQK123456789/ wb-KQkqaceh36\0\xff_\t", np.uint8)
    for changed in (np.arange(rows), np.arange(rows // 2)):
        at = random.integers(0, lengths[changed])
        texts[changed, at] = alphabet[random.integers(0, len(alphabet), len(changed))]
    return pa.array([text.tobytes()[:n] for text, n in zip(texts, lengths, strict=True)])


ANY_BYTE = garbage(1_000_000, bytes(range(256)), 80)
MUTATED = with_wrong_bytes(50_000)
