//! The server of the page, by plain HTTP: what it answers, and to whom.

mod answers;
mod cancelled;
mod code;
mod compare;
mod editing;
#[cfg(target_os = "linux")]
mod memory;
mod remembered;
mod saving;
mod security;
#[cfg(unix)]
mod started;

use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::mpsc::Receiver;
use std::time::Duration;
use uncask::browse::{BrowseOptions, Server};
use uncask::crypto::KeyRing;

/// A server on a thread of its own, and what lets one in.
struct Page {
    port: u16,
    place: String,
    /// The token of the first address.
    token: String,
    /// The secret it was exchanged for.
    secret: String,
    /// Addresses for those who come later.
    addresses: Mutex<Receiver<String>>,
}

/// An answer.
struct Answer {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&self.body)))
    }

    fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}

impl Page {
    fn start(save_to: Option<&Path>) -> Self {
        Self::start_with(|options| options.save_to = save_to.map(Path::to_owned))
    }

    fn start_with(change: impl FnOnce(&mut BrowseOptions)) -> Self {
        let mut options = BrowseOptions {
            game: None,
            base: Vec::new(),
            mappings: None,
            engine: None,
            keys: KeyRing::default(),
            port: 0,
            save_to: None,
            remember_in: None,
            memory: 64 << 20,
            threads: 2,
        };
        change(&mut options);
        let (tell, told) = std::sync::mpsc::channel();
        let (next, addresses) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let server = Server::bind(options).await.unwrap();
                tell.send(server.url()).unwrap();
                server.run(|url| drop(next.send(url.to_owned()))).await.unwrap();
            });
        });
        let url = told.recv_timeout(Duration::from_secs(30)).unwrap();
        Self { addresses: Mutex::new(addresses), ..Self::at(&url) }
    }

    /// The page of a server that runs elsewhere, which is let in.
    fn at(url: &str) -> Self {
        let (_, addresses) = std::sync::mpsc::channel();
        let rest = url.strip_prefix("http://127.0.0.1:").unwrap();
        let (port, rest) = rest.split_once('/').unwrap();
        let (place, token) = rest.split_once("/?token=").unwrap();
        let mut page = Self {
            port: port.parse().unwrap(),
            place: place.to_owned(),
            token: token.to_owned(),
            secret: String::new(),
            addresses: Mutex::new(addresses),
        };
        page.secret = page.enter(token);
        page
    }

    /// Is let in by a token, and gets the secret of the cookie; empty if not.
    fn enter(&self, token: &str) -> String {
        let answer = self.request("GET", &format!("?token={token}"), &[("Host", &self.host())], b"");
        let cookie = answer.header("set-cookie").unwrap_or_default();
        let secret = cookie.strip_prefix("uncask=").and_then(|cookie| cookie.split(';').next());
        secret.unwrap_or_default().to_owned()
    }

    /// A page with the demo open.
    fn with_demo(save_to: Option<&Path>) -> Self {
        let page = Self::start(save_to);
        let answer = page.open(&demo(), &[]);
        assert_eq!(answer.status, 200, "{}", answer.json());
        page
    }

    fn open(&self, path: &Path, keys: &[&str]) -> Answer {
        self.post("api/open", &serde_json::json!({ "path": path, "keys": keys }))
    }

    /// Sends bytes, and reads the answer until the server ends it.
    fn raw(&self, request: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        // A server that has heard enough may hang up before all is sent.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(answer.len());
        let head = String::from_utf8(answer[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let body = answer.get(end + 4..).unwrap_or_default().to_vec();
        let is_chunked = head.to_lowercase().contains("transfer-encoding: chunked");
        Answer { status, head, body: if is_chunked { unchunked(&body) } else { body } }
    }

    /// A request with these header lines in place of the usual ones.
    fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let first = format!("{method} /{}/{path} HTTP/1.1\r\nConnection: close\r\n", self.place);
        let lines = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n"));
        let last = format!("Content-Length: {}\r\n\r\n", body.len());
        let head: Vec<String> = std::iter::once(first).chain(lines).chain([last]).collect();
        self.raw(&[head.concat().as_bytes(), body].concat())
    }

    fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    fn cookie(&self) -> String {
        format!("uncask={}", self.secret)
    }

    fn get(&self, path: &str) -> Answer {
        self.request("GET", path, &[("Host", &self.host()), ("Cookie", &self.cookie())], b"")
    }

    fn post(&self, path: &str, body: &Value) -> Answer {
        let (host, cookie) = (self.host(), self.cookie());
        let headers = [("Host", &*host), ("Cookie", &*cookie), ("Content-Type", "application/json")];
        self.request("POST", path, &headers, body.to_string().as_bytes())
    }

    /// The row of a path or package.
    fn row(&self, name: &str) -> u64 {
        let answer = self.get(&format!("api/row?name={name}"));
        answer.json()["row"].as_u64().unwrap_or_else(|| panic!("{name}: {}", answer.json()))
    }

    fn rows(&self, text: &str) -> Value {
        self.post("api/rows", &serde_json::json!({ "text": text, "from": 0, "count": 500 })).json()
    }
}

fn demo() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/demo")
}

/// The content of a body that was sent in pieces. One that was cut off ends early.
/// A pak with these files.
fn pak(path: &Path, files: &[(&str, &str)]) {
    let files: Vec<(&str, Option<&[u8]>)> =
        files.iter().map(|(name, text)| (*name, Some(text.as_bytes()))).collect();
    std::fs::write(path, crate::pak::with_delete_records(&files)).unwrap();
}

fn unchunked(mut body: &[u8]) -> Vec<u8> {
    let mut content = Vec::new();
    while let Some(end) = body.windows(2).position(|two| two == b"\r\n") {
        let len = std::str::from_utf8(&body[..end]).unwrap();
        let len = usize::from_str_radix(len, 16).unwrap();
        content.extend_from_slice(&body[end + 2..end + 2 + len]);
        body = &body[end + 4 + len..];
    }
    content
}
