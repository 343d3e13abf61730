//! Containers on servers, over HTTP, HTTPS and S3.
//!
//! ```text
//! https://host/Paks/x.utoc    GET, whole                  list of chunks
//! https://host/Paks/x.ucas    GET, Range: bytes=a-b       one request for each extent of the wanted blocks
//! https://host/Paks/x_s1.ucas                             none until something in it is wanted
//! https://host/Paks/x.pak     HEAD, then ranges           the footer, the index, files
//! s3://bucket/Paks            LIST                        the `.utoc` and `.pak` files below it
//! ```
//!
//! A server has to understand ranges. Answers are only accepted if they are exactly the requested range.
//! Requests that fail for no lasting reason are repeated a few times by the client; an answer that will not
//! change, such as a missing file, is remembered. If a file is replaced while it is read, which its entity tag
//! shows, nothing more is taken from it.
//!
//! A server may be silent for half a minute and take two minutes to start an answer. From then on it has to
//! send 4 KiB a second, measured over windows of half a minute; a slower one is an error that says so, and is
//! not asked again ([`Pace`]).

mod client;
mod edition;
mod fault;
mod file;
mod folder;
mod pace;

pub(crate) use client::{Bucket, Client};
pub(crate) use fault::describe as describe_fault;
pub use file::RemoteFile;
pub use folder::containers_below;
pub(crate) use folder::listed_matches;
pub use pace::Pace;

use super::{Answers, BoxFuture, Buffer, Source, address, answers};
use crate::error::{Error, Result};
use bytes::Bytes;
use edition::Edition;
use object_store::path::Path as ObjectPath;
use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Largest table of contents that is fetched; those of the largest games have a few hundred MiB.
const MAX_TOC_LEN: u64 = 2 << 30;

/// Files of one container on a server.
#[derive(Debug, Clone)]
pub struct Remote {
    client: Arc<Client>,
    /// Address of the `.utoc`.
    url: String,
    /// Path of the `.utoc` as the client knows it.
    toc: ObjectPath,
    pace: Pace,
    answers: Answers,
}

impl Remote {
    /// Prepares to read the container whose `.utoc` has this address. Sends nothing.
    ///
    /// `s3://bucket/path` takes keys, region and endpoint from the environment, under the names that other
    /// tools use: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, `AWS_ENDPOINT`,
    /// `AWS_ALLOW_HTTP`, and `AWS_SKIP_SIGNATURE=true` for public buckets.
    pub fn open(url: &str) -> Result<Self> {
        let path = || PathBuf::from(address::without_secrets(url));
        let refused =
            |problem| Error::io("open", path())(io::Error::new(io::ErrorKind::InvalidInput, problem));
        address::check_url(Path::new(url)).map_err(refused)?;
        let (client, toc) = Client::of(url).map_err(Error::io("open", path()))?;
        Ok(Self { client, url: url.to_owned(), toc, pace: Pace::default(), answers: Answers::default() })
    }

    /// Sets the limits for slow servers.
    #[must_use]
    pub fn with_pace(self, pace: Pace) -> Self {
        Self { pace, ..self }
    }

    /// Sets what the server has answered before, or where its answers are kept.
    #[must_use]
    pub fn with_answers(self, answers: Answers) -> Self {
        Self { answers, ..self }
    }

    /// Fetches the whole table of contents, and blocks until it is complete.
    pub fn read_toc(&self) -> Result<Bytes> {
        if let Some((_, known)) = self.answers.find(&self.url, answers::whole) {
            return Ok(known);
        }
        let whole = client::whole(self.client.store(), self.toc.clone(), MAX_TOC_LEN, self.pace);
        let toc = self.client.wait(whole).map_err(Error::io("read", &self.url))?;
        self.answers.keep(&self.url, answers::whole, None, &toc);
        Ok(toc)
    }

    /// Returns the data of the container, with partitions of `partition_size` bytes. Sends nothing.
    #[must_use]
    pub fn data(&self, partition_size: u64) -> RemoteData {
        let (editions, refused) = <_>::default();
        RemoteData { remote: self.clone(), partition_size: partition_size.max(1), editions, refused }
    }

    /// Returns the address of a partition, and its path as the client knows it.
    fn partition(&self, index: u64) -> (String, Option<ObjectPath>) {
        let name =
            |toc: &str| address::stem(toc).unwrap_or(toc).to_owned() + &address::partition_suffix(index);
        (name(&self.url), ObjectPath::parse(name(self.toc.as_ref())).ok())
    }
}

/// Partitions of a container on a server, as one address space.
#[derive(Debug)]
pub struct RemoteData {
    remote: Remote,
    partition_size: u64,
    editions: Mutex<BTreeMap<u64, Arc<Edition>>>,
    /// Partitions that the server does not deliver, with the reason.
    refused: Mutex<BTreeMap<u64, (io::ErrorKind, String)>>,
}

impl RemoteData {
    fn refusal(&self, partition: u64) -> Option<io::Error> {
        let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        refused.get(&partition).map(|(kind, why)| io::Error::new(*kind, why.clone()))
    }

    fn edition(&self, partition: u64) -> Arc<Edition> {
        let mut editions = self.editions.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(editions.entry(partition).or_default())
    }

    async fn fetch(&self, offset: u64, buffer: Buffer) -> io::Result<Buffer> {
        let (index, start) = (offset / self.partition_size, offset % self.partition_size);
        // A missing partition would otherwise cost a request for each of its chunks.
        if let Some(refusal) = self.refusal(index) {
            return Err(refusal);
        }
        let Remote { client, pace, answers, .. } = &self.remote;
        let (url, path) = self.remote.partition(index);
        let path = path.ok_or(io::ErrorKind::InvalidInput)?;
        let part = client::RemotePart { path, start, url: &url, answers };
        let result = client.part(part, buffer, self.edition(index), *pace).await;
        if let Err(error) = &result
            && fault::is_final(error.kind())
        {
            let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
            refused.insert(index, (error.kind(), error.to_string()));
        }
        result
    }
}

impl Source for RemoteData {
    /// Accepts everything: lengths are unknown, since asking for them would cost requests. Missing data show
    /// when they are read.
    fn check(&self, _range: &Range<u64>) -> Result<()> {
        Ok(())
    }

    fn read_at(&self, offset: u64, buffer: Buffer) -> BoxFuture<'_, io::Result<Buffer>> {
        Box::pin(self.fetch(offset, buffer))
    }

    fn describe(&self, offset: u64) -> PathBuf {
        PathBuf::from(self.remote.partition(offset / self.partition_size).0)
    }
}
