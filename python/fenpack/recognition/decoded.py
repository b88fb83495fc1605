"""What decoding gives: columns, one row for each board."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields
from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pyarrow as pa

from fenpack.columns import format
from fenpack.position import PositionArray, PositionType

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["SENTENCES", "Decoded", "Flag", "Status", "whole"]


class Status(IntEnum):
    """What became of a row."""

    FINE = 0
    NULL = 1
    NOT_FINITE = 2
    OUT_OF_RANGE = 3
    NOT_NORMALISED = 4
    PROBABILITIES = 5
    INFEASIBLE = 6
    UNREADABLE = 7
    BAD_ID = 8
    BAD_CORNERS = 9


#: What each status but the first two says of a row.
SENTENCES = {
    Status.NOT_FINITE: "a score is NaN, or infinite where only a log score may be -inf",
    Status.OUT_OF_RANGE: "a score is out of the range of its kind",
    Status.NOT_NORMALISED: "the probabilities of a square do not sum to 1",
    Status.PROBABILITIES: "the scores of every square sum to 1, so they are probs and no logits",
    Status.INFEASIBLE: "no board is allowed by what is forbidden and forced",
    Status.UNREADABLE: "the text is no placement",
    Status.BAD_ID: "an id names no class",
    Status.BAD_CORNERS: "the corners or the homography show no board",
}


class Flag(IntFlag):
    """What is worth knowing of how a row was decoded.

    Those that begin with ``ARGMAX`` are about the best class of each square, which the rules may
    not allow; the others about the position.
    """

    ARGMAX_NO_WHITE_KING = 1 << 0
    ARGMAX_EXTRA_WHITE_KING = 1 << 1
    ARGMAX_NO_BLACK_KING = 1 << 2
    ARGMAX_EXTRA_BLACK_KING = 1 << 3
    ARGMAX_PAWN_ON_BACK_RANK = 1 << 4
    ARGMAX_PAWNS_GT_8 = 1 << 5
    ARGMAX_PROMOTION_EXCESS = 1 << 6
    ARGMAX_EMPTY = 1 << 7
    ARGMAX_KINGS_ADJACENT = 1 << 8
    ARGMAX_BOTH_IN_CHECK = 1 << 9
    PROMOTED = 1 << 10
    NEXT_BEST = 1 << 11
    KINGS_ADJACENT = 1 << 12
    BOTH_IN_CHECK = 1 << 13
    ORIENTATION_UNSURE = 1 << 14
    LOOKS_TURNED = 1 << 15
    TURN_CONTRADICTED = 1 << 16


@dataclass(frozen=True, eq=False)
class Decoded:
    """Decoded boards as pyarrow columns of equal length.

    A row without a position is null in every column but `status`. Squares are in the order of
    positions, a1 first; bit *s* of a mask is square *s*.

    Attributes
    ----------
    positions : PositionArray
        The best board that the rules allow. Black to move where `turn` says so, else White.
    status : UInt8Array
        A `Status`.
    argmax : PositionArray
        The best class of each square, in the same orientation, whatever the rules say.
    changed : UInt64Array
        The squares where the two differ.
    flags : UInt32Array
        `Flag` bits.
    orientation : UInt16Array
        The degrees by which the picture was turned clockwise to bring White to the bottom: 0, 90,
        180 or 270.
    orientation_score : FloatArray
        In nats, for this orientation over the best other one that was asked about, else over the
        board turned by 180 degrees.
    turn : StringArray
        ``"w"``, ``"b"``, or null where neither is given or forced by a check.
    turn_reason : StringArray
        ``"given"``, ``"check"`` or null.
    margin : FixedSizeListArray of float, optional
        For each square what the best allowed board with another class there scores less.
    runner_up : FixedSizeListArray of uint8, optional
        The class of the square in that board: 0 empty, 1 to 6 PNBRQK, 7 to 12 pnbrqk.
    board_margin : FloatArray, optional
        The least margin: the gap to the second-best board.
    unsure : UInt64Array, optional
        The squares whose margin is below the threshold.
    dropped : UInt32Array, optional
        Boxes of detections that were on no square.
    """

    positions: pa.Array
    status: pa.Array
    argmax: pa.Array
    changed: pa.Array
    flags: pa.Array
    orientation: pa.Array
    orientation_score: pa.Array
    turn: pa.Array
    turn_reason: pa.Array
    margin: pa.Array | None = None
    runner_up: pa.Array | None = None
    board_margin: pa.Array | None = None
    unsure: pa.Array | None = None
    dropped: pa.Array | None = None

    @classmethod
    def of_table(cls, table: pa.Table) -> Decoded:
        """Take the columns of `to_table`, such as ``fenpack decode`` writes; others are left out.

        Parameters
        ----------
        table : pyarrow.Table
            At least the columns that are not optional.

        Returns
        -------
        Decoded
            Each column as one array.

        Raises
        ------
        ValueError
            If a column is missing.
        """
        known = {field.name: field.default is MISSING for field in fields(cls)}
        missing = [name for name, needed in known.items() if needed > (name in table.column_names)]
        if missing:
            raise ValueError(f"table has no column {', '.join(missing)}")
        names = [name for name in known if name in table.column_names]
        return cls(**{name: whole(table.column(name)) for name in names})

    def to_table(self) -> pa.Table:
        """Give the columns that there are as a pyarrow Table.

        Returns
        -------
        pyarrow.Table
            A column for each attribute that is not None.
        """
        names = [field.name for field in fields(self) if getattr(self, field.name) is not None]
        return pa.table({name: getattr(self, name) for name in names})

    def __len__(self) -> int:
        return len(self.positions)

    def margins(self) -> NDArray[np.float32]:
        """Give the margins as an array.

        Returns
        -------
        ndarray of float32, shape (N, 64)
            In nats, squares from a1; NaN for a null row.

        Raises
        ------
        ValueError
            If they were not asked for.
        """
        if self.margin is None:
            raise ValueError("there are no margins; decode with margins=True")
        column = whole(self.margin)
        values = column.values.to_numpy()[column.offset * 64 :][: len(column) * 64].reshape(-1, 64)
        values = values.astype(np.float32)
        values[np.asarray(column.is_null())] = np.nan
        return values  # type: ignore[no-any-return]

    def placements(self) -> pa.Array:
        """Give field 1 of the FEN of each row.

        Returns
        -------
        StringArray or ChunkedArray of string
            Piece placements; null for null.
        """
        import pyarrow.compute as pc

        texts = format(self.positions, counters="drop")
        return pc.list_element(pc.split_pattern(texts, " ", max_splits=1), 0)

    def fens(self, *, unknown_turn: Literal["w", "b"] | None = None) -> pa.Array:
        """Give the FEN of each row with the counters ``0 1``.

        Parameters
        ----------
        unknown_turn : {"w", "b"}, optional
            The side to move of a row whose turn is not known; without it, such a row is null.

        Returns
        -------
        StringArray
            FEN text; null for null.
        """
        import pyarrow.compute as pc

        if unknown_turn not in (None, "w", "b"):
            raise ValueError(f'unknown_turn must be "w", "b" or None, got {unknown_turn!r}')
        unknown = pc.is_null(self.turn)
        positions = self.positions
        if unknown_turn == "b":
            positions = _to_black(whole(positions), np.asarray(whole(unknown)))
        texts = format(positions)
        if unknown_turn is None:
            return pc.if_else(unknown, pa.scalar(None, texts.type), texts)
        return texts


def whole(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    """Give a column as one array."""
    if not isinstance(column, pa.ChunkedArray):
        return column
    if column.num_chunks == 1:
        return column.chunk(0)
    if isinstance(column.type, PositionType):
        chunks = [chunk.storage for chunk in column.chunks]
        storage = pa.concat_arrays(chunks or [pa.array([], column.type.storage_type)])
        return pa.ExtensionArray.from_storage(column.type, storage)
    return pa.concat_arrays(column.chunks or [pa.array([], column.type)])


def _to_black(positions: PositionArray, where: NDArray[Any]) -> PositionArray:
    records = positions.to_numpy(writable=True)
    records["flags"][where] |= 1
    plain = PositionArray.from_numpy(records).storage
    if not positions.null_count:
        return PositionArray.from_numpy(records)
    validity = pa.array(np.asarray(positions.is_valid())).buffers()[1]
    storage = pa.Array.from_buffers(plain.type, len(plain), [validity, plain.buffers()[1]])
    array: PositionArray = pa.ExtensionArray.from_storage(PositionType(), storage)
    return array
