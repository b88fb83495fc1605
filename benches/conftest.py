"""Data, one way to time, and what a run hands on: the figures of every turn.

Nothing is asserted by time. `pytest benches` prints the rows at its end, `python -m benches` makes
a page of them.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

import fenpack as fp
from benches import machine, table
from benches.figures import ROOT, SHARED, declared
from benches.rows import read, rows
from fenpack.io import scan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROWS = 200_000
RUN = pytest.StashKey[dict[str, Any]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add what `python -m benches` hands on."""
    group = parser.getgroup("benches")
    group.addoption("--turns", type=int, default=3, help="how often all benches of a file run")
    group.addoption(
        "--quick", action="store_true", help="one turn on few rows, to see that all runs"
    )
    group.addoption("--corpus", help="a Parquet file made by benches/corpus.py to deduplicate")


def pytest_configure(config: pytest.Config) -> None:
    """Start with nothing measured."""
    config.addinivalue_line("markers", "figure(figure): what a bench measures")
    turns = 1 if config.option.quick else config.option.turns
    config.option.benchmark_disable_gc = True
    config.option.benchmark_quiet = True
    config.stash[RUN] = {
        "quick": config.option.quick,
        "turns": turns,
        "declared": [],
        "measured": [],
        "absent": {},
    }


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run every bench in turn; the scope makes pytest run all of a file before the next turn."""
    if "turn" in metafunc.fixturenames:
        turns = metafunc.config.stash[RUN]["turns"]
        metafunc.parametrize("turn", range(turns), scope="module", ids=lambda turn: f"turn{turn}")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the main job first; note what each bench says it measures, also if it is not chosen."""
    items.sort(key=lambda item: item.path.stem != "test_rows")
    benches: dict[str, str] = {}
    for item in items:
        name = item.nodeid.replace(f"turn{item.callspec.params['turn']}", "turn")
        for figure in declared(item):
            if benches.setdefault(figure.label, name) != name:
                raise pytest.UsageError(f"two benches measure {figure.label}")
            if item.callspec.params["turn"] == 0:
                config.stash[RUN]["declared"].append(
                    {
                        "figure": asdict(figure),
                        "section": item.module.__doc__.splitlines()[0].rstrip("."),
                        "bench": f"{item.path.stem}::{item.originalname}",
                    }
                )
    packages = {entry["figure"]["package"] for entry in config.stash[RUN]["declared"]} - {None}
    config.stash[RUN]["machine"] = machine.describe(packages)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what needs a package that is not there."""
    for figure in declared(item):
        if figure.package and machine.installed(figure.package) is None:
            pytest.skip(f"{figure.package} is not installed")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Note why a bench gives no figure."""
    report: Any = yield
    if not report.passed:
        crash = getattr(report.longrepr, "reprcrash", None)
        message = crash.message.splitlines()[0].replace("|", "/") if crash else "no message"
        reason = f"**failed** in its {report.when}: {message}"
        if report.skipped:
            reason = f"not run: {report.longrepr[2].removeprefix('Skipped: ')}"
        for figure in declared(item):
            item.config.stash[RUN]["absent"][figure.label] = reason
    return report


def pytest_benchmark_update_json(config: pytest.Config, output_json: dict[str, Any]) -> None:
    """Hand the run on beside what pytest-benchmark keeps of it."""
    output_json["run"] = config.stash[RUN]


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Print the rows."""
    run = config.stash[RUN]
    if run["measured"]:
        terminalreporter.write_line("")
        for row in rows(read(run)):
            terminalreporter.write_line(table.sentence(row))


@pytest.fixture
def threads(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Let fenpack, its processes and pyarrow use as many threads as the figure says."""
    number = max(figure.threads for figure in declared(request.node))
    monkeypatch.setenv("FENPACK_NUM_THREADS", str(number))
    before = pa.cpu_count()
    fp.set_num_threads(number)
    pa.set_cpu_count(number)
    yield number
    pa.set_cpu_count(before)
    fp.set_num_threads(1)


@pytest.fixture
def noted(request: pytest.FixtureRequest, turn: int, threads: int) -> Callable[..., None]:
    """Keep a figure of this turn: seconds, or MiB for a figure of memory."""

    def note(value: float, *, unit: str = "s", version: str | None = None) -> None:
        [label] = [figure.label for figure in declared(request.node) if figure.unit == unit]
        request.config.stash[RUN]["measured"].append(
            {"label": label, "turn": turn, "value": value, "version": version}
        )

    return note


@pytest.fixture
def timed(benchmark: Any, noted: Callable[..., None], scaled: Callable[..., int]) -> Any:
    """Time a call in rounds, keep its median for each of `count` items, and return its result."""

    def run(call: Callable[[], Any], count: int, rounds: int = 15) -> Any:
        rounds = min(rounds, scaled(rounds, least=1))
        result = benchmark.pedantic(call, rounds=rounds, warmup_rounds=int(rounds > 1))
        noted(benchmark.stats.stats.median / count)
        return result

    return run


@pytest.fixture(scope="session")
def scaled(pytestconfig: pytest.Config) -> Callable[..., int]:
    """Make a number of rows small in a quick run."""

    def scale(number: int, least: int = 400) -> int:
        return max(number // 500, least) if pytestconfig.option.quick else number

    return scale


@pytest.fixture(scope="session")
def games() -> pa.ChunkedArray:
    """Give the real FENs that there are, a million in the order of games or the sample's."""
    large = SHARED / "data" / "fens_1m.parquet"
    sample = ROOT / "tests" / "data" / "sample_40k.fen.gz"
    fens = scan(large if large.exists() else sample).read_all()["fen"]
    # The sample has some of Chess960, which some peers cannot read.
    return fens.filter(fp.is_valid(fens))


@pytest.fixture(scope="session")
def fens(games: pa.ChunkedArray, scaled: Callable[..., int]) -> list[str]:
    """Give 200,000 real FENs in random order."""
    rows = scaled(ROWS)
    there = games.to_pylist()
    return Random(1).sample(there * -(-rows // len(there)), rows)


@pytest.fixture(scope="session")
def column(fens: list[str]) -> pa.Array:
    """Give the FENs as one Arrow array."""
    return pa.array(fens)


@pytest.fixture(scope="session")
def corpus(
    games: pa.ChunkedArray,
    scaled: Callable[..., int],
    pytestconfig: pytest.Config,
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """Give a Parquet file of ten million rows, three in ten of them repeated, or the given one."""
    if pytestconfig.option.corpus:
        return Path(pytestconfig.option.corpus)
    pytest.importorskip("cozy_chess", reason="cozy-chess-py, which makes moves, is not installed")
    from benches.corpus import make

    path = tmp_path_factory.mktemp("corpus") / "corpus.parquet"
    make(games, path, scaled(10_000_000))
    return path
