//! Streams of events (SSE): work in a thread on one end, a client on the
//! other. Whoever goes away stops the other.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use hathi_engine::Stop;
use serde::Serialize;
use tokio::sync::mpsc;
use tokio_stream::Stream;

use crate::asker::Asker;
use crate::error::ApiError;
use crate::queue::{NoPlace, Place};
use crate::state::App;

/// Events under way to a client that reads slowly: all that the memory has to
/// say about a game, so that nobody waits for a client with a store in hand.
const WAITING: usize = 512;

/// A thread does not wait longer for a client that has so much to read.
const PATIENCE: Duration = Duration::from_secs(2);

/// The end on which events are made.
#[derive(Clone)]
pub(crate) struct Sender {
    app: App,
    events: mpsc::Sender<Event>,
    /// Raised when nobody listens any more.
    pub(crate) stop: Stop,
}

/// Nobody listens any more.
#[derive(Debug)]
pub(crate) struct Gone;

impl Sender {
    /// Sends an event, from a thread that may wait a moment.
    pub(crate) fn send<T: Serialize>(&self, name: &str, data: &T) -> Result<(), Gone> {
        let mut event = event(name, data);
        let given_up = Instant::now() + PATIENCE;
        loop {
            if self.stop.asked() || Instant::now() > given_up {
                return Err(Gone);
            }
            match self.events.try_send(event) {
                Ok(()) => return Ok(()),
                Err(mpsc::error::TrySendError::Closed(_)) => return Err(Gone),
                Err(mpsc::error::TrySendError::Full(back)) => event = back,
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Sends an event that may be left out if the client is slow.
    pub(crate) fn offer<T: Serialize>(&self, name: &str, data: &T) {
        let _ = self.events.try_send(event(name, data));
    }

    /// The last event, from asynchronous code.
    pub(crate) async fn finish_async<T: Serialize>(&self, result: Result<T, ApiError>) {
        let _ = match result {
            Ok(data) => self.send_async("done", &data).await,
            Err(error) => {
                let error = ApiError {
                    message: self.app.discreet(error.message),
                    ..error
                };
                self.send_async("failed", &error.body()).await
            }
        };
    }

    /// Waits until nobody listens any more.
    pub(crate) async fn closed(&self) {
        self.events.closed().await;
    }

    /// Sends an event from asynchronous code.
    pub(crate) async fn send_async<T: Serialize>(&self, name: &str, data: &T) -> Result<(), Gone> {
        self.events.send(event(name, data)).await.map_err(|_| Gone)
    }
}

fn event<T: Serialize>(name: &str, data: &T) -> Event {
    let data = serde_json::to_string(data).unwrap_or_else(|_| "null".to_owned());
    Event::default().event(name).data(data)
}

/// The client's end.
struct Receiver {
    events: mpsc::Receiver<Event>,
    stop: Stop,
    ended: Pin<Box<dyn Future<Output = ()> + Send>>,
    _place: Place,
}

impl Stream for Receiver {
    type Item = Result<Event, Infallible>;

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Event, Infallible>>> {
        match self.events.poll_recv(context) {
            Poll::Ready(event) => Poll::Ready(event.map(Ok)),
            Poll::Pending => self.ended.as_mut().poll(context).map(|()| None),
        }
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.stop.now();
    }
}

/// A stream and the end that feeds it; refused when there are too many.
pub(crate) fn open(app: &App) -> Result<(Sender, Response), ApiError> {
    let place = app
        .streams
        .try_place(Asker::current())
        .map_err(|no| match no {
            NoPlace::ForAnybody => ApiError::busy("too many streams at once; try again later"),
            NoPlace::ForYou(most) => ApiError::too_many(format!(
                "you have {most} streams open: close one of them first"
            )),
        })?;
    let (events, received) = mpsc::channel(WAITING);
    let stop = Stop::default();
    let mut stopped = app.stopped.clone();
    let longest = app.config.limits.stream;
    let receiver = Receiver {
        events: received,
        stop: stop.clone(),
        ended: Box::pin(async move {
            let stopped = stopped.wait_for(|stopped| *stopped);
            let _ = tokio::time::timeout(longest, stopped).await;
        }),
        _place: place,
    };
    let keep_alive = KeepAlive::new().interval(Duration::from_secs(10));
    let mut response = Sse::new(receiver).keep_alive(keep_alive).into_response();
    response.headers_mut().insert(
        axum::http::header::CACHE_CONTROL,
        axum::http::HeaderValue::from_static("no-store"),
    );
    let sender = Sender {
        app: app.clone(),
        events,
        stop,
    };
    Ok((sender, response))
}
