"""Write the notices of the crates that the wheels contain: rust/THIRD-PARTY.txt.

    python3 .ci/third_party.py [--check]

Licences ask for their text and copyright lines beside compiled code. With `--check` nothing is
written; the exit code tells whether the file is what would be.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
NOTICES = ROOT / "rust" / "THIRD-PARTY.txt"
TARGETS = [
    f"{machine}-{system}"
    for machine in ("aarch64", "x86_64")
    for system in ("apple-darwin", "pc-windows-msvc", "unknown-linux-gnu", "unknown-linux-musl")
]
HEAD = """\
The wheels of fenpack contain compiled code of the crates below and of the Rust standard library
(MIT OR Apache-2.0, copyright The Rust Project Contributors; tables of Unicode-3.0). What each of
them asks to be told follows; of several licences to choose from, MIT, or all where MIT is not among
them. This file is written by .ci/third_party.py.
"""
MIT = """\
Permission is hereby granted, free of charge, to any person obtaining a copy of this
software and associated documentation files (the "Software"), to deal in the Software
without restriction, including without limitation the rights to use, copy, modify, merge,
publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons
to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or
substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED,
INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR
PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE
FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER
DEALINGS IN THE SOFTWARE.
"""


def metadata_of(*options: str) -> dict:
    """Ask cargo for the crates of the workspace; it fetches those that are not there."""
    command = ["cargo", "metadata", "--locked", "--format-version=1", *options]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True)  # noqa: S603
    return json.loads(done.stdout)


def linked(target: str) -> dict[str, dict]:
    """Give the crates that end up in the extension module for `target`, by name and version."""
    metadata = metadata_of(f"--filter-platform={target}")
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    [root] = (id_ for id_, package in packages.items() if package["name"] == "fenpack-py")
    found, waiting = {}, [root]
    while waiting:
        package = packages[waiting.pop()]
        name = f"{package['name']} {package['version']}"
        runs_at_build = any("proc-macro" in target["kind"] for target in package["targets"])
        if name in found or runs_at_build:
            continue
        found[name] = package
        for dependency in nodes[package["id"]]["deps"]:
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                waiting.append(dependency["pkg"])
    return {name: package for name, package in found.items() if package["source"]}


def unicode() -> str:
    """Give the licence of Unicode's tables, of which the standard library has some."""
    [folder] = (
        Path(package["manifest_path"]).parent
        for package in metadata_of()["packages"]
        if package["name"] == "unicode-ident"
    )
    return (folder / "LICENSE-UNICODE").read_text("utf-8").strip("\n")


def notices(package: dict) -> list[str]:
    """Give the texts that `package` asks to be told."""
    files = sorted(Path(package["manifest_path"]).parent.iterdir())
    files = [file for file in files if re.match(r"(?i)licen|copying|notice", file.name)]
    mit = [file for file in files if re.search(r"(?i)mit", file.name)]
    if " AND " not in package["license"] and mit:
        files = [*mit, *(file for file in files if file.name.lower().startswith("notice"))]
    texts = [file.read_text("utf-8") for file in files]
    if not texts and "MIT" in package["license"]:
        holders = ", ".join(package["authors"]) or f"the authors of {package['name']}"
        texts = [f"Copyright (c) {holders}\n\n{MIT}"]
    if not texts:
        raise SystemExit(f"{package['name']} has no text of its licence, {package['license']}")
    return [text.replace("\r\n", "\n").strip("\n").replace("\t", "    ") for text in texts]


def written() -> str:
    """Give the whole file."""
    crates = {name: package for target in TARGETS for name, package in linked(target).items()}
    parts: dict[str, list[str]] = {}
    shown: dict[str, str] = {}
    for name, package in sorted(crates.items()):
        for text in notices(package):
            key = " ".join(text.split())
            shown.setdefault(key, text)
            parts.setdefault(key, []).append(name)
    standard = f"Copyright (c) The Rust Project Contributors\n\n{MIT}".strip()
    lines = [HEAD]
    lines += [f"- {name} ({package['license']})" for name, package in sorted(crates.items())]
    for names, text in [
        (["the Rust standard library"], standard),
        (["tables of the Rust standard library"], unicode()),
        *((parts[key], text) for key, text in shown.items()),
    ]:
        title = ", ".join(names)
        lines += ["", "=" * 80, title, "-" * 80, "", text]
    return "\n".join(line.rstrip() for line in "\n".join(lines).split("\n")) + "\n"


def main() -> int:
    """Write the file, or check it."""
    text = written()
    if "--check" in sys.argv[1:]:
        same = NOTICES.exists() and NOTICES.read_text("utf-8") == text
        if not same:
            print(f"{NOTICES.name} is not up to date: run {Path(__file__).name}", file=sys.stderr)
        return 0 if same else 1
    NOTICES.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
