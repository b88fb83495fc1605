"""The command line."""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from fenpack import _native
from fenpack.audit import Audit
from fenpack.columns import canonicalize
from fenpack.drawing import board_text, read_board
from fenpack.io import InputError, Source, as_text, can_write, open_source, open_writer
from fenpack.problems import explain, problem_names
from fenpack.sentences import languages
from fenpack.summary import Summary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FINE, PROBLEMS, WRONG_USE, UNREADABLE = range(4)
INTERRUPTED = 130

_PROBLEMS = pa.field("problems", pa.uint64())
_NAMES = pa.field("problem_names", pa.list_(pa.string()))

EXIT_CODES = """\
exit codes: 0 every row is valid; 1 some row is not; 2 wrong use or unwritable output;
3 the input cannot be read; 130 interrupted"""


class UsageError(Exception):
    """A combination of arguments that makes no sense, or an output that cannot be written."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    options = _parser().parse_args(arguments)
    try:
        _check_environment()
        return int(options.start(options))
    except InputError as error:
        return _fail(error, UNREADABLE)
    except UsageError as error:
        return _fail(error, WRONG_USE)
    except BrokenPipeError:
        # The reader of our output has gone; leave nothing for the interpreter to flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PROBLEMS
    except OSError as error:
        return _fail(error, WRONG_USE)
    except KeyboardInterrupt:
        return _fail("interrupted", INTERRUPTED)


def _check_environment() -> None:
    """Refuse variables that make no sense before any work is done."""
    try:
        _native.get_num_threads()
        _native.instruction_sets()
    except ValueError as error:
        raise UsageError(error) from None


def _run_on_file(options: argparse.Namespace) -> int:
    source = open_source(options.file, options.column)
    summary = options.run(source, options)
    print(json.dumps(summary.as_dict(), indent=2) if options.json else summary, flush=True)
    return PROBLEMS if summary.invalid else FINE


def _fail(message: object, code: int) -> int:
    print(f"fenpack: {message}", file=sys.stderr)
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="fenpack",
        description="Validate, canonicalize, audit and explain chess positions (FEN).",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"fenpack {_native.__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    def command(name: str, run: Callable[..., Summary], purpose: str) -> argparse.ArgumentParser:
        made = commands.add_parser(
            name,
            help=purpose,
            description=purpose,
            epilog=EXIT_CODES,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        made.set_defaults(start=_run_on_file, run=run)
        made.add_argument("file", type=Path, help=".parquet, or .fen, .epd, .txt, also .gz")
        made.add_argument("--column", help="the column of a Parquet file (default: fen)")
        made.add_argument("--chess960", action="store_true", help="judge castling as in Chess960")
        made.add_argument("--json", action="store_true", help="print the summary as JSON")
        made.add_argument("--level", choices=("syntax", "legal", "reachable"), default="legal")
        made.add_argument(
            "--strict", action="store_true", help="syntax that is repaired makes a row invalid too"
        )
        return made

    validate = command("validate", _validate, "Count the problems of every row.")
    validate.add_argument(
        "--out",
        type=Path,
        help="write the rows with the columns problems (uint64 bits) and problem_names; .parquet",
    )
    rewrite = command("canonicalize", _canonicalize, "Rewrite every row in canonical form.")
    rewrite.add_argument(
        "--out",
        type=Path,
        required=True,
        help="the rewritten rows, unreadable ones null (Parquet) or empty lines (text)",
    )
    rewrite.add_argument("--en-passant", choices=("legal", "xfen", "keep", "drop"), default="legal")
    rewrite.add_argument("--castling", choices=("xfen", "shredder"), default="xfen")
    rewrite.add_argument("--counters", choices=("keep", "reset", "drop"), default="keep")
    _add_audit(commands)
    _add_explain(commands)
    return parser


def _add_audit(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    purpose = "Tell what kind of data set one or more files are: problems, habits, duplicates."
    made = commands.add_parser(
        "audit",
        help=purpose,
        description=purpose,
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.set_defaults(start=_audit)
    made.add_argument("files", nargs="+", type=Path, help=".parquet, or .fen, .epd, .txt, also .gz")
    made.add_argument("--column", help="the column of a Parquet file (default: fen)")
    made.add_argument("--chess960", action="store_true", help="judge castling as in Chess960")
    made.add_argument("--examples", type=int, default=3, help="rows shown a problem (default: 3)")
    made.add_argument("--html", type=Path, help="write a report with boards and charts")
    made.add_argument("--json", action="store_true", help="print the audit as JSON")


def _audit(options: argparse.Namespace) -> int:
    if options.examples < 0:
        raise UsageError(f"--examples must be at least 0, got {options.examples}")
    sources = [open_source(path, options.column) for path in options.files]
    names = [str(path) for path in options.files]
    parts = []
    together = _native.Audit(options.chess960, options.examples, 0)
    for i, source in enumerate(sources):
        counted = _native.Audit(options.chess960, options.examples, i)
        with _progress(source, names[i]) as advance:
            for batch, done in source.batches([source.column]):
                counted.feed(batch.column(source.column))
                advance(done)
        parts.append(Audit.of(counted, names[i], sources=names, chess960=options.chess960))
        if len(sources) > 1:
            together.merge(counted)
    found = parts[0]
    if len(parts) > 1:
        name, chess960 = f"{len(parts)} files", options.chess960
        found = Audit.of(together, name, sources=names, chess960=chess960, files=tuple(parts))
    if options.html is not None:
        found.to_html(options.html)
    print(json.dumps(found.as_dict(), indent=2) if options.json else found, flush=True)
    return PROBLEMS if found.invalid else FINE


def _add_explain(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    purpose = "Say what is wrong with one FEN, where, and what to do."
    made = commands.add_parser(
        "explain",
        help=purpose,
        description=purpose,
        epilog="exit codes: 0 the FEN is valid (legal); 1 it is not; 2 wrong use; 130 interrupted",
    )
    made.set_defaults(start=_explain)
    made.add_argument("fen", nargs="+", help="the FEN, in quotes or not; - reads it from stdin")
    made.add_argument("--chess960", action="store_true", help="judge castling as in Chess960")
    made.add_argument("--language", choices=languages(), default="en", help="default: en")
    made.add_argument("--json", action="store_true", help="print the findings as JSON")


def _explain(options: argparse.Namespace) -> int:
    if options.fen == ["-"]:
        data = sys.stdin.buffer.readline().removesuffix(b"\n").removesuffix(b"\r")
    else:
        data = os.fsencode(" ".join(options.fen))
    fen = data.decode("utf-8", "backslashreplace")
    diagnosis = explain(fen, chess960=options.chess960, language=options.language)
    if options.json:
        shown = json.dumps(diagnosis.as_dict(), indent=2)
    else:
        board = "" if read_board(fen) is None else board_text(fen, diagnosis.squares) + "\n\n"
        shown = f"{board}{diagnosis}"
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
    print(shown, flush=True)
    return FINE if diagnosis.legal else PROBLEMS


def _validate(source: Source, options: argparse.Namespace) -> Summary:
    summary = Summary(options.level)
    if options.out is None:
        for _ in _survey(source, options, summary, [source.column]):
            pass
        return summary
    if options.out.suffix != ".parquet":
        raise UsageError(f"{options.out}: validate writes .parquet")
    for name in (_PROBLEMS.name, _NAMES.name):
        if name in source.schema.names:
            raise UsageError(f"{options.file} has a column {name} already; rename it first")
    schema = _with_text(source).append(_PROBLEMS).append(_NAMES)
    with open_writer(options.out, schema) as writer:
        for batch, texts, problems in _survey(source, options, summary):
            names = problem_names(problems).cast(_NAMES.type)
            columns = [*_replaced(source, batch, as_text(texts)), problems, names]
            writer.write(pa.RecordBatch.from_arrays(columns, schema=schema))
    return summary


def _canonicalize(source: Source, options: argparse.Namespace) -> Summary:
    summary = Summary(options.level)
    schema = _with_text(source)
    if not can_write(options.out, schema):
        raise UsageError(f"{options.out}: canonicalize writes .parquet, or a single column as text")
    with open_writer(options.out, schema) as writer:
        for batch, texts, _ in _survey(source, options, summary):
            canonical = canonicalize(
                texts,
                en_passant=options.en_passant,
                castling=options.castling,
                counters=options.counters,
                chess960=options.chess960,
            )
            columns = _replaced(source, batch, canonical.cast(pa.string()))
            writer.write(pa.RecordBatch.from_arrays(columns, schema=schema))
    return summary


def _survey(
    source: Source,
    options: argparse.Namespace,
    summary: Summary,
    columns: list[str] | None = None,
) -> Iterator[tuple[pa.RecordBatch, pa.Array, pa.UInt64Array]]:
    """Count every batch into `summary` and hand it on with its texts and problems."""
    with _progress(source) as advance:
        for batch, done in source.batches(columns):
            texts = batch.column(source.column)
            problems, valid = _native.survey(texts, options.level, options.strict, options.chess960)
            summary.add(texts, problems, valid)
            yield batch, texts, problems
            advance(done)


@contextmanager
def _progress(source: Source, name: str | None = None) -> Iterator[Callable[[int], None]]:
    """Show a progress bar where a person watches."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from tqdm import tqdm

    with tqdm(total=source.size, desc=name, unit=source.unit, unit_scale=True) as bar:
        yield lambda done: (bar.update(done - bar.n), None)[1]


def _with_text(source: Source) -> pa.Schema:
    """Give the schema of the source with its text as strings."""
    at = source.schema.get_field_index(source.column)
    return source.schema.set(at, pa.field(source.column, pa.string()))


def _replaced(source: Source, batch: pa.RecordBatch, texts: pa.Array) -> list[pa.Array]:
    """Give the columns of `batch` with `texts` in place of its text."""
    columns = list(batch.columns)
    columns[batch.schema.get_field_index(source.column)] = texts
    return columns


if __name__ == "__main__":
    sys.exit(main())
