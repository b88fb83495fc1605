"""Which column holds the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
        raise InputError(f"{name}: column {found} holds {kind}, not text")
    return found


def find_column(name: str, names: Sequence[str], column: str | None) -> str:
    """Give the name that `column` asks for, or the one called ``fen``, or the only one."""
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
