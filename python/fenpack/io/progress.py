"""How much of a source has been read."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Measured(Protocol):
    """What has a size, such as a `Source`."""

    @property
    def size(self) -> int | None:
        """How much there is to read, if that is known."""

    @property
    def unit(self) -> str:
        """What `size` counts."""


def watched() -> bool:
    """Tell whether a person reads standard error, which may be closed."""
    return sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def progress(
    source: Measured, name: str | None = None, *, shown: bool | None = None
) -> Iterator[Callable[[int], None]]:
    """Show a bar on standard error, by default where a person watches."""
    if not (watched() if shown is None else shown):
        yield lambda done: None
        return
    from tqdm import tqdm

    with tqdm(total=source.size, desc=name, unit=source.unit, unit_scale=True) as bar:
        yield lambda done: (bar.update(done - bar.n), None)[1]
