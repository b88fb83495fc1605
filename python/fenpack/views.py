"""Columns of views as the columns that every Arrow function takes."""

from __future__ import annotations

import pyarrow as pa

__all__ = ["plain", "viewed", "without_views"]

_PLAIN = {"string_view": pa.string(), "binary_view": pa.binary()}


def without_views(kind: pa.DataType) -> pa.DataType:
    """Give the type that `plain` makes of `kind`: itself, but for views and their dictionaries."""
    if pa.types.is_dictionary(kind):
        return pa.dictionary(kind.index_type, without_views(kind.value_type), kind.ordered)
    return _PLAIN.get(str(kind), kind)


def plain(array: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Give `array` without views, which many functions of Arrow and writers of files refuse."""
    return _cast(array, without_views(array.type))


def viewed(array: pa.Array | pa.ChunkedArray, kind: pa.DataType) -> pa.Array | pa.ChunkedArray:
    """Give what `plain` made of an array of `kind` as such an array again."""
    return _cast(array, kind)


def _cast(array: pa.Array | pa.ChunkedArray, kind: pa.DataType) -> pa.Array | pa.ChunkedArray:
    if array.type == kind:
        return array
    if isinstance(array, pa.ChunkedArray):
        return pa.chunked_array([_cast(chunk, kind) for chunk in array.chunks], kind)
    if pa.types.is_dictionary(kind):
        values = array.dictionary.cast(kind.value_type)
        return pa.DictionaryArray.from_arrays(array.indices, values, ordered=kind.ordered)
    return array.cast(kind)
