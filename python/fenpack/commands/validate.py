"""`fenpack validate`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from fenpack.commands.command import Commands, UsageError, declare
from fenpack.commands.survey import add_arguments, finish, replaced, survey, with_text
from fenpack.io.opening import open_source
from fenpack.io.writing import as_text, open_writer
from fenpack.problems import problem_names
from fenpack.summary import Summary

if TYPE_CHECKING:
    import argparse

    from fenpack.io.source import Source

__all__ = ["add"]

_VALID = pa.field("valid", pa.bool_())
_PROBLEMS = pa.field("problems", pa.uint64())
_NAMES = pa.field("problem_names", pa.list_(pa.string()))


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = declare(commands, "validate", "Count the problems of every row.", _run)
    add_arguments(parser)
    parser.add_argument(
        "-o",
        "--out",
        type=Path,
        help="write the rows with the columns valid, problems (uint64 bits) and problem_names; "
        ".parquet",
    )


def _run(options: argparse.Namespace) -> int:
    source = open_source(options.file, options.column, format=options.format)
    return finish(_judge(source, options), options)


def _judge(source: Source, options: argparse.Namespace) -> Summary:
    summary = Summary(options.level)
    if options.out is None:
        for _ in survey(source, options, summary, [source.column]):
            pass
        return summary
    if options.out.suffix != ".parquet":
        raise UsageError(f"{options.out}: validate writes .parquet")
    for name in (_VALID.name, _PROBLEMS.name, _NAMES.name):
        if name in source.schema.names:
            raise UsageError(f"{options.file} has a column {name} already; rename it first")
    schema = with_text(source).append(_VALID).append(_PROBLEMS).append(_NAMES)
    with open_writer(options.out, schema) as writer:
        for batch, texts, problems, valid in survey(source, options, summary):
            names = problem_names(problems).cast(_NAMES.type)
            columns = [*replaced(source, batch, as_text(texts)), valid, problems, names]
            writer.write(pa.RecordBatch.from_arrays(columns, schema=schema))
    return summary
