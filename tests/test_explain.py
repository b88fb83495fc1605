"""A diagnosis in a notebook, as data, and in a terminal."""

from __future__ import annotations

import io
import json
from html.parser import HTMLParser

import pytest

import fenpack as fp
from fenpack.__main__ import main
from fenpack.sentences import languages
from mutations import mutated

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KINGS_TOUCH = "8/8/8/8/8/8/5kK1/8 w - - 0 1"
SHORT_RANK = "4k3/8/pp1pppp/8/8/8/8/4K3 w - - 0 1"
SCRIPT = "4k3/<script>alert(`1`)</script>/8/8/8/8/8/4K3 w - \"'&amp; 0 1"
ALLOWED = {"div", "svg", "g", "path", "rect", "text", "ul", "li", "b", "small", "code", "mark", "p"}


class Page(HTMLParser):
    """Collects what a browser would: tags, attributes, text, and text inside marks."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.first: dict[str, str | None] = {}
        self.text = ""
        self.marked: list[str] = []
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attributes}
        self.first = self.first or dict(attributes)
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.text += data
        if self.open[-1] == "mark":
            self.marked.append(data)


def page(fen: str, language: str = "en") -> Page:
    return Page(fp.explain(fen, language=language)._repr_html_())


class TestNotebook:
    @pytest.mark.parametrize("language", languages())
    def test_a_hostile_fen_is_harmless(self, language: str) -> None:
        for fen in (SCRIPT, f"{SCRIPT} \" onload='x' <b>", "</div><script>x</script>", "\0\ud800é"):
            shown = page(fen, language)
            assert shown.tags <= ALLOWED
            assert not any(name.startswith("on") or "href" in name for name in shown.attributes)

    @pytest.mark.parametrize("language", languages())
    def test_direction(self, language: str) -> None:
        shown = page(SHORT_RANK, language)
        right_to_left = language in ("ar", "he")
        assert shown.first["lang"] == language
        assert shown.first["dir"] == ("rtl" if right_to_left else "ltr")
        align = "text-align:right" if right_to_left else "text-align:left"
        assert align in (shown.first["style"] or "")
        assert SHORT_RANK in shown.text

    @pytest.mark.parametrize(
        ("fen", "marked"),
        [
            (START, []),
            (SHORT_RANK, ["pp1pppp"]),
            (KINGS_TOUCH, ["kK"]),
            ("4k3/8/8/8/8/8/8/4K2P W - - 0 01", ["P", "W", "01"]),
            ("4k3/8/8/8/4P3/8/4N3/4K3 b - e3 0 30", ["e3"]),
            ("4k3/8/8/8/8/8/8/4K3 w - -", []),
            ("\t4k3/8/8/8/8/8/8/4K3 w - - 0 1", ["\\t"]),
            ("é4k3/8/8/8/8/8/8/4K3 w - - 0 1", ["é"]),
        ],
    )
    def test_faulty_part_of_the_fen(self, fen: str, marked: list[str]) -> None:
        assert page(fen).marked == marked

    def test_board(self) -> None:
        html = fp.explain(KINGS_TOUCH)._repr_html_()
        assert html.count("<rect") == 2
        assert 'aria-label="chessboard; marked: f2, g2"' in html
        assert "White to move" in html
        assert "Black to move" in fp.explain(START.replace(" w ", " B "))._repr_html_()

    def test_unreadable_board(self) -> None:
        assert "hatched ranks cannot be read" in page(SHORT_RANK).text
        shown = page("4k3/8/8/4K3 w - - 0 1")
        assert "svg" not in shown.tags
        assert "the board cannot be drawn" in shown.text

    def test_long_text(self) -> None:
        assert len(fp.explain("p" * 100_000)._repr_html_()) < 20_000
        assert len(fp.explain(" " * 100_000 + "8")._repr_html_()) < 20_000

    def test_nothing_wrong(self) -> None:
        assert "nothing wrong" in page(START).text
        assert "הכול תקין" in page(START, "he").text


def test_as_dict() -> None:
    found = fp.explain(KINGS_TOUCH).as_dict()
    assert json.loads(json.dumps(found)) == found
    assert (found["readable"], found["legal"], found["repaired"]) == (True, False, None)
    assert found["findings"][1] == {
        "code": "kings_adjacent",
        "severity": "illegal",
        "field": "placement",
        "span": [0, 18],
        "rank": None,
        "squares": ["f2", "g2"],
        "sentence": "the kings stand side by side: f2, g2",
        "repair": None,
        "advice": "compare the pieces with the source: each side has exactly one king, and never"
        " beside the other",
    }


def test_legal_is_is_valid(sample: list[str]) -> None:
    for fen in mutated(sample, 1000, seed=8):
        assert fp.explain(fen).legal == fp.is_valid([fen])[0].as_py()


def test_equal_advice_is_said_once() -> None:
    said = str(fp.explain("4k3/8x/x8/8/8/8/8/4K3 w - - 0 1"))
    assert said.count("(bad_piece_char)") == 2
    assert said.count("advice") == 1


def test_right_to_left() -> None:
    lines = str(fp.explain(SHORT_RANK, language="he")).splitlines()
    assert lines[0] == f"\u2066{SHORT_RANK}\u2069"
    assert lines[1].startswith("  תחביר: ")
    assert lines[1].endswith("\u2066(rank_width)\u2069")


class TestCommand:
    @pytest.mark.parametrize(
        ("arguments", "code"),
        [
            ([START], 0),
            (START.split(), 0),
            ([START.replace(" w ", "  W ")], 0),
            ([KINGS_TOUCH], 1),
            ([SHORT_RANK], 1),
            ([""], 1),
            (["nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1"], 1),
            (["nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1", "--chess960"], 0),
        ],
    )
    def test_exit_code(
        self, arguments: list[str], code: int, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["explain", *arguments]) == code
        assert capsys.readouterr().out

    def test_board_and_text(self, capsys: pytest.CaptureFixture[str]) -> None:
        main(["explain", KINGS_TOUCH])
        lines = capsys.readouterr().out.splitlines()
        assert lines[6] == "2  .  .  .  .  . [k][K] ."
        assert lines[10:] == str(fp.explain(KINGS_TOUCH)).splitlines()

    def test_no_board(self, capsys: pytest.CaptureFixture[str]) -> None:
        main(["explain", "x"])
        assert capsys.readouterr().out == f"{fp.explain('x')}\n"

    @pytest.mark.parametrize("end", [b"", b"\n", b"\r\n", b"\nanother\n"])
    def test_stdin(
        self, end: bytes, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(START.encode() + end)))
        assert main(["explain", "-", "--json"]) == 0
        assert json.loads(capsys.readouterr().out) == fp.explain(START).as_dict()

    def test_language(self, capsys: pytest.CaptureFixture[str]) -> None:
        main(["explain", KINGS_TOUCH, "--language", "ta"])
        assert str(fp.explain(KINGS_TOUCH, language="ta")) in capsys.readouterr().out

    @pytest.mark.parametrize(
        "arguments", [[], [START, "--language", "tlh"], [START, "--level", "legal"]]
    )
    def test_wrong_use(self, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit) as stopped:
            main(["explain", *arguments])
        assert stopped.value.code == 2
        assert "usage: fenpack" in capsys.readouterr().err
