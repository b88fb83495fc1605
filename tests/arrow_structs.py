"""The structs of the Arrow C data interface, written by hand: true ones, and any lie."""

from __future__ import annotations

import ctypes
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p
from typing import Any


class Schema(Structure):
    pass


class Array(Structure):
    pass


class Stream(Structure):
    pass


RELEASE_SCHEMA = CFUNCTYPE(None, POINTER(Schema))
RELEASE_ARRAY = CFUNCTYPE(None, POINTER(Array))
RELEASE_STREAM = CFUNCTYPE(None, POINTER(Stream))
GET_SCHEMA = CFUNCTYPE(c_int, POINTER(Stream), POINTER(Schema))
GET_NEXT = CFUNCTYPE(c_int, POINTER(Stream), POINTER(Array))
GET_LAST_ERROR = CFUNCTYPE(c_void_p, POINTER(Stream))

Schema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_void_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", POINTER(POINTER(Schema))),
    ("dictionary", POINTER(Schema)),
    ("release", RELEASE_SCHEMA),
    ("private_data", c_void_p),
]
Array._fields_ = [
    ("length", c_int64),
    ("null_count", c_int64),
    ("offset", c_int64),
    ("n_buffers", c_int64),
    ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)),
    ("children", POINTER(POINTER(Array))),
    ("dictionary", POINTER(Array)),
    ("release", RELEASE_ARRAY),
    ("private_data", c_void_p),
]
Stream._fields_ = [
    ("get_schema", GET_SCHEMA),
    ("get_next", GET_NEXT),
    ("get_last_error", GET_LAST_ERROR),
    ("release", RELEASE_STREAM),
    ("private_data", c_void_p),
]

new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [c_void_p, c_char_p, c_void_p]


def _release(struct: Any) -> None:
    struct.contents.release = type(struct.contents.release)()


release_schema = RELEASE_SCHEMA(_release)
release_array = RELEASE_ARRAY(_release)
release_stream = RELEASE_STREAM(_release)


def _pointers(structs: list[Any], kind: Any) -> Any:
    return (POINTER(kind) * len(structs))(*map(ctypes.pointer, structs))


def schema(
    format: bytes | None,  # noqa: A002
    *,
    children: list[Schema] | None = None,
    dictionary: Schema | None = None,
    **fields: Any,
) -> Schema:
    """A schema, with any of its fields as told instead."""
    made = Schema(format=format, name=b"", flags=2, release=release_schema)
    if children:
        made.n_children, made.children = len(children), _pointers(children, Schema)
    if dictionary is not None:
        made.dictionary = ctypes.pointer(dictionary)
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def array(
    rows: int,
    data: list[bytes | None],
    *,
    children: list[Array] | None = None,
    dictionary: Array | None = None,
    shift: int = 0,
    **fields: Any,
) -> Array:
    """An array over copies of `data`, `shift` bytes off, with any of its fields as told instead."""
    made = Array(length=rows, null_count=-1, release=release_array)
    kept = [
        None if one is None else ctypes.create_string_buffer(b"\0" * shift + one) for one in data
    ]
    addresses = [None if one is None else ctypes.addressof(one) + shift for one in kept]
    made.n_buffers, made.buffers = len(data), (c_void_p * len(data))(*addresses)
    made.kept = kept
    if children:
        made.n_children, made.children = len(children), _pointers(children, Array)
    if dictionary is not None:
        made.dictionary = ctypes.pointer(dictionary)
        made.below = dictionary
    for name, value in fields.items():
        setattr(made, name, value)
    return made


class Pair:
    """What gives the same two capsules whenever it is asked."""

    def __init__(self, schema: Schema, array: Array) -> None:
        self.structs = schema, array
        self.capsules = (
            new_capsule(ctypes.addressof(schema), b"arrow_schema", None),
            new_capsule(ctypes.addressof(array), b"arrow_array", None),
        )

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        return self.capsules


class Chunks:
    """A stream of arrays; one that is no array is what `get_next` fails with."""

    def __init__(
        self, schema: Schema, arrays: list[Array | int], said: bytes | None = None, **fields: Any
    ) -> None:
        self.arrays = iter([*arrays, Array()])
        self.schema, self.given, self.said = schema, arrays, said
        text = None if said is None else ctypes.create_string_buffer(said)

        def get_schema(stream: Any, out: Any) -> int:
            ctypes.memmove(out, ctypes.byref(schema), ctypes.sizeof(Schema))
            return 0

        def get_next(stream: Any, out: Any) -> int:
            made = next(self.arrays)
            if isinstance(made, int):
                return made
            ctypes.memmove(out, ctypes.byref(made), ctypes.sizeof(Array))
            return 0

        def get_last_error(stream: Any) -> int | None:
            return None if text is None else ctypes.addressof(text)

        self.stream = Stream(
            get_schema=GET_SCHEMA(get_schema),
            get_next=GET_NEXT(get_next),
            get_last_error=GET_LAST_ERROR(get_last_error),
            release=release_stream,
        )
        for name, value in fields.items():
            setattr(self.stream, name, value)
        self.capsule = new_capsule(ctypes.addressof(self.stream), b"arrow_array_stream", None)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.capsule
