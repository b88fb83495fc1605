"""Garbage has no meaning, and the fast paths read what the careful parser reads."""

import pyarrow as pa
import pytest

import fenpack as fp
from fenpack import Problem
from garbage import ANY_BYTE, MUTATED, garbage
from texts import FENS

# --- a million rows of garbage ---------------------------------------------------------------

FEN_BYTES = garbage(200_000, b"pnbrqkPNBRQK12345678/ w-", 90)
GARBAGE = {"any byte": ANY_BYTE, "FEN bytes": FEN_BYTES, "no bytes": pa.array([b""] * 1000)}
garbage_rows = pytest.mark.parametrize("column", GARBAGE.values(), ids=GARBAGE)


@garbage_rows
@pytest.mark.parametrize("chess960", [False, True])
def test_garbage_always_has_a_problem(column, chess960):
    problems = fp.validate(column, chess960=chess960).to_numpy()
    assert len(problems) == len(column)
    assert (problems & int(Problem.SYNTAX)).all()


@garbage_rows
@pytest.mark.parametrize(("level", "strict"), [("syntax", False), ("legal", True)])
def test_garbage_is_never_valid(column, level, strict):
    assert fp.is_valid(column, level=level, strict=strict).true_count == 0


@garbage_rows
@pytest.mark.parametrize("dialect", ["fen", "lenient", "placement"])
def test_garbage_has_no_position(column, dialect):
    assert fp.parse(column, dialect=dialect).null_count == len(column)


@garbage_rows
@pytest.mark.parametrize("en_passant", ["legal", "keep"])
def test_garbage_has_no_canonical_text(column, en_passant):
    assert fp.canonicalize(column, en_passant=en_passant).null_count == len(column)


# --- mutated FENs ----------------------------------------------------------------------------


def test_the_mutated_rows_are_of_both_kinds():
    readable = fp.is_valid(MUTATED, level="syntax").true_count
    assert 1_000 < readable < 49_000


@pytest.mark.parametrize("column", [MUTATED, ANY_BYTE[:50_000]], ids=["mutated", "any byte"])
def test_unreadable_means_the_same_to_every_function(column):
    readable = fp.is_valid(column, level="syntax")
    assert fp.parse(column).is_valid().equals(readable)
    assert fp.canonicalize(column).is_valid().equals(readable)


def test_strict_dialect_reads_no_syntax_problem():
    read = fp.parse(MUTATED, dialect="fen").is_valid()
    clean = fp.is_valid(MUTATED, level="syntax", strict=True)
    assert read.filter(clean).true_count == read.true_count > 0


def test_mutated_rows_are_canonicalized_once():
    once = fp.canonicalize(MUTATED).drop_null()
    assert fp.canonicalize(once).equals(once)


def test_mutated_positions_survive_their_text():
    positions = fp.parse(MUTATED).drop_null()
    again = fp.format(fp.parse(fp.format(positions)))
    assert again.equals(fp.format(positions))


# A blank in front sends a row past the fast paths to the careful parser and says nothing else.


def behind_a_blank(column):
    return pa.array([b" " + text for text in column.to_pylist()])


def edits(fen):
    """Every text that differs from `fen` in one byte, has one more, or lacks one."""
    byte = [bytes([value]) for value in range(256)]
    cuts = [(fen[:i], fen[i], fen[i + 1 :]) for i in range(len(fen))]
    changed = [before + new + after for before, _, after in cuts for new in byte]
    longer = [fen[:i] + new + fen[i:] for i in range(len(fen) + 1) for new in byte]
    shorter = [before + after for before, _, after in cuts]
    return pa.array(changed + longer + shorter)


EDITED = {name: edits(fen.encode()) for name, fen in FENS.items()}
careful_rows = pytest.mark.parametrize(
    "column", [*EDITED.values(), MUTATED], ids=[*EDITED, "mutated"]
)


def differing(column, one, other):
    """The rows of `column` where `one` and `other` differ."""
    pairs = zip(column.to_pylist(), one.to_pylist(), other.to_pylist(), strict=True)
    return [text for text, a, b in pairs if a != b]


@careful_rows
def test_fast_and_careful_problems_agree(column):
    blank = int(Problem.WHITESPACE)
    fast = fp.validate(column).to_numpy() | blank
    careful = fp.validate(behind_a_blank(column)).to_numpy() | blank
    assert differing(column, pa.array(fast), pa.array(careful)) == []


@careful_rows
@pytest.mark.parametrize("level", ["syntax", "legal"])
def test_fast_and_careful_verdicts_agree(column, level):
    fast = fp.is_valid(column, level=level)
    careful = fp.is_valid(behind_a_blank(column), level=level)
    assert differing(column, fast, careful) == []


@careful_rows
def test_fast_and_careful_positions_agree(column):
    assert differing(column, fp.parse(column), fp.parse(behind_a_blank(column))) == []


@careful_rows
def test_fast_and_careful_canonical_texts_agree(column):
    careful = fp.canonicalize(behind_a_blank(column))
    assert differing(column, fp.canonicalize(column), careful) == []


@careful_rows
def test_canonical_text_is_printable_ascii(column):
    written = fp.canonicalize(column).drop_null().to_pylist()
    assert [text for text in written if not (text.isascii() and text.isprintable())] == []
