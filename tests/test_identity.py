"""Which rows are the same position: keys, duplicates, distinct positions."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import chess.polyglot
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
import xxhash

import fenpack as fp
from cases import DATA, Pair, read_pairs
from fenpack import _native
from texts import START, UNUSUAL

PAIRS = read_pairs()
each_pair = pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.id)
SAMPLE = gzip.decompress((DATA / "sample_40k.fen.gz").read_bytes()).decode().splitlines()
MIXED = [*SAMPLE[:3000], *UNUSUAL.values(), None, "", "x", *SAMPLE[1000:1500], "x", None]

DOCS = Path(__file__).parents[1] / "docs" / "identity.md"

#: The table of the documentation. Frozen: a key that changes breaks every stored one.
VECTORS = re.findall(r"^\| `(.+?)` \| `(\w{72})` \| `(\w{32})` \|$", DOCS.read_text("utf-8"), re.M)


def duplicates_by_hand(identities: list[bytes | None], keep: str | None) -> list[bool | None]:
    groups: dict[bytes, list[int]] = {}
    for row, identity in enumerate(identities):
        if identity is not None:
            groups.setdefault(identity, []).append(row)
    found: list[bool | None] = [None if identity is None else False for identity in identities]
    for rows in groups.values():
        kept = {"first": rows[:1], "last": rows[-1:], None: rows if len(rows) == 1 else []}[keep]
        for row in set(rows) - set(kept):
            found[row] = True
    return found


class TestPairs:
    def test_the_table_is_whole(self) -> None:
        assert len(PAIRS) == 25

    @each_pair
    def test_position(self, pair: Pair) -> None:
        fens, chess960 = list(pair.fens), pair.chess960
        for bits in (64, 128):
            one, two = fp.key(fens, bits=bits, chess960=chess960).to_pylist()
            assert (one == two) is pair.same_position
        one, two = fp.identity(fens, chess960=chess960).to_pylist()
        assert (one == two) is pair.same_position
        assert fp.is_duplicate(fens, chess960=chess960).to_pylist() == [False, pair.same_position]
        assert len(fp.unique(fens, chess960=chess960)) == 2 - pair.same_position

    @each_pair
    def test_polyglot(self, pair: Pair) -> None:
        one, two = fp.zobrist(list(pair.fens), chess960=pair.chess960).to_pylist()
        assert (one == two) is pair.same_polyglot


class TestKey:
    def test_the_table_is_whole(self) -> None:
        assert len(VECTORS) == 5
        assert VECTORS[0][2] == "5d70b68ab7d61e02fe08981e014bb536"

    @pytest.mark.parametrize(("fen", "identity", "digest"), VECTORS)
    def test_frozen(self, fen: str, identity: str, digest: str) -> None:
        assert fp.identity([fen])[0].as_py().hex() == identity
        assert fp.key([fen], bits=128)[0].as_py().hex() == digest
        assert fp.key([fen])[0].as_py() == int(digest[16:], 16)

    def test_is_xxh3_of_the_identity(self) -> None:
        rows = fp.identity(MIXED).to_pylist()
        digests = [row and xxhash.xxh3_128_digest(row) for row in rows]
        assert fp.key(MIXED, bits=128).to_pylist() == digests
        halves = [digest and int.from_bytes(digest[8:], "big") for digest in digests]
        assert fp.key(MIXED).to_pylist() == halves

    def test_identity_is_the_head_of_the_canonical_position(self) -> None:
        packed = fp.parse(fp.canonicalize(MIXED)).to_pylist()
        heads = [row and bytes((*row[:32], row[32] & 1, *row[33:36])) for row in packed]
        assert fp.identity(MIXED).to_pylist() == heads

    def test_positions_have_the_keys_of_their_text(self) -> None:
        positions = fp.parse(MIXED)
        for function in (fp.key, fp.zobrist, fp.identity, fp.is_duplicate):
            assert function(positions).equals(function(MIXED))

    def test_marked_positions_are_chess960(self) -> None:
        fen = "3k4/8/8/8/8/8/8/R2K3R w KQ - 0 30"
        marked = fp.parse([fen], chess960=True)
        assert fp.key(marked).equals(fp.key([fen], chess960=True))
        assert not fp.key(marked).equals(fp.key([fen]))

    def test_bits(self) -> None:
        with pytest.raises(ValueError, match="bits must be 64 or 128, got 32"):
            fp.key([START], bits=32)

    def test_types(self) -> None:
        assert fp.key([]).type == pa.uint64()
        assert fp.key([], bits=128).type == pa.binary(16)
        assert fp.identity([]).type == pa.binary(36)
        empty = pa.chunked_array([], pa.string())
        assert fp.key(empty).type == pa.uint64()
        assert fp.key(empty).num_chunks == 0
        assert fp.key(empty, bits=128).type == pa.binary(16)

    def test_dictionary(self) -> None:
        encoded = pa.array(MIXED).dictionary_encode()
        assert fp.key(encoded).equals(fp.key(MIXED))
        assert fp.is_duplicate(encoded).equals(fp.is_duplicate(MIXED))

    def test_bad_positions(self) -> None:
        rows = pa.array([b"\xff" * 40], pa.binary(40))
        for function in (fp.key, fp.zobrist, fp.identity, fp.is_duplicate, fp.unique):
            with pytest.raises(ValueError, match="x row 0 is no packed position"):
                function(rows)


class TestIdentity:
    def test_by(self) -> None:
        fens = [
            "4k2r/8/8/3pP3/8/8/8/R3K3 w Qk d6 0 2",
            "4k2r/8/8/3pP3/8/8/8/R3K3 w Qk - 0 2",
            "4k2r/8/8/3pP3/8/8/8/R3K3 w k - 0 2",
            "4k2r/8/8/3pP3/8/8/8/R3K3 b k - 0 2",
        ]
        distinct = {
            by: len(fp.identity(fens, by=by).unique())
            for by in ("position", "board_side_rights", "board_side", "board")
        }
        assert distinct == {"position": 4, "board_side_rights": 3, "board_side": 2, "board": 1}

    def test_unknown(self) -> None:
        with pytest.raises(ValueError, match='by must be one of "position"'):
            fp.identity([START], by="text")


class TestZobrist:
    def test_equals_python_chess(self) -> None:
        fens = SAMPLE[::7]
        # Only python-chess hashes an en passant square that cannot be right.
        invalid = fp.Problem.EP_WRONG_RANK | fp.Problem.EP_NO_PAWN | fp.Problem.EP_OCCUPIED
        problems = fp.validate(fens).to_numpy()
        compared = 0
        for fen, bits, key in zip(fens, problems, fp.zobrist(fens).to_pylist(), strict=True):
            if int(bits) & invalid or int(bits) & fp.Problem.CASTLING_IMPOSSIBLE:
                continue
            assert key == chess.polyglot.zobrist_hash(chess.Board(fen)), fen
            compared += 1
        assert compared > 5000

    def test_chess960(self) -> None:
        fens = [chess.Board.from_chess960_pos(n).fen() for n in range(0, 960, 7)]
        keys = [chess.polyglot.zobrist_hash(chess.Board(fen, chess960=True)) for fen in fens]
        assert fp.zobrist(fens, chess960=True).to_pylist() == keys


class TestIsDuplicate:
    @pytest.mark.parametrize("keep", ["first", "last", None])
    def test_by_hand(self, keep: str | None) -> None:
        expected = duplicates_by_hand(fp.identity(MIXED).to_pylist(), keep)
        assert fp.is_duplicate(MIXED, keep=keep).to_pylist() == expected
        assert sum(map(bool, expected)) > 500

    @pytest.mark.parametrize("bits", [0, 1, 4, 12, 33])
    @pytest.mark.parametrize("keep", ["first", "last", None])
    def test_colliding_hashes_merge_nothing(self, keep: str | None, bits: int) -> None:
        column = pa.array(MIXED)
        found = _native.is_duplicate(column, keep, False, bits)
        assert found.equals(fp.is_duplicate(column, keep=keep))
        for part, exact in zip(
            _native.unique(column, False, bits), _native.unique(column, False), strict=True
        ):
            assert part.equals(exact)

    @pytest.mark.parametrize("size", [1, 7, 64, 100, 1000])
    def test_chunks(self, size: int) -> None:
        column = pa.array(MIXED)
        chunks = [column[i : i + size] for i in range(0, len(column), size)]
        chunked = pa.chunked_array([*chunks, pa.array([], pa.string())])
        found = fp.is_duplicate(chunked)
        assert [len(chunk) for chunk in found.chunks] == [len(chunk) for chunk in chunked.chunks]
        assert found.combine_chunks().equals(fp.is_duplicate(column))
        _, inverse = fp.unique(chunked, return_inverse=True)
        assert inverse.combine_chunks().equals(fp.unique(column, return_inverse=True)[1])

    def test_many_rows_of_few_positions(self) -> None:
        column = pa.array(SAMPLE[:300]).take(np.arange(200_000) * 7 % 300)
        found = fp.is_duplicate(column)
        assert found.false_count == len(fp.unique(SAMPLE[:300]))
        assert pc.index(found, True).as_py() <= 300

    def test_every_row_the_same(self) -> None:
        column = pa.repeat(START, 150_000)
        assert fp.is_duplicate(column).false_count == 1
        assert fp.is_duplicate(column, keep="last")[-1].as_py() is False
        assert fp.is_duplicate(column, keep=None).true_count == len(column)

    def test_empty(self) -> None:
        assert fp.is_duplicate([]).type == pa.bool_()
        assert fp.is_duplicate(pa.chunked_array([], pa.string())).num_chunks == 0
        assert fp.is_duplicate(pa.nulls(3)).to_pylist() == [None] * 3

    def test_keep(self) -> None:
        with pytest.raises(ValueError, match='keep must be one of "first", "last", got "all"'):
            fp.is_duplicate([START], keep="all")


class TestUnique:
    def test_by_hand(self) -> None:
        positions, inverse, counts = fp.unique(MIXED, return_inverse=True, return_counts=True)
        identities = fp.identity(MIXED).to_pylist()
        order = list(dict.fromkeys(filter(None, identities)))
        assert fp.identity(positions).to_pylist() == order
        places = {identity: place for place, identity in enumerate(order)}
        expected = [identity and places[identity] for identity in identities]
        assert inverse.to_pylist() == [
            None if i is None else e for i, e in zip(identities, expected, strict=True)
        ]
        assert counts.to_pylist() == [identities.count(identity) for identity in order]

    def test_values_are_canonical_and_keep_the_first_counters(self) -> None:
        fens = [
            "r3k2r/8/8/8/8/8/8/4K2R w KQkq - 3 30",
            "r3k2r/8/8/8/8/8/8/4K2R w Kkq - 9 9",
            START,
        ]
        positions = fp.unique(fens)
        assert isinstance(positions, fp.PositionArray)
        assert fp.format(positions).to_pylist() == [
            "r3k2r/8/8/8/8/8/8/4K2R w Kkq - 3 30",
            START,
        ]

    def test_what_is_asked_for(self) -> None:
        assert len(fp.unique([START, START])) == 1
        _, inverse = fp.unique([START, None, START], return_inverse=True)
        assert inverse.to_pylist() == [0, None, 0]
        _, counts = fp.unique([START, None, START], return_counts=True)
        assert counts.to_pylist() == [2]
        parts = fp.unique([], return_inverse=True, return_counts=True)
        assert [len(part) for part in parts] == [0, 0, 0]

    def test_an_opening_book(self, uho: list[str]) -> None:
        assert len(uho) == 242_201
        assert len(fp.unique(uho)) == 241_670
        assert fp.is_duplicate(uho).true_count == 531
        assert len(fp.identity(uho, by="board_side_rights").unique()) == 241_623
        book = {chess.Board(fen).epd(en_passant="legal") for fen in uho}
        assert len(book) == 241_670
