"""Boxes of a detector on the squares of a board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fenpack.recognition.classes import IGNORED
from fenpack.recognition.decoded import Status
from fenpack.recognition.source import MEN, Batch, contiguous_places, dense
from fenpack.recognition.squares import square_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from fenpack.recognition.presets import Kind

__all__ = ["DetectionSource", "Detections"]

_PICTURE = ("a8", "h8", "h1", "a1")
_NUMBERS = 4
_LEAST_TURN = 1e-6


@dataclass(frozen=True, eq=False)
class Detections:
    """Boxes found in pictures, any number in each.

    Parameters
    ----------
    offsets : array of int, shape (N + 1,)
        The boxes of picture *i* are those from ``offsets[i]`` to ``offsets[i + 1]``.
    boxes : array of float, shape (M, 4)
        In pixels, y downwards.
    scores : array of float, shape (M,) or (M, 12)
        The probability of the label, or of each class of the class order.
    labels : array of int, shape (M,), optional
        The number of the class; without it, `scores` has all classes.
    corners : array of float, shape (4, 2) or (N, 4, 2), optional
        The corners of the board in the picture, of all pictures or of each.
    homography : array of float, shape (3, 3) or (N, 3, 3), optional
        Instead: takes a point (x, y, 1) of the picture to the board, 0 to 8 rightwards from the
        a-file and downwards from rank 8.
    format : {"xyxy", "cxcywh"}
        What a box is: two corners, or centre, width and height.
    anchor : "center" or (str, float)
        The point that stands on the board: the centre; ``("bottom", k)``, *k* widths above the
        middle of the lower edge; ``("center", k)``, *k* heights below the centre.
    corner_order : sequence of str
        Which corner each of `corners` is: by its square, or ``"TL"``, ``"TR"``, ``"BR"``, ``"BL"``
        for a picture with White at the bottom.

    Examples
    --------
    A queen on a3 and a bishop on e8 (classes 11 and 1 of the preset), squares of 20 pixels:

    >>> from fenpack.recognition import Detections, decode
    >>> found = Detections(
    ...     offsets=[0, 2],
    ...     boxes=[[0, 100, 20, 120], [80, 0, 100, 20]],
    ...     labels=[11, 1],
    ...     scores=[0.9, 0.8],
    ...     corners=[[0, 0], [160, 0], [160, 160], [0, 160]],
    ... )
    >>> decode(found, classes="roboflow", rules="none").placements().to_pylist()
    ['4b3/8/8/8/8/Q7/8/8']
    """

    offsets: Any
    boxes: Any
    scores: Any
    labels: Any = None
    corners: Any = None
    homography: Any = None
    format: Literal["xyxy", "cxcywh"] = "xyxy"
    anchor: str | tuple[str, float] = "center"
    corner_order: Sequence[str] = ("TL", "TR", "BR", "BL")

    @classmethod
    def from_arrow(cls, column: pa.Array | pa.ChunkedArray, **options: Any) -> Detections:
        """Take a list column of structs with the fields ``box``, ``label`` and ``score``.

        Parameters
        ----------
        column : ListArray of struct
            ``box`` is a list of four numbers. A null list is a picture without boxes.
        **options
            The other parameters.

        Returns
        -------
        Detections
            Of as many pictures as the column has rows.

        Raises
        ------
        TypeError
            If the column is of another type.
        ValueError
            If a struct, or a field of one, is null, or a box is not four numbers.
        """
        if isinstance(column, pa.ChunkedArray):
            column = column.combine_chunks()
        kind = column.type
        lists = pa.types.is_list(kind) or pa.types.is_large_list(kind)
        if not lists or not pa.types.is_struct(kind.value_type):
            raise TypeError(f"column must be a list of structs, got {kind}")
        names = {field.name for field in kind.value_type}
        if not {"box", "label", "score"} <= names:
            raise TypeError(f"column must have the fields box, label and score, got {kind}")
        counts = np.diff(np.asarray(column.offsets))
        counts[np.asarray(column.is_null())] = 0
        offsets = np.concatenate([[0], np.cumsum(counts)])
        rows = column.flatten()
        return cls(
            offsets=offsets,
            boxes=_boxes(rows, offsets),
            scores=rows.field("score").to_numpy(zero_copy_only=False),
            labels=rows.field("label").to_numpy(zero_copy_only=False),
            **options,
        )


class DetectionSource:
    """The best score of each class among the boxes that stand on a square.

    Parameters
    ----------
    detections : Detections
        The boxes.
    order : list of int
        The class of each label.
    kind : str
        ``"probs"`` or ``"sigmoid"``.
    empty : str or float
        What tells an empty square.
    """

    others = False

    def __init__(
        self, detections: Detections, order: list[int], *, kind: Kind, empty: str | float
    ) -> None:
        if kind not in ("probs", "sigmoid"):
            raise ValueError(f"kind must be 'probs' or 'sigmoid' for detections, got {kind!r}")
        # Scores of different boxes are independent.
        self.kind: Kind = "sigmoid"
        self.empty = empty
        self._order = np.array(order)
        self._offsets = _offsets(detections)
        self.rows = len(self._offsets) - 1
        self._boxes = _floats(detections.boxes, "boxes", (None, 4))
        self._scores, self._labels = _scores(detections, len(self._boxes), len(order))
        if self._offsets[-1] != len(self._boxes):
            raise ValueError(
                f"offsets must end with the number of boxes, {len(self._boxes)}, got "
                f"{self._offsets[-1]}"
            )
        self._points = _anchors(self._boxes, detections.format, detections.anchor)
        self._to_board, self._bad = _homographies(detections, self.rows)

    @property
    def places(self) -> list[list[int]]:
        """For each man the place in a row of each square."""
        return contiguous_places(MEN)

    def batch(self, start: int, stop: int) -> Batch:
        """Give the rows from `start` to `stop` as scores of twelve men."""
        rows = min(stop, self.rows) - start
        first, last = self._offsets[start], self._offsets[start + rows]
        counts = np.diff(self._offsets[start : start + rows + 1])
        row = np.repeat(np.arange(rows), counts)
        points = np.column_stack([self._points[first:last], np.ones(last - first)])
        shared = len(self._to_board) == 1
        maps = self._to_board[np.zeros_like(row) if shared else start + row]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            there = np.einsum("nij,nj->ni", maps, points)
            x, y = there[:, 0] / there[:, 2], there[:, 1] / there[:, 2]
            inside = (x >= 0) & (x < 8) & (y >= 0) & (y < 8)
        square = np.zeros(last - first, np.intp)
        square[inside] = np.floor(x[inside]).astype(np.intp) + 8 * (
            7 - np.floor(y[inside]).astype(np.intp)
        )
        status = np.zeros(rows, np.uint8)
        scores = self._scores[first:last]
        grid = np.zeros((rows, 64, MEN), np.float32)
        if self._labels is None:
            order = [int(np.flatnonzero(self._order == man)[0]) for man in range(1, MEN + 1)]
            at = (row[inside], square[inside])
            np.maximum.at(grid, at, scores[inside][:, order].astype(np.float32))
            usable = np.isfinite(scores).all(1)
            inside_range = ((scores >= 0) & (scores <= 1)).all(1)
        else:
            labels = self._labels[first:last]
            known = (labels >= 0) & (labels < len(self._order))
            status[row[~known]] = Status.BAD_ID
            man = self._order[np.where(known, labels, 0)]
            on = inside & known & (man != IGNORED)
            np.maximum.at(grid, (row[on], square[on], man[on] - 1), scores[on].astype(np.float32))
            usable = np.isfinite(scores)
            inside_range = (scores >= 0) & (scores <= 1)
        status[row[~inside_range]] = Status.OUT_OF_RANGE
        usable &= np.isfinite(self._points[first:last]).all(1)
        status[row[~usable]] = Status.NOT_FINITE
        bad = self._bad if shared else self._bad[start : start + rows]
        status[np.broadcast_to(bad, rows)] = Status.BAD_CORNERS
        dropped = np.bincount(row[~inside], minlength=rows).astype(np.uint32)
        return dense(grid, status=status, dropped=dropped)


def _boxes(rows: pa.StructArray, offsets: NDArray[np.int64]) -> NDArray[np.float64]:
    """Give the boxes of structs, those of picture *i* from ``offsets[i]`` on, as rows of four."""
    boxes = rows.field("box")
    kind = boxes.type
    lists = (
        pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)
    )
    if not lists or not (
        pa.types.is_floating(kind.value_type) or pa.types.is_integer(kind.value_type)
    ):
        raise TypeError(f"box must be a list of four numbers, got {kind}")

    def refuse(bad: NDArray[np.bool_], reason: str) -> None:
        if bad.any():
            at = int(np.argmax(bad))
            row = int(np.searchsorted(offsets, at, side="right")) - 1
            raise ValueError(f"column row {row}, box {at - offsets[row]}: {reason}")

    refuse(np.asarray(rows.is_null()), "the struct is null")
    for name in ("box", "label", "score"):
        refuse(np.asarray(rows.field(name).is_null()), f"{name} is null")
    lengths = np.asarray(pc.list_value_length(boxes))
    refuse(lengths != _NUMBERS, "box must be four numbers")
    flat = boxes.flatten()
    missing = np.asarray(flat.is_null()).reshape(-1, _NUMBERS)
    refuse(np.asarray(missing.any(1)), "box holds a null")
    return np.asarray(flat.to_numpy(zero_copy_only=False), np.float64).reshape(-1, _NUMBERS)


def _floats(values: Any, name: str, shape: tuple[int | None, ...]) -> NDArray[np.float64]:
    array = np.asarray(values)
    if array.shape == (0,):  # of an empty list
        return np.zeros([0 if size is None else size for size in shape])
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{name} must be numbers, got {array.dtype}")
    fits = array.ndim == len(shape) and all(
        want in (None, have) for want, have in zip(shape, array.shape, strict=True)
    )
    if not fits:
        wanted = ", ".join("M" if size is None else str(size) for size in shape)
        raise ValueError(f"{name} must have the shape ({wanted}), got {array.shape}")
    return array.astype(np.float64)


def _offsets(detections: Detections) -> NDArray[np.int64]:
    offsets = np.asarray(detections.offsets)
    if offsets.dtype.kind not in "iu" or offsets.ndim != 1 or not len(offsets):
        raise TypeError("offsets must be a one-dimensional array of integers, N + 1 long")
    offsets = offsets.astype(np.int64)
    if offsets[0] != 0 or (np.diff(offsets) < 0).any():
        raise ValueError("offsets must begin with 0 and never decrease")
    return offsets


def _scores(
    detections: Detections, count: int, columns: int
) -> tuple[NDArray[np.float64], NDArray[np.int64] | None]:
    if detections.labels is None:
        return _floats(detections.scores, "scores", (count, columns)), None
    labels = np.asarray(detections.labels)
    if labels.shape == (0,):
        labels = labels.astype(np.int64)
    if labels.dtype.kind not in "iu" or labels.shape != (count,):
        raise TypeError(f"labels must be integers, one for each of the {count} boxes")
    return _floats(detections.scores, "scores", (count,)), labels.astype(np.int64)


def _anchors(
    boxes: NDArray[np.float64], spelled: str, anchor: str | tuple[str, float]
) -> NDArray[np.float64]:
    if spelled == "xyxy":
        left, top, right, bottom = boxes.T
        x, y, width, height = (left + right) / 2, (top + bottom) / 2, right - left, bottom - top
    elif spelled == "cxcywh":
        x, y, width, height = boxes.T
    else:
        raise ValueError(f"format must be 'xyxy' or 'cxcywh', got {spelled!r}")
    match anchor:
        case "center":
            return np.column_stack([x, y])
        case ("bottom", float() | int() as widths):
            return np.column_stack([x, y + height / 2 - widths * width])
        case ("center", float() | int() as heights):
            return np.column_stack([x, y + heights * height])
    raise ValueError(
        f"anchor must be 'center', ('bottom', widths) or ('center', heights), got {anchor!r}"
    )


def _homographies(
    detections: Detections, rows: int
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Give the map from picture to board of each row, or of all, and which show no board."""
    if (detections.corners is None) == (detections.homography is None):
        raise TypeError("detections need either corners or a homography")
    if detections.homography is not None:
        maps = np.asarray(detections.homography, np.float64)
        maps = maps[None] if maps.ndim == 2 else maps
        _check_rows(maps, "homography", (3, 3), rows)
        with np.errstate(invalid="ignore", over="ignore"):
            bad = np.logical_not(np.isfinite(maps).all((1, 2)))
            size = np.abs(np.where(bad[:, None, None], 1.0, maps)).max((1, 2))
            flat = np.abs(np.linalg.det(np.where(bad[:, None, None], 0.0, maps)))
            bad |= flat <= 1e-12 * size**3
        return maps, bad
    corners = np.asarray(detections.corners, np.float64)
    corners = corners[None] if corners.ndim == 2 else corners
    _check_rows(corners, "corners", (4, 2), rows)
    corners = corners[:, _corner_places(detections.corner_order)]
    bad = ~_is_board(corners)
    unit = np.array([[0.0, 0.0], [8.0, 0.0], [8.0, 8.0], [0.0, 8.0]])
    # Rows without a board get one that does no harm.
    return _maps(np.where(bad[:, None, None], unit, corners), unit), bad


def _check_rows(array: NDArray[Any], name: str, shape: tuple[int, int], rows: int) -> None:
    if array.ndim != 3 or array.shape[1:] != shape or len(array) not in (1, rows):
        raise ValueError(
            f"{name} must have the shape {shape} or ({rows}, {shape[0]}, {shape[1]}), got "
            f"{array.shape}"
        )


def _corner_places(order: Sequence[str]) -> list[int]:
    """Give the place of a8, h8, h1 and a1 in the order that is given."""
    picture = dict(zip(("TL", "TR", "BR", "BL"), _PICTURE, strict=True))
    names = [picture.get(name, name) for name in order]
    for name in names:
        square_number(name)
    if sorted(names) != sorted(_PICTURE):
        raise ValueError(
            f"corner_order must name the corners a8, h8, h1 and a1, or TL, TR, BR and BL, got "
            f"{list(order)}"
        )
    return [names.index(name) for name in _PICTURE]


def _is_board(corners: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell whether a8, h8, h1, a1 go clockwise around a convex quadrilateral in the picture."""
    with np.errstate(invalid="ignore", over="ignore"):
        sides = np.roll(corners, -1, axis=1) - corners
        following = np.roll(sides, -1, axis=1)
        turns = sides[..., 0] * following[..., 1] - sides[..., 1] * following[..., 0]
        lengths = np.linalg.norm(sides, axis=2)
        size = lengths.max(1, keepdims=True)
        convex = (turns > _LEAST_TURN * size**2).all(1)
        return convex & np.isfinite(corners).all((1, 2))  # type: ignore[no-any-return]


def _maps(corners: NDArray[np.float64], unit: NDArray[np.float64]) -> NDArray[np.float64]:
    """Solve for the homographies that take `corners` to `unit`."""
    rows = len(corners)
    system = np.zeros((rows, 8, 8))
    x, y = corners[..., 0], corners[..., 1]
    for axis in range(2):
        target = unit[:, axis]
        lines = system[:, axis::2]
        lines[:, :, 3 * axis], lines[:, :, 3 * axis + 1] = x, y
        lines[:, :, 3 * axis + 2] = 1.0
        lines[:, :, 6], lines[:, :, 7] = -x * target, -y * target
    right = np.broadcast_to(unit.reshape(8, 1), (rows, 8, 1))
    solved = np.linalg.solve(system, right)[..., 0]
    return np.column_stack([solved, np.ones(rows)]).reshape(rows, 3, 3)
