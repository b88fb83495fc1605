"""Signals that end a command as Ctrl-C does: in order, with nothing half-written left."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["EndedError", "orderly"]

#: The signals by name, which not every system has, and what is said of them.
_SIGNALS = {"SIGTERM": "terminated", "SIGHUP": "hung up"}


class EndedError(BaseException):
    """A signal asked the command to end.

    Attributes
    ----------
    code : int
        The exit code that shells give it.
    """

    def __init__(self, number: int) -> None:
        super().__init__(_SIGNALS[signal.Signals(number).name])
        self.code = 128 + number


def _end(number: int, _: object) -> NoReturn:
    raise EndedError(number)


@contextmanager
def orderly() -> Iterator[None]:
    """Raise `EndedError` for a signal that would kill the process; one that is ignored stays so.

    Only the main thread of a program may say so; in another nothing changes.
    """
    before = {}
    if threading.current_thread() is threading.main_thread():
        known = [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)]
        free = [number for number in known if signal.getsignal(number) is signal.SIG_DFL]
        before = {number: signal.signal(number, _end) for number in free}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
