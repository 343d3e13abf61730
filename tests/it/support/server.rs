//! A server of files on a free port, which writes down what it is asked, and misbehaves on request.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A server's way of answering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// As it should.
    Good,
    /// With this status, whatever is asked.
    Status(&'static str),
    /// With the whole file, whatever range is asked.
    IgnoresRanges,
    /// With the range that was asked for, it says, and half of its bytes.
    CutsOff,
    /// With what it has, but the promise of so many bytes.
    Promises(u64),
    /// With fewer bytes than were asked for, and says so.
    SendsLess,
    /// With the bytes after the range that was asked for, and says so.
    SendsOther,
    /// As it should, but a byte every twentieth of a second, from the status line on or only in the content.
    Drips {
        /// True if the status line and the headers arrive at once.
        head_at_once: bool,
    },
}

/// A request: what it was for, and how many bytes of content went back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) path: String,
    /// First and last byte.
    pub(crate) range: Option<(u64, u64)>,
    pub(crate) signed: bool,
    pub(crate) sent: u64,
}

/// A running server; its threads end with the process.
#[derive(Debug, Clone)]
pub(crate) struct Server {
    /// `http://127.0.0.1:PORT`
    pub(crate) url: String,
    state: Arc<Mutex<State>>,
}

#[derive(Debug)]
struct State {
    files: BTreeMap<String, Vec<u8>>,
    /// The way of answering for paths with this ending.
    manners: Vec<(String, Manner)>,
    asked: Vec<Asked>,
}

impl Server {
    /// Serves these files, by their paths: `/a.utoc`.
    pub(crate) fn new(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let state = State { files: files.into_iter().collect(), manners: Vec::new(), asked: Vec::new() };
        let server = Self { url, state: Arc::new(Mutex::new(state)) };
        let shared = server.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let server = shared.clone();
                std::thread::spawn(move || server.talk(&stream));
            }
        });
        server
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on, answers for paths that end in `suffix` like this.
    pub(crate) fn behave(&self, suffix: &str, manner: Manner) {
        self.state().manners.insert(0, (suffix.to_owned(), manner));
    }

    /// The requests since the last call.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        std::mem::take(&mut self.state().asked)
    }

    /// The requests, one per line.
    pub(crate) fn trace(&self) -> String {
        self.asked().iter().fold(String::new(), |mut text, Asked { path, range, signed, sent }| {
            let range = range.map_or_else(String::new, |(first, last)| format!(" {first}-{last}"));
            let signed = if *signed { ", signed" } else { "" };
            writeln!(text, "{path}{range}: {sent} bytes{signed}").expect("a string takes everything");
            text
        })
    }

    /// Answers the requests of a connection, until it is closed or an answer calls for that.
    fn talk(&self, stream: &TcpStream) {
        let mut lines = BufReader::new(stream);
        while let Some((asked, head)) = read_request(&mut lines) {
            let manner = self.manner(&asked.path);
            let (answer, keep) = self.answer(asked, head);
            // A client that went away is no concern of the next one.
            if send(stream, &answer, manner).is_err() || !keep {
                return;
            }
        }
    }

    fn manner(&self, path: &str) -> Manner {
        let state = self.state();
        let found = state.manners.iter().find(|(suffix, _)| path.ends_with(suffix));
        found.map_or(Manner::Good, |(_, manner)| *manner)
    }

    /// An answer, and whether the connection stays open after it.
    fn answer(&self, mut asked: Asked, head: bool) -> (Vec<u8>, bool) {
        let manner = self.manner(&asked.path);
        let mut state = self.state();
        let (status, headers, mut body) = match (manner, state.files.get(&asked.path)) {
            (Manner::Status(status), _) => {
                (status, String::new(), b"<Error>no\nlonger text</Error>".to_vec())
            }
            (_, None) => ("404 Not Found", String::new(), b"<html>".to_vec()),
            (_, Some(file)) => content(file, asked.range, manner),
        };
        let len = if let Manner::Promises(len) = manner { len } else { body.len() as u64 };
        let mut answer = format!("HTTP/1.1 {status}\r\nContent-Length: {len}\r\n{headers}\r\n").into_bytes();
        if manner == Manner::CutsOff {
            body.truncate(body.len() / 2);
        }
        if !head {
            asked.sent = body.len() as u64;
            answer.extend(body);
        }
        state.asked.push(asked);
        (answer, !matches!(manner, Manner::CutsOff | Manner::Promises(_)))
    }
}

/// Sends an answer, all at once or in drips.
fn send(mut stream: &TcpStream, answer: &[u8], manner: Manner) -> std::io::Result<()> {
    let Manner::Drips { head_at_once } = manner else { return stream.write_all(answer) };
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n").expect("headers") + 4;
    let (head, content) = answer.split_at(if head_at_once { end } else { 0 });
    stream.write_all(head)?;
    for byte in content {
        stream.write_all(&[*byte])?;
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    Ok(())
}

fn read_request(lines: &mut impl BufRead) -> Option<(Asked, bool)> {
    let mut line = String::new();
    lines.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let mut words = line.split(' ');
    let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut asked = Asked { path, range: None, signed: false, sent: 0 };
    loop {
        line.clear();
        lines.read_line(&mut line).ok().filter(|read| *read > 0)?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        if name.eq_ignore_ascii_case("range") {
            let (first, last) = value.strip_prefix("bytes=")?.split_once('-')?;
            asked.range = Some((first.parse().ok()?, last.parse().ok()?));
        }
        asked.signed |= name.eq_ignore_ascii_case("authorization");
    }
    Some((asked, method == "HEAD"))
}

/// Status, headers and content for a file.
fn content(file: &[u8], range: Option<(u64, u64)>, manner: Manner) -> (&'static str, String, Vec<u8>) {
    let Some((first, last)) = range.filter(|_| manner != Manner::IgnoresRanges) else {
        return ("200 OK", String::new(), file.to_vec());
    };
    let (first, last) = match manner {
        Manner::SendsLess => (first, first + (last - first) / 2),
        Manner::SendsOther => (first + 1, last + 1),
        _ => (first, last.min((file.len() as u64).saturating_sub(1))),
    };
    let place = usize::try_from(first).expect("small")..=usize::try_from(last).expect("small");
    match file.get(place).filter(|bytes| !bytes.is_empty()) {
        None => ("416 Range Not Satisfiable", String::new(), Vec::new()),
        Some(bytes) => {
            let headers = format!("Content-Range: bytes {first}-{last}/{}\r\n", file.len());
            ("206 Partial Content", headers, bytes.to_vec())
        }
    }
}
