"""Compare the second reading of rust/reference with python-chess, and fenpack with it.

The second reading is a slow and plain program that says of a FEN what python-chess 1.11.2 says.
First it is held against python-chess itself, on mutated rows and on rows of its own making, in
standard chess and Chess960: whether a row is read, every flag of ``status()``, and the text with
the legal, the pseudo-legal and the given en passant square and in Shredder-FEN. Then fenpack-core
is held against the second reading, on many more rows than python-chess can judge. Needs cargo and
python-chess; fails if there is a difference that no stated one explains.

    python tests/soak/second_reading.py --oracle-rows 2000000 --rows 100000000 --canonical 10000000

``--profile dev`` builds faster than it runs; the large data sets are used where they are.
"""

from __future__ import annotations

import argparse
import gzip
import io
import random
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

import chess

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from mutations import mutated  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator

SHARED = ROOT.parent / "shared" / "data"

#: The most rows that one task judges.
BATCH = 10_000
#: Where a task's rows come from: the tests' mutations, or the soak's own rows, as for verdicts and
#: as for canonical text.
SOURCES = ("mutated", "verdicts", "canonical")


def fens() -> list[str]:
    """Give the FENs that are changed."""
    sample = ROOT / "tests" / "data" / "sample_40k.fen.gz"
    rows = gzip.decompress(sample.read_bytes()).decode("ascii").splitlines()
    million, book = SHARED / "fens_1m.parquet", SHARED / "3moves_FRC.epd.zip"
    if million.exists():
        import pyarrow.parquet as pq

        rows += pq.read_table(million, columns=["fen"])["fen"].to_pylist()
    if book.exists():
        with zipfile.ZipFile(book) as archive, archive.open("3moves_FRC.epd") as lines:
            rows += io.TextIOWrapper(lines, "ascii").read().splitlines()
    return rows


def judged(fen: bytes, *, chess960: bool) -> str:
    """Say what python-chess says of `fen` as the second reading says it."""
    try:
        board = chess.Board(fen.decode(), chess960=chess960)
    except ValueError:
        return ""
    status = board.status()
    if status & chess.STATUS_INVALID_EP_SQUARE:
        board.ep_square = None  # which the second reading does not write
    names = {flag.name for flag in chess.Status if flag and status & flag}
    modes = ("legal", "xfen", "fen")
    if board.ep_square is None:
        texts = [board.fen()] * len(modes)
    else:
        texts = [board.fen(en_passant=mode) for mode in modes]
    texts.append(board.fen(shredder=True))
    return "\t".join((",".join(sorted(names)), *texts))


def rows(programs: Path, seeds: Path, source: str, seed: int, count: int) -> list[bytes]:
    """Give the rows of one task."""
    if source == "mutated":
        lines = seeds.read_text("ascii").splitlines()
        few = random.Random(seed).sample(lines, min(len(lines), count))
        return [row.replace("\0", "").encode() for row in mutated(few, count, seed=seed)]
    command = [programs / "soak", "--print", "--rows", str(count), "--seed", str(seed), seeds]
    if source == "canonical":
        command.append("--canonical")
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.split(b"\0")


def compared(
    programs: Path, seeds: Path, count: int, source: str, task: int
) -> tuple[Counter[str], list[tuple[bytes, str, str]]]:
    """Count what python-chess says of the rows of one task, and give what is said otherwise."""
    chess960 = task % 2 == 1
    fens = rows(programs, seeds, source, task // 2, count)
    command = [programs / "judge", *(["--chess960"] if chess960 else [])]
    process = subprocess.run(command, check=True, input=b"\0".join(fens), stdout=subprocess.PIPE)
    counts: Counter[str] = Counter()
    wrong = []
    for fen, line in zip(fens, process.stdout.decode().splitlines(), strict=True):
        flags, tab, texts = line.partition("\t")
        ours = ",".join(sorted(flags.split(","))) + tab + texts
        theirs = judged(fen, chess960=chess960)
        counts["rows"] += 1
        counts["read"] += bool(theirs)
        counts.update(filter(None, theirs.partition("\t")[0].split(",")))
        if ours != theirs:
            wrong.append((fen, ours, theirs))
    return counts, wrong


def ask_python_chess(programs: Path, seeds: Path, count: int, processes: int) -> bool:
    """Hold the second reading against python-chess on `count` rows."""
    batch = min(BATCH, -(-count // (2 * len(SOURCES))))
    tasks = -(-count // batch)
    sources = [SOURCES[task // 2 % len(SOURCES)] for task in range(tasks)]
    counts: Counter[str] = Counter()
    wrong: list[tuple[bytes, str, str]] = []
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        task = partial(compared, programs, seeds, batch)
        for some, others in pool.map(task, sources, range(tasks)):
            counts += some
            wrong += others
    for name, number in counts.most_common():
        print(f"{number:12} {name.lower()}")
    for fen, ours, theirs in wrong[:20]:
        print(f"{fen!r}\n    second reading {ours!r}\n    python-chess   {theirs!r}")
    print(f"{len(wrong):12} differences from python-chess", flush=True)
    return not wrong


def soaks(arguments: argparse.Namespace, programs: Path, seeds: Path) -> Iterator[bool]:
    """Hold fenpack against the second reading."""
    for count, options in ((arguments.rows, []), (arguments.canonical, ["--canonical"])):
        if count:
            threads = ["--threads", str(arguments.processes), "--seed", str(arguments.seed)]
            command = [programs / "soak", "--rows", str(count), *threads, *options, seeds]
            yield subprocess.run(command).returncode == 0


def main() -> int:
    """Run what the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--oracle-rows", type=int, default=20_000, help="asked of python-chess")
    parser.add_argument("--rows", type=int, default=0, help="judged by fenpack")
    parser.add_argument("--canonical", type=int, default=0, help="rewritten by fenpack")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1, help="of the rows for fenpack")
    parser.add_argument("--profile", choices=("release", "dev"), default="release")
    arguments = parser.parse_args()
    build = ["cargo", "build", "--locked", "--package", "fenpack-reference", "--bins"]
    subprocess.run([*build, "--profile", arguments.profile], cwd=ROOT, check=True)
    programs = ROOT / "target" / arguments.profile.replace("dev", "debug")
    with tempfile.TemporaryDirectory() as folder:
        seeds = Path(folder) / "seeds.txt"
        seeds.write_text("\n".join(fens()), "ascii")
        fine = [ask_python_chess(programs, seeds, arguments.oracle_rows, arguments.processes)]
        fine.extend(soaks(arguments, programs, seeds))
    return 0 if all(fine) else 1


if __name__ == "__main__":
    sys.exit(main())
