"""The Markdown pages: their blocks of code, and how these are run.

Blocks of ``python`` and ``sh`` are run one after the other, in one process for each page, in a
folder that has ``tests/data``; ``c`` and ``rust`` are compiled and run. Each prints what the block
of ``text`` after it shows, or nothing. What is fenced as ``{directive}`` is for Sphinx.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]

#: Steps that build, install or test: `.ci/run` runs them, or test_pages.py says why not.
ELSEWHERE = re.compile(
    r"python3 -m venv |\.venv/bin/(?!fenpack )|pip install |maturin |cargo |pytest |\.ci/run"
)
#: Packages that fenpack does not need, and which of them take so long that tests/engines runs their
#: pages.
OPTIONAL = (
    "chess",
    "datafusion",
    "datasets",
    "duckdb",
    "pandas",
    "polars",
    "pyspark",
    "ray",
    "torch",
)
SLOW = {"datasets", "pyspark", "ray"}
COMPILERS = {"c": ["cc", "-Wall", "-Werror"], "rust": ["rustc", "-Dwarnings"]}

_BLOCK = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_END = "\x1e"
_RUN = f"""
import json, os, subprocess, sys
page, blocks = json.loads(sys.argv[1])
names = {{"__name__": "__main__"}}
for line, language, code in blocks:
    if language == "python":
        exec(compile("\\n" * line + code, page, "exec"), names)
    elif subprocess.run(["bash", "-c", code]).returncode not in (0, 1):
        sys.exit(f"{{page}}, line {{line}}: failed")
    print({_END!r}, flush=True)
"""


@dataclass(frozen=True)
class Block:
    """A block of code with the output that the page shows after it."""

    line: int
    language: str
    code: str
    output: str


def fenced(page: Path) -> list[tuple[int, str, str]]:
    """Give line, language and text of everything that is fenced."""
    text = page.read_text("utf-8")
    return [
        (text.count("\n", 0, found.start()) + 1, found[1], found[2])
        for found in _BLOCK.finditer(text)
    ]


def blocks(page: Path) -> list[Block]:
    """Give the blocks of a page that are run."""
    found: list[Block] = []
    shown = True
    for line, language, text in fenced(page):
        where = f"{name(page)}, line {line}"
        if language == "text":
            assert not shown, f"{where}: a block of text without what prints it"
            found[-1] = replace(found[-1], output=text)
        elif not language.startswith("{"):
            assert language in ("python", "sh", *COMPILERS), f"{where}: {language!r} is not run"
            found.append(Block(line, language, text, ""))
        shown = language not in ("python", "sh", *COMPILERS)
    return found


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def packages(code: str) -> set[str]:
    """Give the packages of extras that Python code imports."""
    code = code.replace("fenpack.spark", "pyspark").replace("fenpack.", "")
    return {name for name in OPTIONAL if re.search(rf"^\s*(import|from) {name}\b", code, re.M)}


def is_slow(page: Path) -> bool:
    code = "".join(text for _, language, text in fenced(page) if language == "python")
    return bool(packages(code) & SLOW)


def run(page: Path, folder: Path) -> None:
    """Run a page in `folder`, skip what cannot be run here."""
    if os.name == "nt":
        pytest.skip("the pages are written for a POSIX shell")
    (folder / "tests").mkdir()
    (folder / "tests" / "data").symlink_to(ROOT / "tests" / "data")
    programs = folder / ".venv" / "bin"
    programs.mkdir(parents=True)
    for program, module in (("python", ""), ("fenpack", "-m fenpack ")):
        (programs / program).write_text(f'#!/bin/sh\nexec "{sys.executable}" {module}"$@"\n')
        (programs / program).chmod(0o755)

    missing, todo, outputs = set(), [], []
    for block in blocks(page):
        needed = packages(block.code)
        lacking = {package for package in needed if find_spec(package) is None}
        if "pyspark" in needed and not (shutil.which("java") or "JAVA_HOME" in os.environ):
            lacking.add("java")
        if block.language != "python" and not shutil.which("bash"):
            lacking.add("bash")
        code = block.code
        if compiler := COMPILERS.get(block.language):
            if not shutil.which(compiler[0]):
                lacking.add(compiler[0])
            code = _compiled(block, compiler, folder)
        if block.language == "sh":
            code = _run_here(code)
        missing |= lacking
        if code and not lacking:
            todo.append((block.line, block.language, code))
            outputs.append(block.output)

    done = subprocess.run(
        [sys.executable, "-c", _RUN, json.dumps((name(page), todo))],
        env=os.environ
        | {
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "PYSPARK_PYTHON": sys.executable,
        },
        capture_output=True,
        text=True,
        timeout=900,
        cwd=folder,
    )
    printed = done.stdout.split(f"{_END}\n")
    for (line, _, _), wanted, given in zip(todo, outputs, printed, strict=False):
        where = f"{name(page)}, line {line}"
        assert given == wanted, f"{where} gives\n{given}\n{done.stderr[-3000:]}"
    assert done.returncode == 0, done.stderr[-3000:]
    assert len(printed) == len(todo) + 1
    if missing:
        pytest.skip(f"all but the blocks that need {', '.join(sorted(missing))} were run")


def _compiled(block: Block, compiler: list[str], folder: Path) -> str:
    """Write a program, and give the commands that compile and run it."""
    source = folder / f"line_{block.line}.{'rs' if block.language == 'rust' else 'c'}"
    source.write_text(block.code)
    return f"{' '.join(compiler)} {source.name} -o {source.stem} && ./{source.stem}"


def steps(code: str) -> list[str]:
    """Take commands apart."""
    return [step for line in code.splitlines() for step in line.split(" && ")]


def _run_here(code: str) -> str:
    """Give commands without the steps that are run elsewhere."""
    return "\n".join(step for step in steps(code) if not ELSEWHERE.match(step))
