"""Text to positions and back: dialects, options, round trips, the canonical form's invariants."""

from __future__ import annotations

from random import Random

import pytest

import fenpack as fp
from fenpack import Problem
from mutations import mutated

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
EP_OPTIONS = ("legal", "xfen", "keep", "drop")
CASTLING_OPTIONS = ("xfen", "shredder")
COUNTER_OPTIONS = ("keep", "reset", "drop")


def parsed(fen: str, **options: object) -> bool:
    return fp.parse([fen], **options)[0].is_valid


class TestRoundTrip:
    """What parse reads, format writes, field for field."""

    def test_sample(self, sample: list[str]) -> None:
        assert fp.format(fp.parse(sample), castling="xfen").to_pylist() == [
            respelled(fen) for fen in sample
        ]

    def test_million(self, million: list[str]) -> None:
        assert fp.format(fp.parse(million, dialect="fen", errors="raise")).to_pylist() == million

    def test_chess960_book(self, chess960_book: list[str]) -> None:
        positions = fp.parse(chess960_book, chess960=True, dialect="fen", errors="raise")
        assert fp.format(positions).to_pylist() == chess960_book

    def test_shredder(self, chess960_book: list[str]) -> None:
        positions = fp.parse(chess960_book, chess960=True)
        shredder = fp.format(positions, castling="shredder")
        assert fp.parse(shredder, chess960=True).equals(positions)

    def test_mutated(self, sample: list[str]) -> None:
        positions = fp.parse(list(mutated(sample, 50_000, seed=11))).drop_null()
        text = fp.format(positions)
        again = fp.parse(text)
        same = again.to_numpy(writable=True)
        # The flag says of the source, not of the position, that a counter was absent.
        same["flags"] |= positions.to_numpy()["flags"] & 2
        assert (same == positions.to_numpy()).all()

    @pytest.mark.parametrize(
        "fen",
        [
            "QQQQQQQQ/" * 7 + "QQQQQQQQ w - - 0 1",
            "8/8/8/8/8/8/8/8 b KQkq e5 65535 65535",
            "kkkkkkkk/pppppppp/8/8/8/8/PPPPPPPP/KKKKKKKK w HBhb a1 0 0",
            "rn2k2r/8/8/8/8/8/8/RR2K2R w KBk h8 7 3",
            "pppppppp/8/8/8/8/8/8/PPPPPPPP b - - 0 1",
        ],
    )
    def test_nothing_readable_is_unrepresentable(self, fen: str) -> None:
        positions = fp.parse([fen], errors="raise")
        assert fp.parse(fp.format(positions), errors="raise").equals(positions)


def respelled(fen: str) -> str:
    """Spell the rights of a sample row by X-FEN, as the oracle does."""
    import chess

    fields = fen.split(" ")
    if set(fields[2]) <= set("KQkq-"):
        return fen
    board = chess.Board(fen, chess960=True)
    return " ".join((*fields[:2], board.castling_xfen(), *fields[3:]))


class TestDialects:
    @pytest.mark.parametrize(
        "fen",
        [
            START,
            "4k3/8/8/8/8/8/4P3/4K3 w - - 5 39",
            "8/8/8/8/8/8/8/8 b - - 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        ],
    )
    def test_the_standard_is_taken_by_all(self, fen: str) -> None:
        assert parsed(fen, dialect="fen")
        assert parsed(fen, dialect="lenient")
        assert parsed(fen.split(" ")[0], dialect="placement")

    @pytest.mark.parametrize(
        "fen",
        [
            f" {START}",
            f"{START}\n",
            START.replace(" ", "_"),
            START.replace(" w", "  w"),
            START.replace(" w", "\tw"),
            START.replace(" w ", " W "),
            START.replace("KQkq", "QKqk"),
            START.replace("KQkq", "KQkqKQkq"),
            START.replace("KQkq", "HAha"),
            START.replace("/8/", "/44/", 1),
            START.replace(" 0 1", ""),
            START.replace(" 0 1", " 0"),
            START.replace(" 0 1", " 00 1"),
            START.replace(" 0 1", " 0 01"),
            START.replace(" 0 1", " 0 0"),
            START.replace(" 0 1", " hmvc 0; fmvn 1;"),
            START.replace("- 0 1", '- bm e4; id "a  b;c";'),
            START.replace("- 0 1", "- 0 1 bm e4;"),
            "\ufeff" + START,
        ],
    )
    def test_safe_repairs_are_lenient_only(self, fen: str) -> None:
        assert not parsed(fen, dialect="fen")
        [text] = fp.canonicalize([fen]).to_pylist()
        assert text == START

    @pytest.mark.parametrize("target", ["e4", "a1", "e3"])
    def test_the_standard_has_no_other_target_rank(self, target: str) -> None:
        fen = START.replace(" - ", f" {target} ")
        assert parsed(fen)
        assert not parsed(fen, dialect="fen")

    def test_file_letters_are_standard_in_chess960_only(self) -> None:
        fen = "rr2k2r/8/8/8/8/8/8/RR2K2R w KBkb - 0 30"
        assert not parsed(fen, dialect="fen")
        assert parsed(fen, dialect="fen", chess960=True)
        assert parsed(START.replace("KQkq", "HAha"), dialect="fen", chess960=True)

    @pytest.mark.parametrize(
        "text",
        [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "rnbqkbnr-pppppppp-8-8-8-8-PPPPPPPP-RNBQKBNR",
            " rnbqkbnr-pppppppp-8-8-8-8-PPPPPPPP-RNBQKBNR\n",
        ],
    )
    def test_placement(self, text: str) -> None:
        positions = fp.parse([text], dialect="placement")
        assert fp.format(positions).to_pylist() == [START.replace("KQkq", "-")]

    @pytest.mark.parametrize(
        "text",
        [
            START,
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP-RNBQKBNR",
            "rnbqkbnr-pppppppp-8-8-8-PPPPPPPP-RNBQKBNR",
            "rnbqkbnr-pppppppp-8-8-8-8-PPPPPPPP-RNBQKBNR w",
            "",
            "-------",
        ],
    )
    def test_no_placement(self, text: str) -> None:
        assert not parsed(text, dialect="placement")

    @pytest.mark.parametrize(
        ("counters", "halfmove", "fullmove"),
        [("hmvc 3; fmvn 7;", 3, 7), ("fmvn 7; bm e4; hmvc 3", 3, 7), ("12 40 bm e4;", 12, 40)],
    )
    def test_counters_of_epd(self, counters: str, halfmove: int, fullmove: int) -> None:
        [record] = fp.parse([START.replace("0 1", counters)], errors="raise").to_numpy()
        assert (record["halfmove"], record["fullmove"], record["flags"] & 2) == (
            halfmove,
            fullmove,
            0,
        )

    def test_raise(self) -> None:
        with pytest.raises(fp.FenError, match=r"row 2, byte 2, .*rank 8 `4k2` has 7") as error:
            fp.parse([START, None, "  4k2/8/8/8/8/8/8/4K3 w - - 0 1", "x"], errors="raise")
        assert (error.value.row, error.value.offset) == (2, 2)
        assert error.value.diagnosis.problems & Problem.RANK_WIDTH
        with pytest.raises(fp.FenError, match=r"row 0.*leading zero"):
            fp.parse([START.replace("0 1", "00 1")], dialect="fen", errors="raise")
        assert fp.parse([START, None], errors="raise").null_count == 1

    @pytest.mark.parametrize(
        ("function", "options"),
        [
            (fp.parse, {"dialect": "xfen"}),
            (fp.parse, {"errors": "ignore"}),
            (fp.canonicalize, {"en_passant": "fen"}),
            (fp.canonicalize, {"castling": "KQkq"}),
            (fp.canonicalize, {"counters": "omit"}),
            (fp.is_valid, {"level": "strict"}),
        ],
    )
    def test_wrong_options_are_named(self, function: object, options: dict[str, str]) -> None:
        [(name, value)] = options.items()
        with pytest.raises(ValueError, match=rf"{name} must be one of .*, got .{value}"):
            function([START], **options)


class TestCanonical:
    @pytest.mark.parametrize("en_passant", EP_OPTIONS)
    @pytest.mark.parametrize("castling", CASTLING_OPTIONS)
    @pytest.mark.parametrize("counters", COUNTER_OPTIONS)
    @pytest.mark.parametrize("chess960", [False, True])
    def test_invariants(
        self, sample: list[str], en_passant: str, castling: str, counters: str, chess960: bool
    ) -> None:
        options = {
            "en_passant": en_passant,
            "castling": castling,
            "counters": counters,
            "chess960": chess960,
        }
        rows = Random(5).sample(sample, 2000) + list(mutated(sample, 8000, seed=3))
        once = fp.canonicalize(rows, **options).drop_null()
        assert fp.canonicalize(once, **options).equals(once)
        if counters != "drop":
            strict = chess960 or castling == "shredder"
            assert fp.parse(once, dialect="fen", chess960=strict, errors="raise").null_count == 0
        repaired = Problem.CASTLING_IMPOSSIBLE | Problem.CASTLING_NEEDS_960
        repaired |= Problem.EP_WRONG_RANK | Problem.EP_NO_PAWN | Problem.EP_OCCUPIED
        if en_passant in ("legal", "xfen", "drop"):
            repaired |= Problem.EP_NOT_CAPTURABLE
        if en_passant in ("legal", "drop"):
            repaired |= Problem.EP_NOT_LEGAL
        assert not any(bits & repaired for bits in fp.validate(once, chess960=chess960).to_pylist())

    def test_nothing_but_the_state_changes(self, sample: list[str]) -> None:
        before = fp.parse(sample).to_numpy()
        after = fp.parse(fp.canonicalize(sample)).to_numpy()
        for field in ("code", "black", "halfmove", "fullmove"):
            assert (before[field] == after[field]).all()
        assert (after["castling"] & ~before["castling"] == 0).all()
        assert ((after["en_passant"] == before["en_passant"]) | (after["en_passant"] == 64)).all()

    def test_options(self) -> None:
        fen = "rr2k2r/8/8/4pP2/8/8/8/RR2K2R w KBkq e6 3 0"
        options = [
            {},
            {"chess960": True},
            {"chess960": True, "castling": "shredder"},
            {"en_passant": "drop", "counters": "reset"},
            {"en_passant": "keep", "counters": "drop"},
        ]
        written = [fp.canonicalize([fen], **option)[0].as_py() for option in options]
        assert [text.split(" ", 2)[2] for text in written] == [
            "Kkq e6 3 1",
            "KBkq e6 3 1",
            "HBha e6 3 1",
            "Kkq - 0 1",
            "Kkq e6",
        ]

    def test_an_illegal_capture_is_pseudo_legal(self) -> None:
        fen = "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1"
        found = {
            option: fp.canonicalize([fen], en_passant=option)[0].as_py() for option in EP_OPTIONS
        }
        without = fen.replace("d3", "-")
        assert found == {"legal": without, "xfen": fen, "keep": fen, "drop": without}


class TestFormat:
    def test_options(self) -> None:
        positions = fp.parse(["rr2k2r/8/8/8/4P3/8/8/RR2K2R b KBkq e3 3 0"])
        written = [
            fp.format(positions, **option)[0].as_py().split(" ", 2)[2]
            for option in (
                {},
                {"castling": "shredder"},
                {"en_passant": "legal"},
                {"en_passant": "xfen"},
                {"en_passant": "drop", "counters": "reset"},
                {"counters": "drop"},
            )
        ]
        assert written == [
            "KBkq e3 3 0",
            "HBha e3 3 0",
            "KBkq - 3 0",
            "KBkq - 3 0",
            "KBkq - 0 1",
            "KBkq e3",
        ]

    def test_keeps_what_is_wrong(self) -> None:
        fen = "8/8/8/8/8/8/8/8 w KQkq e5 0 0"
        assert fp.format(fp.parse([fen])).to_pylist() == [fen]


class TestValidate:
    def test_positions_show_what_their_text_shows(self, sample: list[str]) -> None:
        rows = sample[:5000] + list(mutated(sample, 20_000, seed=9))
        readable = fp.is_valid(rows, level="syntax")
        text = fp.validate(rows).filter(readable).to_numpy()
        positions = fp.parse(rows).filter(readable)
        of_text = Problem.SYNTAX | Problem.CASTLING_SHREDDER | Problem.CASTLING_AMBIGUOUS
        of_position = ((1 << 63) - 1) & ~of_text.value
        assert (fp.validate(positions).to_numpy() == text & of_position).all()
        legal = fp.is_valid(positions)
        assert legal.equals(fp.is_valid(rows).filter(readable))

    def test_chess960_positions_remember(self) -> None:
        fen = ["nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1"]
        assert fp.is_valid(fp.parse(fen, chess960=True)).to_pylist() == [True]
        assert fp.is_valid(fp.parse(fen)).to_pylist() == [False]
        assert fp.is_valid(fp.parse(fen), chess960=True).to_pylist() == [True]

    def test_levels_are_masks(self, sample: list[str]) -> None:
        rows = list(mutated(sample, 20_000, seed=2))
        problems = fp.validate(rows).to_numpy()
        readable = fp.is_valid(rows, level="syntax").to_numpy(zero_copy_only=False)
        legal = fp.is_valid(rows).to_numpy(zero_copy_only=False)
        strict = fp.is_valid(rows, strict=True).to_numpy(zero_copy_only=False)
        assert (legal == readable & (problems & Problem.ILLEGAL.value == 0)).all()
        assert (strict == legal & (problems & Problem.SYNTAX.value == 0)).all()
        assert (
            fp.is_valid(rows, level="syntax", strict=True).to_numpy(zero_copy_only=False)
            == (problems & Problem.SYNTAX.value == 0)
        ).all()
        assert 0 < strict.sum() < legal.sum() < readable.sum() < len(rows)

    def test_all_problems_at_once(self) -> None:
        fen = "4k2/ppppp3pp/8/8/8/8/8/9K3 x QK e9 01 -"
        assert fp.problem_names(fp.validate([fen])).to_pylist() == [
            [
                "rank_width",
                "bad_piece_char",
                "bad_turn",
                "bad_ep_syntax",
                "bad_fullmove",
                "counter_format",
            ]
        ]

    def test_a_readable_board_is_judged_behind_a_bad_field(self) -> None:
        [names] = fp.problem_names(fp.validate(["8/8/8/8/8/8/8/4K2P x - - 0 1"])).to_pylist()
        assert names == ["bad_turn", "no_black_king", "pawn_on_back_rank"]
        [names] = fp.problem_names(fp.validate(["8/8/8/8/8/8/5kK1/8 w - - 0 x"])).to_pylist()
        assert names == ["bad_fullmove", "opposite_check", "kings_adjacent"]


class TestStrings:
    """EPD string operands keep their semicolons and escaped quotes."""

    @pytest.mark.parametrize(
        "operations",
        [
            r'id "a\"; hmvc 4;"; hmvc 3; fmvn 7;',
            'id "hmvc 4; fmvn 5;"; hmvc 3; fmvn 7;',
            r'id "\\"; hmvc 3; fmvn 7;',
            'c0 "two  blanks"; hmvc 3; fmvn 7;',
        ],
    )
    def test_counters_inside_strings_do_not_count(self, operations: str) -> None:
        fen = START.replace("0 1", operations)
        assert fp.canonicalize([fen]).to_pylist() == [START.replace("0 1", "3 7")]
        assert fp.problem_names(fp.validate([fen])).to_pylist() == [["epd_operations"]]


@pytest.mark.parametrize("text", [f"_{START}", f"{START}_", f"__{START}__"])
def test_underscores_around_a_text_without_blanks(text: str) -> None:
    assert fp.canonicalize([text.replace(" ", "_")]).to_pylist() == [START]
    assert fp.canonicalize([text]).to_pylist() == [None]
