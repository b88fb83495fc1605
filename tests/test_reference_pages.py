"""The pages of reference say what the code says."""

from __future__ import annotations

import importlib.util
import re
import sys

import pytest

import fenpack as fp
import fenpack.io
from fenpack import Problem
from pages import DOCS, ROOT

_spec = importlib.util.spec_from_file_location("write_options", DOCS / "write_options.py")
assert _spec is not None
assert _spec.loader is not None
write_options = importlib.util.module_from_spec(_spec)
sys.modules["write_options"] = write_options
_spec.loader.exec_module(write_options)


def read(page: str) -> str:
    return (DOCS / page).read_text("utf-8")


def test_command_line() -> None:
    head, mark, written = read("command-line.md").partition(write_options.MARK)
    assert mark
    assert written == f"\n{write_options.described()}"
    for name, parser in write_options.commands().items():
        assert f"\n| [{name}](#{name}) | " in head
        assert all(action.help for action in parser._actions)


def test_packed_position() -> None:
    rows = re.findall(
        r"^\| (\d+) \| (\S+?)(?:, \S+)* \| `(\w+)` \|", read("packed.md"), re.MULTILINE
    )
    kinds = {"u1": "u8", "u2": "u16", "u8": "u64"}
    assert rows == [
        (str(offset), kinds[kind.base.str[1:]], name)
        for name, (kind, offset, *_) in fp.position_dtype.fields.items()
    ]


def test_environment_variables() -> None:
    listed = re.findall(r"^\| `(\w+)` \|", read("settings.md"), re.MULTILINE)
    sources = [*ROOT.glob("rust/*/src/**/*.rs"), *ROOT.glob("python/**/*.py")]
    if not (ROOT / "rust").exists():
        pytest.skip("the sources are not here")
    read_by_code = {
        found
        for source in sources
        for found in re.findall(r"environ\w*\W+\"(FENPACK_\w+)\"", source.read_text("utf-8"))
    }
    assert read_by_code == set(listed)


def test_errors() -> None:
    public = [(fp, name) for name in fp.__all__] + [
        (fenpack.io, name) for name in fenpack.io.__all__
    ]
    raised = [
        name if module is fp else f"fenpack.io.{name}"
        for module, name in public
        if isinstance(getattr(module, name), type) and issubclass(getattr(module, name), Exception)
    ]
    assert all(f"\n| `{name}` | `" in read("errors.md") for name in raised)
    assert len(raised) == 3


def test_python_chess() -> None:
    oracle = pytest.importorskip("oracle")
    page = read("python-chess.md")
    with open(oracle.__file__, encoding="utf-8") as source:
        differences = re.findall(r'found\.add\("([^"]+)"\)', source.read())
    assert len(differences) == 3
    headings = [heading.lower() for heading in re.findall(r"^## (.+)$", page, re.MULTILINE)]
    assert all(any(name in heading for heading in headings) for name in differences)
    read_by_one = oracle.ONLY_FENPACK_READS | oracle.ONLY_PYTHON_CHESS_READS
    for problem in Problem:
        assert problem not in read_by_one or f"'{problem.name.lower()}'" in page
        assert not problem & oracle.COMPARED or f"`{problem.name}`" in page or problem.name in SAME


#: Codes that the page names by the name that they have in python-chess too.
SAME = ("OPPOSITE_CHECK", "TOO_MANY_CHECKERS", "IMPOSSIBLE_CHECK", "NO_WHITE_KING", "NO_BLACK_KING")
