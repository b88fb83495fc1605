"""Nothing in a text column raises or panics: whatever cannot be read is a problem of its row."""

import pickle

import numpy as np
import pyarrow as pa
import pytest

import fenpack as fp
from fenpack import Problem

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
PLACEMENT = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
KB, MB = 1_000, 1_000_000

# Unreadable bytes and one problem that they must have.
HOSTILE = {
    "nul": (b"\0", Problem.NON_ASCII),
    "nul before": (b"\0" + START.encode(), Problem.NON_ASCII),
    "nul after": (START.encode() + b"\0", Problem.NON_ASCII),
    "nul for a blank": (START.replace(" ", "\0").encode(), Problem.NON_ASCII),
    "nul for an empty square": (START.replace("8", "\0", 1).encode(), Problem.NON_ASCII),
    "nul for a turn": (START.replace(" w ", " \0 ").encode(), Problem.BAD_TURN),
    "nul for the last right": (START.replace("KQkq", "KQk\0").encode(), Problem.NON_ASCII),
    "nul after the rights": (START.replace("KQkq", "KQ\0").encode(), Problem.NON_ASCII),
    "nul for no right": (START.replace("KQkq", "\0").encode(), Problem.NON_ASCII),
    "nul after no right": (START.replace("KQkq", "-\0").encode(), Problem.NON_ASCII),
    "nuls": (b"\0" * 56, Problem.NON_ASCII),
    "byte 0x80": (b"\x80", Problem.NON_ASCII),
    "byte 0xff": (b"\xff", Problem.NON_ASCII),
    "bytes 0xff": (b"\xff" * 200, Problem.NON_ASCII),
    "cut UTF-8": (START.encode() + b"\xe2\x99", Problem.NON_ASCII),
    "overlong slash": (START.encode().replace(b"/", b"\xc0\xaf"), Problem.NON_ASCII),
    "encoded surrogate": (b"\xed\xa0\x80" + START.encode(), Problem.NON_ASCII),
    "UTF-16": (START.encode("utf-16"), Problem.NON_ASCII),
    "high bit set": (bytes(byte | 0x80 for byte in START.encode()), Problem.NON_ASCII),
    "chess symbols": (START.replace("K", "\N{WHITE CHESS KING}").encode(), Problem.NON_ASCII),
    "wide digits": (START.replace("8", "\N{FULLWIDTH DIGIT EIGHT}").encode(), Problem.NON_ASCII),
    "delete": (START.encode() + b"\x7f", Problem.NON_ASCII),
    "byte order mark": (b"\xef\xbb\xbf", Problem.EMPTY),
    "nothing": (b"", Problem.EMPTY),
    "blank": (b" ", Problem.EMPTY),
    "10 kB of blanks": (b" " * (10 * KB), Problem.EMPTY),
    "10 kB of line ends": (b"\r\n" * (5 * KB), Problem.EMPTY),
    "a slash": (b"/", Problem.RANK_COUNT),
    "seven slashes": (b"/" * 7, Problem.RANK_WIDTH),
    "eight slashes": (b"/" * 8, Problem.VARIANT_SYNTAX),
    "63 slashes": (b"/" * 63, Problem.RANK_COUNT),
    "64 slashes": (b"/" * 64, Problem.RANK_COUNT),
    "65 slashes": (b"/" * 65, Problem.RANK_COUNT),
    "10 kB of slashes": (b"/" * (10 * KB), Problem.RANK_COUNT),
    "slashes for a placement": (b"/" * 7 + b" w - - 0 1", Problem.RANK_WIDTH),
    "10 kB of digits": (b"8" * (10 * KB), Problem.RANK_WIDTH),
    "10 kB of ones": (b"1" * (10 * KB), Problem.RANK_WIDTH),
    "10 kB of zeros": (b"0" * (10 * KB), Problem.BAD_PIECE_CHAR),
    "10 kB of kings": (b"K" * (10 * KB), Problem.RANK_WIDTH),
    "10 kB of ranks": (b"8/" * (5 * KB), Problem.RANK_COUNT),
    "10 kB of dashes": (b"-" * (10 * KB), Problem.BAD_PIECE_CHAR),
    "10 kB of fields": (b"w " * (5 * KB), Problem.FIELD_COUNT),
    "10 kB of FEN": (START.encode() * 200, Problem.FIELD_COUNT),
    "10 kB of braces": (b"{}" * (5 * KB), Problem.BAD_PIECE_CHAR),
    "10 kB of percent signs": (b"%s" * (5 * KB), Problem.BAD_PIECE_CHAR),
    "10 kB turn": (f"{PLACEMENT} {'w' * 10 * KB} - - 0 1".encode(), Problem.BAD_TURN),
    "10 kB castling": (f"{PLACEMENT} w {'-' * 10 * KB} - 0 1".encode(), Problem.BAD_CASTLING_CHARS),
    "10 kB en passant": (f"{PLACEMENT} w - {'e3' * 5 * KB} 0 1".encode(), Problem.BAD_EP_SYNTAX),
    "10 kB halfmove": (f"{PLACEMENT} w - - {'9' * 10 * KB} 1".encode(), Problem.COUNTER_OVERFLOW),
    "10 kB fullmove": (f"{PLACEMENT} w - - 0 {'9' * 10 * KB}".encode(), Problem.COUNTER_OVERFLOW),
    "2**16": (f"{PLACEMENT} w - - 65536 1".encode(), Problem.COUNTER_OVERFLOW),
    "2**32": (f"{PLACEMENT} w - - 0 4294967296".encode(), Problem.COUNTER_OVERFLOW),
    "2**64 + 1": (f"{PLACEMENT} w - - 0 18446744073709551617".encode(), Problem.COUNTER_OVERFLOW),
    "minus one": (f"{PLACEMENT} w - - -1 1".encode(), Problem.BAD_HALFMOVE),
    "10 MB of slashes": (b"/" * (10 * MB), Problem.RANK_COUNT),
    "10 MB of nuls": (b"\0" * (10 * MB), Problem.NON_ASCII),
    "10 MB of blanks": (b" " * (10 * MB), Problem.EMPTY),
    "10 MB of ranks": (b"8/" * (5 * MB), Problem.RANK_COUNT),
    "10 MB of 0xff": (b"\xff" * (10 * MB), Problem.NON_ASCII),
    "10 MB after a FEN": (START.encode() + b" x" * (5 * MB), Problem.FIELD_COUNT),
}
hostile = pytest.mark.parametrize(("text", "problem"), HOSTILE.values(), ids=HOSTILE)
SHORT = {name: row for name, row in HOSTILE.items() if len(row[0]) < MB}
short = pytest.mark.parametrize(("text", "problem"), SHORT.values(), ids=SHORT)

# Readable, but not what a FEN looks like.
ODD_BUT_READABLE = {
    "10 kB of blanks before": " " * 10 * KB + START,
    "10 kB of blanks after": START + " " * 10 * KB,
    "10 kB between fields": START.replace(" ", " " * 2 * KB),
    "10 kB of zeros before a number": f"{PLACEMENT} w KQkq - {'0' * 10 * KB} 1",
    "10 kB of line ends": START + "\r\n" * 5 * KB,
    "10 kB of rights": f"{PLACEMENT} w {'KQkq' * 3 * KB} - 0 1",
    "10 MB of blanks": START + " " * 10 * MB,
    "64 ones": "/".join(["1" * 8] * 8) + " w - - 0 1",
    "byte order mark": "\N{BYTE ORDER MARK}" + START,
    "10 kB of operations": f"{PLACEMENT} w KQkq - " + 'c0 "x";' * KB,
}


# --- one row ---------------------------------------------------------------------------------


@hostile
def test_hostile_rows_have_their_problem(text, problem):
    (bits,) = fp.validate(pa.array([text])).to_pylist()
    assert problem in Problem(bits)


@hostile
def test_hostile_rows_are_invalid(text, problem):
    del problem
    assert fp.is_valid(pa.array([text]), level="syntax").to_pylist() == [False]
    assert fp.is_valid(pa.array([text]), level="legal").to_pylist() == [False]


@hostile
@pytest.mark.parametrize("dialect", ["lenient", "fen"])
def test_hostile_rows_have_no_position(text, problem, dialect):
    del problem
    assert fp.parse(pa.array([text]), dialect=dialect).to_pylist() == [None]


@hostile
def test_hostile_rows_have_no_canonical_text(text, problem):
    del problem
    assert fp.canonicalize(pa.array([text])).to_pylist() == [None]


@pytest.mark.parametrize("text", ODD_BUT_READABLE.values(), ids=ODD_BUT_READABLE)
def test_long_but_readable_rows_are_read(text):
    assert fp.is_valid([text], level="syntax").to_pylist() == [True]
    (canonical,) = fp.canonicalize([text]).to_pylist()
    assert canonical == (START if START[:43] in text else "8/8/8/8/8/8/8/8 w - - 0 1")


@short
@pytest.mark.parametrize(
    "text_type",
    [pa.large_binary(), pa.binary_view(), pa.dictionary(pa.int8(), pa.binary())],
    ids=str,
)
def test_hostile_rows_are_the_same_in_every_type(text, problem, text_type):
    column = pa.array([text, START.encode(), text]).cast(text_type)
    before, start, after = map(Problem, fp.validate(column).to_pylist())
    assert problem in before
    assert (before, start) == (after, Problem(0))


@short
def test_hostile_neighbours_change_nothing(text, problem):
    del problem
    column = pa.array([text, START.encode(), None, text, START.encode()])
    assert fp.is_valid(column).to_pylist() == [False, True, None, False, True]
    assert fp.canonicalize(column).to_pylist() == [None, START, None, None, START]
    assert fp.format(fp.parse(column)).to_pylist() == [None, START, None, None, START]


@short
def test_what_follows_a_row_is_not_read(text, problem):
    """The fast paths load whole words: bytes behind a row's end must not count."""
    del problem
    column = pa.array([START.encode(), text])
    assert fp.validate(column[:1]).to_pylist() == [0]
    assert fp.canonicalize(column[:1]).to_pylist() == [START]


@pytest.mark.parametrize("length", range(len(START) + 1))
def test_a_cut_fen_is_not_completed_by_the_next_row(length):
    values = pa.py_buffer(START.encode())
    offsets = pa.py_buffer(np.array([0, length, len(START)], np.int32))
    column = pa.Array.from_buffers(pa.string(), 2, [None, offsets, values])
    assert fp.validate(column).equals(fp.validate([START[:length], START[length:]]))


# --- a million rows of garbage ---------------------------------------------------------------


def garbage(rows, alphabet, longest, seed=20261130):
    """A binary column of `rows` random rows of at most `longest` bytes of `alphabet`."""
    random = np.random.default_rng(seed)
    lengths = random.integers(0, longest, rows, endpoint=True)
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    values = np.frombuffer(alphabet, np.uint8)[random.integers(0, len(alphabet), offsets[-1])]
    return pa.Array.from_buffers(
        pa.binary(), rows, [None, pa.py_buffer(offsets), pa.py_buffer(values)]
    )


ANY_BYTE = garbage(1_000_000, bytes(range(256)), 80)
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


FENS = {
    "start": START,
    "en passant": "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
    "middlegame": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "endgame": "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 12 34",
    "four fields": "4k3/8/8/8/8/8/8/4K3 w - -",
    "by file": "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w HAha - 4 4",
}


def mutated(rows, seed=20261130):
    """FENs with a byte changed at random in each, and a second in half of them."""
    random = np.random.default_rng(seed)
    fens = np.array([fen.encode() for fen in FENS.values()])
    chosen = random.integers(0, len(fens), rows)
    lengths = np.strings.str_len(fens)[chosen]
    texts = fens.view(np.uint8).reshape(len(fens), fens.itemsize)[chosen]
    alphabet = np.frombuffer(b"pnbrqkPNBRQK123456789/ wb-KQkqaceh36\0\xff_\t", np.uint8)
    for changed in (np.arange(rows), np.arange(rows // 2)):
        at = random.integers(0, lengths[changed])
        texts[changed, at] = alphabet[random.integers(0, len(alphabet), len(changed))]
    return pa.array([text.tobytes()[:n] for text, n in zip(texts, lengths, strict=True)])


MUTATED = mutated(50_000)


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
