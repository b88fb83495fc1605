"""Where the memory of a command comes from."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["lasting_memory"]


@contextmanager
def lasting_memory() -> Iterator[None]:
    """Let Arrow take its memory from glibc, unless ``ARROW_DEFAULT_MEMORY_POOL`` says otherwise.

    The pool that Arrow prefers gives pages back to the kernel between batches and has it clear them
    anew, which is a sixth of the processor time of `fenpack dedup`.
    """
    before = pa.default_memory_pool()
    if "ARROW_DEFAULT_MEMORY_POOL" not in os.environ and _has_glibc():
        pa.set_memory_pool(pa.system_memory_pool())
    try:
        yield
    finally:
        pa.set_memory_pool(before)


def _has_glibc() -> bool:
    with suppress(AttributeError, ValueError, OSError):
        return (os.confstr("CS_GNU_LIBC_VERSION") or "").startswith("glibc")
    return False
