//! Answers, each with the headers that keep a browser from doing more with them than it should.

pub(super) use super::parameters::percent;
pub(super) use super::refusal::Refusal;

use bytes::Bytes;
use futures_util::Stream;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::Frame;
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use serde::Serialize;
use std::io;

/// What an answer consists of.
pub(super) type Body = UnsyncBoxBody<Bytes, io::Error>;

/// An answer.
pub(super) type Reply = Response<Body>;

/// Scripts, styles and pictures of the page itself, and what its scripts made of them; nothing else, and no frame around it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
    media-src 'self' blob:; font-src 'self'; connect-src 'self' blob:; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// What every answer has.
const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::CACHE_CONTROL, "no-store"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

impl Refusal {
    /// The answer that says so.
    pub(super) fn reply(&self) -> Reply {
        let text = serde_json::to_vec(self).unwrap_or_default();
        let mut reply = whole("application/json", text);
        *reply.status_mut() = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        reply
    }
}

/// JSON.
pub(super) fn json(value: &impl Serialize) -> Result<Reply, Refusal> {
    let text = serde_json::to_vec(value)
        .map_err(|error| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
    Ok(whole("application/json", text))
}

/// Bytes of a type.
pub(super) fn whole(kind: &str, bytes: impl Into<Bytes>) -> Reply {
    let bytes = bytes.into();
    let len = bytes.len();
    let mut reply = with_headers(kind, Full::new(bytes).map_err(|never| match never {}).boxed_unsync());
    reply.headers_mut().insert(header::CONTENT_LENGTH, len.into());
    reply
}

/// Bytes as they are made.
pub(super) fn streamed(kind: &str, bytes: impl Stream<Item = io::Result<Bytes>> + Send + 'static) -> Reply {
    use futures_util::TryStreamExt;
    with_headers(kind, StreamBody::new(bytes.map_ok(Frame::data)).boxed_unsync())
}

/// Says that the browser should save an answer as a file instead of showing it.
pub(super) fn as_download(mut reply: Reply, name: &str) -> Reply {
    // Letters that headers cannot hold are percent-encoded.
    let plain: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || "._- ".contains(c) { c } else { '_' }).collect();
    let encoded: String = name.bytes().map(percent).collect();
    let value = format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}");
    if let Ok(value) = HeaderValue::from_str(&value) {
        reply.headers_mut().insert(header::CONTENT_DISPOSITION, value);
    }
    reply
}

/// Sends the browser on to another address, with a cookie.
pub(super) fn enter(place: &str, cookie: &str) -> Reply {
    let mut reply = whole("text/plain; charset=utf-8", "");
    *reply.status_mut() = StatusCode::SEE_OTHER;
    for (name, value) in [(header::LOCATION, place), (header::SET_COOKIE, cookie)] {
        if let Ok(value) = HeaderValue::from_str(value) {
            reply.headers_mut().insert(name, value);
        }
    }
    reply
}

/// Says that an address was used before.
pub(super) fn late() -> Reply {
    const PAGE: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>uncask</title>\
        <h1>This address has been used</h1>\
        <p>Each address of uncask lets one browser in. uncask has printed a new one in its terminal: open that.</p>\
        <p>If you did not open this address before, somebody else on this machine did: end uncask.</p>";
    let mut reply = whole("text/html; charset=utf-8", PAGE);
    *reply.status_mut() = StatusCode::FORBIDDEN;
    reply
}

fn with_headers(kind: &str, body: Body) -> Reply {
    let mut reply = Response::new(body);
    let headers = reply.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if let Ok(kind) = HeaderValue::from_str(kind) {
        headers.insert(header::CONTENT_TYPE, kind);
    }
    reply
}
