"""Boards under the rules: cases 20 to 40 of the list that recognizers call for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import fenpack as fp
from fenpack.recognition import Flag
from fenpack.recognition.boards import CLASSES, classes_of
from recognizers import (
    PAWNS,
    as_chess,
    boards_of,
    king_fault,
    logits,
    look_alike,
    objective,
    one_hot,
    own,
    placement,
    promoted,
    solve,
)
from texts import START

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

SQUARE = {f + r: (ord(r) - 49) * 8 + ord(f) - 97 for f in "abcdefgh" for r in "12345678"}
PLACEMENT = START.split(" ", 1)[0]


@pytest.fixture(autouse=True)
def _same_number_of_threads_afterwards() -> Iterator[None]:
    before = fp.get_num_threads()
    yield
    fp.set_num_threads(before)


def noise(rows: int, seed: int, scale: float = 3.0) -> NDArray[np.float32]:
    return np.random.default_rng(seed).normal(scale=scale, size=(rows, 64, 13)).astype(np.float32)


def flags(decoded) -> Flag:
    [value] = decoded.flags.to_pylist()
    return Flag(value)


# --- boards without kings, or with too many --------------------------------------------------


def test_f5_20_an_empty_board_gets_the_least_bad_kings() -> None:
    scores = np.zeros((1, 64, 13), np.float32)
    scores[..., 0] = 9
    scores[0, SQUARE["g1"], 6] = 3
    scores[0, SQUARE["e8"], 12] = 2
    decoded = own(scores, margins=True)
    assert decoded.placements().to_pylist() == ["4k3/8/8/8/8/8/8/6K1"]
    assert flags(decoded) == (
        Flag.ARGMAX_EMPTY | Flag.ARGMAX_NO_WHITE_KING | Flag.ARGMAX_NO_BLACK_KING
    )
    assert decoded.changed.to_pylist() == [1 << SQUARE["g1"] | 1 << SQUARE["e8"]]
    margins = decoded.margins()[0]
    # The next-best White king is anywhere else, 3 nats less.
    assert margins[SQUARE["g1"]] == pytest.approx(3)
    assert margins[SQUARE["e8"]] == pytest.approx(2)
    assert decoded.board_margin.to_pylist() == [pytest.approx(2)]
    assert decoded.unsure.to_pylist()[0] & 1 << SQUARE["g1"]


def test_f5_21_uniform_scores_are_decoded_in_one_way() -> None:
    scores = np.zeros((3, 64, 13), np.float32)
    decoded = own(scores, margins=True)
    [one, *others] = decoded.placements().to_pylist()
    assert others == [one, one]
    assert not decoded.margins().any()
    assert decoded.board_margin.to_pylist() == [0, 0, 0]
    board = classes_of(decoded.positions)[0]
    assert [int((board == king).sum()) for king in (6, 12)] == [1, 1]
    assert king_fault(board) is None


def test_f5_22_two_squares_with_the_same_king() -> None:
    scores = logits("4k3/8/8/8/8/8/8/8")
    for name in ("c1", "f1"):
        scores[0, SQUARE[name], 6] = 5
    decoded = own(scores, margins=True)
    assert decoded.placements().to_pylist() == ["4k3/8/8/8/8/8/8/2K5"]
    assert decoded.board_margin.to_pylist() == [0]


def test_f5_23_one_square_best_for_both_kings() -> None:
    scores = np.zeros((1, 64, 13), np.float32)
    scores[..., 0] = 9
    scores[0, SQUARE["d4"], 6], scores[0, SQUARE["d4"], 12] = 20, 19
    scores[0, SQUARE["a1"], 6], scores[0, SQUARE["h8"], 12] = 4, 2
    # White on d4 and Black on h8 make 20 + 2; the other way round 19 + 4.
    assert placement(scores) == "8/8/8/8/3k4/8/8/K7"
    scores[0, SQUARE["h8"], 12] = 4
    assert placement(scores) == "7k/8/8/8/3K4/8/8/8"


def test_f5_24_no_king_above_the_floor() -> None:
    scores = one_hot(boards_of([f"{PLACEMENT.replace('K', '1').replace('k', '1')} w - - 0 1"]))
    decoded = own(scores, kind="probs")
    board = classes_of(decoded.positions)[0]
    assert [int((board == king).sum()) for king in (6, 12)] == [1, 1]
    assert king_fault(board) is None
    assert flags(decoded) == Flag.ARGMAX_NO_WHITE_KING | Flag.ARGMAX_NO_BLACK_KING


def test_f5_25_three_kings() -> None:
    scores = logits("4k3/8/8/8/8/8/8/K3K1K1")
    scores[0, SQUARE["e1"], 6] = 10
    scores[0, SQUARE["a1"], 5] = 8
    decoded = own(scores)
    assert decoded.placements().to_pylist() == ["4k3/8/8/8/8/8/8/Q3K3"]
    assert flags(decoded) & Flag.ARGMAX_EXTRA_WHITE_KING


def test_f5_26_pawns_on_back_ranks() -> None:
    scores = logits("4k3/8/8/8/8/8/8/P3K2p")
    scores[0, SQUARE["h1"], 10] = 8
    decoded = own(scores)
    assert decoded.placements().to_pylist() == ["4k3/8/8/8/8/8/8/4K2r"]
    assert flags(decoded) & Flag.ARGMAX_PAWN_ON_BACK_RANK
    assert placement(scores, rules="kings") == "4k3/8/8/8/8/8/8/4K2r"
    assert placement(scores, rules="none") == "4k3/8/8/8/8/8/8/P3K2p"


@pytest.mark.parametrize("pawns", [9, 16, 64])
def test_f5_27_too_many_pawns(pawns: int) -> None:
    squares = {9: range(8, 17), 16: range(8, 24), 64: range(64)}[pawns]
    scores = np.zeros((1, 64, 13), np.float32)
    scores[..., 0] = 5
    scores[0, list(squares), 1] = 9 + np.arange(pawns) / 100
    scores[0, SQUARE["e8"], 12] = 30
    scores[0, SQUARE["e6"], 6] = 30
    decoded = own(scores)
    board = classes_of(decoded.positions)[0]
    # The eight that score most stay.
    usable = [s for s in squares if 8 <= s < 56 and s != SQUARE["e6"]]
    assert np.flatnonzero(board == 1).tolist() == usable[-8:]
    assert flags(decoded) & Flag.ARGMAX_PAWNS_GT_8
    assert placement(scores, rules="kings").count("P") == len(usable)


@pytest.mark.parametrize(
    ("board", "legal"),
    [
        ("4k3/8/8/8/QQQQ4/QQQQ4/8/Q3K3", True),
        ("4k3/8/8/8/QQQQ4/QQQQ4/P7/Q3K3", False),
        ("4k3/8/8/8/NNNNN3/NNNNN3/8/4K3", True),
        ("4k3/8/8/8/NNNNN3/NNNNN3/P7/4K3", False),
        ("4k3/8/8/8/8/7P/PPPPPPP1/1B1BK3", False),
        ("4k3/8/8/8/8/8/PPPPPPP1/1B1BK3", True),
        ("4k3/8/8/8/8/8/PPPPPP2/1B1BKB2", True),
        ("4k3/8/8/8/8/8/PPPPPPP1/1B1BKB2", False),
        ("4k3/8/8/8/8/8/PPPPPPPP/B2BK3", True),
    ],
)
@pytest.mark.parametrize("swapped", [False, True])
def test_f5_28_promotion_accounting(board: str, legal: bool, swapped: bool) -> None:
    if swapped:
        board = "/".join(reversed(board.swapcase().split("/")))
    # A pawn mirrored to its last rank would be another matter; these stay within ranks 2 to 7.
    decoded = own(logits(board), promotion_penalty=0.0)
    assert (decoded.placements().to_pylist() == [board]) == legal
    assert bool(flags(decoded) & Flag.ARGMAX_PROMOTION_EXCESS) == (not legal)
    if legal:
        assert bool(flags(decoded) & Flag.PROMOTED) == bool(
            promoted(boards_of([f"{board} w - -"])[0])
        )


def test_f5_29_sixteen_men_and_seventeen() -> None:
    sixteen = "4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR"
    seventeen = "4k3/8/8/8/8/7N/PPPPPPPP/RNBQKBNR"
    assert placement(logits(sixteen)) == sixteen
    decoded = own(logits(seventeen))
    assert (classes_of(decoded.positions)[0] > 0).sum() == 17
    assert flags(decoded) & Flag.ARGMAX_PROMOTION_EXCESS


def test_f5_30_the_start_position_is_feasible() -> None:
    decoded = own(logits(START), margins=True)
    assert decoded.placements().to_pylist() == [PLACEMENT]
    assert decoded.flags.to_pylist() == [0]
    # Every class is at its native count, so a square cannot become another man alone.
    assert decoded.board_margin.to_pylist() == [pytest.approx(9)]


def test_f5_32_penalties() -> None:
    scores = logits("4k3/8/8/8/8/8/P7/QQ2K3", margin=6.0)
    assert [placement(scores, promotion_penalty=penalty) for penalty in (0, 4, 5.9)] == [
        "4k3/8/8/8/8/8/P7/QQ2K3"
    ] * 3
    for penalty in (6.1, 50, np.inf):
        decoded = own(scores, promotion_penalty=penalty)
        assert decoded.placements()[0].as_py().count("Q") == 1
        assert not flags(decoded) & Flag.PROMOTED
    assert placement(scores, promotion_penalty=np.inf, force={"a1": "Q"}) == "4k3/8/8/8/8/8/P7/Q3K3"
    both = own(scores, promotion_penalty=np.inf, force={"a1": "Q", "b1": "Q"}, errors="null")
    assert both.status.to_pylist() == [6]


def test_forced_and_forbidden_squares() -> None:
    scores = logits("4k3/8/8/8/8/8/8/4K2R")
    assert placement(scores, force={"h1": "."}) == "4k3/8/8/8/8/8/8/4K3"
    assert placement(scores, force={"h1": "NB"}) == "4k3/8/8/8/8/8/8/4K2N"
    assert placement(scores, forbid={"h1": "R", "e1": "K"}).count("K") == 1
    two = np.concatenate([scores, scores])
    force = np.full((2, 64), -1)
    force[1, SQUARE["h1"]] = 0
    assert own(two, force=force).placements().to_pylist() == [
        "4k3/8/8/8/8/8/8/4K2R",
        "4k3/8/8/8/8/8/8/4K3",
    ]
    forbid = np.zeros((2, 64, 13), bool)
    forbid[0, SQUARE["h1"], 4] = True
    assert own(two, forbid=forbid).placements().to_pylist()[1] == "4k3/8/8/8/8/8/8/4K2R"
    assert placement(scores, forbid=forbid[0]) == "4k3/8/8/8/8/8/8/4K3"
    assert placement(scores, force={"h1": "."}, rules="none") == "4k3/8/8/8/8/8/8/4K3"


# --- exactness and its symmetries ------------------------------------------------------------


def test_f5_35_single_and_double_precision_agree(sample: list[str]) -> None:
    boards = boards_of(sample[:2000])
    doubles = look_alike(boards, 1.8, seed=35).astype(np.float64)
    single = own(doubles.astype(np.float32), margins=True)
    double = own(doubles)
    differ = (classes_of(single.positions) != classes_of(double.positions)).any(1)
    assert (single.board_margin.to_numpy()[differ] < 1e-4).all()


def test_f5_36_threads_and_chunks_change_nothing(sample: list[str], monkeypatch) -> None:
    import pyarrow as pa

    from fenpack.recognition import decoding

    scores = look_alike(boards_of(sample[:3000]), 2.0, seed=36)
    fp.set_num_threads(1)
    alone = own(scores, margins=True).to_table()
    for threads in (2, 3, 8):
        fp.set_num_threads(threads)
        assert own(scores, margins=True).to_table().equals(alone)
    for batch in (1, 255, 1000):
        monkeypatch.setattr(decoding, "BATCH", batch)
        part = scores[:300] if batch == 1 else scores
        assert own(part, margins=True).to_table().equals(alone[: len(part)])
    flat = pa.FixedSizeListArray.from_arrays(pa.array(scores.reshape(-1)), 832)
    chunks = pa.chunked_array([flat[:7], flat[7:7], flat[7:1000], flat[1000:]])
    decoded = own(chunks, margins=True)
    assert [len(chunk) for chunk in decoded.positions.chunks] == [7, 0, 993, 2000]
    assert decoded.to_table().combine_chunks().equals(alone.combine_chunks())


def test_f5_37_a_legal_argmax_stays(sample: list[str]) -> None:
    boards = boards_of(sample[:4000])
    scores = look_alike(boards, 1.3, seed=37)
    decoded = own(scores, promotion_penalty=0.0)
    seen = classes_of(decoded.argmax)
    legal = (decoded.flags.to_numpy() & (Flag.PROMOTED - 1)) == 0
    assert 0.5 < legal.mean() < 1
    assert (classes_of(decoded.positions)[legal] == seen[legal]).all()
    assert not decoded.changed.to_numpy()[legal].any()
    assert (seen == scores.argmax(2)).all()
    assert decoded.changed.to_numpy()[~legal].all()


def test_f5_38_a_constant_on_a_square_changes_nothing() -> None:
    scores = np.round(noise(300, 38) * 64) / 64
    shift = np.random.default_rng(38).integers(-50, 50, size=(300, 64, 1)).astype(np.float32)
    plain, shifted = own(scores, margins=True), own(scores + shift, margins=True)
    assert plain.positions.equals(shifted.positions)
    assert np.array_equal(plain.margins(), shifted.margins())


def test_f5_39_turning_commutes_with_decoding() -> None:
    scores = noise(300, 39)
    upright = own(scores, orientation=180)
    turned = own(scores[:, ::-1])
    assert upright.placements().equals(turned.placements())
    direct = own(scores)
    same = (classes_of(turned.positions)[:, ::-1] == classes_of(direct.positions)).all(1)
    # Only which way pawns give check is not the same for a board that is turned.
    checked = (direct.flags.to_numpy() | turned.flags.to_numpy()) & Flag.NEXT_BEST != 0
    assert same[~checked].all()
    assert (~checked).mean() > 0.3


def test_f5_40_the_worst_boards_are_decoded() -> None:
    scores = np.concatenate([noise(200, 40), np.zeros((3, 64, 13), np.float32)])
    scores[200, :, 6] = 50
    scores[201, :, [6, 12]] = 50
    scores[202, :, PAWNS] = 50
    decoded = own(scores, margins=True)
    assert decoded.positions.null_count == 0
    for board in classes_of(decoded.positions):
        assert as_chess(board).king(True) is not None
        assert all((board == pawn).sum() + promoted_of(board, pawn) <= 8 for pawn in PAWNS)


def promoted_of(board: NDArray[np.uint8], pawn: int) -> int:
    own_side = (board >= pawn) & (board < pawn + 6)
    return promoted(np.where(own_side, board, 0).astype(np.uint8))


# --- kings that the flow does not see --------------------------------------------------------


def test_f5_47_adjacent_kings_move_apart() -> None:
    scores = logits("8/8/8/3kK3/8/8/8/8")
    scores[0, SQUARE["h1"], 6] = 4
    decoded = own(scores)
    assert flags(decoded) == Flag.ARGMAX_KINGS_ADJACENT | Flag.NEXT_BEST
    assert decoded.placements().to_pylist() == ["8/8/8/3k4/8/8/8/7K"]
    assert placement(scores, rules="kings") == "8/8/8/3kK3/8/8/8/8"


def test_f5_47_both_in_check_gets_the_next_best_board() -> None:
    scores = logits("4k2R/8/8/8/8/8/8/4K2r")
    scores[0, SQUARE["h1"], 8] = 7
    decoded = own(scores, margins=True)
    assert flags(decoded) & (Flag.ARGMAX_BOTH_IN_CHECK | Flag.NEXT_BEST | Flag.BOTH_IN_CHECK) == (
        Flag.ARGMAX_BOTH_IN_CHECK | Flag.NEXT_BEST
    )
    assert decoded.placements().to_pylist() == ["4k2R/8/8/8/8/8/8/4K2n"]
    assert decoded.turn.to_pylist() == ["b"]
    assert (decoded.margins() >= 0).all()


def test_f5_47_the_search_is_bounded_and_says_so() -> None:
    scores = logits("4k2R/8/8/8/8/8/8/4K2r", margin=9)
    forced = {"h8": "R", "h1": "r", "e1": "K", "e8": "k"}
    between = {f + r: "." for f in "fg" for r in "18"}
    decoded = own(scores, force=forced | between)
    assert decoded.placements().to_pylist() == ["4k2R/8/8/8/8/8/8/4K2r"]
    assert flags(decoded) & Flag.BOTH_IN_CHECK
    assert decoded.turn.to_pylist() == [None]
    adjacent = own(logits("8/8/8/3kK3/8/8/8/8"), force={"d5": "k", "e5": "K"})
    assert flags(adjacent) & Flag.KINGS_ADJACENT


@pytest.mark.slow
def test_next_best_boards_come_in_order() -> None:
    pytest.importorskip("scipy.optimize")
    scores = noise(60, 47, 2.0)
    scores[..., 0] += 4
    decoded = own(scores)
    found = np.flatnonzero(decoded.flags.to_numpy() & Flag.NEXT_BEST)[:12]
    assert len(found) > 5
    for row in found:
        best = solve(scores[row], 4.0, checks=True)
        assert best is not None
        board = classes_of(decoded.positions)[row]
        assert king_fault(board) is None
        assert objective(scores[row], board, 4.0) == pytest.approx(
            objective(scores[row], best, 4.0), abs=1e-6
        )


# --- the prior -------------------------------------------------------------------------------


def test_a_prior_settles_what_scores_leave_open() -> None:
    scores = np.zeros((1, 64, 13), np.float32)
    board = boards_of([START])[0]
    scores[0, np.arange(64), board] = 8
    scores[0, SQUARE["d1"], 6] = 8.0
    scores[0, SQUARE["e1"], 5] = 8.0
    # Queen and king may change places for nothing; in games they do not.
    decoded = own(scores, prior="games", prior_weight=0.25)
    assert decoded.placements().to_pylist() == [PLACEMENT]
    table = np.zeros((13, 64), np.float32)
    table[5, SQUARE["e1"]] = 1
    swapped = own(scores, prior=table, prior_weight=1.0)
    assert swapped.placements().to_pylist() == [PLACEMENT.replace("QK", "KQ")]
    # The argmax is the recognizer's own.
    assert classes_of(swapped.argmax)[0].tolist() == scores[0].argmax(1).tolist()


def test_the_prior_is_of_games() -> None:
    from fenpack.recognition.games import log_shares

    shares = np.exp(log_shares().astype(np.float64))
    assert shares.shape == (13, 64)
    assert np.allclose(shares.sum(0), 1)
    assert shares[CLASSES.index("P"), 8:16].min() > 0.05
    assert shares[PAWNS, :8].max() < 1e-3
    assert shares[CLASSES.index("K")].argmax() in (SQUARE["g1"], SQUARE["e1"])


def test_temperature_divides_margins() -> None:
    scores = look_alike(boards_of([START] * 20), 1.0, seed=3)
    plain = own(scores, margins=True, promotion_penalty=0.0)
    cooled = own(scores, margins=True, temperature=2.0, promotion_penalty=0.0)
    assert np.allclose(plain.margins(), cooled.margins() * 2, rtol=1e-4, atol=1e-3)
    assert plain.positions.equals(cooled.positions)
