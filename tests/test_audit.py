"""The audit of whole data sets: counts, distinct positions, verdicts, report, command."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import chess
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import fenpack as fp
from fenpack import _native
from fenpack.__main__ import main
from fenpack.verdict import THRESHOLDS, share
from mutations import mutated

DOCS = Path(__file__).parents[1] / "docs" / "audit.md"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
KINGS_TOUCH = "8/8/8/8/8/8/5kK1/8 w - - 0 1"
CHESS960 = "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1"
LEGAL_TARGET = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"
PINNED_TARGET = "8/8/8/KPp4r/8/8/8/4k3 w - c6 0 40"
TURNED = "RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr w - - 0 1"


def ladder(found: fp.Audit) -> dict[str, int]:
    return {rung.name: rung.distinct for rung in found.ladder}


def brute_force_ladder(fens: list[str], *, chess960: bool = False) -> dict[str, int]:
    """Count the levels from canonical text, a row at a time."""
    whole = fp.canonicalize(fens, counters="drop", chess960=chess960).to_pylist()
    rows = [(text, key.split(" ")) for text, key in zip(fens, whole, strict=True) if key]
    return {
        "text": len({text for text, _ in rows}),
        "fields": len({first_fields(text) for text, _ in rows}),
        "position": len({tuple(key) for _, key in rows}),
        "board_side_rights": len({tuple(key[:3]) for _, key in rows}),
        "board_side": len({tuple(key[:2]) for _, key in rows}),
        "board": len({key[0] for _, key in rows}),
    }


def first_fields(text: str) -> str:
    body = text.removeprefix("\ufeff")
    blank = r"[ \t\r\n]" if re.search(r"[ \t\r\n]", body.strip(" \t\r\n")) else "_"
    found = re.match(
        rf"[ \t\r\n]*((?:(?!{blank}).)+(?:{blank}+(?:(?!{blank}).)+){{3}})", body, re.S
    )
    assert found is not None
    return found[1]


def python_chess_ladder(fens: list[str]) -> dict[str, int]:
    """Count the levels of legal standard positions with python-chess."""
    boards = [chess.Board(fen) for fen in fens]
    keys = [board.epd(en_passant="legal").split(" ") for board in boards]
    return {
        name: len({tuple(key[:fields]) for key in keys})
        for name, fields in (
            ("position", 4),
            ("board_side_rights", 3),
            ("board_side", 2),
            ("board", 1),
        )
    }


def counted(fens: pa.Array | list[str], *pieces: int, exact: int = _native.Audit.EXACT) -> fp.Audit:
    """Audit `fens` fed in pieces that end at `pieces`."""
    native = _native.Audit(False, 3, 0, exact)
    array = pa.array(fens, pa.string())
    for start, end in zip((0, *pieces), (*pieces, len(array)), strict=True):
        native.feed(array[start:end])
    return fp.Audit.of(native, "column")


@pytest.fixture(scope="module")
def wrong(sample: list[str]) -> list[str]:
    return [*mutated(sample, 60_000, seed=11), *sample[:20_000]]


class TestCounts:
    def test_as_validate_counts(self, wrong: list[str]) -> None:
        found = fp.audit(wrong, examples=2)
        problems = fp.validate(wrong)
        names = fp.problem_names(problems).to_pylist()
        counts = Counter(name for row in names for name in row)
        assert {p.name.lower(): n for p, n in found.counts.items() if p.name} == counts
        readable = fp.is_valid(wrong, level="syntax")
        assert (found.rows, found.nulls) == (len(wrong), 0)
        assert found.readable == readable.true_count
        assert found.valid == fp.is_valid(wrong).true_count
        for severity, mask in (
            ("syntax", fp.Problem.SYNTAX),
            ("illegal", fp.Problem.ILLEGAL),
            ("unreachable", fp.Problem.UNREACHABLE),
            ("suspicious", fp.Problem.SUSPICIOUS),
        ):
            assert found.severities[severity] == sum(
                bits & mask != 0 for bits in problems.to_pylist()
            )
        grades = Counter(map(grade, problems.to_pylist(), readable.to_pylist()))
        assert {name: count for name, count in found.grades.items() if count} == grades
        for problem, rows in found.examples.items():
            name = (problem.name or "").lower()
            first = [row for row, these in enumerate(names) if name in these][:2]
            assert [example.row for example in rows] == first

    def test_fields_of_positions(self, sample: list[str]) -> None:
        found = fp.audit(sample)
        positions = fp.parse(sample).to_numpy()
        boards = [fen.split(" ")[0] for fen in sample]
        men = Counter(sum(letter.isalpha() for letter in board) for board in boards)
        assert {n: count for n, count in enumerate(found.men) if count} == men
        assert found.side_to_move["black"] == int((positions["flags"] & 1).sum())
        given = sum(fen.split(" ")[3] != "-" for fen in sample)
        assert sum(found.en_passant.values()) - found.en_passant["none"] == given
        assert found.en_passant["superfluous"] == found.counts[fp.Problem.EP_NOT_CAPTURABLE]
        canonical = fp.canonicalize(sample).to_pylist()
        assert found.en_passant["legal"] == sum(fen.split(" ")[3] != "-" for fen in canonical)
        rights = [fen.split(" ")[2] for fen in canonical]
        held = {letter: sum(letter in right for right in rights) for letter in "KQkq"}
        assert found.rights == {**held, "none": rights.count("-")}

    @pytest.mark.parametrize(
        ("group", "kind", "fen"),
        [
            ("fields", "six", START),
            ("fields", "five", START[:-2]),
            ("fields", "four", START[:-4]),
            ("fields", "epd_operations", START[:-4] + ' id "x";'),
            ("castling", "none", KINGS_TOUCH),
            ("castling", "kqkq", START),
            ("castling", "shredder", START.replace("KQkq", "HAha")),
            ("castling", "xfen", "rr2k2r/8/8/8/8/8/8/RR2K2R w KBkb - 0 1"),
            ("geometry", "none", KINGS_TOUCH),
            ("geometry", "standard", START),
            ("geometry", "chess960", CHESS960),
            ("geometry", "impossible", "4k3/8/8/8/8/8/8/4K3 w K - 0 1"),
            ("en_passant", "none", START),
            ("en_passant", "legal", LEGAL_TARGET),
            ("en_passant", "pseudo_legal", PINNED_TARGET),
            ("en_passant", "superfluous", AFTER_E4),
            ("en_passant", "invalid", AFTER_E4.replace("e3", "e6")),
            ("en_passant", "invalid", AFTER_E4.replace("e3", "d3")),
            ("counters", "missing", START[:-2]),
            ("counters", "missing", START[:-4]),
            ("counters", "stub", START),
            ("counters", "stub", START[:-4] + " hmvc 0; fmvn 1;"),
            ("counters", "fullmove_0", START[:-1] + "0"),
            ("counters", "halfmove_gt_100", KINGS_TOUCH[:-3] + "101 99"),
            ("counters", "ordinary", KINGS_TOUCH[:-3] + "100 99"),
        ],
    )
    def test_each_kind(self, group: str, kind: str, fen: str) -> None:
        counts = getattr(fp.audit([fen]), group)
        assert counts == {name: int(name == kind) for name in counts}

    def test_unreadable_and_null_rows(self) -> None:
        found = fp.audit([None, "x", "", START])
        assert (found.rows, found.nulls, found.readable, found.valid) == (4, 1, 1, 1)
        assert found.invalid == 2
        assert set(ladder(found).values()) == {1}

    @pytest.mark.parametrize("rows", [[], [None, None]])
    def test_nothing(self, rows: list[None]) -> None:
        found = fp.audit(pa.array(rows, pa.string()))
        assert found.rows == len(rows)
        assert not found.invalid
        assert "nothing" in found.verdict[0].short
        assert found._repr_html_()
        assert str(found)

    def test_refusals(self) -> None:
        with pytest.raises(ValueError, match="examples"):
            fp.audit([START], examples=-1)
        with pytest.raises(TypeError, match="lone"):
            fp.audit(START)
        with pytest.raises(ValueError, match="row 1 is no packed position"):
            fp.audit(pa.array([b"\0" * 40, b"\xff" * 40], pa.binary(40)))
        native = _native.Audit(False, 3, 0)
        with pytest.raises(RuntimeError, match="itself"):
            native.merge(native)

    def test_positions_as_text(self, wrong: list[str]) -> None:
        positions = fp.parse(wrong)
        texts = fp.format(positions.filter(positions.is_valid()))
        packed, read = fp.audit(positions), fp.audit(texts)
        for name in ("readable", "valid", "men", "en_passant", "rights", "geometry"):
            assert getattr(packed, name) == getattr(read, name), name
        assert packed.nulls == positions.null_count
        assert packed.ladder == read.ladder[2:]
        assert packed.examples.keys() <= read.examples.keys()
        assert str(packed)
        assert packed._repr_html_()

    def test_a_dictionary_is_counted_by_row(self) -> None:
        column = pa.array([START, START, None, "x", START]).dictionary_encode()
        found = fp.audit(column)
        assert (found.rows, found.nulls, found.readable) == (5, 1, 3)
        assert found.examples[fp.Problem.RANK_COUNT][0].row == 3


def grade(problems: int, readable: bool) -> str:
    if not readable:
        return "unreadable"
    for name, mask in (
        ("illegal", fp.Problem.ILLEGAL),
        ("unreachable", fp.Problem.UNREACHABLE),
        ("repaired", fp.Problem.SYNTAX),
        ("suspicious", fp.Problem.SUSPICIOUS),
    ):
        if problems & mask:
            return name
    return "clean"


class TestLadder:
    def test_an_opening_book(self, uho: list[str]) -> None:
        found = fp.audit(uho)
        counts = ladder(found)
        assert counts["text"] == len(uho) == 242_201
        assert counts["position"] == 241_670
        assert counts["board_side_rights"] == 241_623
        assert counts == brute_force_ladder(uho)
        given = sum(found.en_passant.values()) - found.en_passant["none"]
        assert given == 23_143
        assert given - found.en_passant["legal"] == 21_751
        assert found.en_passant["superfluous"] == 21_750

    @pytest.mark.parametrize("chess960", [False, True])
    def test_real_rows(self, sample: list[str], chess960: bool) -> None:
        found = fp.audit(sample, chess960=chess960)
        assert ladder(found) == brute_force_ladder(sample, chess960=chess960)

    def test_mutated_rows(self, wrong: list[str]) -> None:
        assert ladder(fp.audit(wrong)) == brute_force_ladder(wrong)

    def test_as_python_chess_counts(self, sample: list[str]) -> None:
        fens = [fen for fen in sample if chess.Board(fen).is_valid()][:15_000]
        fens += [fen.replace(" b ", " w ") for fen in fens[:2000]]
        fens = [fen for fen in fens if chess.Board(fen).is_valid()]
        counts = ladder(fp.audit(fens))
        assert python_chess_ladder(fens).items() <= counts.items()

    def test_each_rung(self) -> None:
        rows = [
            START,
            START,
            START[:-4],
            START.replace("0 1", "0 2"),
            START.replace("KQkq", "QKqk"),
            AFTER_E4,
            AFTER_E4.replace("e3", "-"),
            LEGAL_TARGET,
            LEGAL_TARGET.replace("f6", "-"),
            LEGAL_TARGET.replace("KQkq", "Q").replace("f6", "-"),
            LEGAL_TARGET.replace("KQkq", "-").replace(" w ", " b ").replace("f6", "-"),
        ]
        assert list(ladder(fp.audit(rows)).values()) == [10, 8, 6, 5, 4, 3]

    @pytest.mark.parametrize("threads", [1, 3])
    def test_chunks_and_threads_change_nothing(self, wrong: list[str], threads: int) -> None:
        whole = fp.audit(wrong)
        before = fp.get_num_threads()
        fp.set_num_threads(threads)
        try:
            assert fp.audit(wrong) == whole
            array = pa.array(wrong)
            chunks = pa.chunked_array([array[:5], array[5:5], array[5:40_000], array[40_000:]])
            assert fp.audit(chunks) == whole
            assert counted(wrong, 1, 257, 9000, 50_001) == whole
        finally:
            fp.set_num_threads(before)

    def test_merging_is_counting_together(self, wrong: list[str]) -> None:
        array = pa.array(wrong)
        for exact in (_native.Audit.EXACT, 1000):
            together = _native.Audit(False, 3, 0, exact)
            together.feed(array)
            merged = _native.Audit(False, 3, 0, exact)
            for start in (50_000, 0, 20_000):
                end = {50_000: len(array), 0: 20_000, 20_000: 50_000}[start]
                part = _native.Audit(False, 3, 0, exact)
                part.feed(array[start:end])
                merged.merge(part)
            assert merged.ladder() == together.ladder()
            assert merged.totals() == together.totals()
            assert merged.habits() == together.habits()
            assert merged.men() == together.men()

    def test_estimates(self, wrong: list[str]) -> None:
        exact, estimated = fp.audit(wrong), counted(wrong, 30_000, exact=1000)
        assert all(rung.exact for rung in exact.ladder)
        assert not any(rung.exact for rung in estimated.ladder)
        assert estimated.ladder == counted(wrong, 1, 2, 70_000, exact=10).ladder
        for rung, truth in zip(estimated.ladder, exact.ladder, strict=True):
            assert abs(rung.distinct - truth.distinct) <= 5 * _native.Audit.ERROR * truth.distinct
        counts = [rung.distinct for rung in estimated.ladder]
        assert counts == sorted(counts, reverse=True)
        assert counts[0] <= estimated.readable
        assert "about" in str(estimated)
        assert "≈" in estimated._repr_html_()

    def test_the_limit_is_of_distinct_values(self) -> None:
        rows = [START, KINGS_TOUCH] * 100
        assert all(rung.exact for rung in counted(rows, exact=2).ladder)
        assert not any(rung.exact for rung in counted(rows, exact=1).ladder)


def verdict(rows: list[str], *, chess960: bool = False) -> dict[str, str]:
    return {item.topic: item.short for item in fp.audit(rows, chess960=chess960).verdict}


class TestVerdict:
    @pytest.mark.parametrize(
        ("rows", "topic", "short"),
        [
            ([START], "rows", "all readable"),
            ([START, "x"], "rows", "50.0 % unreadable"),
            ([START], "fields", "six fields"),
            ([START[:-4]], "fields", "four fields"),
            ([START[:-4] + " hmvc 1;"], "fields", "EPD"),
            ([START, START[:-4]], "fields", "mixed fields"),
            ([START] * 99 + [START[:-4]], "fields", "six fields"),
            ([START], "counters", "stub counters"),
            ([START[:-4]], "counters", "no counters"),
            ([START[:-3] + "7 9"], "counters", "counters given"),
            ([START[:-3] + "7 0"], "counters", "odd counters"),
            ([START], "chess", "standard chess"),
            ([CHESS960], "chess", "Chess960"),
            ([START, CHESS960], "chess", "standard and Chess960 mixed"),
            ([START] * 999 + [CHESS960], "chess", "standard chess"),
            ([KINGS_TOUCH], "chess", "no castling rights"),
            ([START], "en passant", "no en passant squares"),
            ([AFTER_E4], "en passant", "en passant: always"),
            ([LEGAL_TARGET], "en passant", "en passant: legal only"),
            ([LEGAL_TARGET, PINNED_TARGET], "en passant", "en passant: X-FEN"),
            ([LEGAL_TARGET] * 9 + [AFTER_E4], "en passant", "en passant: mixed"),
            ([AFTER_E4.replace("e3", "e6")], "en passant", "invalid en passant"),
            ([START], "positions", "no impossible row found"),
            ([START, KINGS_TOUCH], "positions", "50.0 % impossible"),
            ([START], "orientation", "none looks turned"),
            ([START, TURNED], "orientation", "50.0 % look turned"),
            ([START] * 999 + [TURNED], "orientation", "few look turned"),
            ([START, AFTER_E4], "duplicates", "no duplicates"),
            ([START, START[:-4]], "duplicates", "50.0 % duplicates"),
        ],
    )
    def test_shorts(self, rows: list[str], topic: str, short: str) -> None:
        assert verdict(rows)[topic] == short

    def test_chess960_as_such_is_no_complaint(self, chess960_book: list[str]) -> None:
        as_it_is = {item.topic: item for item in fp.audit(chess960_book, chess960=True).verdict}
        mislabelled = {item.topic: item for item in fp.audit(chess960_book).verdict}
        assert as_it_is["chess"].short == mislabelled["chess"].short == "Chess960"
        assert as_it_is["chess"].tone == "note"
        assert mislabelled["chess"].tone == "bad"
        assert "audit it with chess960" in mislabelled["chess"].sentence

    def test_an_opening_book(self, uho: list[str]) -> None:
        found = {item.topic: item.sentence for item in fp.audit(uho).verdict}
        assert "after every double push" in found["en passant"]
        assert found["duplicates"].startswith("531 of 242,201 readable rows (0.22 %)")
        assert "47 in a legal en passant square" in found["duplicates"]

    def test_what_cannot_be_known_is_not_said(self) -> None:
        found = {item.topic: item.sentence for item in fp.audit([KINGS_TOUCH]).verdict}
        assert "cannot be known" in found["en passant"]
        assert "look the same" in found["chess"]

    def test_thresholds_are_documented(self) -> None:
        page = DOCS.read_text("utf-8")
        for threshold in THRESHOLDS.values():
            assert f"| {threshold.meaning} | {threshold.value:.0%} |" in page

    def test_shares(self) -> None:
        assert share(0, 5) == "0 %"
        assert share(5, 5) == "100 %"
        assert share(1, 10**9) == "below 0.01 %"
        assert share(10**9 - 1, 10**9) == "above 99.99 %"
        assert share(1, 200) == "0.50 %"
        assert share(1, 3) == "33.3 %"


class Outline(HTMLParser):
    """The elements and attributes of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: Counter[str] = Counter()
        self.attributes: list[tuple[str, str | None]] = []
        self.open: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements[tag] += 1
        self.attributes += attrs
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements[tag] += 1
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>/8/8/8/8/8/8/8 w - - 0 1',
    "8/8/8/8/8/8/8/8 w - - 0 1 <script>",
    "</style></svg></div>",
    "a\0b\x1b[31m\u202e",
    "`code` & &amp; {0} %s",
    "k" * 100_000,
    "x/" * 7,
]


class TestReport:
    def test_self_contained(self, wrong: list[str], tmp_path: Path) -> None:
        file = tmp_path / "report.html"
        found = fp.audit(wrong)
        found.to_html(file)
        page = file.read_text("utf-8")
        bare = page.replace('xmlns="http://www.w3.org/2000/svg"', "")
        assert not re.search(r"https?:|[\"'(]//|url\(|@import|src=|href=", bare)
        outline = Outline(page)
        assert not outline.open
        assert outline.elements["svg"] > 30
        assert not {"script", "img", "link", "iframe", "object"} & outline.elements.keys()
        assert not [name for name, _ in outline.attributes if name.startswith("on")]
        for problem in found.counts:
            assert f"<code>{(problem.name or '').lower()}</code>" in page
        assert found._repr_html_() in page

    def test_everything_is_escaped(self, tmp_path: Path) -> None:
        file = tmp_path / "a<b>&\"'.fen"
        file.write_text("\n".join(HOSTILE), "utf-8")
        report = tmp_path / "report.html"
        assert main(["audit", str(file), str(file), "--html", str(report)]) == 1
        page = report.read_text("utf-8")
        outline = Outline(page)
        assert not outline.open
        assert not {"script", "img", "b>"} & outline.elements.keys()
        assert "<script" not in page
        assert "onerror" not in [name for name, _ in outline.attributes]
        assert not re.search(r"[\0-\x08\x0b-\x1f\u202e]", page)
        assert len(page) < 1_000_000

    def test_whole_or_absent(self, tmp_path: Path) -> None:
        found = fp.audit([START])
        with pytest.raises(OSError, match="nowhere"):
            found.to_html(tmp_path / "nowhere" / "report.html")
        found.to_html(tmp_path / "report.html")
        assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


class TestCommand:
    def test_several_files(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        one, two = tmp_path / "one.fen.gz", tmp_path / "two.parquet"
        one.write_bytes(gzip.compress(f"{START}\n{KINGS_TOUCH}\n".encode()))
        pq.write_table(pa.table({"id": [1, 2, 3], "FEN": [START, None, KINGS_TOUCH]}), two)
        report = tmp_path / "report.html"
        assert main(["audit", str(one), str(two), "--json", "--html", str(report)]) == 1
        found = json.loads(capsys.readouterr().out)
        assert (found["rows"], found["nulls"], found["valid"], found["invalid"]) == (5, 1, 2, 2)
        assert [part["rows"] for part in found["files"]] == [2, 3]
        assert found["ladder"][0] == {"level": "text", "distinct": 2, "exact": True}
        assert found["problems"]["kings_adjacent"] == {
            "severity": "illegal",
            "count": 2,
            "examples": [
                {"source": str(one), "row": 1, "fen": KINGS_TOUCH},
                {"source": str(two), "row": 2, "fen": KINGS_TOUCH},
            ],
        }
        assert "two.parquet" in report.read_text("utf-8")

    def test_text(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        file = tmp_path / "rows.fen"
        file.write_text(f"{START}\n{KINGS_TOUCH}\n")
        assert main(["audit", str(file)]) == 1
        shown = capsys.readouterr().out
        assert "2 rows, 1 valid (legal, 50.0 %), 1 invalid" in shown
        assert f"1  kings_adjacent           row 1: {KINGS_TOUCH}" in shown
        assert "positions: 1 rows (50.0 %) cannot be played" in shown

    def test_exit_codes(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        file = tmp_path / "rows.fen"
        file.write_text(f"{CHESS960}\n")
        assert main(["audit", str(file)]) == 1
        assert main(["audit", str(file), "--chess960"]) == 0
        assert main(["audit", str(file), str(tmp_path / "no.fen")]) == 3
        assert main(["audit", str(file), "--column", "x"]) == 3
        assert main(["audit", str(file), "--examples", "-1"]) == 2
        assert main(["audit", str(file), "--html", str(tmp_path / "no" / "report.html")]) == 2
        with pytest.raises(SystemExit, match="2"):
            main(["audit"])
        assert "usage: fenpack audit" in capsys.readouterr().err

    def test_like_the_column(self, sample: list[str], tmp_path: Path) -> None:
        file = tmp_path / "sample.fen"
        file.write_text("\n".join(sample))
        command = [sys.executable, "-m", "fenpack", "audit", str(file), "--json", "--chess960"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        found = json.loads(done.stdout)
        column = fp.audit(sample, chess960=True).as_dict()
        for one in (found, column):
            del one["name"]
            for problem in one["problems"].values():
                for example in problem["examples"]:
                    del example["source"]
        assert found == column
