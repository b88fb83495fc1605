"""The page that a run becomes."""

from __future__ import annotations

from datetime import date
from itertools import groupby
from statistics import median
from typing import TYPE_CHECKING, Any

from benches.numbers import amount, as_ratio, spread, spread_of_ratios
from benches.rows import Row, compared, read, rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

#: What README.md quotes of the page stands between these lines in both.
FIRST = "<!-- made by `python -m benches` -->"
LAST = "<!-- end of what `python -m benches` made -->"

HOW = """\
Each figure is a function in `benches/`, named in the last column, that
[pytest-benchmark](https://pypi.org/project/pytest-benchmark/) times and that asserts that the
result is right; what it is held to stands above it as `@figure(...)`. Turns: {turns}. In each, all
benches of a section run one after the other, so that what is compared was measured within a minute
or so. A figure is the median over turns of the median over rounds, one round before them not
counted, with Python's garbage collector off. A ratio is taken within each turn. In brackets are the
least and the most of all turns. A target is held or missing by the median.

The whole run is kept to {cores} cores. *Threads* is what fenpack, pyarrow and DuckDB are told to
use; Polars has a pool of {cores} throughout. Libraries that take one FEN at a time are called in a
list comprehension over `str`; the time of those of Rust is that of a plain Rust program. Peak
memory is that of the whole process, interpreter included.

    .venv/bin/pip install '.[bench]'
    .venv/bin/python -m benches             # everything, and this page
    .venv/bin/python -m benches -k dedup    # a part, to the terminal"""

NOT_HERE = """\
- What a call on a column allocates, and that scans and `fenpack decode` stream in constant memory,
  is asserted by `tests/test_memory.py` and `tests/test_recognition_files.py`.
- Spark and Ray: their own start-up and shuffle would be measured; `tests/engines` holds the
  results.
- NEON and other processors: one machine is measured, and its portable path."""


def page(run: dict[str, Any]) -> str:
    """Give the page in Markdown."""
    measured = read(run)
    if unknown := compared(measured) - set(measured):
        raise ValueError(f"no bench measures {', '.join(sorted(unknown))}")
    found = list(rows(measured))
    lines = ["# Benchmarks", "", "Made by `python -m benches`, not by hand.", ""]
    lines += quote(run, found)
    missing = [row for row in found if row.missing]
    absent = [row for row in found if row.absent]
    for title, some in (("Missing", missing), ("Not measured", absent)):
        if some:
            lines += ["", f"{title}:", "", *(f"- {sentence(row)}" for row in some)]
    lines += ["", "## All figures", ""]
    for section, some in groupby(found, lambda row: row.ours.section):
        lines += [f"### {section}", "", *table(some, FULL), ""]
    lines += ["## Machine and versions", "", *(f"- {line}" for line in about(run["machine"])), ""]
    lines += ["## How it is measured", ""]
    lines += [HOW.format(turns=run["turns"], cores=run["machine"]["cores"]), ""]
    lines += ["## What is not here", "", NOT_HERE, ""]
    return "\n".join(lines)


def quote(run: dict[str, Any], found: Sequence[Row]) -> Iterator[str]:
    """Give the lines that README.md quotes."""
    machine, day = run["machine"], date.fromisoformat(run["date"])
    yield FIRST
    if run["quick"]:
        yield from ("**A quick run on very few rows: these figures mean nothing.**", "")
    elif (machine["load"] or 0) > 1:
        yield from ("**Other work ran on the machine when the run began: trust no figure.**", "")
    yield (
        f"{machine['cpu']} ({machine['instruction_set']}), one core unless stated;"
        f" {machine['python']}; {day.day} {day:%B %Y}; fenpack {machine['fenpack']}."
    )
    yield ""
    yield from table((row for row in found if row.ours.figure.headline), SHORT)
    yield ""
    targets = [row for row in found if row.held]
    missing = [row for row in targets if row.missing]
    told = f"{len(targets) - len(missing)} of {len(targets)} targets are held"
    names = dict.fromkeys(row.ours.figure.label for row in missing)
    yield f"{told}; missing: {'; '.join(names)}." if names else f"{told}."
    yield LAST


def quoted(text: str) -> str:
    """Give what stands between the two lines, with them."""
    return text[text.index(FIRST) : text.index(LAST) + len(LAST)]


def table(some: Iterable[Row], columns: dict[str, Callable[[Row], str]]) -> Iterator[str]:
    """Give the lines of a table; what is said of a figure is not repeated in its further rows."""
    yield "| " + " | ".join(columns) + " |"
    yield "| " + " | ".join("---" for _ in columns) + " |"
    above = None
    for row in some:
        again = row.ours is above
        cells = ["" if again and cell in OF_OURS else cell(row) for cell in columns.values()]
        yield "| " + " | ".join(cells) + " |"
        above = row.ours


def sentence(row: Row) -> str:
    """Tell a row in a line."""
    ours = row.ours.figure.label + (f": {amount(row.ours)}" if row.ours.turns else "")
    parts = (ours, other(row), ratio(row), target(row) and f"target {target(row)}", row.verdict)
    return "; ".join(filter(None, parts))


def label(row: Row) -> str:
    """Name the work, and how many threads do it if that is not one."""
    return row.ours.figure.label


def ours(row: Row) -> str:
    """Give our figure."""
    return amount(row.ours)


def ours_spread(row: Row) -> str:
    """Give our figure with its spread."""
    return amount(row.ours) + spread(row.ours)


def name(row: Row) -> str:
    """Name what the row is compared with, with its version."""
    if row.other is None:
        return ""
    several = f", the fastest of {len(row.bound.than)}" if len(row.bound.than) > 1 else ""
    version = f" ({row.other.version})" if row.other.version else ""
    return row.other.figure.label + version + several


def other(row: Row) -> str:
    """Name what the row is compared with and give its figure."""
    return f"{name(row)}: {amount(row.other)}" if row.other and row.other.turns else name(row)


def other_spread(row: Row) -> str:
    """Name what the row is compared with and give its figure with its spread."""
    return other(row) + spread(row.other) if row.other else ""


def ratio(row: Row) -> str:
    """Give the ratio and what it is one of."""
    return as_ratio(row, median(row.ratios)) if has_ratio(row) else ""


def ratio_spread(row: Row) -> str:
    """Give the ratio with its spread."""
    return ratio(row) + spread_of_ratios(row) if has_ratio(row) else ""


def has_ratio(row: Row) -> bool:
    """Say whether there is a ratio that is not the figure itself."""
    return bool(row.ratios) and row.bound.kind != "value"


def target(row: Row) -> str:
    """Give the target."""
    if row.bound is None or row.bound.target is None:
        return ""
    sign = "≤" if row.bound.kind in ("time", "value") else "≥"
    return f"{sign} {as_ratio(row, row.bound.target, bare=True)}"


def short_target(row: Row) -> str:
    """Give the target, and what is to be said of it if it is not held."""
    told = row.verdict if row.missing or row.absent else ""
    return ", ".join(filter(None, (target(row), told)))


def threads(row: Row) -> str:
    """Give the number of threads."""
    return str(row.ours.figure.threads)


def verdict(row: Row) -> str:
    """Say whether the target is held."""
    return row.verdict


def bench(row: Row) -> str:
    """Name the function that measures ours."""
    return f"`{row.ours.bench}`"


SHORT = {
    "work": label,
    "fenpack": ours,
    "compared with": other,
    "ratio": ratio,
    "target": short_target,
}
FULL = {
    "work": label,
    "threads": threads,
    "fenpack": ours_spread,
    "compared with": other_spread,
    "ratio": ratio_spread,
    "target": target,
    "held?": verdict,
    "bench": bench,
}
OF_OURS = (label, threads, ours, ours_spread, bench)


def about(machine: dict[str, Any]) -> Iterator[str]:
    """Give the lines about the machine."""
    memory, load, versions = machine["memory"], machine["load"], machine["versions"].items()
    yield f"{machine['cpu']}, {machine['instruction_set']}; cores used: {machine['cores']}"
    yield machine["system"] + (f"; {memory / 2**30:.0f} GiB" if memory else "")
    yield f"{machine['python']} ({machine['compiler']}), fenpack {machine['fenpack']}"
    yield f"installed: {', '.join(f'{name} {version}' for name, version in versions if version)}"
    if absent := [name for name, version in versions if not version]:
        yield f"not installed: {', '.join(absent)}"
    if load is not None:
        yield f"load average when the run began: {load:.1f}"
