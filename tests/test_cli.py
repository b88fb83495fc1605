"""The command line: every kind of file, exit codes, outputs whole or absent."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pv
import pyarrow.parquet as pq
import pytest

import fenpack as fp
from cases import DATA
from fenpack.__main__ import main
from fenpack.io import scan
from files import COMPRESSIONS, TABLES, TEXTS
from files import write as write_kind

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KINGS_TOUCH = "8/8/8/8/8/8/5kK1/8 w - - 0 1"
ROWS = [START, KINGS_TOUCH, "x", START.replace(" 0 1", "")]
CANONICAL = [START, KINGS_TOUCH, None, START]


@pytest.fixture(params=["rows.parquet", "rows.fen", "rows.epd", "rows.txt", "rows.fen.gz"])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path: Path = tmp_path / request.param
    write(path, ROWS)
    return path


def write(path: Path, rows: list[str | None], end: str = "\n") -> None:
    if path.suffix == ".parquet":
        table = {"id": range(len(rows)), "FEN": rows}
        pq.write_table(pa.table(table), path)
        return
    text = "".join(f"{row}{end}" for row in rows).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)


def read_lines(path: Path) -> list[str]:
    data = path.read_bytes()
    text = gzip.decompress(data) if path.suffix == ".gz" else data
    assert text.endswith(b"\n")
    return text.decode().split("\n")[:-1]


class TestValidate:
    def test_summary(self, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["validate", str(file)]) == 1
        shown = capsys.readouterr().out
        assert "4 rows, 2 valid (legal), 2 invalid" in shown
        assert f"1  kings_adjacent          row 1: {KINGS_TOUCH}" in shown
        assert "2  field_count" in shown

    def test_json(self, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["validate", str(file), "--json", "--strict"]) == 1
        found = json.loads(capsys.readouterr().out)
        assert (found["rows"], found["valid"], found["invalid"]) == (4, 1, 3)
        assert found["problems"]["opposite_check"] == {
            "severity": "illegal",
            "count": 1,
            "example": {"row": 1, "fen": KINGS_TOUCH},
        }

    def test_levels(self, file: Path) -> None:
        assert main(["validate", str(file), "--level", "syntax"]) == 1
        write(file, [START, KINGS_TOUCH])
        assert main(["validate", str(file), "--level", "syntax"]) == 0
        assert main(["validate", str(file)]) == 1

    def test_out(self, file: Path, tmp_path: Path) -> None:
        out = tmp_path / "out.parquet"
        assert main(["validate", str(file), "--out", str(out)]) == 1
        table = pq.read_table(out)
        fens = "FEN" if file.suffix == ".parquet" else "fen"
        assert table[fens].to_pylist() == ROWS
        assert table["problems"].to_pylist() == fp.validate(ROWS).to_pylist()
        names = fp.problem_names(fp.validate(ROWS)).to_pylist()
        assert table["problem_names"].to_pylist() == names
        if file.suffix == ".parquet":
            assert table["id"].to_pylist() == [0, 1, 2, 3]

    def test_nulls_are_not_invalid(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = tmp_path / "rows.parquet"
        write(file, [START, None])
        assert main(["validate", str(file), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["nulls"] == 1

    def test_chess960(self, tmp_path: Path) -> None:
        file = tmp_path / "rows.fen"
        write(file, ["nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1"])
        assert main(["validate", str(file)]) == 1
        assert main(["validate", str(file), "--chess960"]) == 0

    @pytest.mark.parametrize("rows", [[], [None, None]])
    def test_nothing_to_judge(self, tmp_path: Path, rows: list[str | None]) -> None:
        file = tmp_path / "rows.parquet"
        table = pa.table({"fen": pa.array(rows, pa.string())})
        pq.write_table(table, file)
        out = tmp_path / "out.parquet"
        assert main(["validate", str(file), "--out", str(out)]) == 0
        assert pq.read_table(out).num_rows == len(rows)

    def test_sample(self, sample: list[str], capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["validate", str(DATA / "sample_40k.fen.gz"), "--json"]) == 1
        found = json.loads(capsys.readouterr().out)
        assert found["rows"] == len(sample)
        counts = {name: entry["count"] for name, entry in found["problems"].items()}
        names = fp.problem_names(fp.validate(sample)).to_pylist()
        flat = [name for row in names for name in row]
        assert counts == {name: flat.count(name) for name in set(flat)}


class TestCanonicalize:
    def test_parquet(self, file: Path, tmp_path: Path) -> None:
        out = tmp_path / "out.parquet"
        assert main(["canonicalize", str(file), "--out", str(out)]) == 1
        table = pq.read_table(out)
        fens = "FEN" if file.suffix == ".parquet" else "fen"
        assert table.schema.field(fens).type == pa.string()
        assert table[fens].to_pylist() == CANONICAL
        if file.suffix == ".parquet":
            assert table["id"].to_pylist() == [0, 1, 2, 3]

    @pytest.mark.parametrize("name", ["out.fen", "out.txt", "out.epd", "out.fen.gz"])
    def test_text(self, tmp_path: Path, name: str) -> None:
        file, out = tmp_path / "rows.fen", tmp_path / name
        write(file, ROWS)
        assert main(["canonicalize", str(file), "--out", str(out)]) == 1
        assert read_lines(out) == [row or "" for row in CANONICAL]

    def test_options(self, tmp_path: Path) -> None:
        file, out = tmp_path / "rows.fen", tmp_path / "out.fen"
        write(file, ["rr2k2r/8/8/4pP2/8/8/8/RR2K2R w KBkq e6 3 0"])
        options = "--castling shredder --counters drop --en-passant drop --chess960"
        assert main(["canonicalize", str(file), "--out", str(out), *options.split()]) == 0
        assert read_lines(out) == ["rr2k2r/8/8/4pP2/8/8/8/RR2K2R w HBha -"]

    def test_in_place(self, file: Path) -> None:
        assert main(["canonicalize", str(file), "--out", str(file)]) == 1
        assert main(["canonicalize", str(file), "--out", str(file)]) == 1
        if file.suffix == ".parquet":
            assert pq.read_table(file)["FEN"].to_pylist() == CANONICAL
        else:
            assert read_lines(file) == [row or "" for row in CANONICAL]


class TestLines:
    @pytest.mark.parametrize("end", ["\n", "\r\n"])
    @pytest.mark.parametrize("last", [True, False])
    @pytest.mark.parametrize("name", ["rows.fen", "rows.fen.gz"])
    def test_line_ends(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], end: str, last: bool, name: str
    ) -> None:
        text = end.join([START, "", KINGS_TOUCH]) + (end if last else "")
        data = text.encode()
        (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith("gz") else data)
        assert main(["validate", str(tmp_path / name), "--json"]) == 1
        found = json.loads(capsys.readouterr().out)
        assert (found["rows"], found["valid"]) == (3, 1)
        assert "whitespace" not in found["problems"]
        assert found["problems"]["empty"]["count"] == 1

    def test_many_chunks(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("fenpack.io.text.BLOCK_BYTES", 7)
        file, out = tmp_path / "rows.fen", tmp_path / "out.fen"
        write(file, ROWS * 5, end="\r\n")
        assert main(["canonicalize", str(file), "--out", str(out)]) == 1
        assert read_lines(out) == [row or "" for row in CANONICAL * 5]

    def test_bytes_that_are_not_utf8(self, tmp_path: Path) -> None:
        file, out = tmp_path / "rows.fen", tmp_path / "out.parquet"
        file.write_bytes(START.encode() + b"\n\xff\xfe 8/8\n\0\n")
        assert main(["validate", str(file), "--out", str(out)]) == 1
        table = pq.read_table(out)
        assert table["fen"].to_pylist() == [START, r"\xff\xfe 8/8", "\0"]
        assert all("non_ascii" in names for names in table["problem_names"].to_pylist()[1:])

    def test_bytes_that_are_not_utf8_beside_nulls_and_line_ends(self, tmp_path: Path) -> None:
        file, out = tmp_path / "rows.parquet", tmp_path / "out.parquet"
        rows = [START.encode(), None, b"\xff\n", b""]
        for column in (pa.array(rows), pa.array(rows).dictionary_encode()):
            pq.write_table(pa.table({"fen": column}), file)
            assert main(["validate", str(file), "--out", str(out)]) == 1
            assert pq.read_table(out)["fen"].to_pylist() == [START, None, "\\xff\n", ""]

    def test_a_line_longer_than_many_chunks(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("fenpack.io.text.BLOCK_BYTES", 100)
        file, out = tmp_path / "rows.fen", tmp_path / "out.fen"
        file.write_text("\n".join(["x" * 10_000, START, "y" * 10_000]))
        assert main(["canonicalize", str(file), "--out", str(out)]) == 1
        assert read_lines(out) == ["", START, ""]

    def test_compression_whatever_the_case(self, tmp_path: Path) -> None:
        file, out = tmp_path / "ROWS.FEN.GZ", tmp_path / "OUT.TXT.GZ"
        file.write_bytes(gzip.compress(START.encode()))
        assert main(["canonicalize", str(file), "--out", str(out)]) == 0
        assert gzip.decompress(out.read_bytes()).decode() == START + "\n"


KINDS = [kind + end for kind in TEXTS for end in COMPRESSIONS] + list(TABLES)


class TestEveryKind:
    """The commands read what `fenpack.io.scan` reads."""

    @pytest.mark.parametrize("kind", KINDS)
    def test_validate(self, tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
        file = write_kind(tmp_path / f"rows{kind}", ROWS)
        assert main(["validate", str(file), "--json"]) == 1
        found = json.loads(capsys.readouterr().out)
        assert (found["rows"], found["valid"], found["invalid"]) == (4, 2, 2)

    @pytest.mark.parametrize("kind", KINDS)
    def test_canonicalize(self, tmp_path: Path, kind: str) -> None:
        file, out = write_kind(tmp_path / f"rows{kind}", ROWS), tmp_path / "out.parquet"
        assert main(["canonicalize", str(file), "--out", str(out)]) == 1
        table = pq.read_table(out)
        text = "FEN" if kind.startswith((".csv", ".tsv")) else "fen"
        assert table[text].to_pylist() == CANONICAL
        others = pq.read_table(out).drop_columns([text])
        assert others == scan(file).read_all().select(others.column_names)

    @pytest.mark.parametrize("kind", KINDS)
    def test_audit(self, tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
        file = write_kind(tmp_path / f"rows{kind}", ROWS)
        assert main(["audit", str(file), "--json"]) == 1
        assert json.loads(capsys.readouterr().out)["rows"] == 4

    def test_folders_and_patterns(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        for i in range(3):
            write_kind(tmp_path / f"{i}.csv", ROWS)
        for path in (tmp_path, tmp_path / "*.csv"):
            for command in ("validate", "audit"):
                assert main([command, str(path), "--json"]) == 1
                found = json.loads(capsys.readouterr().out)
                assert found["rows"] == 12
        assert len(found["files"]) == 3

    @pytest.mark.parametrize("name", ["out.fen.zst", "out.txt.bz2"])
    def test_compressed_output(self, tmp_path: Path, name: str) -> None:
        file, out = write_kind(tmp_path / "rows.fen", ROWS), tmp_path / name
        assert main(["canonicalize", str(file), "--out", str(out)]) == 1
        assert scan(out).read_all()["fen"].to_pylist() == [row or "" for row in CANONICAL]

    @pytest.mark.parametrize(("kind", "text"), [(None, ".fen"), ("csv.gz", ".csv.gz")])
    def test_standard_input(self, tmp_path: Path, kind: str | None, text: str) -> None:
        data = write_kind(tmp_path / f"rows{text}", ROWS).read_bytes()
        told = [] if kind is None else ["--format", kind]
        out = tmp_path / "out.parquet"
        for arguments in (["validate"], ["canonicalize", "--out", str(out)], ["audit"]):
            done = subprocess.run(
                command(*arguments, "-", "--json", *told), input=data, capture_output=True
            )
            assert (done.returncode, done.stderr) == (1, b"")
            assert json.loads(done.stdout)["rows"] == 4
        assert pq.read_table(out).num_rows == 4

    def test_games_without_a_fen(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        file = tmp_path / "games.pgn"
        file.write_text(f'[FEN "{START}"]\n\n*\n\n[Event "x"]\n\n*\n')
        assert main(["validate", str(file)]) == 0
        said = capsys.readouterr().err
        assert said == f"fenpack: {file}: 1 of 2 games have no FEN tag, so no row\n"

    def test_a_malformed_row(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        file, out = tmp_path / "rows.csv", tmp_path / "out.parquet"
        file.write_text(f"id,fen\n1,{START}\n2\n")
        assert main(["canonicalize", str(file), "--out", str(out)]) == 3
        assert capsys.readouterr().err.startswith(f"fenpack: {file}: line 3: 1 field")
        assert not out.exists()

    def test_interrupt_while_waiting_for_input(self) -> None:
        running = subprocess.Popen(
            command("validate", "-"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert running.stdin is not None
        running.stdin.write(START.encode())
        running.stdin.flush()
        time.sleep(2)
        running.send_signal(signal.SIGINT)
        assert running.wait(20) == 130
        running.communicate()


class TestRefusals:
    def test_parquet_behind_gzip(self, tmp_path: Path) -> None:
        file = tmp_path / "rows.fen"
        write(file, [START])
        out = tmp_path / "out.parquet.gz"
        assert main(["canonicalize", str(file), "--out", str(out)]) == 2
        out.write_bytes(b"x")
        assert main(["validate", str(out)]) == 3

    def test_columns_of_one_name(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        file, out = tmp_path / "rows.parquet", tmp_path / "out.parquet"
        table = pa.Table.from_arrays([pa.array([START])] * 3, names=["fen", "id", "id"])
        pq.write_table(table, file)
        assert main(["canonicalize", str(file), "--out", str(out)]) == 0
        assert pq.read_metadata(out).schema.names == ["fen", "id", "id"]
        pq.write_table(table.rename_columns(["fen", "fen", "id"]), file)
        for arguments in ([], ["--column", "fen"]):
            capsys.readouterr()
            code, said = self.refused(capsys, "validate", file, *arguments)
            assert code == 3
            assert "columns are called" in said

    def test_environment(
        self, file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("FENPACK_NUM_THREADS", "abc")
        monkeypatch.setattr("fenpack._native.get_num_threads", fail_on_environment)
        code, said = self.refused(capsys, "validate", file)
        assert code == 2
        assert "FENPACK_NUM_THREADS" in said

    def test_output_is_a_folder(self, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        out = file.parent / "out.parquet"
        out.mkdir()
        code, said = self.refused(capsys, "validate", file, "--out", out)
        assert code == 2
        assert f"Is a directory: '{out}'" in said

    def test_link_and_permissions_are_kept(self, tmp_path: Path) -> None:
        file, link = tmp_path / "rows.fen", tmp_path / "link.fen"
        write(file, [START])
        file.chmod(0o600)
        link.symlink_to(file)
        assert main(["canonicalize", str(file), "--out", str(link)]) == 0
        assert link.is_symlink()
        assert file.stat().st_mode & 0o777 == 0o600

    def refused(self, capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        assert not captured.out
        return code, captured.err

    def test_no_such_file(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        for name in ("no.parquet", "no.fen"):
            code, said = self.refused(capsys, "validate", tmp_path / name)
            assert code == 3
            assert f"{name}: no such file" in said
        assert self.refused(capsys, "validate", tmp_path)[0] == 3

    def test_unknown_kind(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / "rows.doc").touch()
        code, said = self.refused(capsys, "validate", tmp_path / "rows.doc")
        assert code == 3
        assert "known are .parquet" in said

    def test_missing_column(self, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        code, said = self.refused(capsys, "validate", file, "--column", "position")
        assert code == 3
        assert "no column 'position', only id, FEN" in said or "has no columns" in said

    def test_which_column(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        file = tmp_path / "rows.parquet"
        pq.write_table(pa.table({"a": ["x"], "b": ["y"]}), file)
        code, said = self.refused(capsys, "validate", file)
        assert code == 3
        assert "no column called fen, only a, b" in said
        assert main(["validate", str(file), "--column", "a"]) == 1

    def test_column_of_numbers(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        file = tmp_path / "rows.parquet"
        pq.write_table(pa.table({"fen": [1, 2]}), file)
        code, said = self.refused(capsys, "validate", file)
        assert code == 3
        assert "column fen holds int64, not text" in said

    @pytest.mark.parametrize("keep", [0, 4, 100, -8])
    def test_truncated_parquet(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], keep: int
    ) -> None:
        file = tmp_path / "rows.parquet"
        write(file, ROWS * 1000)
        file.write_bytes(file.read_bytes()[:keep])
        code, said = self.refused(capsys, "validate", file, "--out", tmp_path / "out.parquet")
        assert code == 3
        assert "rows.parquet" in said
        assert os.listdir(tmp_path) == ["rows.parquet"]

    def test_truncated_gzip(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        file = tmp_path / "rows.fen.gz"
        write(file, ROWS * 1000)
        file.write_bytes(file.read_bytes()[:-20])
        code, said = self.refused(capsys, "canonicalize", file, "--out", tmp_path / "out.fen")
        assert code == 3
        assert "rows.fen.gz" in said
        assert os.listdir(tmp_path) == ["rows.fen.gz"]

    def test_unknown_format(self, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        for name in ("validate", "audit"):
            with pytest.raises(SystemExit) as exit_code:
                main([name, str(file), "--format", "xls"])
            assert exit_code.value.code == 2
            assert "format must be one of .parquet" in capsys.readouterr().err

    def test_unwritable_output(self, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        out = file.parent / "nowhere" / "out.parquet"
        code, said = self.refused(capsys, "validate", file, "--out", out)
        assert code == 2
        assert str(out) in said

    def test_output_kinds(self, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        for command, out in {"validate": "out.csv", "canonicalize": "out.jsonl"}.items():
            code, said = self.refused(capsys, command, file, "--out", file.parent / out)
            assert code == 2
            assert "writes .parquet" in said
            assert not (file.parent / out).exists()

    def test_canonical_table(self, file: Path) -> None:
        out = file.parent / "out.csv"
        main(["canonicalize", str(file), "--out", str(out)])
        table = pv.read_csv(out, parse_options=pv.ParseOptions(ignore_empty_lines=False))
        assert table.column(-1).to_pylist() == [row or "" for row in CANONICAL]

    def test_taken_column(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        file = tmp_path / "rows.parquet"
        pq.write_table(pa.table({"fen": ROWS, "problems": [0, 0, 0, 0]}), file)
        code, said = self.refused(capsys, "validate", file, "--out", tmp_path / "out.parquet")
        assert code == 2
        assert "has a column problems already" in said

    def test_wrong_use(self, capsys: pytest.CaptureFixture[str]) -> None:
        for arguments in ([], ["dance"], ["validate"], ["canonicalize", "rows.fen"]):
            with pytest.raises(SystemExit) as exit_code:
                main(arguments)
            assert exit_code.value.code == 2
            assert "usage: fenpack" in capsys.readouterr().err

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
    def test_full_disk(
        self, file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(*_: object) -> tuple[int, str]:
            name = str(file.parent / "partial")
            Path(name).symlink_to("/dev/full")
            return os.open(name, os.O_WRONLY), name

        monkeypatch.setattr("fenpack.io.writing._create", full)
        code, said = self.refused(capsys, "validate", file, "--out", file.parent / "out.parquet")
        assert code == 2
        assert "No space left" in said
        assert os.listdir(file.parent) == [file.name]


def fail_on_environment() -> int:
    raise ValueError('FENPACK_NUM_THREADS must be at least 1, got "abc"')


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "fenpack", *map(str, arguments)]


def test_version_and_help() -> None:
    done = subprocess.run(command("--version"), capture_output=True, text=True, check=True)
    assert done.stdout == f"fenpack {fp.__version__}\n"
    done = subprocess.run(command("validate", "--help"), capture_output=True, text=True, check=True)
    assert "exit codes" in done.stdout


def test_progress_is_for_terminals(tmp_path: Path) -> None:
    file = tmp_path / "rows.fen"
    write(file, [START])
    done = subprocess.run(command("validate", file), capture_output=True, text=True, check=True)
    assert not done.stderr
    pty, termios = pytest.importorskip("pty"), pytest.importorskip("termios")
    parent, child = pty.openpty()
    termios.tcsetwinsize(child, (24, 80))
    subprocess.run(command("validate", file), stdout=subprocess.PIPE, stderr=child, check=True)
    os.close(child)
    assert b"100%" in os.read(parent, 4096)
    os.close(parent)


def test_interrupt_leaves_nothing(tmp_path: Path) -> None:
    file, out = tmp_path / "rows.parquet", tmp_path / "out.parquet"
    pq.write_table(pa.table({"fen": ROWS * 500_000}), file)
    running = subprocess.Popen(
        command("validate", file, "--out", out), stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 20
    while not list(tmp_path.glob(".out.parquet.*.partial")) and time.monotonic() < deadline:
        time.sleep(0.01)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=20)
    assert running.returncode == 130
    assert said == "fenpack: interrupted\n"
    assert os.listdir(tmp_path) == ["rows.parquet"]


def test_closed_pipe(tmp_path: Path) -> None:
    file = tmp_path / "rows.fen"
    write(file, ROWS)
    running = subprocess.Popen(
        command("validate", file), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert running.stdout is not None
    running.stdout.close()
    assert running.stderr is not None
    assert running.stderr.read() == ""
    running.stderr.close()
    assert running.wait(20) == 1
