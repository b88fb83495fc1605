"""What the README shows is what happens."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import fenpack as fp
from benches.table import quoted

if TYPE_CHECKING:
    import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```\n", README, re.DOTALL)


def shown_after(language: str) -> tuple[str, str]:
    """Give the only block of `language` that a block of output follows, and that output."""
    [found] = [
        (block, output)
        for (kind, block), (after, output) in pairwise(BLOCKS)
        if kind == language and after == "text"
    ]
    return found


def test_python_example(capsys: pytest.CaptureFixture[str]) -> None:
    block, output = shown_after("python")
    exec(compile(block, "README.md", "exec"), {})
    assert capsys.readouterr().out == output


def test_first_command() -> None:
    block, output = shown_after("sh")
    command = shlex.split(block.split("&&")[-1])
    assert command[0] == ".venv/bin/fenpack"
    done = subprocess.run(
        [sys.executable, "-m", "fenpack", *command[1:]],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == output


def test_every_public_name_is_documented() -> None:
    for name in fp.__all__:
        assert getattr(fp, name).__doc__ or name == "__version__"


def test_every_file_that_is_named_is_there() -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", README):
        assert (ROOT / target).exists()


def test_speeds_are_those_that_were_measured() -> None:
    page = (ROOT / "docs" / "benchmarks.md").read_text("utf-8")
    assert quoted(README) == quoted(page)
