"""Every example in a docstring gives what it shows."""

from __future__ import annotations

import doctest
import importlib

import pytest

import fenpack as fp


@pytest.mark.parametrize("module", ["audit", "columns", "drawing", "position", "problems"])
def test_examples(module: str) -> None:
    results = doctest.testmod(importlib.import_module(f"fenpack.{module}"))
    assert results.attempted
    assert not results.failed


@pytest.mark.parametrize(
    "name", [name for name in fp.__all__ if getattr(fp, name).__class__.__name__ == "function"]
)
def test_every_public_function_has_one(name: str) -> None:
    sections = ("Parameters\n", "Returns\n", ">>> ")
    assert all(section in getattr(fp, name).__doc__ for section in sections)
