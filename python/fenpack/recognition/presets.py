"""Presets: the class order, square order and kind of known recognizers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["KINDS", "PRESETS", "Form", "Kind", "Preset"]

Kind: TypeAlias = Literal["probs", "logits", "logprobs", "sigmoid", "regression", "ids", "text"]
Form: TypeAlias = Literal["scores", "two stages", "ids", "detections"]

KINDS = ("probs", "logits", "logprobs", "sigmoid", "regression", "ids", "text")


@dataclass(frozen=True)
class Preset:
    """How a recognizer speaks.

    Attributes
    ----------
    classes : str
        Its class order, see `class_order`.
    squares : str
        Its square order, see `square_order`.
    kind : str or None
        What its numbers are; None where its users make different ones of them.
    form : str
        The form of its output.
    empty : str or None
        What tells an empty square where no column does.
    source : str
        Where that was read.
    """

    classes: str
    squares: str
    kind: Kind | None
    source: str
    form: Form = "scores"
    empty: Literal["complement"] | None = None


#: The presets by name. docs/recognizers.md has them as a table.
PRESETS = {
    "tensorflow_chessbot": Preset(
        ".KQRBNPkqrbnp", "a1", "probs", "Elucidation/tensorflow_chessbot"
    ),
    "chessboard_fen_tfjs": Preset(
        ".KQRBNPkqrbnp", "a8-files", "probs", "Elucidation/ChessboardFenTensorflowJs"
    ),
    "linrock": Preset(".RNBQKPrnbqkp", "a8", "probs", "linrock/chessboard-recognizer"),
    "chessimg2pos": Preset(".RNBQKPrnbqkp", "a8", "logits", "chessimg2pos 0.1.6"),
    "board_to_fen": Preset("bB.kKnNpPqQrR", "a8", "probs", "board-to-fen 0.1.1"),
    "chess_fen_detector": Preset("prbnkqPRBNKQ.", "a8", "probs", "chess-fen-detector 0.2.0"),
    "chess_cv": Preset("bknpqrBKNPQR.", "a8", "logits", "chess-cv 0.7.2"),
    "chessvision": Preset("bknpqr.BKNPQR", "a8", "probs", "chessvision 0.13.1"),
    "chesspdftofen": Preset("bknpqr.BKNPQR.", "a8", "logits", "chesspdftofen 0.5.5"),
    "chess_diagram_to_fen": Preset(
        "PNBRQKpnbrqk.", "a8", "regression", "tsoj/Chess_diagram_to_FEN"
    ),
    "chess2fen_ai": Preset("kKqQrRbBnNpP.", "a8", "logits", "danieelst/chess2fen-ai"),
    "chesscog": Preset("bknpqrBKNPQR", "a1", None, "georg-wolflein/chesscog", form="two stages"),
    "livechess2fen": Preset("BKNPQR.bknpqr", "a8", "probs", "davidmallasen/LiveChess2FEN"),
    "fenify3d": Preset(".PNBRQKpnbrqk", "a1", "probs", "notnil/fenify-3D"),
    "camerachess": Preset(
        "bknpqrBKNPQR", "a1", "sigmoid", "Pbatch/CameraChessWeb", empty="complement"
    ),
    "chessboard_scanner": Preset(
        ".PNBRQKpnbrqk", "h1", "ids", "bagaturchess/ChessBoardScanner", form="ids"
    ),
    # Its order was not read in the annotations of the data set.
    "chessred": Preset(
        "PRNBQKprnbqk.", "a8", "sigmoid", "ThanosM97/end-to-end-chess-recognition (unconfirmed)"
    ),
    "roboflow": Preset(
        "!bknpqrBKNPQR",
        "a8",
        "sigmoid",
        "Roboflow chess-pieces",
        form="detections",
        empty="complement",
    ),
    "rf100": Preset(
        "!!bknpqrBKNPQR",
        "a8",
        "sigmoid",
        "RF100 chess-pieces",
        form="detections",
        empty="complement",
    ),
    "python_chess": Preset(".PNBRQKpnbrqk", "a1", None, "piece_type, +6 for Black; a1 = 0"),
}
