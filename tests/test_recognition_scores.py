"""Numbers, shapes and orders of scores: cases 1 to 19 of the list that recognizers call for."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pyarrow as pa
import pytest

import fenpack as fp
from fenpack.recognition import PRESETS, Status, class_order, decode, explain_layout, square_order
from fenpack.recognition.boards import CLASSES, classes_of
from fenpack.recognition.squares import ORDERS
from recognizers import OWN, boards_of, logits, one_hot, own, placement
from texts import START

MIDDLEGAME = "r1bqr1k1/pppn1pbp/3p1np1/4p1B1/2PP4/3BPN1P/PP1N1PP1/R2QK2R"
ENDGAME = "8/8/4k3/8/3K4/4P3/8/8"
START_PLACEMENT = START.split(" ", 1)[0]


@pytest.fixture(scope="module")
def boards(sample: list[str]) -> np.ndarray:
    """Give a thousand real boards."""
    valid = np.asarray(fp.is_valid(sample[:1200], chess960=True))
    return boards_of(sample[:1200])[valid][:1000]


def noisy(boards: np.ndarray, seed: int = 1) -> np.ndarray:
    noise = np.random.default_rng(seed).normal(size=(*boards.shape, 13))
    return (one_hot(boards) * 8 + noise).astype(np.float32)


def softmax(scores: np.ndarray) -> np.ndarray:
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    return (shares / shares.sum(-1, keepdims=True)).astype(np.float32)


# --- numbers ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["probs", "logits", "logprobs", "sigmoid", "regression"])
def test_f5_01_nan_names_row_and_square(kind: str) -> None:
    scores = np.repeat(softmax(logits(MIDDLEGAME)), 3, 0)
    scores = np.log(scores) if kind.startswith("log") else scores
    scores[1, 28, 4] = np.nan
    with pytest.raises(ValueError, match=r"scores row 1, square e4: a score is NaN"):
        own(scores, kind=kind)
    decoded = own(scores, kind=kind, errors="null")
    assert decoded.status.to_pylist() == [Status.FINE, Status.NOT_FINITE, Status.FINE]
    assert decoded.placements().to_pylist() == [MIDDLEGAME, None, MIDDLEGAME]
    nulls = {column.name: decoded.to_table()[column.name].null_count for column in fields(decoded)}
    assert nulls.pop("status") == 0
    assert {nulls.pop(name) for name in ("turn", "turn_reason")} == {3}
    assert set(nulls.values()) == {1}


def fields(decoded):
    return decoded.to_table().schema


def test_f5_02_infinities() -> None:
    scores = logits(ENDGAME)
    scores[scores == 0] = -np.inf
    assert placement(scores) == ENDGAME
    scores[0, 10, 3] = np.inf
    with pytest.raises(ValueError, match=r"row 0, square c2: a score is NaN, or infinite"):
        own(scores)
    with pytest.raises(ValueError, match="square c2"):
        own(scores, kind="logprobs")
    probs = one_hot(boards_of([START]))
    probs[0, 5, 3] = -np.inf
    with pytest.raises(ValueError, match="square f1: a score is NaN"):
        own(probs, kind="probs")


def test_f5_03_nothing_possible_on_a_square_is_infeasible() -> None:
    scores = np.concatenate([logits(ENDGAME), logits(START)])
    scores[0, 9] = -np.inf
    decoded = own(scores, errors="null")
    assert decoded.status.to_pylist() == [Status.INFEASIBLE, Status.FINE]
    with pytest.raises(ValueError, match="row 0: no board is allowed"):
        own(scores)


def test_f5_04_no_square_for_the_king_is_infeasible() -> None:
    forbid = np.zeros((64, 13), bool)
    forbid[:, 6] = True
    decoded = own(logits(ENDGAME), forbid=forbid, errors="null", margins=True)
    assert decoded.status.to_pylist() == [Status.INFEASIBLE]
    assert own(logits(ENDGAME), forbid=forbid, rules="none").placements()[0].is_valid


def test_f5_05_exact_zeros() -> None:
    scores = one_hot(boards_of([START]))
    assert placement(scores, kind="probs") == START_PLACEMENT
    # Elsewhere zeros leave one way to lose a king.
    scores[0, 1] = np.eye(13)[6] * 0.999 + np.eye(13)[2] * 0.001
    decoded = own(scores, kind="probs", margins=True)
    assert decoded.placements().to_pylist() == [START_PLACEMENT]
    assert decoded.changed.to_pylist() == [1 << 1]
    assert np.isfinite(decoded.margins()).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda p: p * 0.5, "do not sum to 1"),
        (lambda p: p * 2.0, "out of the range"),
        (lambda p: p - 0.5, "out of the range"),
        (lambda p: p * 100, "out of the range"),
    ],
    ids=["half", "double", "negative", "percent"],
)
def test_f5_06_numbers_that_are_no_probabilities(change, message) -> None:
    probs = softmax(logits(MIDDLEGAME))
    with pytest.raises(ValueError, match=message):
        own(change(probs).astype(np.float32), kind="probs")


def test_f5_06_bytes_are_no_probabilities() -> None:
    scores = (softmax(logits(MIDDLEGAME)) * 255).astype(np.uint8)
    with pytest.raises(TypeError, match=r"floating-point numbers with kind='probs', got uint8"):
        own(scores, kind="probs")


def test_f5_07_kinds_mixed_up() -> None:
    raw = logits(MIDDLEGAME)
    with pytest.raises(ValueError, match="out of the range"):
        own(raw, kind="probs")
    with pytest.raises(ValueError, match="they are probs and no logits"):
        own(softmax(raw), kind="logits")
    with pytest.raises(ValueError, match="they are probs and no logits"):
        own(softmax(raw), kind="logprobs")
    with pytest.raises(ValueError, match="out of the range"):
        own(raw, kind="logprobs")
    with pytest.raises(ValueError, match="do not sum to 1"):
        own(raw - 50, kind="logprobs")
    assert placement(raw - 9, kind="logprobs") == MIDDLEGAME


def test_f5_08_dtypes_and_memory(boards: np.ndarray, tmp_path) -> None:
    scores = noisy(boards)
    expected = own(scores).to_table()

    def same(array, rows=slice(None)) -> bool:
        return own(array).positions.equals(expected["positions"].combine_chunks()[rows])

    np.save(tmp_path / "scores.npy", scores)
    padded = np.zeros((1000, 70, 20), np.float32)
    padded[:, 3:67, 5:18] = scores
    frozen = scores.copy()
    frozen.flags.writeable = False
    assert same(scores.astype(np.float64))
    assert same(scores.astype(">f4"))
    assert same(scores.astype(">f8"))
    assert same(np.asfortranarray(scores))
    assert same(padded[:, 3:67, 5:18])
    assert same(frozen)
    assert same(np.load(tmp_path / "scores.npy", mmap_mode="r"))
    assert same(scores[::-1][::-1])
    assert own(scores[::-1]).positions.to_pylist() == expected["positions"].to_pylist()[::-1]
    assert same(scores[:, ::-1, ::-1][:, ::-1, ::-1])
    assert same(scores[:1], slice(0, 1))
    assert own(scores[::3]).positions.to_pylist() == expected["positions"].to_pylist()[::3]
    assert len(own(scores[:0])) == 0
    assert own(scores[:0], margins=True).to_table().num_rows == 0
    unaligned = np.zeros(scores.nbytes + 1, np.uint8)[1:].view(np.float32).reshape(scores.shape)
    unaligned[:] = scores
    assert same(unaligned)
    # Half precision rounds, so boards agree where no two scores are that near.
    for dtype in (np.float16, ml_dtypes.bfloat16):
        rounded = scores.astype(dtype)
        assert own(rounded).positions.equals(own(rounded.astype(np.float32)).positions)


def test_f5_08_reversed_axes_read_the_same_numbers(boards: np.ndarray) -> None:
    scores = noisy(boards)[:20]
    turned = decode(scores[:, ::-1], classes=CLASSES, squares="h8", kind="logits")
    assert turned.positions.equals(own(scores).positions)
    swapped = decode(scores[..., ::-1], classes=CLASSES[::-1], squares="a1", kind="logits")
    assert swapped.positions.equals(own(scores).positions)


def test_float32_is_not_copied(boards: np.ndarray) -> None:
    from fenpack.recognition.arrays import ArraySource

    scores = noisy(boards)
    for array in (
        scores,
        scores.reshape(1000, 8, 8, 13),
        scores.reshape(1000, 832),
        np.ascontiguousarray(scores.reshape(1000, 8, 8, 13).transpose(0, 3, 1, 2)),
        np.asfortranarray(scores),
        scores[::2, :, :],
    ):
        source = ArraySource(
            array, class_order(CLASSES), square_order("a1"), kind="logits", empty="column"
        )
        start = array.__array_interface__["data"][0]
        assert source.batch(0, source.rows).numbers.buffers()[1].address == start


def test_f5_09_tiny_and_enormous_numbers() -> None:
    scores = logits(MIDDLEGAME)
    assert placement(scores * np.float32(1e-42)) == MIDDLEGAME
    assert placement(scores * np.float32(1e37)) == MIDDLEGAME
    scores[scores == 0] = -632
    assert placement(scores) == MIDDLEGAME
    broken = scores.copy()
    broken[0, 4, :] = -632
    broken[0, 4, 5] = 1e38
    decoded = own(broken, margins=True)
    assert classes_of(decoded.positions)[0].tolist().count(6) == 1
    probs = one_hot(boards_of([START]))
    probs[probs == 0] = 1e-42
    assert placement(probs, kind="probs") == START_PLACEMENT


def test_f5_09_temperature_makes_nothing_infinite() -> None:
    scores = logits(MIDDLEGAME) * np.float32(1e37)
    for temperature in (1e-3, 1e6):
        assert own(scores, temperature=temperature).placements().to_pylist() == [MIDDLEGAME]
    scores[0, :, 6] = np.where(scores[0, :, 6] > 0, scores[0, :, 6], -np.inf)
    assert placement(scores, temperature=1e-3) == MIDDLEGAME


@pytest.mark.parametrize("kind", ["probs", "logits", "logprobs", "sigmoid", "regression"])
def test_any_bits_are_taken_or_refused(kind: str) -> None:
    rng = np.random.default_rng(9)
    bits = rng.integers(0, 2**32, size=(500, 64, 13), dtype=np.uint32).view(np.float32)
    tame = np.where(np.abs(bits) < 1e30, bits, 0.0).astype(np.float32)
    shares = softmax(np.clip(tame, -50, 50))
    for array in (bits, tame, shares, np.log(np.maximum(shares, 1e-30))):
        for orientation in ("auto", "any", 90):
            decoded = own(
                array, kind=kind, errors="null", margins=True, orientation=orientation,
                prior="games", castling="home",
            )  # fmt: skip
            fine = decoded.status.to_numpy() == Status.FINE
            assert (np.asarray(decoded.positions.is_valid()) == fine).all()
            assert not np.isnan(decoded.margins()[fine]).any()
            boards = classes_of(decoded.positions)[fine]
            assert ((boards == 6).sum(1) == 1).all()
            assert ((boards == 12).sum(1) == 1).all()


# --- shapes ----------------------------------------------------------------------------------


def test_f5_10_twelve_columns_need_a_rule_for_empty(boards: np.ndarray) -> None:
    men = one_hot(boards)[:50, :, 1:] * np.float32(0.9)
    twelve = {"classes": CLASSES[1:], "squares": "a1"}
    with pytest.raises(ValueError, match="classes has no empty column; say what tells an empty"):
        decode(men, kind="sigmoid", **twelve)
    for empty in ("complement", 0.3):
        decoded = decode(men, kind="sigmoid", empty=empty, **twelve)
        assert (classes_of(decoded.positions) == boards[:50]).all()
    decoded = decode(men * 10, kind="logits", empty=3.0, **twelve)
    assert (classes_of(decoded.positions) == boards[:50]).all()
    with pytest.raises(ValueError, match="empty='complement' needs kind='probs' or"):
        decode(men, kind="logits", empty="complement", **twelve)
    with pytest.raises(ValueError, match="empty does not go with classes that have an empty"):
        own(one_hot(boards), kind="probs", empty=0.3)


@pytest.mark.parametrize(
    "shape",
    [(5, 13, 64), (5, 8, 13, 8), (5, 63, 13), (5, 65, 13), (5, 10, 10, 13), (832, 1), (5, 831), ()],
    ids=str,
)
def test_f5_11_12_shapes_that_mean_nothing(shape) -> None:
    with pytest.raises(ValueError, match=r"scores must have the shape \(N, 64, 13\), .*, got"):
        own(np.zeros(shape, np.float32))


def test_f5_13_shapes_that_mean_the_same(boards: np.ndarray) -> None:
    scores = noisy(boards)[:40]
    expected = own(scores).positions
    grid = scores.reshape(40, 8, 8, 13)
    planes = grid.transpose(0, 3, 1, 2)
    for array in (grid, planes, np.ascontiguousarray(planes), scores.reshape(40, 832)):
        assert own(array).positions.equals(expected)
    for one in (scores[7], grid[7], planes[7], scores[7].reshape(832)):
        assert own(one).positions.equals(expected[7:8])


def test_f5_14_thirteen_boards_of_thirteen_classes(boards: np.ndarray) -> None:
    scores = noisy(boards)[:13]
    assert len(own(scores)) == 13
    assert own(scores).positions.equals(own(noisy(boards)).positions[:13])
    assert len(own(noisy(boards)[:64])) == 64
    assert len(own(noisy(boards)[:8].reshape(8, 8, 8, 13))) == 8


# --- orders ----------------------------------------------------------------------------------


@pytest.mark.parametrize("squares", ORDERS)
@pytest.mark.parametrize("preset", PRESETS)
def test_f5_15_every_preset_in_every_square_order(
    preset: str, squares: str, boards: np.ndarray
) -> None:
    order = np.array(class_order(PRESETS[preset].classes))
    scores = (boards[:, square_order(squares)][..., None] == order).astype(np.float32)
    kind = PRESETS[preset].kind
    if kind == "ids":
        numbers = scores.argmax(2).astype(np.uint8)
        decoded = decode(numbers, classes=preset, squares=squares)
    elif kind == "regression":
        decoded = decode(scores * 20, classes=preset, squares=squares)
    else:
        two = (order == 0).sum() == 2
        scores = scores * np.float32(0.998) + np.float32(0.002 / (13 + two)) if kind else scores
        if two:
            scores[..., np.flatnonzero(order == 0)[1]] = 0.0
        empty = None if 0 in order else "complement"
        kind = kind or "sigmoid"
        if kind.startswith("log"):
            with np.errstate(divide="ignore"):
                scores = np.log(scores) - 1
        decoded = decode(scores, classes=preset, squares=squares, kind=kind, empty=empty)
    assert (classes_of(decoded.positions) == boards).all()


def test_every_preset_gives_its_own_square_order(boards: np.ndarray) -> None:
    scores = one_hot(boards)[:, square_order("a8")]
    order = class_order(PRESETS["chessvision"].classes)
    decoded = decode(scores[..., order], classes="chessvision")
    assert (classes_of(decoded.positions) == boards).all()
    assert {name: PRESETS[name].squares for name in PRESETS if PRESETS[name].squares != "a8"} == {
        "tensorflow_chessbot": "a1",
        "chessboard_fen_tfjs": "a8-files",
        "chesscog": "a1",
        "fenify3d": "a1",
        "camerachess": "a1",
        "chessboard_scanner": "h1",
        "python_chess": "a1",
    }


@pytest.mark.parametrize(
    ("classes", "message"),
    [
        (".PPBRQKpnbrqk", "has P 2 times"),
        (".PNBRQKpnbrq", "has no k"),
        ("", "has no P"),
        (".PNBRQKpnbrqk..", "3 empty columns"),
        ("chesvision", "one of the presets tensorflow_chessbot, "),
        (["empty", "white_pwn"], "unknown class 'white_pwn' in column 1"),
        ([*PRESETS["roboflow"].classes[1:], "bishop"], "unknown class 'bishop' in column 12"),
    ],
)
def test_f5_16_orders_that_are_none(classes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        decode(logits(START), classes=classes, squares="a1", kind="logits")


def test_f5_16_square_orders_that_are_none() -> None:
    for squares in ("a2", ["a1"] * 64, ["a1"]):
        with pytest.raises(ValueError, match="squares must"):
            decode(logits(START), classes=CLASSES, squares=squares, kind="logits")
    with pytest.raises(ValueError, match="'i9' is no square"):
        square_order(["i9"])
    with pytest.raises(TypeError, match="squares must be"):
        square_order(8)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "names",
    [
        ["{0}_{1}"],
        ["{0}-{1}", "{1}_{0}"],
        ["{0} {1}"],
    ],
)
def test_names_of_classes(names: list[str]) -> None:
    roles = ("pawn", "knight", "bishop", "rook", "queen", "king")
    men = [(side, role) for side in ("white", "black") for role in roles]
    for name in names:
        spelled = [name.format(side, role) for side, role in men]
        assert class_order(["empty", *spelled]) == list(range(13))
    assert class_order(["xx", *(f"{s.title()}{r.title()}" for s, r in men)]) == list(range(13))
    short = [f"{side[0]}{'N' if role == 'knight' else role[0].upper()}" for side, role in men]
    assert class_order(["em", *short]) == list(range(13))
    assert class_order([*CLASSES[1:], "_", "ignore", "!"]) == [*range(1, 13), 0, -1, -1]


def test_f5_17_two_empty_columns_are_merged() -> None:
    rng = np.random.default_rng(17)
    scores = rng.normal(scale=3, size=(200, 64, 14)).astype(np.float32)
    order = "bknpqr.BKNPQR."
    merged = np.logaddexp(scores[..., 6], scores[..., 13])
    single = np.concatenate([scores[..., :6], merged[..., None], scores[..., 7:13]], 2)
    double = decode(scores, classes=order, squares="a8", kind="logits", margins=True)
    alone = decode(single, classes=order[:-1], squares="a8", kind="logits", margins=True)
    assert double.positions.equals(alone.positions)
    assert np.allclose(double.margins(), alone.margins(), atol=1e-4)
    probs = softmax(scores)
    summed = np.concatenate(
        [probs[..., :6], (probs[..., 6] + probs[..., 13])[..., None], probs[..., 7:13]], 2
    )
    assert decode(probs, classes=order, squares="a8", kind="probs").positions.equals(
        decode(summed, classes=order[:-1], squares="a8", kind="probs").positions
    )


def test_f5_18_an_ignored_column_changes_nothing(boards: np.ndarray) -> None:
    scores = noisy(boards)
    junk = np.full((1000, 64, 1), np.nan, np.float32)
    more = np.concatenate([junk, scores, junk], 2)
    decoded = decode(more, classes=f"!{CLASSES}!", squares="a1", kind="logits")
    assert decoded.positions.equals(own(scores).positions)
    # What is left of 1 may be in the column that is ignored.
    shares = softmax(np.concatenate([scores, np.zeros((1000, 64, 1), np.float32)], 2))
    decoded = decode(shares, classes=f"{CLASSES}!", squares="a1", kind="probs")
    assert decoded.positions.equals(own(scores).positions)
    with pytest.raises(ValueError, match="do not sum to 1"):
        decode(shares * 0 + 0.5, classes=f"{CLASSES}!", squares="a1", kind="probs")


def test_f5_19_the_pair_that_cannot_be_told_apart(boards: np.ndarray) -> None:
    order = np.array(class_order("bknpqr.BKNPQR"))
    scores = (boards[:, square_order("a8")][..., None] == order).astype(np.float32)
    right = decode(scores, classes="chessvision")
    wrong = decode(scores, classes="BKNPQR.bknpqr", squares="a1", kind="probs")
    assert (classes_of(right.positions) == boards).all()
    # Colours swapped and ranks mirrored: every board stays legal.
    assert wrong.positions.null_count == 0
    assert (classes_of(wrong.positions) == boards).all(1).mean() < 0.01
    assert not wrong.changed.to_numpy().any()
    report = explain_layout(scores)
    readings = [(one.classes, one.squares) for one in report.layouts]
    best, twin = readings[0], report.layouts[0].twin
    assert {best, twin} == {("bknpqr.BKNPQR", "a8"), ("BKNPQR.bknpqr", "a1")}
    assert twin in [(one.classes, one.squares) for one in report.close]
    assert "cannot be told apart from the first by any statistic" in str(report)
    assert report.layouts[0].legal == 1.0


def test_explain_layout_ranks_by_how_usual_boards_are(boards: np.ndarray) -> None:
    for preset in ("tensorflow_chessbot", "linrock", "board_to_fen", "chess_diagram_to_fen"):
        order = np.array(class_order(PRESETS[preset].classes))
        scores = (boards[:, square_order("a8")][..., None] == order).astype(np.float32)
        report = explain_layout(scores, boards=200)
        first = report.layouts[0]
        assert (PRESETS[preset].classes, "a8") in [(first.classes, first.squares), first.twin]
        assert len(report.close) == 2
        assert report.boards == 200
    with pytest.raises(ValueError, match="scores must have the shape"):
        explain_layout(np.zeros((3, 64, 12)))
    with pytest.raises(ValueError, match="no boards"):
        explain_layout(np.zeros((0, 64, 13)))


# --- what must be said -----------------------------------------------------------------------


def test_nothing_is_guessed() -> None:
    scores = logits(START)
    with pytest.raises(TypeError, match="classes is needed"):
        decode(scores, squares="a1", kind="logits")
    with pytest.raises(TypeError, match="squares is needed"):
        decode(scores, classes=CLASSES, kind="logits")
    with pytest.raises(TypeError, match="kind is needed, one of 'probs', 'logits'"):
        decode(scores, classes=CLASSES, squares="a1")
    with pytest.raises(TypeError, match="kind is needed"):
        decode(scores, classes="python_chess")
    with pytest.raises(ValueError, match="kind must be one of 'probs'"):
        decode(scores, kind="softmax", **OWN)
    with pytest.raises(TypeError, match="previous"):
        own(scores, previous=START)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rules": "strict"}, 'rules must be one of "legal", "kings", "none", got'),
        ({"errors": "ignore"}, 'errors must be one of "raise", "null", got'),
        ({"promotion_penalty": -1}, "promotion_penalty must be between 0.0 and inf, got -1"),
        ({"promotion_penalty": np.nan}, "promotion_penalty must be between"),
        ({"temperature": 0}, "temperature must be between 0.001 and"),
        ({"eps": 0}, "eps must be inside"),
        ({"orientation": "up"}, "orientation must be one of 'white', 'black', 'auto'"),
        ({"prior": "lichess"}, "prior must be 'games'"),
        ({"prior": np.zeros((12, 64))}, r"prior must be a \(13, 64\) table"),
        ({"turn": "white"}, 'turn must be "w", "b"'),
        ({"turn": ["w", "b"]}, "turn must have one value for each of the 1 rows, got 2"),
        ({"castling": "KQX"}, 'castling must be "none", "home" or letters of KQkq'),
        ({"force": {"j1": "K"}}, "'j1' is no square"),
        ({"force": {"e1": "X"}}, "force must give e1 letters of"),
        ({"force": np.full((3, 3), 1)}, "force must map squares"),
        ({"force": np.full(64, 13)}, "force must hold class numbers"),
        ({"forbid": np.zeros((64, 12), bool)}, "forbid must map squares"),
    ],
)
def test_options_that_are_none(options, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        own(logits(START), **options)


def test_arrays_that_are_none() -> None:
    with pytest.raises(TypeError, match="scores must be an array of numbers, got"):
        own(np.array(["a"]))
    with pytest.raises(TypeError, match="for text say kind='text'"):
        own("8/8/8/8/8/8/8/8")
    with pytest.raises(TypeError, match="must not be masked"):
        own(np.ma.masked_array(logits(START)))
    with pytest.raises(TypeError, match="temperature must be a number"):
        own(logits(START), temperature="1")
    with pytest.raises(TypeError, match="scores must be a column of fixed-size lists"):
        own(pa.array([[1.0]]))


def test_flags_and_statuses_are_those_of_the_core() -> None:
    from fenpack import _native
    from fenpack.recognition import Flag

    assert [flag.name.lower() for flag in Flag] == _native.decode_flags()
    assert [status.name.lower() for status in Status] == _native.decode_statuses()
