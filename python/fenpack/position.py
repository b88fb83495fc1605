"""The packed position: its numpy dtype, its Arrow extension type, and named columns for SQL."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import numpy as np
import pyarrow as pa

from fenpack import _native
from fenpack.sound import sound

__all__ = [
    "PositionArray",
    "PositionType",
    "from_struct",
    "position_dtype",
    "to_struct",
]

position_dtype: np.dtype[np.void] = np.dtype(
    [
        ("code", "<u8", (3,)),
        ("black", "<u8"),
        ("flags", "u1"),
        ("en_passant", "u1"),
        ("castling", "u1", (2,)),
        ("halfmove", "<u2"),
        ("fullmove", "<u2"),
    ]
)
"""One packed position, 40 bytes, as a numpy structured dtype.

Bit *s* of the three ``code`` planes spells the piece code of square *s* in LERF order (a1 = 0,
h8 = 63): 0 empty, 1 P, 2 N, 3 B, 4 R, 5 Q, 6 K. ``black``: the squares of Black's men. ``flags``:
bit 0 Black to move, bit 1 a counter was absent in the source, bit 2 read as Chess960.
``en_passant``: the target square as given, 64 for none. ``castling``: White's and Black's rook
files with a right, bit *f* for file *f*. ``halfmove``, ``fullmove``: the counters, 0 kept as seen.
"""

_BLACK_TO_MOVE, _COUNTERS_ABSENT, _CHESS960 = 1, 2, 4
_NO_SQUARE = 64
_ROLES = ("pawns", "knights", "bishops", "rooks", "queens", "kings")


class PositionType(pa.ExtensionType):  # type: ignore[misc]
    """The Arrow extension type ``fenpack.position`` over ``fixed_size_binary[40]``.

    `parse` gives arrays of it. It is registered on import, so that it survives Parquet and Arrow
    files; libraries that do not know it see the 40 bytes, which every function takes as well.

    Examples
    --------
    >>> import fenpack as fp
    >>> fp.PositionType().storage_type
    FixedSizeBinaryType(fixed_size_binary[40])
    >>> fp.parse(["8/8/8/8/8/8/8/K1k5 w - -"]).type == fp.PositionType()
    True
    """

    def __init__(self) -> None:
        super().__init__(pa.binary(position_dtype.itemsize), "fenpack.position")

    def __arrow_ext_serialize__(self) -> bytes:
        return b""

    @classmethod
    def __arrow_ext_deserialize__(
        cls, storage_type: pa.DataType, serialized: bytes
    ) -> PositionType:
        if storage_type != pa.binary(position_dtype.itemsize):
            raise TypeError(f"fenpack.position is fixed_size_binary[40], got {storage_type}")
        return cls()

    def __arrow_ext_class__(self) -> type[PositionArray]:
        return PositionArray

    def __reduce__(self) -> tuple[Any, ...]:
        return PositionType, ()


class PositionArray(pa.ExtensionArray):  # type: ignore[misc]
    """A column of packed positions, 40 bytes each (see `position_dtype`).

    Examples
    --------
    >>> import fenpack as fp
    >>> positions = fp.parse(["8/8/8/8/8/8/8/K1k5 w - - 7 40"])
    >>> int(positions.to_numpy()["fullmove"][0])
    40
    """

    def to_numpy(
        self, zero_copy_only: bool = True, writable: bool = False
    ) -> np.ndarray[Any, np.dtype[np.void]]:
        """View the positions as numpy records without a copy.

        Parameters
        ----------
        zero_copy_only : bool
            Accepted for likeness with pyarrow; the view is always without a copy.
        writable : bool
            Return a copy that can be written to.

        Returns
        -------
        ndarray of position_dtype, shape (N,)
            A null row has unspecified content; ask `is_valid` of the array for the nulls.
        """
        data = self.storage.buffers()[1]
        if data is None:
            return np.zeros(len(self), position_dtype)
        start = self.offset * position_dtype.itemsize
        records = np.frombuffer(data, position_dtype, count=len(self), offset=start)
        return records.copy() if writable else records

    @staticmethod
    def from_numpy(records: np.ndarray[Any, Any]) -> PositionArray:
        """Take numpy records as positions, without a copy where they are contiguous.

        Parameters
        ----------
        records : ndarray of position_dtype, shape (N,)
            The positions. Functions that read them check every row.

        Returns
        -------
        PositionArray
            As many positions.
        """
        if records.dtype != position_dtype or records.ndim != 1:
            raise TypeError(
                f"records must be one-dimensional of fenpack.position_dtype, got {records.dtype} "
                f"of shape {records.shape}"
            )
        data = pa.py_buffer(np.ascontiguousarray(records).view(np.uint8))
        storage = pa.Array.from_buffers(
            pa.binary(position_dtype.itemsize), len(records), [None, data]
        )
        return _wrap(storage)


def _wrap(storage: pa.Array) -> PositionArray:
    array: PositionArray = pa.ExtensionArray.from_storage(PositionType(), storage)
    return array


def _register() -> None:
    try:
        pa.register_extension_type(PositionType())
    except pa.ArrowKeyError:  # a reload of this module
        pa.unregister_extension_type("fenpack.position")
        pa.register_extension_type(PositionType())


_register()

_STRUCT = pa.struct(
    [
        *((role, pa.uint64()) for role in (*_ROLES, "white", "black")),
        ("black_to_move", pa.bool_()),
        ("castling_white", pa.uint8()),
        ("castling_black", pa.uint8()),
        ("en_passant", pa.uint8()),
        ("halfmove", pa.uint16()),
        ("fullmove", pa.uint16()),
        ("counters_absent", pa.bool_()),
        ("chess960", pa.bool_()),
    ]
)


def to_struct(positions: pa.Array | pa.ChunkedArray) -> pa.StructArray | pa.ChunkedArray:
    """Spread positions over named columns, for SQL and dataframes.

    Parameters
    ----------
    positions : PositionArray, fixed_size_binary[40] or 40-byte binary, whole or in chunks
        The positions.

    Returns
    -------
    StructArray or ChunkedArray of it
        ``pawns`` to ``kings``, ``white`` and ``black`` (uint64 bitboards, LERF), ``black_to_move``,
        ``castling_white``, ``castling_black`` (rook files, bit *f* for file *f*), ``en_passant``
        (square 0-63, null for none), ``halfmove``, ``fullmove``, ``counters_absent``,
        ``chess960``. Null for null.

    Raises
    ------
    ValueError
        If a row's bytes are no packed position; the message names row and reason.
    TypeError
        If `positions` is not a pyarrow array of positions.

    Examples
    --------
    >>> import fenpack as fp
    >>> fp.to_struct(fp.parse(["8/8/8/8/8/8/8/K1k5 b - -"])).field("kings").to_pylist()
    [5]
    """
    if not isinstance(positions, pa.Array | pa.ChunkedArray):
        raise TypeError(f"positions must be a pyarrow array, got {type(positions).__name__}")
    _native.check_positions(sound(positions, "positions"))
    if isinstance(positions, pa.ChunkedArray):
        return pa.chunked_array([_spread(chunk) for chunk in positions.chunks], _STRUCT)
    return _spread(positions)


def _spread(positions: pa.Array) -> pa.StructArray:
    array = as_positions(positions)
    records = array.to_numpy()
    zero, one, two = (records["code"][:, plane] for plane in range(3))
    roles = {
        "pawns": zero & ~one & ~two,
        "knights": ~zero & one & ~two,
        "bishops": zero & one & ~two,
        "rooks": ~zero & ~one & two,
        "queens": zero & ~one & two,
        "kings": ~zero & one & two,
    }
    flags, target = records["flags"], records["en_passant"]
    columns = {
        **roles,
        "white": (zero | one | two) & ~records["black"],
        "black": records["black"],
        "black_to_move": (flags & _BLACK_TO_MOVE) != 0,
        "castling_white": records["castling"][:, 0],
        "castling_black": records["castling"][:, 1],
        "en_passant": pa.array(target, mask=target == _NO_SQUARE),
        "halfmove": records["halfmove"],
        "fullmove": records["fullmove"],
        "counters_absent": (flags & _COUNTERS_ABSENT) != 0,
        "chess960": (flags & _CHESS960) != 0,
    }
    arrays = [pa.array(column).cast(_STRUCT.field(name).type) for name, column in columns.items()]
    return pa.StructArray.from_arrays(arrays, fields=list(_STRUCT), mask=array.is_null())


def from_struct(structs: pa.StructArray | pa.ChunkedArray) -> PositionArray | pa.ChunkedArray:
    """Gather named columns into positions, the inverse of `to_struct`.

    Parameters
    ----------
    structs : StructArray or ChunkedArray of it
        The fields of `to_struct`; ``counters_absent`` and ``chess960`` may be missing.

    Returns
    -------
    PositionArray or ChunkedArray of it
        Null for null.

    Raises
    ------
    ValueError
        If a field is missing or null, two roles or both sides claim a square, or a man has no
        side or no role; the message names the row.
    TypeError
        If `structs` is not a struct column.

    Examples
    --------
    >>> import fenpack as fp
    >>> positions = fp.parse(["8/8/8/8/8/8/8/K1k5 b - -"])
    >>> fp.from_struct(fp.to_struct(positions)).equals(positions)
    True
    """
    given = structs.type if isinstance(structs, pa.Array | pa.ChunkedArray) else type(structs)
    if not (isinstance(given, pa.DataType) and pa.types.is_struct(given)):
        raise TypeError(f"structs must be a struct column, got {given}")
    sound(structs, "structs")
    if isinstance(structs, pa.ChunkedArray):
        starts = accumulate((len(chunk) for chunk in structs.chunks), initial=0)
        gathered = [
            _gather(chunk, start) for chunk, start in zip(structs.chunks, starts, strict=False)
        ]
        return pa.chunked_array(gathered, PositionType())
    return _gather(structs, 0)


def _gather(structs: pa.StructArray, start: int) -> PositionArray:
    """Gather one chunk, whose first row is row `start` of the column."""
    nulls = np.asarray(structs.is_null())
    fields = {field.name: _struct_field(structs, field, nulls, start) for field in _STRUCT}
    records = np.zeros(len(structs), position_dtype)
    absent = np.asarray(structs.field("en_passant").is_null()) | nulls
    occupied = np.zeros(len(structs), np.uint64)
    for code, role in enumerate(_ROLES, start=1):
        _refuse(occupied & fields[role], start, f"is given to {role} and to another role")
        occupied |= fields[role]
        for plane in range(3):
            if code >> plane & 1:
                records["code"][:, plane] |= fields[role]
    _refuse(fields["white"] & fields["black"], start, "is given to White and to Black")
    sided = fields["white"] | fields["black"]
    _refuse(occupied ^ sided, start, "has a role without a side or no role")
    target = fields["en_passant"]
    if (beyond := (target >= _NO_SQUARE) & ~absent).any():
        row = start + int(np.argmax(beyond))
        raise ValueError(f"structs row {row}: en_passant must be 0 to 63 or null")
    records["black"] = fields["black"]
    records["flags"] = (
        fields["black_to_move"] * _BLACK_TO_MOVE
        | fields["counters_absent"] * _COUNTERS_ABSENT
        | fields["chess960"] * _CHESS960
    )
    records["en_passant"] = target
    records["castling"][:, 0] = fields["castling_white"]
    records["castling"][:, 1] = fields["castling_black"]
    records["halfmove"] = fields["halfmove"]
    records["fullmove"] = fields["fullmove"]
    storage = PositionArray.from_numpy(records).storage
    if nulls.any():
        validity = pa.array(~nulls).buffers()[1]
        storage = pa.Array.from_buffers(
            storage.type, len(storage), [validity, storage.buffers()[1]]
        )
    return _wrap(storage)


def as_positions(array: pa.Array) -> PositionArray:
    """View packed positions of any Arrow type as a PositionArray."""
    if isinstance(array, PositionArray):
        return array
    try:
        return _wrap(array.cast(pa.binary(position_dtype.itemsize)))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise TypeError(f"positions must be packed positions, got {array.type}") from None


def _struct_field(
    structs: pa.StructArray, field: pa.Field, nulls: np.ndarray[Any, Any], start: int
) -> np.ndarray[Any, Any]:
    optional = {"counters_absent": False, "chess960": False}
    if structs.type.get_field_index(field.name) < 0:
        if field.name in optional:
            return np.zeros(len(structs), np.uint8)
        names = ", ".join(member.name for member in structs.type)
        raise ValueError(f"structs has no field {field.name!r}, only {names}")
    values = structs.field(field.name).cast(field.type)
    if field.name == "en_passant":
        values = values.fill_null(_NO_SQUARE)
    elif values.null_count:
        missing = np.asarray(values.is_null()) & ~nulls
        if missing.any():
            row = start + int(np.argmax(missing))
            raise ValueError(f"structs row {row}: {field.name} is null")
        values = values.fill_null(0 if not pa.types.is_boolean(field.type) else False)
    result = values.to_numpy(zero_copy_only=False)
    result = result.astype(np.uint8) if result.dtype == bool else result.copy()
    result[nulls] = _NO_SQUARE if field.name == "en_passant" else 0
    return result  # type: ignore[no-any-return]


def _refuse(squares: np.ndarray[Any, Any], start: int, reason: str) -> None:
    if squares.any():
        row = int(np.argmax(squares != 0))
        square = (int(squares[row]) & -int(squares[row])).bit_length() - 1
        name = "abcdefgh"[square % 8] + "12345678"[square // 8]
        raise ValueError(f"structs row {start + row}: {name} {reason}")
