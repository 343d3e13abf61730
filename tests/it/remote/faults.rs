//! Servers that do not do what they should: errors, and no byte of data.

use super::{MAIN, SPLIT, demo, largest, shown, snapshot, uncask};
use crate::support::server::{Manner, Server};
use std::net::TcpListener;
use std::time::{Duration, Instant};
use uncask::source::{Buffer, Pace, Remote, Source};

/// The message of `get` for the largest chunk, which must not have printed a byte.
fn get(server: &Server) -> String {
    let url = format!("{}/{MAIN}.utoc", server.url);
    let run = uncask(&["get", &url, &largest(MAIN)]);
    assert_eq!((run.stdout.as_str(), run.code != 0), ("", true), "{run:?}");
    shown(&run, server)
}

#[test]
fn wrong_answers_are_errors() {
    let mut reported = String::new();
    for manner in [
        Manner::IgnoresRanges,
        Manner::CutsOff,
        Manner::SendsLess,
        Manner::SendsOther,
        Manner::Status("403 Forbidden"),
        Manner::Status("404 Not Found"),
        Manner::Status("500 Internal Server Error"),
    ] {
        let server = demo("");
        server.behave(".ucas", manner);
        reported = format!("{reported}{manner:?}: {}", get(&server));
    }
    snapshot("wrong_answers", &reported);
}

#[test]
fn tables_of_contents_that_do_not_come() {
    let mut reported = String::new();
    for manner in [
        Manner::CutsOff,
        Manner::Promises(1 << 40),
        Manner::Status("401 Unauthorized"),
        Manner::Status("404 Not Found"),
        Manner::Status("503 Service Unavailable"),
    ] {
        let server = demo("");
        server.behave(".utoc", manner);
        let run = uncask(&["list", &format!("{}/{MAIN}.utoc", server.url)]);
        reported = format!("{reported}{manner:?}: {}", shown(&run, &server));
    }
    snapshot("no_table", &reported);
}

#[test]
fn a_partition_that_is_missing_costs_what_lies_in_it_and_one_request() {
    let server = demo("");
    server.behave("_s1.ucas", Manner::Status("404 Not Found"));
    let run = uncask(&["verify", &format!("{}/{SPLIT}.utoc", server.url)]);
    snapshot("missing_partition", &shown(&run, &server));
}

#[test]
fn a_file_that_is_too_short_costs_what_it_lacks() {
    let whole = std::fs::read("testdata/demo/pakchunk0-Demo.ucas").expect("the demo");
    let toc = std::fs::read("testdata/demo/pakchunk0-Demo.utoc").expect("the demo");
    let cut = whole[..whole.len() / 2].to_vec();
    let server = Server::new([("/x.utoc".to_owned(), toc), ("/x.ucas".to_owned(), cut)]);
    let run = uncask(&["verify", &format!("{}/x.utoc", server.url)]);
    snapshot("short_file", &shown(&run, &server));
}

#[test]
fn nobody_answers() {
    let port = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address").port();
    let run = uncask(&["list", &format!("http://127.0.0.1:{port}/a.utoc")]).expect(3);
    let text = run.stderr.replace(&port.to_string(), "PORT");
    assert!(text.contains("refused") && text.ends_with("http://127.0.0.1:PORT/a.utoc\n"), "{text}");
}

/// A byte now and then: never silent, never done.
#[test]
fn a_server_that_drips_is_given_up() {
    let pace = Pace { start: Duration::from_millis(600), window: Duration::from_millis(400), least: 10_000 };
    let mut reported = String::new();
    for head_at_once in [true, false] {
        let server = demo("");
        server.behave(".utoc", Manner::Drips { head_at_once });
        let remote = Remote::open(&format!("{}/{MAIN}.utoc", server.url)).unwrap().with_pace(pace);
        let start = Instant::now();
        let error = remote.read_toc().unwrap_err().to_string();
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
        reported.push_str(&error.replace(&server.url, "http://server"));
        reported.push('\n');
    }
    let reported = regex::Regex::new(r"\d+ bytes in").unwrap().replace_all(&reported, "<n> bytes in");
    insta::assert_snapshot!(reported, @r"
    cannot read: the server is too slow: <n> bytes in 400ms, expected 10000: http://server/pakchunk0-Demo.utoc
    cannot read: the server has not answered within 600ms: http://server/pakchunk0-Demo.utoc
    ");
}

#[test]
fn data_that_drip_are_waited_for_once() {
    let pace = Pace { window: Duration::from_millis(400), least: 10_000, ..Pace::default() };
    let server = demo("");
    server.behave(".ucas", Manner::Drips { head_at_once: true });
    let remote = Remote::open(&format!("{}/{MAIN}.utoc", server.url)).unwrap().with_pace(pace);
    let data = remote.data(u64::MAX);
    let start = Instant::now();
    for _ in 0..50 {
        let read = crate::support::block_on(data.read_at(0, Buffer::new(1000)));
        assert_eq!(read.unwrap_err().kind(), std::io::ErrorKind::TimedOut);
    }
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn secrets_are_not_repeated() {
    let server = demo("");
    let host = server.url.strip_prefix("http://").expect("an address");
    let mut reported = String::new();
    for url in [
        format!("http://me:hunter2@{host}/{MAIN}.utoc"),
        format!("http://{host}/{MAIN}.utoc?token=hunter2"),
        format!("http://{host}/{MAIN}.ucas"),
    ] {
        reported += &shown(&uncask(&["list", &url]), &server);
    }
    assert!(!reported.contains("hunter2") && server.asked().is_empty(), "{reported}");
    snapshot("secrets", &reported);
}
