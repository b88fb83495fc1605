"""`fenpack decode`: files of scores to files of positions, whatever their length."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import fenpack as fp
from fenpack.__main__ import main
from fenpack.recognition import (
    PRESETS,
    Decoded,
    class_order,
    decode,
    evaluate,
    square_order,
)
from recognizers import boards_of, look_alike
from test_memory import PEAK, printed

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def scores(sample: list[str]) -> np.ndarray:
    """Give the scores of 20,000 boards as chess_cv would."""
    order = class_order(PRESETS["chess_cv"].classes)
    noisy = look_alike(boards_of(sample[:20_000]), 1.6, seed=7)
    return np.ascontiguousarray(noisy[:, square_order("a8")][..., order])


def as_column(scores: np.ndarray) -> pa.FixedSizeListArray:
    return pa.FixedSizeListArray.from_arrays(pa.array(scores.reshape(-1)), 832)


def write(path: Path, scores: np.ndarray) -> None:
    if path.suffix == ".npy":
        np.save(path, scores)
    else:
        pq.write_table(pa.table({"id": range(len(scores)), "scores": as_column(scores)}), path)


@pytest.mark.parametrize("name", ["scores.npy", "scores.parquet"])
def test_out(
    name: str, scores: np.ndarray, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = tmp_path / name, tmp_path / "out.parquet"
    write(file, scores)
    arguments = ["decode", str(file), "--preset", "chess_cv", "-o", str(out), "--margins"]
    assert main([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["rows"], found["decoded"]) == (20_000, 20_000)
    assert 5_000 < found["changed"] < 15_000
    assert found["statuses"] == {"fine": 20_000}
    expected = decode(scores, classes="chess_cv", margins=True).to_table()
    table = pq.read_table(out)
    assert table.drop_columns("fen").equals(expected)
    assert table.schema.field("positions").type == fp.PositionType()
    known = table["turn"].is_valid().to_pylist()
    assert [len(fen.split()) for fen in table["fen"].to_pylist()] == [6 if k else 1 for k in known]
    again = Decoded.of_table(table)
    assert again.to_table().equals(expected)
    assert evaluate(again, again.positions).exact.hits == 20_000
    with pytest.raises(ValueError, match="table has no column status, flags"):
        Decoded.of_table(table.drop_columns(["status", "flags"]))
    assert main(arguments) == 0
    assert "20,000 rows, 20,000 decoded, " in capsys.readouterr().out


def test_text_out(scores: np.ndarray, tmp_path: Path) -> None:
    file, out = tmp_path / "scores.npy", tmp_path / "out.fen"
    write(file, scores[:100])
    options = ["--preset", "chess_cv", "--turn", "w", "--castling", "home", "-o", str(out)]
    assert main(["decode", str(file), *options]) == 0
    decoded = decode(scores[:100], classes="chess_cv", turn="w", castling="home")
    assert out.read_text().splitlines() == decoded.fens().to_pylist()


def test_shapes_of_an_array_are_kept(scores: np.ndarray, tmp_path: Path) -> None:
    expected = decode(scores[:50], classes="chess_cv").positions
    planes = scores[:50].reshape(50, 8, 8, 13).transpose(0, 3, 1, 2)
    for i, array in enumerate((planes, scores[:50].astype(np.float16), scores[0])):
        file, out = tmp_path / f"{i}.npy", tmp_path / f"{i}.parquet"
        np.save(file, np.ascontiguousarray(array))
        assert main(["decode", str(file), "--preset", "chess_cv", "-o", str(out)]) == 0
        positions = pq.read_table(out)["positions"].combine_chunks()
        if array.dtype == np.float32:
            assert positions.equals(expected[: len(positions)])


def test_rows_without_a_position(scores: np.ndarray, tmp_path: Path, capsys) -> None:
    file, out = tmp_path / "scores.parquet", tmp_path / "out.parquet"
    rows = scores[:3].reshape(3, 832).tolist()
    rows[0], rows[2][7] = None, float("nan")
    column = pa.array(rows, pa.list_(pa.float32(), 832))
    pq.write_table(pa.table({"logits": column}), file)
    assert main(["decode", str(file), "--preset", "chess_cv", "-o", str(out)]) == 1
    shown = capsys.readouterr().out
    assert "3 rows, 1 decoded" in shown
    assert "1  not_finite" in shown
    assert pq.read_table(out)["fen"].is_valid().to_pylist() == [False, True, False]
    pq.write_table(pa.table({"logits": column[:0]}), file)
    assert main(["decode", str(file), "--preset", "chess_cv", "-o", str(out)]) == 0
    assert pq.read_table(out).num_rows == 0


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["scores.npy"], 2, "classes is needed"),
        (["scores.npy", "--classes", ".PNBRQKpnbrqk"], 2, "kind is needed"),
        (["scores.npy", "--classes", "P", "--preset", "chess_cv"], 2, "goes with no --classes"),
        (["scores.npy", "--preset", "chess_cv", "--orientation", "45"], 2, "orientation must be"),
        (["scores.npy", "--preset", "chess_cv", "--temperature", "0"], 2, "temperature must be"),
        (["scores.npy", "--preset", "chess_cv", "--column", "x"], 3, "an array has no columns"),
        (["none.npy", "--preset", "chess_cv"], 3, "no such file"),
        (["text.npy", "--preset", "chess_cv"], 3, "no array of numpy"),
        (["short.npy", "--preset", "chess_cv"], 3, "shorter than its array"),
        (["fortran.npy", "--preset", "chess_cv"], 3, "in C order"),
        (["scores.csv", "--preset", "chess_cv"], 3, "unknown kind of file"),
        (["two.parquet", "--preset", "chess_cv"], 3, "no column 'scores', only a, b"),
    ],
)
def test_what_is_refused(
    arguments: list[str], code: int, message: str, scores: np.ndarray, tmp_path: Path, capsys
) -> None:
    np.save(tmp_path / "scores.npy", scores[:2])
    np.save(tmp_path / "fortran.npy", np.asfortranarray(scores[:2]))
    whole = (tmp_path / "scores.npy").read_bytes()
    (tmp_path / "short.npy").write_bytes(whole[:-1])
    (tmp_path / "text.npy").write_text("no array")
    (tmp_path / "scores.csv").write_text("1,2")
    pq.write_table(pa.table({"a": [1], "b": [2]}), tmp_path / "two.parquet")
    out = tmp_path / "out.parquet"
    name, *options = arguments
    assert main(["decode", str(tmp_path / name), *options, "-o", str(out)]) == code
    assert message in capsys.readouterr().err
    assert not out.exists()


def header(shape: str, descr: str = "'<f4'", version: int = 1) -> bytes:
    """Spell the beginning of a .npy file."""
    text = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}}}\n".encode()
    size = len(text).to_bytes(2 if version == 1 else 4, "little")
    return b"\x93NUMPY" + bytes([version, 0]) + size + text


@pytest.mark.parametrize(
    ("shape", "descr", "message"),
    [
        ("(2, 4611686018427387904, 2)", "'<f4'", "not that of boards"),
        ("(0, 4611686018427387904, 2)", "'<f4'", "not that of boards"),
        ("(4611686018427387904, 64, 13)", "'<f4'", "shorter than its array"),
        ("(-1, 64, 13)", "'<f4'", "not that of boards"),
        ("(1, -64, -13)", "'<f4'", "not that of boards"),
        ("(1000000000000, 0)", "'<f4'", "not that of boards"),
        ("(1, 64, 13)", "'|S0'", "must be of numbers"),
        ("(1, 64, 13)", "'|V4'", "must be of numbers"),
        ("(1, 64, 13)", "[('a', '<f4')]", "must be of numbers"),
        ("(1, 64, 13)", "'|O'", "must be of numbers"),
        ("(1, 64, 13)", "()", "no array of numpy"),
        ("(1, 64, 13)", "'<nothing'", "no array of numpy"),
        ("[1, 64, 13]", "'<f4'", "no array of numpy"),
        ("((((", "'<f4'", "no array of numpy"),
    ],
)
def test_headers_that_lie(shape: str, descr: str, message: str, tmp_path: Path, capsys) -> None:
    file, out = tmp_path / "scores.npy", tmp_path / "out.parquet"
    file.write_bytes(header(shape, descr) + bytes(4 * 64 * 13))
    assert main(["decode", str(file), "--preset", "chess_cv", "-o", str(out)]) == 3
    assert message in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize("version", [1, 2, 3])
def test_versions_of_headers(version: int, scores: np.ndarray, tmp_path: Path) -> None:
    file, out = tmp_path / "scores.npy", tmp_path / "out.parquet"
    part = np.ascontiguousarray(scores[:2], "<f4")
    file.write_bytes(header(str(part.shape), version=version) + part.tobytes())
    assert np.load(file).shape == part.shape
    assert main(["decode", str(file), "--preset", "chess_cv", "-o", str(out)]) == 0


def test_an_output_of_another_kind_is_refused(scores: np.ndarray, tmp_path: Path, capsys) -> None:
    np.save(tmp_path / "scores.npy", scores[:2])
    options = ["--preset", "chess_cv", "-o", str(tmp_path / "out.csv.xyz")]
    assert main(["decode", str(tmp_path / "scores.npy"), *options]) == 2
    assert "decode writes .parquet" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".npy", ".parquet"])
def test_f5_54_a_file_is_streamed(suffix: str, scores: np.ndarray, tmp_path: Path) -> None:
    """A file ten times as long has the same peak within a few batches."""
    script = f"""
import resource, sys
from fenpack.__main__ import main
main(sys.argv[1:])
print({PEAK})
"""
    peaks = []
    for times in (1, 10):
        file = tmp_path / f"{times}{suffix}"
        if suffix == ".npy":
            # Written, not mapped: the peak of a process counts from that of its parent.
            header = {"descr": "<f4", "fortran_order": False}
            with file.open("wb") as stream:
                shape = (times * len(scores), 64, 13)
                np.lib.format.write_array_header_1_0(stream, header | {"shape": shape})
                for _ in range(times):
                    stream.write(scores.data)
        else:
            batch = pa.record_batch({"scores": as_column(scores.astype(np.float16))})
            with pq.ParquetWriter(file, batch.schema, compression="zstd") as writer:
                for _ in range(times):
                    writer.write_batch(batch)
        options = ["--preset", "chess_cv", "--margins", "-o", tmp_path / "out.parquet"]
        peaks += printed(script, "decode", file, *options)
    assert peaks[1] < peaks[0] + 150 * 1024


def test_the_command_runs_by_its_name(scores: np.ndarray, tmp_path: Path) -> None:
    np.save(tmp_path / "scores.npy", scores[:5])
    command = [sys.executable, "-m", "fenpack", "decode", "scores.npy", "--preset", "chess_cv"]
    done = subprocess.run(
        [*command, "-o", "out.arrow"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("5 rows, 5 decoded")
    assert pa.ipc.open_file(tmp_path / "out.arrow").read_all().num_rows == 5
