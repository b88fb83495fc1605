"""Records of other programs: their published bytes, round trips, and what they cannot hold."""

from __future__ import annotations

import chess
import numpy as np
import pyarrow as pa
import pytest

import fenpack as fp
from fenpack.records import (
    chess_board_dtype,
    compressed_dtype,
    from_binary_fen,
    from_compressed,
    from_packed_boards,
    packed_board_dtype,
    to_binary_fen,
    to_chess_boards,
    to_compressed,
    to_packed_boards,
)
from texts import START

CROWD = "rnbqkbnr/pppppppp/8/8/7P/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def test_sizes():
    sizes = [dtype.itemsize for dtype in (chess_board_dtype, packed_board_dtype, compressed_dtype)]
    assert sizes == [32, 32, 24]


class TestPackedBoards:
    def test_published_bytes(self):
        """The start position in the README of viriformat."""
        expected = bytes.fromhex(
            "ffff 0000 0000 ffff 1642 2561 0000 0000 8888 8888 9eca ade9 40 00 0100 0000 02 00"
        )
        assert to_packed_boards([START], results=2).tobytes() == expected

    def test_fields(self):
        fen = "r3k2r/8/8/8/2pP4/8/8/R3K3 b Qk d3 7 300"
        [record] = to_packed_boards([fen], scores=-123, results=0)
        assert record["occupied"] == (1 | 1 << 4 | 3 << 26 | 1 << 56 | 1 << 60 | 1 << 63)
        # Ra1 with its right, Ke1, pc4, Pd4, ra8, ke8, rh8 with its right.
        assert record["men"].tobytes().hex() == "5608db0e" + "00" * 12
        assert record["turn_and_target"] == 0x80 | 19
        assert (record["halfmove"], record["fullmove"]) == (7, 300)
        assert (record["score"], record["result"]) == (-123, 0)

    def test_round_trip(self, sample):
        positions = fp.parse(fp.canonicalize(sample, chess960=True), chess960=True)
        records = to_packed_boards(positions)
        assert from_packed_boards(records, chess960=True).equals(positions)

    def test_a_file(self, sample, tmp_path):
        records = to_packed_boards(sample[:100], scores=np.arange(100), results=1)
        records.tofile(tmp_path / "boards.bin")
        again = np.fromfile(tmp_path / "boards.bin", packed_board_dtype)
        assert (again == records).all()
        assert (again["score"] == np.arange(100)).all()

    def test_refusals(self):
        with pytest.raises(ValueError, match="x row 1 cannot be held: 33 men, at most 32 fit"):
            to_packed_boards([START, CROWD])
        late = "4k3/8/8/8/8/8/8/4K3 w - - 256 400"
        with pytest.raises(ValueError, match="the halfmove clock is 256, at most 255 fits"):
            to_packed_boards([late])
        assert not to_packed_boards([CROWD], scores=5, errors="blank").tobytes().strip(b"\0")
        for scores in (40_000, [1, 2, -40_000]):
            with pytest.raises(ValueError, match=r"scores row \d is -?40000, -32768 to 32767"):
                to_packed_boards([START] * 3, scores=scores)
        with pytest.raises(ValueError, match="results row 0 is 3, 0 to 2 are allowed"):
            to_packed_boards([START], results=3)
        with pytest.raises(ValueError, match="scores must be an integer or an array of 1 integers"):
            to_packed_boards([START], scores=[1, 2])

    @pytest.mark.parametrize(
        ("byte", "value", "message"),
        [
            (8, 7, "man 7 on a1 means nothing"),
            (12, 6, "the rook on a2 has a castling right there"),
            (24, 65, "en passant field 65, 0 to 64 are allowed"),
            (2, 255, "40 men, at most 32 fit"),
        ],
    )
    def test_wrong_bytes(self, byte, value, message):
        records = to_packed_boards([START] * 2)
        records.view(np.uint8).reshape(2, 32)[1, byte] = value
        with pytest.raises(ValueError, match=f"records row 1: {message}"):
            from_packed_boards(records)

    def test_wrong_arrays(self):
        with pytest.raises(TypeError, match="packed_board_dtype, got"):
            from_packed_boards(to_compressed([START]))
        with pytest.raises(TypeError, match="got bytes"):
            from_packed_boards(b"")


class TestChessBoards:
    def test_both_sides_by_hand(self):
        fen = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8"
        white, black = to_chess_boards([f"{fen} w - -", f"{fen} b - -"], scores=50, results=2)
        # e2 g2 b4 f4 h4 a5 b5 h5 d6 c7: P P R p k K P r p p.
        squares = ["e2", "g2", "b4", "f4", "h4", "a5", "b5", "h5", "d6", "c7"]
        occupied = sum(1 << chess.parse_square(name) for name in squares)
        assert white["occupied"] == occupied
        assert white["men"].tobytes() == bytes([0x00, 0x83, 0x5D, 0xB0, 0x88]) + bytes(11)
        assert (white["king"], white["opponent_king"]) == (chess.A5, chess.H4 ^ 56)
        assert (white["score"], white["result"]) == (50, 2)
        # For Black: c2 d3 a4 b4 h4 b5 f5 h5 e7 g7: P P k p R r P K p p.
        assert black["occupied"] == chess.flip_vertical(occupied)
        assert black["men"].tobytes() == bytes([0x00, 0x8D, 0xB3, 0x50, 0x88]) + bytes(11)
        assert (black["king"], black["opponent_king"]) == (chess.H5, chess.A4 ^ 56)
        assert (black["score"], black["result"]) == (-50, 0)

    def test_against_python_chess(self, sample):
        fens = [fen for fen in sample if set(fen.split()[2]) <= set("KQkq-")][:1000]
        for record, fen in zip(to_chess_boards(fens), fens, strict=True):
            board = chess.Board(fen)
            seen = board if board.turn else board.mirror()
            assert record["occupied"] == seen.occupied
            codes = [
                piece.piece_type - 1 + (0 if piece.color else 8)
                for _, piece in sorted(seen.piece_map().items())
            ]
            codes += [0] * (32 - len(codes))
            low, high = codes[::2], codes[1::2]
            assert record["men"].tolist() == [a | b << 4 for a, b in zip(low, high, strict=True)]
            assert record["king"] == seen.king(chess.WHITE)
            assert record["opponent_king"] == seen.king(chess.BLACK) ^ 56

    def test_columns_of_all_kinds(self, sample):
        fens = sample[:500]
        expected = to_chess_boards(fens, scores=7)
        for given in (
            fp.parse(fens),
            pa.chunked_array([fens[:9], fens[9:]]),
            fp.parse(fens).storage,
        ):
            assert (to_chess_boards(given, scores=7) == expected).all()
        assert len(to_chess_boards([])) == 0

    def test_refusals(self):
        with pytest.raises(ValueError, match="Black has 0 kings"):
            to_chess_boards([START, "8/8/8/8/8/8/8/K7 b - -"])
        with pytest.raises(ValueError, match="x row 1 is null"):
            to_chess_boards([START, None])
        with pytest.raises(fp.FenError):
            to_chess_boards([START, "nonsense"])
        blank = to_chess_boards([None, "nonsense", START], scores=9, errors="blank")
        assert blank["score"].tolist() == [0, 0, 9]


# The bytes that scalachess tests in BinaryFenTest.scala, with their variants.
PUBLISHED = [
    ("8/8/8/8/8/8/8/8 w - - 0 1", "0000000000000000"),
    ("8/8/8/8/8/8/8/8 b - - 0 1", "00000000000000000001"),
    ("8/8/8/8/8/8/8/8 b - - 100 432", "000000000000000064df06"),
    (
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        "ffff00001000efff2d844ad200000000111111113e955fe3",
    ),
    ("5k2/6p1/8/1Pp5/6P1/8/8/3K4 w - c6 0 1", "20400006400000080ac0b1"),
    ("4k3/8/8/8/3pP3/8/6N1/7K b - e3 0 1", "10000000180040802ac10f"),
    ("r2r3k/p7/3p4/8/8/P6P/8/R3K2R b KQq - 0 4", "8901080000810091ad0d10e1f70007"),
]
CHESS960 = (
    "4rrk1/pbbp2p1/1ppnp3/3n1pqp/3N1PQP/1PPNP3/PBBP2P1/4RRK1 w Ff - 0 3",
    "704f1ee8e81e4f70d60a44000002020813191113511571be000402",
)
FROM_POSITION = ("8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 3 1", "00000002180000308a1c0f030103")


class TestBinaryFen:
    @pytest.mark.parametrize(("fen", "published"), PUBLISHED)
    def test_published_bytes(self, fen, published):
        """Lichess keeps a right that needs Chess960 in standard chess too."""
        packed = to_binary_fen([fen], chess960=True, variant="standard")
        assert packed[0].as_py().hex() == published
        assert fp.format(from_binary_fen([bytes.fromhex(published)])).to_pylist() == [fen]

    def test_sizes_of_the_announcement(self):
        fens = [PUBLISHED[3][0], "QN4n1/6r1/3k4/8/b2K4/8/8/8 b - - 0 1"]
        assert [len(row.as_py()) for row in to_binary_fen(fens)] == [24, 12]

    def test_variants(self):
        fen, published = CHESS960
        assert to_binary_fen([fen], chess960=True)[0].as_py().hex() == published
        read = from_binary_fen([bytes.fromhex(published)])
        assert fp.format(read).to_pylist() == [fen]
        assert read.to_numpy()["flags"][0] == 4
        fen, published = FROM_POSITION
        assert fp.format(from_binary_fen([bytes.fromhex(published)])).to_pylist() == [fen]

    def test_round_trip(self, sample):
        positions = fp.parse(fp.canonicalize(sample, chess960=True), chess960=True)
        packed = to_binary_fen(positions)
        assert from_binary_fen(packed).equals(positions)
        chunked = pa.chunked_array([positions[:777], positions[777:]])
        packed_chunks = to_binary_fen(chunked)
        assert packed_chunks.num_chunks == 2
        assert from_binary_fen(packed_chunks).combine_chunks().equals(positions)

    def test_nulls(self):
        packed = to_binary_fen([None, START, "nonsense", None, START, None])
        assert packed.is_valid().to_pylist() == [False, True, False, False, True, False]
        assert packed[1] == packed[4]
        back = from_binary_fen(packed)
        assert fp.format(back).to_pylist() == [None, START, None, None, START, None]
        many = [START, None] * 10_000
        assert fp.format(from_binary_fen(to_binary_fen(many))).to_pylist() == many

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            ("00", "1 bytes are too few or too many"),
            ("ffff00001000efff2d84", "10 bytes are too few"),
            ("00000000000000000000ff", "variant 255, only 0, 2 and 3 are chess"),
            ("0000000000000000000005", "variant 5"),
            ("0000000000000000000000" + "0000", "13 bytes are too few or too many"),
            ("0000000000000000ffffffffffffffff7f00", "at most 65535 fits"),
            ("000000000000000100", None),
            ("00000000000000010c", "the pawn on a1 cannot be captured en passant"),
            ("00000000010000000d", "the rook on a4 has a castling right there"),
            ("0000000003000000" + "cc", "more than one pawn to be captured"),
        ],
    )
    def test_wrong_bytes(self, given, message):
        if message is None:
            assert from_binary_fen([bytes.fromhex(given)])[0].is_valid
            return
        with pytest.raises(ValueError, match=f"fens row 1 is no binary FEN: .*{message}"):
            from_binary_fen([b"\0" * 8, bytes.fromhex(given)])

    def test_wrong_columns(self):
        with pytest.raises(TypeError, match="column of binary FENs"):
            from_binary_fen(pa.array([START]))
        with pytest.raises(TypeError, match="bytes or None"):
            from_binary_fen([1])


class TestCompressed:
    @pytest.mark.parametrize(("fen", "published"), PUBLISHED[3:])
    def test_published_bytes(self, fen, published):
        counters = fp.parse([fen]).to_numpy()["fullmove"][0] > 1
        expected = bytes.fromhex(published[:-4] if counters else published).ljust(24, b"\0")
        assert to_compressed([fen], chess960=True).tobytes() == expected

    def test_round_trip(self, sample):
        fens = fp.canonicalize(sample, chess960=True, counters="drop")
        positions = fp.parse(fens, chess960=True)
        assert from_compressed(to_compressed(positions), chess960=True).equals(positions)

    def test_refusals(self):
        with pytest.raises(ValueError, match="Black is to move and has no king to say so"):
            to_compressed(["8/8/8/8/8/8/8/K7 b - -"])
        with pytest.raises(ValueError, match="33 men"):
            to_compressed([CROWD])


def test_an_empty_board_keeps_its_score():
    empty = "8/8/8/8/8/8/8/8 w - - 0 1"
    records = to_packed_boards([empty, None, START], scores=77, results=2, errors="blank")
    assert records["score"].tolist() == [77, 0, 77]
    assert records["result"].tolist() == [2, 0, 2]
    assert not any(records[1].tobytes())
