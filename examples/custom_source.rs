//! Reads chunks from somewhere else than files: here, ranges of a file that a small server sends over TCP.
//!
//! ```text
//! cargo run --example custom_source -- testdata/demo/pakchunk0-Demo.utoc
//! ```
//!
//! The server speaks what `curl -r` would ask for: `GET`, a `Range` header, `206 Partial Content`.

use futures_util::StreamExt;
use std::error::Error;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use uncask::container::Toc;
use uncask::job::{Budget, Context, Cpu};
use uncask::pipeline::{Input, Plan, Selection, run as run_pipeline};
use uncask::source::{BoxFuture, Buffer, Source};
use uncask::table::Table;

/// A `.ucas` that a server has, all in one partition.
#[derive(Debug)]
struct RangeSource {
    server: SocketAddr,
    len: u64,
}

impl Source for RangeSource {
    fn check(&self, range: &Range<u64>) -> uncask::error::Result<()> {
        if range.end <= self.len {
            return Ok(());
        }
        let path = self.describe(range.start);
        Err(uncask::error::Error::TruncatedPartition { path, len: self.len, needed: range.end })
    }

    // The pipeline brings the buffer, merges neighbouring blocks before it asks, and has several requests under way.
    fn read_at(&self, offset: u64, mut buffer: Buffer) -> BoxFuture<'_, io::Result<Buffer>> {
        let server = self.server;
        let read = move || fetch(server, offset, &mut buffer).map(|()| buffer);
        Box::pin(async move {
            tokio::task::spawn_blocking(read).await.unwrap_or_else(|error| Err(io::Error::other(error)))
        })
    }

    fn describe(&self, _offset: u64) -> PathBuf {
        PathBuf::from(format!("http://{}/", self.server))
    }
}

/// Asks for exactly the bytes that fill the buffer.
fn fetch(server: SocketAddr, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
    let mut stream = BufReader::new(TcpStream::connect(server)?);
    let last = (offset + buffer.len() as u64).saturating_sub(1);
    write!(stream.get_mut(), "GET / HTTP/1.0\r\nRange: bytes={offset}-{last}\r\n\r\n")?;
    let mut line = String::new();
    stream.read_line(&mut line)?;
    if !line.contains(" 206 ") {
        return Err(io::Error::other(format!("the server says: {}", line.trim())));
    }
    while line != "\r\n" {
        line.clear();
        stream.read_line(&mut line)?;
    }
    stream.read_exact(buffer)
}

/// Serves ranges of a file on a free port, for as long as the process lives.
fn serve(file: Vec<u8>) -> io::Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // A client that went away is no concern of the next one.
            let _ = answer(stream, &file);
        }
    });
    Ok(address)
}

fn answer(mut stream: TcpStream, file: &[u8]) -> io::Result<()> {
    let mut range = None;
    for line in BufReader::new(&stream).lines() {
        let line = line?;
        if line.is_empty() {
            break;
        }
        let bytes = line.strip_prefix("Range: bytes=").and_then(|bytes| bytes.split_once('-'));
        range = range.or(bytes.and_then(|(first, last)| Some((first.parse().ok()?, last.parse().ok()?))));
    }
    let found = range.and_then(|(first, last): (usize, usize)| file.get(first..=last));
    match found {
        None => stream.write_all(b"HTTP/1.0 416 Range Not Satisfiable\r\n\r\n"),
        Some(bytes) => {
            stream.write_all(b"HTTP/1.0 206 Partial Content\r\n\r\n")?;
            stream.write_all(bytes)
        }
    }
}

/// Serves the `.ucas` of a `.utoc`, and reads and checks every chunk through the server.
pub(crate) fn run(args: &[String], out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let [path] = args else { return Err("usage: custom_source CONTAINER.utoc".into()) };
    let path = Path::new(path);
    let data = std::fs::read(path.with_extension("ucas"))?;
    let len = data.len() as u64;
    let source: Arc<dyn Source> = Arc::new(RangeSource { server: serve(data)?, len });

    let toc = Arc::new(Table::from(Toc::parse(std::fs::read(path)?.into())?));
    let plan = Plan::new(&toc, path, &*source, toc.chunks().map(Selection::whole));
    for rejected in &plan.rejected {
        writeln!(out, "cannot be read: {}", rejected.error)?;
    }
    let hash_kind = toc.chunk_hash_kind();
    let toc_of = Arc::clone(&toc);
    let input = Input { path: path.to_owned(), table: toc, source, cipher: None, hash_kind, plan };
    let context = Context::new(Cpu::new(0)?, Budget::new(64 << 20), true);
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    runtime.block_on(async {
        let mut batches = Box::pin(run_pipeline([input].into(), &context, None));
        while let Some(batch) = batches.next().await {
            for piece in &batch.pieces {
                let id = toc_of.chunk_id(piece.piece.chunk).unwrap_or_default();
                match &piece.result {
                    Ok(()) => {
                        let bytes = batch.bytes(piece).len();
                        writeln!(out, "{id} at {}: {bytes} bytes, {:?}", piece.piece.offset, piece.check)?;
                    }
                    Err(error) => writeln!(out, "{id}: {error}")?,
                }
            }
        }
        Ok(())
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    run(&args, &mut std::io::stdout().lock())
}
