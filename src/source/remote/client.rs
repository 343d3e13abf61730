//! Requests, on a separate thread.
//!
//! Callers may be blocking workers, or tasks of any runtime; so requests belong to neither. One thread drives
//! them all: it only moves bytes from sockets into buffers.

use super::edition::Edition;
use super::{Pace, fault};
use crate::source::{Answers, Buffer, answers};
use crate::wire::counted;
use bytes::{Bytes, BytesMut};
use object_store::aws::AmazonS3Builder;
use object_store::http::HttpBuilder;
use object_store::multipart::MultipartStore;
use object_store::path::Path;
use object_store::{
    ClientOptions, GetOptions, GetRange, ObjectMeta, ObjectStore, ObjectStoreExt as _, RetryConfig,
};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::sync::{Arc, Mutex, PoisonError, Weak};
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
pub(crate) struct Client {
    store: Arc<dyn ObjectStore>,
    /// The same store, if files can be written to it in parts.
    bucket: Option<Arc<dyn Bucket>>,
    runtime: Handle,
    /// Dropping it ends the thread.
    _alive: oneshot::Sender<()>,
}

/// A store whose files can be written in parts, in any order.
pub(crate) trait Bucket: ObjectStore + MultipartStore {}

impl<T: ObjectStore + MultipartStore> Bucket for T {}

/// Clients in use, by server or bucket and the settings that they were made with.
static CLIENTS: Mutex<BTreeMap<(String, Settings), Weak<Client>>> = Mutex::new(BTreeMap::new());

/// The `AWS_…` variables.
type Settings = Vec<(String, String)>;

impl Client {
    /// Returns the client for an address, and the path of the file there. All files of a server share one: a
    /// folder of hundreds of containers needs one thread, and its connections are used again.
    pub(crate) fn of(url: &str) -> io::Result<(Arc<Self>, Path)> {
        let url = Url::parse(url).map_err(invalid)?;
        let path = Path::from_url_path(url.path()).map_err(invalid)?;
        let settings = settings();
        let key = (url[..Position::BeforePath].to_owned(), settings);
        let mut clients = CLIENTS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = clients.get(&key).and_then(Weak::upgrade) {
            return Ok((client, path));
        }
        let client = Arc::new(Self::new(&url, &key.1)?);
        clients.retain(|_, client| client.strong_count() > 0);
        clients.insert(key, Arc::downgrade(&client));
        Ok((client, path))
    }

    fn new(url: &Url, settings: &Settings) -> io::Result<Self> {
        let (store, bucket) = connect(url, settings).map_err(fault::describe)?;
        Self::start(store, bucket)
    }

    /// A client of a bucket in memory.
    #[cfg(test)]
    pub(crate) fn in_memory() -> Arc<Self> {
        let bucket = Arc::new(object_store::memory::InMemory::new());
        Arc::new(Self::start(Arc::clone(&bucket) as _, Some(bucket)).unwrap())
    }

    fn start(store: Arc<dyn ObjectStore>, bucket: Option<Arc<dyn Bucket>>) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let (alive, dropped) = oneshot::channel::<()>();
        // Ends when the sender is dropped; nothing is ever sent.
        let drive = move || drop(runtime.block_on(dropped));
        std::thread::Builder::new().name("uncask-remote".to_owned()).spawn(drive)?;
        Ok(Self { store, bucket, runtime: handle, _alive: alive })
    }

    /// The store, if files can be written to it.
    pub(crate) fn bucket(&self) -> Option<Arc<dyn Bucket>> {
        self.bucket.clone()
    }

    /// Starts a request that nobody waits for.
    pub(crate) fn start_request(&self, request: impl Future<Output = ()> + Send + 'static) {
        self.runtime.spawn(request);
    }

    pub(crate) fn store(&self) -> Arc<dyn ObjectStore> {
        Arc::clone(&self.store)
    }

    /// Runs a request; any runtime may await it.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        request: impl Future<Output = io::Result<T>> + Send + 'static,
    ) -> io::Result<T> {
        self.runtime.spawn(request).await.unwrap_or_else(|error| Err(io::Error::other(error)))
    }

    /// Fetches a part of a file, unless it is known already; any runtime may await it.
    pub(super) async fn part(
        &self,
        part: RemotePart<'_>,
        mut buffer: Buffer,
        edition: Arc<Edition>,
        pace: Pace,
    ) -> io::Result<Buffer> {
        let RemotePart { path, start, url, answers } = part;
        let asked = start..start.saturating_add(buffer.len() as u64);
        if let Some((tag, bytes)) = answers.find(url, || answers::range(asked.clone()))
            && bytes.len() == buffer.len()
        {
            edition.accept(tag.as_deref())?;
            buffer.copy_from_slice(&bytes);
            return Ok(buffer);
        }
        let request = range(self.store(), path, start, buffer, Arc::clone(&edition), pace);
        let buffer = self.run(request).await?;
        answers.keep(url, || answers::range(asked), edition.tag(), &buffer);
        Ok(buffer)
    }

    /// Runs a request, and blocks until it is done.
    pub(crate) fn wait<T: Send + 'static>(
        &self,
        request: impl Future<Output = io::Result<T>> + Send + 'static,
    ) -> io::Result<T> {
        let (done, result) = std::sync::mpsc::sync_channel(1);
        // The receiver waits below, so sending cannot fail.
        self.runtime.spawn(async move { drop(done.send(request.await)) });
        result.recv().unwrap_or_else(|error| Err(io::Error::other(error)))
    }
}

/// Part of a file on a server.
pub(super) struct RemotePart<'a> {
    pub path: Path,
    pub start: u64,
    /// Its address, by which answers are kept.
    pub url: &'a str,
    pub answers: &'a Answers,
}

/// Connects by scheme: `s3://bucket/path` uses S3, everything else plain GET, even if a cloud offers both.
fn connect(url: &Url, settings: &Settings) -> object_store::Result<Connected> {
    let retry = RetryConfig { max_retries: RETRIES, ..RetryConfig::default() };
    let options = ClientOptions::new()
        .with_allow_http(url.scheme() == "http")
        // A fixed limit for the whole answer would cut off slow lines: the pace limits it instead.
        .with_timeout_disabled()
        .with_read_timeout(SILENCE);
    if url.scheme() == "s3" {
        let builder = AmazonS3Builder::new().with_client_options(options).with_retry(retry);
        let bucket = Arc::new(with_settings(builder, settings).with_url(url.as_str()).build()?);
        return Ok((Arc::clone(&bucket) as _, Some(bucket)));
    }
    let host = &url[..Position::BeforePath];
    let server = HttpBuilder::new().with_url(host).with_client_options(options).with_retry(retry).build()?;
    Ok((Arc::new(server), None))
}

/// A store, twice if files can be written to it.
type Connected = (Arc<dyn ObjectStore>, Option<Arc<dyn Bucket>>);

/// Keys, region, endpoint and other settings in the `AWS_…` variables that other tools use as well.
fn settings() -> Settings {
    let text =
        |(name, value): (OsString, OsString)| Some((name.into_string().ok()?, value.into_string().ok()?));
    let mut settings: Settings =
        std::env::vars_os().filter_map(text).filter(|(name, _)| name.starts_with("AWS_")).collect();
    settings.sort_unstable();
    settings
}

fn with_settings(builder: AmazonS3Builder, settings: &Settings) -> AmazonS3Builder {
    settings.iter().fold(builder, |builder, (name, value)| match name.to_ascii_lowercase().parse() {
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
    let answer = pace.begin(store.get(&path)).await?;
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
async fn range(
    store: Arc<dyn ObjectStore>,
    path: Path,
    start: u64,
    mut buffer: Buffer,
    edition: Arc<Edition>,
    pace: Pace,
) -> io::Result<Buffer> {
    let len = buffer.len() as u64;
    // An empty range cannot be expressed in a request.
    if len == 0 {
        return Ok(buffer);
    }
    let range = Some(GetRange::Bounded(start..start.saturating_add(len)));
    let options = GetOptions { range, ..GetOptions::default() };
    let answer = edition.get(&*store, &path, options, pace).await?;
    let mut stream = pace.follow(answer.into_stream());
    let mut rest: &mut [u8] = &mut buffer;
    while let Some(bytes) = stream.next().await? {
        let (to, left) = rest.split_at_mut_checked(bytes.len()).ok_or_else(|| fault::wrong_length(len))?;
        to.copy_from_slice(&bytes);
        rest = left;
    }
    if rest.is_empty() { Ok(buffer) } else { Err(fault::wrong_length(len)) }
}

/// Asks for the length and the tag of a file.
pub(super) async fn head(store: Arc<dyn ObjectStore>, path: Path, pace: Pace) -> io::Result<ObjectMeta> {
    pace.begin(store.head(&path)).await
}
