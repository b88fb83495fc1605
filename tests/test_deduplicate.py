"""Deduplication of files and of columns fed in pieces."""

from __future__ import annotations

import gzip
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING

import chess
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pv
import pyarrow.parquet as pq
import pytest

import fenpack as fp
from cases import DATA
from fenpack import _native
from fenpack.__main__ import main
from fenpack.io import InputError, deduplicate
from fenpack.io.deduplicating import memory_size
from texts import START, UNUSUAL

if TYPE_CHECKING:
    from pathlib import Path

SAMPLE = gzip.decompress((DATA / "sample_40k.fen.gz").read_bytes()).decode().splitlines()
ROWS = [*SAMPLE[:5000], *UNUSUAL.values(), None, "", "x", *SAMPLE[1000:2500], "x", *SAMPLE[:100]]
COLUMN = pa.array(ROWS)
AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq"
KEEPS = {"first": "first", "last": "last", "none": None}


def native(
    keep: str = "first",
    *,
    by: str = "position",
    counts: bool = False,
    unreadable: str = "keep",
    budget: int = 1 << 30,
    directory: object = "/nowhere",
    hash_bits: int = 64,
) -> _native.Deduplicator:
    return _native.Deduplicator(
        by, keep, False, counts, unreadable, budget, str(directory), hash_bits
    )


class TestPieces:
    @pytest.mark.parametrize("keep", KEEPS)
    @pytest.mark.parametrize("size", [100, 4096, 10_000])
    def test_equals_the_column_function(self, keep: str, size: int) -> None:
        rows = native(keep)
        for start in range(0, len(COLUMN), size):
            rows.feed(COLUMN[start : start + size])
        rows.finish()
        expected = pc.invert(fp.is_duplicate(COLUMN, keep=KEEPS[keep])).fill_null(True)
        assert rows.kept(0, len(COLUMN)).equals(expected)
        assert rows.kept(77, 1000).equals(expected[77:1077].take(pa.array(range(1000))))

    @pytest.mark.parametrize("keep", KEEPS)
    @pytest.mark.parametrize("budget", [0, 1 << 16, 1 << 20])
    @pytest.mark.parametrize("hash_bits", [0, 3, 64])
    def test_disk_and_collisions_change_nothing(
        self, keep: str, budget: int, hash_bits: int, tmp_path: Path
    ) -> None:
        column = COLUMN[:6000] if hash_bits < 64 else COLUMN
        one, two = (
            native(keep, counts=True),
            native(keep, counts=True, budget=budget, directory=tmp_path, hash_bits=hash_bits),
        )
        for rows in (one, two):
            for start in range(0, len(column), 500):
                rows.feed(column[start : start + 500])
            rows.finish()
        assert two.kept(0, len(column)).equals(one.kept(0, len(column)))
        assert two.counts(0, len(column)).equals(one.counts(0, len(column)))
        assert two.report()[:4] == one.report()[:4]
        assert one.report()[4] == 0
        assert (two.report()[4] > 0) is (budget < 1 << 18)
        assert os.listdir(tmp_path) == []

    def test_one_position_beyond_the_budget(self, tmp_path: Path) -> None:
        rows = native(budget=1000, directory=tmp_path)
        for _ in range(20):
            rows.feed(pa.repeat(START, 1000))
        rows.finish()
        assert rows.kept(0, 20_000).true_count == 1
        assert dict(rows.report()[3])["same_text"] == 19_999

    def test_counts(self) -> None:
        for keep in ("first", "last"):
            rows = native(keep, counts=True)
            rows.feed(COLUMN)
            rows.finish()
            table = pa.table({"key": fp.identity(COLUMN), "count": rows.counts(0, len(COLUMN))})
            kept = table.filter(rows.kept(0, len(COLUMN))).to_pylist()
            expected = Counter(filter(None, fp.identity(COLUMN).to_pylist()))
            assert {r["key"]: r["count"] for r in kept if r["key"]} == expected
            assert [r["count"] for r in kept if not r["key"]] == [1] * 4

    def test_unreadable_rows(self) -> None:
        rows = native(unreadable="drop")
        rows.feed(COLUMN[:5000])
        rows.feed(COLUMN[5000:])
        rows.finish()
        kept = rows.kept(0, len(COLUMN)).to_pylist()
        assert [ROWS[i] for i in range(len(ROWS)) if ROWS[i] in (None, "", "x")] == [
            None, "", "x", "x",
        ]  # fmt: skip
        assert not any(kept[i] for i in range(len(ROWS)) if ROWS[i] in (None, "", "x"))
        _, unreadable, first, *_ = rows.report()
        assert (unreadable, first) == (4, ROWS.index(None))

    def test_positions(self) -> None:
        one, two = native(), native()
        one.feed(COLUMN)
        two.feed(fp.parse(COLUMN))
        for rows in (one, two):
            rows.finish()
        assert one.kept(0, len(COLUMN)).equals(two.kept(0, len(COLUMN)))

    def test_order_of_calls(self) -> None:
        rows = native()
        rows.feed(COLUMN)
        with pytest.raises(RuntimeError, match="not compared yet"):
            rows.kept(0, 1)
        rows.finish()
        for call in (rows.finish, lambda: rows.feed(COLUMN)):
            with pytest.raises(RuntimeError, match="compared already"):
                call()
        with pytest.raises(ValueError, match="are not among"):
            rows.kept(len(COLUMN), 1)

    def test_no_room_on_disk(self, tmp_path: Path) -> None:
        rows = native(budget=0, directory=tmp_path / "missing")
        with pytest.raises(FileNotFoundError) as raised:
            rows.feed(COLUMN)
        assert raised.value.filename == str(tmp_path / "missing")

    def test_bad_position(self) -> None:
        rows = native()
        rows.feed(fp.parse([START]))
        with pytest.raises(ValueError, match="x row 1 is no packed position"):
            rows.feed(pa.array([b"\xff" * 40], pa.binary(40)))


class TestCauses:
    def test_each(self, tmp_path: Path) -> None:
        rights = "r3k2r/8/8/8/8/8/8/4K2R w"
        fens = [
            f"{AFTER_E4} - 0 1",
            f"{AFTER_E4} - 0 1",
            f"{AFTER_E4} - 7 9",
            f"{AFTER_E4} -",
            f"{AFTER_E4} e3 0 1",
            f"{rights} Kkq - 0 1",
            f"{rights} KQkq - 0 1",
            f"{rights} Hha - 0 1",
            f"{rights}  Kkq - 0 1",
            "nonsense",
        ]
        file = tmp_path / "rows.fen"
        file.write_text("\n".join(fens))
        done = deduplicate(file, tmp_path / "out.fen")
        assert done.as_dict() == {
            "rows": 10,
            "kept": 3,
            "unreadable": 1,
            "duplicates": {
                "same_text": 1,
                "counters": 2,
                "en_passant": 1,
                "castling": 2,
                "side": 0,
                "spelling": 1,
            },
            "spilled_bytes": 0,
        }
        assert (tmp_path / "out.fen").read_text().splitlines() == [fens[0], fens[5], fens[9]]
        assert str(done).splitlines()[0] == "10 rows in, 3 rows out, 7 duplicates"


class TestFiles:
    def test_an_opening_book(self, uho: list[str], tmp_path: Path) -> None:
        file = tmp_path / "UHO_4060_v3.epd"
        file.write_text("".join(f"{line}\n" for line in uho))
        done = deduplicate(file, tmp_path / "out.epd")
        assert (done.rows, done.kept) == (242_201, 241_670)
        assert done.duplicates["en_passant"] == 531
        seen, kept = set(), []
        for line in uho:
            epd = chess.Board(line).epd(en_passant="legal")
            if epd not in seen:
                seen.add(epd)
                kept.append(line)
        assert (tmp_path / "out.epd").read_text().splitlines() == kept
        for by, distinct in {"board_side_rights": 241_623, "board": 241_623}.items():
            assert deduplicate(file, tmp_path / "out.epd", by=by).kept == distinct

    @pytest.mark.parametrize("keep", KEEPS.values())
    @pytest.mark.parametrize("name", ["out.parquet", "out.arrow", "out.csv"])
    def test_other_columns_and_order(self, keep: str | None, name: str, tmp_path: Path) -> None:
        table = pa.table(
            {"id": range(len(ROWS)), "fen": ROWS, "score": [i / 7 for i in range(len(ROWS))]}
        )
        pq.write_table(table, tmp_path / "rows.parquet", row_group_size=999)
        out = tmp_path / name
        deduplicate(tmp_path / "rows.parquet", out, keep=keep)
        read = {
            "out.parquet": pq.read_table,
            "out.arrow": lambda path: pa.ipc.open_file(path).read_all(),
            "out.csv": pv.read_csv,
        }[name]
        kept = pc.invert(fp.is_duplicate(COLUMN, keep=keep)).fill_null(True)
        expected = table.filter(kept)
        assert read(out)["id"].to_pylist() == expected["id"].to_pylist()
        assert read(out)["score"].to_pylist() == expected["score"].to_pylist()
        if name != "out.csv":
            assert read(out).equals(expected)

    def test_several_files_are_one(self, tmp_path: Path) -> None:
        parts = [tmp_path / f"{i}.parquet" for i in range(3)]
        for i, part in enumerate(parts):
            pq.write_table(pa.table({"fen": ROWS[i::3]}), part)
        whole = pa.array([row for i in range(3) for row in ROWS[i::3]])
        done = deduplicate(parts, tmp_path / "out.parquet", counts=True)
        kept = whole.filter(pc.invert(fp.is_duplicate(whole)).fill_null(True))
        out = pq.read_table(tmp_path / "out.parquet")
        assert out["fen"].combine_chunks().equals(kept)
        assert pc.sum(out["count"]).as_py() == done.rows == len(ROWS)

    def test_the_output_may_be_the_input(self, tmp_path: Path) -> None:
        file = tmp_path / "rows.parquet"
        pq.write_table(pa.table({"fen": [START, START]}), file)
        assert deduplicate(file, file).kept == 1
        assert pq.read_table(file)["fen"].to_pylist() == [START]
        assert os.listdir(tmp_path) == ["rows.parquet"]

    @pytest.mark.parametrize("codec", ["snappy", "zstd", "gzip", "lz4", "none"])
    def test_compression_is_that_of_the_input(self, codec: str, tmp_path: Path) -> None:
        pq.write_table(pa.table({"fen": [START]}), tmp_path / "rows.parquet", compression=codec)
        deduplicate(tmp_path / "rows.parquet", tmp_path / "out.parquet")
        files = [pq.read_metadata(tmp_path / name) for name in ("rows.parquet", "out.parquet")]
        one, two = (file.row_group(0).column(0).compression for file in files)
        assert one == two

    def test_lines_are_kept_as_they_are(self, tmp_path: Path) -> None:
        lines = [
            b'8/8/8/8/8/8/8/K1k5 w - - bm Kb1; id "a;b";',
            b"",
            b"  8/8/8/8/8/8/8/K1k5 b - -",
            b"8/8/8/8/8/8/8/K1k5 \xe4",
        ]
        (tmp_path / "rows.epd").write_bytes(b"\n".join([*lines, lines[0], lines[2][2:]]))
        deduplicate(tmp_path / "rows.epd", tmp_path / "out.epd")
        assert (tmp_path / "out.epd").read_bytes().split(b"\n")[:-1] == lines
        deduplicate(tmp_path / "rows.epd", tmp_path / "out.parquet")
        assert pq.read_table(tmp_path / "out.parquet").schema.field("fen").type == pa.string()

    @pytest.mark.parametrize("name", ["out.parquet", "out.arrow", "out.csv"])
    def test_views_and_dictionaries(self, name: str, tmp_path: Path) -> None:
        """Arrow files of Polars hold views, and dictionaries may change within a file."""
        other = AFTER_E4 + " - 0 1"
        for i, values in enumerate((["a", "b"], ["x", "b"])):
            columns = {
                "fen": pa.array([START, other]).cast(pa.string_view()),
                "site": pa.array(values).dictionary_encode(),
            }
            table = pa.table(columns)
            with pa.ipc.new_file(tmp_path / f"{i}.arrow", table.schema) as writer:
                writer.write_table(table)
        done = deduplicate(sorted(tmp_path.glob("*.arrow")), tmp_path / name)
        assert (done.rows, done.kept) == (4, 2)

    def test_a_category_becomes_lines(self, tmp_path: Path) -> None:
        fens = pa.array([START, START]).dictionary_encode()
        pq.write_table(pa.table({"fen": fens}), tmp_path / "rows.parquet")
        deduplicate(tmp_path / "rows.parquet", tmp_path / "out.fen")
        assert (tmp_path / "out.fen").read_text() == f"{START}\n"

    def test_a_line_end_in_a_text(self, tmp_path: Path) -> None:
        pq.write_table(
            pa.table({"fen": [START, "8/8/8/8/8/8/8/K1k5 w\n- - 0 1"]}), tmp_path / "a.pq"
        )
        with pytest.raises(ValueError, match=r"w\\n- - 0 1' has a line end and cannot be a line"):
            deduplicate(tmp_path / "a.pq", tmp_path / "out.fen")
        assert os.listdir(tmp_path) == ["a.pq"]

    @pytest.mark.parametrize("odd", [fp.parse([START]), pa.array([b"\xff"]), pa.array([[1]])])
    def test_what_a_table_cannot_hold(self, odd: pa.Array, tmp_path: Path) -> None:
        pq.write_table(pa.table({"fen": [START], "odd": odd}), tmp_path / "rows.parquet")
        with pytest.raises(ValueError, match=r"cannot hold fen \(string\), odd"):
            deduplicate(tmp_path / "rows.parquet", tmp_path / "out.csv")

    def test_a_name_as_long_as_can_be(self, tmp_path: Path) -> None:
        (tmp_path / "rows.fen").write_text(START)
        out = tmp_path / f"{'n' * 250}.fen"
        deduplicate(tmp_path / "rows.fen", out)
        assert out.read_text() == f"{START}\n"

    def test_a_pipe_is_no_output(self, tmp_path: Path) -> None:
        (tmp_path / "rows.fen").write_text(START)
        os.mkfifo(tmp_path / "out.fen")
        with pytest.raises(OSError, match="not a regular file"):
            deduplicate(tmp_path / "rows.fen", tmp_path / "out.fen")

    def test_a_folder_with_links_and_pipes(self, tmp_path: Path) -> None:
        folder, elsewhere = tmp_path / "folder", tmp_path / "elsewhere"
        for place in (folder, elsewhere):
            place.mkdir()
        (folder / "a.fen").write_text(START)
        (elsewhere / "b.fen").write_text(f"{AFTER_E4} - 0 1")
        (folder / "link").symlink_to(elsewhere)
        (elsewhere / "loop").symlink_to(folder)
        os.mkfifo(folder / "pipe.fen")
        assert deduplicate(folder, tmp_path / "out.fen").kept == 2

    def test_empty(self, tmp_path: Path) -> None:
        (tmp_path / "rows.fen").write_text("")
        done = deduplicate(tmp_path / "rows.fen", tmp_path / "out.parquet")
        assert (done.rows, done.kept) == (0, 0)
        assert pq.read_table(tmp_path / "out.parquet").num_rows == 0

    def test_spilled(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Less memory gives the same bytes, and leaves nothing."""
        table = pa.table({"fen": SAMPLE * 10})
        pq.write_table(table, tmp_path / "rows.parquet")
        outs = []
        for room in (1 << 20, 1 << 28):
            monkeypatch.setattr("fenpack.io.deduplicating._OVERHEAD", (1 << 30) - room)
            outs.append(tmp_path / f"{room}.parquet")
            done = deduplicate(
                tmp_path / "rows.parquet", outs[-1], memory_limit="1GiB", counts=True
            )
            assert (done.spilled_bytes > 0) is (room == 1 << 20)
        assert outs[0].read_bytes() == outs[1].read_bytes()
        assert len(os.listdir(tmp_path)) == 3


class TestRefusals:
    @pytest.fixture
    def file(self, tmp_path: Path) -> Path:
        path = tmp_path / "rows.parquet"
        pq.write_table(pa.table({"fen": ROWS, "count": range(len(ROWS))}), path)
        return path

    def test_arguments(self, file: Path, tmp_path: Path) -> None:
        out = tmp_path / "out.parquet"
        for wrong, message in {
            "by": "by must be one of",
            "keep": "keep must be one of",
            "unreadable": "unreadable must be one of",
            "memory_limit": "memory_limit must be a number of bytes",
        }.items():
            with pytest.raises(ValueError, match=message):
                deduplicate(file, out, **{wrong: "much"})
        for size in ("1MiB", "99999999999TiB", 1 << 70):
            with pytest.raises(ValueError, match=f"at least 1GiB and at most .*, got {size!r}"):
                deduplicate(file, out, memory_limit=size)
        with pytest.raises(FileNotFoundError) as raised:
            deduplicate(file, out, spill_directory=tmp_path / "missing")
        assert raised.value.filename == str(tmp_path / "missing")
        with pytest.raises(NotADirectoryError):
            deduplicate(file, out, spill_directory=file)
        with pytest.raises(ValueError, match="a column count already"):
            deduplicate(file, out, counts=True)
        with pytest.raises(ValueError, match=r"cannot hold fen \(string\), count \(int64\)"):
            deduplicate(file, tmp_path / "out.fen")
        with pytest.raises(InputError, match="no column 'moves'"):
            deduplicate(file, out, column="moves")
        with pytest.raises(
            InputError, match=f"{file}: row {ROWS.index(None)} cannot be read: None"
        ):
            deduplicate(file, out, unreadable="error")
        with pytest.raises(FileNotFoundError):
            deduplicate(file, tmp_path / "missing" / "out.parquet")
        assert os.listdir(tmp_path) == ["rows.parquet"]

    @pytest.mark.parametrize(
        ("text", "size"),
        [
            ("2GiB", 2 << 30),
            ("5000 MB", 5_000_000_000),
            ("1.5g", 1_500_000_000),
            (1 << 31, 1 << 31),
        ],
    )
    def test_memory(self, text: int | str, size: int) -> None:
        assert memory_size(text) == size


class TestCommand:
    def test_report(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        file = tmp_path / "rows.fen"
        file.write_text(f"{AFTER_E4} e3 0 1\n{AFTER_E4} - 0 1\n")
        assert main(["dedup", str(file), "-o", str(tmp_path / "out.fen")]) == 0
        shown = capsys.readouterr().out
        assert shown == "2 rows in, 1 rows out, 1 duplicates\n  1  another en passant square\n"
        assert main(["dedup", str(file), "-o", str(tmp_path / "out.fen"), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["duplicates"]["en_passant"] == 1

    def test_exit_codes(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        file, out = tmp_path / "rows.fen", str(tmp_path / "out.fen")
        file.write_text("x\n")
        assert main(["dedup", str(file), "-o", out]) == 1
        assert "1 rows cannot be read" in capsys.readouterr().out
        assert main(["dedup", str(file), "-o", out, "--unreadable", "error"]) == 3
        assert main(["dedup", str(tmp_path / "missing.fen"), "-o", out]) == 3
        assert main(["dedup", str(file), "-o", str(tmp_path / "out.xyz")]) == 2
        with pytest.raises(SystemExit) as exit_:
            main(["dedup", str(file), "-o", out, "--memory", "little"])
        assert exit_.value.code == 2
        assert "it must be a number of bytes" in capsys.readouterr().err

    def test_standard_input(self, tmp_path: Path) -> None:
        command = [sys.executable, "-m", "fenpack", "dedup", "-", "-o", str(tmp_path / "out.fen")]
        text = f"{AFTER_E4} e3 0 1\n{AFTER_E4} - 0 1\n{START}\n"
        subprocess.run(command, input=text.encode(), check=True)
        assert (tmp_path / "out.fen").read_text() == f"{AFTER_E4} e3 0 1\n{START}\n"

    def test_no_room_for_what_is_spilled(self, tmp_path: Path) -> None:
        """A file-size limit stands in for a disk that is full."""
        pq.write_table(pa.table({"fen": SAMPLE * 140}), tmp_path / "rows.parquet")
        command = [sys.executable, "-m", "fenpack", "dedup", "rows.parquet", "-o", "out.parquet"]
        done = subprocess.run(
            [*command, "--memory", "1GiB"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20)),
        )
        assert done.returncode == 2
        assert done.stderr == f"fenpack: [Errno 27] File too large: '{tmp_path}'\n"
        assert os.listdir(tmp_path) == ["rows.parquet"]

    @pytest.mark.slow
    @pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
    def test_killed(self, number: signal.Signals, tmp_path: Path) -> None:
        """Whenever it dies, the output is absent or whole."""
        table = pa.table({"fen": SAMPLE * 100})
        pq.write_table(table, tmp_path / "rows.parquet")
        out = tmp_path / "out.parquet"
        command = [sys.executable, "-m", "fenpack", "dedup", "rows.parquet", "-o", "out.parquet"]
        started = time.monotonic()
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
        whole = time.monotonic() - started
        expected = out.read_bytes()
        out.unlink()
        unfinished = 0
        for share in (0.2, 0.4, 0.6, 0.8, 0.95):
            with subprocess.Popen(
                command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            ) as running:
                time.sleep(whole * share)
                running.send_signal(number)
            if out.exists():
                assert out.read_bytes() == expected
                out.unlink()
            else:
                unfinished += 1
        assert unfinished >= 2
