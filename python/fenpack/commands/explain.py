"""`fenpack explain`."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

from fenpack.commands.command import FINE, PROBLEMS, Commands, declare, show
from fenpack.drawing import board_text, read_board
from fenpack.io import InputError
from fenpack.problems import explain
from fenpack.sentences import languages

if TYPE_CHECKING:
    import argparse

__all__ = ["add"]

_EPILOG = "exit codes: 0 the FEN is valid (legal); 1 it is not; 2 wrong use; 130 interrupted"


def add(commands: Commands) -> None:
    """Declare the command."""
    purpose = "Say what is wrong with one FEN, where, and what to do."
    parser = declare(commands, "explain", purpose, _run, _EPILOG)
    parser.add_argument("fen", nargs="+", help="the FEN, in quotes or not; - reads it from stdin")
    parser.add_argument("--chess960", action="store_true", help="judge castling as in Chess960")
    parser.add_argument(
        "--language", choices=languages(), default="en", help="of the sentences (default: en)"
    )
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")


def _run(options: argparse.Namespace) -> int:
    if options.fen == ["-"]:
        if sys.stdin is None:
            raise InputError("standard input: closed")
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
    show(shown)
    return FINE if diagnosis.legal else PROBLEMS
