use super::{BoxFuture, Buffer, Source};
use crate::error::{Error, Result};
use bytes::Bytes;
use std::io;
use std::ops::Range;
use std::path::PathBuf;

/// Data of a container in memory, in one partition.
#[derive(Debug, Clone)]
pub struct MemorySource {
    bytes: Bytes,
}

impl MemorySource {
    /// Source over these bytes.
    #[must_use]
    pub const fn new(bytes: Bytes) -> Self {
        Self { bytes }
    }
}

impl Source for MemorySource {
    fn check(&self, range: &Range<u64>) -> Result<()> {
        let (len, needed) = (self.bytes.len() as u64, range.end);
        if needed <= len {
            return Ok(());
        }
        Err(Error::TruncatedPartition { path: self.describe(range.start), len, needed })
    }

    fn read_at(&self, offset: u64, mut buffer: Buffer) -> BoxFuture<'_, io::Result<Buffer>> {
        let found = usize::try_from(offset)
            .ok()
            .and_then(|start| self.bytes.get(start..start.checked_add(buffer.len())?))
            .map(|bytes| buffer.copy_from_slice(bytes));
        let result = found.map(|()| buffer).ok_or_else(|| io::ErrorKind::UnexpectedEof.into());
        Box::pin(std::future::ready(result))
    }

    fn describe(&self, _offset: u64) -> PathBuf {
        PathBuf::from("(memory)")
    }
}
