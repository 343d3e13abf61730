//! What requests say.

pub(super) use super::parameters::{Parameters, decode};

use super::refusal::Refusal;
use bytes::Bytes;
use http_body_util::{BodyExt, Limited};
use hyper::StatusCode;
use hyper::body::Incoming;
use serde::de::DeserializeOwned;

/// Longest body: a list of rows that were selected one by one.
const MAX_BODY: usize = 1 << 20;

/// The body of a request, as JSON.
pub(super) async fn body<T: DeserializeOwned>(body: Incoming) -> Result<T, Refusal> {
    let too_long =
        |_| Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, format!("expected at most {MAX_BODY} bytes"));
    let bytes: Bytes = Limited::new(body, MAX_BODY).collect().await.map_err(too_long)?.to_bytes();
    serde_json::from_slice(&bytes).map_err(|error| Refusal::bad_request(format!("malformed JSON: {error}")))
}
