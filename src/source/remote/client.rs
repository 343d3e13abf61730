//! Requests, on a separate thread.
//!
//! Callers may be blocking workers, or tasks of any runtime; so requests belong to neither. One thread drives
//! them all: it only moves bytes from sockets into buffers.

use super::{Pace, fault};
use crate::source::Buffer;
use crate::wire::counted;
use bytes::{Bytes, BytesMut};
use object_store::aws::AmazonS3Builder;
use object_store::http::HttpBuilder;
use object_store::path::Path;
use object_store::{ClientOptions, GetOptions, GetRange, ObjectStore, RetryConfig};
use std::ffi::OsString;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use url::{Position, Url};

/// Number of retries of a request that fails for no lasting reason.
const RETRIES: usize = 3;

/// Longest silence of a server. The total time of an answer is limited by [`Pace`]: tables of contents are
/// large, and lines slow.
const SILENCE: Duration = Duration::from_secs(30);

/// Server, or bucket.
#[derive(Debug)]
pub(super) struct Client {
    store: Arc<dyn ObjectStore>,
    runtime: Handle,
    /// Dropping it ends the thread.
    _alive: oneshot::Sender<()>,
}

impl Client {
    /// Connects to an address; returns the client, and the path of the file there.
    pub(super) fn new(url: &str) -> io::Result<(Self, Path)> {
        let url = Url::parse(url).map_err(invalid)?;
        let path = Path::from_url_path(url.path()).map_err(invalid)?;
        let store = connect(&url).map_err(fault::describe)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let (alive, dropped) = oneshot::channel::<()>();
        // Ends when the sender is dropped; nothing is ever sent.
        let drive = move || drop(runtime.block_on(dropped));
        std::thread::Builder::new().name("uncask-remote".to_owned()).spawn(drive)?;
        Ok((Self { store, runtime: handle, _alive: alive }, path))
    }

    pub(super) fn store(&self) -> Arc<dyn ObjectStore> {
        Arc::clone(&self.store)
    }

    /// Runs a request; any runtime may await it.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        request: impl Future<Output = io::Result<T>> + Send + 'static,
    ) -> io::Result<T> {
        self.runtime.spawn(request).await.unwrap_or_else(|error| Err(io::Error::other(error)))
    }

    /// Runs a request, and blocks until it is done.
    pub(super) fn wait<T: Send + 'static>(
        &self,
        request: impl Future<Output = io::Result<T>> + Send + 'static,
    ) -> io::Result<T> {
        let (done, result) = std::sync::mpsc::sync_channel(1);
        // The receiver waits below, so sending cannot fail.
        self.runtime.spawn(async move { drop(done.send(request.await)) });
        result.recv().unwrap_or_else(|error| Err(io::Error::other(error)))
    }
}

/// Connects by scheme: `s3://bucket/path` uses S3, everything else plain GET, even if a cloud offers both.
fn connect(url: &Url) -> object_store::Result<Arc<dyn ObjectStore>> {
    let retry = RetryConfig { max_retries: RETRIES, ..RetryConfig::default() };
    let options = ClientOptions::new()
        .with_allow_http(url.scheme() == "http")
        // A fixed limit for the whole answer would cut off slow lines: the pace limits it instead.
        .with_timeout_disabled()
        .with_read_timeout(SILENCE);
    if url.scheme() == "s3" {
        let builder = AmazonS3Builder::new().with_client_options(options).with_retry(retry);
        return Ok(Arc::new(from_environment(builder).with_url(url.as_str()).build()?));
    }
    let host = &url[..Position::BeforePath];
    Ok(Arc::new(HttpBuilder::new().with_url(host).with_client_options(options).with_retry(retry).build()?))
}

/// Takes keys, region, endpoint and other settings from the `AWS_…` variables that other tools use as well.
fn from_environment(builder: AmazonS3Builder) -> AmazonS3Builder {
    let text =
        |(name, value): (OsString, OsString)| Some((name.into_string().ok()?, value.into_string().ok()?));
    let settings = std::env::vars_os().filter_map(text).filter(|(name, _)| name.starts_with("AWS_"));
    settings.fold(builder, |builder, (name, value)| match name.to_ascii_lowercase().parse() {
        Ok(key) => builder.with_config(key, value),
        Err(_) => builder,
    })
}

fn invalid(error: impl std::error::Error + Send + Sync + 'static) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, error)
}

/// Fetches a whole file of at most `limit` bytes.
pub(super) async fn whole(
    store: Arc<dyn ObjectStore>,
    path: Path,
    limit: u64,
    pace: Pace,
) -> io::Result<Bytes> {
    let answer = pace.begin(store.get_opts(&path, GetOptions::default())).await?;
    let len = answer.meta.size;
    if len > limit {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("the file has {}, the limit is {limit}", counted(len, "byte", "bytes")),
        ));
    }
    let mut stream = pace.follow(answer.into_stream());
    // Grows as bytes arrive: the length that a server announces is no reason to allocate memory.
    let mut content = BytesMut::new();
    while let Some(bytes) = stream.next().await? {
        // More than announced: the answer is not the file that was described.
        if (content.len() + bytes.len()) as u64 > len {
            return Err(fault::wrong_length(len));
        }
        content.extend_from_slice(&bytes);
    }
    if content.len() as u64 == len { Ok(content.freeze()) } else { Err(fault::wrong_length(len)) }
}

/// Fetches the bytes of a file from `start` on, until the buffer is full.
pub(super) async fn range(
    store: Arc<dyn ObjectStore>,
    path: Path,
    start: u64,
    mut buffer: Buffer,
    pace: Pace,
) -> io::Result<Buffer> {
    let len = buffer.len() as u64;
    // An empty range cannot be expressed in a request.
    if len == 0 {
        return Ok(buffer);
    }
    let range = Some(GetRange::Bounded(start..start.saturating_add(len)));
    let answer = pace.begin(store.get_opts(&path, GetOptions { range, ..GetOptions::default() })).await?;
    let mut stream = pace.follow(answer.into_stream());
    let mut rest: &mut [u8] = &mut buffer;
    while let Some(bytes) = stream.next().await? {
        let (to, left) = rest.split_at_mut_checked(bytes.len()).ok_or_else(|| fault::wrong_length(len))?;
        to.copy_from_slice(&bytes);
        rest = left;
    }
    if rest.is_empty() { Ok(buffer) } else { Err(fault::wrong_length(len)) }
}
