"""`evaluate`: decoded boards against the truth."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import fenpack as fp
from fenpack.recognition import Share, evaluate
from fenpack.recognition.boards import CLASSES, classes_of, positions_of
from recognizers import boards_of, look_alike, own
from texts import START


def test_counts_against_numpy(sample: list[str]) -> None:
    truth = sample[:1500]
    boards = boards_of(truth)
    decoded = own(look_alike(boards, 1.8, seed=9), margins=True)
    found = evaluate(decoded, truth)
    read = classes_of(decoded.positions)
    wrong = (read != boards).sum(1)
    assert found.exact == Share.of(int((wrong == 0).sum()), 1500)
    assert found.at_most_one == Share.of(int((wrong <= 1).sum()), 1500)
    assert found.orientation.hits == found.missing.hits == 0
    assert found.wrong_squares == pytest.approx(wrong.mean())
    low, high = found.wrong_squares_interval
    assert low < found.wrong_squares < high
    rows = {row["class"]: row for row in found.classes.to_pylist()}
    for number, letter in enumerate(CLASSES):
        row = rows[letter]
        assert row["truth"] == (boards == number).sum()
        assert row["read"] == (read == number).sum()
        assert row["both"] == ((read == number) & (boards == number)).sum()
        assert row["recall"] == pytest.approx(row["both"] / row["truth"])
        assert row["precision"] == pytest.approx(row["both"] / row["read"])
        harmonic = 2 / (1 / row["recall"] + 1 / row["precision"])
        assert row["f1"] == pytest.approx(harmonic)
    margins, bad = decoded.margins(), read != boards
    assert found.flagged is not None
    least = np.quantile(margins, found.flagged)
    assert bad[margins <= least + 1e-6].sum() >= 0.89 * bad.sum()
    assert found.flagged < 0.1
    assert evaluate(decoded, truth, recall=0.5).flagged < found.flagged
    assert evaluate(decoded.positions, truth).flagged is None
    assert evaluate(decoded.argmax, truth).exact.hits < found.exact.hits


def test_wilson_intervals() -> None:
    # The published interval of 10 in 10, and of 0 in 10, at 95 %.
    ten, none = Share.of(10, 10), Share.of(0, 10)
    assert (round(ten.low, 4), ten.high) == (0.7225, 1.0)
    assert (none.low, round(none.high, 4)) == (0.0, 0.2775)
    half = Share.of(50, 100)
    assert (round(half.low, 4), round(half.high, 4)) == (0.4038, 0.5962)
    assert np.isnan(Share.of(0, 0).share)


def test_turned_boards_are_counted_apart(sample: list[str]) -> None:
    boards = boards_of(sample[:100])
    read = boards.copy()
    read[:7] = read[:7, ::-1]
    found = evaluate(positions_of(read), positions_of(boards))
    asymmetric = (boards[:7] != boards[:7, ::-1]).any(1).sum()
    assert found.orientation.hits == asymmetric
    assert found.exact.hits == 100 - asymmetric
    assert found.wrong_squares == 0
    quarter = np.rot90(boards[:1].reshape(-1, 8, 8), 1, (1, 2)).reshape(-1, 64).astype(np.uint8)
    assert evaluate(positions_of(quarter), positions_of(boards[:1])).orientation.hits == 1


def test_rows_without_truth_or_position() -> None:
    read = ["8/8/8/8/8/8/8/K1k5", None, "8/8/8/8/8/8/8/K1k5", None]
    truth = ["8/8/8/8/8/8/8/K1k5", "8/8/8/8/8/8/8/K1k5", None, None]
    found = evaluate(read, truth)
    assert (found.exact.hits, found.exact.total, found.missing.hits) == (1, 2, 1)
    nothing = evaluate([None], [None])
    assert nothing.exact.total == 0
    assert np.isnan(nothing.wrong_squares)
    assert "without a position" in str(nothing)


def test_forms_of_truth() -> None:
    fens = [START, "8/8/8/8/8/8/8/K1k5 w - - 0 1"]
    positions = fp.parse(fens)
    placements = [fen.split()[0] for fen in fens]
    for truth in (
        fens,
        placements,
        positions,
        positions.storage,
        pa.chunked_array([fens[:1], fens[1:]]),
        pa.chunked_array([positions[:1], positions[1:]]),
    ):
        assert evaluate(positions, truth).exact.hits == 2
    assert evaluate([placements[0], fens[1]], [fens[0], placements[1]]).exact.hits == 2
    with pytest.raises(ValueError, match="truth row 1 is neither FEN nor placement: 'x'"):
        evaluate(positions, [START, "x"])
    with pytest.raises(ValueError, match="truth must have as many rows as decoded, 2, got 1"):
        evaluate(positions, [START])
    with pytest.raises(ValueError, match="recall must be between"):
        evaluate(positions, fens, recall=2)


def test_prints() -> None:
    shown = str(evaluate([START], [START]))
    assert shown.startswith("exact boards        100.00% [20.65%, 100.00%] (1/1)\n")
    assert "    K          1          1    100.00% 100.00% 100.00%" in shown
