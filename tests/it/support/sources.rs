//! Sources that watch, and sources that misbehave.

use std::future::poll_fn;
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;
use uncask::error::Result;
use uncask::source::{BoxFuture, Buffer, MemorySource, Source};

/// Writes down every read.
#[derive(Debug)]
pub(crate) struct RecordingSource {
    data: MemorySource,
    reads: Mutex<Vec<Range<u64>>>,
}

impl RecordingSource {
    pub(crate) fn new(data: Vec<u8>) -> Arc<Self> {
        Arc::new(Self { data: MemorySource::new(data.into()), reads: Mutex::default() })
    }

    /// The reads so far, in the order they were asked for.
    pub(crate) fn reads(&self) -> Vec<Range<u64>> {
        self.reads.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The reads so far, one a line.
    pub(crate) fn trace(&self) -> String {
        let line = |read: &Range<u64>| format!("{:>7} bytes at {:#07x}", read.end - read.start, read.start);
        self.reads().iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

impl Source for RecordingSource {
    fn check(&self, range: &Range<u64>) -> Result<()> {
        self.data.check(range)
    }

    fn read_at(&self, offset: u64, buffer: Buffer) -> BoxFuture<'_, io::Result<Buffer>> {
        let range = offset..offset + buffer.len() as u64;
        self.reads.lock().unwrap_or_else(PoisonError::into_inner).push(range);
        self.data.read_at(offset, buffer)
    }

    fn describe(&self, offset: u64) -> PathBuf {
        self.data.describe(offset)
    }
}

/// Keeps every read waiting at first, finishes the youngest one first, and fails reads that touch a bad range.
#[derive(Debug)]
pub(crate) struct FlakySource {
    data: MemorySource,
    bad: Vec<Range<u64>>,
    /// Reads under way, the youngest last.
    waiting: Mutex<Vec<u64>>,
    next: Mutex<u64>,
}

impl FlakySource {
    pub(crate) fn new(data: Vec<u8>, bad: impl IntoIterator<Item = Range<u64>>) -> Arc<Self> {
        let data = MemorySource::new(data.into());
        Arc::new(Self {
            data,
            bad: bad.into_iter().collect(),
            waiting: Mutex::default(),
            next: Mutex::default(),
        })
    }

    fn waiting(&self) -> std::sync::MutexGuard<'_, Vec<u64>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self) -> Ticket<'_> {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        *next += 1;
        self.waiting().push(*next);
        Ticket { source: self, number: *next }
    }
}

/// A read under way; a dropped one holds up nobody.
struct Ticket<'a> {
    source: &'a FlakySource,
    number: u64,
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        self.source.waiting().retain(|number| *number != self.number);
    }
}

impl Source for FlakySource {
    fn check(&self, range: &Range<u64>) -> Result<()> {
        self.data.check(range)
    }

    fn read_at(&self, offset: u64, buffer: Buffer) -> BoxFuture<'_, io::Result<Buffer>> {
        let range = offset..offset + buffer.len() as u64;
        Box::pin(async move {
            let ticket = self.begin();
            let mut polled = false;
            poll_fn(|task| {
                let youngest = self.waiting().last() == Some(&ticket.number);
                if polled && youngest {
                    return Poll::Ready(());
                }
                polled = true;
                task.waker().wake_by_ref();
                Poll::Pending
            })
            .await;
            if self.bad.iter().any(|bad| bad.start < range.end && range.start < bad.end) {
                return Err(io::Error::other("bad sector"));
            }
            self.data.read_at(offset, buffer).await
        })
    }

    fn describe(&self, offset: u64) -> PathBuf {
        self.data.describe(offset)
    }
}
