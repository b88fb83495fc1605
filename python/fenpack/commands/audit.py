"""`fenpack audit`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from fenpack import _native
from fenpack.audit import Audit
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
from fenpack.io.opening import open_inputs
from fenpack.io.paths import find_inputs
from fenpack.io.progress import progress

if TYPE_CHECKING:
    import argparse

__all__ = ["add"]

_PURPOSE = "Tell what kind of data set one or more files are: problems, habits, duplicates."


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = declare(commands, "audit", _PURPOSE, _run)
    parser.add_argument("files", nargs="+", help=FILES)
    add_input_options(parser)
    parser.add_argument("--chess960", action="store_true", help="judge castling as in Chess960")
    parser.add_argument("--examples", type=int, default=3, help="rows shown a problem (default: 3)")
    parser.add_argument("--html", type=Path, help="write a report with boards and charts")
    parser.add_argument("--json", action="store_true", help="print the audit as JSON")


def _run(options: argparse.Namespace) -> int:
    if options.examples < 0:
        raise UsageError(f"--examples must be at least 0, got {options.examples}")
    inputs = find_inputs(options.files, options.format)
    sources = [open_inputs([one], options.column) for one in inputs]
    names = [one.name for one in inputs]
    parts = []
    together = _native.Audit(options.chess960, options.examples, 0)
    for i, source in enumerate(sources):
        counted = _native.Audit(options.chess960, options.examples, i)
        with progress(source, names[i]) as advance:
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
    show(json.dumps(found.as_dict(), indent=2) if options.json else found)
    return PROBLEMS if found.invalid else FINE
