//! Output files of assets.

use super::outcome::WrittenFile;
use crate::error::Result;
use crate::sink::{HashTag, OutputNames, OutputPath, Overwrite, Sink, Spool, put};
use crate::values::{PackageInput, PackageInputs, put_document, write_document};
use serde::Serialize;
use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Output of a job.
pub(super) struct Target {
    sink: Arc<dyn Sink>,
    overwrite: Overwrite,
    /// Lower-case stems of all packages, so that no asset takes the name of another package.
    stems: HashSet<String>,
    taken: Mutex<OutputNames>,
}

impl Target {
    pub(super) fn new(sink: Arc<dyn Sink>, overwrite: Overwrite, inputs: &PackageInputs) -> Self {
        let stems = inputs.items().iter().map(|item| stem(item).to_lowercase()).collect();
        Self { sink, overwrite, stems, taken: Mutex::default() }
    }

    /// The path of a material's texture picture, which is written once. If the texture is exported anyway, its export
    /// path.
    pub(super) fn picture(
        &self,
        item: &PackageInput,
        object: &str,
        suffix: &str,
        is_exported: bool,
    ) -> OutputPath {
        let (stem, own) = (stem(item), suffix_of(item, object));
        if is_exported {
            return OutputPath::sanitize(&format!("{stem}{own}{suffix}.png"));
        }
        self.claim(stem, &format!("{own}{suffix}"), "png")
    }

    /// A place for intermediate content.
    pub(super) fn spool(&self) -> Result<Spool> {
        self.sink.spool()
    }

    fn claim(&self, stem: &str, suffix: &str, extension: &str) -> OutputPath {
        let mut name = format!("{stem}{suffix}");
        // `A.B` may be the name of an object in `A`, and of a package as well. The package keeps it.
        while !suffix.is_empty() && self.stems.contains(&name.to_lowercase()) {
            name.push('~');
        }
        // Names come from packages, and may have characters that a file system rejects.
        let path = OutputPath::sanitize(&format!("{name}.{extension}"));
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.claim(path, HashTag(&name)).0
    }
}

/// The extensionless path of a package's files, which is unique among the inputs.
fn stem(item: &PackageInput) -> &str {
    let path = item.output.as_str();
    path.strip_suffix(".json").unwrap_or(path)
}

/// Output files of one asset.
pub(super) struct Files<'e> {
    pub(super) target: &'e Target,
    stem: &'e str,
    /// Suffix of the object in file names.
    object: String,
    /// Files written, or left as they were.
    pub(super) written: Vec<WrittenFile>,
    /// True if another file is written later.
    pub(super) has_later: bool,
}

impl<'e> Files<'e> {
    pub(super) fn new(target: &'e Target, item: &'e PackageInput, object: &str) -> Self {
        Self {
            target,
            stem: stem(item),
            object: suffix_of(item, object),
            written: Vec::new(),
            has_later: false,
        }
    }

    /// Names the files after another object of the package.
    pub(super) fn rename(&mut self, item: &PackageInput, object: &str) {
        self.object = suffix_of(item, object);
    }

    /// Writes a file, unless an existing one may stay.
    pub(super) fn put(&mut self, suffix: &str, extension: &str, bytes: &[u8]) -> Result<()> {
        let path = self.target.claim(self.stem, &format!("{}{suffix}", self.object), extension);
        self.put_at(&path, bytes)
    }

    /// Writes a JSON document about the package at `from`. It is never in memory as a whole.
    pub(super) fn put_json(&mut self, document: &impl Serialize, from: &Path) -> Result<()> {
        self.put_with("", "json", |out| write_document(document, from, out))
    }

    /// Writes a file piece by piece: it is never in memory as a whole.
    pub(super) fn put_with(
        &mut self,
        suffix: &str,
        extension: &str,
        write: impl FnOnce(&mut dyn io::Write) -> Result<()>,
    ) -> Result<()> {
        let path = self.target.claim(self.stem, &format!("{}{suffix}", self.object), extension);
        let (outcome, bytes) = put_document(&*self.target.sink, &path, self.target.overwrite, write)?;
        self.written.push(WrittenFile { path: path.to_string(), bytes, outcome });
        Ok(())
    }

    /// The path of a file that is written later.
    pub(super) fn claim_later(&mut self, extension: &str) -> OutputPath {
        self.has_later = true;
        self.target.claim(self.stem, &self.object, extension)
    }

    /// Writes a file to a path claimed before.
    pub(super) fn put_at(&mut self, path: &OutputPath, bytes: &[u8]) -> Result<()> {
        let outcome = put(&*self.target.sink, path, bytes, self.target.overwrite)?;
        self.written.push(WrittenFile { path: path.to_string(), bytes: bytes.len() as u64, outcome });
        Ok(())
    }
}

/// Suffix of an object in file names; empty for the object named like its package.
fn suffix_of(item: &PackageInput, object: &str) -> String {
    let is_main = stem(item).rsplit('/').next().is_some_and(|name| name.eq_ignore_ascii_case(object));
    if is_main { String::new() } else { format!(".{}", object.replace(['/', '\\'], "_")) }
}
