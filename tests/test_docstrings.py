"""Every example in a docstring gives what it shows."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

import fenpack as fp

PACKAGE = Path(fp.__file__).parent
EXAMPLES = sorted(
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
    for path in PACKAGE.rglob("*.py")
    if ">>> " in path.read_text("utf-8")
)
#: Modules of extras, and what they need.
EXTRAS = {
    "spark": "pyspark",
    "ray": "ray",
    "torch": "torch",
    "polars": "polars",
    "duckdb": "duckdb",
}


@pytest.mark.parametrize("module", EXAMPLES)
def test_examples(module: str) -> None:
    if needed := EXTRAS.get(module.removeprefix("fenpack.")):
        pytest.importorskip(needed)
    results = doctest.testmod(importlib.import_module(module))
    assert results.attempted
    assert not results.failed


@pytest.mark.parametrize("engine", ["batch", "polars", "ray", "spark"])
def test_every_function_for_engines_is_documented(engine: str) -> None:
    if needed := EXTRAS.get(engine):
        pytest.importorskip(needed)
    module = importlib.import_module(f"fenpack.{engine}")
    for name in module.__all__:
        if getattr(module, name).__class__.__name__ == "function":
            assert "Parameters\n" in getattr(module, name).__doc__
            assert "Returns\n" in getattr(module, name).__doc__


@pytest.mark.parametrize(
    "name", [name for name in fp.__all__ if getattr(fp, name).__class__.__name__ == "function"]
)
def test_every_public_function_has_one(name: str) -> None:
    sections = ("Parameters\n", "Returns\n", ">>> ")
    assert all(section in getattr(fp, name).__doc__ for section in sections)


def test_page_about_files(monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(__file__).parents[1]
    monkeypatch.chdir(root)
    results = doctest.testfile(str(root / "docs" / "files.md"), module_relative=False)
    assert results.attempted
    assert not results.failed
