"""Several sources as one."""

from __future__ import annotations

from bisect import bisect
from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow as pa

from fenpack.io.errors import InputError, as_input_error
from fenpack.io.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def join(sources: Sequence[Source], names: Sequence[str]) -> Source:
    """Read one source after the other.

    All must have the columns of the first, in any order; types are widened where that loses
    nothing. The text column is called as in the first.
    """
    first = sources[0]
    if len(sources) == 1:
        return replace(first, place=lambda row: (names[0], row))
    schema = first.schema
    for i, source in enumerate(sources):
        schema = _widened(schema, source, names[i], first, names[0])
    units = {source.unit for source in sources}
    same, known = len(units) == 1, all(source.size is not None for source in sources)
    sizes = [source.size or 0 if same else 1 for source in sources]
    size = sum(sizes) if known else None
    starts: list[int] = []

    def batches(columns: list[str] | None = None) -> Iterator[tuple[pa.RecordBatch, int]]:
        kept = schema if columns is None else pa.schema([schema.field(name) for name in columns])
        starts.clear()
        before = rows = 0
        for i, source in enumerate(sources):
            starts.append(rows)
            wanted = [source.column if name == first.column else name for name in kept.names]
            in_file = [name for name in source.schema.names if name in wanted]
            with as_input_error(names[i]):
                for batch, done in source.batches(None if columns is None else in_file):
                    found = (batch.column(name) for name in wanted)
                    cast = [_cast(array, kept.field(j).type) for j, array in enumerate(found)]
                    whole = pa.RecordBatch.from_arrays(cast, schema=kept)
                    rows += whole.num_rows
                    yield whole, before + (done if same else 0)
            before += sizes[i]

    def place(row: int) -> tuple[str, int]:
        i = bisect(starts, row) - 1
        return names[i], row - starts[i]

    return Source(schema, first.column, size, units.pop() if same else "files", batches, place)


def _widened(
    schema: pa.Schema, source: Source, name: str, first: Source, first_name: str
) -> pa.Schema:
    fields = {
        first.column if field.name == source.column else field.name: field.type
        for field in source.schema
    }
    if len(fields) < len(source.schema):
        raise InputError(f"{name}: several columns of one name")
    if fields.keys() != set(schema.names):
        raise InputError(
            f"{name}: its columns are {', '.join(source.schema.names)}, "
            f"those of {first_name} are {', '.join(first.schema.names)}"
        )
    wider = []
    for field in schema:
        kind = fields[field.name]
        if kind != field.type and field.name == first.column:
            kind = _text(field.type, kind)
        elif kind != field.type:
            kind = _either(field.name, field.type, kind, name, first_name)
        wider.append(pa.field(field.name, kind))
    return pa.schema(wider)


def _either(
    column: str, kind: pa.DataType, other: pa.DataType, name: str, first_name: str
) -> pa.DataType:
    schemas = [pa.schema([("", one)]) for one in (kind, other)]
    try:
        return pa.unify_schemas(schemas, promote_options="permissive").field(0).type
    except pa.ArrowException as error:
        raise InputError(
            f"{name}: column {column} holds {other}, that of {first_name} and the files between "
            f"holds {kind}"
        ) from error


def _text(*kinds: pa.DataType) -> pa.DataType:
    values = [
        str(kind.value_type if pa.types.is_dictionary(kind) else kind)
        for kind in kinds
        if not pa.types.is_null(kind)
    ]
    return pa.binary() if any("binary" in value for value in values) else pa.string()


def _cast(array: pa.Array, kind: pa.DataType) -> pa.Array:
    if array.type == kind:
        return array
    if pa.types.is_dictionary(array.type) and not pa.types.is_dictionary(kind):
        array = array.dictionary_decode()
    return array.cast(kind)
