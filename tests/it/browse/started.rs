//! The browser that the command starts.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The server, which ends with the test.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Makes programs that start browsers, all of which keep what they were started with.
fn make_browsers(folder: &Path) {
    let script = format!("#!/bin/sh\ncp \"$1\" {0}/page\nprintf %s \"$1\" > {0}/started\n", folder.display());
    for name in ["xdg-open", "gio", "gnome-open", "kde-open", "wslview", "open"] {
        let path = folder.join(name);
        std::fs::write(&path, &script).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
}

/// Waits for something to happen.
fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        match look() {
            Some(found) => return found,
            None if start.elapsed() > Duration::from_secs(60) => panic!("{what} does not happen"),
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

/// Other users of the machine see the arguments of a browser, and the files that anyone may read.
#[test]
fn the_token_is_in_no_argument_and_in_a_file_that_others_cannot_read() {
    let folder = tempfile::tempdir().unwrap();
    make_browsers(folder.path());
    let mut command = Command::new(env!("CARGO_BIN_EXE_uncask"));
    command.args(["browse", "--no-recent"]).stdout(Stdio::piped()).stderr(Stdio::null()).stdin(Stdio::null());
    let path = format!("{}:/usr/bin:/bin", folder.path().display());
    command.env("PATH", path).env("TMPDIR", folder.path()).env_remove("BROWSER").env("DISPLAY", ":0");
    let mut served = Served(command.spawn().unwrap());
    let mut url = String::new();
    let mut out = BufReader::new(served.0.stdout.take().unwrap());
    out.read_line(&mut url).unwrap();
    let (address, token) = url.trim().split_once("?token=").unwrap();
    let started = wait_for("a browser starts", || {
        std::fs::read_to_string(folder.path().join("started")).ok().filter(|path| !path.is_empty())
    });
    assert!(!started.contains(token) && !started.contains("127.0.0.1"), "{started}");
    let page = std::fs::read_to_string(folder.path().join("page")).unwrap();
    assert!(page.contains(&format!("url={}", url.trim())), "{page}");
    assert_eq!(std::fs::metadata(&started).unwrap().permissions().mode() & 0o777, 0o600);
    // To a browser, the file is another site than the page.
    let (host, path) = address.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    let head = format!(
        "GET /{path}?token={token} HTTP/1.1\r\nHost: {host}\r\nSec-Fetch-Site: cross-site\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(
        answer.starts_with("HTTP/1.1 200") && answer.to_lowercase().contains("set-cookie: uncask="),
        "{answer}"
    );
    // It is of no use any more.
    wait_for("the file is removed", || (!Path::new(&started).exists()).then_some(()));
}

#[test]
fn a_port_that_is_taken_is_named() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let mut command = Command::new(env!("CARGO_BIN_EXE_uncask"));
    let ran = command.args(["browse", "--no-open", "--no-recent", "--port", &port]).output().unwrap();
    let said = String::from_utf8(ran.stderr).unwrap();
    assert!(
        !ran.status.success() && said.contains(&format!("port {port} is in use by another program")),
        "{said}"
    );
}
