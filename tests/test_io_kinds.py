"""`scan` reads every kind of file, compressed in every way, whatever its quirks."""

from __future__ import annotations

import csv
import gzip
import json
import random
import re
import zipfile
from pathlib import Path

import chess
import chess.pgn
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import fenpack as fp
from conftest import SHARED
from fenpack.io import InputError, InputWarning, scan
from fenpack.io.opening import open_source
from files import COMPRESS, COMPRESSIONS, TABLES, TEXTS, rows_of, write
from texts import START

ROWS = [START, "8/8/8/8/8/8/5kK1/8 w - - 0 1", "x", START.removesuffix(" 0 1")]
FOUR = "8/8/8/8/8/8/5k1K/8 w - -"
EVERY = [kind + end for kind in TEXTS for end in COMPRESSIONS] + list(TABLES)


def column_of(kind: str) -> str:
    return "FEN" if kind.startswith((".csv", ".tsv")) else "fen"


@pytest.fixture(params=[1 << 21, 7])
def blocks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read in blocks of the usual size, then in tiny ones."""
    monkeypatch.setattr("fenpack.io.text.BLOCK_BYTES", request.param)


@pytest.mark.usefixtures("blocks")
class TestEveryKind:
    @pytest.mark.parametrize("kind", EVERY)
    def test_rows(self, tmp_path: Path, kind: str) -> None:
        file = write(tmp_path / f"rows{kind}", ROWS)
        assert rows_of(scan(file), column_of(kind)) == ROWS

    @pytest.mark.parametrize("kind", [f"{one}.GZ" for one in (".FEN", ".CSV", ".JSONL")])
    def test_suffixes_whatever_their_case(self, tmp_path: Path, kind: str) -> None:
        file = write(tmp_path / f"rows{kind.lower()}", ROWS).rename(tmp_path / f"ROWS{kind}")
        assert rows_of(scan(file), column_of(kind.lower())) == ROWS

    @pytest.mark.parametrize("kind", EVERY)
    def test_told_format(self, tmp_path: Path, kind: str) -> None:
        file = write(tmp_path / f"rows{kind}", ROWS).rename(tmp_path / "rows")
        assert rows_of(scan(file, format=kind[1:]), column_of(kind)) == ROWS

    @pytest.mark.parametrize("end", COMPRESSIONS[1:])
    def test_compression_is_told_by_the_name_too(self, tmp_path: Path, end: str) -> None:
        file = write(tmp_path / f"rows.fen{end}", ROWS).rename(tmp_path / f"rows.dat{end}")
        assert rows_of(scan(file, format=".fen")) == ROWS

    @pytest.mark.parametrize("kind", [kind + end for kind in TEXTS for end in ("", ".gz")])
    @pytest.mark.parametrize("end", [b"\n", b"\r\n"])
    @pytest.mark.parametrize("last", [True, False])
    @pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
    def test_line_ends_and_marks(
        self, tmp_path: Path, kind: str, end: bytes, last: bool, mark: bytes
    ) -> None:
        plain = write(tmp_path / f"rows{Path(kind).stem}{Path(kind).suffix}".split(".gz")[0], ROWS)
        data = mark + plain.read_bytes().replace(b"\n", end)
        file = tmp_path / f"other{kind}"
        file.write_bytes(
            COMPRESS[".gz" if kind.endswith(".gz") else ""](data if last else data.rstrip(b"\r\n"))
        )
        assert rows_of(scan(file), column_of(kind)) == ROWS

    @pytest.mark.parametrize("kind", [kind for kind in TEXTS if kind not in (".csv", ".tsv")])
    def test_empty(self, tmp_path: Path, kind: str) -> None:
        file = tmp_path / f"rows{kind}"
        file.touch()
        assert rows_of(scan(file)) == []

    @pytest.mark.parametrize("kind", EVERY)
    def test_no_rows(self, tmp_path: Path, kind: str) -> None:
        if kind in TABLES or kind.startswith((".csv", ".tsv")):
            file = write(tmp_path / f"rows{kind}", [])
            assert rows_of(scan(file), column_of(kind)) == []


class TestCompression:
    @pytest.mark.parametrize("end", COMPRESSIONS[1:])
    def test_members_one_after_the_other(self, tmp_path: Path, end: str) -> None:
        data = "".join(f"{row}\n" for row in ROWS * 1000).encode()
        parts = [data[:100], data[100:70_000], b"", data[70_000:]]
        file = tmp_path / f"rows.fen{end}"
        file.write_bytes(b"".join(COMPRESS[end](part) for part in parts))
        assert rows_of(scan(file)) == ROWS * 1000

    def test_skippable_frames(self, tmp_path: Path) -> None:
        skipped = b"\x50\x2a\x4d\x18\x04\0\0\0abcd"
        file = tmp_path / "rows.fen.zst"
        file.write_bytes(skipped + COMPRESS[".zst"](b"a\n") + skipped + COMPRESS[".zst"](b"b\n"))
        assert rows_of(scan(file)) == ["a", "b"]

    @pytest.mark.parametrize("kind", TEXTS)
    @pytest.mark.parametrize("end", COMPRESSIONS[1:])
    @pytest.mark.parametrize("cut", [1, 9, 1000])
    def test_truncated(self, tmp_path: Path, kind: str, end: str, cut: int) -> None:
        random.seed(1)
        rows = ["".join(random.choices("pnbrqk12345678/", k=60)) for _ in range(5000)]
        file = write(tmp_path / f"rows{kind}{end}", rows)
        file.write_bytes(file.read_bytes()[:-cut])
        with pytest.raises(InputError, match=rf"{file}: in or after line \d+: Truncated"):
            scan(file).read_all()

    @pytest.mark.parametrize("end", COMPRESSIONS[1:])
    @pytest.mark.parametrize("data", [b"", b"plain text\n", b"\x1f\x8b"])
    def test_not_compressed(self, tmp_path: Path, end: str, data: bytes) -> None:
        file = tmp_path / f"rows.fen{end}"
        file.write_bytes(data)
        with pytest.raises(InputError, match=re.escape(str(file))):
            scan(file).read_all()

    @pytest.mark.parametrize("end", COMPRESSIONS[1:])
    def test_garbage_at_the_end(self, tmp_path: Path, end: str) -> None:
        file = tmp_path / f"rows.fen{end}"
        file.write_bytes(COMPRESS[end](b"a\n") + b"\0" * 64)
        with pytest.raises(InputError, match="in or after line"):
            scan(file).read_all()


class TestLines:
    def test_blank_lines_are_rows(self, tmp_path: Path) -> None:
        for kind in (".fen", ".txt", ".epd"):
            file = tmp_path / f"rows{kind}"
            file.write_bytes(b"\na\n\r\n\nb\n\n")
            assert rows_of(scan(file)) == ["", "a", "", "", "b", ""]

    def test_only_line_ends_divide(self, tmp_path: Path) -> None:
        file = tmp_path / "rows.txt"
        file.write_bytes("a\rb\r\r\nc\0d\ve\u2028f\n".encode())
        assert rows_of(scan(file)) == ["a\rb\r", "c\0d\ve\u2028f"]

    def test_a_long_line(self, tmp_path: Path) -> None:
        file = tmp_path / "rows.fen"
        rows = ["x" * 10_000_000, START, "y" * 10_000_000]
        file.write_text("\n".join(rows))
        assert rows_of(scan(file)) == rows


class TestRecords:
    @pytest.mark.parametrize(
        ("record", "fen", "operations"),
        [
            (FOUR, FOUR, None),
            (f"{FOUR} ", f"{FOUR} ", None),
            (f"{FOUR} 3 20", f"{FOUR} 3 20", None),
            (f'{FOUR} bm Kh3; id "a;b";', FOUR, 'bm Kh3; id "a;b";'),
            (f"{FOUR} bm Kh3", FOUR, "bm Kh3"),
            (f"{FOUR} 3 20 bm Kh3;", f"{FOUR} 3 20", "bm Kh3;"),
            (f"{FOUR};", FOUR, ";"),
            (f"{FOUR} ;D1 20 ;D2 400", FOUR, ";D1 20 ;D2 400"),
            (f"{FOUR} hmvc 3; fmvn 20;", f"{FOUR} 3 20", "hmvc 3; fmvn 20;"),
            (f"{FOUR} hmvc 3;", f"{FOUR} 3 1", "hmvc 3;"),
            (f"{FOUR} hmvc x;", FOUR, "hmvc x;"),
            (f'{FOUR} id "a; hmvc 3;";', FOUR, 'id "a; hmvc 3;";'),
            (f"{FOUR}\tbm Kh3;", FOUR, "bm Kh3;"),
            (f"{FOUR} 3x", f"{FOUR} 3x", None),
            (f"{FOUR} 3 bm", f"{FOUR} 3", "bm"),
            ("x bm Kh3;", "x bm Kh3;", None),
            ("", "", None),
        ],
    )
    def test_split(self, tmp_path: Path, record: str, fen: str, operations: str | None) -> None:
        file = tmp_path / "rows.epd"
        file.write_text(f"{START}\n{record}\n{FOUR} acd 1;\n")
        [_, row, _] = scan(file).read_all().to_pylist()
        assert row == {"fen": fen, "operations": operations}

    def test_split_is_read_as_the_record_is(self, tmp_path: Path) -> None:
        file = tmp_path / "rows.epd"
        ends = ["hmvc 3; fmvn 7;", "12 40 bm e4;", "bm e4; fmvn 9;", "", "12 40", 'id "hmvc 3;";']
        records = [f"{FOUR} {end}" for end in ends]
        file.write_text("\n".join(records))
        read = (fp.format(fp.parse(texts)).to_pylist() for texts in (rows_of(scan(file)), records))
        assert [*next(read)] == [*next(read)]

    def test_commands_get_whole_records(self, tmp_path: Path) -> None:
        file = tmp_path / "rows.epd"
        file.write_bytes(f"{FOUR} bm Kh3;\n\xff\n".encode("latin-1"))
        [(batch, _)] = open_source(file).batches()
        assert batch.to_pydict() == {"fen": [f"{FOUR} bm Kh3;".encode(), b"\xff"]}

    def test_book(self, tmp_path: Path) -> None:
        path = SHARED / "UHO_4060_v3.epd.zip"
        if not path.exists():
            pytest.skip("the large data set UHO_4060_v3.epd.zip is not part of the repository")
        with zipfile.ZipFile(path) as archive:
            data = archive.read("UHO_4060_v3.epd")
        file = tmp_path / "UHO_4060_v3.epd.zst"
        file.write_bytes(COMPRESS[".zst"](data))
        table = scan(file).read_all()
        assert table["fen"].to_pylist() == data.decode().splitlines()
        assert (table.num_rows, table["operations"].null_count) == (242_201, 242_201)


class TestTables:
    def test_puzzles(self, tmp_path: Path) -> None:
        header = "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl"
        header += ",OpeningTags"
        row = "00008,r6k/pp2r2p/4Rp1Q/3p4/8/1N1P2R1/PqP2bPP/7K b - - 0 24,f2g3 e6e7,1807,75,95,"
        row += "9000,crushing hangingPiece,https://lichess.org/787zsVup/black#48,"
        file = tmp_path / "puzzles.csv.zst"
        file.write_bytes(COMPRESS[".zst"](f"{header}\n{row}\n".encode()))
        table = scan(file).read_all()
        assert table.schema.names == header.split(",")
        assert set(table.schema.types) == {pa.string()}
        assert table.to_pylist() == [dict(zip(header.split(","), row.split(","), strict=True))]

    def test_fields_stay_as_written(self, tmp_path: Path) -> None:
        file = tmp_path / "rows.csv"
        file.write_text("fen,eval\na,+56\nb,#-2\nc,007\nd,NA\ne,\n")
        assert rows_of(scan(file), "eval") == ["+56", "#-2", "007", "NA", ""]

    @pytest.mark.usefixtures("blocks")
    @pytest.mark.parametrize("delimiter", [",", "\t"])
    def test_quotes(self, tmp_path: Path, delimiter: str) -> None:
        random.seed(2)
        parts = ["a", ",", "\t", '"', '""', "\n", "\r\n", " ", "8/8", "x" * 30]
        rows = [["".join(random.choices(parts, k=random.randrange(9))), str(i)] for i in range(999)]
        file = tmp_path / ("rows.csv" if delimiter == "," else "rows.tsv")
        with file.open("w", newline="") as sink:
            csv.writer(sink, delimiter=delimiter).writerows([["fen", "id"], *rows])
        read = scan(file).read_all().to_pydict()
        assert read == {"fen": [fen for fen, _ in rows], "id": [i for _, i in rows]}

    @pytest.mark.usefixtures("blocks")
    def test_quotes_inside_fields(self, tmp_path: Path) -> None:
        file = tmp_path / "rows.csv"
        file.write_text('fen,size\na,5"\nb,"6"""\nc,7" x "y"\n')
        assert rows_of(scan(file), "size") == ['5"', '6"', '7" x "y"']

    def test_blank_lines(self, tmp_path: Path) -> None:
        file = tmp_path / "rows.csv"
        file.write_text("\n\nfen,id\n\na,1\n\n\nb,2\n\n")
        assert rows_of(scan(file)) == ["a", "b"]
        file.write_text("fen\n\na\n")
        assert rows_of(scan(file)) == ["", "a"]

    def test_header_of_several_lines(self, tmp_path: Path) -> None:
        file = tmp_path / "rows.csv"
        file.write_bytes(b'"the\r\nid",fen\r\n1,a\r\n')
        assert scan(file).read_all().to_pydict() == {"the\r\nid": ["1"], "fen": ["a"]}

    def test_a_long_line(self, tmp_path: Path) -> None:
        file = tmp_path / "rows.csv"
        rows = ["x" * 10_000_000, START, f'"{"y," * 5_000_000}"']
        file.write_text("fen,id\n" + "".join(f"{row},1\n" for row in rows))
        assert rows_of(scan(file)) == [*rows[:2], rows[2].strip('"')]


class TestJson:
    def test_evaluations(self, tmp_path: Path) -> None:
        lines = [
            {"fen": FOUR, "evals": [{"pvs": [{"cp": 311, "line": "g1g3"}], "depth": 36}]},
            {"fen": FOUR, "evals": [{"pvs": [{"mate": -3, "line": "a"}], "depth": 1}] * 2},
        ]
        file = tmp_path / "rows.jsonl"
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))
        [first, second] = scan(file).read_all().to_pylist()
        assert first["evals"][0]["pvs"] == [{"cp": 311, "line": "g1g3", "mate": None}]
        assert second["evals"][1]["pvs"] == [{"cp": None, "line": "a", "mate": -3}]

    @pytest.mark.usefixtures("blocks")
    def test_keys_differ(self, tmp_path: Path) -> None:
        file = tmp_path / "rows.jsonl"
        file.write_text('{"fen":"a"}\n{"id":1,"fen":"b"}\n\n{"id":2}\n{}\n')
        rows = [("a", None), ("b", 1), (None, 2), (None, None)]
        assert scan(file).read_all().to_pylist() == [
            dict(zip(("fen", "id"), r, strict=True)) for r in rows
        ]

    def test_dates_stay_as_written(self, tmp_path: Path) -> None:
        file = tmp_path / "rows.jsonl"
        file.write_text('{"fen":"a","at":"2024-01-01","all":[{"at":"2024-01-01T00:00:00"}]}\n')
        [row] = scan(file).read_all().to_pylist()
        assert row == {"fen": "a", "at": "2024-01-01", "all": [{"at": "2024-01-01T00:00:00"}]}

    def test_a_long_line(self, tmp_path: Path) -> None:
        file = tmp_path / "rows.jsonl"
        rows = ["x" * 10_000_000, START, "[" * 10_000_000]
        file.write_text("".join(f'{{"fen":"{row}","more":[[1],[2]]}}\n' for row in rows))
        assert rows_of(scan(file)) == rows


class TestGames:
    @pytest.mark.usefixtures("blocks")
    def test_where_tags_are(self, tmp_path: Path) -> None:
        file = tmp_path / "games.pgn"
        file.write_bytes(
            b'[Event "M\xfcnchen"]\n[FEN "a"]\n\n1. e4 { [FEN "no"]\n[FEN "no"]\n[FEN no } *\n\n'
            b'[Event "x"]\n\n1. e4 ; {\n\n[Event "y"] [FEN "b"]\n[White "quo"te"]\n\n'
            b"{ [%clk 1] } *\n"
            b'[fen ""]\n% [FEN "no"]\n*\n'
        )
        reader = scan(file)
        with pytest.warns(InputWarning, match="1 of 4 games have no FEN tag"):
            table = reader.read_all()
        assert table.to_pydict() == {"fen": ["a", "b", ""], "game": [0, 2, 3], "line": [2, 12, 16]}

    def test_as_another_reader(self, tmp_path: Path, sample: list[str]) -> None:
        file = tmp_path / "games.pgn"
        random.seed(3)
        with file.open("w") as sink:
            for i, fen in enumerate(sample[:300]):
                game = chess.pgn.Game()
                game.headers["Round"] = str(i)
                if i % 3:
                    game.headers["FEN"], game.headers["SetUp"] = fen, "1"
                game.comment = random.choice(["", "a } b".replace("}", ""), '[FEN "no"]', "; x"])
                print(game, end="\n\n", file=sink)
        expected = []
        with file.open() as source:
            for i in range(300):
                headers = chess.pgn.read_headers(source)
                assert headers is not None
                if "FEN" in headers:
                    expected.append((headers["FEN"], i))
        with pytest.warns(InputWarning, match="100 of 300 games"):
            table = scan(file).read_all()
        assert (
            list(zip(*table.select(["fen", "game"]).to_pydict().values(), strict=True)) == expected
        )


class TestColumns:
    def test_chosen(self, tmp_path: Path) -> None:
        for kind in (".csv", ".jsonl", ".parquet", ".arrow", ".pgn"):
            file = write(tmp_path / f"rows{kind}", ROWS)
            text = column_of(kind)
            assert scan(file, columns=[]).read_all().to_pydict() == {text: ROWS}
            names = scan(file).schema.names
            for name in names:
                kept = [one for one in names if one in (name, text)]
                assert scan(file, columns=[name]).read_all().schema.names == kept
        with pytest.raises(ValueError, match="columns must be among fen, game, line, got x"):
            scan(file, columns=["x"])

    def test_named(self, tmp_path: Path) -> None:
        file = tmp_path / "rows.csv"
        file.write_text("id,board,FEN\n1,a,b\n")
        assert open_source(file).column == "FEN"
        assert open_source(file, "board").column == "board"
        for kind, said in ((".csv", "no column 'x', only"), (".fen", "has no columns")):
            with pytest.raises(InputError, match=said):
                scan(write(tmp_path / f"other{kind}", ROWS), column="x")

    def test_that_share_a_name(self, tmp_path: Path) -> None:
        file = tmp_path / "rows.csv"
        file.write_text("fen,x,x\na,1,2\n")
        assert [one.to_pylist() for one in scan(file).read_all().columns] == [["a"], ["1"], ["2"]]
        file.write_text("fen,FEN\na,b\n")
        with pytest.raises(InputError, match="several columns are called fen"):
            scan(file)
        assert scan(file, column="FEN", columns=[]).read_all().to_pydict() == {"FEN": ["b"]}

    @pytest.mark.parametrize(
        "kind", [pa.binary(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())]
    )
    def test_types_of_text(self, tmp_path: Path, kind: pa.DataType) -> None:
        file = tmp_path / "rows.parquet"
        pq.write_table(pa.table({"fen": pa.array(ROWS).cast(kind)}), file)
        assert scan(file).schema.field("fen").type == kind
        assert rows_of(scan(file)) == pa.array(ROWS).cast(kind).to_pylist()


class TestBatches:
    @pytest.mark.parametrize("kind", [*TEXTS, *TABLES])
    def test_rows(self, tmp_path: Path, kind: str) -> None:
        file = write(tmp_path / f"rows{kind}", ROWS * 3)
        batches = list(scan(file, batch_rows=5))
        assert max(batch.num_rows for batch in batches) <= 5
        assert pa.Table.from_batches(batches)[column_of(kind)].to_pylist() == ROWS * 3

    def test_no_rows_asked_for(self, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match="batch_rows must be at least 1, got 0"):
            scan(write(tmp_path / "rows.fen", ROWS), batch_rows=0)

    def test_other_libraries_take_them(self, tmp_path: Path) -> None:
        polars = pytest.importorskip("polars")
        frame = polars.from_arrow(scan(write(tmp_path / "rows.csv", ROWS)))
        assert frame["FEN"].to_list() == ROWS
        duckdb = pytest.importorskip("duckdb")
        found = scan(write(tmp_path / "rows.csv", ROWS))  # noqa: F841
        assert duckdb.sql("select count(*) from found").fetchall() == [(4,)]

    def test_errors_reach_the_reader(self, tmp_path: Path) -> None:
        file = tmp_path / "rows.fen"
        file.write_bytes(b"a\n" * 10 + b"\xff\n")
        with pytest.raises(InputError, match="line 11: not UTF-8"):
            scan(file).read_all()
        with pytest.raises(pa.ArrowInvalid, match="line 11: not UTF-8"):
            pa.RecordBatchReader.from_stream(scan(file)).read_all()

    def test_a_file_that_grows(self, tmp_path: Path) -> None:
        file = write(tmp_path / "rows.fen", ["a"] * 2_000_000)
        reader = scan(file)
        reader.read_next_batch()
        with file.open("a") as sink:
            sink.write("b\n" * 5)
        with pytest.raises(InputError, match="changed while it was read"):
            reader.read_all()

    def test_progress(self, tmp_path: Path) -> None:
        for kind in (".fen", ".csv", ".jsonl.gz", ".epd.zst", ".pgn", ".arrow", ".parquet"):
            source = open_source(write(tmp_path / f"rows{kind}", ROWS * 1000))
            done = [done for _, done in source.batches()]
            assert done == sorted(done)
            assert source.size is not None
            assert 0.9 * source.size <= done[-1] <= source.size


def test_gzip_by_another_hand(tmp_path: Path) -> None:
    file = tmp_path / "rows.fen.gz"
    with gzip.open(file, "wt") as sink:
        sink.write(START)
    assert rows_of(scan(file)) == [START]
