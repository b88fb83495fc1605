"""Data, one way to time, and the table of ratios at the end.

Each figure is the median over rounds in nanoseconds a row (or seconds a run); a ratio compares
two figures of the same run. Nothing is asserted by time.
"""

from __future__ import annotations

import gzip
from random import Random
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import fenpack as fp
from fenpack import _native
from figures import FIGURES, ROOT, SHARED, report

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROWS = 200_000


@pytest.fixture(scope="session")
def fens() -> list[str]:
    """Give 200,000 real FENs: of the large data set if it is there, else of the sample."""
    large = SHARED / "data" / "fens_1m.parquet"
    if large.exists():
        rows = pq.read_table(large, columns=["fen"])["fen"].to_pylist()
        return Random(1).sample(rows, ROWS)
    with gzip.open(ROOT / "tests" / "data" / "sample_40k.fen.gz", "rt") as lines:
        sample = lines.read().splitlines()
    return (sample * (ROWS // len(sample) + 1))[:ROWS]


@pytest.fixture(scope="session")
def column(fens: list[str]) -> pa.Array:
    """Give the FENs as one Arrow array."""
    return pa.array(fens)


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Time one core unless a bench says otherwise."""
    fp.set_num_threads(1)
    yield
    fp.set_num_threads(1)


@pytest.fixture
def timed(benchmark: Any) -> Callable[..., Any]:
    """Time a call in rounds, keep its median a row under a name, and return its result."""

    def run(name: str, call: Callable[[], Any], rows: int, rounds: int = 21) -> Any:
        result = benchmark.pedantic(call, rounds=rounds, warmup_rounds=min(2, rounds - 1))
        figure = benchmark.stats.stats.median / rows * 1e9
        benchmark.extra_info |= {"rows": rows, "ns_per_row": figure}
        FIGURES[name] = figure
        return result

    return run


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print the ratios."""
    write = terminalreporter.write_line
    write(f"\ninstruction sets: {', '.join(_native.instruction_sets())}")
    for line in report():
        write(line)
