//! Bodies of requests.

use crate::browse::answers::parse;
use crate::browse::refusal::Refusal;
use bytes::Bytes;
use http_body_util::{BodyExt, Limited};
use hyper::StatusCode;
use hyper::body::Incoming;
use serde::de::DeserializeOwned;
use std::time::Duration;

/// The longest body in bytes, enough for a list of rows selected one by one.
const MAX_BODY: usize = 1 << 20;

/// The longest time to receive the head of a request, or its body.
pub(super) const PATIENCE: Duration = Duration::from_secs(20);

/// Reads the body of a request as JSON.
pub(super) async fn body<T: DeserializeOwned>(body: Incoming) -> Result<T, Refusal> {
    parse(&bytes(body).await?)
}

/// Reads the body of a request.
pub(super) async fn bytes(body: Incoming) -> Result<Bytes, Refusal> {
    at_most(body, MAX_BODY).await
}

/// Reads a body that may have this length.
pub(super) async fn at_most(body: Incoming, limit: usize) -> Result<Bytes, Refusal> {
    let too_long = |_| Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, format!("expected at most {limit} bytes"));
    let read = tokio::time::timeout(PATIENCE, Limited::new(body, limit).collect());
    let too_slow = |_| Refusal::new(StatusCode::REQUEST_TIMEOUT, "the body of the request does not end");
    Ok(read.await.map_err(too_slow)?.map_err(too_long)?.to_bytes())
}
