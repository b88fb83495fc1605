"""Processes, signals and instruction sets change nothing in the answers."""

import pytest

from fenpack import _native
from interpreters import run

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
