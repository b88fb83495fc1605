"""Where results are written: fresh arrays, the caller's, and none that is too large."""

from __future__ import annotations

import array
import mmap

import numpy as np
import pytest

import fenpack as fp
from texts import START

FENS = [START, "4k3/8/8/8/8/8/8/4K2R b K - 3 9"]
EXPECTED = fp.planes(FENS)


def test_arrays():
    out = np.full((2, 12, 8, 8), 7, np.uint8)
    assert fp.planes(FENS, out=out) is out
    assert (out == EXPECTED).all()
    for dtype in ("bool", "int8", "float16", "float32"):
        out = np.full((2, 12, 8, 8), 7, dtype)
        assert fp.planes(FENS, out=out).dtype == dtype
        assert (out == EXPECTED).all()
    boards = np.empty((2, 12), np.uint64)
    assert fp.bitboards(FENS, out=boards) is boards
    ids = np.empty((2, 64), np.int64)
    assert (fp.tokens(FENS, out=ids) == fp.tokens(FENS)).all()
    features = np.empty((2, 2, 32), np.int32)
    assert (fp.nnue_features(FENS, out=features) == fp.nnue_features(FENS)).all()


def test_a_part_of_a_larger_array():
    whole = np.zeros((5, 12, 8, 8), np.uint8)
    fp.planes(FENS, out=whole[2:4])
    assert (whole[2:4] == EXPECTED).all()
    assert not whole[[0, 1, 4]].any()


def test_a_memory_map(tmp_path):
    out = np.lib.format.open_memmap(tmp_path / "p.npy", "w+", np.uint8, (2, 12, 8, 8))
    fp.planes(FENS, out=out)
    out.flush()
    assert (np.load(tmp_path / "p.npy") == EXPECTED).all()


@pytest.mark.parametrize(
    "out",
    [bytearray(2 * 768), mmap.mmap(-1, 2 * 768), array.array("B", bytes(2 * 768))],
    ids=["bytearray", "mmap", "array"],
)
def test_buffers(out):
    assert fp.planes(FENS, out=out) is out
    assert bytes(out) == EXPECTED.tobytes()


class Tensor:
    """What a tensor of another library shows of itself."""

    def __init__(self, values, device=1):
        self.values, self.device = values, device
        self.dtype = f"tensor.{values.dtype}"

    def __dlpack_device__(self):
        return self.device, 0

    def __dlpack__(self, **options):
        return self.values.__dlpack__(**options)


def test_dlpack():
    values = np.zeros((2, 12, 8, 8), np.float16)
    tensor = Tensor(values)
    assert fp.planes(FENS, out=tensor) is tensor
    assert (values == EXPECTED).all()
    with pytest.raises(TypeError, match="memory of the CPU"):
        fp.planes(FENS, out=Tensor(values, device=2))
    assert fp.from_planes(Tensor(EXPECTED)).equals(fp.from_planes(EXPECTED))


def frozen(values: np.ndarray) -> np.ndarray:
    values.flags.writeable = False
    return values


@pytest.mark.parametrize(
    ("out", "dtype", "message"),
    [
        (np.zeros((2, 12, 8, 8), np.float64), None, "dtype must be one of"),
        (np.zeros((2, 12, 8, 8), ">f4"), None, "dtype must be one of"),
        (np.zeros((2, 12, 8, 8), np.float32), "uint8", "dtype uint8, got"),
        (np.zeros((2, 12, 64), np.uint8), None, r"shape \(2, 12, 8, 8\)"),
        (np.zeros((3, 12, 8, 8), np.uint8), None, r"shape \(2, 12, 8, 8\)"),
        (np.zeros((2, 8, 8, 12), np.uint8).transpose(0, 3, 1, 2), None, "contiguous"),
        (frozen(np.zeros((2, 12, 8, 8), np.uint8)), None, "writable"),
        (bytes(2 * 768), None, "writable"),
        (bytearray(2 * 768 - 1), None, r"must have 1,536 bytes .* got 1,535"),
    ],
)
def test_refusals(out, dtype, message):
    with pytest.raises(ValueError, match=message):
        fp.planes(FENS, out=out, dtype=dtype)


def test_unaligned():
    out = np.zeros(2 * 768 * 4 + 1, np.uint8)[1:].view(np.float32).reshape(2, 12, 8, 8)
    with pytest.raises(ValueError, match="aligned"):
        fp.planes(FENS, out=out)


@pytest.mark.parametrize("out", [[1, 2], "text", object()])
def test_no_arrays(out):
    with pytest.raises(TypeError, match="out must be a numpy array"):
        fp.planes(FENS, out=out)


def test_impossible_sizes():
    """A column without values takes no memory, its planes would."""
    import pyarrow as pa

    nulls = pa.chunked_array([pa.nulls(1 << 30)] * 1000)
    with pytest.raises(MemoryError, match=r"planes of shape \(1073741824000, 112, 8, 8\) .* bytes"):
        fp.planes(nulls, "lc0_112", errors="blank")
    with pytest.raises(MemoryError, match="bytes"):
        fp.nnue_features(nulls, form="csr")


def test_memory_of_the_rows_themselves():
    import pyarrow as pa

    raw = np.zeros(80 * 8 * 12, np.uint8)
    raw[:80] = fp.parse(FENS).to_numpy().view(np.uint8)
    rows = raw[:80].view(fp.position_dtype)
    words = raw[: 2 * 12 * 8].view(np.uint64).reshape(2, 12)
    dictionary = pa.DictionaryArray.from_arrays([0, 1], pa.array(FENS * 4))
    text = np.frombuffer(dictionary.dictionary.buffers()[2], np.uint8)
    frozen_text = text.copy()
    for x, out, call in (
        (rows, words, fp.bitboards),
        (rows[1:], raw[72 : 72 + 768].reshape(1, 12, 8, 8), fp.planes),
        (pa.chunked_array([fp.PositionArray.from_numpy(rows)]), words, fp.bitboards),
        (rows, raw[:128].reshape(2, 64), fp.tokens),
        (rows, raw[:512].view(np.int32).reshape(2, 2, 32), fp.nnue_features),
    ):
        with pytest.raises(ValueError, match="out must not share memory"):
            call(x, out=out)
    assert (raw[:80] == fp.parse(FENS).to_numpy().view(np.uint8)).all()
    with pytest.raises(ValueError, match="out must"):
        fp.tokens(dictionary, out=text[:128].reshape(2, 64))
    assert (text == frozen_text).all()
    apart = raw[80 : 80 + 2 * 768].reshape(2, 12, 8, 8)
    assert (fp.planes(rows, out=apart) == fp.planes(FENS)).all()
