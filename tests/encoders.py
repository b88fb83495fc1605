"""Encoders built from python-chess, square by square, to compare with: slow and obvious."""

from __future__ import annotations

import chess
import numpy as np

ROLES = (chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN, chess.KING)


def board_of(fen: str, chess960: bool) -> chess.Board:
    """Read a FEN; an en passant square that nobody can capture on is dropped."""
    board = chess.Board(fen, chess960=chess960)
    if not board.has_legal_en_passant():
        board.ep_square = None
    return board


def pieces(board: chess.Board) -> np.ndarray:
    planes = np.zeros((12, 64), np.float32)
    for square, piece in board.piece_map().items():
        planes[piece.piece_type - 1 + (0 if piece.color else 6), square] = 1
    return planes.reshape(12, 8, 8)


def rights(board: chess.Board, color: chess.Color) -> tuple[bool, bool]:
    return board.has_kingside_castling_rights(color), board.has_queenside_castling_rights(color)


def full(*values: float) -> list[np.ndarray]:
    return [np.full((8, 8), value, np.float32) for value in values]


def maia2(board: chess.Board) -> np.ndarray:
    target = np.zeros(64, np.float32)
    if board.ep_square is not None:
        target[board.ep_square] = 1
    white, black = rights(board, chess.WHITE), rights(board, chess.BLACK)
    state = full(board.turn, *white, *black)
    return np.stack([*pieces(board), *state, target.reshape(8, 8)])


def maia1(board: chess.Board) -> np.ndarray:
    """Rows from rank 8; for Black the board is turned."""
    planes = pieces(board)
    turned = np.concatenate([planes[6:], planes[:6]])[:, :, ::-1]
    planes = planes[:, ::-1] if board.turn else turned
    own, other = rights(board, board.turn), rights(board, not board.turn)
    return np.stack([*planes, *full(board.turn, *own, *other)])


def open_spiel(board: chess.Board) -> np.ndarray:
    planes = pieces(board)
    interleaved = [planes[role + side] for role in range(5, -1, -1) for side in (0, 6)]
    empty = 1 - planes.sum(axis=0)
    (wk, wq), (bk, bq) = rights(board, chess.WHITE), rights(board, chess.BLACK)
    clock = np.float32(board.halfmove_clock / 101)
    return np.stack([*interleaved, empty, *full(0, board.turn, clock, wq, wk, bq, bk)])


def lc0(board: chess.Board) -> np.ndarray:
    """The classical form of a lone FEN."""
    seen = board if board.turn else board.mirror()
    planes = np.zeros((112, 8, 8), np.float32)
    planes[:12] = pieces(seen)
    before = seen.copy()
    if seen.ep_square is not None:
        pawn = before.remove_piece_at(seen.ep_square - 8)
        before.set_piece_at(seen.ep_square + 8, pawn)
    if board.fen().split(" ")[:3] != chess.STARTING_FEN.split(" ")[:3]:
        for step in range(1, 8):
            planes[13 * step : 13 * step + 12] = pieces(before)
    (ours_k, ours_q), (theirs_k, theirs_q) = rights(seen, True), rights(seen, False)
    clock = board.halfmove_clock
    planes[104:] = full(ours_q, ours_k, theirs_q, theirs_k, not board.turn, clock, 0, 1)
    return planes


def alphazero(board: chess.Board) -> np.ndarray:
    seen = board if board.turn else board.mirror()
    planes = np.zeros((119, 8, 8), np.float32)
    planes[:12] = pieces(seen)[:, ::-1]
    planes[12:112:14] = 1
    plies = 2 * (board.fullmove_number - 1) + (not board.turn)
    (ours_k, ours_q), (theirs_k, theirs_q) = rights(seen, True), rights(seen, False)
    clock = np.float32(board.halfmove_clock / 100)
    planes[112:] = full(not board.turn, plies / 512, ours_q, ours_k, theirs_q, theirs_k, clock)
    return planes


def squares(board: chess.Board) -> list[int]:
    def number(piece: chess.Piece | None) -> int:
        return 0 if piece is None else piece.piece_type + (0 if piece.color else 6)

    return [number(board.piece_at(square)) for square in chess.SQUARES]


def searchless(board: chess.Board) -> list[int]:
    placement, turn, castling, target, halfmove, fullmove = board.fen().split(" ")
    for digit in "12345678":
        placement = placement.replace(digit, "." * int(digit))
    text = (
        turn
        + placement.replace("/", "")
        + castling.replace("-", "").ljust(4, ".")
        + target.replace("-", "..")
        + halfmove.ljust(3, ".")
        + fullmove.ljust(3, ".")
    )
    return ["0123456789abcdefghpnrkqPBNRQKw.".index(character) for character in text]


def transformers(board: chess.Board) -> list[int]:
    placement, turn, castling, target, *_ = board.fen().split(" ")
    for digit in "12345678":
        placement = placement.replace(digit, "." * int(digit))
    letters = list(placement.replace("/", ""))
    if target != "-":
        letters[chess.parse_square(target) ^ 56] = ","
    ids = [".,PpRrNnBbQqKk".index(letter) for letter in letters]
    return [*ids, int(turn == "w"), *(int(letter in castling) for letter in "KQkq")]


def chess_768(board: chess.Board, view: chess.Color) -> list[int]:
    flip = 0 if view else 56
    return [
        384 * (piece.color != view) + 64 * (piece.piece_type - 1) + (square ^ flip)
        for square, piece in sorted(board.piece_map().items())
    ]


def halfkp(board: chess.Board, view: chess.Color) -> list[int]:
    flip = 0 if view else 63
    king = board.king(view) ^ flip
    return [
        1 + (square ^ flip) + 64 * (2 * (piece.piece_type - 1) + (piece.color != view)) + 641 * king
        for square, piece in sorted(board.piece_map().items())
        if piece.piece_type != chess.KING
    ]


def halfka(board: chess.Board, view: chess.Color, kinds: int) -> list[int]:
    king = board.king(view)
    flip = (0 if view else 56) ^ (7 if chess.square_file(king) < 4 else 0)
    bucket = 4 * (7 - chess.square_rank(king ^ flip)) + 7 - chess.square_file(king ^ flip)
    return [
        (square ^ flip)
        + 64 * min(2 * (piece.piece_type - 1) + (piece.color != view), kinds - 1)
        + 64 * kinds * bucket
        for square, piece in sorted(board.piece_map().items())
    ]
