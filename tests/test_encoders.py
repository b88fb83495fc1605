"""The whole sample against encoders that were built from python-chess."""

from __future__ import annotations

import numpy as np
import pytest

import encoders
import fenpack as fp

PLANES = {
    "pieces": encoders.pieces,
    "maia2_18": encoders.maia2,
    "maia1_17": encoders.maia1,
    "open_spiel_20": encoders.open_spiel,
    "lc0_112": encoders.lc0,
    "alphazero_119": encoders.alphazero,
}
TOKENS = {
    "squares": encoders.squares,
    "searchless_77": encoders.searchless,
    "chess_transformers": encoders.transformers,
}
FEATURES = {
    "chess_768": encoders.chess_768,
    "halfkp": encoders.halfkp,
    "halfka_v2_hm": lambda board, view: encoders.halfka(board, view, 11),
    "halfka_v2_hm_trainer": lambda board, view: encoders.halfka(board, view, 12),
}


@pytest.fixture(scope="module")
def boards(sample):
    """Every fourth row of the sample that python-chess finds legal as standard chess."""
    fens = [fen for fen in sample[::4] if set(fen.split()[2]) <= set("KQkq-")]
    boards = [encoders.board_of(fen, chess960=False) for fen in fens]
    kept = [(fen, board) for fen, board in zip(fens, boards, strict=True) if board.status() == 0]
    assert len(kept) > 8000
    return [fen for fen, _ in kept], [board for _, board in kept]


@pytest.mark.parametrize("layout", PLANES)
def test_planes(layout, boards):
    fens, boards = boards
    for start in range(0, len(fens), 2000):
        planes = fp.planes(fens[start : start + 2000], layout, dtype="float32")
        expected = np.stack([PLANES[layout](board) for board in boards[start : start + 2000]])
        wrong = np.nonzero((planes != expected).any(axis=(1, 2, 3)))[0]
        assert not len(wrong), fens[start + wrong[0]]


@pytest.mark.parametrize("vocabulary", TOKENS)
def test_tokens(vocabulary, boards):
    fens, boards = boards
    expected = np.array([TOKENS[vocabulary](board) for board in boards])
    assert (fp.tokens(fens, vocabulary) == expected).all()


@pytest.mark.parametrize("features", FEATURES)
def test_features(features, boards):
    fens, boards = boards
    found = fp.nnue_features(fens, features)
    for row, board in zip(found, boards, strict=True):
        for half, view in zip(row, (True, False), strict=True):
            assert half[half >= 0].tolist() == FEATURES[features](board, view)


def test_chess960_rights(sample):
    """Rook squares of rights by file, which python-chess keeps as a set of squares."""
    fens = [fen for fen in sample if not set(fen.split()[2]) <= set("KQkq-")]
    assert len(fens) > 1000
    planes = fp.planes(fens, "lc0_112_castling_plane", chess960=True)[:, 104:106]
    for fen, both in zip(fens, planes, strict=True):
        board = encoders.board_of(fen, chess960=True)
        seen = board if board.turn else board.mirror()
        rooks = sum(1 << int(square) for square in np.flatnonzero(both.any(axis=0)))
        assert rooks == seen.clean_castling_rights()
