"""From what a run has measured to rows: each figure beside each that it is compared with."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from statistics import median
from typing import TYPE_CHECKING, Any

from benches.figures import Bound, Figure

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True)
class Measured:
    """A figure, its value in each turn, and why there is none if it was to be measured."""

    figure: Figure
    section: str
    bench: str
    version: str | None
    turns: dict[int, float]
    absent: str | None

    @property
    def value(self) -> float:
        """Give the median over turns, infinity if nothing was measured."""
        return median(self.turns.values() or [inf])


@dataclass(frozen=True)
class Row:
    """A figure, one of its bounds, and the figure that the bound compares it with."""

    ours: Measured
    bound: Bound | None = None
    other: Measured | None = None

    @property
    def ratios(self) -> list[float]:
        """Give the ratio in each turn that has both figures."""
        if self.bound is None:
            return []
        if self.other is None:
            return [self.bound.ratio(value, 0) for value in self.ours.turns.values()]
        others = self.other.turns
        return [
            self.bound.ratio(value, others[turn])
            for turn, value in self.ours.turns.items()
            if turn in others
        ]

    @property
    def absent(self) -> str | None:
        """Say why one of the figures is not there."""
        for measured in (self.ours, self.other):
            if measured is not None and not measured.turns:
                return measured.absent or "not run: left out"
        return None

    @property
    def held(self) -> list[bool]:
        """Say for each turn whether the target was held."""
        if self.bound is None or self.bound.target is None:
            return []
        return [self.bound.holds(ratio) for ratio in self.ratios]

    @property
    def missing(self) -> bool:
        """Say whether the median of the turns misses the target."""
        return bool(self.held) and not self.bound.holds(median(self.ratios))

    @property
    def verdict(self) -> str:
        """Say whether the target is held, by how much it is missed, or why that is not known."""
        if self.absent or not self.held:
            return self.absent or ""
        if self.missing:
            by = abs(median(self.ratios) / self.bound.target - 1)
            return f"**missing** by {by * 100:,.0f} %"
        held, turns = sum(self.held), len(self.held)
        return "held" if held == turns else f"held, in {held} of {turns} turns"


def read(run: dict[str, Any]) -> dict[str, Measured]:
    """Give the figures of a run by their labels, in the order of its benches."""
    found = {}
    for entry in run["declared"]:
        bounds = tuple(Bound(**bound) for bound in entry["figure"]["bounds"])
        figure = Figure(**entry["figure"] | {"bounds": bounds})
        absent = run["absent"].get(figure.label)
        turns = [turn for turn in run["measured"] if turn["label"] == figure.label and not absent]
        versions = {turn["version"] for turn in turns} - {None}
        found[figure.label] = Measured(
            figure,
            entry["section"],
            entry["bench"],
            versions.pop() if versions else run["machine"]["versions"].get(figure.package),
            {turn["turn"]: turn["value"] for turn in turns},
            absent,
        )
    return found


def rows(measured: dict[str, Measured]) -> Iterator[Row]:
    """Give a row for every bound of what was to be measured, of several others the fastest."""
    others = compared(measured)
    for ours in measured.values():
        if not ours.turns and ours.absent is None:
            continue
        for bound in ours.figure.bounds:
            than = [measured[name] for name in bound.than if name in measured]
            yield Row(ours, bound, min(than, key=lambda other: other.value, default=None))
        if not ours.figure.bounds and ours.figure.label not in others:
            yield Row(ours)


def compared(measured: dict[str, Measured]) -> set[str]:
    """Give the labels of the figures that others are compared with."""
    return {name for one in measured.values() for bound in one.figure.bounds for name in bound.than}
