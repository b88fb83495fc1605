"""The encoders of other packages, where installed: the same numbers on 10,000 positions."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import fenpack as fp

ROWS = 10_000


@pytest.fixture(scope="module")
def fens(sample):
    """Legal positions of standard chess in canonical form."""
    legal = fp.is_valid(sample).to_pylist()
    standard = [
        fen
        for fen, valid in zip(sample, legal, strict=True)
        if valid and set(fen.split()[2]) <= set("KQkq-")
    ]
    return fp.canonicalize(Random(5).sample(standard, ROWS)).to_pylist()


def compare(planes: np.ndarray, expected: np.ndarray, fens: list[str]) -> None:
    wrong = np.nonzero((planes != expected).reshape(len(fens), -1).any(axis=1))[0]
    assert not len(wrong), f"{len(wrong)} rows differ, the first is {fens[wrong[0]]}"


def test_maia2(fens):
    """`board_to_tensor` in maia2/utils.py; games are fed mirrored where Black is to move."""
    chess = pytest.importorskip("chess")
    pytest.importorskip("torch")
    utils = pytest.importorskip("maia2.utils")
    boards = [chess.Board(fen) for fen in fens]
    expected = np.stack([utils.board_to_tensor(board).numpy() for board in boards])
    compare(fp.planes(fens, "maia2_18", dtype="float32"), expected, fens)
    seen = [board if board.turn else board.mirror() for board in boards]
    expected = np.stack([utils.board_to_tensor(board).numpy() for board in seen])
    planes = fp.planes(fens, "maia2_18", dtype="float32", perspective="mover")
    compare(planes, expected, fens)


def test_open_spiel(fens):
    """`ChessState::ObservationTensor` in open_spiel/games/chess/chess.cc."""
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("chess")
    states = [game.new_initial_state(fen) for fen in fens]
    going = [i for i, state in enumerate(states) if not state.is_terminal()]
    expected = np.array([states[i].observation_tensor() for i in going], np.float32)
    kept = [fens[i] for i in going]
    assert len(kept) > 0.9 * ROWS
    planes = fp.planes(kept, "open_spiel_20")
    compare(planes, expected.reshape(planes.shape), kept)


def test_pettingzoo(fens):
    """`get_observation` in pettingzoo/classic/chess/chess_utils.py: the planes both have.

    It moves a pawn that can be captured en passant to the last rank, so such rows are left out;
    the side to move of its first half is lc0's.
    """
    chess = pytest.importorskip("chess")
    utils = pytest.importorskip("pettingzoo.classic.chess.chess_utils")
    kept = [fen for fen in fens if fen.split()[3] == "-"]
    seen = []
    for fen in kept:
        board = chess.Board(fen)
        seen.append(utils.get_observation(board, player=int(not board.turn)))
    expected = np.stack(seen)
    planes = fp.planes(kept, "lc0_112", channels="last", squares="a8", dtype="float32", fill="no")
    compare(planes[..., :12], expected[..., 7:19], kept)
    compare(planes[..., [105, 104, 107, 106, 108]], expected[..., :5], kept)


def test_pgx():
    """`observe` in pgx/_src/games/chess.py, over games from the start.

    pgx looks for repetitions in the whole game, fenpack in the steps that it is given, so a step
    may have been seen before in the whole game only. XLA multiplies by the reciprocal of 100,
    which rounds otherwise in the last bit.
    """
    jax = pytest.importorskip("jax")
    pgx = pytest.importorskip("pgx")
    from pgx.experimental.chess import to_fen

    environment = pgx.make("chess")
    init, step = jax.jit(environment.init), jax.jit(environment.step)
    choices, games, observed = Random(7), [], []
    while sum(map(len, games)) < ROWS:
        state = init(jax.random.PRNGKey(len(games)))
        fens, seen = [], []
        while not state.terminated and len(fens) < 300:
            fens.append(to_fen(state))
            seen.append(np.asarray(state.observation))
            legal = np.flatnonzero(np.asarray(state.legal_action_mask))
            state = step(state, int(choices.choice(legal)))
        games.append(fens)
        observed.append(np.stack(seen))
    fens = [fen for game in games for fen in game]
    steps = [
        [game[i - back] if i >= back else None for game in games for i in range(len(game))]
        for back in range(1, 8)
    ]
    expected = np.concatenate(observed)
    planes = fp.planes(fens, "alphazero_119", channels="last", history=steps)
    repetitions = [14 * step + plane for step in range(8) for plane in (12, 13)]
    others = np.setdiff1d(np.arange(118), repetitions)
    compare(planes[..., others], expected[..., others], fens)
    assert np.allclose(planes[..., 118], expected[..., 118], rtol=1e-6, atol=0)
    agreeing = (planes[..., repetitions] == expected[..., repetitions]).all(axis=(1, 2, 3))
    assert agreeing.mean() > 0.9
