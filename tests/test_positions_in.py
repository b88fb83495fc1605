"""Positions are read from every column that holds their bytes, and malformed ones are named."""

import numpy as np
import pyarrow as pa
import pytest

import fenpack as fp
from packed import PLAIN, POSITIONS, packed
from texts import ODD, START, UNUSUAL

plain = pytest.mark.parametrize("column", PLAIN.values(), ids=PLAIN)


@plain
def test_format_takes_plain_bytes(column):
    assert fp.format(column).to_pylist() == [START, None, ODD, None, START]


@plain
def test_validate_takes_plain_bytes(column):
    assert fp.validate(column).to_pylist() == fp.validate(POSITIONS).to_pylist()


@plain
def test_is_valid_takes_plain_bytes(column):
    assert fp.is_valid(column).to_pylist() == [True, None, False, None, True]


@pytest.mark.parametrize(
    "fen",
    [fen for fen in UNUSUAL.values() if not fen.endswith(" 0")],
)
def test_positions_have_the_problems_of_their_text(fen):
    syntax = int(fp.Problem.SYNTAX)
    of_text = fp.validate([fen])[0].as_py() & ~syntax
    spelling = int(fp.Problem.CASTLING_SHREDDER | fp.Problem.CASTLING_AMBIGUOUS)
    of_position = fp.validate(fp.parse([fen]))[0].as_py()
    assert of_position & ~spelling == of_text & ~spelling


MALFORMED = {
    "piece code 7": (packed(code=[1, 1, 1], black=0), "piece code 7 on a1"),
    "piece code 7 on h8": (packed(code=[1 << 63] * 3, black=0), "piece code 7 on h8"),
    "black empty square": (packed(black=1 << 20), "e3 is empty but marked as Black's"),
    "flag 3": (packed(flags=8), "flags byte 0x08"),
    "flag 7": (packed(flags=255), "flags byte 0xff"),
    "en passant 65": (packed(en_passant=65), "en passant byte 65"),
    "en passant 255": (packed(en_passant=255), "en passant byte 255"),
    "ones": (b"\xff" * 40, "piece code 7 on a1"),
}
malformed = pytest.mark.parametrize(("row", "reason"), MALFORMED.values(), ids=MALFORMED)
READERS = [
    pytest.param(fp.format, "positions", id="format"),
    pytest.param(fp.validate, "x", id="validate"),
    pytest.param(fp.is_valid, "x", id="is_valid"),
    pytest.param(fp.to_struct, "positions", id="to_struct"),
]
readers = pytest.mark.parametrize(("function", "argument"), READERS)


@malformed
@readers
def test_malformed_rows_are_named(row, reason, function, argument):
    column = pa.array([packed(), None, row, row], pa.binary(40))
    with pytest.raises(ValueError, match=rf"^{argument} row 2 is no packed position: {reason}"):
        function(column)


@pytest.mark.parametrize(
    "lengths", [(0, 3, 1), (1, 1, 1, 1), (2, 0, 2), (20_000, 1), (20_001, 9_999), (1, 300_000)]
)
@readers
def test_malformed_rows_are_counted_over_chunks(lengths, function, argument):
    last = sum(lengths) - 1
    rows = pa.array([packed()] * last + [b"\xff" * 40], pa.binary(40))
    starts = [sum(lengths[:i]) for i in range(len(lengths))]
    chunks = [rows[start : start + n] for start, n in zip(starts, lengths, strict=True)]
    with pytest.raises(ValueError, match=rf"^{argument} row {last} is"):
        function(pa.chunked_array(chunks))


@readers
def test_the_first_malformed_row_is_named(function, argument):
    rows = np.frombuffer(packed() * 300_000, fp.position_dtype).copy()
    rows["flags"][[70_001, 70_002, 140_000, 299_999]] = 99
    with pytest.raises(ValueError, match=rf"^{argument} row 70001 is"):
        function(fp.PositionArray.from_numpy(rows))


def test_malformed_nulls_are_not_read():
    storage = pa.Array.from_buffers(
        pa.binary(40), 2, [pa.py_buffer(b"\x01"), pa.py_buffer(packed() + b"\xff" * 40)]
    )
    assert fp.format(storage).to_pylist() == [START, None]


def dictionary(keys, values):
    return pa.DictionaryArray.from_arrays(pa.array(keys, pa.int8()), pa.array(values))


@readers
@pytest.mark.parametrize("keys", [[0], [0, 0, 0]], ids=["larger", "smaller"])
@pytest.mark.parametrize("unused", [b"\xff" * 40, b"no position"], ids=["garbage", "short"])
def test_unused_dictionary_values_are_not_read(keys, unused, function, argument):
    del argument
    column = dictionary(keys, [packed(), unused])
    assert function(column).to_pylist() == function(pa.array([packed()] * len(keys))).to_pylist()


#: Piece codes that are none, with flags that let a binary column pass for positions.
NO_POSITION = b"\xff" * 32 + b"\0" * 8


@readers
def test_malformed_dictionary_values_are_named_by_row(function, argument):
    column = dictionary([1, 1, 0], [NO_POSITION, packed()])
    with pytest.raises(ValueError, match=rf"^{argument} row 2 is"):
        function(column)


@readers
def test_malformed_dictionary_values_are_counted_over_chunks(function, argument):
    chunks = [dictionary([0, 0, 0], [packed()]), dictionary([0, 0], [NO_POSITION])]
    with pytest.raises(ValueError, match=rf"^{argument} row 3 is"):
        function(pa.chunked_array(chunks))


@pytest.mark.parametrize("width", [1, 39, 41, 80])
@readers
def test_other_widths_are_refused(width, function, argument):
    with pytest.raises(TypeError, match=rf"^{argument} must be .*{width}"):
        function(pa.array([bytes(width)], pa.binary(width)))


@pytest.mark.parametrize("length", [0, 11, 12, 39, 41, 80])
@pytest.mark.parametrize("binary", [pa.binary(), pa.binary_view()], ids=str)
def test_rows_of_another_length_are_named(length, binary):
    column = pa.array([packed(), bytes(length)]).cast(binary)
    with pytest.raises(ValueError, match=f"^positions row 1 .*: {length} bytes instead of 40"):
        fp.format(column)
