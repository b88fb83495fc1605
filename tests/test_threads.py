"""Threads and chunks change nothing in the answers."""

import json
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import fenpack as fp
from interpreters import COLUMN, run

TASKS = Path("/proc/self/task")
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
    pytest.param(fp.key, COLUMN, id="key"),
    pytest.param(fp.zobrist, POSITIONS, id="zobrist positions"),
    pytest.param(fp.is_duplicate, COLUMN, id="is_duplicate"),
    pytest.param(fp.is_duplicate, POSITIONS, id="is_duplicate positions"),
    pytest.param(lambda x: fp.unique(x, return_inverse=True)[1], COLUMN, id="unique"),
]
calls = pytest.mark.parametrize(("function", "column"), CALLS)


@pytest.fixture(autouse=True)
def _same_number_of_threads_afterwards():
    before = fp.get_num_threads()
    yield
    fp.set_num_threads(before)


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


def test_callers_of_different_functions_get_the_same():
    jobs = [call.values for call in CALLS]
    alone = [function(column) for function, column in jobs]
    start = threading.Barrier(len(jobs))

    def call(job):
        function, column = job
        start.wait()
        return function(column)

    with ThreadPoolExecutor(len(jobs)) as pool:
        together = list(pool.map(call, jobs))
    assert [one.equals(other) for one, other in zip(alone, together, strict=True)] == [True] * len(
        jobs
    )


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
