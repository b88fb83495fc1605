"""Planes and bitboards: one lopsided position per layout, written out by hand."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import fenpack as fp
from fenpack.layouts import LAYOUTS
from texts import START

# White: Ke1, Qg1, Ra1, Bf2, b2, d4 (just pushed). Black, to move: Ke8, Ra8, Rh8, Nh4, c4.
FEN = "r3k2r/8/8/8/2pP3n/8/1P3B2/R3K1Q1 b Qkq d3 5 7"
WHITE = {0: "b2 d4", 2: "f2", 3: "a1", 4: "g1", 5: "e1"}
BLACK = {0: "c4", 1: "h4", 3: "a8 h8", 5: "e8"}
# The same men for Black at the lower side, by reversing the ranks, or by turning the board.
MIRRORED = (
    {0: "c5", 1: "h5", 3: "a1 h1", 5: "e1"},
    {0: "b7 d5", 2: "f7", 3: "a8", 4: "g8", 5: "e8"},
)
ROTATED = (
    {0: "f5", 1: "a5", 3: "h1 a1", 5: "d1"},
    {0: "g7 e5", 2: "c7", 3: "h8", 4: "b8", 5: "d8"},
)
ONES = "ones"


def men(lower: dict[int, str], upper: dict[int, str], first: int = 0) -> dict[int, str]:
    """Number the planes of both sides."""
    planes = {first + role: squares for role, squares in lower.items()}
    return planes | {first + 6 + role: squares for role, squares in upper.items()}


EXPECTED: dict[str, dict[int, str | float]] = {
    "pieces": men(WHITE, BLACK),
    "roles": {
        0: "b2 d4 c4",
        1: "h4",
        2: "f2",
        3: "a1 a8 h8",
        4: "g1",
        5: "e1 e8",
        6: "b2 d4 f2 a1 g1 e1",
        7: "c4 h4 a8 h8 e8",
    },
    "maia2_18": men(WHITE, BLACK) | {14: ONES, 15: ONES, 16: ONES, 17: "d3"},
    "maia1_17": men(*ROTATED) | {13: ONES, 14: ONES, 16: ONES},
    "open_spiel_20": {
        0: "e1",
        1: "e8",
        2: "g1",
        4: "a1",
        5: "a8 h8",
        6: "f2",
        9: "h4",
        10: "b2 d4",
        11: "c4",
        12: " ".join(
            square
            for square in (file + rank for rank in "12345678" for file in "abcdefgh")
            if square not in "b2 d4 f2 a1 g1 e1 c4 h4 a8 h8 e8"
        ),
        15: 5 / 101,
        16: ONES,
        18: ONES,
        19: ONES,
    },
    # Before the double push the white pawn stood on d2, which is d7 for Black.
    "lc0_112": men(*MIRRORED)
    | {
        plane: squares
        for step in range(1, 8)
        for plane, squares in men(MIRRORED[0], MIRRORED[1] | {0: "b7 d7"}, 13 * step).items()
    }
    | {104: ONES, 105: ONES, 106: ONES, 108: ONES, 109: 5, 111: ONES},
    "lc0_112_castling_plane": men(*MIRRORED)
    | {
        plane: squares
        for step in range(1, 8)
        for plane, squares in men(MIRRORED[0], MIRRORED[1] | {0: "b7 d7"}, 13 * step).items()
    }
    | {104: "a1 a8", 105: "h1", 108: ONES, 109: 5, 111: ONES},
    # An en passant square cannot come again, so the history ends; it is marked on the last rank.
    "lc0_112_canonicalization": men(*MIRRORED)
    | {104: "a1 a8", 105: "h1", 108: "d8", 109: 5, 111: ONES},
    "lc0_112_hectoplies": men(*MIRRORED)
    | {104: "a1 a8", 105: "h1", 108: "d8", 109: 0.05, 111: ONES},
    "alphazero_119": men(*MIRRORED)
    | {14 * step + 12: ONES for step in range(8)}
    | {112: ONES, 113: 13 / 512, 114: ONES, 115: ONES, 116: ONES, 118: 0.05},
}


def drawn(planes: dict[int, str | float], channels: int, squares: str) -> np.ndarray:
    """Build planes from square names and numbers."""
    tensor = np.zeros((channels, 8, 8), np.float32)
    for plane, content in planes.items():
        if content == ONES:
            tensor[plane] = 1
        elif isinstance(content, str):
            for name in content.split():
                tensor[plane, "12345678".index(name[1]), "abcdefgh".index(name[0])] = 1
        else:
            tensor[plane] = content
    return tensor if squares == "a1" else tensor[:, ::-1]


@pytest.fixture(params=LAYOUTS.values(), ids=LAYOUTS)
def layout(request):
    return request.param


def test_every_layout_has_its_tensor():
    assert set(EXPECTED) == set(LAYOUTS)


def test_planes_by_hand(layout):
    expected = drawn(EXPECTED[layout.name], layout.channels, layout.squares)
    planes = fp.planes([FEN], layout.name, dtype="float32")
    assert planes.shape == (1, layout.channels, 8, 8)
    for plane in range(layout.channels):
        assert (planes[0, plane] == expected[plane]).all(), plane
    other = {"a1": "a8", "a8": "a1"}[layout.squares]
    turned = fp.planes([FEN], layout.name, dtype="float32", squares=other)
    assert (turned[0] == expected[:, ::-1]).all()
    last = fp.planes([FEN], layout.name, dtype="float32", channels="last")
    assert (last[0] == expected.transpose(1, 2, 0)).all()


def test_bitboards_are_the_bits_of_planes(layout):
    for order in ("a1", "a8"):
        words = fp.bitboards([FEN, START], layout=layout.name, squares=order)
        planes = fp.planes([FEN, START], layout.name, dtype="float32", squares=order)
        bits = np.unpackbits(words.view(np.uint8), bitorder="little")
        bits = bits.reshape(2, layout.channels, 8, 8).astype(np.float32)
        for count in layout.counts:
            bits[:, count.plane] = (words[:, count.plane] / np.float32(count.divisor))[
                :, None, None
            ]
        assert (bits == planes).all()


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int8", "float16", "float32"])
@pytest.mark.parametrize("channels", ["first", "last"])
def test_types(layout, dtype, channels, sample):
    fractions = any(count.divisor > 1 for count in layout.counts)
    options = {"dtype": dtype, "channels": channels}
    if (fractions and "float" not in dtype) or (layout.counts and dtype == "bool"):
        with pytest.raises(ValueError, match="dtype must"):
            fp.planes([FEN], layout.name, **options)
        return
    planes = fp.planes(sample[:2000], layout.name, **options)
    assert planes.dtype == dtype
    expected = fp.planes(sample[:2000], layout.name, dtype="float32", channels=channels)
    assert (planes == expected.astype(dtype)).all()


def test_perspectives_of_pieces():
    mirrored = fp.planes([FEN], perspective="mover")[0]
    assert (mirrored == drawn(men(*MIRRORED), 12, "a1")).all()
    rotated = fp.planes([FEN], perspective="mover_rotated")[0]
    assert (rotated == drawn(men(*ROTATED), 12, "a1")).all()
    white = FEN.replace(" b ", " w ")
    for perspective in ("white", "mover", "mover_rotated"):
        planes = fp.planes([white], perspective=perspective)[0]
        assert (planes == drawn(men(WHITE, BLACK), 12, "a1")).all()


@pytest.mark.parametrize("layout", ["maia2_18", "open_spiel_20"])
def test_the_mover_of_an_absolute_layout_is_white(layout):
    """Maia-2 trains on mirrored FENs, in which White is always to move."""
    import chess

    board = chess.Board(FEN)
    mirrored = board.mirror().fen(en_passant="fen")
    expected = fp.planes([mirrored], layout)
    assert (fp.planes([FEN], layout, perspective="mover") == expected).all()


@pytest.mark.parametrize(
    ("fen", "lower", "upper"),
    [
        # d3 is flipped to e3, which is below the diagonal.
        ("8/8/8/1k6/8/3K4/6R1/8 w - - 9 60", {3: "b2", 5: "e3"}, {5: "g5"}),
        # h2 is above the diagonal and goes to g1.
        ("8/1R6/8/k7/8/8/7K/8 w - - 9 60", {3: "b7", 5: "g1"}, {5: "d8"}),
        # b7 is flipped to g7 and mirrored to g2, on the diagonal. The board then is Kg2, Rh1 (on
        # it too), k on f5, which transposed is c3: the smaller set of men has c3.
        ("R7/1K6/8/8/8/2k5/8/8 w - - 9 60", {3: "h1", 5: "g2"}, {5: "c3"}),
        # With a pawn the board is only flipped.
        ("8/1K6/8/8/8/2k5/P7/8 w - - 9 60", {0: "h2", 5: "g7"}, {5: "f3"}),
        # With a right it is not turned at all.
        ("8/8/8/8/8/8/8/R3K2k w Q - 9 60", {3: "a1", 5: "e1"}, {5: "h1"}),
    ],
)
def test_canonical_symmetry(fen, lower, upper):
    planes = fp.planes([fen], "lc0_112_canonicalization")[0]
    assert (planes[:12] == drawn(men(lower, upper), 12, "a1")).all()


class TestHistory:
    """Nf3 Nc6 Ng1 Nb8 from the start: the last position has been there before."""

    GAME = (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1",
        "r1bqkbnr/pppppppp/2n5/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2",
        "r1bqkbnr/pppppppp/2n5/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 3 2",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4 3",
    )

    def encoded(self, layout: str, last: int, **options: object) -> np.ndarray:
        steps = [[fen] for fen in reversed(self.GAME[:last])]
        return fp.planes([self.GAME[last]], layout, dtype="float32", history=steps, **options)[0]

    def test_steps(self):
        planes = self.encoded("lc0_112", 4)
        for step, fen in enumerate(reversed(self.GAME)):
            [board] = fp.planes([fen])
            assert (planes[13 * step : 13 * step + 12] == board).all()
            assert (planes[13 * step + 12] == (step == 0)).all()
        assert not planes[65:104].any(), "the oldest is the start of the game"

    def test_steps_of_the_other_side(self):
        planes = self.encoded("lc0_112", 3)
        for step, fen in enumerate(reversed(self.GAME[:4])):
            [board] = fp.planes([fen.replace(" w ", " b ")], perspective="mover")
            assert (planes[13 * step : 13 * step + 12] == board).all()

    def test_fill(self):
        filled = self.encoded("lc0_112", 4, fill="always")
        for step in range(5, 8):
            assert (filled[13 * step : 13 * step + 12] == fp.planes([START])[0]).all()
        empty = fp.planes([FEN], "lc0_112", fill="no")[0]
        assert empty[:12].any()
        assert not empty[13:104].any()
        assert not fp.planes([START], "lc0_112")[0, 13:104].any()
        assert fp.planes([START], "lc0_112", fill="always")[0, 13:104].any()

    def test_canonical_history_ends(self):
        planes = self.encoded("lc0_112_canonicalization", 4)
        assert planes[52:64].any()
        # A counter of 0 says that the move before was a capture or a pawn's.
        fens = [[self.GAME[2].replace("2 2", "0 2")], [self.GAME[1]]]
        planes = fp.planes([self.GAME[3]], "lc0_112_canonicalization", history=fens)[0]
        assert planes[13:25].any()
        assert not planes[26:104].any()
        # Lost rights end it too.
        fens = [[self.GAME[2]], [self.GAME[1]]]
        lost = self.GAME[3].replace("KQkq", "KQk")
        planes = fp.planes([lost], "lc0_112_canonicalization", history=fens)[0]
        assert not planes[13:104].any()
        assert fp.planes([lost], "lc0_112", history=fens)[0, 13:39].any()

    def test_alphazero(self):
        planes = self.encoded("alphazero_119", 4)
        for step, fen in enumerate(reversed(self.GAME)):
            [board] = fp.planes([fen], squares="a8")
            assert (planes[14 * step : 14 * step + 12] == board).all()
            repeated = step in (0, 4)
            assert (planes[14 * step + 12] == (not repeated)).all()
            assert (planes[14 * step + 13] == repeated).all()

    def test_null_is_before_the_game(self):
        fens = [self.GAME[1], self.GAME[4]]
        steps = [[self.GAME[0], self.GAME[3]], [None, self.GAME[2]]]
        planes = fp.planes(fens, "lc0_112", history=steps)
        assert not planes[0, 26:104].any()
        assert planes[1, 26:38].any()

    def test_columns_of_all_kinds(self, sample):
        import polars as pl
        import pyarrow as pa

        x, earlier = sample[:3000], sample[1:3001]
        expected = fp.planes(x, "lc0_112", history=[earlier])
        chunked = pa.chunked_array([x[:1000], x[1000:]])
        steps = (
            pa.array(earlier),
            pa.chunked_array([earlier[:5], earlier[5:]]),
            pl.Series(earlier),
            fp.parse(earlier),
            fp.parse(earlier).to_numpy(),
            pa.array(earlier).dictionary_encode(),
        )
        for step in steps:
            assert (fp.planes(chunked, "lc0_112", history=[step]) == expected).all()

    def test_refusals(self):
        with pytest.raises(ValueError, match="no history"):
            fp.planes([FEN], "maia2_18", history=[[FEN]])
        with pytest.raises(ValueError, match=r"history\[1\] must have as many rows as x, 1, got 2"):
            fp.planes([FEN], "lc0_112", history=[[FEN], [FEN, FEN]])
        with pytest.raises(ValueError, match="at most 7"):
            fp.planes([FEN], "lc0_112", history=[[FEN]] * 8)
        with pytest.raises(fp.FenError):
            fp.planes([FEN], "lc0_112", history=[["nonsense"]])

    @pytest.mark.parametrize("encode", [fp.planes, fp.bitboards])
    def test_rows_of_history_that_cannot_be_read(self, encode):
        history = [[FEN, None, FEN], [FEN, None, "nonsense"]]
        with pytest.raises(fp.FenError, match=r"history\[1\] row 2, byte 0, `nonsense`") as caught:
            encode([FEN] * 3, layout="lc0_112", history=history)
        assert (caught.value.row, caught.value.column) == (2, "history[1]")
        assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
        out = encode([FEN] * 3, layout="lc0_112", history=history, errors="blank")
        history[1][2] = None
        expected = encode([FEN] * 3, layout="lc0_112", history=history)
        assert (out[:2] == expected[:2]).all()
        assert expected[2].any()
        assert not out[2].any()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    ("fen", "spelled"),
    [
        # Nobody can capture; the capture is illegal; the square is impossible.
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "e3"),
        ("8/8/8/8/k2Pp2Q/8/8/3K4 b - - 0 1", "d3"),
        ("4k3/8/8/8/3pP3/8/4N3/4K3 b - - 0 1", "e3"),
    ],
)
def test_two_spellings_are_one(layout, fen, spelled):
    fields = fen.split()
    other = " ".join((*fields[:2], "KQkq", spelled, *fields[4:]))
    assert (fp.planes([fen], layout) == fp.planes([other], layout)).all()
    assert (fp.bitboards([fen], layout=layout) == fp.bitboards([other], layout=layout)).all()


def test_en_passant_rules():
    pinned = "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1"
    nobody = "4k3/8/8/8/3P4/8/8/4K3 b - d3 0 1"
    for fen, rules in ((pinned, {"xfen", "keep"}), (nobody, {"keep"})):
        for rule in ("legal", "xfen", "keep", "drop"):
            planes = fp.planes([fen], "maia2_18", en_passant=rule)
            assert planes[0, 17].any() == (rule in rules)


def test_chess960_rights_are_rook_squares():
    fen = "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1"
    planes = fp.planes([fen], "lc0_112_castling_plane", chess960=True)[0]
    expected = drawn({104: "b1 b8", 105: "g1 g8"}, 112, "a1")
    assert (planes[104:106] == expected[104:106]).all()
    assert not fp.planes([fen], "lc0_112_castling_plane")[0, 104:106].any()
    parsed = fp.parse([fen], chess960=True)
    assert (fp.planes(parsed, "lc0_112_castling_plane")[0] == planes).all()


class TestRefusals:
    GOOD = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"

    def test_null(self):
        with pytest.raises(ValueError, match="x row 1 is null"):
            fp.planes([self.GOOD, None])

    def test_unreadable(self):
        with pytest.raises(fp.FenError, match="row 2") as caught:
            fp.planes([self.GOOD, self.GOOD, "4k3/8/8 w - -", None])
        assert caught.value.row == 2

    def test_first_of_many_in_chunks(self):
        import pyarrow as pa

        fens = [self.GOOD] * 300_000
        fens[123_456] = "x"
        fens[200_000] = None
        column = pa.chunked_array([fens[:100_000], fens[100_000:]])
        for given in (column, column.dictionary_encode()):
            with pytest.raises(fp.FenError) as caught:
                fp.bitboards(given)
            assert caught.value.row == 123_456

    def test_blank(self):
        fens = [self.GOOD, None, "x", self.GOOD]
        planes = fp.planes(fens, errors="blank")
        assert (planes[[1, 2]] == 0).all()
        assert (planes[[0, 3]] == fp.planes([self.GOOD])).all()
        counted = fp.planes(
            [self.GOOD, self.GOOD.replace(" 0 1", " 256 1")], "lc0_112", errors="blank"
        )
        assert not counted[1].any()

    def test_malformed_bytes(self):
        records = fp.parse([self.GOOD] * 3).to_numpy(writable=True)
        records["flags"][1] = 8
        for errors in ("raise", "blank"):
            with pytest.raises(ValueError, match="x row 1 is no packed position: flags"):
                fp.planes(records, errors=errors)

    @pytest.mark.parametrize(
        ("dtype", "limit"), [("uint8", 255), ("int8", 127), ("float16", 65504)]
    )
    def test_counts_that_do_not_fit(self, dtype, limit):
        fits = self.GOOD.replace(" 0 1", f" {limit} 1")
        assert fp.planes([fits], "lc0_112", dtype=dtype)[0, 109, 0, 0] == limit
        too_large = self.GOOD.replace(" 0 1", f" {limit + 1} 1")
        with pytest.raises(ValueError, match=f"the halfmove clock is {limit + 1}, at most {limit}"):
            fp.planes([too_large], "lc0_112", dtype=dtype)

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"layout": "pieces13"}, "layout must be one of"),
            ({"perspective": "black"}, "perspective must be one of"),
            ({"squares": "h1"}, "squares must be one of"),
            ({"channels": "middle"}, "channels must be one of"),
            ({"dtype": "float64"}, "dtype must be one of"),
            ({"dtype": ">f4"}, "dtype must be one of"),
            ({"en_passant": "always"}, "en_passant must be one of"),
            ({"errors": "null"}, "errors must be one of"),
            ({"layout": "lc0_112", "fill": "yes"}, "fill must be one of"),
            ({"layout": "lc0_112", "perspective": "white"}, "mover and opponent"),
        ],
    )
    def test_options(self, options, message):
        with pytest.raises(ValueError, match=message):
            fp.planes([self.GOOD], **options)

    def test_no_column(self):
        with pytest.raises(TypeError, match="wrap it in a list"):
            fp.planes(self.GOOD)
        with pytest.raises(TypeError, match="x must be"):
            fp.planes([1, 2])


def test_empty_columns(layout):
    assert fp.planes([], layout.name).shape == (0, layout.channels, 8, 8)
    assert fp.bitboards([], layout=layout.name).shape == (0, layout.channels)


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
def test_threads_and_chunks_change_nothing(threads):
    import pyarrow as pa

    from interpreters import COLUMN

    chunks = pa.chunked_array([COLUMN[:99_999], COLUMN[99_999:100_000], COLUMN[100_000:]])
    before = fp.get_num_threads()
    try:
        fp.set_num_threads(1)
        words = fp.bitboards(COLUMN, layout="maia2_18", errors="blank")
        features = fp.nnue_features(COLUMN, errors="blank")
        fp.set_num_threads(threads)
        for given in (COLUMN, chunks, COLUMN.dictionary_encode(), fp.parse(chunks)):
            assert (fp.bitboards(given, layout="maia2_18", errors="blank") == words).all()
        assert (fp.nnue_features(chunks, errors="blank") == features).all()
    finally:
        fp.set_num_threads(before)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: fp.planes([FEN], ["pieces"]), ValueError, "layout must be one of"),
        (lambda: fp.planes([FEN], channels=None), ValueError, "channels must be one of"),
        (lambda: fp.tokens([FEN], ["squares"]), ValueError, "vocabulary must be one of"),
        (lambda: fp.planes([FEN], chess960="no"), TypeError, "chess960 must be True or False"),
        (lambda: fp.from_tokens(fp.tokens([FEN]), chess960=1), TypeError, "chess960 must be"),
    ],
)
def test_arguments_of_another_type(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_counts_that_float16_would_round():
    def fen(halfmove, fullmove=1):
        return f"4k3/8/8/8/8/8/8/4K3 w - - {halfmove} {fullmove}"

    for layout, exact, rounded in (
        ("lc0_112", fen(2048), fen(2049)),
        ("lc0_112", fen(2050), fen(4098)),
        ("alphazero_119", fen(0, 1025), fen(0, 4098)),
        ("lc0_112_hectoplies", fen(1000), fen(5001)),
        ("open_spiel_20", fen(1000), fen(5001)),
    ):
        half = fp.planes([exact], layout, dtype="float16")
        back = fp.from_planes(half, layout).to_numpy()
        whole = fp.from_planes(fp.planes([exact], layout, dtype="float32"), layout).to_numpy()
        assert (back == whole).all()
        with pytest.raises(ValueError, match="which would be rounded to") as caught:
            fp.planes([exact, rounded], layout, dtype="float16")
        assert "row 1" in str(caught.value)
        blank = fp.planes([exact, rounded], layout, dtype="float16", errors="blank")
        assert blank[0].any()
        assert not blank[1].any()
        fp.planes([rounded], layout, dtype="float32")
