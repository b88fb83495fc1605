"""Tokens and features: by hand, and the published sums."""

from __future__ import annotations

import numpy as np
import pytest

import fenpack as fp
from texts import START

FEN = "r3k2r/8/8/8/2pP3n/8/1P3B2/R3K1Q1 b Qkq d3 5 7"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
ENDGAME = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1"

# Rank by rank from the first.
CLASSES = """
4 0 0 0 6 0 5 0
0 1 0 0 0 3 0 0
0 0 0 0 0 0 0 0
0 0 7 1 0 0 0 8
0 0 0 0 0 0 0 0
0 0 0 0 0 0 0 0
0 0 0 0 0 0 0 0
10 0 0 0 12 0 0 10
"""
MIRRORED = """
4 0 0 0 6 0 0 4
0 0 0 0 0 0 0 0
0 0 0 0 0 0 0 0
0 0 0 0 0 0 0 0
0 0 1 7 0 0 0 2
0 0 0 0 0 0 0 0
0 7 0 0 0 9 0 0
10 0 0 0 12 0 11 0
"""
TRANSFORMERS = """
5 0 0 0 13 0 0 5
0 0 0 0 0 0 0 0
0 0 0 0 0 0 0 0
0 0 0 0 0 0 0 0
0 0 3 2 0 0 0 7
0 0 0 1 0 0 0 0
0 2 0 0 0 8 0 0
4 0 0 0 12 0 10 0
0
0 1 1 1
"""
# b; r...k..r and so on; Qkq.; d3; 5..; 7..
SEARCHLESS = """
11
20 30 30 30 21 30 30 20
30 30 30 30 30 30 30 30
30 30 30 30 30 30 30 30
30 30 30 30 30 30 30 30
30 30 18 23 30 30 30 19
30 30 30 30 30 30 30 30
30 23 30 30 30 24 30 30
26 30 30 30 28 30 27 30
27 21 22 30
13 3
5 30 30
7 30 30
"""


def numbers(text: str) -> list[int]:
    return [int(number) for number in text.split()]


@pytest.mark.parametrize(
    ("vocabulary", "options", "expected"),
    [
        ("squares", {}, CLASSES),
        ("squares", {"perspective": "mover"}, MIRRORED),
        ("searchless_77", {}, SEARCHLESS),
        ("chess_transformers", {}, TRANSFORMERS),
    ],
)
@pytest.mark.parametrize("dtype", ["uint8", "int32", "int64"])
def test_tokens_by_hand(vocabulary, options, expected, dtype):
    tokens = fp.tokens([FEN], vocabulary, dtype=dtype, **options)
    assert tokens.dtype == dtype
    assert tokens.tolist() == [numbers(expected)]


def test_orders_of_squares():
    classes = np.array(numbers(CLASSES)).reshape(8, 8)
    assert (fp.tokens([FEN], squares="a8").reshape(8, 8) == classes[::-1]).all()
    turned = fp.tokens([FEN], perspective="mover_rotated").reshape(8, 8)
    swapped = np.select([classes > 6, classes > 0], [classes - 6, classes + 6])
    assert (turned == swapped[::-1, ::-1]).all()


def test_searchless_limits():
    fen = "4k3/8/8/8/8/8/8/4K3 w - - 999 999"
    assert fp.tokens([fen], "searchless_77")[0, 71:].tolist() == [9] * 6
    for bad in (fen.replace("999 ", "1000 "), fen.replace(" 999", " 999", 1)[:-3] + "1000"):
        with pytest.raises(ValueError, match="is 1000, at most 999 fits"):
            fp.tokens([bad], "searchless_77")
    inner = "4k3/8/8/8/8/8/8/RR2K3 w B - 0 1"
    with pytest.raises(ValueError, match="inner rook"):
        fp.tokens([inner], "searchless_77", chess960=True)
    outer = "4k3/8/8/8/8/8/8/1R2K3 w Q - 0 1"
    assert fp.tokens([outer], "searchless_77", chess960=True)[0, 65] == 27


def test_token_options():
    with pytest.raises(ValueError, match="vocabulary must be one of"):
        fp.tokens([FEN], "bpe")
    with pytest.raises(ValueError, match="squares"):
        fp.tokens([FEN], "searchless_77", squares="a1")
    with pytest.raises(ValueError, match="dtype must be one of"):
        fp.tokens([FEN], dtype="float32")


@pytest.mark.parametrize("vocabulary", ["searchless_77", "chess_transformers"])
def test_two_spellings_are_one(vocabulary):
    plain = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    spelled = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b qkQK e3 0 1"
    assert (fp.tokens([plain], vocabulary) == fp.tokens([spelled], vocabulary)).all()


# Sums of active indices in White's and in Black's view, those of the trainer from its own loader.
SUMS = {
    "halfka_v2_hm_trainer": {
        START: (769264, 769264),
        KIWIPETE: (769248, 769280),
        ENDGAME: (94834, 94852),
    },
    "halfka_v2_hm": {
        START: (705712, 705712),
        KIWIPETE: (705696, 705728),
        ENDGAME: (87090, 87108),
    },
    "halfkp": {START: (82950, 63722), KIWIPETE: (82934, 63738), ENDGAME: (165373, 165387)},
}


@pytest.mark.parametrize("features", SUMS)
@pytest.mark.parametrize("fen", [START, KIWIPETE, ENDGAME])
def test_published_sums(features, fen):
    found = fp.nnue_features([fen], features)[0]
    assert tuple(half[half >= 0].sum() for half in found) == SUMS[features][fen]


def test_published_sum_of_chess_768():
    found = fp.nnue_features([ENDGAME], "chess_768", perspective="mover")[0]
    assert tuple(half[half >= 0].sum() for half in found) == (3268, 3252)


def test_features_by_hand():
    # Ka1 and Kc1 of Black, White to move, with a white pawn on e4 (28).
    fen = "8/8/8/8/4P3/8/8/K1k5 w - - 0 1"
    white, black = fp.nnue_features([fen], "chess_768")[0]
    assert white[:4].tolist() == [5 * 64 + 0, 384 + 5 * 64 + 2, 28, -1]
    assert black[:4].tolist() == [384 + 5 * 64 + 56, 5 * 64 + 58, 384 + 36, -1]
    white, black = fp.nnue_features([fen], "halfkp")[0]
    assert white[:2].tolist() == [1 + 28, -1]
    assert black[:2].tolist() == [1 + 35 + 64 + 641 * 61, -1]
    # The white king is mirrored to h1, bucket 28; the black one to f8, bucket 2.
    white, black = fp.nnue_features([fen], "halfka_v2_hm")[0]
    assert white[:3].tolist() == [number + 704 * 28 for number in (7 + 640, 5 + 640, 27)]
    assert black[:3].tolist() == [number + 704 * 2 for number in (63 + 640, 61 + 640, 35 + 64)]


@pytest.mark.parametrize("features", ["chess_768", "halfkp", "halfka_v2_hm"])
def test_csr(features, sample):
    import pyarrow as pa

    fens = sample[:3000] * 40
    padded = fp.nnue_features(fens, features)
    for given in (fens, pa.chunked_array([fens[:1000], fens[1000:]]), fp.parse(fens)):
        sparse = fp.nnue_features(given, features, form="csr")
        flat = padded.reshape(-1, 32)
        assert (sparse.indptr[1:] == (flat >= 0).sum(axis=1).cumsum()).all()
        assert (sparse.indices == flat[flat >= 0]).all()
    with pytest.raises(ValueError, match="x row 70000 is null"):
        fp.nnue_features([*fens[:70_000], None], features, form="csr")
    empty = fp.nnue_features([], features, form="csr")
    assert len(empty.indices) == 0
    assert empty.indptr.tolist() == [0]


def test_feature_refusals():
    crowd = "rnbqkbnr/pppppppp/8/8/7P/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    with pytest.raises(ValueError, match="x row 1 cannot be held: 33 men, at most 32 fit"):
        fp.nnue_features([START, crowd], "chess_768")
    with pytest.raises(ValueError, match="Black has 0 kings, not 1"):
        fp.nnue_features(["8/8/8/8/8/8/8/K7 w - -"])
    with pytest.raises(ValueError, match="White has 2 kings, not 1"):
        fp.nnue_features(["8/8/8/8/8/8/8/KKk5 w - -"], "halfkp")
    assert (fp.nnue_features([crowd], "chess_768", errors="blank") == -1).all()
    with pytest.raises(ValueError, match="features must be one of"):
        fp.nnue_features([START], "halfka")
    with pytest.raises(ValueError, match="form must be one of"):
        fp.nnue_features([START], form="coo")
    with pytest.raises(ValueError, match="perspective must be one of"):
        fp.nnue_features([START], perspective="black")
