"""The page about the command line has the options of the command line."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[1] / "docs" / "write_options.py"
_spec = importlib.util.spec_from_file_location("write_options", SCRIPT)
assert _spec is not None
assert _spec.loader is not None
write_options = importlib.util.module_from_spec(_spec)
sys.modules["write_options"] = write_options
_spec.loader.exec_module(write_options)


def test_options() -> None:
    _, mark, written = write_options.PAGE.read_text("utf-8").partition(write_options.MARK)
    assert mark
    assert written == f"\n{write_options.described()}"


def test_every_command_is_in_the_table() -> None:
    head, _, _ = write_options.PAGE.read_text("utf-8").partition(write_options.MARK)
    for name in write_options.commands():
        assert f"\n| [{name}](#{name}) | " in head


def test_every_option_is_described() -> None:
    for parser in write_options.commands().values():
        assert all(action.help for action in parser._actions)
