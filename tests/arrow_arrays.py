"""Strategies that write the same rows as any Arrow column, and as what becomes one."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from hypothesis import strategies as st

import fenpack as fp
from answers import FIXED_TEXTS
from hostile import HOSTILE
from texts import FENS, UNUSUAL

KEY_TYPES = [
    *(pa.int8(), pa.int16(), pa.int32(), pa.int64()),
    *(pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()),
]
TEXT_TYPES = [pa.string(), pa.large_string(), pa.string_view()]
BINARY_TYPES = [pa.binary(), pa.large_binary(), pa.binary_view()]
POSITION = pa.binary(40)

SHORT = [text for text, _ in HOSTILE.values() if len(text) < 200]
KNOWN = [text.encode() for text in [*FENS.values(), *UNUSUAL.values(), *FIXED_TEXTS]] + SHORT
PACKED = [row.as_py() for row in fp.parse(list(UNUSUAL.values())).storage]


@st.composite
def changed(draw: st.DrawFn) -> bytes:
    """A known text with a stretch of it replaced."""
    text = draw(st.sampled_from(KNOWN))
    start = draw(st.integers(0, len(text)))
    length = draw(st.integers(0, 3))
    return text[:start] + draw(st.binary(max_size=3)) + text[start + length :]


texts = st.one_of(st.sampled_from(KNOWN), changed(), st.binary(max_size=90))
utf8_texts = texts.map(lambda text: text.decode("utf-8", "replace").encode())
packed = st.sampled_from(PACKED)


def nullable(rows: st.SearchStrategy[bytes]) -> st.SearchStrategy[list[bytes | None]]:
    return st.lists(st.one_of(rows, rows, st.none()), max_size=12)


# --- arrays made from buffers ----------------------------------------------------------------


def bits(valid: list[bool]) -> pa.Buffer:
    return pa.py_buffer(np.packbits(np.array(valid, bool), bitorder="little").tobytes())


def array_of(rows: list[bytes | None], kind: pa.DataType, *, bitmap=True, garbage=b"") -> pa.Array:
    """Write rows as an array of `kind`, whose bytes need be no UTF-8, with `garbage` in nulls."""
    valid = [row is not None for row in rows]
    filled = [garbage if row is None else row for row in rows]
    validity = bits(valid) if bitmap or not all(valid) else None
    if pa.types.is_fixed_size_binary(kind):
        width = kind.byte_width
        filled = [(garbage * width)[:width].ljust(width) if row is None else row for row in rows]
        return pa.Array.from_buffers(kind, len(rows), [validity, pa.py_buffer(b"".join(filled))])
    if kind in (pa.string_view(), pa.binary_view()):
        return _views(filled, valid, kind, validity)
    width = np.int64 if kind in (pa.large_string(), pa.large_binary()) else np.int32
    offsets = np.cumsum([0, *map(len, filled)]).astype(width)
    buffers = [validity, pa.py_buffer(offsets.tobytes()), pa.py_buffer(b"".join(filled))]
    return pa.Array.from_buffers(kind, len(rows), buffers)


def _views(
    rows: list[bytes], valid: list[bool], kind: pa.DataType, validity: pa.Buffer | None
) -> pa.Array:
    """Long rows lie in two buffers in turn; the view of a null points nowhere."""
    buffers = [bytearray(b"before"), bytearray()]
    views = bytearray()
    for i, row in enumerate(rows):
        head = len(row).to_bytes(4, "little")
        if not valid[i]:
            views += (99).to_bytes(4, "little") + b"null" + (9).to_bytes(4, "little") + b"\xff" * 4
        elif len(row) <= 12:
            views += head + row.ljust(12, b"\0")
        else:
            place = len(buffers[i % 2]).to_bytes(4, "little")
            views += head + row[:4] + (i % 2).to_bytes(4, "little") + place
            buffers[i % 2] += row
    data = [pa.py_buffer(bytes(views)), *(pa.py_buffer(bytes(buffer)) for buffer in buffers)]
    return pa.Array.from_buffers(kind, len(rows), [validity, *data])


def dictionary_of(
    rows: list[bytes | None], kind: pa.DataType, keys: pa.DataType, *, extra: int, in_values: bool
) -> pa.Array:
    """Write rows as keys, nulls as null keys or keys of a null value; `extra` values unused."""
    values = [*dict.fromkeys(row for row in rows if row is not None)]
    unused = [PACKED[0] if kind == POSITION else b"unused"] * extra
    values = [*unused, *values, *([None] if in_values and None in rows else [])]
    keyed = [None if row is None and not in_values else values.index(row) for row in rows]
    return pa.DictionaryArray.from_arrays(pa.array(keyed, keys), array_of(values, kind))


@st.composite
def arrays(
    draw: st.DrawFn, rows: list[bytes | None], kinds: list[pa.DataType], *, plain: bool = False
) -> pa.Array:
    """Write rows as one array, perhaps a slice of a longer one, perhaps of keys."""
    kind = draw(st.sampled_from(kinds))
    filler = PACKED[0] if kind == POSITION else b"filler"
    before = draw(st.integers(0, 9))
    after = draw(st.integers(0, 2))
    longer = [filler] * before + rows + [filler] * after
    if plain or draw(st.booleans()):
        whole = array_of(
            longer, kind, bitmap=draw(st.booleans()), garbage=draw(st.sampled_from([b"", b"\xff9"]))
        )
    else:
        whole = dictionary_of(
            longer,
            kind,
            draw(st.sampled_from(KEY_TYPES)),
            extra=draw(st.sampled_from([0, 0, 3, 40])),
            in_values=draw(st.booleans()),
        )
    return whole.slice(before, len(rows))


@st.composite
def chunked(draw: st.DrawFn, rows: list[bytes | None], kinds: list[pa.DataType]) -> pa.ChunkedArray:
    """Write rows in chunks, some without rows; all of one type."""
    ends = sorted(draw(st.lists(st.integers(0, len(rows)), max_size=4)))
    kind = [draw(st.sampled_from(kinds))]
    cuts = zip([0, *ends], [*ends, len(rows)], strict=True)
    if draw(st.booleans()):
        chunks = [draw(arrays(rows[start:end], kind, plain=True)) for start, end in cuts]
    else:
        keys = draw(st.sampled_from(KEY_TYPES))
        chunks = [
            dictionary_of(rows[start:end], kind[0], keys, extra=start % 2, in_values=end % 2 == 1)
            for start, end in cuts
        ]
    return pa.chunked_array(chunks)


class OnlyArray:
    """What speaks no more than __arrow_c_array__."""

    def __init__(self, array: pa.Array) -> None:
        self.array = array

    def __arrow_c_array__(self, requested_schema=None):
        return self.array.__arrow_c_array__(requested_schema)


class OnlyStream:
    """What speaks no more than __arrow_c_stream__."""

    def __init__(self, array: pa.Array | pa.ChunkedArray) -> None:
        self.array = array if isinstance(array, pa.ChunkedArray) else pa.chunked_array([array])

    def __arrow_c_stream__(self, requested_schema=None):
        return self.array.__arrow_c_stream__(requested_schema)


def in_any_form(
    rows: list[bytes | None], kinds: list[pa.DataType]
) -> st.SearchStrategy[tuple[object, list[int] | None]]:
    """Write rows as any Arrow column, with the lengths of its chunks if it has chunks."""

    def lengths(column: pa.ChunkedArray) -> list[int]:
        return [len(chunk) for chunk in column.chunks]

    return st.one_of(
        arrays(rows, kinds).map(lambda array: (array, None)),
        arrays(rows, kinds).map(lambda array: (OnlyArray(array), None)),
        chunked(rows, kinds).map(lambda column: (column, lengths(column))),
        chunked(rows, kinds).map(lambda column: (OnlyStream(column), lengths(column))),
    )


# --- what is not Arrow yet -------------------------------------------------------------------


def _strings(rows: list[bytes | None]) -> list[str | None]:
    return [None if row is None else row.decode() for row in rows]


def _without_nuls(rows: list[bytes | None]) -> bool:
    """numpy drops NULs at the end of a text."""
    return not any(row is None or b"\0" in row for row in rows)


OBJECTS = {
    "list": lambda rows: _strings(rows),
    "tuple": lambda rows: tuple(_strings(rows)),
    "numpy object": lambda rows: np.array([*_strings(rows), None], object)[:-1],
    "numpy strided": lambda rows: np.repeat(np.array([*_strings(rows), None], object), 3)[:-3:3],
    "numpy U": lambda rows: np.array(_strings(rows), str),
    "numpy StringDType": lambda rows: np.array(
        [*_strings(rows), None], np.dtypes.StringDType(na_object=None)
    )[:-1],
    "pandas object": lambda rows: pd.Series(_strings(rows), dtype=object),
    "pandas str": lambda rows: pd.Series(_strings(rows), dtype="str"),
    "pandas string": lambda rows: pd.Series(_strings(rows), dtype="string"),
    "pandas category": lambda rows: pd.Series(_strings(rows), dtype="category"),
    "pandas arrow": lambda rows: pd.Series(
        array_of(rows, pa.string()), dtype=pd.ArrowDtype(pa.string())
    ),
    "polars": lambda rows: pl.Series(_strings(rows), dtype=pl.String),
    "polars categorical": lambda rows: pl.Series(_strings(rows), dtype=pl.Categorical),
    "polars binary": lambda rows: pl.Series(rows, dtype=pl.Binary),
}


def as_objects(rows: list[bytes | None]) -> st.SearchStrategy[object]:
    """Write rows, which are UTF-8, as what other libraries have."""
    known = [
        name
        for name in OBJECTS
        if (name != "numpy U" or _without_nuls(rows))
        # Without a category that is text, pandas says that they are numbers.
        and (name != "pandas category" or any(row is not None for row in rows))
    ]
    return st.sampled_from(known).map(lambda name: OBJECTS[name](rows))


# --- what is no column of text or positions --------------------------------------------------

_SCALARS = [
    *(*KEY_TYPES[:3], pa.uint64(), pa.float16(), pa.float32(), pa.float64(), pa.bool_()),
    *(pa.date32(), pa.time64("us"), pa.timestamp("ms", "UTC"), pa.duration("s")),
    *(pa.decimal128(9, 2), pa.binary(0), pa.binary(1), pa.binary(39), pa.binary(41)),
]


def _deeper(inner: st.SearchStrategy[pa.DataType]) -> st.SearchStrategy[pa.DataType]:
    return st.one_of(
        inner.map(pa.list_),
        inner.map(pa.large_list),
        inner.map(pa.list_view),
        inner.map(lambda kind: pa.list_(kind, 2)),
        inner.map(lambda kind: pa.struct([("fen", kind), ("elo", pa.int16())])),
        inner.map(lambda kind: pa.map_(pa.string(), kind)),
        inner.map(lambda kind: pa.run_end_encoded(pa.int32(), kind)),
        inner.map(lambda kind: pa.sparse_union([pa.field("fen", kind)])),
        inner.map(lambda kind: pa.dense_union([pa.field("fen", kind)])),
    )


foreign_types = st.one_of(
    st.sampled_from(_SCALARS),
    _deeper(
        st.recursive(
            st.sampled_from([*_SCALARS, *TEXT_TYPES, *BINARY_TYPES, pa.null()]),
            _deeper,
            max_leaves=2,
        )
    ),
)


@st.composite
def foreign(draw: st.DrawFn) -> object:
    """A column that no function for text or positions takes."""
    kind = draw(foreign_types)
    length = draw(st.integers(0, 5))
    array = pa.nulls(length, kind).slice(draw(st.integers(0, length)))
    form = draw(st.sampled_from([lambda array: array, OnlyArray, OnlyStream]))
    return form(array)
