//! Answers, each with the headers that keep a browser from doing more with them than it should.

pub(super) use crate::browse::refusal::Refusal;

use crate::browse::answers::Answer;
use crate::browse::parameters::percent;
use bytes::Bytes;
use futures_util::Stream;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::Frame;
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{HeaderMap, Response, StatusCode};
use serde::Serialize;
use std::io;
use std::ops::Range;

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

/// What a question about a game is answered with.
pub(super) fn answered(Answer { kind, bytes, name, .. }: Answer) -> Reply {
    let reply = whole(kind, bytes);
    match name {
        Some(name) => as_download(reply, &name),
        None => reply,
    }
}

/// Bytes of a type.
pub(super) fn whole(kind: &str, bytes: impl Into<Bytes>) -> Reply {
    let bytes = bytes.into();
    let len = bytes.len();
    let mut reply = with_headers(kind, Full::new(bytes).map_err(|never| match never {}).boxed_unsync());
    reply.headers_mut().insert(header::CONTENT_LENGTH, len.into());
    reply
}

/// Bytes of a type, or as many of them as are asked for: a player of sounds moves about in them.
pub(super) fn ranged(kind: &str, bytes: Bytes, headers: &HeaderMap) -> Reply {
    let len = bytes.len();
    let asked = headers
        .get(header::RANGE)
        .and_then(|range| range.to_str().ok())
        .and_then(|range| parse_range(range, len));
    let mut reply = match asked {
        None => whole(kind, bytes),
        Some(Err(())) => {
            let mut reply = whole(kind, "");
            *reply.status_mut() = StatusCode::RANGE_NOT_SATISFIABLE;
            set(&mut reply, header::CONTENT_RANGE, &format!("bytes */{len}"));
            reply
        }
        Some(Ok(range)) => {
            let said = format!("bytes {}-{}/{len}", range.start, range.end.saturating_sub(1));
            let mut reply = whole(kind, bytes.slice(range));
            *reply.status_mut() = StatusCode::PARTIAL_CONTENT;
            set(&mut reply, header::CONTENT_RANGE, &said);
            reply
        }
    };
    set(&mut reply, header::ACCEPT_RANGES, "bytes");
    reply
}

/// The range that `bytes=2-5`, `bytes=2-` or `bytes=-5` means; an error if there is nothing there, `None` for what is not understood,
/// such as several ranges: then all of it is sent.
fn parse_range(text: &str, len: usize) -> Option<Result<Range<usize>, ()>> {
    let (first, last) = text.strip_prefix("bytes=")?.split_once('-')?;
    let range = match (first, last) {
        ("", last) => len.saturating_sub(last.parse().ok()?)..len,
        (first, "") => first.parse().ok()?..len,
        (first, last) => first.parse().ok()?..last.parse::<usize>().ok()?.saturating_add(1).min(len),
    };
    Some(if range.is_empty() { Err(()) } else { Ok(range) })
}

fn set(reply: &mut Reply, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        reply.headers_mut().insert(name, value);
    }
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
    set(&mut reply, header::CONTENT_DISPOSITION, &value);
    reply
}

/// Sends the browser on to another address, with a cookie.
pub(super) fn enter(place: &str, cookie: &str) -> Reply {
    let mut reply = whole("text/plain; charset=utf-8", "");
    *reply.status_mut() = StatusCode::SEE_OTHER;
    set(&mut reply, header::LOCATION, place);
    set(&mut reply, header::SET_COOKIE, cookie);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_a_file() {
        for (text, expected) in [
            ("bytes=2-5", Some(Ok(2..6))),
            ("bytes=2-", Some(Ok(2..10))),
            ("bytes=-3", Some(Ok(7..10))),
            ("bytes=-99", Some(Ok(0..10))),
            ("bytes=0-18446744073709551615", Some(Ok(0..10))),
            ("bytes=10-", Some(Err(()))),
            ("bytes=5-2", Some(Err(()))),
            ("bytes=-0", Some(Err(()))),
            ("bytes=1-2,4-5", None),
            ("bytes=x-", None),
            ("bytes=-", None),
            ("items=1-2", None),
        ] {
            assert_eq!(parse_range(text, 10), expected, "{text}");
        }
    }
}
