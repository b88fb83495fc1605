"""Other forms than arrays of scores: cases 50 to 54 of the list that recognizers call for."""

from __future__ import annotations

import inspect

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

import fenpack as fp
from fenpack.recognition import Detections, Status, decode
from fenpack.recognition.boards import CLASSES, classes_of
from fenpack.recognition.squares import SQUARE_NAMES, square_order
from recognizers import OWN, boards_of, look_alike, one_hot, own
from texts import START

PLACEMENT = START.split(" ", 1)[0]
BOARD = "4k3/8/8/3p4/8/8/4P3/4K2R"


def test_f5_50_a_previous_position_is_not_taken() -> None:
    """Decoding against a previous position is another matter than one board."""
    assert "previous" not in inspect.signature(decode).parameters


# --- two stages ------------------------------------------------------------------------------


def two_stages(boards: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    pieces = np.where(boards[..., None] == np.arange(1, 13), 6.0, 0.0)
    pieces += rng.normal(size=pieces.shape)
    occupied = np.where(boards > 0, 3.0, -3.0) + rng.normal(size=boards.shape)
    return pieces, np.stack([np.zeros_like(occupied), occupied], 2)


def softmax(scores: np.ndarray) -> np.ndarray:
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    return shares / shares.sum(-1, keepdims=True)


def test_two_stages_are_one_product(sample: list[str]) -> None:
    boards = boards_of(sample[:500])
    pieces, occupancy = two_stages(boards, 1)
    p, o = softmax(pieces), softmax(occupancy)
    product = np.concatenate([o[..., :1], o[..., 1:] * p], 2)
    expected = own(np.log(product), kind="logprobs", margins=True)
    men = {"classes": CLASSES[1:], "squares": "a1", "margins": True}
    for options in (
        {"scores": pieces, "occupancy": occupancy, "kind": "logits"},
        {"scores": p, "occupancy": o, "kind": "probs"},
        {"scores": np.log(p), "occupancy": np.log(o), "kind": "logprobs"},
        {"scores": p, "occupancy": o[..., 1], "kind": "probs"},
        {"scores": p, "occupancy": o[..., 1:], "kind": "probs"},
        {"scores": pieces, "occupancy": occupancy[..., 1], "kind": "logits"},
        {"scores": np.log(p), "occupancy": np.log(o[..., 1]), "kind": "logprobs"},
        {"scores": p.reshape(-1, 8, 8, 12), "occupancy": o.reshape(-1, 8, 8, 2), "kind": "probs"},
    ):
        decoded = decode(**options, **men)
        assert decoded.positions.equals(expected.positions)
        assert np.allclose(decoded.margins(), expected.margins(), atol=1e-3)
    # The preset's square order and class order.
    order = [CLASSES.index(letter) - 1 for letter in "bknpqrBKNPQR"]
    cog = decode(pieces[..., order], occupancy=occupancy, classes="chesscog", kind="logits")
    assert cog.positions.equals(expected.positions)


def test_two_stages_that_do_not_fit() -> None:
    pieces, occupancy = two_stages(boards_of([START] * 2), 2)
    men = {"classes": CLASSES[1:], "squares": "a1", "kind": "logits"}
    with pytest.raises(ValueError, match="occupancy must have as many boards as scores, 2, got 1"):
        decode(pieces, occupancy=occupancy[:1], **men)
    with pytest.raises(ValueError, match="occupancy must have the shape"):
        decode(pieces, occupancy=np.zeros((2, 64, 3)), **men)
    with pytest.raises(ValueError, match="classes must have no empty column with occupancy"):
        own(one_hot(boards_of([START])), kind="probs", occupancy=occupancy[:1])
    with pytest.raises(ValueError, match="kind must be 'probs', 'logits' or 'logprobs'"):
        decode(pieces, occupancy=occupancy, classes=CLASSES[1:], squares="a1", kind="sigmoid")
    impossible = pieces.copy()
    impossible[0, 20] = -np.inf
    assert decode(impossible, occupancy=occupancy, **men).positions.null_count == 0
    occupancy[1, 5] = np.nan
    with pytest.raises(ValueError, match="scores row 1: a score is NaN"):
        decode(pieces, occupancy=occupancy, **men)
    probs = {**men, "kind": "probs", "errors": "null"}
    bad = decode(softmax(pieces) * 0.5, occupancy=np.full((2, 64), 0.5), **probs)
    assert bad.status.to_pylist() == [Status.NOT_NORMALISED] * 2


# --- ids -------------------------------------------------------------------------------------


def test_ids_with_and_without_confidence(sample: list[str]) -> None:
    boards = boards_of(sample[:300])
    ids = {"kind": "ids", **OWN}
    for dtype in (np.uint8, np.int64):
        assert (classes_of(decode(boards.astype(dtype), **ids).positions) == boards).all()
    grid = boards.reshape(-1, 8, 8)
    assert (classes_of(decode(grid, **ids).positions) == boards).all()
    assert (classes_of(decode(boards[0], **ids).positions) == boards[:1]).all()
    scanner = decode(boards[:, square_order("h1")], classes="chessboard_scanner")
    assert (classes_of(scanner.positions) == boards).all()
    column = pa.array([bytes(row) for row in boards], pa.binary(64))
    assert decode(column, **ids).positions.equals(decode(boards, **ids).positions)


def test_the_least_confident_id_gives_way() -> None:
    board = boards_of([START])
    board[0, 20] = 6
    sure = np.full((1, 64), 0.99)
    sure[0, 20] = 0.6
    decoded = decode(board, kind="ids", confidence=sure, margins=True, **OWN)
    assert decoded.placements().to_pylist() == [PLACEMENT]
    assert decoded.changed.to_pylist() == [1 << 20]
    sure[0, 20], sure[0, 4] = 0.99, 0.6
    assert decode(board, kind="ids", confidence=sure, **OWN).changed.to_pylist() == [1 << 4]


def test_ids_that_are_none() -> None:
    board = np.concatenate([boards_of([START])] * 2)
    board[1, 3] = 13
    ids = {"kind": "ids", **OWN}
    with pytest.raises(ValueError, match="scores row 1: an id names no class"):
        decode(board, **ids)
    decoded = decode(board, errors="null", **ids)
    assert decoded.status.to_pylist() == [Status.FINE, Status.BAD_ID]
    negative = board.astype(np.int8)
    negative[1, 3] = -1
    assert decode(negative, errors="null", **ids).status.to_pylist()[1] == Status.BAD_ID
    with pytest.raises(TypeError, match="scores must be integers with kind='ids'"):
        decode(board.astype(np.float32), **ids)
    with pytest.raises(ValueError, match=r"scores must have the shape \(N, 64\)"):
        decode(board[:, :63], **ids)
    with pytest.raises(ValueError, match="confidence must have the shape of scores"):
        decode(board, confidence=np.ones((1, 64)), **ids)
    with pytest.raises(TypeError, match="confidence goes with kind='ids'"):
        own(one_hot(board[:1]), kind="probs", confidence=np.ones((1, 64)))
    wrong = np.full((2, 64), 1.5)
    wrong[1] = np.nan
    assert decode(board, confidence=wrong, errors="null", **ids).status.to_pylist() == [
        Status.OUT_OF_RANGE,
        Status.NOT_FINITE,
    ]


# --- detections ------------------------------------------------------------------------------

ORDER = CLASSES[1:]
CORNERS = np.array([[100.0, 50.0], [500.0, 50.0], [500.0, 450.0], [100.0, 450.0]])
DETECT = {"classes": ORDER, "kind": "sigmoid", "empty": "complement"}


def box_at(square: str, size: float = 20.0) -> list[float]:
    """Give a box whose centre is on a square of the board between CORNERS."""
    x = 100 + 50 * ("abcdefgh".index(square[0]) + 0.5)
    y = 50 + 50 * (8 - int(square[1]) + 0.5)
    return [x - size / 2, y - size / 2, x + size / 2, y + size / 2]


def detected(men: dict[str, str], score: float = 0.99, **options) -> Detections:
    settings = {
        "offsets": [0, len(men)],
        "boxes": np.array([box_at(square) for square in men]).reshape(-1, 4),
        "labels": np.array([ORDER.index(letter) for letter in men.values()], int),
        "scores": np.full(len(men), score),
        "corners": CORNERS,
    }
    return Detections(**settings | options)


MEN = {"e1": "K", "h1": "R", "e2": "P", "d5": "p", "e8": "k"}


def test_boxes_on_their_squares() -> None:
    decoded = decode(detected(MEN), **DETECT)
    assert decoded.placements().to_pylist() == [BOARD]
    assert decoded.dropped.to_pylist() == [0]
    boxes = np.array([box_at(square) for square in MEN])
    centres = np.column_stack(
        [(boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2, [20] * 5, [20] * 5]
    )
    assert decode(detected(MEN, boxes=centres, format="cxcywh"), **DETECT).positions.equals(
        decoded.positions
    )
    scores = np.eye(12)[[ORDER.index(letter) for letter in MEN.values()]] * 0.99
    assert decode(detected(MEN, labels=None, scores=scores), **DETECT).positions.equals(
        decoded.positions
    )
    homography = np.array([[0.02, 0, -2], [0, 0.02, -1], [0, 0, 1]])
    assert decode(detected(MEN, corners=None, homography=homography), **DETECT).positions.equals(
        decoded.positions
    )
    roboflow = {letter: i + 1 for i, letter in enumerate("bknpqrBKNPQR")}
    labels = np.array([roboflow[letter] for letter in MEN.values()])
    assert decode(detected(MEN, labels=labels), classes="roboflow").positions.equals(
        decoded.positions
    )


def test_boxes_seen_in_perspective() -> None:
    corners = np.array([[220.0, 80.0], [430.0, 90.0], [560.0, 420.0], [60.0, 400.0]])
    source = np.array([[0.0, 0.0], [8, 0], [8, 8], [0, 8]])
    system, right = [], []
    for (x, y), (u, v) in zip(source, corners, strict=True):
        system += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        right += [u, v]
    to_picture = np.append(np.linalg.solve(system, right), 1).reshape(3, 3)
    board = boards_of([START])[0]
    men = [(s, n) for s, n in enumerate(board) if n]
    points = np.array([[s % 8 + 0.5, 7 - s // 8 + 0.5, 1] for s, _ in men]) @ to_picture.T
    points = points[:, :2] / points[:, 2:]
    found = Detections(
        offsets=[0, len(men)],
        boxes=np.column_stack([points, np.full((len(men), 2), 8.0)]),
        labels=[n - 1 for _, n in men],
        scores=np.full(len(men), 0.95),
        corners=corners,
        format="cxcywh",
    )
    assert decode(found, **DETECT).placements().to_pylist() == [PLACEMENT]


def test_anchors() -> None:
    tall = np.array([[*box_at(square)[:1], 0, *box_at(square)[2:]] for square in MEN])
    # Feet are a third of a width above the lower edge.
    tall[:, 3] = [box_at(square)[3] - 10 + 20 / 3 for square in MEN]
    found = detected(MEN, boxes=tall, anchor=("bottom", 1 / 3))
    assert decode(found, **DETECT).placements().to_pylist() == [BOARD]
    high = np.array([box_at(square) for square in MEN])
    high[:, 1::2] -= 0.3 * 20
    found = detected(MEN, boxes=high, anchor=("center", 0.3))
    assert decode(found, **DETECT).placements().to_pylist() == [BOARD]
    with pytest.raises(ValueError, match="anchor must be"):
        decode(detected(MEN, anchor="feet"), **DETECT)


def test_f5_51_two_boxes_on_one_square() -> None:
    boxes = np.array([box_at(square) for square in (*MEN, "h1")])
    labels = np.array([ORDER.index(letter) for letter in (*MEN.values(), "Q")])
    for score, man in ((0.5, "R"), (0.995, "Q")):
        found = detected(
            MEN, offsets=[0, 6], boxes=boxes, labels=labels, scores=np.array([0.99] * 5 + [score])
        )
        assert decode(found, **DETECT).placements().to_pylist() == [BOARD.replace("R", man)]


def test_f5_51_boxes_on_a_border_and_outside() -> None:
    # The edge between two squares belongs to the right and lower one; the far edges to none.
    border = np.array([box_at(square) for square in MEN])
    border[1] = [475 - 35, 415, 475 - 15, 435]
    decoded = decode(detected(MEN, boxes=border), **DETECT)
    assert decoded.placements().to_pylist() == [BOARD]
    border[1] = [490, 415, 510, 435]
    decoded = decode(detected(MEN, boxes=border), **DETECT)
    assert decoded.dropped.to_pylist() == [1]
    assert decoded.placements().to_pylist() == [BOARD.replace("K2R", "K3")]
    border[2] = [-500, -500, -480, -480]
    assert decode(detected(MEN, boxes=border), **DETECT).dropped.to_pylist() == [2]


@pytest.mark.parametrize(
    "corners",
    [
        CORNERS[[0, 0, 2, 3]],
        CORNERS[[0, 2, 1, 3]],
        np.array([[0.0, 0], [1, 1], [2, 2], [3, 3]]),
        CORNERS[[1, 0, 3, 2]],
        np.full((4, 2), np.nan),
        np.array([[0.0, 0], [10, 0], [2, 2], [0, 10]]),
    ],
    ids=["repeated", "crossed", "collinear", "mirrored", "nan", "concave"],
)
def test_f5_51_corners_that_are_no_board(corners: np.ndarray) -> None:
    with pytest.raises(ValueError, match="scores row 0: the corners or the homography show no"):
        decode(detected(MEN, corners=corners), **DETECT)
    decoded = decode(detected(MEN, corners=corners), errors="null", **DETECT)
    assert decoded.status.to_pylist() == [Status.BAD_CORNERS]


def test_f5_51_a_homography_that_is_none() -> None:
    for homography in (np.zeros((3, 3)), np.full((3, 3), np.inf), np.ones((3, 3))):
        found = detected(MEN, corners=None, homography=homography)
        assert decode(found, errors="null", **DETECT).status.to_pylist() == [Status.BAD_CORNERS]


def test_f5_51_pictures_without_boxes_and_with_their_own_corners() -> None:
    boxes = np.array([box_at(square) for square in MEN])
    found = Detections(
        offsets=[0, 0, 5, 5],
        boxes=boxes + np.array([7, 9, 7, 9]),
        labels=[ORDER.index(letter) for letter in MEN.values()],
        scores=np.full(5, 0.99),
        corners=np.stack([CORNERS, CORNERS + np.array([7, 9]), CORNERS]),
    )
    decoded = decode(found, **DETECT)
    assert decoded.placements().to_pylist()[1] == BOARD
    assert [sum(map(str.isalpha, p)) for p in decoded.placements().to_pylist()] == [2, 5, 2]
    none = Detections(offsets=[0], boxes=np.zeros((0, 4)), labels=np.zeros(0, int), scores=[],
                      corners=CORNERS)  # fmt: skip
    assert len(decode(none, **DETECT)) == 0


def test_f5_51_labels_and_scores_out_of_range() -> None:
    labels = [*(ORDER.index(letter) for letter in list(MEN.values())[:4]), 12]
    with pytest.raises(ValueError, match="row 0: an id names no class"):
        decode(detected(MEN, labels=np.array(labels)), **DETECT)
    with pytest.raises(ValueError, match="row 0: a score is out of the range"):
        decode(detected(MEN, scores=np.full(5, 1.1)), **DETECT)
    with pytest.raises(ValueError, match="row 0: a score is NaN"):
        decode(detected(MEN, scores=np.full(5, np.nan)), **DETECT)


def test_f5_51_corners_named_by_squares() -> None:
    order = ("h1", "a1", "a8", "h8")
    corners = CORNERS[[2, 3, 0, 1]]
    decoded = decode(detected(MEN, corners=corners, corner_order=order), **DETECT)
    assert decoded.placements().to_pylist() == [BOARD]
    for bad in (("h1", "a1", "a8"), ("h1", "a1", "a8", "e4"), ("TL", "TR", "BR", "XX")):
        with pytest.raises(ValueError, match=r"corner_order must name|is no square"):
            decode(detected(MEN, corner_order=bad), **DETECT)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"offsets": [0, 4]}, "offsets must end with the number of boxes, 5, got 4"),
        ({"offsets": [1, 5]}, "offsets must begin with 0"),
        ({"boxes": np.zeros((5, 5))}, r"boxes must have the shape \(M, 4\)"),
        ({"scores": np.zeros(4)}, r"scores must have the shape \(5\)"),
        ({"labels": np.zeros(4, int)}, "labels must be integers, one for each of the 5 boxes"),
        ({"corners": np.zeros((3, 4, 2))}, r"corners must have the shape \(4, 2\) or \(1, 4, 2\)"),
        ({"corners": None}, "need either corners or a homography"),
        ({"format": "xywh"}, "format must be 'xyxy' or 'cxcywh'"),
    ],
)
def test_detections_that_do_not_fit(change, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        decode(detected(MEN, **change), **DETECT)


def test_detections_from_arrow() -> None:
    kind = pa.list_(
        pa.struct(
            [("box", pa.list_(pa.float32(), 4)), ("label", pa.int32()), ("score", pa.float32())]
        )
    )
    rows = [
        {"box": box_at(square), "label": ORDER.index(letter), "score": 0.99}
        for square, letter in MEN.items()
    ]
    column = pa.array([[], rows, None], kind)
    found = Detections.from_arrow(column, corners=CORNERS)
    assert decode(found, **DETECT).placements().to_pylist()[1] == BOARD
    sliced = Detections.from_arrow(pa.chunked_array([column[1:2], column[1:]]), corners=CORNERS)
    assert decode(sliced, **DETECT).placements().to_pylist()[:2] == [BOARD, BOARD]
    with pytest.raises(TypeError, match="column must be a list of structs"):
        Detections.from_arrow(pa.array([1]))
    with pytest.raises(TypeError, match="must have the fields box, label and score"):
        Detections.from_arrow(pa.array([[{"box": 1}]]))


def test_no_boxes_at_all() -> None:
    for labels, scores in (([], []), (None, [])):
        found = Detections([0, 0], [], scores, labels, corners=CORNERS)
        decoded = decode(found, **DETECT, errors="null", rules="none")
        assert decoded.placements().to_pylist() == ["8/8/8/8/8/8/8/8"]


def test_detections_from_arrow_that_are_none() -> None:
    struct = pa.struct([("box", pa.list_(pa.float32())), ("label", pa.int32()), ("score", "f4")])
    fine = {"box": [0, 0, 50, 50], "label": 0, "score": 0.5}
    for bad, message in (
        (fine | {"box": [0, 0, 50]}, "box must be four numbers"),
        (fine | {"box": [0, 0, 50, None]}, "box holds a null"),
        (fine | {"box": None}, "box is null"),
        (fine | {"label": None}, "label is null"),
        (None, "the struct is null"),
    ):
        column = pa.array([[fine], None, [], [fine, bad, fine]], pa.list_(struct))
        for rows, row in ((column, 3), (column[1:], 2)):
            with pytest.raises(ValueError, match=f"column row {row}, box 1: {message}"):
                Detections.from_arrow(rows, corners=CORNERS)
    text = pa.array([[{"box": "abcd", "label": 0, "score": 0.5}]])
    with pytest.raises(TypeError, match="box must be a list of four numbers, got string"):
        Detections.from_arrow(text, corners=CORNERS)


# --- strings ---------------------------------------------------------------------------------

FLAT = "....k......................p........................P.......K..R"


@pytest.mark.parametrize(
    "text",
    [
        BOARD,
        "1111k111/8/8/111p1111/8/8/1111P111/1111K11R",
        BOARD.replace("/", "-"),
        BOARD.replace("/", "_"),
        BOARD.replace("/", "|"),
        FLAT,
        FLAT.replace(".", "x"),
        FLAT.replace(".", " "),
        FLAT.replace(".", "_"),
        FLAT.replace(".", "1"),
        f"{BOARD}\r\n",
        f"\ufeff{BOARD}",
        f"{BOARD}+",
        f"{BOARD.replace('/', '-')}.png",
        f"{BOARD} w - - 0 1",
        f"{BOARD} b KQkq - 0 1",
        f"{BOARD} W - -",
        f" {BOARD} ",
    ],
)
def test_f5_52_spellings(text: str) -> None:
    decoded = decode([text], kind="text")
    assert decoded.placements().to_pylist() == [BOARD]


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "Model can't find valid chessboard layout",
        BOARD.replace("8", "9", 1),
        BOARD.replace("8", "0", 1),
        BOARD.replace("4k3", "4k2"),
        BOARD.replace("4k3", "4k4"),
        BOARD.partition("/")[2],
        f"8/{BOARD}",
        f"{BOARD}\0",
        BOARD.replace("8", "８", 1),  # full width
        BOARD.replace("R", "Z"),
        f"{BOARD} nonsense",
        f"{BOARD} x - - 0 1",
        FLAT[:-1],
        f"{FLAT}.",
        BOARD.replace("/", "\\"),
    ],
)
def test_f5_52_what_is_no_placement(text: str) -> None:
    with pytest.raises(ValueError, match="scores row 1: the text is no placement"):
        decode([BOARD, text], kind="text")
    decoded = decode([BOARD, text, None], kind="text", errors="null")
    assert decoded.status.to_pylist() == [Status.FINE, Status.UNREADABLE, Status.NULL]
    assert decoded.placements().to_pylist() == [BOARD, None, None]


def test_f5_52_a_board_printed_upside_down() -> None:
    upside_down = "RNBKQBNR/PPPPPPPP/11111111/11111111/11111111/11111111/pppppppp/rnbkqbnr"
    assert decode([upside_down], kind="text", orientation="auto").placements().to_pylist() == [
        PLACEMENT
    ]


def test_f5_52_fields_tell_the_turn() -> None:
    decoded = decode([f"{BOARD} b - - 0 1", f"{BOARD} w - -", BOARD], kind="text")
    assert decoded.turn.to_pylist() == ["b", "w", None]
    assert decode([f"{BOARD} b - -"], kind="text", turn="w").turn.to_pylist() == ["w"]


def test_text_is_decoded_under_the_rules() -> None:
    two_kings = BOARD.replace("R", "K")
    assert decode([two_kings], kind="text").changed.to_pylist() != [0]
    assert decode([two_kings], kind="text", rules="none").placements().to_pylist() == [two_kings]
    with pytest.raises(TypeError, match="do not go with kind='text'"):
        decode([BOARD], kind="text", classes=CLASSES)


def test_f5_53_a_very_long_text_is_refused_at_once() -> None:
    long = "8/" * 5_000_000
    decoded = decode([long, BOARD], kind="text", errors="null")
    assert decoded.status.to_pylist() == [Status.UNREADABLE, Status.FINE]


# --- Arrow -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def scores(sample: list[str]) -> np.ndarray:
    return look_alike(boards_of(sample[:500]), 1.6, seed=54)


def test_f5_54_fixed_size_lists(scores: np.ndarray) -> None:
    expected = own(scores)
    flat = pa.array(scores.reshape(-1))
    whole = pa.FixedSizeListArray.from_arrays(flat, 832)
    nested = pa.FixedSizeListArray.from_arrays(pa.FixedSizeListArray.from_arrays(flat, 13), 64)
    for column in (whole, nested):
        assert own(column).positions.equals(expected.positions)
        assert own(column[100:200]).positions.equals(expected.positions[100:200])
        chunked = pa.chunked_array([column[:3], column[3:]])
        decoded = own(chunked)
        assert [len(chunk) for chunk in decoded.positions.chunks] == [3, 497]
        assert decoded.positions.combine_chunks().equals(expected.positions)
    for kind in (pa.float16(), pa.float64()):
        other = pa.FixedSizeListArray.from_arrays(flat.cast(kind), 832)
        assert len(own(other)) == 500
    series = pl.Series(scores.reshape(500, 832), dtype=pl.Array(pl.Float32, 832))
    assert own(series).to_table()["positions"].combine_chunks().equals(expected.positions)
    empty = own(whole[:0])
    assert len(empty) == 0
    assert empty.to_table().schema.equals(expected.to_table().schema)


def test_f5_54_nulls(scores: np.ndarray) -> None:
    rows = scores[:4].reshape(4, 832).tolist()
    rows[1] = None
    column = pa.array(rows, pa.list_(pa.float32(), 832))
    for part, at in ((column, 1), (column[1:], 0)):
        decoded = own(part)
        assert decoded.positions.null_count == 1
        assert decoded.status.to_pylist()[at] == Status.NULL
        assert decoded.positions[at].as_py() is None
    rows[2][5] = None
    inner = pa.array(rows, pa.list_(pa.float32(), 832))
    with pytest.raises(ValueError, match="scores row 2: a score is NaN"):
        own(inner)
    assert own(inner, errors="null").status.to_pylist() == [
        Status.FINE,
        Status.NULL,
        Status.NOT_FINITE,
        Status.FINE,
    ]


def test_f5_54_wrong_columns(scores: np.ndarray) -> None:
    flat = pa.array(scores.reshape(-1))
    with pytest.raises(ValueError, match="scores must have the shape"):
        own(pa.FixedSizeListArray.from_arrays(flat, 64))
    with pytest.raises(TypeError, match="column of fixed-size lists"):
        own(pa.array([[1.0] * 832]))
    with pytest.raises(TypeError, match="lists of numbers"):
        own(pa.FixedSizeListArray.from_arrays(pa.array(["a"] * 832), 832))
    with pytest.raises(TypeError, match="floating-point numbers"):
        own(pa.FixedSizeListArray.from_arrays(pa.array([1] * 832), 832))


def test_f5_54_columns_of_text() -> None:
    texts = [BOARD, None, PLACEMENT.replace("/", "-"), "no board"]
    expected = decode(texts, kind="text", errors="null")
    plain = pa.array(texts)
    for column in (
        plain.cast(pa.large_string()),
        plain.cast(pa.string_view()),
        plain.dictionary_encode(),
        plain.cast(pa.binary()),
        pa.concat_arrays([plain, plain])[4:],
        np.array(texts, object),
    ):
        decoded = decode(column, kind="text", errors="null")
        assert decoded.to_table().equals(expected.to_table())
    for column in (
        pa.chunked_array([plain[:1], plain[1:1], plain[1:]]),
        pa.chunked_array([plain.dictionary_encode()]),
        pl.Series(texts),
    ):
        decoded = decode(column, kind="text", errors="null")
        assert decoded.positions.combine_chunks().equals(expected.positions)
        assert decoded.status.to_pylist() == expected.status.to_pylist()


def test_the_names_of_squares_are_those_of_positions() -> None:
    ids = np.zeros((1, 64), np.uint8)
    ids[0, [SQUARE_NAMES.index("e1"), SQUARE_NAMES.index("g7")]] = 6, 12
    assert decode(ids, kind="ids", **OWN).placements().to_pylist() == ["8/6k1/8/8/8/8/8/4K3"]
    assert fp.parse(["8/6k1/8/8/8/8/8/4K3"], dialect="placement").null_count == 0
