"""Batches of encoded positions and their labels from files of any size, in plain numpy."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import pyarrow as pa

from fenpack.columns import parse
from fenpack.io.opening import open_source
from fenpack.problems import FenError
from fenpack.tensors import planes
from fenpack.views import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

__all__ = ["Batches"]

Array: TypeAlias = np.ndarray[Any, Any]
Batch: TypeAlias = dict[str, Array]

#: Shards take turns at so many rows.
BLOCK = 1 << 13


class Batches:
    r"""Read files as batches of one encoding and of label columns, again and again.

    One iteration is an epoch. Rows come in the order of the files, or shuffled within a buffer,
    which holds packed positions of 40 bytes. Shards divide the rows among themselves; the same
    settings give the same batches, whatever the machine.

    Parameters
    ----------
    paths : str, Path or an iterable of them
        Files of any kind, as for `fenpack.io.scan`.
    encode : callable
        Makes an array of packed positions, such as ``functools.partial(fenpack.planes,
        layout="maia2_18")``; by default `fenpack.planes`.
    labels : sequence of str
        Columns of numbers to hand on beside it; text, as of CSV files, is read as float64.
    batch_size : int
        Rows of a batch; the last one of an epoch may have fewer.
    shuffle : int
        Rows of the buffer within which rows are shuffled; 0 keeps their order.
    seed : int
        Of the shuffling, which differs from epoch to epoch and from shard to shard.
    shard, shards : int
        Read every `shards`-th block of 8,192 rows, from block `shard` on.
    column, format : str, optional
        As for `fenpack.io.scan`.
    chess960 : bool
        Mark positions as Chess960.
    unreadable : {"raise", "drop"}
        What becomes of a row that is null or cannot be read.
    drop_last : bool
        Leave out the last batch of an epoch if it has fewer rows.

    Attributes
    ----------
    epoch : int
        The number of the epoch that the next iteration gives.

    Raises
    ------
    InputError
        If a file cannot be read, lacks a column or changes within an epoch.
    ValueError
        If a number is out of range, or a label has a null or is no number. A note of the error,
        and of a `FenError`, names the file.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from fenpack.feeding import Batches
    >>> file = pathlib.Path(tempfile.mkdtemp(), "rows.csv")
    >>> _ = file.write_text("fen,score\n8/8/8/8/8/8/8/K1k5 w - -,12\n8/8/8/8/8/8/8/K1k5 b - -,-3\n")
    >>> [batch] = Batches(file, labels=["score"])
    >>> batch["x"].shape, batch["score"].tolist()
    ((2, 12, 8, 8), [12.0, -3.0])
    """

    def __init__(
        self,
        paths: str | PurePath | Iterable[str | PurePath],
        *,
        encode: Callable[[Any], Any] = planes,
        labels: Sequence[str] = (),
        batch_size: int = 1024,
        shuffle: int = 0,
        seed: int = 0,
        shard: int = 0,
        shards: int = 1,
        column: str | None = None,
        format: str | None = None,  # noqa: A002
        chess960: bool = False,
        unreadable: Literal["raise", "drop"] = "raise",
        drop_last: bool = False,
    ) -> None:
        for name, value, least in (
            ("batch_size", batch_size, 1),
            ("shuffle", shuffle, 0),
            ("shards", shards, 1),
            ("shard", shard, 0),
        ):
            if value < least:
                raise ValueError(f"{name} must be at least {least}, got {value}")
        if shard >= shards:
            raise ValueError(f"shard must be below shards, {shards}, got {shard}")
        if unreadable not in ("raise", "drop"):
            raise ValueError(f'unreadable must be one of "raise", "drop", got {unreadable!r}')
        check_labels(labels)
        self._paths = paths if isinstance(paths, str | PurePath) else tuple(paths)
        self._encode, self._labels = encode, tuple(labels)
        self._batch_size, self._shuffle, self._seed = batch_size, shuffle, seed
        self._shard, self._shards = shard, shards
        self._column, self._format = column, format
        self._chess960, self._unreadable, self._drop_last = chess960, unreadable, drop_last
        self.epoch = 0
        self._given = self._skip = 0

    def __iter__(self) -> Iterator[Batch]:
        skip, self._skip = self._skip, 0
        self._given = 0
        for rows in self._chosen():
            self._given += 1
            if self._given > skip:
                positions = rows.pop("x")
                yield {"x": self._encode(positions), **rows}
        self.epoch += 1
        self._given = 0

    def state_dict(self) -> dict[str, int]:
        """Give where this iteration is, for `load_state_dict`.

        Returns
        -------
        dict of str to int
            The ``epoch``, and how many ``batches`` of it were given.
        """
        return {"epoch": self.epoch, "batches": self._given}

    def load_state_dict(self, state: Mapping[str, int]) -> None:
        """Go on where `state` was: the next iteration begins with the batch after it.

        The rows before are read again, but not encoded.

        Parameters
        ----------
        state : mapping of str to int
            What `state_dict` gave.
        """
        self.epoch, self._skip = int(state["epoch"]), int(state["batches"])
        self._given = self._skip

    def _chosen(self) -> Iterator[Batch]:
        """Give the rows of each batch, positions packed."""
        random = np.random.default_rng([self._seed, self.epoch, self._shard, self._shards])
        pool: list[Batch] = []
        held = 0
        for block in self._blocks():
            pool.append(block)
            held += len(block["x"])
            if held < max(self._shuffle, self._batch_size):
                continue
            rows, order = _joined(pool), self._order(held, random)
            # Half of the buffer stays, to be shuffled with what comes.
            end = (held - self._shuffle // 2) // self._batch_size * self._batch_size
            for start in range(0, end, self._batch_size):
                yield _taken(rows, order[start : start + self._batch_size])
            pool = [_taken(rows, order[end:])]
            held -= end
        if not pool:
            return
        rows, order = _joined(pool), self._order(held, random)
        for start in range(0, held, self._batch_size):
            if held - start >= self._batch_size or not self._drop_last:
                yield _taken(rows, order[start : start + self._batch_size])

    def _order(self, rows: int, random: np.random.Generator) -> Array:
        return random.permutation(rows) if self._shuffle else np.arange(rows)

    def _blocks(self) -> Iterator[Batch]:
        """Read this shard's rows."""
        source = open_source(self._paths, self._column, format=self._format)
        missing = [name for name in self._labels if name not in source.schema.names]
        if missing:
            known = ", ".join(source.schema.names)
            raise ValueError(f"labels must be among {known}, got {missing[0]!r}")
        for name in self._labels:
            if source.schema.names.count(name) > 1:
                raise ValueError(f"labels must be names of one column, several are {name!r}")
        number = row = 0
        for batch, _ in source.batches([*dict.fromkeys((source.column, *self._labels))]):
            for start in range(0, batch.num_rows, BLOCK):
                block = batch.slice(start, BLOCK)
                if number % self._shards == self._shard:
                    try:
                        read = self._read(block, source.column, row)
                    except ValueError as error:
                        name, start = source.place(row)
                        last = start + block.num_rows - 1
                        error.add_note(f"It is among rows {start} to {last} of {name}.")
                        raise
                    yield read
                number += 1
                row += block.num_rows

    def _read(self, block: pa.RecordBatch, column: str, row: int) -> Batch:
        texts = block.column(column)
        drop = self._unreadable == "drop"
        try:
            positions = parse(texts, chess960=self._chess960, errors="null" if drop else "raise")
        except FenError as error:
            raise error.at(row + error.row) from None
        if positions.null_count and not drop:
            null = int(np.argmax(np.asarray(positions.is_null())))
            raise ValueError(f'row {row + null} is null; unreadable="drop" leaves such rows out')
        labels = {name: plain(block.column(name)) for name in self._labels}
        rows: Sequence[int] | Array = range(row, row + len(positions))
        if positions.null_count:
            valid = positions.is_valid()
            rows = row + np.flatnonzero(valid)
            labels = {name: column.filter(valid) for name, column in labels.items()}
            positions = positions.drop_null()
        values = {name: label_values(column, name, rows) for name, column in labels.items()}
        return {"x": positions.to_numpy(), **values}


def check_labels(labels: Sequence[str]) -> None:
    """Refuse what cannot be the names of labels."""
    if isinstance(labels, str):
        raise TypeError(f"labels must be a sequence of names, got {labels!r}")
    if "x" in labels:
        raise ValueError('labels must not have the name "x", which is the encoding\'s')


def label_values(column: pa.Array, name: str, rows: Sequence[int] | Array) -> Array:
    """Give a column of labels, those of `rows`, as numbers; texts as float64.

    Raises
    ------
    ValueError
        If it holds no numbers, or a null where the type has no NaN.
    """
    column = plain(column)
    kind = column.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        column = _numbers(column, name, rows)
        kind = column.type
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)):
        raise ValueError(f"label {name} must be a column of numbers, got {kind}")
    if column.null_count and not pa.types.is_floating(kind):
        null = rows[int(np.argmax(np.asarray(column.is_null())))]
        raise ValueError(f"label {name} is null in row {null}; fill it or filter such rows")
    values: Array = column.to_numpy(zero_copy_only=False)
    return values


def _numbers(texts: pa.Array, name: str, rows: Sequence[int] | Array) -> pa.Array:
    """Read texts, as files without types have them, as float64."""
    try:
        return texts.cast(pa.float64())
    except pa.ArrowInvalid:
        for at, text in enumerate(texts):
            try:
                text.cast(pa.float64())
            except pa.ArrowInvalid:
                shown = text.cast(pa.binary()).as_py().decode("utf-8", "backslashreplace")
                message = f"label {name} is no number in row {rows[at]}: {shown!r:.80}"
                raise ValueError(message) from None
        raise


def _joined(pool: list[Batch]) -> Batch:
    if len(pool) == 1:
        return pool[0]
    return {name: np.concatenate([block[name] for block in pool]) for name in pool[0]}


def _taken(rows: Batch, order: Array) -> Batch:
    return {name: values[order] for name, values in rows.items()}
