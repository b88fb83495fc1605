//! Work on all cores, without a lasting pool.
//!
//! Threads live for one call: a forked child, a free-threaded interpreter and an interpreter at
//! its exit have nothing of ours to trip over. Starting them costs tens of microseconds, so a call
//! gets one more thread only for every [`ROWS_PER_THREAD`] rows.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use fenpack_core::Level;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::input::BLOCK;

/// Rows in one job; results do not depend on it.
pub(crate) const JOB: usize = 32 * BLOCK;

/// A thread is worth its start for this many rows.
const ROWS_PER_THREAD: usize = 4 * JOB;

/// How often the calling thread looks for Ctrl-C.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// The number set by the user, or 0.
static CHOSEN: AtomicUsize = AtomicUsize::new(0);

/// Set the number of threads that a call may use.
#[pyfunction]
#[pyo3(signature = (threads, /))]
pub(crate) fn set_num_threads(threads: isize) -> PyResult<()> {
    let count = usize::try_from(threads).ok().filter(|&count| count > 0);
    let Some(count) = count else {
        return Err(PyValueError::new_err(format!("threads must be at least 1, got {threads}")));
    };
    CHOSEN.store(count, Ordering::Relaxed);
    Ok(())
}

/// The number of threads that a call may use.
#[pyfunction]
pub(crate) fn get_num_threads() -> usize {
    let count = match CHOSEN.load(Ordering::Relaxed) {
        0 => std::env::var("FENPACK_NUM_THREADS").ok().and_then(|value| value.trim().parse().ok()),
        chosen => Some(chosen),
    };
    count
        .filter(|&count| count > 0)
        .unwrap_or_else(|| thread::available_parallelism().map_or(1, NonZero::get))
}

/// The instruction sets this machine has fast paths for, the one in use first.
#[pyfunction]
pub(crate) fn instruction_sets() -> Vec<&'static str> {
    let mut levels = Level::available();
    if let Some(at) = levels.iter().position(|&available| available == level()) {
        levels[..=at].rotate_right(1);
    }
    levels.into_iter().map(Level::name).collect()
}

/// The instruction set in use: the fastest, or the one that `FENPACK_INSTRUCTION_SET` names.
pub(crate) fn level() -> Level {
    static LEVEL: std::sync::OnceLock<Level> = std::sync::OnceLock::new();
    *LEVEL.get_or_init(|| {
        let available = Level::available();
        let wanted = std::env::var("FENPACK_INSTRUCTION_SET").unwrap_or_default();
        let named = available.iter().find(|level| level.name() == wanted);
        named.or(available.first()).copied().unwrap_or(Level::Portable)
    })
}

/// Runs `work` on every job with the GIL released, on as many threads as `rows` are worth.
///
/// # Errors
/// What a signal handler raised, as KeyboardInterrupt for Ctrl-C; jobs not begun by then are left.
pub(crate) fn run<J: Send>(
    py: Python<'_>,
    rows: usize,
    jobs: Vec<J>,
    work: impl Fn(J) + Sync,
) -> PyResult<()> {
    let threads = get_num_threads().min(rows / ROWS_PER_THREAD + 1).min(jobs.len().max(1));
    let queue = Mutex::new(jobs.into_iter());
    let stop = AtomicBool::new(false);
    let next = || {
        let stopped = stop.load(Ordering::Relaxed);
        queue.lock().ok().filter(|_| !stopped).and_then(|mut jobs| jobs.next())
    };
    let helper = || {
        while let Some(job) = next() {
            work(job);
        }
    };
    py.detach(|| {
        thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(helper);
            }
            let mut looked = Instant::now();
            while let Some(job) = next() {
                work(job);
                if looked.elapsed() > SIGNAL_INTERVAL {
                    looked = Instant::now();
                    if let Err(error) = Python::attach(|py| py.check_signals()) {
                        stop.store(true, Ordering::Relaxed);
                        return Err(error);
                    }
                }
            }
            Ok(())
        })
    })
}
