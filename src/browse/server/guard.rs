//! Access control.
//!
//! Every program and every web page open on this machine can reach its ports. So each request has to prove that it
//! comes from the page:
//!
//! - `Host` names this server; otherwise a foreign name resolves to this machine (DNS rebinding).
//! - `Origin`, if present, is the page's own, and `Sec-Fetch-Site` names no other site; otherwise another page sends
//!   the request. Only the start address may be opened from elsewhere: a file leads a browser to it.
//! - The start address has a token that is valid once. It is exchanged for a cookie with a secret, which scripts cannot
//!   read and other sites cannot send. Cookies ignore ports, so the cookie is bound to a random path, and no other
//!   server on this machine receives it.
//! - Changing requests have a JSON body, which no form of another page can send.

use crate::browse::refusal::Refusal;
use hyper::header::{self, HeaderMap, HeaderName};
use hyper::http::request::Parts;
use hyper::{Method, StatusCode};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// The longest request head in bytes.
pub(super) const MAX_HEAD: usize = 32 << 10;

const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Secrets, and checks of requests.
#[derive(Debug)]
pub(super) struct Guard {
    port: u16,
    /// Value of the cookie.
    secret: String,
    /// Token of the address for the next browser.
    token: Mutex<String>,
    used: Notify,
    /// Random first component of all paths.
    place: String,
}

/// Purpose of an accepted request.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Pass {
    /// Entering the page, with the token or after entering before.
    Enter,
    /// Entering with a token that was used before.
    Late,
    /// Requesting this path, which starts with `/`.
    Path(String),
}

impl Guard {
    /// A guard with new secrets.
    pub(super) fn new(port: u16) -> Result<Self, getrandom::Error> {
        let (secret, place, token) = (random()?, random()?, Mutex::new(random()?));
        Ok(Self { port, secret, token, used: Notify::new(), place })
    }

    /// The address that lets one browser in.
    pub(super) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/{}/?token={}", self.port, self.place, self.token())
    }

    /// Waits until the address was used and replaced.
    pub(super) async fn used(&self) {
        self.used.notified().await;
    }

    fn token(&self) -> MutexGuard<'_, String> {
        self.token.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// True if this is the current token, which is used up by that.
    fn redeem(&self, given: &str) -> bool {
        let mut token = self.token();
        // An empty token means that there were no random numbers for a new one: then nobody is let in.
        if !is_same(given, &token) || token.is_empty() {
            return false;
        }
        *token = random().unwrap_or_default();
        self.used.notify_one();
        true
    }

    /// Path of the page.
    pub(super) fn page(&self) -> String {
        format!("/{}/", self.place)
    }

    /// Session cookie with the secret; the browser drops it when it is closed.
    pub(super) fn cookie(&self) -> String {
        format!("uncask={}; Path=/{}/; HttpOnly; SameSite=Strict", self.secret, self.place)
    }

    /// Checks a request, and returns its purpose.
    pub(super) fn check(&self, request: &Parts) -> Result<Pass, Refusal> {
        self.check_host(&request.headers)?;
        check_method(request)?;
        check_len(request)?;
        let wrong = || Refusal::forbidden("no such address; open the one that uncask printed");
        let path = request.uri.path().strip_prefix('/').unwrap_or_default();
        let (place, path) = path.split_once('/').ok_or_else(wrong)?;
        // Both secrets are compared in constant time, and a wrong path gets the same answer as a missing cookie.
        if !is_same(place, &self.place) {
            return Err(wrong());
        }
        let is_known = cookies(&request.headers).any(|cookie| is_same(cookie, &self.secret));
        let token = request.uri.query().and_then(|query| query.strip_prefix("token="));
        let token = token.filter(|_| path.is_empty() && request.method == Method::GET);
        // The token is proof enough, and the cookie is not sent from other sites anyway.
        if token.is_none() {
            check_site(&request.headers)?;
        }
        match token {
            // Opening the address again in the same browser does not use up the new token.
            Some(token) if is_known || self.redeem(token) => Ok(Pass::Enter),
            Some(_) => Ok(Pass::Late),
            None if is_known => Ok(Pass::Path(format!("/{path}"))),
            None => Err(wrong()),
        }
    }

    fn check_host(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        // Browsers leave out the port of HTTP itself.
        let port = if self.port == 80 { String::new() } else { format!(":{}", self.port) };
        let names = [format!("127.0.0.1{port}"), format!("localhost{port}")];
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = hosts.next().and_then(|host| host.to_str().ok()).unwrap_or_default();
        // Two `Host` lines could be read differently by different programs, so that is refused.
        if hosts.next().is_some() || !names.iter().any(|name| name == host) {
            return Err(Refusal::forbidden("the request is for another host"));
        }
        // The page may be opened as 127.0.0.1 or localhost, so compare with the host of this request.
        let is_own = |origin: &header::HeaderValue| {
            origin.to_str().is_ok_and(|origin| origin.strip_prefix("http://") == Some(host))
        };
        if !headers.get_all(header::ORIGIN).iter().all(is_own) {
            return Err(Refusal::forbidden("the request comes from another page"));
        }
        Ok(())
    }
}

fn check_site(headers: &HeaderMap) -> Result<(), Refusal> {
    let is_near = |site: &header::HeaderValue| site == "same-origin" || site == "none";
    if !headers.get_all(SITE).iter().all(is_near) {
        return Err(Refusal::forbidden("the request comes from another site"));
    }
    Ok(())
}

/// Refuses heads that are too long: the buffer they are read into grows in steps, so it holds longer ones.
fn check_len(request: &Parts) -> Result<(), Refusal> {
    let line = |(name, value): (&HeaderName, &header::HeaderValue)| name.as_str().len() + value.len() + 4;
    let target = request.uri.path_and_query().map_or(0, |target| target.as_str().len());
    let len = request.headers.iter().map(line).fold(target, usize::saturating_add);
    if len > MAX_HEAD {
        let problem = format!("the head of the request has {len} bytes, expected at most {MAX_HEAD}");
        return Err(Refusal::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, problem));
    }
    Ok(())
}

fn check_method(request: &Parts) -> Result<(), Refusal> {
    match request.method {
        Method::GET | Method::HEAD => Ok(()),
        Method::POST => {
            let kind = request.headers.get(header::CONTENT_TYPE);
            if kind.is_some_and(|kind| kind == "application/json" || kind == "application/octet-stream") {
                return Ok(());
            }
            Err(Refusal::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "expected application/json or application/octet-stream",
            ))
        }
        _ => Err(Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "expected GET, HEAD or POST")),
    }
}

/// Values of our cookie in a request.
fn cookies(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(';')).filter_map(|cookie| cookie.trim().strip_prefix("uncask="))
}

/// Compares in constant time, so that timing does not show how much is right.
fn is_same(given: &str, expected: &str) -> bool {
    let pairs = given.bytes().zip(expected.bytes());
    given.len() == expected.len() && pairs.fold(0, |differences, (a, b)| differences | (a ^ b)) == 0
}

/// 128 random bits, as hex digits.
fn random() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(hex::encode(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::Request;

    fn guard() -> Guard {
        Guard {
            port: 4000,
            secret: "s3cret".to_owned(),
            token: Mutex::new("t0ken".to_owned()),
            used: Notify::new(),
            place: "place".to_owned(),
        }
    }

    fn check(method: &str, path: &str, headers: &[(&str, &str)]) -> Result<Pass, u16> {
        check_by(&guard(), method, path, headers)
    }

    fn check_by(guard: &Guard, method: &str, path: &str, headers: &[(&str, &str)]) -> Result<Pass, u16> {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (parts, ()) = request.body(()).unwrap().into_parts();
        guard.check(&parts).map_err(|refusal| refusal.status)
    }

    const HOST: (&str, &str) = ("host", "127.0.0.1:4000");
    const COOKIE: (&str, &str) = ("cookie", "a=b; uncask=s3cret");

    #[test]
    fn who_is_let_in() {
        assert_eq!(check("GET", "/place/?token=t0ken", &[HOST]), Ok(Pass::Enter));
        let path = || Ok(Pass::Path("/api/rows".to_owned()));
        assert_eq!(check("GET", "/place/api/rows", &[HOST, COOKIE]), path());
        assert_eq!(check("GET", "/place/api/rows", &[("host", "localhost:4000"), COOKIE]), path());
        let own = ("origin", "http://127.0.0.1:4000");
        let (json, site) = (("content-type", "application/json"), ("sec-fetch-site", "same-origin"));
        assert_eq!(check("POST", "/place/api/rows", &[HOST, COOKIE, own, json, site]), path());
    }

    #[tokio::test]
    async fn an_address_lets_one_browser_in() {
        let guard = guard();
        let enter = |headers: &[(&str, &str)]| check_by(&guard, "GET", "/place/?token=t0ken", headers);
        assert_eq!(
            check_by(&guard, "HEAD", "/place/?token=t0ken", &[HOST]),
            Err(403),
            "a look uses up nothing"
        );
        assert_eq!(enter(&[HOST, COOKIE]), Ok(Pass::Enter), "nor does who was in before");
        assert_eq!(guard.url(), "http://127.0.0.1:4000/place/?token=t0ken");
        assert_eq!(enter(&[HOST]), Ok(Pass::Enter));
        guard.used().await;
        assert_eq!(enter(&[HOST]), Ok(Pass::Late));
        assert_eq!(enter(&[HOST, COOKIE]), Ok(Pass::Enter));
        let next = guard.url();
        let (_, token) = next.split_once("token=").unwrap();
        assert!(token.len() == 32 && token != "t0ken");
        assert_eq!(check_by(&guard, "GET", &format!("/place/?token={token}"), &[HOST]), Ok(Pass::Enter));
        assert_ne!(guard.url(), next);
        // Without random numbers nobody else is let in.
        *guard.token() = String::new();
        assert_eq!(check_by(&guard, "GET", "/place/?token=", &[HOST]), Ok(Pass::Late));
    }

    #[test]
    fn who_is_not() {
        let json = ("content-type", "application/json");
        for (method, path, headers, status) in [
            ("GET", "/place/", &[HOST][..], 403),
            ("GET", "/place/api/rows?token=t0ken", &[HOST], 403),
            ("GET", "/other/", &[HOST, COOKIE], 403),
            ("GET", "/", &[HOST, COOKIE], 403),
            ("GET", "/place/", &[COOKIE], 403),
            ("GET", "/place/", &[("host", "evil.example:4000"), COOKIE], 403),
            ("GET", "/place/", &[("host", "127.0.0.1:4001"), COOKIE], 403),
            ("GET", "/place/", &[HOST, ("host", "evil.example"), COOKIE], 403),
            ("GET", "/place/", &[HOST, COOKIE, ("origin", "http://evil.example")], 403),
            ("GET", "/place/", &[HOST, COOKIE, ("origin", "null")], 403),
            ("GET", "/place/", &[HOST, COOKIE, ("origin", "http://localhost:4000")], 403),
            ("GET", "/place/", &[HOST, COOKIE, ("sec-fetch-site", "cross-site")], 403),
            ("GET", "/place/", &[HOST, COOKIE, ("sec-fetch-site", "same-site")], 403),
            ("GET", "/place/?x=t0ken", &[HOST, COOKIE, ("sec-fetch-site", "cross-site")], 403),
            ("POST", "/place/?token=t0ken", &[HOST, COOKIE, json, ("sec-fetch-site", "cross-site")], 403),
            ("GET", "/place/?token=t0ken", &[HOST, ("origin", "http://evil.example")], 403),
            ("GET", "/place/?token=t0ken", &[("host", "127.0.0.1"), COOKIE], 403),
            ("GET", "/place/", &[HOST, ("cookie", "uncask=wrong")], 403),
            ("GET", "/place/", &[HOST, ("cookie", "xuncask=t0ken")], 403),
            ("POST", "/place/", &[HOST, COOKIE], 415),
            ("POST", "/place/", &[HOST, COOKIE, ("content-type", "text/plain")], 415),
            ("DELETE", "/place/", &[HOST, COOKIE, json], 405),
            ("OPTIONS", "/place/", &[HOST, COOKIE], 405),
        ] {
            assert_eq!(check(method, path, headers), Err(status), "{method} {path} {headers:?}");
        }
        for path in ["/place/?token=t0keN", "/place/?token=", "/place/?token=s3cret"] {
            assert_eq!(check("GET", path, &[HOST]), Ok(Pass::Late), "{path}");
        }
        assert_eq!(check("GET", "/place/?token=t0ken", &[HOST, ("cookie", "uncask=t0ken")]), Ok(Pass::Enter));
        assert_eq!(check("GET", "/place/", &[HOST, ("cookie", "uncask=t0ken")]), Err(403));
    }

    /// A file that leads to the address is another site to a browser.
    #[test]
    fn the_start_address_is_opened_from_anywhere() {
        let from_file = ("sec-fetch-site", "cross-site");
        assert_eq!(check("GET", "/place/?token=t0ken", &[HOST, from_file]), Ok(Pass::Enter));
    }

    #[test]
    fn browsers_leave_out_the_port_of_http() {
        let guard = Guard { port: 80, ..guard() };
        let check = |host| check_by(&guard, "GET", "/place/", &[("host", host), COOKIE]);
        assert_eq!(check("127.0.0.1"), Ok(Pass::Path("/".to_owned())));
        assert_eq!(check("localhost"), Ok(Pass::Path("/".to_owned())));
        assert_eq!(check("127.0.0.1:81"), Err(403));
    }

    #[test]
    fn heads_have_a_length() {
        let fixed = "/place/".len()
            + [HOST, COOKIE].map(|(name, value)| name.len() + value.len() + 4).iter().sum::<usize>();
        for (len, expected) in [(MAX_HEAD, Ok(Pass::Path("/".to_owned()))), (MAX_HEAD + 1, Err(431))] {
            let filling = "x".repeat(len - fixed - "a".len() - 4);
            assert_eq!(check("GET", "/place/", &[HOST, COOKIE, ("a", &filling)]), expected, "{len}");
        }
    }

    #[test]
    fn tokens_differ() {
        let (a, b) = (Guard::new(1).unwrap(), Guard::new(1).unwrap());
        let all = [a.token(), b.token()].map(|token| token.clone());
        let all = [&all[0], &all[1], &a.place, &b.place, &a.secret, &b.secret];
        let different: std::collections::HashSet<&String> = all.into_iter().collect();
        assert!(different.len() == 6 && all.iter().all(|text| text.len() == 32), "{all:?}");
    }
}
