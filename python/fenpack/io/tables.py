"""Tables with a header, fields divided by commas or tabs."""

from __future__ import annotations

import csv
import io
import re
from bisect import bisect
from contextlib import suppress
from typing import TYPE_CHECKING

import pyarrow as pa

from fenpack.columns import is_valid
from fenpack.io.columns import find_column
from fenpack.io.errors import InputError
from fenpack.io.source import Source
from fenpack.io.text import Block

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fenpack.io.text import Text

_LONGEST_HEADER = 1 << 16
_LONGEST_QUOTE = 1 << 26


def open_table(text: Text, delimiter: str, column: str | None) -> Source:
    """Read a table; every field is text, as it is written."""
    names, skipped = _read_header(text, delimiter)
    if is_valid(names, level="syntax").true_count:
        raise InputError(
            f"{text.name}: line {skipped} is no header but has a FEN; put one in front, or read "
            "lines of FEN by the format fen"
        )
    found = find_column(text.name, names, column)
    if len(names) == 1 and (others := [sign for sign in ",;\t|" if sign in found]):
        raise InputError(
            f"{text.name}: the header {found!r} is one field, for {delimiter!r} divides fields, "
            f"not {others[0]!r}"
        )
    schema = pa.schema([(name, pa.string()) for name in names])

    def batches(columns: list[str] | None = None) -> Iterator[tuple[pa.RecordBatch, int]]:
        kept = names if columns is None else columns
        for block in _whole_rows(text, delimiter, skipped):
            if len(names) > 1 and not block.data.strip(b"\r\n"):
                continue
            try:
                table = _parse(block.data, names, delimiter, columns)
            except pa.ArrowInvalid as error:
                raise InputError(_fault(text.name, block, names, delimiter, error)) from error
            for batch in table.combine_chunks().to_batches():
                yield batch if columns is None else batch.select(kept), block.done

    return Source(schema, found, text.size, "bytes", batches)


def _read_header(text: Text, delimiter: str) -> tuple[list[str], int]:
    """Give the names of the columns, and how many lines they take."""
    first = io.StringIO(text.first(_LONGEST_HEADER).decode("utf-8"), newline="\n")
    rows = csv.reader(first, delimiter=delimiter, strict=True)
    try:
        names = next((row for row in rows if row), None)
    except csv.Error as error:
        raise InputError(f"{text.name}: line {rows.line_num}, the header: {error}") from error
    if names is None:
        raise InputError(f"{text.name}: no header, the file is empty")
    return names, rows.line_num


def _whole_rows(text: Text, delimiter: str, skipped: int) -> Iterator[Block]:
    """Join blocks where a quoted field goes on beyond the end of one; leave the header out."""
    field = re.compile(rb'(?:\A|[\r\n%s])"[^"]*+(?:""[^"]*+)*+("?)' % re.escape(delimiter).encode())
    held: Block | None = None
    for block in text.blocks():
        if skipped:
            rest = _without_lines(block, skipped)
            skipped = max(0, skipped - block.lines)
            block = rest
        if held is not None:
            block = Block(held.data + block.data, held.line, block.done)
            held = None
        cut, opened = _last_row(block.data, field)
        if opened is not None:
            held = Block(block.data[cut:], block.line_at(cut), block.done)
            if len(held.data) > _LONGEST_QUOTE:
                line, most = block.line_at(opened), _LONGEST_QUOTE
                raise InputError(f"{text.name}: line {line}: a quote of more than {most} bytes")
            block = Block(block.data[:cut], block.line, block.done)
        if block.data:
            yield block
    if held is not None:
        _, opened = _last_row(held.data, field)
        line = held.line_at(opened or 0)
        raise InputError(f"{text.name}: line {line}: a quote that is never closed")


def _without_lines(block: Block, lines: int) -> Block:
    start = 0
    for _ in range(lines):
        start = block.data.find(b"\n", start) + 1 or len(block.data)
    return Block(block.data[start:], block.line + lines, block.done)


def _last_row(data: bytes, field: re.Pattern[bytes]) -> tuple[int, int | None]:
    """Give where the last row begins and the quote that it leaves open, or the end and None."""
    if b'"' not in data:
        return len(data), None
    spans = []
    for found in field.finditer(data):
        if not found[1]:
            break
        spans.append(found.span())
    else:
        return len(data), None
    # The row begins after the last line end that no quoted field holds.
    start = opened = found.start() + data[found.start() : found.end()].index(b'"')
    starts = [span[0] for span in spans]
    while (start := data.rfind(b"\n", 0, start) + 1) > 0:
        i = bisect(starts, start - 1) - 1
        if i < 0 or start > spans[i][1] or start - 1 == spans[i][0]:
            break
        start = spans[i][0] + 1
    return start, opened


def _parse(data: bytes, names: list[str], delimiter: str, columns: list[str] | None) -> pa.Table:
    from pyarrow import csv as arrow_csv

    return arrow_csv.read_csv(
        pa.BufferReader(data),
        read_options=arrow_csv.ReadOptions(
            column_names=names, use_threads=False, block_size=len(data) + 1
        ),
        parse_options=arrow_csv.ParseOptions(
            delimiter=delimiter,
            newlines_in_values=b'"' in data,
            ignore_empty_lines=len(names) > 1,
        ),
        convert_options=arrow_csv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.string()),
            strings_can_be_null=False,
            check_utf8=False,
            include_columns=columns,
        ),
    )


def _fault(
    name: str, block: Block, names: list[str], delimiter: str, error: pa.ArrowInvalid
) -> str:
    """Find the row that Arrow would not take."""
    line = block.line
    rows = csv.reader(io.StringIO(block.data.decode(), newline="\n"), delimiter=delimiter)
    with suppress(csv.Error):  # of fields that are very long
        for row in rows:
            if row and len(row) != len(names):
                shown = delimiter.join(row)
                shown = shown if len(shown) <= 80 else f"{shown[:79]}…"
                counts = f"{len(row)} field{'s'[: len(row) != 1]}, the header has {len(names)}"
                return f"{name}: line {line}: {counts}: {shown!r}"
            line = block.line + rows.line_num
    return f"{name}: in or after line {block.line}: {error}"
