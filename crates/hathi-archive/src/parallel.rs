//! Work on several cores with results in the order of the work.

use std::ops::ControlFlow;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

/// How many pieces of work may wait for a worker, and how many results for
/// the one who collects them. Bounds the memory.
const QUEUE: usize = 4;

/// Hands jobs to worker threads in turn and collects the results in turn, so
/// that they arrive in the order of the jobs.
///
/// `produce` runs on a thread of its own; each worker is made by
/// `make_worker` on its thread; `sink` runs on the caller's.
pub(crate) fn in_order<J, T, W, B>(
    threads: usize,
    produce: impl FnOnce(&mut dyn FnMut(J) -> ControlFlow<()>) + Send,
    make_worker: impl Fn() -> W + Sync,
    mut sink: impl FnMut(T) -> ControlFlow<B>,
) -> ControlFlow<B>
where
    J: Send,
    T: Send,
    W: FnMut(J) -> T,
{
    let threads = threads.max(1);
    thread::scope(|scope| {
        let make_worker = &make_worker;
        let mut to_workers: Vec<SyncSender<J>> = Vec::with_capacity(threads);
        let mut from_workers = Vec::with_capacity(threads);
        for _ in 0..threads {
            let (job_sender, jobs) = sync_channel::<J>(QUEUE);
            let (result_sender, results) = sync_channel(QUEUE);
            to_workers.push(job_sender);
            from_workers.push(results);
            scope.spawn(move || {
                let mut work = make_worker();
                for job in jobs {
                    if result_sender.send(work(job)).is_err() {
                        break;
                    }
                }
            });
        }
        scope.spawn(move || {
            let mut next = 0;
            produce(&mut |job| {
                let sent = to_workers[next].send(job);
                next = (next + 1) % threads;
                match sent {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                }
            });
        });
        // The first worker with nothing more to say ends it: jobs are dealt
        // in turn, so the ones after it have nothing either.
        for worker in (0..threads).cycle() {
            let Ok(result) = from_workers[worker].recv() else {
                break;
            };
            sink(result)?;
        }
        ControlFlow::Continue(())
    })
}

/// As many threads as there are cores.
pub(crate) fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(threads: usize, stop_at: Option<u64>) -> (Vec<u64>, ControlFlow<&'static str>) {
        let mut got = Vec::new();
        let flow = in_order(
            threads,
            |job| {
                for i in 0..1000u64 {
                    if job(i).is_break() {
                        return;
                    }
                }
            },
            || |i: u64| i * i,
            |square| {
                if Some(square) == stop_at {
                    return ControlFlow::Break("stopped");
                }
                got.push(square);
                ControlFlow::Continue(())
            },
        );
        (got, flow)
    }

    #[test]
    fn results_keep_the_order() {
        let expected: Vec<u64> = (0..1000).map(|i| i * i).collect();
        for threads in [0, 1, 2, 3, 7] {
            assert_eq!(
                squares(threads, None),
                (expected.clone(), ControlFlow::Continue(()))
            );
        }
    }

    #[test]
    fn stops_when_asked() {
        let (got, flow) = squares(3, Some(100));
        assert_eq!(got.len(), 10);
        assert_eq!(flow, ControlFlow::Break("stopped"));
    }
}
