"""Deduplicate data sets larger than memory, keeping every other column and the order of rows."""

from __future__ import annotations

import errno
import os
import re
import warnings
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import pyarrow as pa

from fenpack import _native
from fenpack.io.errors import InputError, InputWarning
from fenpack.io.kinds import ARROW, LINES, kind_of
from fenpack.io.opening import open_inputs
from fenpack.io.parquet import compression_of
from fenpack.io.paths import find_inputs
from fenpack.io.progress import progress as progress_of
from fenpack.io.source import Source, ahead
from fenpack.io.spooling import spooled
from fenpack.io.writing import WRITABLE, as_text, behind, can_write, open_writer
from fenpack.views import plain, without_views

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fenpack.identity import By
    from fenpack.io.paths import Input

Paths: TypeAlias = "str | os.PathLike[str] | Iterable[str | os.PathLike[str]]"

COUNT = pa.field("count", pa.int64())

#: Batches that are compared, or filtered and written, at once.
_AT_ONCE = 8
_AT_ONCE_BYTES = 1 << 25
#: What the libraries and the batches in work need beside the rows that are compared.
_OVERHEAD = 768 << 20
_LEAST = 1 << 30
_MOST = 1 << 62
_UNITS = {"": 0, "k": 10, "m": 20, "g": 30, "t": 40}


@dataclass(frozen=True)
class Deduplication:
    """What a deduplication found and did.

    Attributes
    ----------
    rows, kept, unreadable : int
        Rows read, rows written, and rows without a position, which are the same as no other.
    duplicates : dict of str to int
        Rows that repeat a position, by what they differ in from its first row, of which the first
        counts:
        nothing (``same_text``), ``en_passant``, ``castling``, ``side`` (if sides are not
        compared), only the ``counters``, or another ``spelling``.
    spilled_bytes : int
        The most that lay on disk while rows were compared.
    """

    rows: int
    kept: int
    unreadable: int
    duplicates: dict[str, int]
    spilled_bytes: int

    def as_dict(self) -> dict[str, Any]:
        """Give all numbers as plain values.

        Returns
        -------
        dict of str to object
            The attributes by name: what ``fenpack dedup --json`` prints.
        """
        return asdict(self)

    def __str__(self) -> str:
        total = sum(self.duplicates.values())
        lines = [f"{self.rows:,} rows in, {self.kept:,} rows out, {total:,} duplicates"]
        width = len(f"{max(self.duplicates.values(), default=0):,}")
        lines += [
            f"  {count:>{width},}  {_CAUSES[name]}"
            for name, count in self.duplicates.items()
            if count
        ]
        if self.unreadable:
            lines.append(f"{self.unreadable:,} rows cannot be read; fenpack validate tells why")
        return "\n".join(lines)


_CAUSES = {
    "same_text": "the same text as the first row of their position",
    "counters": "other counters only",
    "en_passant": "another en passant square",
    "castling": "another spelling of castling rights, or rights that do not hold",
    "side": "the other side to move",
    "spelling": "another spelling of the rest",
}


def memory_size(size: int | str) -> int:
    """Read a number of bytes, such as ``2GiB``, ``1500 MB`` or an integer.

    Raises
    ------
    ValueError
        If it is none, less than 1 GiB, or beyond 2**62.
    """
    found = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([kmgt]?)(i?)b?\s*", str(size), re.I)
    if found is None:
        raise ValueError(f"memory_limit must be a number of bytes such as '2GiB', got {size!r}")
    number, unit, binary = found.groups()
    power = _UNITS[unit.lower()]
    count = int(float(number) * (1 << power if binary else 10 ** (power // 10 * 3)))
    if not _LEAST <= count <= _MOST:
        raise ValueError(f"memory_limit must be at least 1GiB and at most 2**62, got {size!r}")
    return count


def deduplicate(
    paths: Paths,
    out: str | os.PathLike[str],
    *,
    column: str | None = None,
    format: str | None = None,  # noqa: A002
    by: By = "position",
    keep: Literal["first", "last"] | None = "first",
    counts: bool = False,
    chess960: bool = False,
    unreadable: Literal["keep", "drop", "error"] = "keep",
    memory_limit: int | str = "2GiB",
    spill_directory: str | os.PathLike[str] | None = None,
    progress: bool = False,
) -> Deduplication:
    r"""Write the rows of files but for those that repeat the position of another.

    Exact: identities are compared, not hashes. Every column is kept, and the order of rows. The
    files are read twice, first only the text to compare it, then everything to write what is kept;
    standard input is copied to a temporary file. Equal inputs and settings give equal outputs.

    Parameters
    ----------
    paths : str, Path or an iterable of them
        What to read, as for `scan`, but that a line of EPD stays whole.
    out : str or Path
        ``.parquet``, ``.arrow``, ``.csv``, ``.tsv``, or for a single column ``.fen``, ``.epd``,
        ``.txt``; text also with ``.gz``, ``.zst`` or ``.bz2``. It may be one of the inputs. It
        appears whole at the end or not at all. Parquet is compressed as the first input is, if
        that is Parquet, else with zstd.
    column, format : str, optional
        As for `scan`. The column holds text.
    by : {"position", "board_side_rights", "board_side", "board"}
        What counts as one, as for `fenpack.identity`.
    keep : {"first", "last", None}
        The row of each group that is kept; with ``None`` only rows without their like.
    counts : bool
        Add a column ``count`` (int64) with the number of rows that each one stands for.
    chess960 : bool
        Judge castling rights as in Chess960.
    unreadable : {"keep", "drop", "error"}
        What is done with rows that are null or cannot be read. They never count as one.
    memory_limit : int or str
        Memory that the process should stay within, such as ``"2GiB"``; at least 1 GiB. What is
        compared, 56 bytes a row, may fill it but for 768 MiB that all else needs, and goes to disk
        beyond. A bit a row more is needed in any case, and with `counts` 16 bytes for each
        position that repeats. Rows of many kilobytes need more.
    spill_directory : str or Path, optional
        Where that is; by default the folder of `out`. The file has no name there and is gone with
        the process, however it ends.
    progress : bool
        Show progress bars on standard error.

    Returns
    -------
    Deduplication
        Rows in and out, duplicates by cause, rows that cannot be read.

    Raises
    ------
    InputError
        If a file cannot be read, or changed while it was read, or with ``unreadable="error"`` for
        the first row that cannot be read.
    OSError
        If the output, or what goes to disk, cannot be written.
    ValueError
        If an argument is none of those allowed, `out` cannot hold the columns, or there is a
        column ``count`` already.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from fenpack.io import deduplicate
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "book.fen").write_text(
    ...     "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\n"
    ...     "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n"
    ... )
    >>> print(deduplicate(folder / "book.fen", folder / "out.parquet"))
    2 rows in, 1 rows out, 1 duplicates
      1  another en passant square
    """
    if unreadable not in ("keep", "drop", "error"):
        raise ValueError(f'unreadable must be one of "keep", "drop", "error", got {unreadable!r}')
    if keep not in ("first", "last", None):
        raise ValueError(f'keep must be one of "first", "last", None, got {keep!r}')
    out = Path(out)
    spill = Path(os.path.realpath(spill_directory or out.parent))
    if not spill.is_dir():
        code = errno.ENOTDIR if spill.exists() else errno.ENOENT
        raise OSError(code, os.strerror(code), str(spill))
    rows = _native.Deduplicator(
        by,
        "none" if keep is None else keep,
        chess960,
        counts,
        "drop" if unreadable == "drop" else "keep",
        memory_size(memory_limit) - _OVERHEAD,
        spill,
    )
    inputs = find_inputs(paths, format)
    with ExitStack() as stack:
        source = _fit_for(out, open_inputs(inputs, column), inputs)
        schema = source.schema.append(COUNT) if counts else source.schema
        if counts and COUNT.name in source.schema.names:
            raise ValueError(f"there is a column {COUNT.name} already; rename it first")
        if not can_write(out, schema):
            columns = ", ".join(f"{field.name} ({field.type})" for field in schema)
            raise ValueError(f"{out} cannot hold {columns}; files are {WRITABLE}")
        # Opened first, so that an output that cannot be written is known before the work.
        writer = stack.enter_context(
            open_writer(out, schema, [source.column], compression_of(inputs[0].path))
        )
        if any(one.path is None for one in inputs):
            source = stack.enter_context(spooled(source, spill))
        with progress_of(source, "compare", shown=progress) as advance:
            for batches, done in _several(source, [source.column]):
                rows.feed(pa.chunked_array([batch.column(source.column) for batch in batches]))
                advance(done)
        total, missing, first, *_ = rows.report()
        if unreadable == "error" and first is not None:
            raise _unreadable(inputs, column, first)
        rows.finish()
        kept = 0
        with (
            warnings.catch_warnings(),
            progress_of(source, "write", shown=progress) as advance,
            behind(writer) as write,
        ):
            # They were given when the files were read first.
            warnings.simplefilter("ignore", InputWarning)
            for table, done in _kept(source, schema, rows, total, counts=counts):
                kept += table.num_rows
                write(table)
                advance(done)
    *_, duplicates, spilled = rows.report()
    return Deduplication(total, kept, missing, dict(duplicates), spilled)


def _fit_for(out: Path, source: Source, inputs: list[Input]) -> Source:
    """Give `source` with columns that can be filtered, and written to `out`.

    Views become what they view. Lines become strings, but for lines they stay as they are. What an
    Arrow file says of a dictionary it says once, so that dictionaries that change are no use there.
    """
    kind = kind_of(out)
    suffix = None if kind is None else kind.suffix
    was_lines = any(one.kind.suffix in LINES for one in inputs) and suffix not in LINES

    def fit(field: pa.Field) -> pa.Field:
        fitting = without_views(field.type)
        if field.name == source.column and was_lines:
            fitting = pa.string()
        if pa.types.is_dictionary(fitting) and (suffix in LINES or suffix in ARROW):
            fitting = fitting.value_type
        return field.with_type(fitting)

    schema = pa.schema([fit(field) for field in source.schema], source.schema.metadata)
    if schema == source.schema:
        return source

    def made(array: pa.Array, fitting: pa.DataType) -> pa.Array:
        if array.type == fitting:
            return array
        array = plain(array)
        if pa.types.is_dictionary(array.type) and not pa.types.is_dictionary(fitting):
            array = array.dictionary_decode()
        return as_text(array) if fitting == pa.string() else array

    def batches(columns: list[str] | None = None) -> Iterator[tuple[pa.RecordBatch, int]]:
        for batch, done in source.batches(columns):
            fields = [schema.field(name) for name in batch.schema.names]
            columns_ = [
                made(array, field.type) for array, field in zip(batch.columns, fields, strict=True)
            ]
            yield pa.RecordBatch.from_arrays(columns_, schema=pa.schema(fields)), done

    return replace(source, schema=schema, batches=batches)


def _unreadable(inputs: list[Input], column: str | None, row: int) -> InputError:
    """Say which row of which file cannot be read."""
    if all(one.path is not None for one in inputs):
        for one in inputs:
            source = open_inputs([one], column)
            at = row
            for batch, _ in source.batches([source.column]):
                if row < batch.num_rows:
                    text = batch.column(source.column)[row].as_py()
                    return InputError(f"{one.name}: row {at} cannot be read: {text!r:.100}")
                row -= batch.num_rows
    return InputError(f"row {row} cannot be read")


def _several(
    source: Source, columns: list[str] | None = None
) -> Iterator[tuple[list[pa.RecordBatch], int]]:
    """Give several batches at a time, the next of them read while the last are worked on."""

    def gathered() -> Iterator[tuple[list[pa.RecordBatch], int]]:
        batches, size, done = [], 0, 0
        for batch, done in source.batches(columns):
            batches.append(batch)
            size += batch.nbytes
            if len(batches) == _AT_ONCE or size > _AT_ONCE_BYTES:
                yield batches, done
                batches, size = [], 0
        if batches:
            yield batches, done

    return ahead(gathered())


def _kept(
    source: Source, schema: pa.Schema, rows: _native.Deduplicator, total: int, *, counts: bool
) -> Iterator[tuple[pa.Table, int]]:
    """Give the rows of `source` that are kept."""
    start = 0
    for batches, done in _several(source):
        table = pa.Table.from_batches(batches)
        length = table.num_rows
        if start + length > total:
            raise InputError("the files have more rows than a moment ago")
        if counts:
            table = table.append_column(COUNT, rows.counts(start, length))
        yield table.filter(rows.kept(start, length)).cast(schema), done
        start += length
    if start < total:
        raise InputError("the files have fewer rows than a moment ago")
