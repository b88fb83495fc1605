"""Install the wheel and the source distribution as a user would, in every interpreter given.

    python tests/soak/wheels.py python3.11 python3.12 … [--wheel PATH] [--sdist] [--pytest …]

Builds a wheel unless one is given, and installs it into fresh environments with the lowest and with
the newest versions of what it needs; there `pip check` is content, and the README's example and its
first command print what the README shows. With `--sdist` the source distribution is built, and a
wheel of it in each interpreter. What follows `--pytest` is run by pytest in each environment, with
the lowest and the newest of the extra `test` too.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
#: What pyproject.toml allows at least, or else the first version with a wheel for an interpreter.
FIRST = {
    "3.12": {"scipy": "1.14.0"},
    "3.13": {"numpy": "2.1.0", "scipy": "1.14.1", "xxhash": "3.5.0"},
    "3.14": {
        "ml_dtypes": "0.5.3",
        "numpy": "2.3.2",
        "pandas": "2.3.3",
        "pyarrow": "22.0.0",
        "scipy": "1.16.1",
        "xxhash": "3.6.0",
    },
}
SMOKE = """
import contextlib, importlib.metadata, io, sys

import fenpack

sys.path.insert(0, {tests!r})
import test_readme

assert {site!r} in fenpack.__file__, fenpack.__file__
assert fenpack.__version__ == importlib.metadata.version("fenpack")
block, output = test_readme.shown_after("python")
with contextlib.redirect_stdout(io.StringIO()) as shown:
    exec(compile(block, "README.md", "exec"), {{}})
assert shown.getvalue() == output, shown.getvalue()
test_readme.test_first_command()
"""
VERSIONS = """
import importlib.metadata, json, sys, sysconfig
names = [d.name for d in importlib.metadata.distributions()]
print(json.dumps([
    "%d.%d" % sys.version_info[:2], sys.version.split()[0], sysconfig.get_path("platlib"),
    bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
    {name.lower(): importlib.metadata.version(name) for name in names},
]))
"""


def run(*command: str | Path, **environment: str) -> str:
    """Run a command in the root of the repository; show what it printed if it fails."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": "", "PYTHONSAFEPATH": "1"} | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def requirements(*extras: str) -> dict[str, str]:
    """Give what pyproject.toml asks for, by name."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    wanted = [*project["dependencies"]]
    for extra in extras:
        wanted += project["optional-dependencies"][extra]
    return {re.split(r"[\[><=]", one)[0]: one for one in wanted}


def lowest(wanted: dict[str, str], release: str) -> list[str]:
    """Pin each to the lowest version that is allowed, or the first with a wheel for `release`."""
    first = FIRST.get(release, {})
    pins = {name: first.get(name) or re.split("[>=]=", one)[1] for name, one in wanted.items()}
    return [f"{name}=={version}" for name, version in pins.items()]


def made(python: Path, what: str, folder: Path, source: Path = ROOT) -> Path:
    """Build a wheel or a source distribution, in isolation."""
    before = set(folder.iterdir())
    if what == "wheel":
        run(python, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, source)
    else:
        tools = folder.parent / "tools"
        run(python, "-m", "venv", tools)
        run(tools / "bin" / "pip", "install", "-q", "build")
        run(tools / "bin" / "python", "-m", "build", "-q", "--sdist", "-o", folder, source)
    [file] = set(folder.iterdir()) - before
    print(f"{file.name}: {file.stat().st_size:,} bytes", flush=True)
    return file


def check(python: str, wheel: Path, newest: bool, tests: list[str], folder: Path) -> None:
    """Install `wheel`, or the one of a folder that fits, in a fresh environment and use it."""
    start = time.monotonic()
    run(python, "-m", "venv", folder)
    inside = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    release = json.loads(run(inside, "-c", VERSIONS))[0]
    wanted = requirements(*(["test"] if tests else []))
    pins = [*wanted.values()] if newest else lowest(wanted, release)
    # python-chess has no wheel.
    install = ("-m", "pip", "install", "-q", "--only-binary=:all:", "--no-binary=chess")
    run(inside, *install, *pins)
    found = ["fenpack", "--find-links", wheel] if wheel.is_dir() else [wheel]
    run(inside, *install, "--no-index", "--no-deps", *found)
    run(inside, "-m", "pip", "check")
    _, version, site, free, versions = json.loads(run(inside, "-c", VERSIONS))
    run(inside, "-c", SMOKE.format(tests=str(ROOT / "tests"), site=site))
    shown = ", ".join(f"{name} {versions[name]}" for name in ("pyarrow", "numpy", "tqdm"))
    said = ""
    if tests:
        said = ": " + run(inside, "-P", "-m", "pytest", "-q", *tests).strip().splitlines()[-1]
    took = time.monotonic() - start
    print(f"CPython {version}{'t' if free else ''}, {shown}{said} ({took:.0f} s)", flush=True)


def main() -> None:
    """Check every interpreter with the lowest and the newest versions."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pythons", nargs="+")
    parser.add_argument("--wheel", type=Path, help="a file, or a folder of wheels")
    parser.add_argument("--sdist", action="store_true")
    parser.add_argument("--versions", choices=("lowest", "newest", "both"), default="both")
    parser.add_argument("--pytest", nargs=argparse.REMAINDER, default=[])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="wheels-") as name:
        out = Path(name, "dist")
        out.mkdir()
        first = Path(sys.executable)
        wheel = options.wheel or made(first, "wheel", out)
        sdist = made(first, "sdist", out) if options.sdist else None
        for i, python in enumerate(options.pythons):
            for versions in ("lowest", "newest"):
                if options.versions in ("both", versions):
                    newest, folder = versions == "newest", Path(name, f"{i}{versions}")
                    check(python, wheel.resolve(), newest, options.pytest, folder)
            if sdist:
                rebuilt = Path(name, f"rebuilt{i}")
                rebuilt.mkdir()
                built = made(Path(python), "wheel", rebuilt, sdist)
                check(python, built, True, [], Path(name, f"sdist{i}"))


if __name__ == "__main__":
    main()
