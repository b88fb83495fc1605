"""Boards drawn as SVG and as text."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import chess
import pytest

import fenpack as fp
from fenpack.drawing import board_svg, board_text, read_board
from mutations import mutated

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
SVG = "{http://www.w3.org/2000/svg}"


def test_board_agrees_with_python_chess(sample: list[str]) -> None:
    for fen in sample[:2000]:
        board = read_board(fen)
        assert board is not None
        assert not board.unread
        men = chess.BaseBoard(fen.split()[0]).piece_map()
        assert board.men == {chess.square_name(at): str(man) for at, man in men.items()}
        assert all(fen[at] == board.men[square] for square, at in board.places.items())


def test_what_is_known_of_an_unreadable_board() -> None:
    board = read_board("\ufeff 4k3/9/44/pp0/8/8/8/4K2 w")
    assert board is not None
    assert board.men == {"e8": "k"}
    assert board.places == {"e8": 5}
    assert board.unread == (7, 5, 1)
    for text in ("", " ", "8/8/8", "/".join("8" * 9), "é"):
        assert read_board(text) is None
        with pytest.raises(ValueError, match="not eight ranks"):
            board_svg(text)


def test_underscores() -> None:
    assert read_board(KIWIPETE.replace(" ", "_")) == read_board(KIWIPETE)


def test_svg() -> None:
    drawn = board_svg(KIWIPETE, {"a8", "h1"}, label='"<&>')
    root = ET.fromstring(drawn)
    assert root.tag == f"{SVG}svg"
    assert root.get("aria-label") == '"<&>'
    assert {element.tag for element in root.iter()} == {
        SVG + tag for tag in ("svg", "g", "path", "rect", "text")
    }
    labels = [element.text for element in root.iter(f"{SVG}text")]
    assert labels == [*"abcdefgh", *"12345678"]
    corners = {(rect.get("x"), rect.get("y")) for rect in root.iter(f"{SVG}rect")}
    assert corners == {("1.5", "1.5"), ("281.5", "281.5")}
    men = re.findall(r'translate\((\d+) (\d+)\)" stroke-width', drawn)
    assert len(men) == 32
    for reference in ("href", "url(", "<script", "<style", "@", "id=", "class="):
        assert reference not in drawn


def test_white_is_at_the_bottom_and_a1_is_dark() -> None:
    drawn = board_svg("8/8/8/8/8/8/8/K7 w - - 0 1")
    assert 'transform="translate(0 280)"' in drawn
    assert "M0 280h40v40h-40z" in drawn
    assert "M280 280h40v40h-40z" not in drawn


def test_unread_ranks_are_hatched() -> None:
    assert "M0 40h320v40H0z" in board_svg("8/9/8/8/8/8/8/8")


def test_packed_position() -> None:
    record = fp.parse([KIWIPETE]).to_numpy()[0]
    assert board_svg(record) == board_svg(KIWIPETE)
    assert board_text(record) == board_text(KIWIPETE)


def test_text() -> None:
    assert board_text("4k3/9/8/8/8/8/8/4K2R w", {"e1", "h1", "a3"}).splitlines() == [
        "8  .  .  .  .  k  .  .  .",
        "7  ?  ?  ?  ?  ?  ?  ?  ?",
        "6  .  .  .  .  .  .  .  .",
        "5  .  .  .  .  .  .  .  .",
        "4  .  .  .  .  .  .  .  .",
        "3 [.] .  .  .  .  .  .  .",
        "2  .  .  .  .  .  .  .  .",
        "1  .  .  .  . [K] .  . [R]",
        "   a  b  c  d  e  f  g  h",
    ]


def test_mutated_rows(sample: list[str]) -> None:
    for fen in mutated(sample, 1000, seed=3):
        if read_board(fen) is not None:
            ET.fromstring(board_svg(fen))
            assert len(board_text(fen).splitlines()) == 9
