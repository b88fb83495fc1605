"""Scores of recognizers to positions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import pyarrow as pa

from fenpack import _native
from fenpack.recognition import options
from fenpack.recognition.decoded import SENTENCES, Decoded, Status, whole
from fenpack.recognition.games import log_shares
from fenpack.recognition.speech import Speech
from fenpack.recognition.squares import SQUARE_NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from fenpack.inputs import Column
    from fenpack.recognition.presets import Kind
    from fenpack.recognition.source import Source

__all__ = ["decode"]

Orientation: TypeAlias = Literal["white", "black", "auto", "any", 0, 90, 180, 270]

#: Boards decoded at a time; results do not depend on it.
BATCH = 1 << 13


def decode(
    scores: Any,
    *,
    classes: str | Sequence[str] | None = None,
    squares: str | Sequence[str] | None = None,
    kind: Kind | None = None,
    orientation: Orientation = "white",
    rules: Literal["legal", "kings", "none"] = "legal",
    promotion_penalty: float = 4.0,
    temperature: float = 1.0,
    eps: float = 1e-6,
    empty: Literal["complement"] | float | None = None,
    occupancy: Any = None,
    confidence: Any = None,
    force: Mapping[str, str] | NDArray[Any] | None = None,
    forbid: Mapping[str, str] | NDArray[Any] | None = None,
    prior: Literal["games"] | NDArray[Any] | None = None,
    prior_weight: float = 0.25,
    margins: bool = False,
    unsure_below: float = 4.0,
    orientation_min_score: float = 10.0,
    turn: Literal["w", "b"] | Column | None = None,
    castling: str | Column = "none",
    errors: Literal["raise", "null"] = "raise",
) -> Decoded:
    """Read each board from a recognizer's scores: the best position that the rules allow.

    The sum of the log scores over the 64 squares, less `promotion_penalty` for each promoted man,
    is maximised exactly. What the numbers are is never guessed: say `classes`, `squares` and
    `kind`, or name a preset that does.

    Parameters
    ----------
    scores : array, Arrow column, Detections or column of text
        Scores of C classes: (N, 64, C), (N, 8, 8, C), (N, C, 8, 8), (N, 64 * C), or one board
        without N; an Arrow column of fixed-size lists of as many, nested or not. float32 is read in
        place, other floating-point types are converted batch by batch. With ``kind="ids"``, class
        numbers: (N, 64), (N, 8, 8), an Arrow column of lists or of fixed_size_binary[64]. With
        ``kind="text"``, placements. `Detections`, or an Arrow column of lists of structs with the
        fields ``box``, ``label``, ``score`` wrapped by `Detections.from_arrow`.
    classes : str or sequence of str
        The class order, one character or name a column (see `class_order`), or the name of a
        preset (see `PRESETS`), which also says `squares`, `kind` and `empty` unless they are
        given. Two empty columns are merged. None for text.
    squares : str or sequence of str
        The square order (see `square_order`) of the picture with White at the bottom. None for
        text and detections.
    kind : {"probs", "logits", "logprobs", "sigmoid", "regression", "ids", "text"}
        What the numbers are: probabilities that sum to 1 on a square; log probabilities but for a
        constant; log probabilities; independent probabilities; values without a scale.
    orientation : {"white", "black", "auto", "any"} or degrees
        What is at the bottom, or the degrees by which the picture must be turned clockwise to
        bring White there: ``"white"`` is 0, ``"black"`` 180, with 90 a1 is at the bottom right.
        ``"auto"`` turns by 180 degrees, and ``"any"`` by any quarter turn, where the men stand
        more as in games by `orientation_min_score`; else the board stays upright and is flagged.
    rules : {"legal", "kings", "none"}
        ``"legal"``: one king a side, no pawn on a back rank, no more men than pawns can have
        become, kings apart, not both in check. ``"kings"``: the first two. ``"none"``: the argmax.
    promotion_penalty : float
        Nats that each promoted man costs, 0 to inf.
    temperature : float
        Divides the log scores.
    eps : float
        The least probability of a class, for kinds that are no logs.
    empty : "complement" or float, optional
        What tells an empty square if no column does: what the best man leaves of 1, or a constant
        score.
    occupancy : array, optional
        A first stage: scores of (empty, occupied), or of occupied alone, beside `scores` of the
        twelve men; both of `kind`.
    confidence : array, optional
        The probability of each id; the other classes share the rest.
    force, forbid : mapping or array, optional
        From square names to the classes (letters of ``.PNBRQKpnbrqk``) that a square of the board
        may or may not have, in all rows. Or, by position square: class numbers (64,) or (N, 64),
        -1 for free; booleans (64, 13) or (N, 64, 13).
    prior : "games" or array of shape (13, 64), optional
        Log probabilities of each class on each square, added with `prior_weight`. Needs the
        right orientation, and is wrong for composed positions.
    prior_weight : float
        Its weight.
    margins : bool
        Compute margins and runners-up.
    unsure_below : float
        The margin below which a square is unsure.
    orientation_min_score : float
        Nats, see `orientation`. Ten leave 0.2 % of the clearer 89 % of positions wrong.
    turn : {"w", "b"} or column, optional
        The side to move, of all rows or of each. Never guessed: without it only a check tells.
    castling : {"none", "home"}, str or column
        No rights, those that kings and rooks on their squares allow, or a castling field, of all
        rows or of each; rights that do not hold are dropped.
    errors : {"raise", "null"}
        A row without a position raises, or becomes null with its status.

    Returns
    -------
    Decoded
        Columns of N rows, in chunks if the input came in chunks; null for null.

    Raises
    ------
    TypeError
        If something needed is not said, or an argument is of the wrong type.
    ValueError
        If an argument is none of the above, a shape is wrong, or with ``errors="raise"`` a row has
        no position; the message names the row and the square.

    Examples
    --------
    >>> import numpy as np
    >>> from fenpack.recognition import decode
    >>> ids = np.zeros((1, 64), np.uint8)
    >>> ids[0, [4, 60, 12]] = 6, 6, 1
    >>> scores = np.full((1, 64, 13), -9.0, np.float32)
    >>> np.put_along_axis(scores, ids[..., None].astype(int), 0, 2)
    >>> scores[0, 60, 12] = -1  # a black king is the next best on e8
    >>> decoded = decode(scores, classes=".PNBRQKpnbrqk", squares="a1", kind="logits")
    >>> decoded.placements().to_pylist()
    ['4k3/8/8/8/8/8/4P3/4K3']
    """
    if errors not in ("raise", "null"):
        raise ValueError(f'errors must be one of "raise", "null", got {errors!r}')
    if rules not in ("legal", "kings", "none"):
        raise ValueError(f'rules must be one of "legal", "kings", "none", got {rules!r}')
    eps = options.number(eps, "eps", 0.0, 0.5, inclusive=False)
    speech = Speech.of(scores, classes, squares, kind, empty)
    sources, chunked = speech.sources(scores, occupancy, confidence, eps)
    threshold = options.number(unsure_below, "unsure_below", 0.0)
    settings = {
        "turnings": options.turnings(orientation),
        "rules": rules,
        "promotion_penalty": options.number(promotion_penalty, "promotion_penalty", 0.0),
        "temperature": options.number(temperature, "temperature", 1e-3, 1e6),
        "eps": eps,
        "usual": log_shares().tolist(),
        "prior": options.prior_table(prior),
        "prior_weight": options.number(prior_weight, "prior_weight", 0.0, 1e6),
        "min_score": options.number(orientation_min_score, "orientation_min_score", 0.0),
        "castling": (0, 0),
        "threshold": threshold if margins else None,
    }
    rows = sum(source.rows for source in sources)
    beside = _Beside(
        options.turns(turn, rows),
        options.castling_rights(castling, rows),
        *options.allowed_classes(force, forbid, rows),
    )
    tables, start = [], 0
    for source in sources:
        tables.append(_decode_source(source, settings, beside, start, errors == "raise"))
        start += source.rows
    if not chunked:
        [columns] = tables
        return Decoded(**columns)
    return Decoded(
        **{name: pa.chunked_array([table[name] for table in tables]) for name in tables[0]}
    )


@dataclass(frozen=True)
class _Beside:
    """What is known of the rows beside their scores."""

    turns: NDArray[np.uint8] | None
    castling: NDArray[np.uint16] | None
    allowed: NDArray[np.uint16] | None
    shared: bool


def _decode_source(
    source: Source, settings: dict[str, Any], beside: _Beside, first: int, strict: bool
) -> dict[str, pa.Array]:
    """Decode one source, whose first row is row `first` of the column."""
    constant = source.empty if isinstance(source.empty, float) else 0.0
    rule = "constant" if isinstance(source.empty, float) else source.empty
    decoder = _native.Decoder(
        kind=source.kind,
        places=source.places,
        others=source.others,
        empty=rule,
        constant=constant,
        **settings,
    )
    parts: list[dict[str, pa.Array]] = []
    for start in range(0, max(source.rows, 1), BATCH):
        stop = min(start + BATCH, source.rows)
        parts.append(_decode_batch(decoder, source, beside, start, stop, first, strict))
    names = list(parts[0])
    return {name: whole(pa.chunked_array([part[name] for part in parts])) for name in names}


def _decode_batch(
    decoder: _native.Decoder,
    source: Source,
    beside: _Beside,
    start: int,
    stop: int,
    first: int,
    strict: bool,
) -> dict[str, pa.Array]:
    batch = source.batch(start, stop)
    here = slice(first + start, first + stop)
    turns = _overridden(batch.turns, None if beside.turns is None else beside.turns[here])
    allowed = beside.allowed
    if allowed is not None:
        allowed = (allowed if beside.shared else allowed[here]).reshape(-1)
    decoded, fault = decoder.decode(
        batch.numbers,
        stop - start,
        batch.stride,
        known=None if batch.status is None else pa.array(batch.status == Status.FINE),
        turns=None if turns is None else pa.array(turns),
        castling=None if beside.castling is None else pa.array(beside.castling[here]),
        allowed=None if allowed is None else pa.array(allowed),
    )
    columns = {name: decoded.column(name) for name in decoded.schema.names}
    status = columns["status"].to_numpy()
    if batch.status is not None:
        status = np.where(batch.status == Status.FINE, status, batch.status)
        columns["status"] = pa.array(status)
    if strict:
        _refuse(status, here.start, fault)
    if batch.dropped is not None:
        columns["dropped"] = pa.array(batch.dropped)
    return columns


def _overridden(
    read: NDArray[np.uint8] | None, given: NDArray[np.uint8] | None
) -> NDArray[np.uint8] | None:
    """Take the turn that is given, else the one that was read."""
    if read is None or given is None:
        return read if given is None else given
    return np.where(given > 0, given, read)


def _refuse(
    status: NDArray[np.uint8], first: int, fault: tuple[int, int, int | None] | None
) -> None:
    """Raise for the first row without a position that is not null."""
    bad = status > Status.NULL
    if not bad.any():
        return
    row = int(np.argmax(bad))
    where = ""
    if fault is not None and fault[0] == row and fault[2] is not None:
        where = f", square {SQUARE_NAMES[fault[2]]}"
    raise ValueError(f"scores row {first + row}{where}: {SENTENCES[Status(status[row])]}")
