"""Damaged files: every row or a message that names the file, through every reader and command."""

from __future__ import annotations

import gzip
import os
import sys
import warnings
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import ipc

import fenpack as fp
from damage import CUTS, MISTAKEN, SPOILT
from fenpack.__main__ import main
from fenpack.feeding import Batches
from fenpack.gathering import PackedFile
from fenpack.io import InputError, InputWarning, scan
from files import COMPRESSIONS, TABLES, TEXTS, rows_of, write
from texts import START

if TYPE_CHECKING:
    from pathlib import Path

ROWS = [START, "8/8/8/8/8/8/5k1K/8 w - - 0 1", START.replace(" 0 1", " 7 9")] * 40
PACKED = [text + end for text in TEXTS for end in COMPRESSIONS[1:]]
#: One of each reader and each compression, for what takes longer.
FEW = (".fen", ".epd.gz", ".csv.zst", ".jsonl.bz2", ".pgn", ".parquet", ".arrow", ".arrows")

COMMANDS = {
    "validate": ["validate", "{file}"],
    "validate --out": ["validate", "{file}", "--out", "{out}.parquet"],
    "canonicalize": ["canonicalize", "{file}", "--out", "{out}.arrow"],
    "audit": ["audit", "{file}", "--html", "{out}.html"],
    "dedup": ["dedup", "{file}", "-o", "{out}.parquet"],
    "encode": ["encode", "{file}", "-o", "{out}.npy", "--tokens", "squares"],
    "encode columns": ["encode", "{file}", "-o", "{out}.arrow", "--bitboards", "roles"],
    "pack": ["pack", "{file}", "-o", "{out}.arrow"],
    "decode": ["decode", "{file}", "--preset", "chess_cv", "-o", "{out}.parquet"],
}


def run(
    name: str, file: Path, capsys: pytest.CaptureFixture[str], *options: str
) -> tuple[int, str, list[str]]:
    """Run a command and give its exit code, what it says on standard error and what it writes."""
    out = file.parent / "out"
    capsys.readouterr()
    code = main([one.format(file=file, out=out) for one in COMMANDS[name]] + list(options))
    written = [one for one in os.listdir(file.parent) if one.startswith((".out", "out"))]
    for one in written:
        (file.parent / one).unlink()
    return code, capsys.readouterr().err, written


def read(file: Path) -> int | str:
    """Give the number of rows, or what is said of the file."""
    try:
        return scan(file).read_all().num_rows
    except InputError as error:
        said = str(error)
        assert said.startswith(f"{file}: ")
        assert "\n" not in said
        return said


@pytest.mark.parametrize("kind", [*PACKED, *TABLES])
def test_a_file_that_lost_its_end(tmp_path: Path, kind: str) -> None:
    """Text that is not compressed has no end to miss."""
    file = write(tmp_path / f"rows{kind}", ROWS)
    whole = file.read_bytes()
    for name, cut in CUTS.items():
        file.write_bytes(cut(whole))
        if kind == ".arrows" and len(whole) - len(cut(whole)) < 100:
            continue
        assert isinstance(read(file), str), name


@pytest.mark.parametrize(
    "kind", [".parquet", ".arrow", ".arrows", ".feather", ".csv.gz", ".fen.zst"]
)
def test_a_file_cut_anywhere(tmp_path: Path, kind: str) -> None:
    file = write(tmp_path / f"rows{kind}", ROWS[:3])
    whole = file.read_bytes()
    for end in range(0, len(whole), max(1, len(whole) // 60)):
        file.write_bytes(whole[:end])
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            found = read(file)
        assert isinstance(found, str) or (kind == ".arrows" and said), end


@pytest.mark.parametrize("kind", [*PACKED, *TABLES])
def test_spoilt_bytes(tmp_path: Path, kind: str) -> None:
    """Some texts may be others, but none may be missing; zstd need not have checksums."""
    file = write(tmp_path / f"rows{kind}", ROWS)
    whole = file.read_bytes()
    for name, damaged in SPOILT.items():
        file.write_bytes(damaged(whole))
        with warnings.catch_warnings(record=True):
            warnings.simplefilter("always")
            found = read(file)
        if isinstance(found, int) and not kind.endswith(".zst"):
            assert found == len(ROWS), name


@pytest.mark.parametrize("kind", [*TEXTS, *PACKED, *TABLES])
def test_mistaken_for_another_kind(tmp_path: Path, kind: str) -> None:
    file = write(tmp_path / f"rows{kind}", ROWS)
    whole = file.read_bytes()
    for name, other in MISTAKEN.items():
        file.write_bytes(other(whole))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InputWarning)
            found = read(file)
        if kind in TABLES or (
            kind in PACKED and name != {".gz": "gzip", "zst": "zstd"}.get(kind[-3:])
        ):
            assert isinstance(found, str), name


@pytest.mark.parametrize("kind", FEW)
@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "decode"])
def test_commands_leave_nothing(
    tmp_path: Path, kind: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path / f"rows{kind}", ROWS)
    whole = file.read_bytes()
    for damage in (CUTS["a half"], SPOILT["noise 1"], SPOILT["a hole"], MISTAKEN["gzip"]):
        file.write_bytes(damage(whole))
        code, said, written = run(name, file, capsys)
        assert code in (0, 1, 3)
        if code == 3 or said.count("cannot"):
            assert not written
            assert said.startswith(f"fenpack: {file}: ")
        assert said.count("\n") == (code == 3) or code < 3
        assert len(os.listdir(tmp_path)) == 1


@pytest.mark.parametrize("end", [".npy", ".parquet"])
def test_scores(tmp_path: Path, end: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / f"scores{end}"
    scores = np.random.default_rng(1).random((20, 64, 13), np.float32)
    if end == ".npy":
        np.save(file, scores)
    else:
        pq.write_table(pa.table({"scores": scores.reshape(20, -1).tolist()}), file)
    whole = file.read_bytes()
    damages = CUTS | SPOILT | MISTAKEN | {"something behind": lambda data: data + b"more"}
    for name, damage in damages.items():
        file.write_bytes(damage(whole))
        code, said, written = run("decode", file, capsys)
        if name in CUTS | MISTAKEN or name == "something behind":
            assert code == 3, name
        if code == 3:
            assert said.startswith(f"fenpack: {file}: "), name
            assert said.count("\n") == 1
        assert bool(written) is (code < 2), name


class TestFolders:
    @pytest.mark.parametrize("kind", [".fen.gz", ".csv.zst", ".jsonl.bz2", ".parquet", ".arrow"])
    def test_one_of_ten_is_named(
        self, tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        folder = tmp_path / "folder"
        folder.mkdir()
        files = [write(folder / f"{i}{kind}", ROWS) for i in range(10)]
        whole = files[6].read_bytes()
        middle = len(whole) // 2
        spoilt = bytes(byte ^ 0x5A for byte in whole[middle:])
        for data in (whole[:-30], whole[:middle] + spoilt):
            files[6].write_bytes(data)
            for command in ("validate", "canonicalize", "dedup", "pack", "audit"):
                code, said, written = run(command, folder, capsys)
                assert (code, written) == (3, [])
                assert said.startswith(f"fenpack: {files[6]}: ")

    def test_a_row_is_named_by_its_file(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        folder = tmp_path / "folder"
        folder.mkdir()
        for i, rows in enumerate((ROWS, [START, "nonsense"], ROWS)):
            write(folder / f"{i}.fen", rows)
        code, said, written = run("encode", folder, capsys)
        assert (code, written) == (1, [])
        assert said.startswith(f"fenpack: {folder / '1.fen'}: row 1, byte 0, `nonsense`: ")
        code, said, written = run("dedup", folder, capsys, "--unreadable", "error")
        assert (code, written) == (3, [])
        assert said == f"fenpack: {folder / '1.fen'}: row 1 cannot be read: b'nonsense'\n"
        with pytest.raises(fp.FenError) as caught:
            list(Batches(folder))
        assert caught.value.row == len(ROWS) + 1
        assert caught.value.__notes__ == [f"It is among rows 0 to 1 of {folder / '1.fen'}."]


class TestTextThatIsNone:
    @pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()], ids=str)
    @pytest.mark.parametrize("end", [".parquet", ".arrow"])
    def test_strings_that_are_not_utf8(
        self, tmp_path: Path, kind: pa.DataType, end: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        raw = [START.encode()] * 70_000 + ["é".encode(), b"8/8 \xe9 w"]
        binary = {"string": pa.binary(), "large_string": pa.large_binary()}
        column = pa.array(raw, binary.get(str(kind), pa.binary_view())).view(kind)
        file = tmp_path / f"rows{end}"
        table = pa.table({"fen": column})
        if end == ".parquet":
            pq.write_table(table, file, row_group_size=50_000)
        else:
            with ipc.new_file(file, table.schema) as writer:
                writer.write_table(table, max_chunksize=50_000)
        said = f"{file}: row 70001: not UTF-8 (byte 0xe9)"
        assert read(file) == said
        for name in ("validate", "canonicalize", "dedup", "pack"):
            assert run(name, file, capsys) == (3, f"fenpack: {said}\n", [])

    def test_a_label_that_is_not_utf8(self, tmp_path: Path) -> None:
        table = pa.table({"fen": [START], "score": pa.array([b"\xe9"]).view(pa.string())})
        pq.write_table(table, tmp_path / "rows.parquet")
        with pytest.raises(ValueError, match=r"label score is no number in row 0: '\\\\xe9'"):
            list(Batches(tmp_path / "rows.parquet", labels=["score"]))

    def test_games_that_are_none(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        file = tmp_path / "rows.pgn"
        for text in (START, "1. e4 e5 *"):
            file.write_text(text)
            said = f"{file}: no tags of a game, so no row; is it PGN?"
            assert run("validate", file, capsys) == (0, f"fenpack: {said}\n", [])
        file.write_text("\n")
        assert read(file) == 0

    @pytest.mark.parametrize(("kind", "sign"), [(".csv", ";"), (".csv", "\t"), (".tsv", ",")])
    def test_a_table_divided_otherwise(self, tmp_path: Path, kind: str, sign: str) -> None:
        file = tmp_path / f"rows{kind}"
        file.write_text(f"id{sign}fen\n1{sign}{START}\n")
        found = read(file)
        assert isinstance(found, str)
        assert f"the header 'id{sign}fen' is one field".replace("\t", "\\t") in found

    def test_a_broken_line_with_a_new_key(self, tmp_path: Path) -> None:
        file = tmp_path / "rows.jsonl"
        file.write_text('{"fen":"a"}\n' * 800_000 + '{"new":1,"fen":\n')
        found = read(file)
        assert isinstance(found, str)
        assert found.startswith(f"{file}: line 800001: ")

    def test_games_with_a_hole(self, tmp_path: Path) -> None:
        file = write(tmp_path / "rows.pgn", ROWS)
        file.write_bytes(SPOILT["a hole"](file.read_bytes()))
        found = read(file)
        assert isinstance(found, str)
        assert found.endswith("a NUL byte")


class TestArrow:
    @pytest.mark.parametrize("value", [-5, 10_000, 2**31 - 1])
    @pytest.mark.parametrize("which", ["fen", "other"])
    def test_offsets_that_lie(
        self, tmp_path: Path, value: int, which: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        texts = pa.array([START] * 3)
        offsets = np.frombuffer(texts.buffers()[1], np.int32)[:4].copy()
        offsets[1] = value
        lying = pa.Array.from_buffers(
            pa.string(), 3, [None, pa.py_buffer(offsets), texts.buffers()[2]]
        )
        columns = {"fen": texts, "other": texts} | {which: lying}
        table = pa.table(columns)
        for new, end in ((ipc.new_file, "arrow"), (ipc.new_stream, "arrows")):
            file = tmp_path / f"rows.{end}"
            with new(file, table.schema) as writer:
                writer.write_table(pa.table({"fen": texts, "other": texts}))
                writer.write_table(table)
            for name in ("canonicalize", "dedup", "pack", "validate --out"):
                code, said, written = run(name, file, capsys)
                assert (code, written) == (3, [])
                assert said.startswith(f"fenpack: {file}: rows 3 to 5: ")

    def test_streams_one_after_the_other(self, tmp_path: Path) -> None:
        file = write(tmp_path / "rows.arrows", ROWS)
        file.write_bytes(file.read_bytes() * 2)
        found = read(file)
        assert isinstance(found, str)
        assert found.endswith("more follows the end of the stream, such as another stream")

    @pytest.mark.parametrize("kind", [".arrow", ".feather"])
    def test_files_one_after_the_other(self, tmp_path: Path, kind: str) -> None:
        file = write(tmp_path / f"rows{kind}", ROWS)
        file.write_bytes(file.read_bytes() * 2)
        found = read(file)
        assert isinstance(found, str)
        assert found.endswith("its footer leaves out bytes, such as those of another file")

    def test_footers(self, tmp_path: Path) -> None:
        """Whatever is in a file, its footer is read as Arrow does."""
        texts = pa.array(ROWS)
        for columns in ({"fen": texts.dictionary_encode()}, {"fen": texts}, {"fen": texts[:0]}):
            for size in (1, 7, 1000):
                for compression in (None, "zstd"):
                    options = ipc.IpcWriteOptions(compression=compression)
                    file, table = tmp_path / "rows.arrow", pa.table(columns)
                    with ipc.new_file(file, table.schema, options=options) as writer:
                        writer.write_table(table, max_chunksize=size)
                    assert read(file) == table.num_rows

    def test_a_stream_cut_between_batches(self, tmp_path: Path) -> None:
        file = tmp_path / "rows.arrows"
        table = pa.table({"fen": ROWS})
        with file.open("wb") as sink, ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table.slice(0, 9))
            end = sink.tell()
            writer.write_table(table.slice(9))
        file.write_bytes(file.read_bytes()[:end])
        with pytest.warns(InputWarning, match=f"{file}: the stream has no end mark"):
            assert rows_of(scan(file)) == ROWS[:9]


class TestParquet:
    def test_checksums_are_looked_at(self, tmp_path: Path) -> None:
        file = tmp_path / "rows.parquet"
        options = {"compression": "none", "use_dictionary": False, "write_statistics": False}
        pq.write_table(pa.table({"fen": ROWS}), file, write_page_checksum=True, **options)
        data = file.read_bytes()
        file.write_bytes(data.replace(b"rnbqkbnr", b"rnbqkbnq", 1))
        found = read(file)
        assert isinstance(found, str)
        assert "CRC" in found

    def test_empty_row_groups(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        file = tmp_path / "rows.parquet"
        table = pa.table({"fen": ROWS})
        with pq.ParquetWriter(file, table.schema) as writer:
            for i in range(200):
                writer.write_table(table.slice(0, 1 if i in (50, 150) else 0))
        assert rows_of(scan(file)) == ROWS[:1] * 2
        for name in COMMANDS:
            if name != "decode":
                assert run(name, file, capsys)[0] == 0

    def test_no_columns(self, tmp_path: Path) -> None:
        file = tmp_path / "rows.parquet"
        pq.write_table(pa.table({}), file)
        assert read(file) == f"{file}: it has no columns"

    def test_an_encrypted_file(self, tmp_path: Path) -> None:
        file = write(tmp_path / "rows.parquet", ROWS)
        data = file.read_bytes()
        file.write_bytes(data[:-4] + b"PARE")
        found = read(file)
        assert isinstance(found, str)
        assert "encrypted" in found


class TestNames:
    @pytest.mark.skipif(sys.platform != "linux", reason="elsewhere names are text")
    @pytest.mark.parametrize("kind", [".fen", ".csv.gz", ".parquet", ".arrow", ".arrows"])
    @pytest.mark.parametrize(
        "stem", [b"a\xff\xfe", b"a\nb", b"-a", b"a b", "é".encode(), b"n" * 240]
    )
    def test_any_name(
        self,
        tmp_path: Path,
        kind: str,
        stem: bytes,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        name = os.fsdecode(stem) + kind
        os.replace(write(tmp_path / f"rows{kind}", ROWS), tmp_path / name)
        for command in ("validate", "audit", "dedup", "pack"):
            assert run(command, tmp_path / name, capsys)[:2] == (0, "")
        (tmp_path / name).write_bytes(b"\xff" * 10 if kind == ".csv.gz" else b"")
        if kind not in (".fen",):
            code, said, _ = run("validate", tmp_path / name, capsys)
            shown = os.fsencode(tmp_path / name).decode("utf-8", "backslashreplace")
            shown = shown.replace("\n", "\\n")
            assert code == 3
            assert said.startswith(f"fenpack: {shown}: ")
            assert said.count("\n") == 1

    def test_what_is_no_file(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / "loop.fen").symlink_to("loop.fen")
        (tmp_path / "nowhere.fen").symlink_to("nothing")
        os.mkfifo(tmp_path / "pipe.fen")
        (tmp_path / "folder.fen").mkdir()
        for name, said in {
            "loop.fen": "Too many levels of symbolic links",
            "nowhere.fen": "no such file",
            "pipe.fen": "not a file, which can be read again; pipe it in and read -",
            "folder.fen": "no file of a known kind in this folder; known are .parquet",
            "loop.fen/a.fen": "Too many levels of symbolic links",
            "n" * 300 + ".fen": "File name too long",
            "a\0.fen": "no such file",
        }.items():
            assert main(["validate", str(tmp_path / name)]) == 3
            assert capsys.readouterr().err.startswith(f"fenpack: {tmp_path / name}: {said}")
        assert main(["validate", ""]) == 3
        assert capsys.readouterr().err == "fenpack: a path is empty\n"

    @pytest.mark.skipif(not os.path.exists("/proc/self/mem"), reason="needs Linux")
    def test_a_file_that_cannot_be_read(self, capsys: pytest.CaptureFixture[str]) -> None:
        """Permissions do not keep the administrator out, but nobody reads the address 0."""
        assert main(["validate", "/proc/self/mem", "--format", "fen"]) == 3
        assert capsys.readouterr().err == "fenpack: /proc/self/mem: Input/output error\n"


class TestPackedFile:
    @pytest.fixture
    def file(self, tmp_path: Path) -> Path:
        path = tmp_path / "rows.arrow"
        table = pa.table({"position": fp.parse(ROWS), "score": range(len(ROWS))})
        with ipc.new_file(path, table.schema) as writer:
            writer.write_table(table, max_chunksize=50)
        return path

    def test_damage(self, file: Path) -> None:
        whole = file.read_bytes()
        for name, damage in (CUTS | SPOILT | MISTAKEN).items():
            file.write_bytes(damage(whole))
            said = ""
            try:
                assert len(PackedFile(file, labels=["score"])) == len(ROWS)
            except (InputError, ValueError) as error:
                said = str(error)
            assert str(file) in said or (not said and name in SPOILT), name

    def test_a_name_of_bytes(self, file: Path) -> None:
        name = os.fsencode(file.parent) + b"/\xff.arrow"
        os.replace(file, name)
        assert len(PackedFile(os.fsdecode(name))) == len(ROWS)


def test_an_epd_behind_gzip_of_another_kind(tmp_path: Path) -> None:
    file = tmp_path / "rows.epd.zst"
    file.write_bytes(gzip.compress(START.encode()))
    found = read(file)
    assert isinstance(found, str)
