"""`fenpack dedup`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

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
from fenpack.io import deduplicate
from fenpack.io.deduplicating import memory_size
from fenpack.io.progress import watched

__all__ = ["add"]

_PURPOSE = "Leave out the rows that repeat a position, whatever the size of the files."
_EPILOG = """\
exit codes: 0 every row is a position; 1 some row cannot be read; 2 wrong use or unwritable output;
3 the input cannot be read; 130 interrupted"""


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = declare(commands, "dedup", _PURPOSE, _run, _EPILOG)
    parser.add_argument("files", nargs="+", help=FILES)
    parser.add_argument(
        "-o",
        "--out",
        type=Path,
        required=True,
        help=".parquet, .arrow, .csv, .tsv, or .fen, .epd, .txt for a single column",
    )
    add_input_options(parser)
    parser.add_argument(
        "--by",
        choices=("position", "board_side_rights", "board_side", "board"),
        default="position",
        help="what counts as one (default: position, as the rules of repetition)",
    )
    parser.add_argument(
        "--keep", choices=("first", "last", "none"), default="first", help="which of equal rows"
    )
    parser.add_argument(
        "--unreadable",
        choices=("keep", "drop", "error"),
        default="keep",
        help="rows that cannot be read (default: keep)",
    )
    parser.add_argument(
        "--memory",
        type=_memory,
        default="2GiB",
        help="what the process should stay within (default: 2GiB); the rest goes to disk",
    )
    parser.add_argument("--spill", type=Path, help="where on disk (default: beside the output)")
    parser.add_argument("--counts", action="store_true", help="add a column count")
    parser.add_argument("--chess960", action="store_true", help="judge castling as in Chess960")
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")


def _memory(size: str) -> int:
    try:
        return memory_size(size)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error).replace("memory_limit", "it")) from error


def _run(options: argparse.Namespace) -> int:
    try:
        done = deduplicate(
            options.files,
            options.out,
            column=options.column,
            format=options.format,
            by=options.by,
            keep=None if options.keep == "none" else options.keep,
            counts=options.counts,
            chess960=options.chess960,
            unreadable=options.unreadable,
            memory_limit=options.memory,
            spill_directory=options.spill,
            progress=watched(),
        )
    except ValueError as error:
        raise UsageError(error) from error
    show(json.dumps(done.as_dict(), indent=2) if options.json else done)
    return PROBLEMS if done.unreadable else FINE
