"""The figures of one run and the ratios between them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared"

#: Median of each figure of this run in nanoseconds a row, or a run, by name.
FIGURES: dict[str, float] = {}


class Ratio(NamedTuple):
    """One figure over another, and what it should be."""

    text: str
    above: str
    below: str
    target: str


RATIOS = [
    Ratio("is_valid faster than python-chess", "python-chess status", "is_valid", "≥ 800"),
    Ratio("is_valid faster than cozy-chess-py", "cozy-chess-py", "is_valid", "≥ 10"),
    Ratio("is_valid faster than a Polars regex", "polars regex", "is_valid", "> 1"),
    Ratio("is_valid against the prototype", "is_valid", "prototype", "≤ 1.5"),
    Ratio("validate against is_valid", "validate", "is_valid", "≤ 2"),
    Ratio("validate against is_valid, in check", "validate in check", "is_valid in check", "≤ 6"),
    Ratio("canonicalize against is_valid", "canonicalize", "is_valid", "≤ 2"),
    Ratio("canonicalize faster than python-chess", "python-chess fen", "canonicalize", "≥ 600"),
    Ratio("portable path against vector path", "is_valid portable", "is_valid alone", "≤ 4"),
    Ratio("is_valid, two threads faster", "is_valid", "is_valid 2 threads", "≥ 1.8"),
    Ratio("validate, two threads faster", "validate", "validate 2 threads", "≥ 1.8"),
    Ratio("file validated against pyarrow reading it", "file validate", "file pyarrow", "≤ 1.25"),
    *(
        Ratio(f"is_duplicate from text, {name}", f"{name} duplicates", "is_duplicate text", "> 1")
        for name in ("polars", "duckdb", "pyarrow")
    ),
    Ratio(
        "is_duplicate from positions, the fastest of them on text",
        "fastest engine's duplicates",
        "is_duplicate positions",
        "≥ 3",
    ),
    Ratio(
        "decode against numpy argmax", "decode logits, argmax legal", "numpy argmax", "≤ 2 µs / it"
    ),
    Ratio("decode of real noise", "decode, real noise", "numpy argmax", "≤ 25 µs / it"),
    Ratio("decode of the worst boards", "decode, worst: noise", "numpy argmax", "≤ 500 µs / it"),
    Ratio("import against import pyarrow", "import fenpack", "import pyarrow", "≤ 2"),
    Ratio("planes against filling their array", "fill", "planes of positions", "≥ 0.7"),
    Ratio(
        "planes of text faster than python-chess", "python-chess planes", "planes of text", "≥ 500"
    ),
    Ratio("planes of text faster than numpy", "numpy planes", "planes of text", "≥ 10"),
    Ratio("halfka_v2_hm against 5 M rows a second", "5 M rows a second", "halfka_v2_hm", "≥ 1"),
    Ratio("torch fed by two workers", "1 M rows a second", "torch feed", "≥ 1"),
]


def report() -> Iterator[str]:
    """Give every figure and every ratio that this run has."""
    for name, figure in FIGURES.items():
        yield f"{figure:>16,.1f} ns  {name}"
    for ratio in RATIOS:
        if ratio.above in FIGURES and ratio.below in FIGURES:
            value = FIGURES[ratio.above] / FIGURES[ratio.below]
            yield f"{value:>16,.2f} x   {ratio.text} (target {ratio.target})"
