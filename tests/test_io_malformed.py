"""What is malformed is reported with file, line and reason, and no row is left out."""

from __future__ import annotations

import json
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fenpack.io import InputError, InputWarning, scan
from files import TABLES, write
from texts import START

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DEEP = b"[" * 100_000 + b"]" * 100_000


def refused(file: Path, **options: object) -> str:
    with pytest.raises(InputError) as error:
        scan(file, **options).read_all()  # type: ignore[arg-type]
    said = str(error.value)
    assert said.startswith(f"{file}: ")
    return said.removeprefix(f"{file}: ")


@pytest.mark.parametrize("block", [1 << 21, 9])
@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.fen", b"a\nb\n\xff\n", "line 3: not UTF-8 (byte 0xff)"),
        ("a.epd", b"\xc3\n", "line 1: not UTF-8 (byte 0xc3)"),
        ("a.fen", b"\xff\xfea\0", "UTF-16; convert it to UTF-8"),
        ("a.csv", b"", "no header, the file is empty"),
        ("a.csv", b"\n\n", "no header, the file is empty"),
        ("a.csv", b"fen,id\na,1\n\nb\nc,3\n", "line 4: 1 field, the header has 2: 'b'"),
        ("a.csv", b"fen,id\na,1\nb,1,2\n", "line 3: 3 fields, the header has 2: 'b,1,2'"),
        ("a.csv", b'fen,id\n"a\n\nb",1\nc\n', "line 5: 1 field, the header has 2: 'c'"),
        ("a.csv", b'fen,id\na,1\nb,"2\nc,3\n', "line 3: a quote that is never closed"),
        ("a.csv", b'fen,id\n"a\nb",1\nc,"2', "line 4: a quote that is never closed"),
        ("a.csv", b"fen,id\na,1\nb,\xe9\n", "line 3: not UTF-8 (byte 0xe9)"),
        ("a.csv", b"fen,i\xe9d\n", "line 1: not UTF-8 (byte 0xe9)"),
        ("a.csv", b"a,b\n", "no column called fen, only a, b; name it by --column"),
        ("a.tsv", b"fen\tid\na,1\n", "line 2: 1 field, the header has 2: 'a,1'"),
        ("a.jsonl", b'{"fen":"a"}\n\n{"fen"\n', "line 3: Missing a colon"),
        ("a.jsonl", b'{"fen":"a"}\n{"fen":"b"\n', "line 2: Missing a comma or '}'"),
        ("a.jsonl", b'{"fen":"a"}\n{"fen":5}\n', "line 2: Column(/fen) changed from string"),
        ("a.jsonl", b'{"fen":"a"}\n{"fen":["b"]}\n', "line 2: Column(/fen) changed from string"),
        ("a.jsonl", b'{"fen":"a"}\n["b"]\n', "line 2: not an object but array"),
        ("a.jsonl", b'{"fen":"a"}\n"b"\n', "line 2: not an object but string"),
        ("a.jsonl", b'{"fen":"a"}\nnull\n', "line 2: not an object but null"),
        ("a.jsonl", b'null\n{"fen":"a"}\n', "line 1: not an object but null"),
        ("a.jsonl", b'{"fen":"a"} null\n', "line 1: not an object but null"),
        ("a.jsonl", b'{"fen":"a","fen":"b"}\n', "line 1: Column(/fen) was specified twice"),
        ("a.jsonl", b'{"fen":"\xff"}\n', "line 1: not UTF-8 (byte 0xff)"),
        ("a.jsonl", b'{"fen":"\\ud800"}\n', "line 1: The surrogate pair in string is invalid."),
        ("a.jsonl", b'{"fen":5}\n', "column fen holds int64, not text"),
        ("a.jsonl", b'{"a":"x","b":"y"}\n', "no column called fen, only a, b"),
        ("a.jsonl", b'{"fen":"a","x":%b}\n' % DEEP, "line 1: nested deeper than 512 levels"),
        ("a.pgn", b'[FEN "a"]\n\n*\n\n[FEN "b]\n', "line 5: a FEN tag that does not end"),
        ("a.pgn", b'[Event "x"]\n[FEN "a" b"]\n', "line 2: a FEN tag that does not end"),
        ("a.pgn", b'[Event "x"]\n[FEN]\n', "line 2: a FEN tag that does not end"),
        ("a.pgn", b'[FEN "\xff"]\n', "line 1: a FEN tag that is not UTF-8"),
    ],
)
def test_reason(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    block: int,
    name: str,
    data: bytes,
    said: str,
) -> None:
    monkeypatch.setattr("fenpack.io.text.BLOCK_BYTES", block)
    (tmp_path / name).write_bytes(data)
    assert refused(tmp_path / name).startswith(said)


@pytest.mark.parametrize("rows", [10, 200_000])
@pytest.mark.parametrize(
    ("name", "header", "good", "bad"),
    [
        ("a.csv", b"fen,id\n", b"a,1\n", b"b\n"),
        ("a.csv", b"fen,id\n", b'a,"1"\n', b'"b"\n'),
        ("a.jsonl", b"", b'{"fen":"a"}\n', b'{"fen":"b"\n'),
        ("a.jsonl", b"", b'{"fen":"a"}\n', b'{"fen":"b","new":1}\n'),
        ("a.fen", b"", b"a\n", b"\xff\n"),
        ("a.pgn", b"", b'[FEN "a"]\n\n*\n\n', b'[FEN "\n'),
    ],
)
def test_far_into_a_file(
    tmp_path: Path, name: str, header: bytes, good: bytes, bad: bytes, rows: int
) -> None:
    file = tmp_path / name
    if b"new" in bad:
        rows = 1_000_000
    file.write_bytes(header + good * rows + bad + good * 10)
    line = header.count(b"\n") + rows * good.count(b"\n") + 1
    said = refused(file)
    assert said.startswith(f"line {line}: ")
    if b"new" in bad:
        assert said.endswith(
            "the key 'new' is not in the lines at the start of the file, which set the columns"
        )
        assert scan(file, columns=[]).read_all().num_rows == rows + 11


def test_a_row_that_does_not_fit_its_column(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    lines = [{"fen": "a", "id": 1}] * 500_000 + [{"fen": "b", "id": 1.5}]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert refused(file).startswith("line 500001: Failed to convert JSON to int64")


def test_lines_and_quotes_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fenpack.io.text.LONGEST_LINE", 5_000_000)
    file = tmp_path / "a.fen"
    file.write_bytes(b"a\n" + b"x" * 9_000_000)
    assert refused(file) == "line 2 is longer than 5000000 bytes"
    monkeypatch.setattr("fenpack.io.tables._LONGEST_QUOTE", 5_000_000)
    file = tmp_path / "a.csv"
    file.write_bytes(b'fen,id\na,1\n"b' + b"x\n" * 9_000_000)
    assert refused(file) == "line 3: a quote of more than 5000000 bytes"


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("keep", [0, 4, 30, -8, -300])
def test_truncated(tmp_path: Path, kind: str, keep: int) -> None:
    file = write(tmp_path / f"rows{kind}", ["a"] * 1000)
    file.write_bytes(file.read_bytes()[:keep])
    if kind == ".arrows" and keep == -8:
        # A stream may end without its mark.
        with pytest.warns(InputWarning, match="has no end mark, so that rows may be missing"):
            assert scan(file).read_all().num_rows == 1000
    else:
        refused(file)


def test_columns_that_hold_no_text(tmp_path: Path) -> None:
    file = tmp_path / "a.parquet"
    pq.write_table(pa.table({"fen": [1]}), file)
    assert refused(file) == "column fen holds int64, not text"


def test_unreadable(tmp_path: Path) -> None:
    file = write(tmp_path / "a.fen", ["a"])
    file.chmod(0)
    try:
        file.open().close()
    except PermissionError:
        assert refused(file) == "Permission denied"
    else:
        pytest.skip("runs as a user that may read everything")


@contextmanager
def suppress_named(file: Path) -> Iterator[None]:
    """Let an error pass that names the file."""
    try:
        yield
    except InputError as error:
        if not str(error).startswith(f"{file}: "):
            raise


@settings(max_examples=300, deadline=None)
@given(
    kind=st.sampled_from(["csv", "tsv", "jsonl", "pgn", "epd"]),
    text=st.lists(
        st.sampled_from(
            [*'{}[]",:;\\\t\r\n 1a', '{"fen":', '"fen"', "null", "fen,id\n", '[FEN "', '"]', "\xff"]
        )
    ),
)
def test_anything_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, kind: str, text: list[str]
) -> None:
    file = tmp_path_factory.getbasetemp() / f"anything.{kind}"
    file.write_bytes("".join(text).encode("latin-1"))
    with suppress(InputWarning), suppress_named(file):
        scan(file).read_all()


@pytest.mark.parametrize("header", [START, f"7,{START}"])
def test_a_header_that_is_a_row(tmp_path, header):
    """Its position would be lost as the name of a column."""
    (tmp_path / "rows.csv").write_text(f"{header}\n{header}\n")
    with pytest.raises(InputError, match=r"rows\.csv: line 1 is no header but has a FEN"):
        scan(tmp_path / "rows.csv")
