"""What cannot be read is explained: by `explain` and by the error that `parse` raises."""

import pickle

import pyarrow as pa
import pytest

import fenpack as fp
from fenpack import Problem
from garbage import ANY_BYTE, MUTATED
from hostile import HOSTILE, ODD_BUT_READABLE, hostile
from texts import START

# --- explain ---------------------------------------------------------------------------------


def is_utf8(text):
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


UTF8 = {name: row[0].decode() for name, row in HOSTILE.items() if is_utf8(row[0])}
LONE_SURROGATES = {
    "lone surrogate": "\ud800",
    "escaped byte": b"\xff".decode("utf-8", "surrogateescape"),
    "escaped bytes": (START.encode() + b"\xe2\x99").decode("utf-8", "surrogateescape"),
}
EXPLAINED = UTF8 | ODD_BUT_READABLE | LONE_SURROGATES
explained = pytest.mark.parametrize("text", EXPLAINED.values(), ids=EXPLAINED)


@explained
def test_explain_names_the_problems_that_validate_finds(text):
    column = pa.array([text.encode("utf-8", "surrogatepass")])
    diagnosis = fp.explain(text)
    assert diagnosis.problems == fp.validate(column)[0].as_py()
    named = Problem(0)
    for finding in diagnosis.findings:
        named |= finding.problem
    assert named == diagnosis.problems


@explained
def test_explain_keeps_the_text(text):
    assert fp.explain(text).fen == text


@explained
def test_explain_points_into_the_text(text):
    length = len(text.encode("utf-8", "surrogatepass"))
    for finding in fp.explain(text).findings:
        start, end = finding.span
        assert 0 <= start <= end <= length


@explained
def test_explain_prints_little_and_only_printable(text):
    printed = str(fp.explain(text))
    assert len(printed) < 50_000
    assert all(line.isprintable() for line in printed.split("\n"))


@pytest.mark.parametrize("column", [MUTATED[:2000], ANY_BYTE[:2000]], ids=["mutated", "any byte"])
def test_explain_explains_garbage(column):
    texts = [row.decode("latin-1") for row in column.to_pylist()]
    problems = fp.validate(texts).to_pylist()
    for text, bits in zip(texts, problems, strict=True):
        diagnosis = fp.explain(text)
        assert diagnosis.problems == bits
        assert all(finding.sentence for finding in diagnosis.findings)
        assert "{" not in "".join(f.sentence for f in diagnosis.findings if "{" not in text)


@pytest.mark.parametrize("fen", [b"", START.encode(), None, 1, [START], pa.scalar(START)])
def test_explain_takes_one_str(fen):
    with pytest.raises(TypeError, match=rf"^fen must be one str, got {type(fen).__name__}"):
        fp.explain(fen)


# --- errors="raise" --------------------------------------------------------------------------

REASONS = {
    "nothing": ("", 0, "the text is empty"),
    "nul": (START[:9] + "\0" + START[10:], 9, r"byte 9 \(0x00\) is not printable ASCII"),
    "wide rank": ("8/9/8/8/8/8/8/8 w - - 0 1", 2, "`9` on rank 7"),
    "short rank": ("8/8/8/8/8/7/8/8 w - - 0 1", 10, "rank 3 `7` has 7 squares instead of 8"),
    "seven ranks": ("8/8/8/8/8/8/8 w - - 0 1", 0, "7 ranks instead of 8"),
    "turn": ("8/8/8/8/8/8/8/8 x - - 0 1", 16, "the side to move `x`"),
    "castling": ("8/8/8/8/8/8/8/8 w KX - 0 1", 19, "`X` does not belong in the castling field"),
    "en passant": ("8/8/8/8/8/8/8/8 w - e9 0 1", 20, "the en passant square `e9`"),
    "halfmove": ("8/8/8/8/8/8/8/8 w - - x 1", 22, "the halfmove clock `x`"),
    "fullmove": ("8/8/8/8/8/8/8/8 w - - 0 x", 24, "the fullmove number `x`"),
    "overflow": ("8/8/8/8/8/8/8/8 w - - 0 65536", 24, "the counter `65536` is above 65535"),
    "three fields": ("8/8/8/8/8/8/8/8 w -", 0, "3 fields instead of 6"),
    "two bytes a letter": ("8/8/8/8/8/8/8/\u00e97 w - - 0 1", 14, r"byte 14 \(0xc3\)"),
}


@pytest.mark.parametrize(("text", "offset", "reason"), REASONS.values(), ids=REASONS)
def test_errors_name_row_byte_and_reason(text, offset, reason):
    with pytest.raises(fp.FenError, match=rf"^row 2, byte {offset}, .*{reason}") as caught:
        fp.parse([START, None, text, "8"], errors="raise")
    error = caught.value
    assert (error.row, error.fen, error.offset) == (2, text, offset)
    assert not error.diagnosis.readable


def test_errors_are_value_errors():
    assert issubclass(fp.FenError, ValueError)


@pytest.mark.parametrize("row", [0, 5, 8_191, 8_192, 70_000, 300_000])
@pytest.mark.parametrize("lengths", [(), (5, 0), (8_192, 8_192), (200_000, 7)])
def test_errors_count_rows_over_chunks(row, lengths):
    texts = pa.array([START] * 300_001)
    texts = pa.concat_arrays([texts[:row], pa.array(["bad"]), texts[row + 1 :]])
    starts = [sum(lengths[:i]) for i in range(len(lengths) + 1)]
    ends = [*starts[1:], len(texts)]
    chunks = [texts[start:end] for start, end in zip(starts, ends, strict=True)]
    with pytest.raises(fp.FenError, match=rf"^row {row}, byte 0, `bad`: ") as caught:
        fp.parse(pa.chunked_array(chunks), errors="raise")
    assert caught.value.row == row


def test_errors_name_the_first_row():
    texts = [START] * 300_000
    for row in (123_456, 123_457, 250_000, 299_999):
        texts[row] = f"bad {row}"
    with pytest.raises(fp.FenError) as caught:
        fp.parse(texts, errors="raise")
    assert (caught.value.row, caught.value.fen) == (123_456, "bad 123456")


def test_errors_count_rows_of_slices_from_the_slice():
    column = pa.array(["bad", START, START, "worse"])[1:]
    with pytest.raises(fp.FenError, match=r"^row 2, byte 0, `worse`"):
        fp.parse(column, errors="raise")


def test_errors_count_rows_of_dictionaries_over_chunks():
    chunks = [["bad", START, START], [START, "worse", "worse"]]
    chunks = [pa.array(chunk).dictionary_encode() for chunk in chunks]
    with pytest.raises(fp.FenError, match=r"^row 3, byte 0, `worse`"):
        fp.parse(pa.chunked_array([chunks[0][1:], chunks[1]]), errors="raise")


def test_unused_dictionary_values_are_no_errors():
    column = pa.DictionaryArray.from_arrays(pa.array([0, None, 0], pa.int8()), ["8", START][::-1])
    assert fp.format(fp.parse(column, errors="raise")).to_pylist() == [START, None, START]


def test_nulls_are_no_errors():
    assert fp.parse([None, START, None], errors="raise").null_count == 2


def test_errors_without_a_bad_row_change_nothing():
    assert fp.parse([START], errors="raise").equals(fp.parse([START]))


@pytest.mark.parametrize(
    ("dialect", "text", "reason"),
    [
        ("fen", START + " ", "one space"),
        ("fen", START[:-4], "4 fields"),
        ("fen", "8/8/8/8/8/8/8/44 w - - 0 1", "two digits side by side|digits"),
        ("fen", START.replace("KQkq", "QKqk"), "not in the order K Q k q"),
        ("fen", "8/8/8/8/8/8/8/8 w - e3 0 1", "e3"),
        ("placement", "8/8/8/8/8/8/8", "7 ranks"),
        ("placement", "8-8-8-8-8-8-8-7x", "`x`"),
    ],
)
def test_errors_of_each_dialect(dialect, text, reason):
    with pytest.raises(fp.FenError, match=reason):
        fp.parse([text], dialect=dialect, errors="raise")


def test_errors_show_bytes_that_are_not_utf8():
    with pytest.raises(fp.FenError, match=r"row 0, byte 0, .*\\xff\\xfe 8/8") as caught:
        fp.parse(pa.array([b"\xff\xfe 8/8"]), errors="raise")
    assert caught.value.fen.encode("utf-8", "surrogateescape") == b"\xff\xfe 8/8"


@hostile
def test_errors_are_short(text, problem):
    del problem
    with pytest.raises(fp.FenError, match=r"^row 1, byte ") as caught:
        fp.parse(pa.array([START.encode(), text]), errors="raise")
    message = str(caught.value)
    assert len(message) < 1_000
    assert message.isprintable()


def test_errors_survive_pickling():
    """A worker process hands its exception over by pickle."""
    with pytest.raises(fp.FenError) as caught:
        fp.parse([START, "bad"], errors="raise")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (str(copy), copy.row, copy.fen) == (str(caught.value), 1, "bad")


def test_diagnoses_survive_pickling():
    diagnosis = fp.explain("bad")
    assert pickle.loads(pickle.dumps(diagnosis)) == diagnosis
