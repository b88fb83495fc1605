"""EPD records: a position and its operations."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fenpack.io.source import Source

_OPERATIONS = pa.field("operations", pa.string())
# Digits after the fourth field are counters, never an operation.
_RECORD = (
    r"^(?P<fen>[ \t]*(?:[^ \t]+[ \t]+){3}[^ \t;]+(?P<counters>(?:[ \t]+[0-9]+){0,2}))"
    r"(?:[ \t]+(?P<spaced>[A-Za-z].*)|[ \t]*(?P<joined>;.*)|[ \t]*)$"
)


def split_records(source: Source) -> Source:
    """Give records of a single column as the columns ``fen`` and ``operations``."""
    schema = source.schema.append(_OPERATIONS)

    def batches(columns: list[str] | None = None) -> Iterator[tuple[pa.RecordBatch, int]]:
        for batch, done in source.batches():
            columns_of = split(batch.column(0))
            whole = pa.RecordBatch.from_arrays(columns_of, schema=schema)
            yield whole if columns is None else whole.select(columns), done

    return replace(source, schema=schema, batches=batches)


def split(records: pa.StringArray) -> list[pa.Array]:
    """Split each record into its position and its operations.

    The position is what stands before the operations, and the counters that ``hmvc`` and
    ``fmvn`` give if it has none itself. A record that has no four fields is left whole.
    """
    import pyarrow.compute as pc

    found = pc.extract_regex(records, _RECORD)
    fens, counters, spaced, joined = (pc.struct_field(found, i) for i in range(4))
    operations = pc.if_else(pc.equal(spaced, ""), joined, spaced)
    operations = pc.if_else(pc.equal(operations, ""), pa.scalar(None, pa.string()), operations)
    none = pc.is_null(operations)
    if pc.all(none).as_py():
        return [records, operations]
    fens = pc.if_else(none, records, fens)
    clocks = pc.and_(pc.match_substring_regex(operations, "hmvc|fmvn"), pc.equal(counters, ""))
    at = pc.indices_nonzero(pc.fill_null(clocks, False))
    if len(at):
        counted = _counted(fens.take(at), records.take(at))
        fens = pc.replace_with_mask(fens, pc.fill_null(clocks, False), counted)
    return [fens, operations]


def _counted(fens: pa.StringArray, records: pa.StringArray) -> pa.StringArray:
    """Put the counters of `records` after `fens`."""
    import pyarrow.compute as pc

    from fenpack.columns import parse
    from fenpack.position import to_struct

    read = to_struct(parse(records))
    clocks = (pc.struct_field(read, name).cast(pa.string()) for name in ("halfmove", "fullmove"))
    given = pc.invert(pc.struct_field(read, "counters_absent"))
    counted = pc.binary_join_element_wise(fens, *clocks, " ")
    return pc.if_else(pc.fill_null(given, False), counted, fens)
