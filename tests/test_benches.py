"""The command that measures: a run on few rows, and how what was measured is told."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from benches import table
from benches.figures import Figure, a_second, at_most, faster, within
from benches.numbers import digits, with_unit
from benches.rows import read, rows

if TYPE_CHECKING:
    from benches.figures import Bound

ROOT = Path(__file__).parents[1]


def test_a_quick_run(tmp_path: Path) -> None:
    """All benches but those of processes, which take seconds each."""
    out = tmp_path / "page.md"
    chosen = "not test_files and not test_dedup and not elsewhere and not prototype"
    done = subprocess.run(
        [sys.executable, "-m", "benches", "--quick", "-k", chosen, "--out", out],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    page = out.read_text("utf-8")
    assert "**A quick run on very few rows" in page
    assert "**failed**" not in page
    assert "| `is_valid` | 1 | " in page
    assert "### `fenpack dedup`" not in page
    assert "CPython" in table.quoted(page)
    columns = {line.count(" |") for line in page.splitlines() if line.startswith("| ")}
    assert columns == {len(table.SHORT), len(table.FULL)}


def run(*figures: tuple[str, list[float], tuple[Bound, ...]], **absent: str) -> dict[str, Any]:
    """Give what a run hands on: figures by their labels, their turns and bounds."""
    declared = [
        asdict(Figure(label, bounds, "FEN", 1, "chess", headline=True, unit="s"))
        for label, _, bounds in figures
    ]
    return {
        "declared": [{"figure": one, "section": "S", "bench": "b"} for one in declared],
        "measured": [
            {"label": label, "turn": turn, "value": value, "version": None}
            for label, turns, _ in figures
            for turn, value in enumerate(turns)
        ],
        "absent": absent,
        "machine": {"versions": {"chess": "1.11.2"}},
    }


def verdicts(found: dict[str, Any]) -> list[str]:
    return [row.verdict for row in rows(read(found))]


def test_a_target_is_held_or_missing_by_the_median_of_ratios_within_turns() -> None:
    peer = ("peer", [8e-6, 16e-6, 30e-6], ())
    times = [1e-6, 2e-6, 3e-6]
    assert verdicts(run(("ours", times, (faster("peer", 8),)), peer)) == ["held"]
    assert verdicts(run(("ours", times, (faster("peer", 9),)), peer)) == ["**missing** by 11 %"]
    nearly = run(("ours", [1e-6, 1e-6, 1e-6], (faster("peer", 10),)), peer)
    assert verdicts(nearly) == ["held, in 2 of 3 turns"]
    assert verdicts(run(("ours", times, (within(0.1, "peer"),)), peer)) == ["**missing** by 25 %"]
    assert verdicts(run(("ours", times, (at_most(2e-6),)))) == ["held, in 2 of 3 turns"]
    assert verdicts(run(("ours", times, (a_second(1e6),)))) == ["**missing** by 50 %"]
    assert verdicts(run(("ours", times, (faster("peer"),)), peer)) == [""]


def test_what_was_not_measured_is_a_row_that_says_why() -> None:
    bound = (faster("peer", 8),)
    found = run(("ours", [1e-6], bound), ("peer", [], ()), peer="not run: X is not installed")
    [row] = rows(read(found))
    assert row.verdict == "not run: X is not installed"
    assert "peer" in table.other(row)
    assert verdicts(run(("ours", [1e-6], bound), ("peer", [], ()))) == ["not run: left out"]
    failed = run(("ours", [1e-6], bound), ("peer", [1e-6], ()), ours="**failed** in its call")
    assert verdicts(failed) == ["**failed** in its call"]
    assert verdicts(run(("ours", [], bound), ("peer", [1e-6], ()))) == []


def test_of_several_peers_the_fastest_is_the_measure() -> None:
    bound = (faster(("slow", "fast", "absent"), 3),)
    found = run(
        ("ours", [1e-6], bound), ("slow", [9e-6], ()), ("fast", [4e-6], ()), ("absent", [], ())
    )
    [row] = rows(read(found))
    assert row.verdict == "held"
    assert table.other(row) == "fast (1.11.2), the fastest of 3: 4 µs a FEN"
    assert table.ratio(row) == "4 × its speed"


def test_a_bound_that_names_no_bench_is_refused() -> None:
    with pytest.raises(ValueError, match="no bench measures peer"):
        table.page(run(("ours", [1e-6], (faster("peer", 8),))))


def test_numbers_have_three_digits() -> None:
    assert [digits(value) for value in (0.9749, 9.999, 48.04, 99.96, 1234.5)] == [
        "0.975",
        "10",
        "48",
        "100",
        "1,234",
    ]
    assert [with_unit(value, "s") for value in (49.4e-9, 0.9996e-6, 0.9e-3, 1.5)] == [
        "49.4 ns",
        "1 µs",
        "900 µs",
        "1.5 s",
    ]
    assert with_unit(1937.2, "MiB") == "1,937 MiB"
