//! Who may ask.
//!
//! Every program and every web page that is open on this machine can reach a port of it. So each request has to prove that it
//! comes from the page:
//!
//! - `Host` names this server: else a foreign name was made to lead here (DNS rebinding).
//! - `Origin`, if there is one, is the page's own, and `Sec-Fetch-Site` names no other site: else another page asks.
//! - The token is in the address that starts the page, and after that in a cookie that scripts cannot read and other sites cannot send. Cookies
//!   know no ports, so it belongs to a path that only this server knows: no other server of this machine gets to see it.
//! - What changes anything comes as JSON, which no form of another page can send.

use super::refusal::Refusal;
use hyper::header::{self, HeaderMap, HeaderName};
use hyper::http::request::Parts;
use hyper::{Method, StatusCode};

const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Who may ask, and how.
#[derive(Debug)]
pub(super) struct Guard {
    port: u16,
    token: String,
    /// First part of the path of everything that there is.
    place: String,
}

/// What a request that may be answered asks for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Pass {
    /// To be let in: its address has the token.
    Enter,
    /// What has this path, which starts with `/`.
    Path(String),
}

impl Guard {
    /// A guard with a token of its own.
    pub(super) fn new(port: u16) -> Result<Self, getrandom::Error> {
        Ok(Self { port, token: random()?, place: random()? })
    }

    /// The address that lets a browser in.
    pub(super) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/{}/?token={}", self.port, self.place, self.token)
    }

    /// Where the page is.
    pub(super) fn page(&self) -> String {
        format!("/{}/", self.place)
    }

    /// What makes a browser remember the token until it is closed.
    pub(super) fn cookie(&self) -> String {
        format!("uncask={}; Path=/{}/; HttpOnly; SameSite=Strict", self.token, self.place)
    }

    /// What a request asks for, if it may ask.
    pub(super) fn check(&self, request: &Parts) -> Result<Pass, Refusal> {
        self.check_origin(&request.headers)?;
        check_method(request)?;
        let wrong = || Refusal::forbidden("no such address; open the one that uncask printed");
        let path = request.uri.path().strip_prefix('/').unwrap_or_default();
        let (place, path) = path.split_once('/').ok_or_else(wrong)?;
        if !is_same(place, &self.place) {
            return Err(wrong());
        }
        let given = request.uri.query().and_then(|query| query.strip_prefix("token="));
        if path.is_empty() && given.is_some_and(|given| is_same(given, &self.token)) {
            return Ok(Pass::Enter);
        }
        if !cookies(&request.headers).any(|cookie| is_same(cookie, &self.token)) {
            return Err(wrong());
        }
        Ok(Pass::Path(format!("/{path}")))
    }

    fn check_origin(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let names = [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)];
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = hosts.next().and_then(|host| host.to_str().ok()).unwrap_or_default();
        if hosts.next().is_some() || !names.iter().any(|name| name == host) {
            return Err(Refusal::forbidden("the request is for another host"));
        }
        let is_own = |origin: &header::HeaderValue| {
            origin.to_str().is_ok_and(|origin| origin.strip_prefix("http://") == Some(host))
        };
        if !headers.get_all(header::ORIGIN).iter().all(is_own) {
            return Err(Refusal::forbidden("the request comes from another page"));
        }
        let is_near = |site: &header::HeaderValue| site == "same-origin" || site == "none";
        if !headers.get_all(SITE).iter().all(is_near) {
            return Err(Refusal::forbidden("the request comes from another site"));
        }
        Ok(())
    }
}

fn check_method(request: &Parts) -> Result<(), Refusal> {
    match request.method {
        Method::GET | Method::HEAD => Ok(()),
        Method::POST => {
            let kind = request.headers.get(header::CONTENT_TYPE);
            if kind.is_some_and(|kind| kind == "application/json") {
                return Ok(());
            }
            Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "expected application/json"))
        }
        _ => Err(Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "expected GET, HEAD or POST")),
    }
}

/// Values of our cookie: a browser sends one.
fn cookies(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(';')).filter_map(|cookie| cookie.trim().strip_prefix("uncask="))
}

/// Compares in a time that does not say how much is right.
fn is_same(given: &str, expected: &str) -> bool {
    let pairs = given.bytes().zip(expected.bytes());
    given.len() == expected.len() && pairs.fold(0, |differences, (a, b)| differences | (a ^ b)) == 0
}

/// 128 random bits.
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
        Guard { port: 4000, token: "t0ken".to_owned(), place: "place".to_owned() }
    }

    fn check(method: &str, path: &str, headers: &[(&str, &str)]) -> Result<Pass, u16> {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (parts, ()) = request.body(()).unwrap().into_parts();
        guard().check(&parts).map_err(|refusal| refusal.status)
    }

    const HOST: (&str, &str) = ("host", "127.0.0.1:4000");
    const COOKIE: (&str, &str) = ("cookie", "a=b; uncask=t0ken");

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

    #[test]
    fn who_is_not() {
        let json = ("content-type", "application/json");
        for (method, path, headers, status) in [
            ("GET", "/place/", &[HOST][..], 403),
            ("GET", "/place/?token=t0keN", &[HOST], 403),
            ("GET", "/place/?token=", &[HOST], 403),
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
            ("GET", "/place/", &[HOST, ("cookie", "uncask=wrong")], 403),
            ("GET", "/place/", &[HOST, ("cookie", "xuncask=t0ken")], 403),
            ("POST", "/place/", &[HOST, COOKIE], 415),
            ("POST", "/place/", &[HOST, COOKIE, ("content-type", "text/plain")], 415),
            ("DELETE", "/place/", &[HOST, COOKIE, json], 405),
            ("OPTIONS", "/place/", &[HOST, COOKIE], 405),
        ] {
            assert_eq!(check(method, path, headers), Err(status), "{method} {path} {headers:?}");
        }
    }

    #[test]
    fn tokens_differ() {
        let (a, b) = (Guard::new(1).unwrap(), Guard::new(1).unwrap());
        assert!(a.token != b.token && a.place != b.place && a.token != a.place);
        assert_eq!(a.token.len(), 32);
    }
}
