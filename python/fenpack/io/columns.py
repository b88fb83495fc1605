"""Which column holds the text, and whether it does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from fenpack.io.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence


def find_text(name: str, schema: pa.Schema, column: str | None) -> str:
    """Give the column of the file `name` that holds the text.

    It is `column`, or else the one called ``fen``, whatever its case, or the only one.
    """
    found = find_column(name, schema.names, column)
    kind = schema.field(found).type
    values = kind.value_type if pa.types.is_dictionary(kind) else kind
    if not str(values).startswith(("string", "large_string", "binary", "large_binary", "null")):
        packed = getattr(kind, "extension_name", "") == "fenpack.position"
        held = "packed positions" if packed else kind
        raise InputError(f"{name}: column {found} holds {held}, not text")
    return found


def find_column(name: str, names: Sequence[str], column: str | None) -> str:
    """Give the name that `column` asks for, or the one called ``fen``, or the only one."""
    if not names:
        raise InputError(f"{name}: it has no columns")
    if column is not None:
        if column not in names:
            raise InputError(f"{name}: no column {column!r}, only {', '.join(names)}")
        if names.count(column) > 1:
            raise InputError(f"{name}: {names.count(column)} columns are called {column!r}")
        return column
    found = [one for one in names if one.strip().lower() == "fen"]
    if len(found) > 1:
        raise InputError(f"{name}: several columns are called fen; name one by --column")
    if len(found) == 1:
        return found[0]
    if len(names) == 1:
        return names[0]
    raise InputError(f"{name}: no column called fen, only {', '.join(names)}; name it by --column")


def check_text(name: str, texts: pa.Array, row: int) -> None:
    """Refuse strings that are not UTF-8, which Arrow's readers let pass; the first is `row`."""
    if _is_ascii(texts):
        return
    try:
        texts.validate(full=True)
    except pa.ArrowInvalid:
        for i, text in enumerate(texts):
            try:
                text.as_py()
            except UnicodeDecodeError as error:
                found = f"row {row + i}: not UTF-8 (byte 0x{error.object[error.start]:02x})"
                raise InputError(f"{name}: {found}") from error
        raise


def _is_ascii(texts: pa.Array) -> bool:
    """Tell quickly whether all bytes are ASCII, of the types that most files have."""
    if pa.types.is_string(texts.type):
        width = "int32"
    elif pa.types.is_large_string(texts.type):
        width = "int64"
    else:
        return False
    _, offsets, data = texts.buffers()
    if not len(texts) or data is None:
        return True
    ends = np.frombuffer(offsets, width)
    start, end = ends[texts.offset], ends[texts.offset + len(texts)]
    found = np.frombuffer(data, np.uint8)[start:end]
    return not len(found) or int(found.max()) < 0x80
