"""Processes and instruction sets change nothing in the answers."""

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


@pytest.mark.parametrize("method", ["spawn", "forkserver", "fork"])
def test_a_child_of_any_method_works(method):
    """Columns, results and steps of batches go there and back by pickle."""
    script = """
import multiprocessing, sys, warnings, fenpack as fp
from fenpack import batch
warnings.simplefilter("ignore", DeprecationWarning)
column = corpus(100_000)
positions = fp.parse(column)
calls = [
    *((function, column) for function in (fp.validate, fp.is_valid, fp.parse, fp.canonicalize)),
    *((function, positions) for function in (fp.format, fp.key, fp.is_duplicate, fp.to_struct)),
    *(
        (step("x"), pa.table({"x": column}))
        for step in (batch.validate, batch.parse, batch.canonicalize, batch.identity)
    ),
]
with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
    waiting = [pool.apply_async(function, (given,)) for function, given in calls]
    print(all(
        one.get(60).equals(function(given))
        for one, (function, given) in zip(waiting, calls, strict=True)
    ))
"""
    assert run(script, method, timeout=120) == "True"


def test_an_executor_of_processes_works():
    script = """
import concurrent.futures, multiprocessing, fenpack as fp
column = corpus(100_000)
parts = [column[start : start + 10_000] for start in range(0, 100_000, 10_000)]
spawn = multiprocessing.get_context("spawn")
with concurrent.futures.ProcessPoolExecutor(2, mp_context=spawn) as pool:
    found = pa.chunked_array(pool.map(fp.canonicalize, parts))
print(found.combine_chunks().equals(fp.canonicalize(column)))
"""
    assert run(script, timeout=120) == "True"


def test_children_forked_while_every_function_runs_work():
    """No lock of ours is held over a fork, whatever other threads do at that moment."""
    script = """
import os, threading, warnings, fenpack as fp, fenpack.recognition
warnings.simplefilter("ignore", DeprecationWarning)
column = corpus(100_000)
scores = np.random.default_rng(1).random((300, 64, 13), np.float32)
how = {"classes": ".PNBRQKpnbrqk", "squares": "a8", "kind": "logits"}
fp.set_num_threads(3)
calls = [
    lambda: fp.validate(column).to_pylist(),
    lambda: fp.canonicalize(column).to_pylist(),
    lambda: fp.is_duplicate(column).to_pylist(),
    lambda: fp.audit(column).as_dict(),
    lambda: fp.planes(column, errors="blank").sum(),
    lambda: fp.recognition.decode(scores, **how).fens().to_pylist(),
]
alone = [call() for call in calls]
done = threading.Event()

def go_on(call):
    while not done.is_set():
        call()

threads = [threading.Thread(target=go_on, args=(call,)) for call in calls]
for thread in threads:
    thread.start()
codes = []
for _ in range(4):
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if [call() for call in calls] == alone else 1)
        finally:
            os._exit(2)
    codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
done.set()
for thread in threads:
    thread.join()
print(codes)
"""
    assert run(script, timeout=300) == "[0, 0, 0, 0]"


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


def test_handlers_at_exit_may_call():
    script = """
import atexit, fenpack as fp
column = corpus(300_000)
alone = fp.canonicalize(column)
atexit.register(lambda: print(fp.canonicalize(column).equals(alone), flush=True))
atexit.register(lambda: print(fp.audit(column).rows, flush=True))
"""
    assert run(script, timeout=60) == "300000\nTrue"


@pytest.mark.parametrize(
    "call",
    [
        "fp.canonicalize(column)",
        "fp.is_duplicate(column)",
        "fp.audit(column)",
        "fp.planes(column[:5_000_000], errors='blank')",
        "_native.Audit(False, 3, 0).feed(column)",
    ],
)
def test_daemon_threads_end_with_the_interpreter(call):
    """It ends within a call that holds locks, Arrow buffers and an array of numpy."""
    script = """
import sys, threading, time, fenpack as fp
from fenpack import _native
column = pa.chunked_array([corpus(300_000)] * 100)
threading.Thread(target=lambda: eval(sys.argv[1]), daemon=True).start()
time.sleep(0.2)
print("done")
"""
    assert run(script, call, timeout=120) == "done"


def test_another_interpreter_of_the_process_is_refused_or_works():
    """numpy and PyO3 refuse a second one by an ImportError, and it harms neither."""
    script = """
import sys
import fenpack as fp
column = corpus(1_000)
alone = fp.validate(column)
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
other = interpreters.create()
said = interpreters.run_string(other, (
    "try:\\n"
    "    import fenpack._native\\n"
    "except ImportError as error:\\n"
    "    assert str(error)\\n"
))
interpreters.destroy(other)
print(said, fp.validate(column).equals(alone))
"""
    assert run(script, timeout=60) == "None True"


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
