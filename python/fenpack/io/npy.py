"""Write one array to a .npy file that may be larger than memory."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO

from fenpack.io.writing import atomic_output

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import numpy as np

_MAGIC = b"\x93NUMPY\x01\x00"
_HEADER = 256  # A multiple of 64, so that the mapped values are aligned.


class ArrayWriter:
    """Appends arrays along their first axis."""

    def __init__(self, file: BinaryIO, dtype: np.dtype[Any], shape: tuple[int, ...]) -> None:
        self._file, self._dtype, self._shape = file, dtype, shape
        self.rows = 0
        self._write_header()

    def write(self, array: np.ndarray[Any, Any]) -> None:
        """Append the rows of `array`."""
        self._file.write(array.data)
        self.rows += len(array)

    def finish(self) -> None:
        """Say in the header how many rows there are."""
        self._file.seek(0)
        self._write_header()

    def _write_header(self) -> None:
        shape = (self.rows, *self._shape)
        fields = {"descr": self._dtype.str, "fortran_order": False, "shape": shape}
        length = _HEADER - len(_MAGIC) - 2
        text = repr(fields).encode().ljust(length - 1) + b"\n"
        self._file.write(_MAGIC + length.to_bytes(2, "little") + text)


@contextmanager
def open_array(path: Path, dtype: np.dtype[Any], shape: tuple[int, ...]) -> Iterator[ArrayWriter]:
    """Write rows of `shape` to a .npy file, which appears whole at the end or not at all.

    ``numpy.load(path, mmap_mode="r")`` maps it without reading it.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    with atomic_output(path) as file:
        writer = ArrayWriter(file, dtype, shape)
        yield writer
        writer.finish()
