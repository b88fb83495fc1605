"""What `validate` and `canonicalize` share: one source, judged batch by batch."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pyarrow as pa

from fenpack import _native
from fenpack.commands.command import FILES, FINE, PROBLEMS, add_input_options, show
from fenpack.io.progress import progress

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from fenpack.io.source import Source
    from fenpack.summary import Summary

__all__ = ["add_arguments", "finish", "replaced", "survey", "with_text"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of a command that judges one source."""
    parser.add_argument("file", help=FILES)
    add_input_options(parser)
    parser.add_argument("--chess960", action="store_true", help="judge castling as in Chess960")
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")
    parser.add_argument(
        "--level",
        choices=("syntax", "legal", "reachable"),
        default="legal",
        help="how far a row must be right to be valid (default: legal)",
    )
    parser.add_argument(
        "--strict", action="store_true", help="syntax that is repaired makes a row invalid too"
    )


def survey(
    source: Source,
    options: argparse.Namespace,
    summary: Summary,
    columns: list[str] | None = None,
) -> Iterator[tuple[pa.RecordBatch, pa.Array, pa.UInt64Array, pa.BooleanArray]]:
    """Count every batch into `summary` and hand it on with its texts, problems and verdicts."""
    with progress(source) as advance:
        for batch, done in source.batches(columns):
            texts = batch.column(source.column)
            problems, valid = _native.survey(texts, options.level, options.strict, options.chess960)
            summary.add(texts, problems, valid)
            yield batch, texts, problems, valid
            advance(done)


def finish(summary: Summary, options: argparse.Namespace) -> int:
    """Print the summary and give the exit code."""
    show(json.dumps(summary.as_dict(), indent=2) if options.json else summary)
    return PROBLEMS if summary.invalid else FINE


def with_text(source: Source) -> pa.Schema:
    """Give the schema of the source with its text as strings."""
    at = source.schema.get_field_index(source.column)
    return source.schema.set(at, pa.field(source.column, pa.string()))


def replaced(source: Source, batch: pa.RecordBatch, texts: pa.Array) -> list[pa.Array]:
    """Give the columns of `batch` with `texts` in place of its text."""
    columns = list(batch.columns)
    columns[batch.schema.get_field_index(source.column)] = texts
    return columns
