//! Streams of events (SSE): work in a thread on one end, a client on the
//! other. Whoever goes away stops the other.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use hathi_engine::Stop;
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio_stream::Stream;

use crate::error::ApiError;
use crate::state::App;

/// Events under way to a client that reads slowly.
const WAITING: usize = 64;

/// The end on which events are made.
#[derive(Clone)]
pub(crate) struct Sender {
    events: mpsc::Sender<Event>,
    /// Raised when nobody listens any more.
    pub(crate) stop: Stop,
}

/// Nobody listens any more.
#[derive(Debug)]
pub(crate) struct Gone;

impl Sender {
    /// Sends an event, from a thread that may wait.
    pub(crate) fn send<T: Serialize>(&self, name: &str, data: &T) -> Result<(), Gone> {
        if self.stop.asked() {
            return Err(Gone);
        }
        self.events
            .blocking_send(event(name, data))
            .map_err(|_| Gone)
    }

    /// Sends an event that may be left out if the client is slow.
    pub(crate) fn offer<T: Serialize>(&self, name: &str, data: &T) {
        let _ = self.events.try_send(event(name, data));
    }

    /// The last event, from asynchronous code.
    pub(crate) async fn finish_async<T: Serialize>(&self, result: Result<T, ApiError>) {
        let _ = match result {
            Ok(data) => self.send_async("done", &data).await,
            Err(error) => self.send_async("failed", &error.body()).await,
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
    _place: OwnedSemaphorePermit,
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
    let Ok(place) = app.streams.clone().try_acquire_owned() else {
        return Err(ApiError::busy("too many streams at once; try again later"));
    };
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
    Ok((Sender { events, stop }, response))
}
