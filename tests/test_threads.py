"""Threads, chunks, processes, signals and instruction sets change nothing in the answers."""

import json
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import fenpack as fp
from fenpack import _native

TASKS = Path("/proc/self/task")

# 300,000 rows are worth more than eight threads; half of them are not quite FEN.
CORPUS = """
import numpy as np, pyarrow as pa

FENS = [
    b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    b"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
    b"rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    b"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    b"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 12 34",
    b"4k3/8/8/8/8/8/8/4K3 w - -",
    b"6k1/8/8/8/8/8/8/RR2K2R w KB - 0 40",
    b"r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w HAha - 4 4",
    b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0_1",
    b"R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 65535",
]
ALPHABET = np.frombuffer(b"pnbrqkPNBRQK123456789/ wb-KQkqaceh36\\xff_\\t", np.uint8)


def corpus(rows, seed=20261130):
    random = np.random.default_rng(seed)
    fens = np.array(FENS)
    chosen = random.integers(0, len(fens), rows)
    lengths = np.char.str_len(fens)[chosen]
    texts = fens.view(np.uint8).reshape(len(fens), fens.itemsize)[chosen]
    changed = np.arange(0, rows, 2)
    at = random.integers(0, lengths[changed])
    texts[changed, at] = ALPHABET[random.integers(0, len(ALPHABET), len(changed))]
    offsets = pa.py_buffer(np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32))
    inside = np.arange(fens.itemsize) < lengths[:, None]
    nulls = np.packbits(np.arange(rows) % 97 != 0, bitorder="little")
    buffers = [pa.py_buffer(nulls), offsets, pa.py_buffer(texts[inside])]
    return pa.Array.from_buffers(pa.binary(), rows, buffers)
"""
namespace: dict = {}
exec(CORPUS, namespace)
COLUMN = namespace["corpus"](300_000)
POSITIONS = fp.parse(COLUMN)

CALLS = [
    pytest.param(fp.validate, COLUMN, id="validate"),
    pytest.param(fp.is_valid, COLUMN, id="is_valid"),
    pytest.param(fp.parse, COLUMN, id="parse"),
    pytest.param(fp.canonicalize, COLUMN, id="canonicalize"),
    pytest.param(fp.format, POSITIONS, id="format"),
    pytest.param(fp.validate, POSITIONS, id="validate positions"),
    pytest.param(fp.is_valid, POSITIONS, id="is_valid positions"),
    pytest.param(fp.validate, COLUMN.dictionary_encode(), id="validate dictionary"),
]
calls = pytest.mark.parametrize(("function", "column"), CALLS)


@pytest.fixture(autouse=True)
def _same_number_of_threads_afterwards():
    before = fp.get_num_threads()
    yield
    fp.set_num_threads(before)


def run(script, *arguments, timeout=20, **environment):
    """Run `script` in an interpreter of its own and return what it printed."""
    done = subprocess.run(
        [sys.executable, "-c", CORPUS + script, *arguments],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.strip()


# --- threads and chunks ----------------------------------------------------------------------


def test_the_corpus_is_of_all_kinds():
    valid = fp.is_valid(COLUMN)
    readable = fp.is_valid(COLUMN, level="syntax")
    assert COLUMN.null_count > 3_000
    assert 100_000 < valid.true_count < readable.true_count < 250_000


@calls
@pytest.mark.parametrize("threads", [2, 3, 8])
def test_threads_change_nothing(function, column, threads):
    fp.set_num_threads(1)
    alone = function(column)
    fp.set_num_threads(threads)
    assert function(column).equals(alone)


LENGTHS = {
    "one": [300_000],
    "rows": [1] * 300 + [299_700],
    "blocks": [256] * 100 + [274_400],
    "odd": [8_191, 1, 8_193, 63, 65, 100_000, 183_487],
    "random": np.diff(
        [0, *sorted(np.random.default_rng(1).integers(0, 300_000, 99)), 300_000]
    ).tolist(),
}


@calls
@pytest.mark.parametrize("lengths", LENGTHS.values(), ids=LENGTHS)
def test_chunks_change_nothing(function, column, lengths):
    fp.set_num_threads(3)
    starts = np.cumsum([0, *lengths])[:-1].tolist()
    chunks = [column[start : start + n] for start, n in zip(starts, lengths, strict=True)]
    answer = function(pa.chunked_array(chunks))
    assert [len(chunk) for chunk in answer.chunks] == lengths
    assert answer.equals(pa.chunked_array([function(column)]))


@calls
def test_eight_callers_at_once_get_the_same(function, column):
    fp.set_num_threads(2)
    column = column[:100_000]
    alone = function(column)
    start = threading.Barrier(8)

    def call(_):
        start.wait()
        return function(column)

    with ThreadPoolExecutor(8) as pool:
        assert all(answer.equals(alone) for answer in pool.map(call, range(8)))


def test_eight_callers_of_different_functions_get_the_same():
    jobs = [call.values for call in CALLS]
    alone = [function(column) for function, column in jobs]
    start = threading.Barrier(len(jobs))

    def call(job):
        function, column = job
        start.wait()
        return function(column)

    with ThreadPoolExecutor(len(jobs)) as pool:
        together = list(pool.map(call, jobs))
    assert [one.equals(other) for one, other in zip(alone, together, strict=True)] == [True] * 8


LONG = pa.chunked_array([COLUMN] * 4)


@pytest.mark.skipif(not TASKS.exists(), reason="counts the threads in /proc")
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_no_more_threads_than_asked_for(threads):
    fp.set_num_threads(threads)
    time.sleep(0.1)  # threads of earlier tests come to their end
    before = sum(1 for _ in TASKS.iterdir())
    call = threading.Thread(target=fp.validate, args=(LONG,))
    call.start()
    most = 0
    while call.is_alive():
        most = max(most, sum(1 for _ in TASKS.iterdir()))
        time.sleep(0.001)
    call.join()
    assert most - before == threads


@pytest.mark.skipif(not TASKS.exists(), reason="reads its own size in /proc")
def test_a_call_goes_on_when_no_thread_can_be_started():
    """A container may allow few threads; here there is no memory for another stack."""
    script = """
import resource, fenpack as fp
column = corpus(300_000)
fp.set_num_threads(1)
alone = fp.is_valid(column)
fp.set_num_threads(8)
with open("/proc/self/statm") as size:
    bytes_now = int(size.read().split()[0]) * resource.getpagesize()
unlimited = resource.getrlimit(resource.RLIMIT_AS)
resource.setrlimit(resource.RLIMIT_AS, (bytes_now + 1_000_000, unlimited[1]))
answer = fp.is_valid(column)
resource.setrlimit(resource.RLIMIT_AS, unlimited)
print(answer.equals(alone))
"""
    assert run(script) == "True"


def test_other_python_threads_run_meanwhile():
    fp.set_num_threads(1)
    call = threading.Thread(target=fp.validate, args=(LONG,))
    call.start()
    turns = 0
    while call.is_alive():
        turns += 1
        time.sleep(0.001)
    assert turns > 10


# --- the number of threads -------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2, 3, 8, 1000])
def test_set_num_threads(threads):
    fp.set_num_threads(threads)
    assert fp.get_num_threads() == threads


@pytest.mark.parametrize("threads", [0, -1, -(2**40)])
def test_set_num_threads_refuses_less_than_one(threads):
    before = fp.get_num_threads()
    with pytest.raises(ValueError, match=f"threads must be at least 1, got {threads}"):
        fp.set_num_threads(threads)
    assert fp.get_num_threads() == before


@pytest.mark.parametrize("threads", ["2", 2.0, None, [2]])
def test_set_num_threads_refuses_what_is_no_int(threads):
    with pytest.raises(TypeError):
        fp.set_num_threads(threads)


@pytest.mark.parametrize("threads", [2**64, -(2**64)])
def test_set_num_threads_refuses_what_is_no_number_of_threads(threads):
    with pytest.raises((ValueError, OverflowError)):
        fp.set_num_threads(threads)


def test_the_environment_sets_the_number_of_threads():
    script = """
import json, os, fenpack
os.environ.pop("FENPACK_NUM_THREADS", None)
default = fenpack.get_num_threads()
seen = {}
for value in ("1", "3", " 5 ", "", "0", "-2", "two", "1.5", str(2**70)):
    os.environ["FENPACK_NUM_THREADS"] = value
    try:
        seen[value] = fenpack.get_num_threads()
    except ValueError as error:
        seen[value] = str(error)
os.environ["FENPACK_NUM_THREADS"] = "3"
fenpack.set_num_threads(7)
print(json.dumps([default, seen, fenpack.get_num_threads()]))
"""
    default, seen, chosen = json.loads(run(script))
    assert 1 <= default <= len(os.sched_getaffinity(0))
    numbers = {"1": 1, "3": 3, " 5 ": 5, "": default}
    refused = {
        value: f'FENPACK_NUM_THREADS must be at least 1, got "{value}"'
        for value in ("0", "-2", "two", "1.5", str(2**70))
    }
    assert seen == numbers | refused
    assert chosen == 7, "what the program sets wins"


def test_the_environment_of_the_process_counts():
    script = "import fenpack; print(fenpack.get_num_threads())"
    assert run(script, FENPACK_NUM_THREADS="5") == "5"


# --- processes -------------------------------------------------------------------------------

DIGEST = """
import hashlib, fenpack as fp

def digest(column):
    answers = [
        fp.validate(column),
        fp.validate(column, chess960=True),
        fp.is_valid(column),
        fp.is_valid(column, level="syntax", strict=True),
        fp.parse(column),
        fp.parse(column, dialect="fen"),
        fp.parse(column, dialect="placement"),
        fp.format(fp.parse(column), en_passant="legal", castling="shredder"),
        fp.canonicalize(column),
        fp.canonicalize(column, en_passant="xfen", counters="drop", chess960=True),
    ]
    return hashlib.sha256(repr([answer.to_pylist() for answer in answers]).encode()).hexdigest()
"""


def test_a_forked_child_works():
    """The child has the parent's memory but not its threads; a shared pool would hang here."""
    script = (
        DIGEST
        + """
import multiprocessing, warnings
warnings.simplefilter("ignore", DeprecationWarning)
column = corpus(300_000)
fp.set_num_threads(4)
parent = fp.validate(column), fp.canonicalize(column)

def child(queue):
    answers = fp.validate(column), fp.canonicalize(column)
    queue.put([answer.equals(other) for answer, other in zip(answers, parent)])

context = multiprocessing.get_context("fork")
queue = context.SimpleQueue()
children = [context.Process(target=child, args=(queue,)) for _ in range(2)]
for process in children:
    process.start()
same = [queue.get() for _ in children]
for process in children:
    process.join()
print(same, [process.exitcode for process in children])
"""
    )
    assert run(script) == "[[True, True], [True, True]] [0, 0]"


def test_a_child_forked_during_a_call_works():
    script = (
        DIGEST
        + """
import multiprocessing, threading, time, warnings
warnings.simplefilter("ignore", DeprecationWarning)
column = corpus(300_000)
alone = fp.validate(column)
long = pa.chunked_array([column] * 8)
call = threading.Thread(target=fp.validate, args=(long,))
call.start()
time.sleep(0.05)

def child():
    raise SystemExit(0 if fp.validate(column).equals(alone) else 1)

process = multiprocessing.get_context("fork").Process(target=child)
process.start()
process.join()
call.join()
print(process.exitcode)
"""
    )
    assert run(script) == "0"


def test_a_spawned_child_works():
    script = """
import multiprocessing, fenpack as fp
column = corpus(100_000)
with multiprocessing.get_context("spawn").Pool(1) as pool:
    print(*(
        pool.apply(function, (column,)).equals(function(column))
        for function in (fp.validate, fp.is_valid, fp.parse, fp.canonicalize)
    ))
"""
    assert run(script) == "True True True True"


def test_a_child_hands_over_its_error():
    script = """
import concurrent.futures, multiprocessing, fenpack as fp
fork = multiprocessing.get_context("fork")
with concurrent.futures.ProcessPoolExecutor(1, mp_context=fork) as pool:
    try:
        pool.submit(fp.parse, ["bad"], errors="raise").result()
    except fp.FenError as error:
        print(error.row, error.fen)
"""
    assert run(script) == "0 bad"


def test_the_interpreter_exits_while_answers_live():
    script = """
import fenpack as fp, pandas as pd, polars as pl
column = corpus(50_000)
texts = [text and text.decode("latin-1") for text in column.to_pylist()]
sources = column, pl.Series(texts), pd.Series(texts, dtype="str"), texts
answers = [f(x) for x in sources for f in (fp.validate, fp.is_valid, fp.parse, fp.canonicalize)]
records = answers[2].to_numpy()
diagnosis = fp.explain("bad")
cycle = [answers, records]
cycle.append(cycle)
print("done")
"""
    assert run(script) == "done"


def test_the_interpreter_exits_during_a_call():
    script = """
import threading, time, fenpack as fp
column = pa.chunked_array([corpus(300_000)] * 100)
threading.Thread(target=fp.validate, args=(column,), daemon=True).start()
time.sleep(0.1)
print("done")
"""
    assert run(script) == "done"


# --- signals ---------------------------------------------------------------------------------

INTERRUPTED = [
    "validate(texts)",
    "is_valid(texts)",
    "parse(texts)",
    "parse(texts, errors='raise')",
    "canonicalize(texts)",
    "format(positions)",
    "validate(positions)",
    "is_valid(dictionaries)",
]


@pytest.mark.parametrize("call", INTERRUPTED)
def test_control_c_stops_a_long_call(call):
    """Uninterrupted, two threads need more than a second for 60 million rows."""
    script = f"""
import os, signal, threading, time, fenpack as fp
column = pa.array([b" " + FENS[0]] * 60_000)
texts = pa.chunked_array([column] * 1000)
positions = pa.chunked_array([fp.parse(column)] * 1000)
keys = pa.array(range(60_000), pa.int32())
dictionaries = pa.chunked_array([pa.DictionaryArray.from_arrays(keys, column)] * 1000)

def interrupt():
    global sent
    sent = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)

threading.Timer(0.3, interrupt).start()
try:
    fp.{call}
except KeyboardInterrupt:
    print(time.monotonic() - sent)
"""
    assert float(run(script, FENPACK_NUM_THREADS="2")) < 1


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
    assert run(script) == "True"


def test_a_signal_handler_may_go_on():
    script = """
import os, signal, threading, fenpack as fp
column = corpus(300_000)
seen = []
signal.signal(signal.SIGUSR1, lambda number, frame: seen.append(number))
threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGUSR1)).start()
answer = fp.validate(pa.chunked_array([column] * 10))
print(len(seen), answer.chunk(9).equals(fp.validate(column)))
"""
    assert run(script) == "1 True"


# --- instruction sets ------------------------------------------------------------------------

PRINT_DIGEST = (
    DIGEST
    + """
column = corpus(20_000)
print(fp._native.instruction_sets()[0], digest(column), digest(column[5:].cast(pa.binary_view())))
"""
)


@pytest.fixture(scope="module")
def default_digest():
    return run(PRINT_DIGEST, FENPACK_INSTRUCTION_SET="")


@pytest.mark.parametrize("name", ["portable", "avx2", "avx512"])
def test_instruction_sets_agree(name, default_digest):
    if name not in _native.instruction_sets():
        pytest.skip(f"this machine has no {name}")
    used, *digests = run(PRINT_DIGEST, FENPACK_INSTRUCTION_SET=name).split()
    assert used == name
    assert digests == default_digest.split()[1:]


def test_an_unknown_instruction_set_is_refused():
    script = """
import fenpack
try:
    fenpack.validate(["x"])
except ValueError as error:
    print(error)
"""
    said = run(script, FENPACK_INSTRUCTION_SET="abacus")
    assert said.startswith("FENPACK_INSTRUCTION_SET must be one of ")
    assert said.endswith('portable on this machine, got "abacus"')
