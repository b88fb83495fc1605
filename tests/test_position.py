"""The packed position: 40 bytes with one meaning, in numpy, in Arrow, on disk and as columns."""

import pickle

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import fenpack as fp

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
ODD = "7K/8/8/8/pP5q/8/8/k6R b Q b3 513 65535"

# Nothing readable may be unrepresentable.
UNUSUAL = {
    "start": START,
    "odd": ODD,
    "empty board": "8/8/8/8/8/8/8/8 w - - 0 1",
    "64 queens": "/".join(["QQQQQQQQ"] * 8) + " b - - 0 1",
    "33 men": "rnbqkbnr/pppppppp/8/8/7P/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "no king": "8/8/8/3r4/8/4N3/8/8 b - - 12 34",
    "nine kings": "kkkkk3/8/8/8/8/8/8/KKKK4 w - - 0 1",
    "pawns on back ranks": "pPpPpPpP/8/8/8/8/8/8/PpPpPpPp b - - 0 1",
    "rights without rooks": "4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1",
    "rights by file without rooks": "4k3/8/8/8/8/8/8/4K3 w GBgb - 0 1",
    "ep square of the own side": "4k3/8/8/8/8/8/8/4K3 w - e3 0 1",
    "ep square on the first rank": "4k3/8/8/8/8/8/8/4K3 b - a1 0 1",
    "ep square on the last rank": "4k3/8/8/8/8/8/8/4K3 w - h8 0 1",
    "occupied ep square": "4k3/8/4n3/8/8/8/8/4K3 w - e6 0 1",
    "largest counters": "4k3/8/8/8/8/8/8/4K3 w - - 65535 65535",
    "fullmove 0": "4k3/8/8/8/8/8/8/4K3 w - - 0 0",
}
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


POSITIONS = fp.parse([START, None, ODD, "no FEN", START])


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


# --- positions in ----------------------------------------------------------------------------

RAW = POSITIONS.storage
PLAIN = {
    "extension": POSITIONS,
    "fixed_size_binary": RAW,
    "binary": RAW.cast(pa.binary()),
    "large_binary": RAW.cast(pa.binary()).cast(pa.large_binary()),
    "binary_view": RAW.cast(pa.binary()).cast(pa.binary_view()),
    "dictionary": RAW.dictionary_encode(),
    "dictionary of binary": RAW.cast(pa.binary()).dictionary_encode(),
    "list of bytes": RAW.to_pylist(),
    "polars": pl.Series(RAW.to_pylist()),
    "duckdb": pa.table(duckdb.from_arrow(pa.table({"p": RAW})))["p"],
    "slice": pa.concat_arrays([POSITIONS, POSITIONS])[5:],
    "binary slice": pa.concat_arrays([RAW, RAW]).cast(pa.binary())[5:],
    "chunks": pa.chunked_array([RAW[:1], RAW[1:1], RAW[1:]]),
}
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


def packed(**fields):
    record = np.array(fp.parse([START]).to_numpy())
    for name, value in fields.items():
        record[name] = value
    return record.tobytes()


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
MALFORMED = b"\xff" * 32 + b"\0" * 8


@readers
def test_malformed_dictionary_values_are_named_by_row(function, argument):
    column = dictionary([1, 1, 0], [MALFORMED, packed()])
    with pytest.raises(ValueError, match=rf"^{argument} row 2 is"):
        function(column)


@readers
def test_malformed_dictionary_values_are_counted_over_chunks(function, argument):
    chunks = [dictionary([0, 0, 0], [packed()]), dictionary([0, 0], [MALFORMED])]
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


# --- structs ---------------------------------------------------------------------------------

STRUCT_FIELDS = {
    "pawns": pa.uint64(),
    "knights": pa.uint64(),
    "bishops": pa.uint64(),
    "rooks": pa.uint64(),
    "queens": pa.uint64(),
    "kings": pa.uint64(),
    "white": pa.uint64(),
    "black": pa.uint64(),
    "black_to_move": pa.bool_(),
    "castling_white": pa.uint8(),
    "castling_black": pa.uint8(),
    "en_passant": pa.uint8(),
    "halfmove": pa.uint16(),
    "fullmove": pa.uint16(),
    "counters_absent": pa.bool_(),
    "chess960": pa.bool_(),
}
ODD_STRUCT = {
    "pawns": 0b11 << 24,
    "knights": 0,
    "bishops": 0,
    "rooks": 1 << 7,
    "queens": 1 << 31,
    "kings": 1 << 63 | 1,
    "white": 1 << 63 | 1 << 25 | 1 << 7,
    "black": 1 << 31 | 1 << 24 | 1,
    "black_to_move": True,
    "castling_white": 1,
    "castling_black": 0,
    "en_passant": 17,
    "halfmove": 513,
    "fullmove": 65535,
    "counters_absent": False,
    "chess960": False,
}


def test_struct_fields():
    fields = fp.to_struct(POSITIONS).type.fields
    assert [(field.name, field.type) for field in fields] == list(STRUCT_FIELDS.items())


def test_struct_values():
    assert fp.to_struct(fp.parse([ODD])).to_pylist() == [ODD_STRUCT]


def test_struct_flags():
    (row,) = fp.to_struct(fp.parse(["4k3/8/8/8/8/8/8/4K3 w - -"], chess960=True)).to_pylist()
    assert (row["counters_absent"], row["chess960"], row["black_to_move"]) == (True, True, False)
    assert row["en_passant"] is None


@pytest.mark.parametrize(
    "positions",
    [
        POSITIONS,
        POSITIONS[1:4],
        POSITIONS[:0],
        pa.nulls(2, fp.PositionType()),
        fp.parse(list(UNUSUAL.values())),
        fp.parse(list(UNUSUAL.values()), chess960=True),
        fp.parse(pa.chunked_array([[START], [], [None, ODD]], pa.string())),
        fp.parse(pa.chunked_array([], pa.string())),
    ],
    ids=["nulls", "slice", "empty", "null", "unusual", "chess960", "chunks", "no chunks"],
)
def test_from_struct_undoes_to_struct(positions):
    assert fp.from_struct(fp.to_struct(positions)).equals(positions)


def test_from_struct_undoes_to_struct_on_the_sample(sample):
    texts = pa.array([None, *sample, "no FEN"])
    positions = fp.parse(pa.chunked_array([texts[:7], texts[7:20_000], texts[20_000:]]))
    assert positions.null_count == 2
    assert fp.from_struct(fp.to_struct(positions)).equals(positions)


@pytest.mark.parametrize("name", ["binary", "large_binary", "binary_view", "fixed_size_binary"])
def test_to_struct_takes_plain_bytes(name):
    assert fp.to_struct(PLAIN[name]).equals(fp.to_struct(POSITIONS))


def test_struct_chunks_are_kept():
    positions = fp.parse(pa.chunked_array([[START], [], [None, ODD]], pa.string()))
    structs = fp.to_struct(positions)
    assert [len(chunk) for chunk in structs.chunks] == [1, 0, 2]
    assert [len(chunk) for chunk in fp.from_struct(structs).chunks] == [1, 0, 2]


def test_from_struct_takes_a_slice():
    structs = fp.to_struct(fp.parse([START, None, ODD, START]))
    assert fp.format(fp.from_struct(structs[1:3])).to_pylist() == [None, ODD]


def test_from_struct_takes_fields_in_any_order():
    structs = fp.to_struct(POSITIONS)
    fields = list(reversed(structs.type.fields))
    arrays = [structs.field(field.name) for field in fields]
    shuffled = pa.StructArray.from_arrays(arrays, fields=fields, mask=structs.is_null())
    assert fp.from_struct(shuffled).equals(POSITIONS)


def test_from_struct_takes_what_sql_gives():
    structs = fp.to_struct(POSITIONS.drop_null())
    table = pa.Table.from_struct_array(structs)
    relation = duckdb.from_arrow(table).filter("halfmove > 100")
    chosen = pa.table(relation).to_struct_array()
    assert fp.format(fp.from_struct(chosen)).to_pylist() == [ODD]


def test_from_struct_does_not_read_under_nulls():
    rows = [ODD_STRUCT | {"pawns": 1, "knights": 1, "en_passant": 99}, ODD_STRUCT]
    structs = pa.array(rows, pa.struct(STRUCT_FIELDS.items()))
    arrays = [structs.field(name) for name in STRUCT_FIELDS]
    masked = pa.StructArray.from_arrays(
        arrays, fields=structs.type.fields, mask=pa.array([True, False])
    )
    assert fp.format(fp.from_struct(masked)).to_pylist() == [None, ODD]


@pytest.mark.parametrize("field", ["counters_absent", "chess960"])
def test_from_struct_does_without_optional_fields(field):
    fields = {name: kind for name, kind in STRUCT_FIELDS.items() if name != field}
    structs = pa.array([ODD_STRUCT], pa.struct(fields.items()))
    assert fp.format(fp.from_struct(structs)).to_pylist() == [ODD]


REQUIRED = [name for name in STRUCT_FIELDS if name not in ("counters_absent", "chess960")]


@pytest.mark.parametrize("field", REQUIRED)
def test_from_struct_refuses_a_missing_field(field):
    fields = {name: kind for name, kind in STRUCT_FIELDS.items() if name != field}
    structs = pa.array([ODD_STRUCT], pa.struct(fields.items()))
    with pytest.raises(ValueError, match=f"structs has no field '{field}', only "):
        fp.from_struct(structs)


@pytest.mark.parametrize("field", [name for name in STRUCT_FIELDS if name != "en_passant"])
def test_from_struct_refuses_a_null_field(field):
    rows = [ODD_STRUCT, None, ODD_STRUCT | {field: None}]
    structs = pa.array(rows, pa.struct(STRUCT_FIELDS.items()))
    with pytest.raises(ValueError, match=f"^structs row 2: {field} is null"):
        fp.from_struct(structs)


REFUSED = {
    "two roles": ({"knights": 1 << 24}, "a4 is given to knights and to another role"),
    "two sides": ({"white": 1 << 24 | ODD_STRUCT["white"]}, "a4 is given to White and to Black"),
    "no side": ({"black": 1 << 31 | 1}, "a4 has a role without a side"),
    "no role": ({"queens": 0}, "h4 has a role without a side or no role"),
    "first square": ({"kings": 1 << 63}, "a1 has a role without a side or no role"),
    "last square": ({"kings": 1}, "h8 has a role without a side or no role"),
    "en passant 64": ({"en_passant": 64}, "en_passant must be 0 to 63 or null"),
    "en passant 65": ({"en_passant": 65}, "en_passant must be 0 to 63 or null"),
    "en passant 255": ({"en_passant": 255}, "en_passant must be 0 to 63 or null"),
}
refused = pytest.mark.parametrize(("change", "reason"), REFUSED.values(), ids=REFUSED)


@refused
def test_from_struct_refuses(change, reason):
    rows = [ODD_STRUCT, None, ODD_STRUCT | change, ODD_STRUCT | change]
    structs = pa.array(rows, pa.struct(STRUCT_FIELDS.items()))
    with pytest.raises(ValueError, match=f"^structs row 2: {reason}"):
        fp.from_struct(structs)


@refused
def test_from_struct_counts_rows_over_chunks(change, reason):
    kind = pa.struct(STRUCT_FIELDS.items())
    structs = pa.chunked_array([[ODD_STRUCT, None], [], [ODD_STRUCT | change]], kind)
    with pytest.raises(ValueError, match=f"^structs row 2: {reason}"):
        fp.from_struct(structs)


@pytest.mark.parametrize("value", [-1, 256, 1 << 40])
def test_from_struct_refuses_what_does_not_fit(value):
    fields = STRUCT_FIELDS | {"castling_white": pa.int64()}
    structs = pa.array([ODD_STRUCT | {"castling_white": value}], pa.struct(fields.items()))
    with pytest.raises(ValueError, match=str(value)):
        fp.from_struct(structs)


@pytest.mark.parametrize(
    "structs",
    [pa.array([1]), pa.array([START]), POSITIONS, [ODD_STRUCT], None],
    ids=["int", "text", "positions", "list", "None"],
)
def test_from_struct_takes_structs_only(structs):
    with pytest.raises(TypeError, match=r"^structs must be a struct column, got"):
        fp.from_struct(structs)


@pytest.mark.parametrize(
    "positions",
    [pa.array([1]), pa.array([START]), [1], None],
    ids=["int", "text", "list", "None"],
)
def test_to_struct_takes_positions_only(positions):
    with pytest.raises(TypeError, match=r"^positions must be .*got"):
        fp.to_struct(positions)


def test_structs_count_like_bitboards():
    structs = fp.to_struct(fp.parse([START]))
    counts = {
        role: pc.sum(pc.bit_wise_and(structs.field(role), structs.field("white")))
        .as_py()
        .bit_count()
        for role in ("pawns", "knights", "bishops", "rooks", "queens", "kings")
    }
    assert list(counts.values()) == [8, 2, 2, 2, 1, 1]
