"""`fenpack pack`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from fenpack.columns import parse
from fenpack.commands.command import (
    FILES,
    FINE,
    PROBLEMS,
    Commands,
    UsageError,
    add_input_options,
    declare,
    show,
)
from fenpack.io import InputError
from fenpack.io.opening import open_source
from fenpack.io.packed import can_pack, open_packed
from fenpack.io.progress import progress
from fenpack.position import PositionType
from fenpack.views import plain, without_views

if TYPE_CHECKING:
    import argparse

__all__ = ["add"]

_PURPOSE = "Write every row as a packed position of 40 bytes, beside its other columns."
_EPILOG = """\
exit codes: 0 every row is packed; 1 some row cannot be read; 2 wrong use or unwritable output;
3 the input cannot be read; 130 interrupted"""
_COLUMN = "position"


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = declare(commands, "pack", _PURPOSE, _run, _EPILOG)
    parser.add_argument("files", nargs="+", help=FILES)
    parser.add_argument(
        "-o",
        "--out",
        type=Path,
        required=True,
        help=".arrow to be mapped into memory, .parquet for the smallest file",
    )
    add_input_options(parser)
    parser.add_argument("--chess960", action="store_true", help="mark positions as Chess960")
    parser.add_argument(
        "--unreadable",
        choices=("null", "drop"),
        default="null",
        help="rows that cannot be read become null (default), or are left out",
    )
    parser.add_argument("--keep-text", action="store_true", help="keep the column of text")


def _run(options: argparse.Namespace) -> int:
    if not can_pack(options.out):
        raise UsageError(f"{options.out}: pack writes .arrow or .parquet")
    source = open_source(options.files, options.column, format=options.format)
    kept = [name for name in source.schema.names if options.keep_text or name != source.column]
    if _COLUMN in kept:
        raise UsageError(f"the input has a column {_COLUMN} already; rename it first")
    if twice := [name for name in kept if kept.count(name) > 1]:
        raise InputError(f"several columns are called {twice[0]!r}; rename them first")
    fields = [source.schema.field(name) for name in kept]
    fields = [field.with_type(without_views(field.type)) for field in fields]
    schema = pa.schema([pa.field(_COLUMN, PositionType()), *fields])
    rows = unreadable = 0
    with open_packed(options.out, schema, _COLUMN) as writer, progress(source) as advance:
        for batch, done in source.batches():
            positions = parse(batch.column(source.column), chess960=options.chess960)
            columns = [positions, *(plain(batch.column(name)) for name in kept)]
            packed = pa.RecordBatch.from_arrays(columns, schema=schema)
            rows += packed.num_rows
            unreadable += positions.null_count
            if options.unreadable == "drop" and positions.null_count:
                packed = packed.filter(positions.is_valid())
            writer.write(packed)
            advance(done)
    show(f"{rows:,} rows, {rows - unreadable:,} packed, {unreadable:,} unreadable")
    return PROBLEMS if unreadable else FINE
