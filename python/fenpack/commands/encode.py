"""`fenpack encode`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from fenpack.buffers import RowError
from fenpack.columns import parse
from fenpack.commands.command import (
    FILES,
    FINE,
    PROBLEMS,
    Commands,
    UsageError,
    add_input_options,
    complain,
    declare,
    show,
)
from fenpack.io.npy import open_array
from fenpack.io.opening import open_source
from fenpack.io.packed import can_pack, open_packed
from fenpack.io.progress import progress
from fenpack.layouts import LAYOUTS
from fenpack.problems import FenError
from fenpack.tensors import bitboards, nnue_features, planes, tokens
from fenpack.views import plain

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

    from fenpack.io.source import Source

__all__ = ["add"]

_PURPOSE = "Write every row as an array for networks."
_EPILOG = """\
exit codes: 0 every row is encoded; 1 some row cannot be; 2 wrong use or unwritable output;
3 the input cannot be read; 130 interrupted"""
#: Arrays are written in pieces of about so many bytes.
_PIECE = 1 << 26


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = declare(commands, "encode", _PURPOSE, _run, _EPILOG)
    parser.add_argument("files", nargs="+", help=FILES)
    parser.add_argument(
        "-o",
        "--out",
        type=Path,
        required=True,
        help=".npy for the array alone; .arrow or .parquet for all columns and the array's",
    )
    add_input_options(parser)
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--layout",
        dest="planes",
        choices=LAYOUTS,
        metavar="LAYOUT",
        help=f"planes: {', '.join(LAYOUTS)} (default: pieces)",
    )
    what.add_argument("--bitboards", choices=LAYOUTS, metavar="LAYOUT", help="its planes as bits")
    what.add_argument(
        "--tokens",
        choices=("squares", "searchless_77", "chess_transformers"),
        help="token ids of this vocabulary",
    )
    what.add_argument(
        "--features",
        choices=("halfka_v2_hm", "halfka_v2_hm_trainer", "halfkp", "chess_768"),
        help="active features of a network",
    )
    parser.add_argument(
        "--perspective",
        choices=("white", "mover", "mover_rotated"),
        help="whose board is shown (default: as the layout was made)",
    )
    parser.add_argument("--squares", choices=("a1", "a8"), help="the square that comes first")
    parser.add_argument(
        "--channels", choices=("first", "last"), help="of the axes (default: first)"
    )
    parser.add_argument(
        "--dtype",
        choices=("bool", "uint8", "int8", "int32", "int64", "float16", "float32"),
        help="the type of the numbers (default: uint8, or float32 where there are fractions)",
    )
    parser.add_argument(
        "--en-passant",
        choices=("legal", "xfen", "keep", "drop"),
        help="the squares that count (default: legal)",
    )
    parser.add_argument("--chess960", action="store_true", help="judge castling as in Chess960")
    parser.add_argument(
        "--errors",
        choices=("raise", "blank"),
        default="raise",
        help="a row that cannot be encoded ends the command (default), or stays blank",
    )


def _run(options: argparse.Namespace) -> int:
    if options.out.suffix != ".npy" and not can_pack(options.out):
        raise UsageError(f"{options.out}: encode writes .npy, .arrow or .parquet")
    name, encode = _encoder(options)
    try:
        empty = encode([])
    except (TypeError, ValueError) as error:
        raise UsageError(error) from error
    source = open_source(options.files, options.column, format=options.format)
    counts = _Counts()
    try:
        if options.out.suffix == ".npy":
            _write_array(source, encode, empty, counts, options)
        else:
            _write_columns(source, name, encode, empty, counts, options)
    except _RefusedError as error:
        complain(error)
        return PROBLEMS
    shape = (counts.rows, *empty.shape[1:])
    show(f"{counts.rows:,} rows, {counts.blank:,} blank: {empty.dtype} {shape}")
    return PROBLEMS if counts.blank else FINE


class _Counts:
    """How many rows there were."""

    def __init__(self) -> None:
        self.rows = self.blank = 0


class _RefusedError(Exception):
    """A row that cannot be encoded."""


def _encoder(options: argparse.Namespace) -> tuple[str, Callable[..., Any]]:
    """Give the function that was asked for, and the name of its column."""
    asked = [name for name in _ENCODERS if getattr(options, name) is not None]
    name = asked[0] if asked else "planes"
    function, argument, takes = _ENCODERS[name]
    chosen = getattr(options, name) or "pieces"
    given = {option: getattr(options, option) for option in _OPTIONS}
    given = {option: value for option, value in given.items() if value not in (None, False)}
    if refused := [option for option in given if option not in takes]:
        raise UsageError(f"--{refused[0].replace('_', '-')} does not go with {name}")

    def encode(x: Any, errors: str = options.errors) -> Any:
        return function(x, **{argument: chosen}, errors=errors, **given)

    return name, encode


_OPTIONS = ("perspective", "squares", "channels", "dtype", "en_passant", "chess960")
#: For each encoding: its function, the argument that names it, the options that it takes.
_ENCODERS: dict[str, tuple[Callable[..., Any], str, tuple[str, ...]]] = {
    "planes": (planes, "layout", _OPTIONS),
    "bitboards": (bitboards, "layout", ("perspective", "squares", "en_passant", "chess960")),
    "tokens": (
        tokens,
        "vocabulary",
        ("perspective", "squares", "dtype", "en_passant", "chess960"),
    ),
    "features": (nnue_features, "features", ("perspective",)),
}


def _write_array(
    source: Source,
    encode: Callable[..., Any],
    empty: np.ndarray[Any, Any],
    counts: _Counts,
    options: argparse.Namespace,
) -> None:
    with open_array(options.out, empty.dtype, empty.shape[1:]) as writer:
        for _, array in _arrays(source, encode, empty, counts, options, [source.column]):
            writer.write(array)


def _write_columns(
    source: Source,
    name: str,
    encode: Callable[..., Any],
    empty: np.ndarray[Any, Any],
    counts: _Counts,
    options: argparse.Namespace,
) -> None:
    if name in source.schema.names:
        raise UsageError(f"the input has a column {name} already; rename it first")
    if empty.dtype == bool:
        raise UsageError("Arrow has no tensors of bool; use --dtype uint8, or write .npy")
    value_type = pa.from_numpy_dtype(empty.dtype)
    schema = source.schema.append(
        pa.field(name, pa.fixed_shape_tensor(value_type, empty.shape[1:]))
    )
    with open_packed(options.out, schema, name) as writer:
        for batch, array in _arrays(source, encode, empty, counts, options, None):
            tensors = pa.FixedShapeTensorArray.from_numpy_ndarray(array)
            columns = [*batch.columns, tensors]
            writer.write(pa.RecordBatch.from_arrays(columns, schema=schema))


def _arrays(
    source: Source,
    encode: Callable[..., Any],
    empty: np.ndarray[Any, Any],
    counts: _Counts,
    options: argparse.Namespace,
    columns: list[str] | None,
) -> Iterator[tuple[pa.RecordBatch, np.ndarray[Any, Any]]]:
    """Encode the source piece by piece."""
    size = int(np.prod(empty.shape[1:])) * empty.dtype.itemsize
    rows = max(1, _PIECE // size)
    filler = -1 if options.features else 0
    with progress(source) as advance:
        for whole, done in source.batches(columns):
            for start in range(0, whole.num_rows, rows):
                batch = whole.slice(start, rows)
                try:
                    array = encode(batch.column(source.column))
                except (FenError, RowError) as error:
                    name, row = source.place(counts.rows + error.row)
                    at = (
                        error.at(row)
                        if isinstance(error, FenError)
                        else f"row {row} {error.reason}"
                    )
                    raise _RefusedError(f"{name}: {at}") from error
                counts.rows += len(array)
                if options.errors == "blank":
                    blank = (array == filler).reshape(len(array), -1).all(axis=1)
                    if blank.any():
                        texts = plain(batch.column(source.column)).filter(pa.array(blank))
                        counts.blank += _refused(texts, encode, options.chess960)
                yield batch, array
            advance(done)


def _refused(texts: pa.Array, encode: Callable[..., Any], chess960: bool) -> int:
    """Count the rows that have no numbers among those that look blank.

    An empty board looks so too, and for features of all men but the kings, the bare kings.
    """
    positions = parse(texts, chess960=chess960)
    refused = int(positions.null_count)
    read = positions.drop_null()
    men = np.bitwise_or.reduce(read.to_numpy()["code"], axis=1)
    for _ in range(2):
        men &= men - np.uint64(1)
    refused += int((men != 0).sum())
    few = read.filter(pa.array(men == 0))
    while len(few):
        try:
            encode(few, errors="raise")
        except RowError as error:
            refused += 1
            few = few[error.row + 1 :]
        else:
            break
    return refused
