//! Why a game would not take what is to be packed.

use crate::error::{Error, Result};
use crate::wire::counted;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What is wrong with a file, or with all of them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Objection {
    /// A file of the container is there already.
    Exists,
    /// No engine was released with the version.
    Unreleased { version: String, released: String },
    /// A cooker's asset is to go into a container.
    LegacyAsset,
    /// A file is named like a package.
    NoPackage(String),
    /// A zen package is to go into a pak.
    ZenInPak,
    /// A package is of another engine than the container.
    OtherEngine { package: &'static str, container: String },
    /// Nothing says what a package imports.
    ImportsUnknown,
}

impl Objection {
    /// What is wrong with `count` files, of which `first` is one, and what to do.
    fn text(&self, count: u64, first: &Path) -> String {
        let and_more = if count == 1 { String::new() } else { format!(" and {} more", count - 1) };
        let paths = format!("{}{and_more}", first.display());
        let counted = |one, many| counted(count, one, many);
        match self {
            Self::Exists => format!("output exists already: {paths}"),
            Self::Unreleased { version, released } => {
                format!("no released engine reads toc version {version}, expected {released}: {paths}")
            }
            Self::LegacyAsset => format!(
                "{} (tag 0x9E2A83C1, or .uexp): games crash on these in a container, which must have zen packages; pack legacy \
                 assets into a .pak: {paths}",
                counted("legacy asset", "legacy assets"),
            ),
            Self::NoPackage(fault) => format!(
                "{} ({fault}): a game that loads such a chunk crashes; use another extension for other files: {paths}",
                counted(
                    "file is named like a package, but is not one",
                    "files are named like packages, but are not"
                ),
            ),
            Self::ZenInPak => format!(
                "{}: games load these only from containers; write a .utoc: {paths}",
                counted("zen package", "zen packages"),
            ),
            Self::OtherEngine { package, container } => format!(
                "{} from {package}, but the container is for {container}, which crashes on them; choose the toc version or \
                 the engine release of the packages: {paths}",
                counted("package is", "packages are"),
            ),
            Self::ImportsUnknown => format!(
                "{} without a list of imported packages: before UE 5.3 only the container header has it; pack the folder \
                 that has the chunks/*.container_header from the same unpack: {paths}",
                counted("package is", "packages are"),
            ),
        }
    }
}

/// All objections, each with the first file that it is about, and how many there are.
#[derive(Debug, Default)]
pub(super) struct Objections(BTreeMap<Objection, (u64, PathBuf)>);

impl Objections {
    /// Objects to a file. Faults are many; the first stands for all.
    pub(super) fn add(&mut self, objection: Objection, path: &Path) {
        let known = |other: &&Objection| std::mem::discriminant(*other) == std::mem::discriminant(&objection);
        let key = self.0.keys().find(known).cloned().unwrap_or(objection);
        let (count, _) = self.0.entry(key).or_insert_with(|| (0, path.to_owned()));
        *count += 1;
    }

    /// An error, unless there are none or they do not matter: then they are warnings, but for what force is for.
    pub(super) fn settle(mut self, force: bool) -> Result<Vec<String>> {
        if force {
            self.0.remove(&Objection::Exists);
        }
        let reasons: Vec<String> =
            self.0.iter().map(|(objection, (count, first))| objection.text(*count, first)).collect();
        if reasons.is_empty() || force { Ok(reasons) } else { Err(Error::Refused { reasons }) }
    }
}

/// Objects to files that are there; folders cannot be replaced at all.
pub(super) fn object_to_existing(existing: &[PathBuf], objections: &mut Objections) -> Result<()> {
    for path in existing {
        if path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir()) {
            return Err(Error::io("write", path)(std::io::ErrorKind::IsADirectory.into()));
        }
        objections.add(Objection::Exists, path);
    }
    Ok(())
}
