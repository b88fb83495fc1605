"""How a recognizer speaks, and its rows in whatever form they come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pyarrow as pa

from fenpack.inputs import as_pyarrow
from fenpack.recognition import options
from fenpack.recognition.arrays import ArraySource, as_array
from fenpack.recognition.classes import EMPTY, class_order
from fenpack.recognition.columns import arrow_chunks, fixed_rows, is_arrow
from fenpack.recognition.detections import Detections, DetectionSource
from fenpack.recognition.ids import IdSource
from fenpack.recognition.presets import KINDS, PRESETS, Kind, Preset
from fenpack.recognition.squares import square_order
from fenpack.recognition.stages import StageSource
from fenpack.recognition.texts import text_sources

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from fenpack.recognition.source import Source

__all__ = ["Speech"]

_LARGEST = float(np.finfo(np.float32).max)


@dataclass(frozen=True)
class Speech:
    """What `classes`, `squares`, `kind` and `empty` come to."""

    kind: Kind
    order: list[int]
    squares: NDArray[np.intp]
    empty: str | float | None

    @classmethod
    def of(
        cls,
        scores: Any,
        classes: str | Sequence[str] | None,
        squares: str | Sequence[str] | None,
        kind: Kind | None,
        empty: Literal["complement"] | float | None,
    ) -> Speech:
        """Take the arguments of `decode`, completed by a preset."""
        if kind is not None and kind not in KINDS:
            known = ", ".join(repr(name) for name in KINDS)
            raise ValueError(f"kind must be one of {known}, got {kind!r}")
        if kind == "text":
            if classes is not None or squares is not None:
                raise TypeError("classes and squares do not go with kind='text'")
            return cls(kind, [], square_order("a8"), None)
        preset = _preset(classes)
        if preset is not None:
            classes, squares = preset.classes, preset.squares if squares is None else squares
            kind = preset.kind if kind is None else kind
            empty = preset.empty if empty is None else empty
        if classes is None:
            raise TypeError("classes is needed: a class order, a list of names or a preset")
        if kind is None:
            raise TypeError(f"kind is needed, one of {', '.join(map(repr, KINDS))}")
        if isinstance(scores, Detections):
            if squares is not None and preset is None:
                raise TypeError("squares does not go with detections")
            squares = "a1"
        if squares is None:
            raise TypeError("squares is needed, for example 'a8' or 'a1'")
        order = class_order(classes)
        if empty is not None and empty != "complement":
            empty = options.number(empty, "empty", -np.inf, _LARGEST)
        return cls(kind, order, square_order(squares), empty)

    def sources(
        self, scores: Any, occupancy: Any, confidence: Any, eps: float
    ) -> tuple[list[Source], bool]:
        """Give the rows of `scores` and whether they came in chunks."""
        if self.kind != "ids" and confidence is not None:
            raise TypeError("confidence goes with kind='ids'")
        if self.kind == "text":
            texts = as_pyarrow(scores, "scores")
            chunks, chunked = arrow_chunks(texts)
            column = pa.chunked_array(chunks) if chunked else chunks[0]
            return list(text_sources(column, eps=eps)), chunked
        if isinstance(scores, Detections):
            return [DetectionSource(scores, self.order, kind=self.kind, empty=self._rule())], False
        if isinstance(scores, str | bytes):
            raise TypeError("scores must be an array or a column; for text say kind='text'")
        if occupancy is not None:
            arrays = as_array(scores), as_array(occupancy, "occupancy")
            source = StageSource(*arrays, self.order, self.squares, kind=self.kind, eps=eps)
            return [source], False
        if not is_arrow(scores):
            return [self._source(as_array(scores), confidence, eps, None)], False
        chunks, chunked = arrow_chunks(scores)
        if self.kind == "ids" and confidence is not None and len(chunks) > 1:
            raise TypeError("confidence goes with ids in one chunk; combine_chunks() first")
        parts = (fixed_rows(chunk) for chunk in chunks)
        return [self._source(array, confidence, eps, status) for array, status in parts], chunked

    def _source(
        self, array: NDArray[Any], confidence: Any, eps: float, status: NDArray[np.uint8] | None
    ) -> Source:
        if self.kind == "ids":
            if is_arrow(confidence):
                confidence = fixed_rows(arrow_chunks(confidence)[0][0])[0]
            sure = None if confidence is None else as_array(confidence, "confidence")
            return IdSource(
                array, self.order, self.squares, confidence=sure, eps=eps, status=status
            )
        return ArraySource(
            array, self.order, self.squares, kind=self.kind, empty=self._rule(), status=status
        )

    def _rule(self) -> str | float:
        """Give what tells an empty square."""
        if EMPTY in self.order:
            if self.empty is not None:
                raise ValueError("empty does not go with classes that have an empty column")
            return "column"
        if self.empty is None:
            raise ValueError(
                "classes has no empty column; say what tells an empty square: "
                "empty='complement', empty=<score>, or occupancy=<scores>"
            )
        if self.empty == "complement" and self.kind not in ("probs", "sigmoid"):
            raise ValueError("empty='complement' needs kind='probs' or kind='sigmoid'")
        return self.empty


def _preset(classes: str | Sequence[str] | None) -> Preset | None:
    if not isinstance(classes, str) or not set(classes) - set("PNBRQKpnbrqk._x!"):
        return None
    if classes not in PRESETS:
        raise ValueError(
            f"classes must be a class order, a list of names or one of the presets "
            f"{', '.join(PRESETS)}, got {classes!r}"
        )
    return PRESETS[classes]
