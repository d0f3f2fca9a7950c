//! Large answers count until they are sent.
//!
//! Work is done in its turn, but an answer stays in memory until its client
//! has read it, and some never do. So all that are large take their size out
//! of one budget and give it back when the last of them is on its way.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper::body::{Frame, SizeHint};
use tokio::sync::OwnedSemaphorePermit;

use crate::error::ApiError;
use crate::state::App;

/// Answers up to this size do not count: there are only so many connections.
const SMALL: u64 = 128 << 10;

/// Bytes handed over at a time; the rest waits here, where it counts.
const CHUNK: usize = 32 << 10;

/// The unit of the budget.
pub(crate) const KILOBYTE: u64 = 1 << 10;

/// A body that holds its part of the budget until all of it is handed over.
struct Counted {
    inner: Body,
    rest: Bytes,
    left: u64,
    _share: OwnedSemaphorePermit,
}

impl HttpBody for Counted {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.rest.is_empty() {
            match Pin::new(&mut self.inner).poll_frame(context) {
                Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                    Ok(data) => self.rest = data,
                    Err(frame) => return Poll::Ready(Some(Ok(frame))),
                },
                other => return other,
            }
        }
        let size = CHUNK.min(self.rest.len());
        let chunk = self.rest.split_to(size);
        self.left = self.left.saturating_sub(size as u64);
        Poll::Ready(Some(Ok(Frame::data(chunk))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}

/// Answers that are too large wait for nobody: there is room, or they are
/// refused.
pub(crate) async fn count(State(app): State<App>, request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let Some(size) = response
        .body()
        .size_hint()
        .exact()
        .filter(|&size| size > SMALL)
    else {
        return response;
    };
    let share = u32::try_from(size / KILOBYTE).ok();
    let share = share.and_then(|share| {
        let budget = Arc::clone(&app.sending);
        budget.try_acquire_many_owned(share).ok()
    });
    let Some(share) = share else {
        return ApiError::busy("too much is being sent; try again in a moment").into_response();
    };
    response.map(|inner| {
        Body::new(Counted {
            inner,
            rest: Bytes::new(),
            left: size,
            _share: share,
        })
    })
}
