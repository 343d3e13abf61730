use super::options::ExportOptions;
use crate::asset::{Bulk, Found, Payload};
use crate::error::Result;
use crate::package::legacy::{Export, PackageIndex};
use crate::property::{Object, Scope};
use crate::values::{Job, Loaded, PackageInput};
use std::borrow::Cow;

/// An asset that is being exported.
pub(super) struct Source<'s, 'a> {
    pub(super) job: &'s Job,
    pub(super) item: &'s PackageInput,
    pub(super) loaded: &'a Loaded,
    pub(super) scope: &'s Scope<'a>,
    /// The export.
    pub(super) export: &'s Export,
    /// The export, as others refer to it.
    pub(super) index: PackageIndex,
    /// What was read of it before the asset.
    pub(super) fields: &'s Object,
    /// The asset.
    pub(super) found: &'s Found<'a>,
    /// Its path in the package.
    pub(super) object: String,
    pub(super) class: String,
    pub(super) options: &'s ExportOptions,
}

impl<'a> Source<'_, 'a> {
    /// A piece of bulk data; `None` if the file or chunk that it is in is not there.
    pub(super) fn bulk(&self, bulk: &Bulk<'a>) -> Result<Option<Cow<'a, [u8]>>> {
        self.job.library.bulk(self.item, self.loaded, bulk)
    }

    /// A cursor over bulk data of the asset.
    pub(super) fn payload<'b>(&'b self, bytes: &'b [u8]) -> Payload<'b, 'b> {
        self.found.bulk_payload(self.scope, self.export, self.fields, bytes)
    }
}
