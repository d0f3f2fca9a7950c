//! Errors as clients see them: a status, a code for programs, a message for
//! people.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use hathi_store::{IndexError, StoreError};
use serde::Serialize;
use utoipa::ToSchema;

/// Why there is no answer.
#[derive(Debug)]
pub(crate) struct ApiError {
    pub(crate) status: StatusCode,
    pub(crate) code: &'static str,
    pub(crate) message: String,
}

/// The body of every error.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ErrorBody {
    error: ErrorDetail,
}

/// What went wrong.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ErrorDetail {
    /// For programs, such as `bad-position`.
    code: String,
    /// For people: what is wrong and what to do.
    message: String,
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident $status:ident $code:literal;)*) => {
        impl ApiError {
            $($(#[$doc])*
            pub(crate) fn $name(message: impl Into<String>) -> ApiError {
                ApiError {
                    status: StatusCode::$status,
                    code: $code,
                    message: message.into(),
                }
            })*
        }
    };
}

kinds! {
    bad_request BAD_REQUEST "bad-request";
    bad_position BAD_REQUEST "bad-position";
    bad_turn BAD_REQUEST "bad-turn";
    bad_pattern BAD_REQUEST "bad-pattern";
    no_password UNAUTHORIZED "password";
    foreign FORBIDDEN "foreign";
    not_found NOT_FOUND "not-found";
    not_allowed METHOD_NOT_ALLOWED "not-allowed";
    timeout REQUEST_TIMEOUT "timeout";
    conflict CONFLICT "conflict";
    too_large PAYLOAD_TOO_LARGE "too-large";
    not_json UNSUPPORTED_MEDIA_TYPE "not-json";
    too_many TOO_MANY_REQUESTS "too-many";
    #[cfg(not(feature = "pictures"))]
    left_out NOT_IMPLEMENTED "left-out";
    busy SERVICE_UNAVAILABLE "busy";
    index SERVICE_UNAVAILABLE "index";
    facts SERVICE_UNAVAILABLE "facts";
    away SERVICE_UNAVAILABLE "store-away";
    store INTERNAL_SERVER_ERROR "store";
    internal INTERNAL_SERVER_ERROR "internal";
}

impl ApiError {
    pub(crate) fn body(&self) -> ErrorBody {
        ErrorBody {
            error: ErrorDetail {
                code: self.code.to_owned(),
                message: self.message.clone(),
            },
        }
    }
}

/// What an answer says went wrong.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub(crate) code: &'static str,
    pub(crate) message: String,
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.body())).into_response();
        // The guard may have to say it with other words.
        response.extensions_mut().insert(Said {
            code: self.code,
            message: self.message,
        });
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            let soon = axum::http::HeaderValue::from_static("1");
            response
                .headers_mut()
                .insert(axum::http::header::RETRY_AFTER, soon);
        }
        if self.status == StatusCode::UNAUTHORIZED {
            // A browser asks for it and sends it from then on.
            let ask = axum::http::HeaderValue::from_static("Basic realm=\"Hathi\"");
            response
                .headers_mut()
                .insert(axum::http::header::WWW_AUTHENTICATE, ask);
        }
        response
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> ApiError {
        match error {
            StoreError::NotReady | StoreError::Index(IndexError::Damaged(_)) => {
                ApiError::index("the index of the positions is being built; try again in a moment")
            }
            error if error.is_outage() => {
                ApiError::away(format!("the store is away for the moment: {error}"))
            }
            error => ApiError::store(format!("the store cannot answer: {error}")),
        }
    }
}
