"""Data that the tests share."""

from __future__ import annotations

import gzip
import os
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

DATA = Path(__file__).parent / "data"
SHARED = Path(__file__).parents[2] / "shared" / "data"

# The same examples every time and no time limit; `--hypothesis-profile=long` looks for new ones.
settings.register_profile("default", deadline=None, derandomize=True, database=None)
settings.register_profile(
    "long",
    deadline=None,
    max_examples=int(os.environ.get("FENPACK_EXAMPLES", "20000")),
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("default")


@pytest.fixture(scope="session")
def sample() -> list[str]:
    """40,000 real FENs, standard and Chess960."""
    with gzip.open(DATA / "sample_40k.fen.gz", "rt", encoding="ascii") as lines:
        return lines.read().splitlines()


def _shared(name: str) -> Path:
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"the large data set {name} is not part of the repository")
    return path


@pytest.fixture(scope="session")
def million() -> list[str]:
    """Give the FENs of fens_1m.parquet."""
    pq = pytest.importorskip("pyarrow.parquet")
    return pq.read_table(_shared("fens_1m.parquet"), columns=["fen"])["fen"].to_pylist()


@pytest.fixture(scope="session")
def chess960_book() -> list[str]:
    """Give the lines of 3moves_FRC.epd."""
    with zipfile.ZipFile(_shared("3moves_FRC.epd.zip")) as archive:
        text = archive.read("3moves_FRC.epd").decode("ascii")
    return [line for line in text.splitlines() if line]


@pytest.fixture(scope="session")
def uho() -> list[str]:
    """Give the lines of UHO_4060_v3.epd."""
    with zipfile.ZipFile(_shared("UHO_4060_v3.epd.zip")) as archive:
        return archive.read("UHO_4060_v3.epd").decode("ascii").splitlines()
