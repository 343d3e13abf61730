use super::asker::Asker;
use super::files::Target;
use super::inner::InnerObjects;
use super::options::ExportOptions;
use crate::asset::{Bulk, FoundAsset, Payload};
use crate::error::{Error, Result};
use crate::job::Cpu;
use crate::package::legacy::{Export, PackageIndex, PackageRef};
use crate::property::{Object, Problem, ReadCause, Scope};
use crate::values::{Loaded, PackageInput, PackageJob, UnreadOf};
use crate::wire::{Fault, FaultKind};
use std::borrow::Cow;
use std::cell::OnceCell;

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
    pub(super) found: &'s FoundAsset<'a>,
    /// Objects inside of others.
    pub(super) inner: &'s InnerObjects,
    /// Exports that could not be read.
    pub(super) unread: &'s UnreadOf<'a>,
    /// The fault of a file of bulk data that does not have what the asset needs.
    pub(super) short: OnceCell<String>,
    /// The package whose file gets its materials: its own, or that of a level.
    pub(super) owner: &'s PackageInput,
    /// Its path in the package.
    pub(super) object: String,
    pub(super) class: String,
    pub(super) options: &'s ExportOptions,
}

impl<'a> Source<'_, 'a> {
    /// Its full path, such as `/Game/Sounds/Hit.Hit`.
    pub(super) fn full_path(&self) -> String {
        let path = self.loaded.package.path(self.index, self.scope.name());
        path.map_or_else(|| self.object.clone(), |path| path.to_string())
    }

    /// The file that gets its materials.
    pub(super) const fn asker<'t>(&'t self, target: &'t Target) -> Asker<'t> {
        let (job, options, owner) = (self.job, self.options, self.owner);
        Asker { job, options, owner, target, with_pictures: true }
    }

    /// Indices of its export and of those inside it.
    pub(super) fn inner_objects(&self) -> Vec<u32> {
        match self.index.decode() {
            PackageRef::Export(at) => self.inner.of(&self.loaded.package, at),
            _ => Vec::new(),
        }
    }

    /// Reports an export, if its values could not be read.
    pub(super) fn see(&self, export: &Export, object: &Object) {
        // Without mappings payloads are found by searching, so unread properties are expected.
        let is_expected =
            self.loaded.package.form.unversioned_properties && self.job.options.mappings.is_none();
        if object.problem.is_none() || !is_expected {
            self.unread.see(export, object);
        }
    }

    /// The reason for not writing an asset that is nothing but unreadable properties.
    pub(super) fn no_properties(&self) -> String {
        reason_unread(self.fields)
    }

    /// A piece of bulk data; `None` if its file or chunk does not exist, or does not have it: a note will say so.
    pub(super) fn bulk(&self, bulk: &Bulk<'a>) -> Result<Option<Cow<'a, [u8]>>> {
        match self.job.library.bulk(self.item, self.loaded, bulk) {
            Err(error @ (Error::ShortBulkData { .. } | Error::LfsPointer { .. })) => {
                // The first one tells what is wrong with the file.
                let _ = self.short.set(error.to_string());
                Ok(None)
            }
            found => found,
        }
    }

    /// A reader of bulk data of the asset.
    pub(super) fn payload<'b>(&'b self, bytes: &'b [u8]) -> Payload<'b, 'b> {
        self.found.bulk_payload(self.scope, self.export, self.fields, bytes)
    }

    /// Joins pieces of bulk data, each cut to the given length; `None` if any of them does not exist.
    pub(super) fn joined<'p>(
        &self,
        pieces: impl Iterator<Item = (&'p Bulk<'a>, u64)>,
    ) -> Result<Option<Vec<u8>>>
    where
        'a: 'p,
    {
        let library = &self.job.library;
        // Real pieces never overlap. Crafted records may all name one large piece, and would take far more memory than
        // was paid for.
        let limit = library.bulk_len(self.item).saturating_add(self.item.len);
        let (mut joined, mut found) = (Vec::new(), 0_u64);
        for (piece, len) in pieces {
            // A file with a hole in it is of no use, so one missing piece is enough to give up.
            let Some(bytes) = self.bulk(piece)? else { return Ok(None) };
            found = found.saturating_add(len.min(bytes.len() as u64));
            if found > limit {
                let kind = FaultKind::TooLarge { found, limit };
                let fault = Fault { offset: 0, field: "size of all chunks", kind };
                return Err(Error::malformed("bulk data", &self.loaded.path)(fault));
            }
            let len = usize::try_from(len).unwrap_or(usize::MAX);
            joined.extend_from_slice(bytes.get(..len).unwrap_or(&bytes));
        }
        Ok(Some(joined))
    }
}

/// The reason why the values of an object are not written.
pub(super) fn reason_unread(object: &Object) -> String {
    match &object.problem {
        None => "its values need the game's mappings".to_owned(),
        Some(Problem { cause: ReadCause::NoSchema(of), .. }) => {
            format!("its values need the schema of {}, which the game's mappings have", of.name)
        }
        Some(problem) => format!("its values cannot be read: {problem}"),
    }
}
