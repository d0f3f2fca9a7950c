//! Long calls: other threads of Python run meanwhile, and Ctrl-C ends them.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use hathi_engine::Stop;
use pyo3::prelude::*;

/// How soon Ctrl-C is noticed.
const TICK: Duration = Duration::from_millis(50);

/// Does the work in a thread of its own, without Python's lock, and looks for
/// signals meanwhile. After Ctrl-C the work is asked to stop by `stop`, and
/// what it found so far is thrown away.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    stop: &Stop,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let done = AtomicBool::new(false);
    let waiting = thread::current();
    let mut interrupted = None;
    let result = thread::scope(|scope| {
        let done = &done;
        let worker = scope.spawn(move || {
            let result = work();
            done.store(true, Ordering::Release);
            waiting.unpark();
            result
        });
        // A thread that has panicked is finished without being done.
        while !done.load(Ordering::Acquire) && !worker.is_finished() {
            py.detach(|| thread::park_timeout(TICK));
            if interrupted.is_none()
                && let Err(error) = py.check_signals()
            {
                stop.now();
                interrupted = Some(error);
            }
        }
        py.detach(|| worker.join())
    });
    match (interrupted, result) {
        (Some(error), _) => Err(error),
        (None, Ok(result)) => Ok(result),
        (None, Err(panic)) => resume_unwind(panic),
    }
}
