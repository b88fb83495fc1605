"""Paths: folders, patterns, several files as one, standard input."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import ipc

from fenpack.io import InputError, scan
from fenpack.io.opening import open_source
from fenpack.io.paths import find_inputs
from files import COMPRESS, COMPRESSIONS, TEXTS, as_kind, rows_of, write

if TYPE_CHECKING:
    from pathlib import Path

ROWS = ["a", "b", "c"]


def parquet(path: Path, **columns: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), path)
    return path


class TestFolders:
    def test_files_in_order_of_path(self, tmp_path: Path) -> None:
        for name, fen in (("b.parquet", "3"), ("a/z.parquet", "2"), ("a/b/c.pq", "1")):
            parquet(tmp_path / name, fen=[fen])
        for name in ("_SUCCESS", "README.md", ".hidden.parquet", "_temporary/x.parquet"):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_bytes(b"x")
        (tmp_path / "a/b/c.pq").rename(tmp_path / "a/b/c.parquet")
        assert rows_of(scan(tmp_path)) == ["1", "2", "3"]

    def test_compressions_may_differ(self, tmp_path: Path) -> None:
        for i, end in enumerate(COMPRESSIONS):
            write(tmp_path / f"{i}.csv{end}", ROWS)
        assert rows_of(scan(tmp_path), "FEN") == ROWS * 4

    def test_several_kinds(self, tmp_path: Path) -> None:
        write(tmp_path / "a.parquet", ROWS)
        write(tmp_path / "LICENSE.txt", ["text"])
        with pytest.raises(InputError, match=r"several kinds in this folder, \.parquet, \.txt"):
            scan(tmp_path)
        assert rows_of(scan(tmp_path / "*.parquet")) == ROWS

    def test_no_file(self, tmp_path: Path) -> None:
        (tmp_path / "README.md").touch()
        with pytest.raises(InputError, match="no file of a known kind in this folder"):
            scan(tmp_path)

    def test_partitions(self, tmp_path: Path) -> None:
        for year, month in ((2023, "05"), (2022, "11")):
            place = tmp_path / f"year={year}" / f"month={month}" / "source=a%20b"
            parquet(place / "0.parquet", fen=[f"{year}"])
        table = scan(tmp_path).read_all()
        assert table.to_pydict() == {
            "fen": ["2022", "2023"],
            "year": [2022, 2023],
            "month": [11, 5],
            "source": ["a b", "a b"],
        }
        chosen = scan(tmp_path, columns=["month"]).read_all()
        assert chosen.to_pydict() == {"fen": ["2022", "2023"], "month": [11, 5]}

    def test_partitions_of_text_and_null(self, tmp_path: Path) -> None:
        for value in ("1", "x", "__HIVE_DEFAULT_PARTITION__"):
            (tmp_path / f"k={value}").mkdir()
            write(tmp_path / f"k={value}" / "a.fen", ["a"])
        assert scan(tmp_path).read_all()["k"].to_pylist() == ["1", None, "x"]

    def test_a_partition_that_is_a_column_too(self, tmp_path: Path) -> None:
        parquet(tmp_path / "id=7" / "0.parquet", fen=["a"], id=[1])
        assert scan(tmp_path).read_all().to_pydict() == {"fen": ["a"], "id": [1]}


class TestPatterns:
    def test_files_in_order(self, tmp_path: Path) -> None:
        for name in ("b", "a", "c/d"):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            write(tmp_path / f"{name}.fen", [name])
        assert rows_of(scan(tmp_path / "*.fen")) == ["a", "b"]
        assert rows_of(scan(str(tmp_path / "**" / "*.fen"))) == ["a", "b", "c/d"]

    def test_nothing_matches(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"\*\.fen: no file matches"):
            scan(tmp_path / "*.fen")

    def test_a_file_named_like_a_pattern(self, tmp_path: Path) -> None:
        assert rows_of(scan(write(tmp_path / "a[1].fen", ROWS))) == ROWS

    @pytest.mark.parametrize(("name", "said"), [("no.fen", "no such file"), ("a.doc", "unknown")])
    def test_no_such_file(self, tmp_path: Path, name: str, said: str) -> None:
        (tmp_path / "a.doc").touch()
        with pytest.raises(InputError, match=said):
            scan(tmp_path / name)

    def test_no_path(self) -> None:
        with pytest.raises(ValueError, match="paths must name at least one file, got none"):
            find_inputs([])

    def test_unknown_format(self, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match=r"format must be one of \.parquet, .*got 'xls'"):
            scan(write(tmp_path / "a.fen", ROWS), format="xls")
        with pytest.raises(ValueError, match="format must be one of"):
            scan(tmp_path / "a.fen", format="parquet.gz")


class TestSeveral:
    def test_kinds_with_the_same_columns(self, tmp_path: Path) -> None:
        files = [write(tmp_path / f"rows{kind}", ROWS) for kind in (".fen", ".txt.gz", ".fen.zst")]
        assert rows_of(scan(files)) == ROWS * 3

    def test_text_is_called_as_in_the_first(self, tmp_path: Path) -> None:
        first = parquet(tmp_path / "a.parquet", FEN=["a"], id=[1])
        second = parquet(tmp_path / "b.parquet", id=[2], fen=["b"])
        table = scan([first, second]).read_all()
        assert table.to_pydict() == {"FEN": ["a", "b"], "id": [1, 2]}
        assert scan([first, second], columns=[]).read_all().to_pydict() == {"FEN": ["a", "b"]}

    def test_types_are_widened(self, tmp_path: Path) -> None:
        first = parquet(
            tmp_path / "a.parquet",
            fen=pa.array(["a"]).dictionary_encode(),
            n=pa.array([1], pa.int8()),
            x=pa.nulls(1),
        )
        second = parquet(
            tmp_path / "b.parquet", fen=["b"], n=pa.array([1 << 40]), x=pa.array(["x"])
        )
        table = scan([first, second]).read_all()
        assert table.to_pydict() == {"fen": ["a", "b"], "n": [1, 1 << 40], "x": [None, "x"]}
        assert table.schema.types == [pa.string(), pa.int64(), pa.string()]

    def test_columns_that_differ(self, tmp_path: Path) -> None:
        files = [
            parquet(tmp_path / "a.parquet", fen=["a"], id=[1]),
            parquet(tmp_path / "b.parquet", fen=["b"], id=[2]),
            parquet(tmp_path / "c.parquet", fen=["c"], other=[3]),
        ]
        with pytest.raises(InputError, match=r"c\.parquet: its columns are fen, other, those of"):
            scan(files)
        parquet(files[2], fen=["c"], id=[[3]])
        with pytest.raises(InputError, match=r"c\.parquet: column id holds list.*int64"):
            scan(files)

    def test_a_fault_names_its_file(self, tmp_path: Path) -> None:
        files = [write(tmp_path / "a.csv", ROWS), tmp_path / "b.csv"]
        files[1].write_text("id,FEN,note\n1\n")
        with pytest.raises(InputError, match=r"b\.csv: line 2: 1 field"):
            scan(files).read_all()

    def test_progress(self, tmp_path: Path) -> None:
        text = [write(tmp_path / "a.fen", ROWS), write(tmp_path / "b.fen", ROWS)]
        source = open_source(text)
        assert (source.size, source.unit) == (12, "bytes")
        assert [done for _, done in source.batches()] == [6, 12]
        source = open_source([text[0], parquet(tmp_path / "a.parquet", fen=["a"])])
        assert (source.size, source.unit) == (2, "files")


def piped(script: str, data: bytes) -> str:
    program = (
        "import sys; from fenpack.io import scan; from fenpack.io.opening import open_source\n"
        + script
    )
    done = subprocess.run(
        [sys.executable, "-c", program], input=data, capture_output=True, check=True
    )
    return done.stdout.decode()


class TestStandardInput:
    @pytest.mark.parametrize("kind", [kind + end for kind in TEXTS for end in ("", ".zst")])
    def test_text(self, kind: str) -> None:
        rows = [str(i) for i in range(300_000 if kind in (".fen", ".csv") else 1000)]
        data = COMPRESS[".zst" if kind.endswith(".zst") else ""](
            as_kind(kind.removesuffix(".zst"), rows)
        )
        script = f"""
table = scan("-", format={kind!r}).read_all()
name = "FEN" if "FEN" in table.column_names else "fen"
print(table[name].to_pylist() == [str(i) for i in range({len(rows)})])
"""
        assert piped(script, data) == "True\n"

    def test_one_fen_a_line_unless_told(self) -> None:
        assert piped("print(scan('-').read_all().to_pydict())", b"a\nb") == "{'fen': ['a', 'b']}\n"

    def test_arrow_stream(self) -> None:
        sink = pa.BufferOutputStream()
        table = pa.table({"fen": ROWS, "id": range(3)})
        with ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
        script = "print(scan('-', format='arrows').read_all()['fen'].to_pylist())"
        assert piped(script, bytes(sink.getvalue())) == f"{ROWS}\n"

    def test_what_cannot_be_read(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="standard input: Parquet cannot be read from a pipe"):
            scan("-", format="parquet")
        with pytest.raises(InputError, match="standard input can be read only once"):
            scan(["-", "-"])

    def test_faults(self) -> None:
        script = """
try:
    scan('-', format='csv').read_all()
except Exception as error:
    print(error)
"""
        said = "standard input: line 3: 1 field, the header has 2: 'b'\n"
        assert piped(script, b"fen,id\na,1\nb\n") == said

    def test_it_comes_slowly(self) -> None:
        program = "from fenpack.io import scan; print(scan('-').read_all().num_rows)"
        running = subprocess.Popen(
            [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert running.stdin is not None
        for _ in range(5):
            running.stdin.write(b"a\nb")
            running.stdin.flush()
        assert running.communicate(timeout=60)[0] == b"6\n"
