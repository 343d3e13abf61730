//! Requests that get no answer.

use super::Page;
use serde_json::json;

#[test]
fn the_address_lets_in_once_and_the_cookie_belongs_to_its_path() {
    let page = Page::start(None);
    let (host, known) = (page.host(), page.cookie());
    let used = format!("?token={}", page.token);
    let answer = page.request("GET", &used, &[("Host", &host)], b"");
    assert_eq!((answer.status, answer.header("set-cookie")), (403, None));
    assert!(String::from_utf8_lossy(&answer.body).contains("This address has been used"));
    // The same browser may open it again.
    let answer = page.request("GET", &used, &[("Host", &host), ("Cookie", &known)], b"");
    let refresh = format!("content=\"0; url=/{}/\"", page.place);
    assert!(
        answer.status == 200 && String::from_utf8_lossy(&answer.body).contains(&refresh),
        "{}",
        answer.head
    );
    let cookie = format!("uncask={}; Path=/{}/; HttpOnly; SameSite=Strict", page.secret, page.place);
    assert_eq!(answer.header("set-cookie"), Some(&*cookie));
    // Another one is let in by the next address, and gets the same cookie.
    let next = page.addresses.lock().unwrap().recv_timeout(std::time::Duration::from_secs(30)).unwrap();
    let (_, token) = next.split_once("token=").unwrap();
    assert!(token != page.token && token != page.secret);
    assert_eq!((page.enter(token), page.enter(token)), (page.secret.clone(), String::new()));
    let answer = page.get("");
    assert_eq!(answer.status, 200);
    assert!(answer.body.starts_with(b"<!doctype html>"));
    assert_eq!(answer.header("set-cookie"), None);
}

#[test]
fn strangers_are_refused() {
    let page = Page::with_demo(None);
    let (host, cookie) = (page.host(), page.cookie());
    let (host, cookie) = (("Host", &*host), ("Cookie", &*cookie));
    let game = "api/game";
    assert_eq!(page.request("GET", game, &[host, cookie], b"").status, 200);
    for (what, headers) in [
        ("no token", &[host][..]),
        ("wrong token", &[host, ("Cookie", "uncask=00000000000000000000000000000000")]),
        ("no host", &[cookie]),
        ("foreign host", &[("Host", "evil.example"), cookie]),
        ("host of another port", &[("Host", "127.0.0.1:1"), cookie]),
        ("two hosts", &[host, ("Host", "evil.example"), cookie]),
        ("foreign origin", &[host, cookie, ("Origin", "http://evil.example")]),
        ("no origin at all", &[host, cookie, ("Origin", "null")]),
        ("another site", &[host, cookie, ("Sec-Fetch-Site", "cross-site")]),
        ("another port of this machine", &[host, cookie, ("Sec-Fetch-Site", "same-site")]),
    ] {
        let answer = page.request("GET", game, headers, b"");
        assert!(matches!(answer.status, 400 | 403), "{what}: {}", answer.head);
        assert!(!String::from_utf8_lossy(&answer.body).contains("testdata"), "{what}");
        assert_eq!(answer.header("access-control-allow-origin"), None, "{what}");
    }
    for path in ["//evil/", "/", "/favicon.ico", "/api/game", "/x/api/game"] {
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\nConnection: close\r\n\r\n",
            host.1, cookie.1
        );
        assert_eq!(page.raw(request.as_bytes()).status, 403, "{path}");
    }
}

/// Connections that any program of this machine can make, without a cookie: silent ones, half heads, and refused ones.
#[test]
fn nobody_shuts_out_the_browser() {
    use std::io::Write;
    let page = Page::with_demo(None);
    let connect = |bytes: &[u8]| {
        let mut stream = std::net::TcpStream::connect(("127.0.0.1", page.port)).unwrap();
        stream.write_all(bytes).unwrap();
        stream
    };
    let refused = format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", page.host());
    for bytes in [&b""[..], b"GET / HTTP/1.1\r\nHost: ", refused.as_bytes()] {
        let held: Vec<_> = (0..200).map(|_| connect(bytes)).collect();
        let start = std::time::Instant::now();
        assert_eq!(page.get("api/game").status, 200);
        assert!(start.elapsed() < std::time::Duration::from_secs(10), "{:?}", start.elapsed());
        drop(held);
    }
    let answer = page.raw(refused.as_bytes());
    assert_eq!((answer.status, answer.header("connection")), (403, Some("close")));
}

#[test]
fn methods_and_types_that_are_not_expected() {
    let page = Page::with_demo(None);
    let (host, cookie) = (page.host(), page.cookie());
    let (host, cookie) = (("Host", &*host), ("Cookie", &*cookie));
    let json = ("Content-Type", "application/json");
    for method in ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "PROPFIND"] {
        assert_eq!(page.request(method, "api/game", &[host, cookie, json], b"{}").status, 405, "{method}");
    }
    // What a form of another page could send.
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"] {
        let answer = page.request("POST", "api/end", &[host, cookie, ("Content-Type", kind)], b"{}");
        assert_eq!(answer.status, 415, "{kind}");
    }
    assert_eq!(page.request("GET", "api/end", &[host, cookie], b"").status, 404);
    assert_eq!(page.get("api/open").status, 404);
    assert_eq!(page.get("../../Cargo.toml").status, 404);
    assert_eq!(page.get("views/../../mod.rs").status, 404);
    assert_eq!(page.get("%2e%2e/%2e%2e/Cargo.toml").status, 404);
}

#[test]
fn requests_that_are_too_large_or_broken() {
    let page = Page::with_demo(None);
    let large = "x".repeat(2 << 20);
    let answer = page.post("api/rows", &json!({ "text": large }));
    assert_eq!(answer.status, 413, "{}", answer.head);
    let (host, cookie) = (page.host(), page.cookie());
    let long = "y".repeat(100 << 10);
    let answer =
        page.request("GET", "api/game", &[("Host", &host), ("Cookie", &cookie), ("X-Long", &long)], b"");
    assert!(matches!(answer.status, 0 | 400 | 431), "{}", answer.head);
    let many: Vec<(String, String)> = (0..200).map(|at| (format!("X-{at}"), "1".to_owned())).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|(name, value)| (&**name, &**value)).collect();
    let usual = [("Host", &*host), ("Cookie", &*cookie)];
    assert_eq!(page.request("GET", "api/game", &[&usual[..], &many].concat(), b"").status, 431);
    assert!(matches!(page.raw(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03").status, 0 | 400));
    for body in ["", "{", "[]", "{\"path\": 7}", "{\"path\": \"\"}", "\u{0}"] {
        let headers = [("Host", &*host), ("Cookie", &*cookie), ("Content-Type", "application/json")];
        assert_eq!(page.request("POST", "api/open", &headers, body.as_bytes()).status, 400, "{body:?}");
    }
    // It still answers everyone else.
    assert_eq!(page.get("api/game").status, 200);
}

#[test]
fn numbers_that_make_no_sense() {
    let page = Page::with_demo(None);
    for (path, status) in [
        ("api/chunk", 400),
        ("api/chunk?row=x", 400),
        ("api/chunk?row=-1", 400),
        ("api/chunk?row=18446744073709551615", 409),
        // The upper half of the number is that of the game.
        ("api/chunk?row=4394967294", 404),
        ("api/bytes?row=4294967296&from=18446744073709551615&count=18446744073709551615", 200),
        ("api/bytes?row=0", 409),
        ("api/bytes?row=8589934592", 409),
        ("api/properties?row=4394967294", 404),
        ("api/references?row=4394967294", 404),
        ("api/preview?row=4394967294", 404),
        ("api/preview?row=4294967296&form=exe", 400),
        ("api/download?row=4294967296&form=../raw", 400),
        ("api/zip?selection=77", 404),
        ("made/0/x", 410),
        ("made/x/../../Cargo.toml", 410),
        ("api/row?name=%00", 404),
        ("api/nothing", 404),
    ] {
        let answer = page.get(path);
        assert_eq!(answer.status, status, "{path}: {}", String::from_utf8_lossy(&answer.body));
    }
    let rows = page.post("api/rows", &json!({ "from": u64::MAX, "count": u64::MAX })).json();
    assert_eq!(rows["rows"], json!([]));
}

#[test]
fn every_answer_keeps_the_browser_from_more() {
    let page = Page::with_demo(None);
    for answer in [
        page.get(""),
        page.get("api/game"),
        page.get("main.js"),
        page.get("api/nothing"),
        page.raw(b"GET / HTTP/1.0\r\n\r\n"),
    ] {
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';"), "{policy}");
        assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
        assert!(
            policy.contains("frame-ancestors 'none'") && policy.contains("form-action 'none'"),
            "{policy}"
        );
        for (name, value) in [
            ("cache-control", "no-store"),
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(answer.header(name), Some(value));
        }
        assert_eq!(answer.header("access-control-allow-origin"), None);
    }
}
