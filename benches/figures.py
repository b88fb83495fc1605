"""What a bench says of itself: the figure it measures, and what that should come to.

    @figure("`is_valid`", faster("a regular expression", 1), within(1.5, "the prototype"))
    def test_is_valid(timed, column): ...

The labels are the names: a bound compares the figure with those of other benches by their labels.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared"

Kind = Literal["speed", "time", "value", "rate"]


@dataclass(frozen=True)
class Bound:
    """What a figure is compared with, and the ratio that is asked for, if any is."""

    kind: Kind
    target: float | None
    than: tuple[str, ...] = ()

    def ratio(self, figure: float, other: float) -> float:
        """Give what is compared with the target."""
        match self.kind:
            case "speed":
                return other / figure
            case "time":
                return figure / other
            case "rate":
                return 1 / figure
            case "value":
                return figure

    def holds(self, ratio: float) -> bool:
        """Say whether a ratio is as the target asks, if there is one."""
        if self.target is None:
            return True
        more = self.kind in ("speed", "rate")
        return ratio >= self.target if more else ratio <= self.target


@dataclass(frozen=True)
class Figure:
    """One line of the table: what is measured, in which unit, on how many threads."""

    label: str
    bounds: tuple[Bound, ...]
    per: str
    threads: int
    package: str | None
    headline: bool
    unit: Literal["s", "MiB", "MiB on disk"]


def figure(
    label: str,
    *bounds: Bound,
    per: str = "FEN",
    threads: int = 1,
    package: str | None = None,
    headline: bool = False,
) -> pytest.MarkDecorator:
    """Name the figure of a bench: seconds a `per`, of a `package` that has to be installed."""
    return pytest.mark.figure(Figure(label, bounds, per, threads, package, headline, "s"))


def memory(label: str, *bounds: Bound, headline: bool = False) -> pytest.MarkDecorator:
    """Name the peak memory of a process that a bench starts, in MiB."""
    return pytest.mark.figure(Figure(label, bounds, "", 2, None, headline, "MiB"))


def disk(label: str, *bounds: Bound) -> pytest.MarkDecorator:
    """Name the space that a process needs beside its output, in MiB."""
    return pytest.mark.figure(Figure(label, bounds, "", 2, None, False, "MiB on disk"))


def faster(than: str | tuple[str, ...], times: float | None = None) -> Bound:
    """Ask for `times` the speed of another figure, or of the fastest of several."""
    return Bound("speed", times, (than,) if isinstance(than, str) else than)


def within(times: float | None, of: str) -> Bound:
    """Ask for at most `times` another figure: its time, or its memory."""
    return Bound("time", times, (of,))


def at_most(value: float) -> Bound:
    """Ask for a figure of at most `value`, in its own unit."""
    return Bound("value", value)


def a_second(items: float) -> Bound:
    """Ask for a rate."""
    return Bound("rate", items)


def declared(item: Any) -> list[Figure]:
    """Give the figures of a bench, its time first."""
    figures = [mark.args[0] for mark in item.iter_markers("figure")]
    return sorted(figures, key=lambda figure: figure.unit != "s")
