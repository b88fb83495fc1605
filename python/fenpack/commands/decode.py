"""`fenpack decode`."""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from fenpack.commands.command import FINE, PROBLEMS, Commands, UsageError, declare, show
from fenpack.io.progress import progress
from fenpack.io.writing import can_write, open_writer
from fenpack.recognition import PRESETS, Decoded, Flag, Status, decode
from fenpack.recognition.files import open_scores

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["add"]

_PURPOSE = "Read positions from the scores of a recognizer."
_EPILOG = """\
exit codes: 0 every row has a position; 1 some row has none; 2 wrong use or unwritable output;
3 the input cannot be read; 130 interrupted"""
_OUT = ".parquet or .arrow with the columns of Decoded and fen; .fen or .txt with the fen alone"


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = declare(commands, "decode", _PURPOSE, _run, _EPILOG)
    parser.add_argument("file", type=Path, help=".npy, or .parquet with a column of scores")
    parser.add_argument("-o", "--out", type=Path, required=True, help=_OUT)
    parser.add_argument("--column", help="the column of a Parquet file (default: scores)")
    parser.add_argument("--preset", choices=tuple(PRESETS), help="how the recognizer speaks")
    parser.add_argument("--classes", help="the class order, such as .PNBRQKpnbrqk")
    parser.add_argument("--squares", help="the square order, such as a8 or a1")
    kinds = ("probs", "logits", "logprobs", "sigmoid", "regression", "ids", "text")
    parser.add_argument("--kind", choices=kinds, help="what the numbers are")
    parser.add_argument("--empty", type=_empty, help="complement, or the score of an empty square")
    parser.add_argument(
        "--orientation",
        type=_orientation,
        default="white",
        help="white, black, auto, any, or degrees (default: white)",
    )
    parser.add_argument(
        "--rules",
        choices=("legal", "kings", "none"),
        default="legal",
        help="what the board must keep to (default: legal)",
    )
    parser.add_argument(
        "--promotion-penalty",
        type=float,
        default=4.0,
        help="nats that a promoted man costs (default: 4)",
    )
    parser.add_argument(
        "--temperature", type=float, default=1.0, help="divides scores (default: 1)"
    )
    parser.add_argument("--prior", choices=("games",), help="add a prior of men on squares")
    parser.add_argument(
        "--prior-weight", type=float, default=0.25, help="its weight (default: 0.25)"
    )
    parser.add_argument("--margins", action="store_true", help="write margins and runners-up")
    parser.add_argument("--turn", choices=("w", "b"), help="the side to move of every row")
    parser.add_argument("--castling", default="none", help="none (default), home, or a field")
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")


def _orientation(text: str) -> str | int:
    return int(text) if text.isdigit() else text


def _empty(text: str) -> str | float:
    try:
        return text if text == "complement" else float(text)
    except ValueError:
        message = f"must be complement or a number, got {text!r}"
        raise argparse.ArgumentTypeError(message) from None


@dataclass
class _Summary:
    """What became of the rows."""

    rows: int = 0
    changed: int = 0
    statuses: dict[str, int] = field(default_factory=dict)
    flags: dict[str, int] = field(default_factory=dict)

    def add(self, decoded: Decoded) -> None:
        self.rows += len(decoded)
        unchanged = pa.scalar(0, pa.uint64())
        self.changed += pc.sum(pc.not_equal(decoded.changed, unchanged)).as_py() or 0
        for entry in pc.value_counts(decoded.status).to_pylist():
            name = Status(entry["values"]).name.lower()
            self.statuses[name] = self.statuses.get(name, 0) + entry["counts"]
        for flag in Flag:
            bit = pa.scalar(flag.value, pa.uint32())
            count = pc.sum(pc.equal(pc.bit_wise_and(decoded.flags, bit), bit)).as_py() or 0
            if count:
                name = str(flag.name).lower()
                self.flags[name] = self.flags.get(name, 0) + count

    @property
    def decoded(self) -> int:
        return self.statuses.get("fine", 0)

    def as_dict(self) -> dict[str, Any]:
        return {
            "rows": self.rows,
            "decoded": self.decoded,
            "changed": self.changed,
            "statuses": self.statuses,
            "flags": self.flags,
        }

    def __str__(self) -> str:
        lines = [
            f"{self.rows:,} rows, {self.decoded:,} decoded, {self.changed:,} of them changed by "
            f"the rules"
        ]
        others = {name: count for name, count in self.statuses.items() if name != "fine"}
        for title, counts in (("without a position:", others), ("flags:", self.flags)):
            if counts:
                lines.append(title)
                lines += [f"{count:>12,}  {name}" for name, count in counts.items()]
        return "\n".join(lines)


def _run(options: argparse.Namespace) -> int:
    try:
        summary = _decode_file(options)
    except (TypeError, ValueError) as error:
        raise UsageError(error) from error
    show(json.dumps(summary.as_dict(), indent=2) if options.json else summary)
    return FINE if summary.decoded == summary.rows else PROBLEMS


def _decode_file(options: argparse.Namespace) -> _Summary:
    if options.preset is not None and options.classes is not None:
        raise UsageError("--preset goes with no --classes")
    text = options.out.suffix not in (".parquet", ".pq", ".arrow")
    summary = _Summary()
    source = open_scores(options.file, options.column)
    with progress(source) as advance:
        parts = _decoded(source, options, summary, advance)
        first = next(parts)
        if text:
            first = first.select(["fen"])
        if not can_write(options.out, first.schema):
            raise UsageError(f"{options.out}: decode writes {_OUT}")
        with open_writer(options.out, first.schema) as writer:
            writer.write(first)
            for part in parts:
                writer.write(part.select(["fen"]) if text else part)
    return summary


def _decoded(
    source: Any, options: argparse.Namespace, summary: _Summary, advance: Any
) -> Iterator[pa.RecordBatch]:
    """Decode batch by batch; the first column is the FEN, the placement where no turn is known."""
    for batch, done in source.batches():
        decoded = decode(
            batch,
            classes=options.preset or options.classes,
            squares=options.squares,
            kind=options.kind,
            empty=options.empty,
            orientation=options.orientation,
            rules=options.rules,
            promotion_penalty=options.promotion_penalty,
            temperature=options.temperature,
            prior=options.prior,
            prior_weight=options.prior_weight,
            margins=options.margins,
            turn=options.turn,
            castling=options.castling,
            errors="null",
        )
        summary.add(decoded)
        fens = pc.coalesce(decoded.fens(), decoded.placements())
        table = decoded.to_table().add_column(0, "fen", fens)
        yield from table.combine_chunks().to_batches() or [_nothing(table)]
        advance(done)


def _nothing(table: pa.Table) -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist([], schema=table.schema)
