"""EPD records: a position and its operations."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

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

    mask = _may_have_operations(records)
    if not mask.any():
        return [records, pa.nulls(len(records), pa.string())]
    chosen = pa.array(mask)
    fens, operations = _split_all(records.filter(chosen))
    return [
        pc.replace_with_mask(records, chosen, fens),
        pc.replace_with_mask(pa.nulls(len(records), pa.string()), chosen, operations),
    ]


def _may_have_operations(records: pa.StringArray) -> npt.NDArray[np.bool_]:
    """Rule out the records of at most six fields with digits in the last two, and no ``;``."""
    _, offsets, texts = records.buffers()
    ends = np.frombuffer(offsets, np.int32, len(records) + 1)
    data = np.frombuffer(texts, np.uint8)
    if (data == ord("\t")).any():
        return np.ones(len(records), bool)
    blanks = np.flatnonzero(data == ord(" "))
    first = np.searchsorted(blanks, ends)
    count = np.diff(first)
    following = np.append(data, 0)[np.append(blanks, len(data) - 1) + 1]
    digits = np.append((following >= ord("0")) & (following <= ord("9")), [False] * 5)
    fourth, fifth = digits[first[:-1] + 3], digits[first[:-1] + 4]
    plain: npt.NDArray[np.bool_] = (
        (count < 4) | ((count == 4) & fourth) | ((count == 5) & fourth & fifth)
    )
    ended = np.searchsorted(np.flatnonzero(data == ord(";")), ends)
    plain &= np.diff(ended) == 0
    return ~plain


def _split_all(records: pa.StringArray) -> tuple[pa.StringArray, pa.StringArray]:
    import pyarrow.compute as pc

    found = pc.extract_regex(records, _RECORD)
    fens, counters, spaced, joined = (pc.struct_field(found, i) for i in range(4))
    operations = pc.if_else(pc.equal(spaced, ""), joined, spaced)
    operations = pc.if_else(pc.equal(operations, ""), pa.scalar(None, pa.string()), operations)
    fens = pc.if_else(pc.is_null(operations), records, fens)
    clocks = pc.and_(pc.match_substring_regex(operations, "hmvc|fmvn"), pc.equal(counters, ""))
    clocks = pc.fill_null(clocks, False)
    if pc.any(clocks).as_py():
        counted = _counted(fens.filter(clocks), records.filter(clocks))
        fens = pc.replace_with_mask(fens, clocks, counted)
    return fens, operations


def _counted(fens: pa.StringArray, records: pa.StringArray) -> pa.StringArray:
    """Put the counters that `records` have after `fens`."""
    import pyarrow.compute as pc

    from fenpack.columns import parse
    from fenpack.position import to_struct

    read = to_struct(parse(records))
    halfmove, fullmove = (pc.struct_field(read, name) for name in ("halfmove", "fullmove"))
    stub = pc.and_(pc.equal(halfmove, 0), pc.equal(fullmove, 1))
    given = pc.invert(pc.and_(pc.struct_field(read, "counters_absent"), stub))
    clocks = (clock.cast(pa.string()) for clock in (halfmove, fullmove))
    counted = pc.binary_join_element_wise(fens, *clocks, " ")
    return pc.if_else(pc.fill_null(given, False), counted, fens)
