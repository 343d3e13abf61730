//! A package in memory, whatever it was stored as.

use super::bulk_files::BulkFiles;
use crate::error::Error;
use crate::package::legacy;
use crate::property::Scope;
use crate::version::{Release, Releases};
use crate::wire::Fault;
use std::path::PathBuf;

/// A package with the data of its exports.
pub(crate) struct Loaded {
    /// Its header.
    pub package: legacy::Package,
    /// The data of its exports.
    data: Vec<u8>,
    /// Offset of `data` in the numbering of the header, in bytes.
    data_at: u64,
    release: Option<&'static Release>,
    /// The releases that may have written it.
    pub(super) left: Releases,
    /// Its likely name, for headers that record none.
    name: String,
    /// Its location, for messages.
    pub path: PathBuf,
    /// Hash mismatch of its chunks, although they could be read.
    pub mismatch: Option<Error>,
    /// Its bulk data, as far as it was requested.
    pub(super) bulk: BulkFiles,
}

impl Loaded {
    /// A package with the data of its exports, which start at an offset in the numbering of its header. `release` wrote it, or
    /// one of `left`; `name` is what it is likely called.
    pub(super) fn new(
        package: legacy::Package,
        (data, data_at): (Vec<u8>, u64),
        (release, left): (Option<&'static Release>, Releases),
        name: String,
        path: PathBuf,
    ) -> Self {
        let bulk = BulkFiles::default();
        Self { package, data, data_at, release, left, name, path, mismatch: None, bulk }
    }

    /// The same with the hash mismatch of its chunks.
    pub(super) fn with_mismatch(self, mismatch: Option<Error>) -> Self {
        Self { mismatch, ..self }
    }

    /// Takes the hash mismatch of its chunks, bulk data included.
    pub(crate) fn take_mismatch(&mut self) -> Option<Error> {
        self.mismatch.take().or_else(|| self.bulk.mismatch.take())
    }

    /// True if both packages are equal byte for byte, apart from the offset of their data.
    pub(crate) fn is_same_as(&self, other: &Self) -> bool {
        self.data == other.data && self.package == other.package
    }

    /// The data after the exports of an uncooked package; `None` if there is none.
    pub(crate) fn trailer(&self) -> std::result::Result<Option<legacy::Trailer>, Fault> {
        // Only a package in one file, whose data starts at 0, can be uncooked.
        if self.data_at == 0 { legacy::Trailer::parse(&self.data, &self.package) } else { Ok(None) }
    }

    /// The data of its exports; the whole file if it is not split.
    pub(crate) fn data(&self) -> &[u8] {
        &self.data
    }

    /// The end of its data, with offsets as in the header.
    pub(super) const fn len(&self) -> u64 {
        self.data_at + self.data.len() as u64
    }

    /// True if its exports are in a separate file that is missing.
    pub(super) fn has_no_exports(&self) -> bool {
        let has_some = self.package.exports.iter().any(|export| export.serial_len > 0);
        // Exports exist, but the file ends with the header.
        has_some && self.data_at == 0 && self.package.header_len() >= self.data.len() as u64
    }

    /// A range of its data, with offsets as in the header.
    pub(super) fn at(&self, offset: u64, len: u64) -> Option<&[u8]> {
        let start = usize::try_from(offset.checked_sub(self.data_at)?).ok()?;
        self.data.get(start..start.checked_add(usize::try_from(len).ok()?)?)
    }

    /// The package alone, without any others.
    pub(super) fn scope(&self) -> Scope<'_> {
        Scope::new(&self.package, &self.data, self.data_at, self.release).with_name(&self.name)
    }

    /// Its likely name, for a package that stores none.
    pub(super) fn name(&self) -> String {
        self.scope().name().to_owned()
    }
}
