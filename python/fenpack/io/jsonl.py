"""One JSON object a line."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from fenpack.io.columns import find_text
from fenpack.io.errors import InputError
from fenpack.io.source import Source
from fenpack.io.text import Block

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fenpack.io.text import Text

# The types of keys and values are those of the lines at the start of the file.
_INFERRED_BYTES = 1 << 23
_DEEPEST = 512
_LONG_LINE = 1 << 11
_NULL_LINE = re.compile(rb"(?:\A|[}\n])[ \t\r]*null")
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"')


def open_json(text: Text, column: str | None) -> Source:
    """Read objects; values keep their types, nested ones too, and a missing key is null."""
    schema = _infer(text, column)
    found = find_text(text.name, schema, column)
    if pa.types.is_null(schema.field(found).type):
        schema = schema.set(schema.get_field_index(found), pa.field(found, pa.string()))

    def batches(columns: list[str] | None = None) -> Iterator[tuple[pa.RecordBatch, int]]:
        kept = schema if columns is None else pa.schema([schema.field(name) for name in columns])
        for block in text.blocks():
            if block.data.isspace():
                continue
            table = _parse(text.name, block, kept, "error" if columns is None else "ignore")
            for batch in table.select(kept.names).combine_chunks().to_batches():
                yield batch, block.done

    return Source(schema, found, text.size, "bytes", batches)


def _infer(text: Text, column: str | None) -> pa.Schema:
    first = text.first(_INFERRED_BYTES)
    if not first.strip():
        return pa.schema([(column or "fen", pa.string())])
    schema = _parse(text.name, Block(first, 1, 0), None, "infer").schema
    return pa.schema([pa.field(field.name, _as_written(field.type)) for field in schema])


def _as_written(kind: pa.DataType) -> pa.DataType:
    """Keep dates as the strings that they are in JSON."""
    if pa.types.is_timestamp(kind):
        return pa.string()
    if pa.types.is_list(kind):
        return pa.list_(_as_written(kind.value_type))
    if pa.types.is_struct(kind):
        return pa.struct([(field.name, _as_written(field.type)) for field in kind])
    return kind


def _parse(name: str, block: Block, schema: pa.Schema | None, unexpected: str) -> pa.Table:
    data = block.data
    # Arrow's parser crashes on these.
    if b"null" in data and _NULL_LINE.search(data):
        _refuse_null(name, block)
    if _has_long_line(data):
        _refuse_depth(name, block)
    try:
        return _read(data, schema, unexpected)
    except pa.ArrowInvalid as error:
        raise InputError(_fault(name, block, schema, unexpected)) from error


def _read(data: bytes, schema: pa.Schema | None, unexpected: str) -> pa.Table:
    from pyarrow import json as arrow_json

    return arrow_json.read_json(
        pa.BufferReader(data),
        read_options=arrow_json.ReadOptions(use_threads=False, block_size=len(data) + 1),
        parse_options=arrow_json.ParseOptions(
            explicit_schema=schema, unexpected_field_behavior=unexpected
        ),
    )


def _refuse_null(name: str, block: Block) -> None:
    for i, line in enumerate(block.data.split(b"\n")):
        if b"null" in line and _NULL_LINE.search(_STRING.sub(b"", line)):
            raise InputError(f"{name}: line {block.line + i}: not an object but null")


def _has_long_line(data: bytes) -> bool:
    """Tell whether there is a line long enough to be nested deeply."""
    starts = range(0, len(data) - _LONG_LINE, _LONG_LINE)
    return any(data.find(b"\n", start, start + _LONG_LINE) < 0 for start in starts)


def _refuse_depth(name: str, block: Block) -> None:
    for i, line in enumerate(block.data.split(b"\n")):
        if len(line) > _LONG_LINE:
            signs = np.frombuffer(_STRING.sub(b"", line), np.uint8)
            opens = np.isin(signs, (ord("["), ord("{"))).astype(np.int32)
            closes = np.isin(signs, (ord("]"), ord("}")))
            if len(signs) and np.cumsum(opens - closes).max() > _DEEPEST:
                raise InputError(
                    f"{name}: line {block.line + i}: nested deeper than {_DEEPEST} levels"
                )


def _fault(name: str, block: Block, schema: pa.Schema | None, unexpected: str) -> str:
    """Find the first line that Arrow does not take after those before it."""
    lines = block.data.split(b"\n")
    low, high, reason = 0, len(lines), ""
    while low < high:
        middle = (low + high) // 2
        data = b"\n".join(lines[: middle + 1])
        try:
            if data.strip():
                _read(data, schema, unexpected)
            low = middle + 1
        except pa.ArrowInvalid as error:
            high, reason = middle, str(error)
    reason = re.sub(r" in row \d+\Z", "", reason.removeprefix("JSON parse error: "))
    reason = reason.replace("Column() changed from object to", "not an object but")
    if reason == "unexpected field" and schema is not None:
        reason = _unexpected(lines[high], schema)
    return f"{name}: line {block.line + high}: {reason}"


def _unexpected(line: bytes, schema: pa.Schema) -> str:
    try:
        new = [repr(key) for key in json.loads(line) if key not in schema.names]
        what = f"the key {new[0]}" if new else "a nested key"
    except ValueError:
        # The line is broken, too, behind the key.
        what = "a key"
    return f"{what} is not in the lines at the start of the file, which set the columns"
