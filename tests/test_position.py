"""The packed position: 40 bytes with one meaning, in numpy, in Arrow, on disk and as columns."""

import pickle

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import fenpack as fp
from packed import POSITIONS
from texts import ODD, START, UNUSUAL

unusual = pytest.mark.parametrize("fen", UNUSUAL.values(), ids=UNUSUAL)


def record_of(fen):
    return fp.parse([fen]).to_numpy()[0]


# --- layout ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "offset", "dtype"),
    [
        ("code", 0, np.dtype(("<u8", 3))),
        ("black", 24, np.dtype("<u8")),
        ("flags", 32, np.dtype("u1")),
        ("en_passant", 33, np.dtype("u1")),
        ("castling", 34, np.dtype(("u1", 2))),
        ("halfmove", 36, np.dtype("<u2")),
        ("fullmove", 38, np.dtype("<u2")),
    ],
)
def test_dtype_offsets(field, offset, dtype):
    assert fp.position_dtype.fields[field] == (dtype, offset)


def test_dtype_has_no_other_bytes():
    assert fp.position_dtype.itemsize == 40
    assert sum(dtype.itemsize for dtype, _ in fp.position_dtype.fields.values()) == 40


GOLDEN = {
    "start": (
        START,
        "2cff00000000ff2c"  # P B Q
        "7600000000000076"  # N B K
        "9900000000000099"  # R Q K
        "000000000000ffff"  # Black's
        "00 40 8181 0000 0100",
    ),
    "odd": (
        ODD,
        "0000008300000000"  # a4 b4 h4
        "0100000000000080"  # a1 h8
        "8100008000000080"  # a1 h1 h4 h8
        "0100008100000000"  # a1 a4 h4
        "01 11 0100 0102 ffff",
    ),
}


@pytest.mark.parametrize(("fen", "golden"), GOLDEN.values(), ids=GOLDEN)
def test_golden_bytes(fen, golden):
    assert fp.parse([fen])[0].as_py() == bytes.fromhex(golden)


@pytest.mark.parametrize(("fen", "golden"), GOLDEN.values(), ids=GOLDEN)
def test_golden_bytes_are_read_back(fen, golden):
    assert fp.format([bytes.fromhex(golden)]).to_pylist() == [fen]


@pytest.mark.parametrize(
    ("fen", "chess960", "flags"),
    [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", False, 0b000),
        ("4k3/8/8/8/8/8/8/4K3 b - - 0 1", False, 0b001),
        ("4k3/8/8/8/8/8/8/4K3 w - -", False, 0b010),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0", False, 0b010),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", True, 0b100),
        ("4k3/8/8/8/8/8/8/4K3 b - -", True, 0b111),
    ],
)
def test_flags(fen, chess960, flags):
    assert fp.parse([fen], chess960=chess960).to_numpy()["flags"].tolist() == [flags]


@pytest.mark.parametrize(
    ("castling", "files"),
    [
        ("-", [0, 0]),
        ("K", [0b10000000, 0]),
        ("Q", [0b00000001, 0]),
        ("kq", [0, 0b10000001]),
        ("KQkq", [0b10000001, 0b10000001]),
        ("HAha", [0b10000001, 0b10000001]),
        ("Gb", [0b01000000, 0b00000010]),
    ],
)
def test_castling_files(castling, files):
    record = record_of(f"r3k2r/8/8/8/8/8/8/R3K2R w {castling} - 0 1")
    assert record["castling"].tolist() == files


@pytest.mark.parametrize(
    ("square", "number"), [("-", 64), ("a1", 0), ("b1", 1), ("e3", 20), ("a6", 40), ("h8", 63)]
)
def test_en_passant_numbers(square, number):
    assert record_of(f"4k3/8/8/8/8/8/8/4K3 w - {square} 0 1")["en_passant"] == number


def letter_on(record, square):
    code = sum((int(plane) >> square & 1) << i for i, plane in enumerate(record["code"]))
    letter = " PNBRQK"[code]
    return letter.lower() if int(record["black"]) >> square & 1 else letter


def lone_man(letter, square):
    """A FEN with nothing but `letter` on `square`."""
    file = square % 8
    ranks = ["8"] * 8
    ranks[7 - square // 8] = f"{file or ''}{letter}{7 - file or ''}"
    return "/".join(ranks) + " w - - 0 1"


@pytest.mark.parametrize("letter", "PNBRQKpnbrqk")
def test_every_man_on_every_square(letter):
    records = fp.parse([lone_man(letter, square) for square in range(64)]).to_numpy()
    for square, record in enumerate(records):
        board = "".join(letter_on(record, other) for other in range(64))
        assert board == " " * square + letter + " " * (63 - square)


@unusual
def test_positions_say_what_the_text_says(fen):
    placement, turn, _, _, halfmove, fullmove = fen.split()
    record = record_of(fen)
    for digit in "12345678":
        placement = placement.replace(digit, " " * int(digit))
    for rank, row in zip(range(7, -1, -1), placement.split("/"), strict=True):
        assert "".join(letter_on(record, 8 * rank + file) for file in range(8)) == row
    assert record["flags"] == (turn == "b")
    assert record["halfmove"] == int(halfmove)
    assert record["fullmove"] == int(fullmove)


@unusual
def test_format_undoes_parse(fen):
    assert fp.format(fp.parse([fen]), castling="xfen").to_pylist() == [fen]


@unusual
def test_parse_undoes_format(fen):
    positions = fp.parse([fen])
    assert fp.parse(fp.format(positions)).equals(positions)


def test_format_undoes_parse_on_the_sample(sample):
    positions = fp.parse(sample)
    spellings = [fp.format(positions, castling=rule).to_pylist() for rule in ("xfen", "shredder")]
    rows = zip(sample, *spellings, strict=True)
    assert [fen for fen, xfen, shredder in rows if fen not in (xfen, shredder)] == []


# --- numpy -----------------------------------------------------------------------------------


def test_to_numpy_is_a_view():
    positions = fp.parse([START, None, ODD])
    address = positions.storage.buffers()[1].address
    assert positions.to_numpy().ctypes.data == address
    assert positions[2:].to_numpy().ctypes.data == address + 80


def test_to_numpy_views_read_only():
    assert not fp.parse([START]).to_numpy().flags.writeable


def test_to_numpy_copies_when_it_must_be_writable():
    positions = fp.parse([START])
    records = positions.to_numpy(writable=True)
    records["fullmove"] = 7
    assert fp.format(positions).to_pylist() == [START]
    assert fp.format(records).to_pylist() == [START[:-1] + "7"]


@pytest.mark.parametrize(("start", "stop"), [(0, 0), (0, 3), (1, 3), (2, 3), (3, 3)])
def test_to_numpy_of_a_slice(start, stop):
    positions = fp.parse([START, None, ODD])
    records = positions[start:stop].to_numpy()
    assert records.dtype == fp.position_dtype
    assert records["fullmove"].tolist()[-1:] == ([65535] if stop > start else [])
    assert len(records) == stop - start


def test_asarray_gives_records():
    assert np.asarray(fp.parse([START])).dtype == fp.position_dtype


def test_from_numpy_is_a_view():
    records = fp.parse([START, ODD]).to_numpy()
    positions = fp.PositionArray.from_numpy(records)
    assert positions.storage.buffers()[1].address == records.ctypes.data


def test_from_numpy_takes_strides():
    records = fp.parse([START, START, ODD, START]).to_numpy()[::2]
    assert fp.format(fp.PositionArray.from_numpy(records)).to_pylist() == [START, ODD]


def test_from_numpy_takes_no_rows():
    assert len(fp.PositionArray.from_numpy(np.zeros(0, fp.position_dtype))) == 0


@pytest.mark.parametrize(
    "records",
    [
        np.zeros(40, np.uint8),
        np.zeros((2, 2), fp.position_dtype),
        np.zeros(2, fp.position_dtype.newbyteorder(">")),
    ],
    ids=["bytes", "two dimensions", "big-endian"],
)
def test_from_numpy_takes_nothing_else(records):
    with pytest.raises(TypeError, match=r"^records must be one-dimensional"):
        fp.PositionArray.from_numpy(records)


# --- Arrow -----------------------------------------------------------------------------------


def test_extension_type_is_registered():
    assert fp.parse([START]).type == fp.PositionType()
    assert fp.PositionType().extension_name == "fenpack.position"
    assert fp.PositionType().storage_type == pa.binary(40)
    with pytest.raises(pa.ArrowKeyError):
        pa.register_extension_type(fp.PositionType())


def test_parse_gives_position_arrays():
    chunks = fp.parse(pa.chunked_array([[START], [None], []], pa.string())).chunks
    assert [type(chunk) for chunk in chunks] == [fp.PositionArray] * 3


def through_parquet(array, path):
    pq.write_table(pa.table({"position": array}), path)
    return pq.read_table(path)["position"].combine_chunks()


def through_split_parquet(array, path):
    pq.write_table(
        pa.table({"position": array}),
        path,
        compression="zstd",
        use_dictionary=False,
        column_encoding={"position": "BYTE_STREAM_SPLIT"},
    )
    return pq.read_table(path)["position"].combine_chunks()


def through_ipc_file(array, path):
    table = pa.table({"position": array})
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write(table)
    with pa.memory_map(str(path)) as source:
        return pa.ipc.open_file(source).read_all()["position"].combine_chunks()


def through_pickle(array, path):
    path.write_bytes(pickle.dumps(array))
    return pickle.loads(path.read_bytes())


def through_capsule(array, _):
    return pa.array(array)


STORES = [
    through_parquet,
    through_split_parquet,
    through_ipc_file,
    through_pickle,
    through_capsule,
]


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize(
    "positions",
    [POSITIONS, POSITIONS[1:4], POSITIONS[:0], pa.nulls(3, fp.PositionType())],
    ids=["whole", "slice", "empty", "null"],
)
def test_positions_survive_storage(store, positions, tmp_path):
    stored = store(positions, tmp_path / "positions")
    assert isinstance(stored, fp.PositionArray)
    assert stored.equals(positions)
    assert fp.format(stored).equals(fp.format(positions))


def test_type_survives_pickling():
    assert pickle.loads(pickle.dumps(fp.PositionType())) == fp.PositionType()


def test_concatenation():
    both = pa.concat_arrays([POSITIONS[2:], POSITIONS[:2]])
    assert isinstance(both, fp.PositionArray)
    assert fp.format(both).to_pylist() == [ODD, None, START, START, None]


def test_combined_chunks():
    chunked = fp.parse(pa.chunked_array([[START], [], [None, ODD]], pa.string()))
    combined = chunked.combine_chunks()
    assert isinstance(combined, fp.PositionArray)
    assert fp.format(combined).to_pylist() == [START, None, ODD]


def test_take_and_filter():
    assert fp.format(POSITIONS.take([4, 2])).to_pylist() == [START, ODD]
    assert fp.format(POSITIONS.drop_null()).to_pylist() == [START, ODD, START]


def test_foreign_storage_is_refused():
    with pytest.raises(TypeError, match=r"fixed_size_binary\[40\]"):
        fp.PositionType.__arrow_ext_deserialize__(pa.binary(32), b"")
