//! Bodies of requests.

use crate::browse::answers::parse;
use crate::browse::refusal::Refusal;
use bytes::Bytes;
use http_body_util::{BodyExt, Limited};
use hyper::StatusCode;
use hyper::body::Incoming;
use serde::de::DeserializeOwned;

/// The longest body in bytes, enough for a list of rows selected one by one.
const MAX_BODY: usize = 1 << 20;

/// Reads the body of a request as JSON.
pub(super) async fn body<T: DeserializeOwned>(body: Incoming) -> Result<T, Refusal> {
    parse(&bytes(body).await?)
}

/// Reads the body of a request.
pub(super) async fn bytes(body: Incoming) -> Result<Bytes, Refusal> {
    let too_long =
        |_| Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, format!("expected at most {MAX_BODY} bytes"));
    Ok(Limited::new(body, MAX_BODY).collect().await.map_err(too_long)?.to_bytes())
}
