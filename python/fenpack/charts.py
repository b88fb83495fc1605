"""Charts as inline SVG: bars that stretch, a stacked bar, a histogram."""

from __future__ import annotations

from html import escape
from math import log10
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["bar", "histogram", "stacked"]

_OPEN = '<svg xmlns="http://www.w3.org/2000/svg" role="img"'
# The least width in per cent of a part that is there.
_SEEN = 0.6


def bar(
    value: int, most: int, colour: str, *, logarithmic: bool = False, before: int | None = None
) -> str:
    """Draw one bar as wide as its element allows; `colour` is a class.

    What it has less than `before` is drawn in the colour of loss.
    """
    if logarithmic:
        width = 100 * (1 + log10(value)) / (1 + log10(most)) if value else 0.0
    else:
        width = 100 * value / most if most else 0.0
    lost = ""
    if before is not None and before > value:
        until = 100 * before / most
        width = min(width, until - _SEEN)
        lost = f'<path class="illegal" d="M0 0h{until:.2f}v10H0z"/>'
    return (
        f'{_OPEN} class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        f'<path class="rail" d="M0 0h100v10H0z"/>{lost}'
        f'<path class="{colour}" d="M0 0h{max(width, _SEEN if value else 0):.2f}v10H0z"/></svg>'
    )


def stacked(parts: Iterable[tuple[int, str]], label: str) -> str:
    """Draw shares of a whole side by side; each part is a count and the class of its colour."""
    counts = [(count, colour) for count, colour in parts if count]
    whole = sum(count for count, _ in counts)
    widths = [max(count / whole, _SEEN / 100) for count, _ in counts]
    scale = 1000 / sum(widths, 0.0) if widths else 0
    drawn, x = [], 0.0
    for (_, colour), width in zip(counts, widths, strict=True):
        drawn.append(f'<path class="{colour}" d="M{x:.2f} 0h{width * scale:.2f}v10H{x:.2f}z"/>')
        x += width * scale
    return (
        f'{_OPEN} class="stacked" viewBox="0 0 1000 10" preserveAspectRatio="none"'
        f' aria-label="{escape(label)}">{"".join(drawn)}</svg>'
    )


_HIGH, _FOOT, _HEAD = 150, 34, 18


def histogram(counts: Sequence[int], label: str) -> str:
    """Draw how often each number occurs, from 0 or 2 to 32 or the largest that occurs."""
    seen = [value for value, count in enumerate(counts) if count]
    first = min([2, *seen])
    last = max([32, *seen])
    most = max(counts)
    step = 396 / (last - first + 1)
    bars, ticks = [], []
    for value in range(first, last + 1):
        x = 12 + (value - first) * step
        high = _HIGH * counts[value] / most if most else 0.0
        if counts[value]:
            high = max(high, 1.5)
            colour = "illegal" if value > 32 or value < 2 else "accent"
            bars.append(
                f'<path class="{colour}" d="M{x:.1f} {_HEAD + _HIGH - high:.1f}'
                f'h{step - 1.5:.1f}V{_HEAD + _HIGH}H{x:.1f}z">'
                f"<title>{value} men: {counts[value]:,} rows</title></path>"
            )
        if value % (4 if last <= 32 else 8) == 0 or value == last == 32:
            ticks.append(f'<text x="{x + step / 2:.1f}" y="{_HEAD + _HIGH + 15}">{value}</text>')
    return (
        f'{_OPEN} class="histogram" viewBox="0 0 420 {_HEAD + _HIGH + _FOOT}"'
        f' aria-label="{escape(label)}">'
        f'<text class="most" x="12" y="12">highest bar: {most:,} rows</text>'
        f'<path class="axis" d="M8 {_HEAD + _HIGH}h404"/>{"".join(bars)}'
        f'<g text-anchor="middle">{"".join(ticks)}'
        f'<text x="210" y="{_HEAD + _HIGH + 31}">men on the board</text></g></svg>'
    )
