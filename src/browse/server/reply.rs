//! HTTP replies, with headers that restrict what a browser may do with them.

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

/// Body of a reply.
pub(super) type Body = UnsyncBoxBody<Bytes, io::Error>;

/// A reply.
pub(super) type Reply = Response<Body>;

/// Content policy: only scripts, styles and pictures of the page itself and data made by its scripts; no frame around
/// it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
    media-src 'self' blob:; font-src 'self'; connect-src 'self' blob:; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// Headers of every reply.
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
    /// The reply for a refused request.
    pub(super) fn reply(&self) -> Reply {
        let text = serde_json::to_vec(self).unwrap_or_default();
        let mut reply = whole("application/json", text);
        *reply.status_mut() = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        reply
    }
}

/// A JSON reply.
pub(super) fn json(value: &impl Serialize) -> Result<Reply, Refusal> {
    let text = serde_json::to_vec(value)
        .map_err(|error| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
    Ok(whole("application/json", text))
}

/// The reply for an answer about a game.
pub(super) fn answered(Answer { kind, bytes, name, .. }: Answer) -> Reply {
    let reply = whole(kind, bytes);
    match name {
        Some(name) => as_download(reply, &name),
        None => reply,
    }
}

/// A reply with a complete body.
pub(super) fn whole(kind: &str, bytes: impl Into<Bytes>) -> Reply {
    let bytes = bytes.into();
    let len = bytes.len();
    let mut reply = with_headers(kind, Full::new(bytes).map_err(|never| match never {}).boxed_unsync());
    reply.headers_mut().insert(header::CONTENT_LENGTH, len.into());
    reply
}

/// A reply with a body or the requested range of it: audio players seek.
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

/// Parses `bytes=2-5`, `bytes=2-` or `bytes=-5`; an error if the range is empty, `None` for anything else, such as
/// several ranges: then the whole body is sent.
fn parse_range(text: &str, len: usize) -> Option<Result<Range<usize>, ()>> {
    let (first, last) = text.strip_prefix("bytes=")?.split_once('-')?;
    let range = match (first, last) {
        // A suffix: the last bytes of the file. The end of an ordinary range is inclusive.
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

/// A reply that is streamed.
pub(super) fn streamed(kind: &str, bytes: impl Stream<Item = io::Result<Bytes>> + Send + 'static) -> Reply {
    use futures_util::TryStreamExt;
    with_headers(kind, StreamBody::new(bytes.map_ok(Frame::data)).boxed_unsync())
}

/// Turns a reply into a download.
pub(super) fn as_download(mut reply: Reply, name: &str) -> Reply {
    // Headers are ASCII: old clients get a simplified name, new ones the percent-encoded one.
    let plain: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || "._- ".contains(c) { c } else { '_' }).collect();
    let encoded: String = name.bytes().map(percent).collect();
    let value = format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}");
    set(&mut reply, header::CONTENT_DISPOSITION, &value);
    reply
}

/// Sets the cookie and leads to the page.
pub(super) fn enter(place: &str, cookie: &str) -> Reply {
    // A redirect would still count as a request of whatever opened the address, and browsers send strict cookies only with
    // requests of the site itself. The next address also takes the token out of the address bar.
    let page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>uncask</title>\
         <meta http-equiv=\"refresh\" content=\"0; url={place}\"><p><a href=\"{place}\">Open the page</a></p>"
    );
    let mut reply = whole("text/html; charset=utf-8", page);
    set(&mut reply, header::SET_COOKIE, cookie);
    reply
}

/// The reply for an address that was used before.
pub(super) fn late() -> Reply {
    const PAGE: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>uncask</title>\
        <h1>This address has been used</h1>\
        <p>Each address of uncask lets one browser in. uncask has printed a new one in its terminal: open that.</p>\
        <p>If you did not open this address before, someone else on this machine used it first: end uncask.</p>";
    let mut reply = whole("text/html; charset=utf-8", PAGE);
    *reply.status_mut() = StatusCode::FORBIDDEN;
    reply
}

/// The reply after which the connection ends.
pub(super) fn last(mut reply: Reply) -> Reply {
    reply.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
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
