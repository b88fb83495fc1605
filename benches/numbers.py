"""How figures and ratios are written."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benches.rows import Measured, Row

UNITS = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0}


def amount(measured: Measured) -> str:
    """Write a figure with its unit."""
    if not measured.turns:
        return "–"
    per = f" a {measured.figure.per}" if measured.figure.per else ""
    return with_unit(measured.value, measured.figure.unit) + per


def spread(measured: Measured) -> str:
    """Write the least and the most of the turns of a figure, in its unit."""
    if not measured.turns:
        return ""
    size = UNITS[unit_of(measured.value)] if measured.figure.unit == "s" else 1
    values = [value / size for value in measured.turns.values()]
    return f" ({digits(min(values))} – {digits(max(values))})"


def as_ratio(row: Row, value: float, *, bare: bool = False) -> str:
    """Write a ratio: of speeds, of times, of sizes; or a rate; or the figure itself."""
    assert row.bound is not None
    figure = row.ours.figure
    match row.bound.kind:
        case "value":
            return with_unit(value, figure.unit)
        case "rate":
            return f"{digits(value / 1e6)} M {figure.per}s/s"
        case kind:
            of = f" its {kind if figure.unit == 's' else 'size'}"
            return f"{digits(value)} ×{'' if bare else of}"


def spread_of_ratios(row: Row) -> str:
    """Write the least and the most of the ratios of all turns."""
    size = 1e6 if row.bound and row.bound.kind == "rate" else 1
    return f" ({digits(min(row.ratios) / size)} – {digits(max(row.ratios) / size)})"


def with_unit(value: float, unit: str) -> str:
    """Write a number of seconds in a unit that suits its size, other numbers in theirs."""
    if unit == "s":
        unit = unit_of(value)
        value /= UNITS[unit]
    return f"{digits(value)} {unit}"


def unit_of(seconds: float) -> str:
    """Give the unit in which a time has up to three digits before the point."""
    return next((unit for unit, size in UNITS.items() if seconds < 999.5 * size), "s")


def digits(value: float) -> str:
    """Write three digits of a number, or all before the point."""
    return f"{value:,.0f}" if value >= 99.95 else f"{value:.3g}"
