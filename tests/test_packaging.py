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
EXTRAS = PROJECT["optional-dependencies"]
PAGE = (ROOT / "docs" / "installing.md").read_text("utf-8")
LOCK = tomllib.loads((ROOT / "Cargo.lock").read_text("utf-8"))["package"]


def test_notices_are_of_the_crates_that_are_locked() -> None:
    """`.ci/third_party.py --check` compares the texts too."""
    locked = {(package["name"], package["version"]) for package in LOCK}
    text = (ROOT / "rust" / "THIRD-PARTY.txt").read_text("utf-8")
    listed = set(re.findall(r"^- (\S+) (\S+) \(", text, re.MULTILINE))
    assert {"arrow-array", "numpy", "pyo3", "xxhash-rust"} <= {name for name, _ in listed}
    assert listed <= locked
    assert "rust/THIRD-PARTY.txt" in PROJECT["license-files"]


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


def test_the_page_tells_the_lowest_versions() -> None:
    row = r"^\| `fenpack\[(\w+)\]` .*\| \w+ ([\d.]+)[^|]*\|$"
    told = dict(re.findall(row, PAGE, re.MULTILINE))
    assert set(told) == {"polars", "duckdb", "spark", "ray", "torch"}
    for extra, version in told.items():
        [asked] = EXTRAS[extra]
        assert re.split("[>=]=", asked)[1].removesuffix(".*") == version


def test_lowest_versions_are_the_ones_that_were_tested() -> None:
    [row] = re.findall(r"^\| 3\.11\.\d+ \| ([^|]+) \|", PAGE, re.MULTILINE)
    tested = dict(pin.split(" ") for pin in row.split(", "))
    for asked in PROJECT["dependencies"]:
        name, version = asked.split(">=")
        assert tested[name] in (version, f"{version}.0", f"{version}.0.0")


def test_the_page_leads_somewhere() -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)", PAGE):
        assert (ROOT / "docs" / target).exists()
    headings = re.findall(r"^## (.+)$", PAGE, re.MULTILINE)
    anchors = {heading.lower().replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\]\(#([^)]+)\)", PAGE)) <= anchors
