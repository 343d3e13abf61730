//! Single objects of a bucket: written in parts, read by ranges.

use super::Staged;
use crate::error::{Error, Result};
use crate::source::{Bucket, Client, describe_fault, read_exact_at};
use bytes::Bytes;
use object_store::multipart::PartId;
use object_store::path::Path as ObjectPath;
use object_store::{ObjectStoreExt as _, PutPayload};
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Length of a part; 5 MiB is the least that servers take.
const PART: u64 = 8 << 20;

/// Most parts of an object.
const MAX_PARTS: u64 = 10_000;

/// Bytes that are read at once.
const AHEAD: u64 = 4 << 20;

/// A bucket as its files need it.
#[derive(Debug, Clone)]
pub(super) struct BucketPlace {
    pub(super) client: Arc<Client>,
    pub(super) bucket: Arc<dyn Bucket>,
}

/// Lengths of objects by their paths in the bucket.
pub(super) type Listed = Mutex<HashMap<String, u64>>;

/// Object on its way into a bucket.
pub(super) struct BucketFile {
    place: BucketPlace,
    object: ObjectPath,
    /// Its address, for messages.
    url: PathBuf,
    /// Its length in bytes; 0 if it is not known before its end.
    len: u64,
    part: u64,
    state: Mutex<State>,
    listed: Arc<Listed>,
}

#[derive(Default)]
struct State {
    /// Parts that are not complete, by number.
    begun: BTreeMap<u64, Part>,
    /// Id of the upload, once the first part is complete.
    upload: Option<String>,
    sent: BTreeMap<u64, PartId>,
    /// Number of bytes in the parts that are there.
    sent_len: u64,
    /// End of the last piece.
    end: u64,
}

/// Part of an object while its pieces arrive.
struct Part {
    bytes: Vec<u8>,
    /// Number of bytes that have arrived.
    filled: u64,
}

impl BucketFile {
    pub(super) fn new(
        place: BucketPlace,
        object: ObjectPath,
        url: PathBuf,
        len: u64,
        listed: Arc<Listed>,
    ) -> Self {
        let part = PART.max(len.div_ceil(MAX_PARTS));
        Self { place, object, url, len, part, state: Mutex::default(), listed }
    }

    /// Length at which a part is complete: all are as long as the first, but for the last.
    fn len_of(&self, number: u64) -> u64 {
        if self.len == 0 { self.part } else { self.len.saturating_sub(number * self.part).min(self.part) }
    }

    /// Adds a piece that lies in one part; returns the part if it is complete.
    fn add(&self, number: u64, at: u64, piece: &[u8]) -> Option<Vec<u8>> {
        let len = self.len_of(number);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let part = state.begun.entry(number).or_insert_with(|| Part { bytes: Vec::new(), filled: 0 });
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        let end = at.saturating_add(piece.len());
        if part.bytes.len() < end {
            part.bytes.resize(end, 0);
        }
        part.bytes.get_mut(at..end).unwrap_or_default().copy_from_slice(piece);
        part.filled += piece.len() as u64;
        let is_complete = part.filled >= len && (self.len == 0 || self.len > self.part);
        state.end = state.end.max(number * self.part + end as u64);
        is_complete.then(|| state.begun.remove(&number)).flatten().map(|part| part.bytes)
    }

    /// Sends a complete part, and blocks until it is there.
    fn send(&self, number: u64, bytes: Vec<u8>) -> io::Result<()> {
        let upload = self.upload()?;
        let (bucket, object) = (Arc::clone(&self.place.bucket), self.object.clone());
        let (index, len) = (usize::try_from(number).map_err(io::Error::other)?, bytes.len() as u64);
        let sent = self.place.client.wait(async move {
            let payload = PutPayload::from_bytes(Bytes::from(bytes));
            bucket.put_part(&object, &upload, index, payload).await.map_err(describe_fault)
        })?;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.sent.insert(number, sent);
        state.sent_len += len;
        Ok(())
    }

    /// Id of the upload; the first to ask starts it.
    fn upload(&self) -> io::Result<String> {
        // Under the lock: a second upload would never be completed.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(upload) = &state.upload {
            return Ok(upload.clone());
        }
        let (bucket, object) = (Arc::clone(&self.place.bucket), self.object.clone());
        let start = async move { bucket.create_multipart(&object).await.map_err(describe_fault) };
        let upload = self.place.client.wait(start)?;
        state.upload = Some(upload.clone());
        Ok(upload)
    }

    /// Sends what is left, and gives the object its name; returns its length.
    fn finish(&self) -> io::Result<u64> {
        let state = || self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (begun, is_in_parts, end) = {
            let mut state = state();
            (std::mem::take(&mut state.begun), state.upload.is_some(), state.end)
        };
        let expected = if self.len == 0 { end } else { self.len };
        let (bucket, object) = (Arc::clone(&self.place.bucket), self.object.clone());
        if !is_in_parts {
            let whole = begun.into_values().next().map(|part| part.bytes).unwrap_or_default();
            check(whole.len() as u64, expected)?;
            let payload = PutPayload::from_bytes(Bytes::from(whole));
            let put = async move { bucket.put(&object, payload).await.map_err(describe_fault) };
            return self.place.client.wait(put).map(|_| expected);
        }
        for (number, part) in begun {
            self.send(number, part.bytes)?;
        }
        check(state().sent_len, expected)?;
        let parts: Vec<PartId> = std::mem::take(&mut state().sent).into_values().collect();
        let upload = self.upload()?;
        let complete =
            async move { bucket.complete_multipart(&object, &upload, parts).await.map_err(describe_fault) };
        self.place.client.wait(complete)?;
        state().upload = None;
        Ok(expected)
    }
}

fn check(found: u64, expected: u64) -> io::Result<()> {
    let missing = || io::Error::other(format!("{found} of {expected} bytes have been written"));
    if found == expected { Ok(()) } else { Err(missing()) }
}

impl Staged for BucketFile {
    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        let (mut at, mut rest) = (offset, bytes);
        while !rest.is_empty() {
            let (number, start) = (at / self.part, at % self.part);
            let room = usize::try_from(self.part - start).unwrap_or(usize::MAX);
            let (piece, after) = rest.split_at(room.min(rest.len()));
            if let Some(part) = self.add(number, start, piece) {
                self.send(number, part).map_err(Error::io("write", &self.url))?;
            }
            (at, rest) = (at + piece.len() as u64, after);
        }
        Ok(())
    }

    fn copy_from(&self, file: &File, position: u64, offset: u64, len: u64) -> Result<()> {
        let mut done = 0;
        let mut buffer = vec![0; usize::try_from(len.min(PART)).unwrap_or_default()];
        while done < len {
            let piece = usize::try_from(len - done).unwrap_or(usize::MAX).min(buffer.len());
            let bytes = buffer.get_mut(..piece).unwrap_or_default();
            read_exact_at(file, bytes, position + done).map_err(Error::io("copy to", &self.url))?;
            self.write_at(offset + done, bytes)?;
            done += piece as u64;
        }
        Ok(())
    }

    fn commit(&self) -> Result<()> {
        let len = self.finish().map_err(Error::io("write", &self.url))?;
        let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        listed.insert(self.object.to_string(), len);
        Ok(())
    }
}

impl Drop for BucketFile {
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        let Some(upload) = state.upload.take() else { return };
        let (bucket, object) = (Arc::clone(&self.place.bucket), self.object.clone());
        // Its failure can no longer be reported; what is left is what a killed job leaves.
        self.place.client.start_request(async move { drop(bucket.abort_multipart(&object, &upload).await) });
    }
}

/// Content of an object, read some MiB ahead.
pub(super) struct ObjectReader {
    place: BucketPlace,
    object: ObjectPath,
    len: u64,
    at: u64,
    ahead: Bytes,
}

impl ObjectReader {
    pub(super) fn new(place: BucketPlace, object: ObjectPath, len: u64) -> Self {
        Self { place, object, len, at: 0, ahead: Bytes::new() }
    }
}

impl Read for ObjectReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.ahead.is_empty() && self.at < self.len {
            let range = self.at..self.len.min(self.at.saturating_add(AHEAD));
            let (bucket, object) = (Arc::clone(&self.place.bucket), self.object.clone());
            let get = async move { bucket.get_range(&object, range).await.map_err(describe_fault) };
            self.ahead = self.place.client.wait(get)?;
        }
        let piece = self.ahead.split_to(buffer.len().min(self.ahead.len()));
        buffer.get_mut(..piece.len()).unwrap_or_default().copy_from_slice(&piece);
        self.at += piece.len() as u64;
        Ok(piece.len())
    }
}

impl Seek for ObjectReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (base, by) = match to {
            SeekFrom::Start(at) => (at, 0),
            SeekFrom::End(by) => (self.len, by),
            SeekFrom::Current(by) => (self.at, by),
        };
        self.at = base.checked_add_signed(by).ok_or(io::ErrorKind::InvalidInput)?;
        self.ahead = Bytes::new();
        Ok(self.at)
    }
}
