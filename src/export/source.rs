use super::options::ExportOptions;
use crate::asset::{Bulk, Found, Payload};
use crate::error::{Error, Result};
use crate::job::Cpu;
use crate::package::legacy::{Export, PackageIndex};
use crate::property::{Object, Scope};
use crate::values::{Loaded, PackageInput, PackageJob};
use crate::wire::{Fault, FaultKind};
use std::borrow::Cow;

/// An asset being exported.
pub(super) struct Source<'s, 'a> {
    pub(super) job: &'s PackageJob,
    pub(super) cpu: &'s Cpu,
    pub(super) item: &'s PackageInput,
    pub(super) loaded: &'a Loaded,
    pub(super) scope: &'s Scope<'a>,
    /// The export.
    pub(super) export: &'s Export,
    /// Index of the export, for references.
    pub(super) index: PackageIndex,
    /// Its decoded properties.
    pub(super) fields: &'s Object,
    /// The asset.
    pub(super) found: &'s Found<'a>,
    /// Its path in the package.
    pub(super) object: String,
    pub(super) class: String,
    pub(super) options: &'s ExportOptions,
}

impl<'a> Source<'_, 'a> {
    /// A piece of bulk data; `None` if its file or chunk does not exist.
    pub(super) fn bulk(&self, bulk: &Bulk<'a>) -> Result<Option<Cow<'a, [u8]>>> {
        self.job.library.bulk(self.item, self.loaded, bulk)
    }

    /// A reader of bulk data of the asset.
    pub(super) fn payload<'b>(&'b self, bytes: &'b [u8]) -> Payload<'b, 'b> {
        self.found.bulk_payload(self.scope, self.export, self.fields, bytes)
    }

    /// Joins pieces of bulk data, each cut to the given length; `None` if any of them does not exist.
    pub(super) fn joined<'p>(
        &self,
        pieces: impl Iterator<Item = (&'p Bulk<'a>, u64)> + Clone,
    ) -> Result<Option<Vec<u8>>>
    where
        'a: 'p,
    {
        let library = &self.job.library;
        // Real pieces never overlap. Crafted records may all name one large piece, and would take far more memory than
        // was paid for.
        let limit = library.bulk_len(self.item).saturating_add(self.item.len);
        let found = pieces.clone().fold(0, |sum: u64, (_, len)| sum.saturating_add(len));
        if found > limit {
            let kind = FaultKind::TooLarge { found, limit };
            let fault = Fault { offset: 0, field: "size of all chunks", kind };
            return Err(Error::malformed("bulk data", &self.loaded.path)(fault));
        }
        let mut joined = Vec::new();
        for (piece, len) in pieces {
            // A file with a hole in it is of no use, so one missing piece is enough to give up.
            let Some(bytes) = self.bulk(piece)? else { return Ok(None) };
            let len = usize::try_from(len).unwrap_or(usize::MAX);
            joined.extend_from_slice(bytes.get(..len).unwrap_or(&bytes));
        }
        Ok(Some(joined))
    }
}
