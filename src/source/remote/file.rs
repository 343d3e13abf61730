//! Single files on servers: paks, and files that are read as a whole.

use super::client::{self, Client};
use super::edition::Edition;
use super::{Pace, fault};
use crate::error::{Error, Result};
use crate::source::{BoxFuture, Buffer, Source, address};
use bytes::Bytes;
use object_store::path::Path as ObjectPath;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// File on a server, of known length.
#[derive(Debug)]
pub struct RemoteFile {
    client: Arc<Client>,
    path: ObjectPath,
    /// Its address, for messages.
    url: PathBuf,
    len: u64,
    edition: Arc<Edition>,
    pace: Pace,
    /// Reason for not asking again.
    refused: Mutex<Option<(io::ErrorKind, String)>>,
}

impl RemoteFile {
    /// Asks for the length of a file, and blocks until the answer is there. `s3://` takes its settings from the
    /// environment, as [`Remote`](super::Remote) does.
    pub fn open(url: &Path) -> Result<Self> {
        let text = url.to_string_lossy();
        let shown = PathBuf::from(address::without_secrets(&text));
        let (client, path) = Client::of(&text).map_err(Error::io("open", &shown))?;
        let pace = Pace::default();
        let meta = client.wait(client::head(client.store(), path.clone(), pace));
        let meta = meta.map_err(Error::io("open", &shown))?;
        let edition = Arc::new(Edition::default());
        edition.accept(meta.e_tag.as_deref()).map_err(Error::io("open", &shown))?;
        let (len, refused) = (meta.size, Mutex::default());
        Ok(Self { client, path, url: shown, len, edition, pace, refused })
    }

    /// Its length in bytes.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "it is not a collection")]
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// Fetches a whole file of at most `limit` bytes, and blocks until it is complete.
    pub fn read(url: &Path, limit: u64) -> Result<Bytes> {
        let text = url.to_string_lossy();
        let shown = || PathBuf::from(address::without_secrets(&text));
        let (client, path) = Client::of(&text).map_err(Error::io("open", shown()))?;
        let whole = client.wait(client::whole(client.store(), path, limit, Pace::default()));
        whole.map_err(Error::io("read", shown()))
    }

    async fn fetch(&self, offset: u64, buffer: Buffer) -> io::Result<Buffer> {
        if let Some((kind, why)) = &*self.refused.lock().unwrap_or_else(PoisonError::into_inner) {
            return Err(io::Error::new(*kind, why.clone()));
        }
        let (path, edition) = (self.path.clone(), Arc::clone(&self.edition));
        let request = client::range(self.client.store(), path, offset, buffer, edition, self.pace);
        let result = self.client.run(request).await;
        if let Err(error) = &result
            && fault::is_final(error.kind())
        {
            let refusal = (error.kind(), error.to_string());
            *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(refusal);
        }
        result
    }
}

impl Source for RemoteFile {
    fn check(&self, range: &Range<u64>) -> Result<()> {
        let (len, needed) = (self.len, range.end);
        if needed <= len {
            return Ok(());
        }
        Err(Error::TruncatedPartition { path: self.url.clone(), len, needed })
    }

    fn read_at(&self, offset: u64, buffer: Buffer) -> BoxFuture<'_, io::Result<Buffer>> {
        Box::pin(self.fetch(offset, buffer))
    }

    fn describe(&self, _offset: u64) -> PathBuf {
        self.url.clone()
    }
}
