//! Memory for results made for the page: documents, and files that are kept for a while, because a model requests its
//! pictures one by one.

use crate::error::{Bound, Error, Result};
use crate::game::{OutputPath, Sink};
use crate::job::{Budget, Context, Lease};
use crate::sink::{Existing, MemorySink, Staged};
use bytes::Bytes;
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Number of packages whose files are kept.
const PACKAGES: usize = 8;

/// Bytes paid for at a time while the final length is unknown.
const PIECE: u64 = 1 << 20;

/// Files by path. Each returns its memory when dropped, which may be after it was sent.
pub(super) type Files = Arc<BTreeMap<String, Bytes>>;

/// Results with their memory.
#[derive(Debug, Clone)]
pub(super) struct Kept(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    budget: Budget,
    packages: Mutex<Packages>,
}

/// Files of the last packages, newest first.
#[derive(Debug, Default)]
struct Packages {
    files: VecDeque<(u64, Files)>,
    /// Number of packages so far.
    count: u64,
}

/// A growing amount of paid memory.
#[derive(Debug, Default)]
struct Paid {
    leases: Vec<Lease>,
    len: u64,
}

/// Bytes that keep their memory paid for.
struct PaidBytes {
    bytes: Vec<u8>,
    _paid: Paid,
}

impl AsRef<[u8]> for PaidBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Kept {
    /// Storage with this many bytes.
    pub(super) fn new(memory: u64) -> Self {
        Self(Arc::new(Shared { budget: Budget::new(memory), packages: Mutex::default() }))
    }

    /// A sink for files.
    pub(super) fn sink(&self) -> KeptSink {
        KeptSink { kept: self.clone(), files: MemorySink::default(), paid: Arc::default() }
    }

    /// A writer for a document, until the request is cancelled.
    pub(super) fn document<'a>(&'a self, context: &'a Context) -> Document<'a> {
        Document { kept: self, context, bytes: Vec::new(), paid: Paid::default() }
    }

    /// Keeps the files of a package for a while; the returned number identifies them.
    pub(super) fn keep(&self, files: BTreeMap<String, Bytes>) -> (u64, Files) {
        let files = Arc::new(files);
        let mut packages = self.lock();
        // Numbers are never reused, so an old address cannot lead to new files.
        let number = packages.count;
        packages.count += 1;
        // Dropping the oldest files frees their memory as soon as nobody is sending them.
        packages.files.truncate(PACKAGES - 1);
        packages.files.push_front((number, Arc::clone(&files)));
        (number, files)
    }

    /// The files kept under a number.
    pub(super) fn files(&self, number: u64) -> Option<Files> {
        let packages = self.lock();
        packages.files.iter().find(|(other, _)| *other == number).map(|(_, files)| Arc::clone(files))
    }

    /// Pays for more memory, if needed. Kept files are dropped to make room; it never blocks: the memory may belong to
    /// a request that is blocked itself, and that could deadlock.
    fn pay(&self, paid: &mut Paid, len: u64, path: &str) -> Result<()> {
        // A file may be written again from the start; only growth is paid for.
        let Some(more) = len.checked_sub(paid.len).filter(|more| *more > 0) else { return Ok(()) };
        let budget = &self.0.budget;
        loop {
            // Take memory first, and only then give up kept files: often none have to go.
            if let Some(lease) = budget.try_lease(more) {
                paid.leases.push(lease);
                paid.len = len;
                return Ok(());
            }
            // The lock is released again before the files are dropped.
            let oldest = self.lock().files.pop_back();
            if oldest.is_none() {
                let what = "size of what is made at a time for the page";
                let found = more.saturating_add(budget.total() - budget.available());
                let (limit, bound) = (budget.total(), Bound::Memory);
                return Err(Error::Limit { what, found, limit, bound, path: path.into() });
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Packages> {
        self.0.packages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A sink that pays for files as they are written.
#[derive(Debug, Clone)]
pub(super) struct KeptSink {
    kept: Kept,
    files: MemorySink,
    paid: Arc<Mutex<BTreeMap<String, Paid>>>,
}

impl KeptSink {
    /// Takes out the finished files.
    pub(super) fn take(&self) -> BTreeMap<String, Bytes> {
        let mut paid = std::mem::take(&mut *self.lock());
        let files = self.files.take_files().into_iter();
        let files = files.map(|(path, bytes)| {
            let paid = paid.remove(&path).unwrap_or_default();
            (path, Bytes::from_owner(PaidBytes { bytes, _paid: paid }))
        });
        files.collect()
    }

    fn pay(&self, path: &str, len: u64) -> Result<()> {
        self.kept.pay(self.lock().entry(path.to_owned()).or_default(), len, path)
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Paid>> {
        self.paid.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sink for KeptSink {
    fn create(&self, path: &OutputPath, len: u64) -> Result<Box<dyn Staged>> {
        self.pay(path.as_str(), len)?;
        let file = self.files.create(path, len)?;
        Ok(Box::new(KeptFile { sink: self.clone(), path: path.as_str().to_owned(), file }))
    }

    fn existing(&self, path: &OutputPath) -> io::Result<Existing> {
        self.files.existing(path)
    }
}

/// A file being written.
struct KeptFile {
    sink: KeptSink,
    path: String,
    file: Box<dyn Staged>,
}

impl Staged for KeptFile {
    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        // The length given at creation may be too small, so each write pays up to its end.
        self.sink.pay(&self.path, offset.saturating_add(bytes.len() as u64))?;
        self.file.write_at(offset, bytes)
    }

    fn copy_from(&self, file: &std::fs::File, position: u64, offset: u64, len: u64) -> Result<()> {
        self.sink.pay(&self.path, offset.saturating_add(len))?;
        self.file.copy_from(file, position, offset, len)
    }

    fn commit(&self) -> Result<()> {
        self.file.commit()
    }
}

/// A document being written.
pub(super) struct Document<'a> {
    kept: &'a Kept,
    context: &'a Context,
    bytes: Vec<u8>,
    paid: Paid,
}

impl Document<'_> {
    /// The whole document.
    pub(super) fn finish(self) -> Bytes {
        Bytes::from_owner(PaidBytes { bytes: self.bytes, _paid: self.paid })
    }
}

impl io::Write for Document<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = (self.bytes.len() + bytes.len()) as u64;
        // Checked only when more memory is needed: often enough to end soon, and cheap.
        if len > self.paid.len {
            if self.context.cancel_token().is_cancelled() {
                return Err(io::Error::other(Error::Cancelled));
            }
            let paid = self.kept.pay(&mut self.paid, len.next_multiple_of(PIECE), "values of a package");
            paid.map_err(io::Error::other)?;
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Cpu;
    use std::io::Write;

    /// A file whose length is not known in advance.
    fn make(kept: &Kept, name: &str, len: usize) -> Result<BTreeMap<String, Bytes>> {
        let sink = kept.sink();
        let file = sink.create(&OutputPath::sanitize(name), 0)?;
        file.write_at(0, &vec![7; len / 2])?;
        file.write_at(len as u64 / 2, &vec![8; len / 2])?;
        file.commit()?;
        Ok(sink.take())
    }

    #[test]
    fn files_are_paid_for_until_the_last_reader_is_done() {
        let kept = Kept::new(8 << 10);
        let available = || kept.0.budget.available();
        let (number, first) = kept.keep(make(&kept, "a", 6 << 10).unwrap());
        assert_eq!((number, available(), first["a"].len()), (0, 2 << 10, 6 << 10));
        let sent = first["a"].clone();
        drop(first);
        assert!(kept.files(0).is_some());
        // The older file would make room, but it is still being sent.
        let error = make(&kept, "b", 6 << 10).unwrap_err().to_string();
        assert!(error.contains("size of what is made at a time for the page"), "{error}");
        assert!(kept.files(0).is_none());
        drop(sent);
        assert_eq!(available(), 8 << 10);
        let (number, _) = kept.keep(make(&kept, "b", 6 << 10).unwrap());
        assert_eq!((available(), kept.files(number).map(|files| files.len())), (2 << 10, Some(1)));
    }

    #[test]
    fn what_fits_in_no_memory_is_refused() {
        let kept = Kept::new(4 << 10);
        assert!(make(&kept, "a", 6 << 10).is_err());
        assert!(kept.sink().create(&OutputPath::sanitize("b"), u64::MAX).is_err());
        assert_eq!(kept.0.budget.available(), 4 << 10);
    }

    #[test]
    fn a_document_is_paid_for_and_ends_when_nobody_waits() {
        let kept = Kept::new(2 << 20);
        let context = Context::new(Cpu::default(), Budget::new(1 << 20), true);
        let mut document = kept.document(&context);
        document.write_all(&[1; 100]).unwrap();
        assert_eq!(kept.0.budget.available(), 1 << 20);
        let most = document.write_all(&vec![1; 2 << 20]).unwrap_err().downcast::<Error>();
        assert!(matches!(most, Ok(Error::Limit { limit: 0x20_0000, .. })), "{most:?}");
        context.cancel_token().cancel();
        let over = document.write_all(&vec![1; 1 << 20]).unwrap_err().downcast::<Error>();
        assert!(matches!(over, Ok(Error::Cancelled)), "{over:?}");
        drop(document.finish());
        assert_eq!(kept.0.budget.available(), 2 << 20);
    }
}
