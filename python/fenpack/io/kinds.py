"""Kinds of files, told by their suffixes."""

from __future__ import annotations

from pathlib import PurePath
from typing import NamedTuple

LINES = (".fen", ".epd", ".txt")
TABLES = (".csv", ".tsv")
JSON = (".jsonl", ".ndjson")
PARQUET = (".parquet", ".pq")
ARROW = (".arrow", ".feather", ".arrows", ".ipc")
TEXT = (*LINES, *TABLES, *JSON, ".pgn")
KINDS = (*PARQUET, *ARROW, *TEXT)
COMPRESSIONS = {".gz": "gzip", ".zst": "zstd", ".bz2": "bz2"}
KNOWN = f"{', '.join(KINDS)}, text also with {', '.join(COMPRESSIONS)}"


class Kind(NamedTuple):
    """The kind of a file, such as ``.csv``, and how it is compressed."""

    suffix: str
    compression: str | None = None


def kind_of(path: str | PurePath) -> Kind | None:
    """Give the kind of a file by its name; Parquet and Arrow are no kind behind ``.gz``."""
    suffixes = [suffix.lower() for suffix in PurePath(path).suffixes]
    if suffixes and (compression := COMPRESSIONS.get(suffixes[-1])):
        known = suffixes[-2:-1] and suffixes[-2] in TEXT
        return Kind(suffixes[-2], compression) if known else None
    return Kind(suffixes[-1]) if suffixes and suffixes[-1] in KINDS else None


def kind_as_told(path: str | PurePath, told: str | None) -> Kind | None:
    """Give the kind that `told` names, such as ``csv`` or ``csv.gz``, or else the name tells.

    Raises
    ------
    ValueError
        If `told` is no kind.
    """
    if told is None:
        return kind_of(path)
    kind = kind_of(f"_.{told.removeprefix('.')}")
    if kind is None:
        raise ValueError(f"format must be one of {KNOWN}, got {told!r}")
    if kind.compression is None and kind.suffix in TEXT:
        return Kind(kind.suffix, COMPRESSIONS.get(PurePath(path).suffix.lower()))
    return kind
