"""The command line."""

from __future__ import annotations

import argparse
import os
import sys
import warnings

import pyarrow as pa

from fenpack import _native
from fenpack.commands import (
    audit,
    canonicalize,
    decode,
    dedup,
    encode,
    explain,
    pack,
    validate,
)
from fenpack.commands.command import (
    FILES_EPILOG,
    INTERRUPTED,
    PROBLEMS,
    UNREADABLE,
    WRONG_USE,
    UsageError,
    complain,
)
from fenpack.commands.ending import EndedError, orderly
from fenpack.commands.memory import lasting_memory
from fenpack.io import InputError, InputWarning

_COMMANDS = (validate, canonicalize, dedup, encode, pack, audit, explain, decode)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    options = _parser().parse_args(arguments)
    with warnings.catch_warnings():
        warnings.simplefilter("always", InputWarning)
        warnings.showwarning = _warn
        return _run(options)


def _run(options: argparse.Namespace) -> int:
    try:
        _check_environment()
        with orderly(), lasting_memory():
            return int(options.start(options))
    except InputError as error:
        return _fail(error, UNREADABLE)
    except UsageError as error:
        return _fail(error, WRONG_USE)
    except BrokenPipeError:
        # The reader of our output has gone; leave nothing for the interpreter to flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PROBLEMS
    except (OSError, pa.ArrowException) as error:
        return _fail(error, WRONG_USE)
    except KeyboardInterrupt:
        return _fail("interrupted", INTERRUPTED)
    except EndedError as error:
        return _fail(error, error.code)


def _check_environment() -> None:
    """Refuse variables that make no sense before any work is done."""
    try:
        _native.get_num_threads()
        _native.instruction_sets()
    except ValueError as error:
        raise UsageError(error) from None


def _fail(message: object, code: int) -> int:
    complain(message)
    return code


def _warn(message: Warning | str, *_: object, **__: object) -> None:
    complain(message)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="fenpack",
        description=(
            "Validate, canonicalize, deduplicate, encode, audit and explain chess positions (FEN), "
            "and decode the scores of recognizers."
        ),
        epilog=FILES_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"fenpack {_native.__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in _COMMANDS:
        command.add(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
