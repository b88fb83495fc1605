"""What every command shares: exit codes, how it is declared, progress."""

from __future__ import annotations

import argparse
import io
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, TypeAlias

from fenpack.io.kinds import kind_as_told

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "FILES",
    "FILES_EPILOG",
    "FINE",
    "INTERRUPTED",
    "PROBLEMS",
    "UNREADABLE",
    "WRONG_USE",
    "Commands",
    "UsageError",
    "add_input_options",
    "complain",
    "declare",
    "show",
]

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

FINE, PROBLEMS, WRONG_USE, UNREADABLE = range(4)
INTERRUPTED = 130

FILES = (
    "a file, a folder, a pattern in quotes, or - for standard input; docs/files.md has the kinds"
)
FILES_EPILOG = """\
exit codes: 0 every row is valid; 1 some row is not; 2 wrong use or unwritable output;
3 the input cannot be read; 130 interrupted"""


class UsageError(Exception):
    """A combination of arguments that makes no sense, or an output that cannot be written."""


def declare(
    commands: Commands,
    name: str,
    purpose: str,
    start: Callable[[argparse.Namespace], int],
    epilog: str = FILES_EPILOG,
) -> argparse.ArgumentParser:
    """Add a command that runs `start`, which returns the exit code."""
    made = commands.add_parser(
        name,
        help=purpose,
        description=purpose,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.set_defaults(start=start)
    return made


def add_input_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how files are read."""
    parser.add_argument("--column", help="the column that holds the text (default: fen)")
    parser.add_argument(
        "--format",
        type=_format,
        help="the kind of every file, such as csv or jsonl.zst (default: by suffix; - holds fen)",
    )


def _format(name: str) -> str:
    try:
        kind_as_told("-", name)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return name


def complain(message: object) -> None:
    """Print one line on standard error, whatever names of files hold."""
    if sys.stderr is None:
        return
    text = str(message).replace("\n", "\\n")
    text = text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    with suppress(OSError):
        print("fenpack:", text, file=sys.stderr)


def show(result: object) -> None:
    """Print a result; what standard output has no signs for is escaped."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        print(result, flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OSError(error.errno, error.strerror, "standard output") from error
