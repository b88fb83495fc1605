"""Signals stop a long call at once, and a command in order."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from interpreters import run

if TYPE_CHECKING:
    from pathlib import Path

#: Seconds within which a call ends; it takes a fraction of one, on a busy machine too.
AT_ONCE = 10

# --- calls -----------------------------------------------------------------------------------

INTERRUPTED = [
    "validate(texts)",
    "is_valid(texts)",
    "is_valid(texts, level='reachable')",
    "is_valid(texts, profile='stockfish')",
    "parse(texts)",
    "parse(texts, errors='raise')",
    "canonicalize(texts)",
    "repair(texts)",
    "format(positions)",
    "validate(positions)",
    "is_valid(dictionaries)",
    "key(texts)",
    "zobrist(positions)",
    "identity(texts)",
    "is_duplicate(texts)",
    "is_duplicate(dictionaries)",
    "unique(positions)",
    "audit(texts)",
    "planes(few)",
    "planes(few, 'lc0_112', dtype='uint8', out=room)",
    "bitboards(few)",
    "tokens(few)",
    "nnue_features(few, 'chess_768', form='csr')",
    "records.to_binary_fen(texts)",
    "recognition.decode(scores, classes='.PNBRQKpnbrqk', squares='a8', kind='logits')",
]


@pytest.mark.parametrize("call", INTERRUPTED)
def test_control_c_stops_a_long_call(call):
    """Uninterrupted, two threads need more than a second."""
    script = f"""
import os, signal, threading, time, fenpack as fp, fenpack.recognition, fenpack.records
column = pa.array([b" " + FENS[0]] * 60_000)
texts = pa.chunked_array([column] * 1000)
few = texts[:20_000_000] if "features" not in {call!r} else texts
positions = pa.chunked_array([fp.parse(column)] * 1000)
keys = pa.array(range(60_000), pa.int32())
dictionaries = pa.chunked_array([pa.DictionaryArray.from_arrays(keys, column)] * 1000)
scores = np.broadcast_to(np.random.default_rng(1).random((1, 64, 13), np.float32), (1, 64, 13))
if "scores" in {call!r}:
    scores = np.repeat(scores, 60_000, axis=0)
if "room" in {call!r}:
    few = few[:1_000_000]
    room = np.empty((1_000_000, 112, 8, 8), np.uint8)

def interrupt():
    global sent
    sent = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)

threading.Timer(0.3, interrupt).start()
try:
    fp.{call}
    print("not interrupted")
except KeyboardInterrupt:
    print(time.monotonic() - sent)
"""
    assert float(run(script, FENPACK_NUM_THREADS="2", timeout=60)) < AT_ONCE


def test_a_call_after_control_c_works():
    script = """
import os, signal, threading, fenpack as fp
column = corpus(300_000)
before = fp.validate(column)
threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    fp.validate(pa.chunked_array([column] * 200))
    print('not interrupted')
except KeyboardInterrupt:
    print(fp.validate(column).equals(before))
"""
    assert run(script, timeout=60) == "True"


def test_a_signal_handler_may_go_on():
    script = """
import os, signal, threading, fenpack as fp
column = corpus(300_000)
seen = []
signal.signal(signal.SIGUSR1, lambda number, frame: seen.append(number))
threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGUSR1)).start()
answer = fp.validate(pa.chunked_array([column] * 10))
while not seen:
    pass
print(len(seen), answer.chunk(9).equals(fp.validate(column)))
"""
    assert run(script, timeout=60) == "1 True"


def test_the_library_sets_no_handlers():
    script = """
import signal
known = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
before = [signal.getsignal(number) for number in known]
import fenpack as fp, fenpack.io, fenpack.recognition
fp.validate(corpus(50_000))
print(before == [signal.getsignal(number) for number in known])
"""
    assert run(script, timeout=60) == "True"


def test_a_signal_reaches_the_main_thread_while_another_calls():
    """The call of the other thread goes on."""
    script = """
import os, signal, threading, time, fenpack as fp
column = corpus(300_000)
alone = fp.canonicalize(column)
answers = []
call = threading.Thread(target=lambda: answers.append(fp.canonicalize(column)))
call.start()
try:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(60)
except KeyboardInterrupt:
    call.join()
    print(answers[0].equals(alone))
"""
    assert run(script, timeout=60) == "True"


# --- commands --------------------------------------------------------------------------------

ROWS = 20_000_000

# Runs a command, sends itself a signal in its midst, and prints the exit code and the seconds.
COMMAND = """
import os, signal, sys, threading, time
from contextlib import suppress
from fenpack.__main__ import main
with suppress(ImportError):
    import pandas  # pyarrow imports it in the midst, and forgets what a signal raises meanwhile
signal.signal(signal.SIGINT, signal.default_int_handler)
for name in ("SIGTERM", "SIGHUP"):  # which whoever runs the tests may have ignored
    if hasattr(signal, name):
        signal.signal(getattr(signal, name), signal.SIG_DFL)
def send():
    global sent
    sent = time.monotonic()
    os.kill(os.getpid(), int(sys.argv[1]))
threading.Timer(float(sys.argv[2]), send).start()
code = main(sys.argv[3:])
print(code, time.monotonic() - sent, flush=True)
"""

COMMANDS = {
    "validate": ["validate", "rows.parquet"],
    "validate --out": ["validate", "rows.parquet", "--out", "out.parquet"],
    "canonicalize": ["canonicalize", "rows.parquet", "--out", "out.parquet"],
    "canonicalize text": ["canonicalize", "rows.parquet", "--out", "out.csv.gz"],
    "dedup": ["dedup", "rows.parquet", "-o", "out.parquet", "--keep", "last"],
    "encode": ["encode", "rows.parquet", "-o", "out.npy", "--bitboards", "pieces"],
    "encode parquet": ["encode", "rows.parquet", "--tokens", "squares", "-o", "out.parquet"],
    "pack": ["pack", "rows.parquet", "-o", "out.arrow"],
    "audit": ["audit", "rows.parquet", "--html", "out.html"],
    "decode": [
        *("decode", "scores.npy", "-o", "out.parquet", "--classes", ".PNBRQKpnbrqk"),
        *("--squares", "a8", "--kind", "logits"),
    ],
}
each_command = pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
ENDS = {signal.SIGINT: (130, "interrupted"), signal.SIGTERM: (143, "terminated")}
if hasattr(signal, "SIGHUP"):
    ENDS[signal.SIGHUP] = (129, "hung up")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, sample: list[str]) -> Path:
    """Give a folder with more rows, and more scores, than a command reads in seconds."""
    folder = tmp_path_factory.mktemp("signals")
    # Runs of rows take little room.
    rows = pa.array(np.repeat(np.array(sample[:1000], object), 1000), pa.string())
    table = pa.table({"fen": rows})
    with pq.ParquetWriter(folder / "rows.parquet", table.schema) as writer:
        for _ in range(ROWS // len(rows)):
            writer.write_table(table)
    scores = np.lib.format.open_memmap(folder / "scores.npy", "w+", np.float32, (50_000, 64, 13))
    scores[:] = np.random.default_rng(1).random((500, 64, 13), np.float32).repeat(100, axis=0)
    return folder


def ended(
    folder: Path, arguments: list[str], number: int, after: float
) -> tuple[int, float, str, list[str]]:
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, str(int(number)), str(after), *arguments],
        cwd=folder,
        env=os.environ | {"FENPACK_NUM_THREADS": "2"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    code, seconds = done.stdout.split()
    left = sorted(set(os.listdir(folder)) - {"rows.parquet", "scores.npy"})
    return int(code), float(seconds), done.stderr, left


@pytest.mark.slow
@each_command
def test_a_command_ends_in_order(folder, arguments):
    number = signal.SIGINT if arguments[0] in ("validate", "audit") else signal.SIGTERM
    expected, said = ENDS[number]
    code, seconds, errors, left = ended(folder, arguments, number, 0.25)
    assert (code, errors, left) == (expected, f"fenpack: {said}\n", [])
    assert seconds < AT_ONCE


@pytest.mark.parametrize("number", ENDS, ids=str)
def test_what_was_there_before_stays(folder, number):
    out = folder / "out.parquet"
    out.write_bytes(b"before")
    code, _, _, left = ended(folder, COMMANDS["canonicalize"], number, 0.25)
    assert (code, left) == (ENDS[number][0], ["out.parquet"])
    assert out.read_bytes() == b"before"
    out.unlink()


def test_a_command_under_nohup_goes_on(tmp_path):
    (tmp_path / "rows.fen").write_text("8/8/8/8/8/8/8/K1k5 w - - 0 1\n")
    script = """
import signal, sys
from fenpack import __main__ as cli
signal.signal(signal.SIGHUP, signal.SIG_IGN)
print(cli.main(["validate", sys.argv[1]]), signal.getsignal(signal.SIGHUP) is signal.SIG_IGN)
"""
    assert run(script, str(tmp_path / "rows.fen"), timeout=60).endswith("0 True")


def test_a_command_in_another_thread(tmp_path):
    """Only the main thread may set handlers; a program that runs a command keeps its own."""
    (tmp_path / "rows.fen").write_text("8/8/8/8/8/8/8/K1k5 w - - 0 1\n")
    script = """
import signal, sys, threading
from fenpack.__main__ import main
mine = lambda number, frame: None
signal.signal(signal.SIGTERM, mine)
codes = [main(["validate", sys.argv[1]])]
call = threading.Thread(target=lambda: codes.append(main(["validate", sys.argv[1]])))
call.start()
call.join()
print(codes, signal.getsignal(signal.SIGTERM) is mine)
"""
    assert run(script, str(tmp_path / "rows.fen"), timeout=60).endswith("[0, 0] True")
