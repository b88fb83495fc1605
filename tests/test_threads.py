"""Threads and chunks change nothing in the answers."""

import itertools
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
from fenpack import _native, batch
from fenpack.io import scan
from fenpack.recognition import decode
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


# --- everything at once ----------------------------------------------------------------------

SMALL = COLUMN[:20_000]
SCORES = np.random.default_rng(2).random((60, 64, 13), np.float32)


def decoded(scores):
    return decode(scores, classes=".PNBRQKpnbrqk", squares="a8", kind="logits", margins=True)


def deduplicated(column):
    rows = _native.Deduplicator("position", "first", False, True, "keep", 1 << 24, ".")
    for start in range(0, len(column), 5_000):
        rows.feed(column[start : start + 5_000])
    rows.finish()
    return rows.kept(0, len(column)).to_pylist(), rows.report()


#: Calls that share the same columns, with what is compared of their results.
EVERYTHING = {
    "validate": lambda: fp.validate(SMALL).to_pylist(),
    "is_valid": lambda: fp.is_valid(SMALL, level="reachable").to_pylist(),
    "profile": lambda: fp.is_valid(SMALL, profile="shakmaty").to_pylist(),
    "parse": lambda: fp.parse(SMALL).to_pylist(),
    "format": lambda: fp.format(POSITIONS[:20_000]).to_pylist(),
    "canonicalize": lambda: fp.canonicalize(SMALL.dictionary_encode()).to_pylist(),
    "repair": lambda: fp.repair(SMALL).to_pylist(),
    "key": lambda: fp.key(SMALL, bits=128).to_pylist(),
    "zobrist": lambda: fp.zobrist(SMALL).to_pylist(),
    "identity": lambda: fp.identity(SMALL, by="board").to_pylist(),
    "is_duplicate": lambda: fp.is_duplicate(SMALL, keep=None).to_pylist(),
    "unique": lambda: fp.unique(SMALL, return_inverse=True)[1].to_pylist(),
    "planes": lambda: fp.planes(SMALL, "lc0_112", errors="blank").sum(axis=0).tolist(),
    "bitboards": lambda: fp.bitboards(SMALL, errors="blank").tolist(),
    "tokens": lambda: fp.tokens(SMALL, "searchless_77", errors="blank").tolist(),
    "features": lambda: fp.nnue_features(SMALL, form="csr", errors="blank").indices.tolist(),
    "audit": lambda: fp.audit(SMALL).as_dict(),
    "names": lambda: fp.problem_names(fp.validate(SMALL)).to_pylist(),
    "struct": lambda: fp.to_struct(POSITIONS[:20_000]).to_pylist(),
    "decode": lambda: decoded(SCORES).to_table().to_pylist(),
    "batch": lambda: batch.canonicalize("x")(pa.table({"x": SMALL}))["canonical"].to_pylist(),
    "deduplicate": lambda: deduplicated(SMALL),
    "explain": lambda: [str(fp.explain(fen.decode("latin-1"))) for fen in FEW],
}
FEW = SMALL.drop_null()[:50].to_pylist()


def test_everything_at_once_gives_the_same():
    """Meanwhile the number of threads changes all the time."""
    fp.set_num_threads(1)
    alone = {name: call() for name, call in EVERYTHING.items()}
    start, done = threading.Barrier(len(EVERYTHING) + 1), threading.Event()

    def call(name):
        start.wait()
        return [EVERYTHING[name]() == alone[name] for _ in range(2)]

    def change():
        start.wait()
        for threads in itertools.cycle((1, 2, 3, 8, 1000)):
            fp.set_num_threads(threads)
            if done.wait(0.001):
                return

    with ThreadPoolExecutor(len(EVERYTHING) + 1) as pool:
        changing = pool.submit(change)
        results = dict(zip(EVERYTHING, pool.map(call, EVERYTHING), strict=True))
        done.set()
        changing.result()
    assert [name for name, same in results.items() if same != [True, True]] == []


def test_a_deduplicator_takes_one_call_at_a_time():
    """Rows that another call has no room beside are refused, and none is counted twice or lost."""
    rows = _native.Deduplicator("position", "first", False, False, "keep", 1 << 26, ".")
    fed, refused, start = [], [], threading.Barrier(4)

    def feed():
        start.wait()
        for first in range(0, 20_000, 2_000):
            try:
                rows.feed(SMALL[first : first + 2_000])
                fed.append(2_000)
            except RuntimeError as error:
                refused.append(str(error))

    with ThreadPoolExecutor(4) as pool:
        for call in [pool.submit(feed) for _ in range(4)]:
            call.result()
    rows.finish()
    assert all("one call at a time" in said for said in refused)
    assert rows.report()[0] == sum(fed)
    assert len(rows.kept(0, sum(fed))) == sum(fed)


def test_an_audit_fed_by_several_threads_counts_every_row():
    expected = fp.audit(pa.chunked_array([SMALL] * 8)).as_dict()
    counted = _native.Audit(False, 3, 0)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(counted.feed, [SMALL] * 8))
    assert counted.totals()["rows"] == expected["rows"] == 160_000
    assert counted.totals()["valid"] == expected["valid"]


def test_audits_merged_crosswise_do_not_wait_for_one_another():
    one, other = (_native.Audit(False, 3, source) for source in range(2))
    one.feed(SMALL)
    other.feed(SMALL)
    start = threading.Barrier(2)

    def merge(pair):
        start.wait()
        for _ in range(20):
            pair[0].merge(pair[1])

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(merge, [(one, other), (other, one)]))
    assert one.totals()["rows"] > 20_000 < other.totals()["rows"]


def test_a_stream_that_threads_share_gives_every_row_once(tmp_path):
    """pyarrow's reader is locked; the batches are whoever's comes first."""
    file = tmp_path / "rows.fen"
    file.write_text("\n".join(["8/8/8/8/8/8/8/K1k5 w - - 0 1"] * 200_000))
    with scan(file, batch_rows=1_000) as reader:
        lock = threading.Lock()

        def count(_):
            valid = 0
            while True:
                with lock:
                    rows = next(reader, None)
                if rows is None:
                    return valid
                valid += fp.is_valid(rows["fen"]).true_count

        with ThreadPoolExecutor(4) as pool:
            assert sum(pool.map(count, range(4))) == 200_000


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
