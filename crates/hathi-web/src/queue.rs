//! Places for work: so much at the same time, so much waiting, and nobody
//! takes them all.
//!
//! Pictures, questions to the store and engines take a place here before they
//! begin, and give it back when the work ends: whoever asks and goes away
//! does not leave a free place behind while a thread still works for him.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::oneshot;

use crate::asker::Asker;
use crate::error::ApiError;
use crate::pool::lock;

/// How much of one kind of work there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    /// At the same time.
    pub working: usize,
    /// Of them for one address: others find a place, too.
    pub working_for_one: usize,
    /// Waiting for their turn; more are told to come back at once.
    pub waiting: usize,
    /// Of them of one address.
    pub waiting_for_one: usize,
}

impl Places {
    /// So many at the same time, and waiting for each of them as many as are
    /// served within a few seconds.
    pub(crate) const fn of(working: usize, waiting: usize) -> Places {
        Places {
            working,
            working_for_one: working,
            waiting,
            waiting_for_one: waiting,
        }
    }

    /// The same with room for at least so many at the same time; one address
    /// keeps its part.
    pub(crate) fn at_least(self, working: usize) -> Places {
        if working <= self.working {
            return self;
        }
        let part = self.working_for_one * working / self.working.max(1);
        Places {
            working,
            working_for_one: part.max(1),
            ..self
        }
    }

    /// The same, but one address has no more than this.
    pub(crate) const fn for_one(self, working: usize, waiting: usize) -> Places {
        Places {
            working_for_one: working,
            waiting_for_one: waiting,
            ..self
        }
    }
}

/// A queue of work of one kind.
#[derive(Clone)]
pub(crate) struct Queue(Arc<Shared>);

struct Shared {
    places: Places,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    working: HashMap<Asker, usize>,
    /// First come, first served, unless somebody has less than his share.
    waiting: VecDeque<(Asker, oneshot::Sender<Place>)>,
    taken: usize,
}

/// A place, until it is dropped.
pub(crate) struct Place {
    queue: Arc<Shared>,
    asker: Asker,
}

impl std::fmt::Debug for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Place({:?})", self.asker)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        {
            let mut state = lock(&self.queue.state);
            state.taken -= 1;
            if let Some(count) = state.working.get_mut(&self.asker) {
                *count -= 1;
                if *count == 0 {
                    state.working.remove(&self.asker);
                }
            }
        }
        self.queue.call_next();
    }
}

impl Queue {
    pub(crate) fn new(places: Places) -> Queue {
        Queue(Arc::new(Shared {
            places,
            state: Mutex::default(),
        }))
    }

    /// Waits for a place; refuses at once when too many wait already.
    pub(crate) async fn place(&self, asker: Asker) -> Result<Place, ApiError> {
        let (called, call) = oneshot::channel();
        {
            let mut state = lock(&self.0.state);
            // Those who have left do not count.
            state.waiting.retain(|(_, called)| !called.is_closed());
            let places = &self.0.places;
            let own = state.waiting.iter().filter(|(who, _)| *who == asker);
            let (own, all) = (own.count(), state.waiting.len());
            let at_once = state.has_room(places, asker);
            if !at_once && (all >= places.waiting || own >= places.waiting_for_one) {
                return Err(ApiError::busy(
                    "too many want this at once; try again in a moment",
                ));
            }
            state.waiting.push_back((asker, called));
        }
        self.0.call_next();
        call.await
            .map_err(|_| ApiError::busy("the server is ending"))
    }

    /// A place if there is one now.
    pub(crate) fn try_place(&self, asker: Asker) -> Result<Place, NoPlace> {
        let mut state = lock(&self.0.state);
        if state.taken >= self.0.places.working {
            return Err(NoPlace::ForAnybody);
        }
        if !state.has_room(&self.0.places, asker) {
            return Err(NoPlace::ForYou(self.0.places.working_for_one));
        }
        Ok(self.0.take(&mut state, asker))
    }

    /// The same, but only for so long.
    pub(crate) async fn place_within(
        &self,
        asker: Asker,
        patience: Duration,
    ) -> Result<Place, ApiError> {
        match tokio::time::timeout(patience, self.place(asker)).await {
            Ok(place) => place,
            Err(_) => Err(ApiError::busy(
                "too much is being worked on; try again in a moment",
            )),
        }
    }

    /// Work in a thread, in its turn. The place is free again when the work
    /// ends, whether somebody still waits for it or not.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        patience: Duration,
        work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let place = self.place_within(Asker::current(), patience).await?;
        crate::pool::blocking(move || {
            let _place = place;
            work()
        })
        .await
    }
}

impl State {
    fn working_for(&self, asker: Asker) -> usize {
        self.working.get(&asker).copied().unwrap_or(0)
    }

    /// Would somebody have a place at once?
    fn has_room(&self, places: &Places, asker: Asker) -> bool {
        self.taken < places.working && self.working_for(asker) < places.working_for_one
    }
}

/// Why there is no place now.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NoPlace {
    /// All are taken.
    ForAnybody,
    /// This address has as many as one may have.
    ForYou(usize),
}

impl Shared {
    fn take(self: &Arc<Shared>, state: &mut State, asker: Asker) -> Place {
        state.taken += 1;
        *state.working.entry(asker).or_insert(0) += 1;
        Place {
            queue: self.clone(),
            asker,
        }
    }

    /// Gives free places to those who have the fewest, the first of them first.
    fn call_next(self: &Arc<Shared>) {
        loop {
            let called = {
                let mut state = lock(&self.state);
                if state.taken >= self.places.working {
                    return;
                }
                let next = state
                    .waiting
                    .iter()
                    .enumerate()
                    .map(|(at, (who, _))| (state.working_for(*who), at))
                    .filter(|(has, _)| *has < self.places.working_for_one)
                    .min();
                let Some((_, at)) = next else {
                    return;
                };
                let Some((asker, called)) = state.waiting.remove(at) else {
                    return;
                };
                (called, self.take(&mut state, asker))
            };
            let (called, place) = called;
            // Who has left gives it back by dropping it, and that calls the
            // next one.
            let _ = called.send(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asker(number: u8) -> Asker {
        Asker::of([10, 0, 0, number].into(), false)
    }

    fn run(test: impl Future<Output = ()>) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build();
        runtime.expect("a runtime").block_on(test);
    }

    const SOON: Duration = Duration::from_millis(50);

    #[test]
    fn more_than_may_wait_are_refused_at_once() {
        run(async {
            let queue = Queue::new(Places::of(1, 1));
            let place = queue.place(asker(1)).await.expect("the place");
            let waits = tokio::spawn({
                let queue = queue.clone();
                async move { queue.place(asker(1)).await }
            });
            tokio::task::yield_now().await;
            let refused = queue.place(asker(2)).await.expect_err("nobody may wait");
            assert_eq!(refused.code, "busy");
            drop(place);
            waits.await.expect("no panic").expect("its turn");
            queue.place(asker(2)).await.expect("free again");
        });
    }

    #[test]
    fn nobody_takes_all_places() {
        run(async {
            let queue = Queue::new(Places::of(2, 10).for_one(1, 10));
            let greedy = queue.place(asker(1)).await.expect("a place");
            let second = queue.place_within(asker(1), SOON).await;
            assert!(second.is_err(), "one address has both places");
            let _other = queue.place_within(asker(2), SOON).await.expect("a place");
            drop(greedy);
            queue.place_within(asker(1), SOON).await.expect("a place");
        });
    }

    #[test]
    fn who_has_least_is_next() {
        run(async {
            let queue = Queue::new(Places::of(2, 10));
            let first = queue.place(asker(1)).await.expect("a place");
            let _second = queue.place(asker(1)).await.expect("a place");
            let order = Arc::new(Mutex::new(Vec::new()));
            let mut waiting = Vec::new();
            for number in [1, 1, 2] {
                let (queue, order) = (queue.clone(), order.clone());
                waiting.push(tokio::spawn(async move {
                    let place = queue.place(asker(number)).await.expect("a place");
                    lock(&order).push(number);
                    drop(place);
                }));
                tokio::task::yield_now().await;
            }
            drop(first);
            for waiting in waiting {
                waiting.await.expect("no panic");
            }
            assert_eq!(*lock(&order), [2, 1, 1]);
        });
    }

    #[test]
    fn who_leaves_while_waiting_takes_no_place() {
        run(async {
            let queue = Queue::new(Places::of(1, 1));
            let place = queue.place(asker(1)).await.expect("a place");
            assert!(queue.place_within(asker(1), SOON).await.is_err());
            // The one who gave up does not stand in the queue any more.
            let waits = queue.place_within(asker(2), SOON).await;
            let code = waits.expect_err("taken").message;
            assert!(code.contains("being worked on"), "{code}");
            drop(place);
            queue.place_within(asker(2), SOON).await.expect("free");
        });
    }

    #[test]
    fn work_that_nobody_waits_for_keeps_its_place() {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_time()
            .build()
            .expect("a runtime");
        runtime.block_on(async {
            let queue = Queue::new(Places::of(1, 1));
            let (end, ended) = std::sync::mpsc::channel::<()>();
            let work = queue.run(SOON, move || {
                let _ = ended.recv();
                Ok(())
            });
            // The client goes away while the thread works.
            assert!(tokio::time::timeout(SOON, work).await.is_err());
            let early = queue.place_within(asker(1), SOON).await;
            assert!(early.is_err(), "the place was free before the work ended");
            drop(end);
            let patience = Duration::from_secs(10);
            queue.place_within(asker(1), patience).await.expect("free");
        });
    }
}
