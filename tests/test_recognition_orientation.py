"""Orientation, turn and castling: cases 41 to 49 of the list that recognizers call for."""

from __future__ import annotations

import numpy as np
import pytest

import fenpack as fp
from fenpack.recognition import Flag, decode
from fenpack.recognition.boards import classes_of
from recognizers import boards_of, logits, look_alike, one_hot, own
from texts import START

PLACEMENT = START.split(" ", 1)[0]
MIDDLEGAME = "r1bqr1k1/pppn1pbp/3p1np1/4p1B1/2PP4/3BPN1P/PP1N1PP1/R2QK2R"


def turned(scores: np.ndarray, degrees: int) -> np.ndarray:
    """Turn the picture that has the scores anticlockwise, which `degrees` clockwise undo."""
    grid = scores.reshape(-1, 8, 8, 13)[:, ::-1]
    return np.ascontiguousarray(np.rot90(grid, degrees // 90, (1, 2))[:, ::-1]).reshape(-1, 64, 13)


def bits(decoded) -> Flag:
    [value] = decoded.flags.to_pylist()
    return Flag(value)


# --- orientation -----------------------------------------------------------------------------


@pytest.mark.parametrize("placement", [PLACEMENT, MIDDLEGAME])
def test_f5_41_both_ways_up(placement: str) -> None:
    upright = logits(placement)
    for scores, degrees in ((upright, 0), (turned(upright, 180), 180)):
        decoded = own(scores, orientation="auto")
        assert decoded.placements().to_pylist() == [placement]
        assert decoded.orientation.to_pylist() == [degrees]
        assert decoded.orientation_score.to_pylist()[0] > 20
        assert not bits(decoded)
        given = own(scores, orientation="black" if degrees else "white")
        assert given.placements().to_pylist() == [placement]
        assert given.orientation.to_pylist() == [degrees]


@pytest.mark.parametrize(
    "placement",
    [
        "8/8/4k3/8/3KP3/8/8/8",
        "8/4P3/4K3/8/8/2k5/8/8",
        "8/8/8/2k5/8/8/1p6/4K3",
        "8/5k2/8/8/8/3K4/8/6R1",
        "8/8/3k4/8/8/3K4/8/8",
        "k7/8/8/8/8/8/8/7K",
    ],
    ids=["pawn", "far pawn", "black pawn", "no pawns", "bare kings", "corners"],
)
def test_f5_42_43_44_endings_are_not_turned(placement: str) -> None:
    for scores in (logits(placement), turned(logits(placement), 180)):
        decoded = own(scores, orientation="auto")
        assert decoded.orientation.to_pylist() == [0]
        score = decoded.orientation_score.to_pylist()[0]
        assert score > -10
        assert bool(bits(decoded) & Flag.ORIENTATION_UNSURE) == (abs(score) < 10)


def test_f5_43_a_board_without_pawns_can_be_sure() -> None:
    placement = "r1bq1rk1/8/2n2n2/8/8/2N2N2/8/R1BQ1RK1"
    decoded = own(turned(logits(placement), 180), orientation="auto")
    assert decoded.placements().to_pylist() == [placement]


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_f5_45_photographs_by_quarter_turns(degrees: int) -> None:
    scores = turned(logits(MIDDLEGAME), degrees)
    for orientation in (degrees, "any"):
        decoded = own(scores, orientation=orientation)
        assert decoded.placements().to_pylist() == [MIDDLEGAME]
        assert decoded.orientation.to_pylist() == [degrees]


def test_two_turnings_that_are_alike_are_not_sure() -> None:
    # Men between a quarter turn and the opposite one: neither is taken, however bad upright is.
    placement = "8/8/8/k6K/8/8/8/8"
    decoded = own(logits(placement), orientation="any", orientation_min_score=25.0)
    assert decoded.orientation.to_pylist() == [0]
    assert bits(decoded) & Flag.ORIENTATION_UNSURE


def test_quarter_turns_are_clockwise() -> None:
    scores = np.zeros((1, 64, 13), np.float32)
    scores[..., 0] = 9
    # The picture has its White king at the bottom right, which is a1 after 90 degrees.
    scores[0, 7, 6], scores[0, 56, 12] = 20, 20
    assert own(scores, orientation=90).placements().to_pylist() == ["7k/8/8/8/8/8/8/K7"]
    assert own(scores, orientation=270).placements().to_pylist() == ["7K/8/8/8/8/8/8/k7"]


def test_f5_46_a_black_board_given_as_white_is_flagged_only() -> None:
    decoded = own(turned(logits(MIDDLEGAME), 180))
    reading = "/".join(rank[::-1] for rank in reversed(MIDDLEGAME.split("/")))
    assert fp.canonicalize([f"{reading} w - -"], counters="drop").to_pylist() == [
        f"{decoded.placements().to_pylist()[0]} w - -"
    ]
    assert bits(decoded) == Flag.LOOKS_TURNED
    assert decoded.orientation.to_pylist() == [0]
    assert decoded.orientation_score.to_pylist()[0] < -10
    assert not bits(own(logits(MIDDLEGAME)))


def test_orientation_of_noisy_scores(sample: list[str]) -> None:
    boards = boards_of(sample[:4000])
    scores = look_alike(boards, 1.6, seed=41)
    flip = np.random.default_rng(41).random(len(scores)) < 0.5
    scores[flip] = scores[flip][:, ::-1]
    decoded = own(scores, orientation="auto")
    flags = decoded.flags.to_numpy()
    sure = flags & Flag.ORIENTATION_UNSURE == 0
    degrees = decoded.orientation.to_numpy()
    assert (degrees[sure] == np.where(flip[sure], 180, 0)).mean() > 0.995
    assert (degrees[~sure] == 0).all()
    assert sure.mean() > 0.8
    lenient = own(scores, orientation="auto", orientation_min_score=0.0)
    assert not (lenient.flags.to_numpy() & Flag.ORIENTATION_UNSURE).any()
    assert (lenient.orientation.to_numpy() == np.where(flip, 180, 0)).mean() > 0.96


def test_the_prior_follows_the_orientation() -> None:
    scores = turned(logits(MIDDLEGAME, margin=5), 180)
    decoded = own(scores, orientation="auto", prior="games", prior_weight=1.0)
    assert decoded.placements().to_pylist() == [MIDDLEGAME]


def test_kinds_agree_on_the_orientation(sample: list[str]) -> None:
    boards = boards_of(sample[:300])
    scores = look_alike(boards, 1.0, seed=4)
    shares = np.exp(scores - scores.max(2, keepdims=True))
    shares /= shares.sum(2, keepdims=True)
    by_logits = own(scores, orientation="auto").orientation_score.to_numpy()
    by_probs = own(shares, kind="probs", orientation="auto").orientation_score.to_numpy()
    assert np.allclose(by_logits, by_probs, atol=0.05)


# --- turn ------------------------------------------------------------------------------------


def test_f5_48_a_check_forces_the_turn() -> None:
    decoded = own(
        np.concatenate(
            [
                logits("4k3/8/8/8/8/8/8/4RK2"),
                logits("4k3/8/8/8/8/8/8/4K2r"),
                logits("4k3/8/8/8/8/8/8/4K3"),
            ]
        )
    )
    assert decoded.turn.to_pylist() == ["b", "w", None]
    assert decoded.turn_reason.to_pylist() == ["check", "check", None]
    assert decoded.fens().to_pylist() == [
        "4k3/8/8/8/8/8/8/4RK2 b - - 0 1",
        "4k3/8/8/8/8/8/8/4K2r w - - 0 1",
        None,
    ]
    for side in "wb":
        fens = decoded.fens(unknown_turn=side).to_pylist()
        assert [fen.split()[1] for fen in fens] == ["b", "w", side]
    with pytest.raises(ValueError, match="unknown_turn must be"):
        decoded.fens(unknown_turn="white")


def test_f5_48_a_turn_that_is_given_stays_and_is_contradicted() -> None:
    scores = logits("4k3/8/8/8/8/8/8/4RK2")
    for turn, contradicted in (("w", True), ("b", False)):
        decoded = own(scores, turn=turn)
        assert decoded.turn.to_pylist() == [turn]
        assert decoded.turn_reason.to_pylist() == ["given"]
        assert bool(bits(decoded) & Flag.TURN_CONTRADICTED) == contradicted
    three = np.concatenate([scores] * 3)
    decoded = own(three, turn=["w", None, "b"])
    assert decoded.turn.to_pylist() == ["w", "b", "b"]
    assert decoded.turn_reason.to_pylist() == ["given", "check", "given"]
    with pytest.raises(ValueError, match="turn must hold"):
        own(three, turn=["w", "x", None])


# --- castling --------------------------------------------------------------------------------


def test_f5_49_castling_of_kings_and_rooks_at_home() -> None:
    boards = ["r3k2r/8/8/8/8/8/8/R3K2R", "r3k2N/8/8/8/8/8/8/R3K1R1", "r2k3r/8/8/8/8/8/8/n3K2R"]
    scores = np.concatenate([logits(board) for board in boards])

    def rights(castling, rows=slice(None)) -> list[str]:
        decoded = own(scores[rows], castling=castling, turn="w", promotion_penalty=0)
        return [fen.split()[2] for fen in decoded.fens().to_pylist()]

    assert rights("none") == ["-", "-", "-"]
    assert rights("home") == ["KQkq", "Qq", "K"]
    assert rights("Kq") == ["Kq", "q", "K"]
    assert rights("-") == ["-", "-", "-"]
    assert rights(["KQ", None, "-"]) == ["KQ", "-", "-"]
    with pytest.raises(ValueError, match="castling must have one value"):
        rights(["K"])


def test_positions_carry_no_counters() -> None:
    decoded = own(one_hot(boards_of([START])), kind="probs", turn="w", castling="home")
    assert decoded.fens().to_pylist() == [START]
    assert fp.to_struct(decoded.positions).field("counters_absent").to_pylist() == [True]
    assert classes_of(decoded.positions).tolist() == boards_of([START]).tolist()


def test_castling_column_of_words() -> None:
    scores = one_hot(boards_of([START] * 4))
    words = own(scores, kind="probs", turn="w", castling=["home", "none", "Kq", None])
    fields = [fen.split()[2] for fen in words.fens().to_pylist()]
    assert fields == ["KQkq", "-", "Kq", "-"]
    with pytest.raises(ValueError, match=r"castling must be .* got 'nowhere'"):
        own(scores, kind="probs", turn="w", castling=["home", "nowhere", "-", "-"])


def test_types_of_options() -> None:
    scores = one_hot(boards_of([START]))
    turned = own(scores, kind="probs", orientation=np.int64(180))
    assert turned.placements() == own(scores, kind="probs", orientation=180).placements()
    with pytest.raises(ValueError, match=r"orientation must be one of .* got False"):
        own(scores, kind="probs", orientation=False)
    with pytest.raises(TypeError, match=r"prior must be .* got complex128"):
        own(scores, kind="probs", prior=np.zeros((13, 64), complex))
    with pytest.raises(ValueError, match="empty must be between"):
        decode(scores[..., 1:], classes="PNBRQKpnbrqk", squares="a1", kind="logits", empty=np.inf)
