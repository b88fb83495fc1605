"""Positions as structs of bitboards, and back."""

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import fenpack as fp
from packed import PLAIN, POSITIONS
from texts import ODD, START, UNUSUAL

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
