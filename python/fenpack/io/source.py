"""Sources: files as record batches that hold one column of text."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pyarrow as pa

T = TypeVar("T")


@dataclass(frozen=True)
class Source:
    """One or more files as record batches.

    Attributes
    ----------
    schema : pyarrow.Schema
        Of the batches.
    column : str
        The column that holds the text.
    size : int or None
        Rows of Parquet files, or bytes of other files on disk; None for standard input.
    unit : str
        What `size` counts: ``rows`` or ``bytes``.
    batches : callable
        Yields each batch with how much of `size` has been read by then. Takes the columns to
        read, all by default.
    place : callable
        Tells for a row that has been read which file it is of, and its number there.
    """

    schema: pa.Schema
    column: str
    size: int | None
    unit: str
    batches: Callable[..., Iterator[tuple[pa.RecordBatch, int]]]
    place: Callable[[int], tuple[str, int]] = lambda row: ("", row)


def ahead(items: Iterator[T]) -> Iterator[T]:
    """Make the next item while the last one is worked on."""
    with ThreadPoolExecutor(1) as thread:
        pending = thread.submit(next, items, None)
        while (item := pending.result()) is not None:
            pending = thread.submit(next, items, None)
            yield item
