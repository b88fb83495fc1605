"""Arrays back to positions: exact for all that a layout keeps, and checked."""

from __future__ import annotations

import numpy as np
import pytest

import fenpack as fp
from fenpack.layouts import LAYOUTS
from texts import START, UNUSUAL

# What of a canonical position each layout keeps besides the men.
KEPT = {
    "pieces": (),
    "roles": (),
    "maia2_18": ("turn", "castling", "en_passant"),
    "maia1_17": ("turn", "castling"),
    "open_spiel_20": ("turn", "castling", "halfmove"),
    "lc0_112": ("turn", "castling", "halfmove"),
    "lc0_112_castling_plane": ("turn", "castling", "halfmove"),
    "alphazero_119": ("turn", "castling", "halfmove", "fullmove"),
}


def reduced(records: np.ndarray, kept: tuple[str, ...], turn: np.ndarray) -> np.ndarray:
    """Give canonical positions with what is not kept as an empty FEN has it."""
    out = records.copy()
    black = records["flags"] & 1 if "turn" in kept else turn
    out["flags"] = black | (0 if "halfmove" in kept else 2)
    if "castling" not in kept:
        out["castling"] = 0
    if "en_passant" not in kept:
        out["en_passant"] = 64
    if "halfmove" not in kept:
        out["halfmove"] = 0
    if "fullmove" not in kept:
        out["fullmove"] = 1
    return out


@pytest.fixture(scope="module")
def canonical(sample) -> np.ndarray:
    fens = [fen for fen in sample if set(fen.split()[2]) <= set("KQkq-")][:4000]
    return fp.parse(fp.canonicalize(fens)).to_numpy()


@pytest.mark.parametrize("layout", KEPT)
def test_round_trip(layout, canonical):
    black = (canonical["flags"] & 1).astype(bool)
    perspectives = [None]
    if not LAYOUTS[layout].relative:
        perspectives = ["white", "mover", "mover_rotated"]
    for perspective in perspectives:
        view = {"perspective": perspective}
        expected = reduced(canonical, KEPT[layout], black)
        for squares in ("a1", "a8"):
            words = fp.bitboards(canonical, layout=layout, squares=squares, **view)
            back = fp.from_bitboards(
                words, layout=layout, squares=squares, black_to_move=black, **view
            )
            assert (back.to_numpy() == expected).all()
        for channels in ("first", "last"):
            planes = fp.planes(canonical, layout, channels=channels, **view)
            back = fp.from_planes(planes, layout, channels=channels, black_to_move=black, **view)
            assert (back.to_numpy() == expected).all()


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int8", "float16", "float32"])
def test_round_trip_of_types(dtype, canonical):
    layout = "maia2_18" if dtype == "bool" else "lc0_112"
    planes = fp.planes(canonical[:500], layout, dtype=dtype)
    expected = reduced(canonical[:500], KEPT[layout], np.zeros(500, np.uint8))
    assert (fp.from_planes(planes, layout).to_numpy() == expected).all()


@pytest.mark.parametrize("form", ["canonicalization", "hectoplies"])
def test_canonical_forms_keep_the_board_up_to_symmetry(form, canonical):
    layout = f"lc0_112_{form}"
    back = fp.from_planes(fp.planes(canonical, layout), layout)
    again = fp.planes(back, layout)
    first = fp.planes(canonical, layout)
    # The mover becomes White; the symmetry has been applied already.
    assert (again[:, :12] == first[:, :12]).all()
    assert (again[:, 104:] == first[:, 104:]).all()


def test_chess960_rook_squares(sample):
    fens = [fen for fen in sample if not set(fen.split()[2]) <= set("KQkq-")]
    positions = fp.parse(fp.canonicalize(fens, chess960=True), chess960=True).to_numpy()
    layout = "lc0_112_castling_plane"
    back = fp.from_planes(fp.planes(positions, layout), layout, chess960=True).to_numpy()
    assert (back["castling"] == positions["castling"]).all()
    assert (back["flags"] == positions["flags"]).all()


def test_tokens(canonical):
    black = (canonical["flags"] & 1).astype(bool)
    for perspective in ("white", "mover", "mover_rotated"):
        for squares in ("a1", "a8"):
            view = {"perspective": perspective, "squares": squares}
            for dtype in ("uint8", "int32", "int64"):
                ids = fp.tokens(canonical, dtype=dtype, **view)
                back = fp.from_tokens(ids, black_to_move=black, **view).to_numpy()
                assert (back == reduced(canonical, (), black)).all()
    back = fp.from_tokens(fp.tokens(canonical, "searchless_77"), "searchless_77")
    assert (back.to_numpy() == canonical).all()
    ids = fp.tokens(canonical, "chess_transformers")
    back = fp.from_tokens(ids, "chess_transformers").to_numpy()
    assert (back == reduced(canonical, ("turn", "castling", "en_passant"), black)).all()


@pytest.mark.parametrize("fen", UNUSUAL.values(), ids=UNUSUAL)
def test_unusual_boards(fen):
    positions = fp.parse([fen])
    record = positions.to_numpy()
    black = (record["flags"] & 1).astype(bool)
    for layout in ("pieces", "roles"):
        words = fp.bitboards(positions, layout=layout)
        back = fp.from_bitboards(words, layout=layout, black_to_move=black).to_numpy()
        assert (back == reduced(record, (), black)).all()


class TestRefusals:
    def test_two_men(self):
        planes = fp.planes([START, START])
        planes[1, 3, 1, 4] = 1
        with pytest.raises(ValueError, match="planes row 1: two men on e2"):
            fp.from_planes(planes)
        turned = fp.planes([START.replace(" w ", " b ")], perspective="mover")
        turned[0, 3, 1, 4] = 1
        with pytest.raises(ValueError, match="planes row 0: two men on e7"):
            fp.from_planes(turned, perspective="mover", black_to_move=True)

    def test_sides(self):
        words = fp.bitboards([START], layout="roles")
        for change in (
            lambda w: w.__setitem__((0, 6), w[0, 6] | 1 << 20),
            lambda w: w.__setitem__((0, 7), w[0, 7] | 1),
            lambda w: w.__setitem__((0, 0), w[0, 0] | 1 << 20),
        ):
            wrong = words.copy()
            change(wrong)
            with pytest.raises(ValueError, match=r"bitboards row 0: (e3|a1) has a role without"):
                fp.from_bitboards(wrong, layout="roles")

    @pytest.mark.parametrize(
        ("layout", "plane", "message"),
        [
            ("maia2_18", 12, "plane 12 is neither all ones nor all zeros"),
            ("maia2_18", 17, "plane 17 has more than one square"),
            ("maia1_17", 12, "plane 12 is neither"),
            ("open_spiel_20", 12, "plane 12 of empty squares is wrong about h1"),
            ("open_spiel_20", 17, "plane 17 is neither"),
            ("lc0_112", 108, "plane 108 is neither"),
            ("lc0_112", 110, "plane 110 is not all zeros"),
            ("lc0_112", 111, "plane 111 is not all ones"),
            ("alphazero_119", 114, "plane 114 is neither"),
        ],
    )
    def test_state(self, layout, plane, message):
        planes = fp.planes([START], layout)
        planes[0, plane, 0, 7] = 1 - planes[0, plane, 0, 7]
        planes[0, plane, 1, 7] = 1 if "17 has" in message else planes[0, plane, 1, 7]
        with pytest.raises(ValueError, match=f"planes row 0: {message}"):
            fp.from_planes(planes, layout, squares="a1")

    def test_cells(self):
        planes = fp.planes([START], dtype="float32")
        planes[0, 2, 4, 1] = 0.5
        with pytest.raises(ValueError, match=r"plane 2 has 0.5 on b5, only 0 and 1"):
            fp.from_planes(planes)
        with pytest.raises(ValueError, match=r"plane 2 has 0.5 on b4, only 0 and 1"):
            fp.from_planes(planes, squares="a8")
        planes[0, 2, 4, 1] = np.nan
        with pytest.raises(ValueError, match="plane 2 has NaN on b5"):
            fp.from_planes(planes)

    def test_counts(self):
        planes = fp.planes([START], "lc0_112_hectoplies")
        planes[0, 109, 3, 3] = 0.5
        with pytest.raises(ValueError, match="plane 109 holds several values"):
            fp.from_planes(planes, "lc0_112_hectoplies")
        for value in (0.123456, -1, np.inf, np.nan, 1e9):
            planes[0, 109] = value
            with pytest.raises(ValueError, match="plane 109 holds"):
                fp.from_planes(planes, "lc0_112_hectoplies")
        words = fp.bitboards([START], layout="lc0_112")
        words[0, 109] = 65_536
        with pytest.raises(ValueError, match="plane 109 holds 65536, no count"):
            fp.from_bitboards(words, layout="lc0_112")

    @pytest.mark.parametrize("channels", ["first", "last"])
    def test_signs(self, channels):
        view = {"channels": channels}
        planes = fp.planes([START], "lc0_112", dtype="int8", **view)
        cells = planes if channels == "first" else planes.transpose(0, 3, 1, 2)
        cells[0, 109] = -100
        with pytest.raises(ValueError, match="plane 109 holds -100, no count"):
            fp.from_planes(planes, "lc0_112", **view)
        cells[0, 109] = 100
        assert fp.from_planes(planes, "lc0_112", **view).to_numpy()["halfmove"] == [100]
        cells[0, 0, 3, 4] = -1
        with pytest.raises(ValueError, match="plane 0 has -1 on e4, only 0 and 1"):
            fp.from_planes(planes, "lc0_112", **view)

    @pytest.mark.parametrize("layout", ["lc0_112_castling_plane", "lc0_112_hectoplies"])
    @pytest.mark.parametrize(
        ("plane", "square", "black", "shown"),
        [
            (104, "e4", False, "e4"),
            (105, "e1", False, "e1"),
            (104, "e8", False, "e8"),
            (105, "a1", False, "a1"),
            (104, "h8", False, "h8"),
            (104, "b1", False, "b1"),
            (105, "e4", True, "e5"),
            (105, "g1", True, "g8"),
        ],
    )
    def test_castling_planes(self, layout, plane, square, black, shown):
        side = "b" if black else "w"
        words = fp.bitboards([START.replace(" w ", f" {side} ")], layout=layout)
        assert fp.from_bitboards(words, layout=layout, black_to_move=black).to_numpy()[
            "castling"
        ].tolist() == [[0x81, 0x81]]
        bit = 8 * (int(square[1]) - 1) + "abcdefgh".index(square[0])
        words[0, plane] |= np.uint64(1) << np.uint64(bit)
        with pytest.raises(ValueError, match=f"row 0: plane {plane} marks {shown}, where no rook"):
            fp.from_bitboards(words, layout=layout, black_to_move=black)

    def test_two_rooks_of_one_wing(self):
        layout = "lc0_112_castling_plane"
        words = fp.bitboards(["4k3/8/8/8/8/8/8/RR2K3 w Q - 0 1"], layout=layout)
        words[0, 104] |= np.uint64(2)
        with pytest.raises(ValueError, match="plane 104 marks b1"):
            fp.from_bitboards(words, layout=layout)

    @pytest.mark.parametrize(
        ("layout", "plane", "message"),
        [
            ("lc0_112", 12, "plane 12 is neither"),
            ("lc0_112_hectoplies", 12, "plane 12 is neither"),
            ("lc0_112", 25, "plane 25 is neither"),
            ("alphazero_119", 12, "plane 12 is neither"),
            ("alphazero_119", 13, "plane 13 is not all zeros"),
            ("alphazero_119", 27, "plane 27 is not all zeros"),
            ("open_spiel_20", 13, "plane 13 holds 16, no count"),
            ("maia2_18", 17, "plane 17 marks f1, which no pawn can have passed"),
            ("lc0_112_canonicalization", 108, "plane 108 marks f1, which no pawn"),
        ],
    )
    def test_noise(self, layout, plane, message):
        words = fp.bitboards([START], layout=layout, squares="a1")
        words[0, plane] ^= np.uint64(32)
        with pytest.raises(ValueError, match=f"bitboards row 0: {message}"):
            fp.from_bitboards(words, layout=layout, squares="a1")

    def test_repetitions_are_no_noise(self):
        for layout, plane in (("lc0_112", 12), ("open_spiel_20", 13)):
            planes = fp.planes([START], layout, dtype="float32")
            planes[0, plane] = 1
            assert fp.format(fp.from_planes(planes, layout)).to_pylist() == [START]

    def test_first_row_of_many(self):
        words = fp.bitboards([START] * 100_000)
        words[[55_555, 70_000], 0] |= np.uint64(1)
        with pytest.raises(ValueError, match="bitboards row 55555: two men on a1"):
            fp.from_bitboards(words)

    def test_shapes_and_types(self):
        planes = fp.planes([START])
        with pytest.raises(ValueError, match=r"shape \(N, 12, 8, 8\), got \(1, 8, 8, 12\)"):
            fp.from_planes(planes.transpose(0, 2, 3, 1))
        with pytest.raises(ValueError, match=r"shape \(N, 12, 8, 8\), got \(12, 8, 8\)"):
            fp.from_planes(planes[0])
        with pytest.raises(TypeError, match="planes must be an array of bool, uint8"):
            fp.from_planes(planes.astype(np.int64))
        with pytest.raises(TypeError, match="bitboards must be an array of uint64"):
            fp.from_bitboards(np.zeros((1, 12), np.int64))
        with pytest.raises(ValueError, match="black_to_move must be bool"):
            fp.from_planes(planes, black_to_move=[True, False])
        with pytest.raises(ValueError, match="black_to_move must be bool"):
            fp.from_planes(planes, black_to_move=[1])

    def test_tokens(self):
        ids = fp.tokens([START] * 2)
        ids[1, 30] = 13
        with pytest.raises(ValueError, match="tokens row 1: token 30 is 13, 0 to 12 are allowed"):
            fp.from_tokens(ids)
        ids = fp.tokens([START], "searchless_77", dtype="int32")
        for place, value, message in (
            (4, -1, "token 4 is -1, 0 to 30 are allowed"),
            (4, 5, "token 4 spells '5', which is not allowed there"),
            (0, 3, "the tokens spell no FEN"),
            (70, 3, "token 70 spells '3', which is not allowed there"),
        ):
            wrong = ids.copy()
            wrong[0, place] = value
            with pytest.raises(ValueError, match=f"tokens row 0: {message}"):
                fp.from_tokens(wrong, "searchless_77")
        ids = fp.tokens([START], "chess_transformers")
        ids[0, [20, 21]] = 1
        with pytest.raises(ValueError, match="more than one en passant square"):
            fp.from_tokens(ids, "chess_transformers")
        ids[0, 64] = 2
        with pytest.raises(ValueError, match="token 64 is 2, 0 to 1 are allowed"):
            fp.from_tokens(ids, "chess_transformers")


def test_other_memory_layouts(canonical):
    planes = fp.planes(canonical[:100])
    expected = fp.from_planes(planes)
    strided = np.zeros((200, 12, 8, 8), np.uint8)[::2]
    strided[:] = planes
    assert fp.from_planes(strided).equals(expected)
    swapped = planes.astype(">f4")
    assert fp.from_planes(swapped).equals(expected)
