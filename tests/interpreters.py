"""Scripts in interpreters of their own, and a corpus that they share with the tests."""

import os
import subprocess
import sys

# 300,000 rows are worth more than eight threads; half of them are not quite FEN.
CORPUS = """
import numpy as np, pyarrow as pa

FENS = [
    b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    b"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
    b"rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    b"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    b"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 12 34",
    b"4k3/8/8/8/8/8/8/4K3 w - -",
    b"6k1/8/8/8/8/8/8/RR2K2R w KB - 0 40",
    b"r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w HAha - 4 4",
    b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0_1",
    b"R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 65535",
]
ALPHABET = np.frombuffer(b"pnbrqkPNBRQK123456789/ wb-KQkqaceh36\\xff_\\t", np.uint8)


def corpus(rows, seed=20261130):
    random = np.random.default_rng(seed)
    fens = np.array(FENS)
    chosen = random.integers(0, len(fens), rows)
    lengths = np.char.str_len(fens)[chosen]
    texts = fens.view(np.uint8).reshape(len(fens), fens.itemsize)[chosen]
    changed = np.arange(0, rows, 2)
    at = random.integers(0, lengths[changed])
    texts[changed, at] = ALPHABET[random.integers(0, len(ALPHABET), len(changed))]
    offsets = pa.py_buffer(np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32))
    inside = np.arange(fens.itemsize) < lengths[:, None]
    nulls = np.packbits(np.arange(rows) % 97 != 0, bitorder="little")
    buffers = [pa.py_buffer(nulls), offsets, pa.py_buffer(texts[inside])]
    return pa.Array.from_buffers(pa.binary(), rows, buffers)
"""
namespace: dict = {}
exec(CORPUS, namespace)
COLUMN = namespace["corpus"](300_000)


def run(script, *arguments, timeout=20, **environment):
    """Run `script` in an interpreter of its own and return what it printed."""
    done = subprocess.run(
        [sys.executable, "-c", CORPUS + script, *arguments],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.strip()
