"""`fenpack canonicalize`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from fenpack.columns import canonicalize
from fenpack.commands.command import Commands, UsageError, declare
from fenpack.commands.survey import add_arguments, finish, replaced, survey, with_text
from fenpack.io.opening import open_source
from fenpack.io.writing import WRITABLE, can_write, open_writer
from fenpack.summary import Summary

if TYPE_CHECKING:
    import argparse

    from fenpack.io.source import Source

__all__ = ["add"]


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = declare(commands, "canonicalize", "Rewrite every row in canonical form.", _run)
    add_arguments(parser)
    parser.add_argument(
        "-o",
        "--out",
        type=Path,
        required=True,
        help="the rewritten rows, unreadable ones null (Parquet) or empty lines (text)",
    )
    parser.add_argument(
        "--en-passant",
        choices=("legal", "xfen", "keep", "drop"),
        default="legal",
        help="the square stays if a capture is legal (default), a pawn beside, valid, or never",
    )
    parser.add_argument(
        "--castling",
        choices=("xfen", "shredder"),
        default="xfen",
        help="rights as K and Q but for inner rooks (default), or all by file",
    )
    parser.add_argument(
        "--counters",
        choices=("keep", "reset", "drop"),
        default="keep",
        help="as they are (default), 0 1, or none",
    )


def _run(options: argparse.Namespace) -> int:
    source = open_source(options.file, options.column, format=options.format)
    return finish(_rewrite(source, options), options)


def _rewrite(source: Source, options: argparse.Namespace) -> Summary:
    summary = Summary(options.level)
    schema = with_text(source)
    if not can_write(options.out, schema):
        raise UsageError(f"{options.out}: canonicalize writes {WRITABLE}")
    with open_writer(options.out, schema) as writer:
        for batch, texts, *_ in survey(source, options, summary):
            canonical = canonicalize(
                texts,
                en_passant=options.en_passant,
                castling=options.castling,
                counters=options.counters,
                chess960=options.chess960,
            )
            columns = replaced(source, batch, canonical.cast(pa.string()))
            writer.write(pa.RecordBatch.from_arrays(columns, schema=schema))
    return summary
