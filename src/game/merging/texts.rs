//! Localization files of merged mods.

use super::{MergeError, Merging};
use crate::changes::{MergedTexts, with_texts};
use crate::error::{Error, Result};
use crate::game::conflicts::Side;
use crate::localization::LocalizationResource;
use crate::sink::{DirectorySink, OutputPath, Overwrite, put};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

impl Merging<'_> {
    /// Writes localization files with the texts of several mods into a folder; returns their paths.
    pub(super) fn texts(
        &self,
        files: &[MergedTexts],
        folder: Option<&Path>,
    ) -> std::result::Result<Vec<String>, MergeError> {
        let sink = folder.map(DirectorySink::open).transpose()?;
        let mut paths = Vec::new();
        for file in files {
            let mut others = BTreeMap::new();
            for mod_at in file.takes.iter().map(|take| take.mod_at).collect::<BTreeSet<_>>() {
                others.insert(mod_at, self.resource(mod_at, &file.path)?);
            }
            let base = self.resource(file.base, &file.path)?;
            let malformed = |fault| Error::malformed("localization resource", &file.path)(fault);
            let merged = with_texts(base, &file.takes, &others).map_err(malformed)?;
            if let Some(sink) = &sink {
                put(sink, &OutputPath::sanitize(&file.path), &merged, Overwrite::Always)?;
            }
            paths.push(file.path.clone());
        }
        Ok(paths)
    }

    /// The texts of a file in a mod.
    fn resource(&self, mod_at: usize, path: &str) -> Result<LocalizationResource> {
        let gone = || Error::Internal { message: "a mod has lost a file".to_owned(), path: path.into() };
        let of = self.mods.get(mod_at).ok_or_else(gone)?;
        let bytes = Side::new(of).file(&path.to_lowercase())?.ok_or_else(gone)?;
        LocalizationResource::parse(&bytes).map_err(Error::malformed("localization resource", path))
    }
}
