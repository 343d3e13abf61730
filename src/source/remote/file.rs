//! Single files on servers: paks, and files that are read as a whole.

use super::client::{self, Client};
use super::edition::Edition;
use super::{Pace, fault};
use crate::error::{Error, Result};
use crate::source::address::{self, AddressProblem};
use crate::source::{Answers, BoxFuture, Buffer, Source, answers};
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
    answers: Answers,
    /// Reason for not asking again.
    refused: Mutex<Option<(io::ErrorKind, String)>>,
}

impl RemoteFile {
    /// Asks for the length of a file, and blocks until the answer is there. `s3://` takes its settings from the
    /// environment, as [`Remote`](super::Remote) does.
    pub fn open(url: &Path, answers: &Answers) -> Result<Self> {
        let text = url.to_string_lossy();
        let shown = PathBuf::from(address::without_secrets(&text));
        let (client, path) = Client::of(&text).map_err(Error::io("open", &shown))?;
        let (pace, edition) = (Pace::default(), Arc::new(Edition::default()));
        let known = answers.find(&text, answers::length);
        let known = known.and_then(|(tag, len)| Some((u64::from_le_bytes((*len).try_into().ok()?), tag)));
        let (len, tag) = match known {
            Some(known) => known,
            None => {
                let asked = client.wait(client::head(client.store(), path.clone(), pace));
                let meta = asked.map_err(Error::io("open", &shown))?;
                answers.keep(&text, answers::length, meta.e_tag.clone(), &meta.size.to_le_bytes());
                (meta.size, meta.e_tag)
            }
        };
        edition.accept(tag.as_deref()).map_err(Error::io("open", &shown))?;
        let answers = answers.clone();
        Ok(Self { client, path, url: shown, len, edition, pace, answers, refused: Mutex::default() })
    }

    /// Its length in bytes.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "it is not a collection")]
    pub const fn len(&self) -> u64 {
        self.len
    }

    /// Fetches a whole file of at most `limit` bytes, and blocks until it is complete.
    pub fn read(url: &Path, limit: u64, answers: &Answers) -> Result<Bytes> {
        let text = url.to_string_lossy();
        let shown = || PathBuf::from(address::without_secrets(&text));
        if *shown() != *url {
            let problem = io::Error::new(io::ErrorKind::InvalidInput, AddressProblem::Extras);
            return Err(Error::io("open", shown())(problem));
        }
        if let Some((_, bytes)) = answers.find(&text, answers::whole) {
            return Ok(bytes);
        }
        let (client, path) = Client::of(&text).map_err(Error::io("open", shown()))?;
        let whole = client.wait(client::whole(client.store(), path, limit, Pace::default()));
        let whole = whole.map_err(Error::io("read", shown()))?;
        answers.keep(&text, answers::whole, None, &whole);
        Ok(whole)
    }

    async fn fetch(&self, offset: u64, buffer: Buffer) -> io::Result<Buffer> {
        if let Some((kind, why)) = &*self.refused.lock().unwrap_or_else(PoisonError::into_inner) {
            return Err(io::Error::new(*kind, why.clone()));
        }
        let (path, edition) = (self.path.clone(), Arc::clone(&self.edition));
        let part = client::RemotePart {
            path,
            start: offset,
            url: &self.url.to_string_lossy(),
            answers: &self.answers,
        };
        let result = self.client.part(part, buffer, edition, self.pace).await;
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
