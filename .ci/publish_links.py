"""Make the README's links to files absolute, and say where the project is, before a release.

    python .ci/publish_links.py https://host/owner/repository v0.1.0

A package index shows the README without the files beside it, and this repository does not know
where it is kept. Changes README.md and pyproject.toml in place, for the build that follows.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def absolute(readme: str, files: str) -> str:
    """Put `files` before the links of `readme` that lead to no other host."""
    return re.sub(r"(\]\()(?![a-z]+:|#)", rf"\g<1>{files}/", readme)


def with_urls(pyproject: str, repository: str, files: str) -> str:
    """Add the addresses of the project to `pyproject`."""
    urls = f"""\
[project.urls]
Repository = "{repository}"
Documentation = "{files}/docs"
Changelog = "{files}/CHANGELOG.md"

"""
    return pyproject.replace("[project.scripts]\n", f"{urls}[project.scripts]\n")


def main(repository: str, ref: str) -> None:
    """Change both files."""
    files = f"{repository}/blob/{ref}"
    for name, change in (
        ("README.md", lambda text: absolute(text, files)),
        ("pyproject.toml", lambda text: with_urls(text, repository, files)),
    ):
        path = ROOT / name
        path.write_text(change(path.read_text("utf-8")), "utf-8", newline="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
