"""Read files of any kind as one stream of record batches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from fenpack.io.opening import open_source

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator

BATCH_ROWS = 1 << 16


def scan(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    column: str | None = None,
    columns: Iterable[str] | None = None,
    format: str | None = None,  # noqa: A002
    batch_rows: int = BATCH_ROWS,
) -> pa.RecordBatchReader:
    r"""Read files of positions as one stream of record batches.

    Memory does not grow with the files: a few blocks of text, or one row group of a Parquet file,
    are held at a time. Rows come in the order of the paths and of each file.

    Parameters
    ----------
    paths : str, Path or an iterable of them
        A file; a folder, of which every file of a known kind is taken (all of one kind, in order
        of path, names that begin with ``.`` or ``_`` left out; ``key=value`` folders become
        columns); a pattern with ``*``, ``?``, ``[…]`` or ``**``; ``-`` for standard input.
    column : str, optional
        The column that holds the text. By default ``fen``, whatever its case, or the only column.
    columns : iterable of str, optional
        The columns to read beside the text. By default all.
    format : str, optional
        The kind of every file, such as ``"csv"`` or ``"jsonl.zst"``. By default the suffixes tell:
        ``.fen``, ``.txt``, ``.epd``, ``.csv``, ``.tsv``, ``.jsonl``, ``.ndjson``, ``.pgn``, each
        also with ``.gz``, ``.zst`` or ``.bz2``; ``.parquet``, ``.pq``; ``.arrow``, ``.feather``,
        ``.ipc``, ``.arrows``. Standard input holds one FEN a line unless told.
    batch_rows : int, default 65536
        The most rows that a batch may have.

    Returns
    -------
    pyarrow.RecordBatchReader
        With the column of text and every other column. Text files have ``fen`` (string), EPD also
        ``operations`` (null where there are none), PGN ``game`` and ``line``. A blank line of a
        ``.fen``, ``.txt`` or ``.epd`` file is a row with empty text.

    Raises
    ------
    InputError
        If a file cannot be opened, lacks the column or has other columns than the first; while
        reading, if it is malformed or changes: the message names file, line and reason. No row is
        left out.
    ValueError
        If `format` is no kind, `columns` names one that is not there, or `batch_rows` is not
        positive.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import fenpack as fp
    >>> from fenpack.io import scan
    >>> book = pathlib.Path(tempfile.mkdtemp(), "book.epd")
    >>> _ = book.write_text("8/8/8/8/8/8/5k1K/8 w - - bm Kh3; id \"a;b\";\n")
    >>> scan(book).read_all().to_pylist()
    [{'fen': '8/8/8/8/8/8/5k1K/8 w - -', 'operations': 'bm Kh3; id "a;b";'}]
    >>> [fp.is_valid(batch["fen"]).true_count for batch in scan(book)]
    [1]
    """
    if batch_rows < 1:
        raise ValueError(f"batch_rows must be at least 1, got {batch_rows}")
    source = open_source(paths, column, format=format, strict=True)
    schema, kept = source.schema, None
    if columns is not None:
        wanted = {source.column, *columns}
        if missing := sorted(wanted.difference(schema.names)):
            raise ValueError(
                f"columns must be among {', '.join(schema.names)}, got {', '.join(missing)}"
            )
        kept = [name for name in schema.names if name in wanted]
        schema = pa.schema([field for field in schema if field.name in wanted])

    def batches() -> Iterator[pa.RecordBatch]:
        for batch, _ in source.batches(kept):
            for start in range(0, batch.num_rows, batch_rows):
                yield batch.slice(start, batch_rows)

    return pa.RecordBatchReader.from_batches(schema, batches())
