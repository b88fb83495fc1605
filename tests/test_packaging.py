"""What goes into the packages and what is said of it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
LOCK = tomllib.loads((ROOT / "Cargo.lock").read_text("utf-8"))["package"]


def test_notices_are_of_the_crates_that_are_locked() -> None:
    """`.ci/third_party.py --check` compares the texts too."""
    locked = {(package["name"], package["version"]) for package in LOCK}
    text = (ROOT / "THIRD-PARTY.txt").read_text("utf-8")
    listed = set(re.findall(r"^- (\S+) (\S+) \(", text, re.MULTILINE))
    assert {"arrow-array", "numpy", "pyo3", "xxhash-rust"} <= {name for name, _ in listed}
    assert listed <= locked
    assert "THIRD-PARTY.txt" in PROJECT["license-files"]


def test_first_python_is_the_one_of_the_stable_abi() -> None:
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text("utf-8"))
    features = cargo["workspace"]["dependencies"]["pyo3"]["features"]
    [abi] = re.findall(r"abi3-py3(\d+)", " ".join(features))
    assert PROJECT["requires-python"] == f">=3.{abi}"
    assert f"Programming Language :: Python :: 3.{abi}" in PROJECT["classifiers"]
