//! `.uncask.json` beside the packages: what their legacy files cannot say.

use crate::error::{Error, Result};
use crate::package::convert::sidecar::{Kept, SIDECAR_NAME, Sidecar};
use crate::sink::{OutputPath, Sink};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// What was kept so far, by folder. Nearly all packages from 5.3 on need nothing; those before need a few hundred bytes each.
#[derive(Debug, Default)]
pub(super) struct Sidecars(Mutex<BTreeMap<String, Sidecar>>);

impl Sidecars {
    /// Keeps what a package needs whose header goes to a path.
    pub(super) fn add(&self, header: &OutputPath, kept: Kept) {
        let mut folders = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = folders.entry(header.directory().to_owned()).or_default();
        folder.packages.insert(header.file_name().to_owned(), kept);
    }

    /// Writes the files. What earlier runs kept of other packages stays. Nothing longer than `limit` is read.
    pub(super) fn write(&self, sink: &dyn Sink, limit: u64) -> Vec<(String, Error)> {
        let folders = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        let written = folders.into_iter().map(|(folder, sidecar)| {
            let path = OutputPath::sanitize(&format!("{folder}/{SIDECAR_NAME}"));
            (path.to_string(), write(sink, &path, sidecar, limit))
        });
        written.filter_map(|(path, result)| Some((path, result.err()?))).collect()
    }
}

fn write(sink: &dyn Sink, path: &OutputPath, sidecar: Sidecar, limit: u64) -> Result<()> {
    let mut all = existing(sink, path, limit).unwrap_or_default();
    all.packages.extend(sidecar.packages);
    let bytes = all.write().map_err(|error| Error::Unsupported {
        what: format!("what is to be kept ({error})"),
        path: PathBuf::from(path.as_str()),
    })?;
    let staged = sink.create(path, bytes.len() as u64)?;
    staged.write_at(0, &bytes)?;
    staged.commit()
}

/// The file of an earlier run.
fn existing(sink: &dyn Sink, path: &OutputPath, limit: u64) -> Option<Sidecar> {
    let found = sink.existing(path).ok().filter(|found| found.len <= limit)?;
    let mut bytes = Vec::new();
    found.content.take(limit).read_to_end(&mut bytes).ok()?;
    Sidecar::parse(&bytes).ok()
}
