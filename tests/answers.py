"""One column of texts and what each function answers to it."""

import pyarrow as pa
import pytest

import fenpack as fp
from fenpack import Problem
from texts import START

REPAIRED = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
CANONICAL = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
THREE_KINGS = "8/8/8/8/8/8/8/KKk5 w - - 0 1"

# text, problems, valid, the position read from it (written again), canonical text
ROWS = [
    (START, Problem(0), True, START, START),
    (None, None, None, None, None),
    (
        "rnbqkbnr/pppppppp/44/8/4P3/8/PPPP1PPP/RNBQKBNR b QKkq e3",
        Problem.FIELD_COUNT
        | Problem.ADJACENT_DIGITS
        | Problem.CASTLING_ORDER
        | Problem.EP_NOT_CAPTURABLE,
        True,
        REPAIRED,
        CANONICAL,
    ),
    ("", Problem.EMPTY, False, None, None),
    (
        THREE_KINGS,
        Problem.EXTRA_WHITE_KING | Problem.OPPOSITE_CHECK | Problem.KINGS_ADJACENT,
        False,
        THREE_KINGS,
        THREE_KINGS,
    ),
    ("8/8 w - - 10", Problem.FIELD_COUNT | Problem.RANK_COUNT, False, None, None),
    (None, None, None, None, None),
    ("8/8 w - - 0 1", Problem.RANK_COUNT, False, None, None),
    ("4k3/8/8/8/8/8/5PPPP/4K3 w - - 0 1", Problem.RANK_WIDTH, False, None, None),
    (f"{START}\r\n", Problem.WHITESPACE, True, START, START),
]
TEXTS, *ANSWERS = (list(column) for column in zip(*ROWS, strict=True))
FIXED_TEXTS = [text for text in TEXTS if text is not None]


def parse_and_format(fens):
    return fp.format(fp.parse(fens))


QUESTIONS = [
    pytest.param(fp.validate, ANSWERS[0], id="validate"),
    pytest.param(fp.is_valid, ANSWERS[1], id="is_valid"),
    pytest.param(parse_and_format, ANSWERS[2], id="parse"),
    pytest.param(fp.canonicalize, ANSWERS[3], id="canonicalize"),
]
FUNCTIONS = [question.values[0] for question in QUESTIONS]
ask = pytest.mark.parametrize(("function", "answers"), QUESTIONS)

TEXT_TYPES = [
    pa.string(),
    pa.large_string(),
    pa.string_view(),
    pa.binary(),
    pa.large_binary(),
    pa.binary_view(),
]
each_text_type = pytest.mark.parametrize("text_type", TEXT_TYPES, ids=str)


def two_parts(texts):
    return [texts[:3], texts[3:]]
