//! A package as it is stored.

use crate::error::{Error, Result};
use crate::id::PackageId;
use crate::package::zen;
use std::path::Path;
use std::sync::OnceLock;

/// A package as stored in its files.
#[derive(Debug, Clone)]
pub(super) enum RawPackage {
    /// A zen package.
    Zen(ZenPackage),
    /// A legacy package: the header, and the `.uexp` if it has one.
    Legacy(Vec<u8>, Option<Vec<u8>>),
}

/// A zen package as stored in its chunk.
#[derive(Debug, Clone)]
pub(super) struct ZenPackage {
    /// The whole chunk.
    pub chunk: Vec<u8>,
    /// Position of its container.
    pub container: Option<usize>,
    /// The packages that it imports, if they are not those that the container lists.
    pub imported: Option<Vec<PackageId>>,
    header: OnceLock<Box<zen::Header>>,
}

impl ZenPackage {
    pub(super) const fn new(chunk: Vec<u8>, container: Option<usize>) -> Self {
        Self { chunk, container, imported: None, header: OnceLock::new() }
    }

    /// Its header, parsed on first use and kept.
    pub(super) fn header(&self, path: &Path) -> Result<&zen::Header> {
        if let Some(header) = self.header.get() {
            return Ok(header);
        }
        let header = zen::Header::parse(&self.chunk).map_err(Error::malformed("zen package", path))?;
        Ok(self.header.get_or_init(|| header.into()))
    }
}
