use super::scene::SceneCounts;
use super::wanted::Wanted;
use crate::error::Error;
use crate::extract::SourceFiles;
use crate::sink::{OutputPath, PutOutcome};
use crate::values::{PackageInput, ValuesRead};
use serde::{Serialize, Serializer};
use std::collections::{BTreeMap, HashMap};

/// A file made from an asset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenFile {
    /// Its path, relative to the output folder.
    pub path: String,
    /// Its length, in bytes.
    pub bytes: u64,
    /// Result of writing it.
    pub outcome: PutOutcome,
}

impl Serialize for WrittenFile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.path)
    }
}

/// An exported asset.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Exported {
    /// Its path in the package.
    pub object: String,
    /// Its class.
    pub class: String,
    /// Its files.
    pub files: Vec<WrittenFile>,
    /// Their total length, in bytes.
    pub bytes: u64,
    /// Number of files that existed with the same content.
    pub unchanged: u64,
    /// Number of files that existed and were kept unseen.
    pub kept: u64,
    /// True if its properties could not be decoded, so that the payload was found by searching.
    pub searched: bool,
    /// Counts of a scene, of a level.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scene: Option<SceneCounts>,
    /// Note on what was not written, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Exported {
    pub(super) fn new(object: String, class: String, files: Vec<WrittenFile>) -> Self {
        let bytes = files.iter().map(|file| file.bytes).sum();
        let [unchanged, kept] = [PutOutcome::Unchanged, PutOutcome::Kept]
            .map(|outcome| files.iter().filter(|file| file.outcome == outcome).count() as u64);
        Self { object, class, files, bytes, unchanged, kept, searched: false, scene: None, note: None }
    }

    /// A copied file.
    pub(super) fn copied(path: String, file: WrittenFile) -> Self {
        Self::new(path, "File".to_owned(), vec![file])
    }
}

/// An asset that has not become a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Left {
    /// Its path in the package.
    pub object: String,
    /// Its class.
    pub class: String,
    /// The reason for not exporting it.
    pub reason: String,
}

/// Result of a package.
#[derive(Debug, Default)]
pub(super) struct PackageMade {
    pub(super) exported: Vec<Exported>,
    pub(super) left: Vec<Left>,
    pub(super) failures: Vec<Error>,
    /// True if an asset gets its file later.
    pub(super) has_later: bool,
    /// The assets that failed.
    pub(super) failed_assets: Vec<Left>,
    /// True if anything failed, even if it was reported already.
    pub(super) failed: bool,
    /// True if it has a level, which becomes a scene later.
    pub(super) has_level: bool,
    /// Classes of its assets, if none of them can be exported.
    pub(super) classes: Vec<String>,
}

/// Result of an export job.
#[derive(Debug, Default)]
pub struct ExportedAssets {
    /// Findings from reading the packages.
    pub values: ValuesRead,
    /// Exported assets, each with its package name.
    pub exported: Vec<(String, Exported)>,
    /// Assets not exported, each with its package name.
    pub left: Vec<(String, Left)>,
    /// Assets that failed, each with its package name.
    pub failed: Vec<(String, Left)>,
    /// Packages without failures, with their files.
    pub complete: Vec<SourceFiles>,
    /// Number of packages without exportable assets, by asset class.
    pub other_classes: BTreeMap<String, u64>,
}

impl ExportedAssets {
    /// Number of files, written or existing.
    #[must_use]
    pub fn files(&self) -> u64 {
        self.exported.iter().map(|(_, asset)| asset.files.len() as u64).sum()
    }

    /// Number of files that existed with the same content.
    #[must_use]
    pub fn unchanged(&self) -> u64 {
        self.exported.iter().map(|(_, asset)| asset.unchanged).sum()
    }

    /// Number of files that existed and were kept unseen.
    #[must_use]
    pub fn kept(&self) -> u64 {
        self.exported.iter().map(|(_, asset)| asset.kept).sum()
    }

    /// Total length of the files, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.exported.iter().map(|(_, asset)| asset.bytes).sum()
    }

    /// Number of assets whose properties could not be decoded.
    #[must_use]
    pub fn searched(&self) -> u64 {
        self.exported.iter().filter(|(_, asset)| asset.searched).count() as u64
    }

    pub(super) fn add(&mut self, item: &PackageInput, made: PackageMade) {
        let package = item.package_name();
        // Only complete packages go into the manifest: the others must be exported again.
        if let Some(entry) = item.entry().filter(|_| !made.failed) {
            let files = made.exported.iter().flat_map(|asset| &asset.files);
            let files = files.map(|file| OutputPath::sanitize(&file.path)).collect();
            self.complete.push(SourceFiles { entry, path: item.name.clone(), files });
        }
        self.exported.extend(made.exported.into_iter().map(|asset| (package.clone(), asset)));
        self.failed.extend(made.failed_assets.into_iter().map(|asset| (package.clone(), asset)));
        self.left.extend(made.left.into_iter().map(|asset| (package.clone(), asset)));
        for class in made.classes {
            *self.other_classes.entry(class).or_default() += 1;
        }
    }

    /// Adds the scene of a level, whose package was an input.
    pub(super) fn add_scene(&mut self, item: &PackageInput, exported: Exported) {
        if let Some(owner) = self.complete.iter_mut().find(|package| package.path == item.name) {
            owner.files.extend(exported.files.iter().map(|file| OutputPath::sanitize(&file.path)));
        }
        self.exported.push((item.package_name(), exported));
    }

    /// Positions in `complete` by path.
    pub(super) fn owners(&self) -> HashMap<String, usize> {
        self.complete.iter().enumerate().map(|(at, package)| (package.path.clone(), at)).collect()
    }

    /// Adds pictures that materials refer to; they belong to the first package with such a material.
    pub(super) fn add_pictures(
        &mut self,
        item: &PackageInput,
        mut made: PackageMade,
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
        // A picture of its own belongs to the sprite, not to the texture.
        for wanted in wanted {
            let Some(owner) = &wanted.owner else { continue };
            let own = |file: &WrittenFile| file.path == wanted.path.as_str();
            let files = made.exported.iter_mut().find_map(|asset| {
                let at = asset.files.iter().position(own)?;
                Some(asset.files.remove(at))
            });
            if let Some(file) = files {
                let exported = Exported::new(owner.object.clone(), owner.class.clone(), vec![file]);
                self.exported.push((owner.package.clone(), exported));
            }
        }
        made.exported.retain_mut(|asset| {
            let files = std::mem::take(&mut asset.files);
            let note = asset.note.take();
            let (object, class) = (std::mem::take(&mut asset.object), std::mem::take(&mut asset.class));
            *asset = Exported { searched: asset.searched, note, ..Exported::new(object, class, files) };
            !asset.files.is_empty()
        });
        // `add` would list the texture's package as a source, but only its pictures were asked for.
        let complete = std::mem::take(&mut self.complete);
        self.add(item, made);
        self.complete = complete;
    }
}
