"""`fenpack encode` and `fenpack pack`: files that can be mapped, whole or absent."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import fenpack as fp
from fenpack.__main__ import main
from texts import START

FENS = [START, "4k3/8/8/8/8/8/8/4K2R b K - 3 9", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1"]


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "rows.parquet"
    pq.write_table(pa.table({"fen": FENS, "score": [10, -20, 30]}), path)
    return path


@pytest.fixture
def lines(tmp_path):
    path = tmp_path / "rows.fen"
    path.write_text("".join(f"{fen}\n" for fen in FENS))
    return path


ENCODINGS = [
    ([], "planes", fp.planes(FENS)),
    (
        ["--layout", "maia1_17", "--dtype", "bool"],
        "planes",
        fp.planes(FENS, "maia1_17", dtype="bool"),
    ),
    (
        ["--layout", "lc0_112", "--channels", "last", "--dtype", "float16"],
        "planes",
        fp.planes(FENS, "lc0_112", channels="last", dtype="float16"),
    ),
    (
        ["--perspective", "mover", "--squares", "a8"],
        "planes",
        fp.planes(FENS, perspective="mover", squares="a8"),
    ),
    (["--bitboards", "maia2_18"], "bitboards", fp.bitboards(FENS, layout="maia2_18")),
    (["--tokens", "searchless_77"], "tokens", fp.tokens(FENS, "searchless_77")),
    (["--features", "halfka_v2_hm"], "features", fp.nnue_features(FENS)),
]


@pytest.mark.parametrize(("options", "name", "expected"), ENCODINGS)
class TestEncode:
    def test_npy(self, lines, tmp_path, capsys, options, name, expected):
        out = tmp_path / "out.npy"
        assert main(["encode", str(lines), "-o", str(out), *options]) == 0
        array = np.load(out, mmap_mode="r")
        assert array.dtype == expected.dtype
        assert (array == expected).all()
        assert array.flags.aligned
        shown = capsys.readouterr().out
        assert shown == f"3 rows, 0 blank: {expected.dtype} {expected.shape}\n"

    @pytest.mark.parametrize("suffix", [".arrow", ".parquet"])
    def test_columns(self, table, tmp_path, options, name, expected, suffix):
        out = tmp_path / f"out{suffix}"
        status = main(["encode", str(table), "-o", str(out), *options])
        if expected.dtype == bool:
            assert status == 2
            assert not out.exists()
            return
        assert status == 0
        if suffix == ".parquet":
            read = pq.read_table(out)
        else:
            with pa.memory_map(str(out)) as mapped:
                read = pa.ipc.open_file(mapped).read_all()
        assert read.column_names == ["fen", "score", name]
        assert read["score"].to_pylist() == [10, -20, 30]
        assert (read[name].combine_chunks().to_numpy_ndarray() == expected).all()


class TestEncodeRefusals:
    def test_rows_are_counted_over_batches(self, tmp_path, capsys):
        """A lc0 row in float32 takes 28 kB, so that pieces are of some thousand rows."""
        path, out = tmp_path / "many.fen", tmp_path / "out.npy"
        path.write_text(f"{START}\n" * 5000 + "nonsense\n")
        for layout in ("pieces", "lc0_112_hectoplies"):
            assert main(["encode", str(path), "-o", str(out), "--layout", layout]) == 1
            assert f"fenpack: {path}: row 5000, byte 0" in capsys.readouterr().err
            assert [file.name for file in tmp_path.iterdir()] == ["many.fen"]

    def test_a_row_that_does_not_fit(self, tmp_path, capsys):
        path = tmp_path / "late.fen"
        path.write_text(f"{START}\n4k3/8/8/8/8/8/8/4K3 w - - 300 400\n")
        out = tmp_path / "out.npy"
        assert main(["encode", str(path), "-o", str(out), "--layout", "lc0_112"]) == 1
        assert "row 1 cannot be held: the halfmove clock is 300" in capsys.readouterr().err

    def test_blank(self, tmp_path, capsys):
        path, out = tmp_path / "rows.fen", tmp_path / "out.npy"
        path.write_text(f"{START}\nnonsense\n")
        for options in ([], ["--features", "halfkp"]):
            command = ["encode", str(path), "-o", str(out), "--errors", "blank", *options]
            assert main(command) == 1
            assert "2 rows, 1 blank" in capsys.readouterr().out
            assert len(np.load(out)) == 2

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (["-o", "out.txt"], "encode writes .npy, .arrow or .parquet"),
            (["-o", "out.npy", "--features", "halfkp", "--dtype", "uint8"], "does not go with"),
            (["-o", "out.npy", "--bitboards", "pieces", "--channels", "last"], "--channels does"),
            (["-o", "out.npy", "--layout", "alphazero_119", "--dtype", "uint8"], "fractions"),
            (["-o", "out.npy", "--tokens", "searchless_77", "--squares", "a8"], "squares"),
        ],
    )
    def test_wrong_use(self, lines, tmp_path, capsys, monkeypatch, options, message):
        monkeypatch.chdir(tmp_path)
        assert main(["encode", str(lines), *options]) == 2
        assert message in capsys.readouterr().err
        assert [file.name for file in tmp_path.iterdir()] == ["rows.fen"]

    def test_a_column_is_not_overwritten(self, tmp_path, capsys):
        path = tmp_path / "rows.parquet"
        pq.write_table(pa.table({"fen": FENS, "planes": [1, 2, 3]}), path)
        assert main(["encode", str(path), "-o", str(tmp_path / "out.arrow")]) == 2
        assert "has a column planes already" in capsys.readouterr().err


class TestPack:
    def test_arrow_is_mapped(self, table, tmp_path, capsys):
        out = tmp_path / "out.arrow"
        assert main(["pack", str(table), "-o", str(out)]) == 0
        assert capsys.readouterr().out == "3 rows, 3 packed, 0 unreadable\n"
        with pa.memory_map(str(out)) as mapped:
            before = pa.total_allocated_bytes()
            read = pa.ipc.open_file(mapped).read_all()
            assert pa.total_allocated_bytes() == before
            assert read.column_names == ["position", "score"]
            assert fp.format(read["position"]).to_pylist() == FENS

    def test_parquet(self, table, tmp_path):
        out = tmp_path / "out.parquet"
        assert main(["pack", str(table), "-o", str(out), "--keep-text"]) == 0
        chunk = pq.ParquetFile(out).metadata.row_group(0).column(0)
        assert chunk.path_in_schema == "position"
        assert "BYTE_STREAM_SPLIT" in chunk.encodings
        assert chunk.compression == "ZSTD"
        read = pq.read_table(out)
        assert read.column_names == ["position", "fen", "score"]
        assert read["position"].combine_chunks().equals(fp.parse(FENS))

    def test_unreadable_rows(self, tmp_path):
        path, out = tmp_path / "rows.csv", tmp_path / "out.arrow"
        path.write_text(f"fen,id\n{START},7\nnonsense,8\n{START},9\n")
        assert main(["pack", str(path), "-o", str(out)]) == 1
        read = pa.ipc.open_file(out).read_all()
        assert read["position"].null_count == 1
        assert main(["pack", str(path), "-o", str(out), "--unreadable", "drop"]) == 1
        read = pa.ipc.open_file(out).read_all()
        assert read["position"].null_count == 0
        assert [str(value) for value in read["id"].to_pylist()] == ["7", "9"]

    def test_wrong_use(self, table, tmp_path, capsys):
        assert main(["pack", str(table), "-o", str(tmp_path / "out.npy")]) == 2
        assert "pack writes .arrow or .parquet" in capsys.readouterr().err
        path = tmp_path / "named.parquet"
        pq.write_table(pa.table({"fen": FENS, "position": [1, 2, 3]}), path)
        assert main(["pack", str(path), "-o", str(tmp_path / "out.arrow")]) == 2
        assert "has a column position already" in capsys.readouterr().err


def test_pack_columns_of_views(tmp_path):
    columns = {
        "fen": pa.array([START, "?", START], pa.string_view()),
        "name": pa.array(["a", "b", None], pa.string_view()),
        "data": pa.array([b"a", b"b", b"c"], pa.binary_view()),
        "kind": pa.array(["x", "y", "x"]).dictionary_encode(),
    }
    table = pa.table(columns)
    with pa.ipc.new_file(tmp_path / "views.arrow", table.schema) as writer:
        writer.write_table(table)
    for out in (tmp_path / "out.arrow", tmp_path / "out.parquet"):
        arguments = ["--unreadable", "drop", "--keep-text", "-o", str(out)]
        assert main(["pack", str(tmp_path / "views.arrow"), *arguments]) == 1
        read = pq.read_table(out) if out.suffix == ".parquet" else pa.ipc.open_file(out).read_all()
        assert read["name"].to_pylist() == ["a", None]
        assert read["data"].to_pylist() == [b"a", b"c"]
        assert read["fen"].to_pylist() == [START, START]


def test_pack_columns_of_one_name(tmp_path, capsys):
    (tmp_path / "twice.csv").write_text(f"fen,score,score\n{START},1,2\n")
    out = tmp_path / "out.arrow"
    assert main(["pack", str(tmp_path / "twice.csv"), "-o", str(out)]) == 3
    assert "several columns are called 'score'" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize(
    ("options", "blank"),
    [
        ([], 2),
        (["--bitboards", "pieces"], 2),
        (["--layout", "lc0_112", "--dtype", "uint8"], 4),
        (["--tokens", "squares"], 2),
        (["--features", "chess_768"], 2),
        (["--features", "halfkp"], 6),
        (["--features", "halfka_v2_hm"], 6),
    ],
)
def test_an_empty_board_is_not_blank(options, blank, tmp_path, capsys):
    empty = "8/8/8/8/8/8/8/8 w - - 0 1"
    clock = "8/8/8/8/8/8/8/8 w - - 300 1"
    fens = [empty, "nonsense", START, clock, "", empty, clock, "4k3/8/8/8/8/8/8/4K3 w - -"]
    pq.write_table(pa.table({"fen": pa.array(fens)}), tmp_path / "rows.parquet")
    arguments = ["-o", str(tmp_path / "out.npy"), "--errors", "blank", *options]
    assert main(["encode", str(tmp_path / "rows.parquet"), *arguments]) == 1
    assert f"8 rows, {blank} blank" in capsys.readouterr().out
