use super::{OutputPath, Sink, Staged};
use crate::error::Result;

/// Sink that discards everything: for measurements and dry runs.
#[derive(Debug, Clone, Copy, Default)]
pub struct NullSink;

struct NullFile;

impl Sink for NullSink {
    fn create(&self, _path: &OutputPath, _len: u64) -> Result<Box<dyn Staged>> {
        Ok(Box::new(NullFile))
    }
}

impl Staged for NullFile {
    fn write_at(&self, _offset: u64, _bytes: &[u8]) -> Result<()> {
        Ok(())
    }

    fn copy_from(&self, _file: &std::fs::File, _position: u64, _offset: u64, _len: u64) -> Result<()> {
        Ok(())
    }

    fn commit(&self) -> Result<()> {
        Ok(())
    }
}
