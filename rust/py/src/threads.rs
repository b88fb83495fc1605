//! Work on all cores, without a lasting pool.
//!
//! Threads live for one call: a forked child, a free-threaded interpreter and an interpreter at
//! its exit have nothing of ours to trip over. Starting them costs tens of microseconds, so a call
//! gets one more thread only for every [`ROWS_PER_THREAD`] rows.

use std::cell::Cell;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use fenpack_core::Level;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::input::BLOCK;

/// Rows in one job; results do not depend on it.
pub(crate) const JOB: usize = 16 * BLOCK;

/// A thread is worth its start for this many rows.
const ROWS_PER_THREAD: usize = 8 * JOB;

/// How often the calling thread looks for Ctrl-C.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// The number set by the user, or 0.
static CHOSEN: AtomicUsize = AtomicUsize::new(0);

/// Set the number of threads that a call may use, in this process from now on.
///
/// Parameters
/// ----------
/// threads : int
///     At least 1. A call takes no more than its rows are worth: one for every 32,768.
///
/// Raises
/// ------
/// ValueError
///     If `threads` is less than 1.
///
/// Examples
/// --------
/// >>> import fenpack as fp
/// >>> fp.set_num_threads(fp.get_num_threads())
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

thread_local! {
    /// The most threads that a call from this thread may use, or 0 for no limit.
    static LIMIT: Cell<usize> = const { Cell::new(0) };
}

/// Limit the threads of calls from this thread, 0 for no limit; return the limit that was.
#[pyfunction]
pub(crate) fn limit_threads(threads: usize) -> usize {
    LIMIT.replace(threads)
}

/// Give the number of threads that a call may use.
///
/// Returns
/// -------
/// int
///     What `set_num_threads` set, else ``FENPACK_NUM_THREADS``, else the cores that this process
///     may use.
///
/// Raises
/// ------
/// ValueError
///     If ``FENPACK_NUM_THREADS`` is no number of at least 1.
///
/// Examples
/// --------
/// >>> import fenpack as fp
/// >>> threads = fp.get_num_threads()
#[pyfunction]
pub(crate) fn get_num_threads() -> PyResult<usize> {
    let limit = LIMIT.get();
    if limit > 0 {
        return Ok(limit);
    }
    let chosen = CHOSEN.load(Ordering::Relaxed);
    if chosen > 0 {
        return Ok(chosen);
    }
    let Some(value) = environment("FENPACK_NUM_THREADS") else {
        return Ok(thread::available_parallelism().map_or(1, NonZero::get));
    };
    value.parse().ok().filter(|&count| count > 0).ok_or_else(|| {
        PyValueError::new_err(format!("FENPACK_NUM_THREADS must be at least 1, got {value:?}"))
    })
}

/// The value of a variable that is set to more than blanks.
fn environment(name: &str) -> Option<String> {
    let value = std::env::var_os(name)?;
    Some(value.to_string_lossy().trim().to_owned()).filter(|value| !value.is_empty())
}

/// The instruction sets this machine has fast paths for, the one in use first.
#[pyfunction]
pub(crate) fn instruction_sets() -> PyResult<Vec<&'static str>> {
    let used = level()?;
    let mut levels = Level::available();
    levels.sort_by_key(|&level| level != used);
    Ok(levels.into_iter().map(Level::name).collect())
}

/// The instruction set in use: the fastest, or the one that `FENPACK_INSTRUCTION_SET` names.
pub(crate) fn level() -> PyResult<Level> {
    static LEVEL: OnceLock<Result<Level, String>> = OnceLock::new();
    let level = LEVEL.get_or_init(|| {
        let available = Level::available();
        let Some(wanted) = environment("FENPACK_INSTRUCTION_SET") else { return Ok(available[0]) };
        available.iter().find(|level| level.name() == wanted).copied().ok_or_else(|| {
            let names: Vec<_> = available.iter().map(|level| level.name()).collect();
            let names = names.join(", ");
            format!(
                "FENPACK_INSTRUCTION_SET must be one of {names} on this machine, got {wanted:?}"
            )
        })
    });
    level.clone().map_err(PyValueError::new_err)
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
    let threads = get_num_threads()?.min(rows / ROWS_PER_THREAD + 1).min(jobs.len().max(1));
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
                // Where no thread can be had, the calling one does the work alone.
                let _ = thread::Builder::new().spawn_scoped(scope, helper);
            }
            let mut looked = Instant::now();
            while let Some(job) = next() {
                work(job);
                if looked.elapsed() > SIGNAL_INTERVAL {
                    looked = Instant::now();
                    // An interpreter on its way out takes no thread back; then there is no signal.
                    if let Some(Err(error)) = Python::try_attach(|py| py.check_signals()) {
                        stop.store(true, Ordering::Relaxed);
                        return Err(error);
                    }
                }
            }
            Ok(())
        })
    })
}
