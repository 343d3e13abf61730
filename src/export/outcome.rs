use super::wanted::Wanted;
use crate::error::Error;
use crate::extract::SourceFiles;
use crate::sink::{OutputPath, PutOutcome};
use crate::values::{PackageInput, ValuesRead};
use serde::{Serialize, Serializer};
use std::collections::{BTreeMap, HashMap};

/// A file that an asset became.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenFile {
    /// Its path, relative to the output folder.
    pub path: String,
    /// Its length.
    pub bytes: u64,
    /// Outcome of writing it: written, or there already.
    pub outcome: PutOutcome,
}

impl Serialize for WrittenFile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.path)
    }
}

/// An asset that was exported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Exported {
    /// Its path in the package.
    pub object: String,
    /// Its class.
    pub class: String,
    /// The files that it became.
    pub files: Vec<WrittenFile>,
    /// Bytes in them.
    pub bytes: u64,
    /// Files of these that were there already, with the same content.
    pub unchanged: u64,
    /// Files of these that were there already and stay, whatever they hold.
    pub kept: u64,
    /// Its properties could not be decoded; what only these say is not known.
    pub searched: bool,
    /// What was not written, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Exported {
    pub(super) fn new(object: String, class: String, files: Vec<WrittenFile>) -> Self {
        let bytes = files.iter().map(|file| file.bytes).sum();
        let [unchanged, kept] = [PutOutcome::Unchanged, PutOutcome::Kept]
            .map(|outcome| files.iter().filter(|file| file.outcome == outcome).count() as u64);
        Self { object, class, files, bytes, unchanged, kept, searched: false, note: None }
    }

    /// A file that is copied as it is.
    pub(super) fn copied(path: String, file: WrittenFile) -> Self {
        Self::new(path, "File".to_owned(), vec![file])
    }
}

/// An asset that is in no form that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Left {
    /// Its path in the package.
    pub object: String,
    /// Its class.
    pub class: String,
    /// Why it was not exported.
    pub reason: String,
}

/// What became of a package.
#[derive(Debug, Default)]
pub(super) struct PackageMade {
    pub(super) exported: Vec<Exported>,
    pub(super) left: Vec<Left>,
    pub(super) failures: Vec<Error>,
    /// Something failed, whether it was reported or not.
    pub(super) failed: bool,
    /// Classes of its assets, if none of them is exported.
    pub(super) classes: Vec<String>,
}

/// Assets that were exported, and those that were not.
#[derive(Debug, Default)]
pub struct ExportedAssets {
    /// Findings from reading the packages.
    pub values: ValuesRead,
    /// Assets that were exported, with the names of their packages.
    pub exported: Vec<(String, Exported)>,
    /// Assets that were not, with the names of their packages.
    pub left: Vec<(String, Left)>,
    /// Packages in which nothing failed, with what they became.
    pub complete: Vec<SourceFiles>,
    /// Packages in which nothing can be exported, by the classes of their assets.
    pub other_classes: BTreeMap<String, u64>,
}

impl ExportedAssets {
    /// Files that were written or were there already.
    #[must_use]
    pub fn files(&self) -> u64 {
        self.exported.iter().map(|(_, asset)| asset.files.len() as u64).sum()
    }

    /// Files of these that were there already, with the same content.
    #[must_use]
    pub fn unchanged(&self) -> u64 {
        self.exported.iter().map(|(_, asset)| asset.unchanged).sum()
    }

    /// Files of these that were there already and stay, whatever they hold.
    #[must_use]
    pub fn kept(&self) -> u64 {
        self.exported.iter().map(|(_, asset)| asset.kept).sum()
    }

    /// Bytes in these files.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.exported.iter().map(|(_, asset)| asset.bytes).sum()
    }

    /// Assets whose properties could not be decoded.
    #[must_use]
    pub fn searched(&self) -> u64 {
        self.exported.iter().filter(|(_, asset)| asset.searched).count() as u64
    }

    pub(super) fn add(&mut self, item: &PackageInput, made: PackageMade) {
        let package = item.package_name();
        if let Some(entry) = item.entry().filter(|_| !made.failed) {
            let files = made.exported.iter().flat_map(|asset| &asset.files);
            let files = files.map(|file| OutputPath::sanitize(&file.path)).collect();
            self.complete.push(SourceFiles { entry, path: item.name.clone(), files });
        }
        self.exported.extend(made.exported.into_iter().map(|asset| (package.clone(), asset)));
        self.left.extend(made.left.into_iter().map(|asset| (package.clone(), asset)));
        for class in made.classes {
            *self.other_classes.entry(class).or_default() += 1;
        }
    }

    /// Where the packages are in which nothing failed, by their paths.
    pub(super) fn owners(&self) -> HashMap<String, usize> {
        self.complete.iter().enumerate().map(|(at, package)| (package.path.clone(), at)).collect()
    }

    /// Adds pictures that materials refer to: they belong to the first package with such a material.
    pub(super) fn add_pictures(
        &mut self,
        item: &PackageInput,
        made: PackageMade,
        wanted: &[Wanted],
        owners: &HashMap<String, usize>,
    ) {
        let is_written = |wanted: &&Wanted| {
            let mut files = made.exported.iter().flat_map(|asset| &asset.files);
            files.any(|file| file.path == wanted.path.as_str())
        };
        for wanted in wanted.iter().filter(is_written) {
            let owner = owners.get(&wanted.needed_by).and_then(|at| self.complete.get_mut(*at));
            if let Some(owner) = owner {
                owner.files.push(wanted.path.clone());
            }
        }
        let complete = std::mem::take(&mut self.complete);
        self.add(item, made);
        self.complete = complete;
    }
}
