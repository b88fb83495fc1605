"""Outputs of chess recognizers to positions, exactly and in bulk."""

from fenpack.recognition.classes import class_order
from fenpack.recognition.decoded import Decoded, Flag, Status
from fenpack.recognition.decoding import decode
from fenpack.recognition.detections import Detections
from fenpack.recognition.evaluation import Evaluation, Share, evaluate
from fenpack.recognition.layouts import Layout, LayoutReport, explain_layout
from fenpack.recognition.presets import PRESETS, Preset
from fenpack.recognition.squares import square_order

__all__ = [
    "PRESETS",
    "Decoded",
    "Detections",
    "Evaluation",
    "Flag",
    "Layout",
    "LayoutReport",
    "Preset",
    "Share",
    "Status",
    "class_order",
    "decode",
    "evaluate",
    "explain_layout",
    "square_order",
]
