"""Arrays that results are written into: fresh ones, or the caller's own."""

from __future__ import annotations

import math
import os
import sys
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pyarrow as pa

from fenpack.problems import FenError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["RowError", "blanked", "carrier", "claim", "fresh", "machine_memory", "written"]

Array: TypeAlias = np.ndarray[Any, Any]


class RowError(ValueError):
    """A row that has no numbers.

    Attributes
    ----------
    row : int
        Its number.
    reason : str
        What is wrong with it.
    """

    def __init__(self, row: int, reason: str) -> None:
        hint = "" if "no packed position" in reason else '; errors="blank" leaves such rows blank'
        super().__init__(f"x row {row} {reason}{hint}")
        self.row = row
        self.reason = reason


_CPU = 1  # DLPack's number for ordinary memory.
_LINE = 64


def fresh(shape: tuple[int, ...], dtype: np.dtype[Any], what: str) -> Array:
    """Allocate an array, without values.

    Raises
    ------
    MemoryError
        With the size, if this machine has not as much memory.
    """
    size = math.prod(shape) * dtype.itemsize
    if size > machine_memory():
        raise MemoryError(
            f"{what} of shape {shape} and dtype {dtype} take {size:,} bytes, this machine has "
            f"{machine_memory():,}; write batch by batch into out, for example of a numpy.memmap"
        )
    # Whole cache lines are written fastest where they begin at an address of their own.
    raw = np.empty(size + _LINE, np.uint8)
    start = -raw.ctypes.data % _LINE
    return raw[start : start + size].view(dtype).reshape(shape)


def machine_memory() -> int:
    """Give the bytes of memory that this machine has."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return sys.maxsize


def claim(out: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """View `out` as a writable array of exactly `shape` and `dtype`, sharing its memory.

    Parameters
    ----------
    out : ndarray, or an object with DLPack or the buffer protocol
        A tensor must be in ordinary memory. A buffer without a shape must have the right size.
    shape : tuple of int
        What it must have.
    dtype : dtype
        What it must have.

    Raises
    ------
    TypeError
        If `out` shares no memory, or is no array.
    ValueError
        If its shape, dtype or layout is another, or it cannot be written to.
    """
    array = _share(out, shape, dtype)
    if array.dtype != dtype or array.shape != shape:
        raise ValueError(
            f"out must have shape {shape} and dtype {dtype}, got {array.shape} and {array.dtype}"
        )
    if not array.flags.c_contiguous:
        raise ValueError("out must be contiguous in C order")
    if not array.flags.writeable:
        raise ValueError("out must be writable")
    if not array.flags.aligned:
        raise ValueError("out must be aligned")
    return array


def _share(out: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    if isinstance(out, np.ndarray):
        return out
    if hasattr(out, "__dlpack_device__"):
        device, _ = out.__dlpack_device__()
        if device != _CPU:
            raise TypeError("out must be in the memory of the CPU; copy the result over instead")
        array = np.from_dlpack(out)
        # numpy marks what comes by the older protocol as read-only; a torch tensor is not.
        if not array.flags.writeable and callable(getattr(out, "numpy", None)):
            array = np.asarray(out.numpy())
        return array
    try:
        view = memoryview(out)
    except TypeError:
        raise TypeError(
            "out must be a numpy array or have DLPack or the buffer protocol, got "
            f"{type(out).__module__}.{type(out).__qualname__}"
        ) from None
    size = math.prod(shape) * dtype.itemsize
    if view.nbytes != size:
        raise ValueError(f"out must have {size:,} bytes for shape {shape}, got {view.nbytes:,}")
    if not view.contiguous:
        raise ValueError("out must be contiguous in C order")
    return np.frombuffer(view.cast("B"), dtype).reshape(shape)


def written(
    write: Callable[[Callable[[int], Array]], Any],
    shape: tuple[int, ...],
    dtype: np.dtype[Any],
    what: str,
    out: Any,
    chess960: bool,
    start: int = 0,
    *,
    sources: Sequence[Any] = (),
    blanks: Sequence[Array] = (),
) -> Array:
    """Let `write` fill `out` or a fresh array, and raise for the row that it refuses.

    `out` must share no memory with the Arrow columns `sources`, which are read meanwhile. The rows
    that one of the masks `blanks` marks are zeros afterwards.
    """
    arrays = []

    def room(rows: int) -> Array:
        whole = (rows, *shape)
        array = fresh(whole, dtype, what) if out is None else claim(out, whole, dtype)
        if out is not None and any(_overlaps(array, column) for column in sources):
            raise ValueError("out must not share memory with the rows that are read")
        arrays.append(array)
        return carrier(array)

    refused = write(room)
    if refused is not None:
        row, text, reason = refused
        if text is not None:
            raise FenError.for_row(start + row, text, dialect="lenient", chess960=chess960)
        raise RowError(start + row, reason)
    for mask in blanks:
        arrays[0][mask] = 0
    return arrays[0] if out is None else out


def _overlaps(array: Array, column: Any) -> bool:
    """Tell whether a contiguous array and an Arrow column lie in the same memory."""
    start = array.ctypes.data
    if not array.nbytes:
        return False
    for chunk in getattr(column, "chunks", [column]):
        buffers = chunk.buffers()
        if pa.types.is_dictionary(chunk.type):
            buffers += chunk.dictionary.buffers()
        for buffer in filter(None, buffers):
            if start < buffer.address + buffer.size and buffer.address < start + array.nbytes:
                return True
    return False


def carrier(array: Array) -> Array:
    """View an array as the plain numbers that the extension writes."""
    carriers = {"bool": "uint8", "int8": "uint8", "float16": "uint16"}
    carrier: Array = array.view(carriers.get(array.dtype.name, array.dtype.name))
    return carrier.reshape(-1)


def blanked(errors: str) -> bool:
    """Tell whether rows that have no numbers are left blank."""
    if errors not in ("raise", "blank"):
        raise ValueError(f'errors must be one of "raise", "blank", got {errors!r}')
    return errors == "blank"
