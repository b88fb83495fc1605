"""What goes into the packages and what is said of it."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
_spec = importlib.util.spec_from_file_location("publish_links", ROOT / ".ci" / "publish_links.py")
assert _spec is not None
assert _spec.loader is not None
publish_links = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(publish_links)

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


def test_a_published_readme_leads_somewhere() -> None:
    """A package index has none of the files beside it."""
    readme = (ROOT / "README.md").read_text("utf-8")
    inside = re.findall(r"\]\((?!http)([^)]+)\)", readme)
    published = publish_links.absolute(readme, "https://host/fenpack/blob/v1")
    links = set(re.findall(r"\]\(([^)]+)\)", published))
    assert len(inside) > 10
    assert {f"https://host/fenpack/blob/v1/{target}" for target in inside} <= links
    assert all(link.startswith("https://") for link in links)


def test_a_published_package_says_where_it_is_kept() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    repository = "https://host/fenpack"
    project = tomllib.loads(publish_links.with_urls(text, repository, f"{repository}/blob/v1"))
    urls = project["project"].pop("urls")
    assert urls["Repository"] == repository
    assert (urls["Documentation"], urls["Changelog"]) == (
        "https://host/fenpack/blob/v1/docs",
        "https://host/fenpack/blob/v1/CHANGELOG.md",
    )
    assert project == tomllib.loads(text)
