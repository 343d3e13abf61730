//! Loose zen packages: files in a folder, as written by `unpack` and other tools.

use super::names::AssetName;
use crate::error::{Error, Result};
use crate::id::PackageId;
use crate::identify::has_extension;
use crate::package::{PackageKind, zen};
use crate::sink::{NameClash, OutputNames, OutputPath};
use crate::source::{FolderFiles, Links, files_below, open_file};
use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Extensions used for zen packages.
const EXTENSIONS: [&str; 4] = ["uasset", "umap", "uzenasset", "uzenmap"];

/// Bytes read first; nearly all headers fit.
const FIRST_READ: u64 = 64 << 10;

/// A zen package file.
#[derive(Debug, Clone)]
pub(super) struct LooseFile {
    pub path: PathBuf,
    pub id: PackageId,
    /// Length in bytes.
    pub len: u64,
    /// Its output name.
    pub name: AssetName,
}

/// Zen package files.
#[derive(Debug, Default)]
pub struct LoosePackages {
    pub(super) files: Vec<LooseFile>,
    /// Bulk data files beside them, with their output paths.
    pub(super) bulk: Vec<(PathBuf, OutputPath)>,
    /// Files with a package extension but other content, such as legacy packages.
    pub others: Vec<PathBuf>,
    /// Errors of files that could not be read.
    pub problems: Vec<Error>,
    /// Errors of folders that could not be read.
    pub unread: Vec<Error>,
    /// Paths changed to keep them distinct.
    pub clashes: Vec<NameClash>,
}

impl LoosePackages {
    /// Finds the zen packages of an input file or folder, and the bulk data beside them. `wanted` gets the path of each
    /// package in the folder.
    ///
    /// Headers longer than `limit` bytes are not read.
    #[must_use]
    pub fn find(input: &Path, limit: u64, wanted: impl Fn(&str) -> bool) -> Self {
        let (mut this, mut names) = (Self::default(), OutputNames::default());
        if !input.is_dir() {
            let name = input.file_name().unwrap_or_default().to_string_lossy().into_owned();
            this.add(input.to_owned(), &name, limit, &mut names);
            return this;
        }
        let FolderFiles { files, problems } =
            files_below(input, Links::Ignore, |path| has_extension(path, &EXTENSIONS));
        this.unread = problems;
        for path in files {
            let relative = path.strip_prefix(input).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            if wanted(&relative) {
                this.add(path, &relative, limit, &mut names);
            }
        }
        this
    }

    /// Number of packages.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.files.len()
    }

    /// Number of bulk data files.
    #[must_use]
    pub const fn bulk_len(&self) -> usize {
        self.bulk.len()
    }

    /// True if there are no packages.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Files by package id.
    pub(super) fn by_id(&self) -> HashMap<PackageId, PathBuf> {
        self.files.iter().map(|file| (file.id, file.path.clone())).collect()
    }

    fn add(&mut self, path: PathBuf, relative: &str, limit: u64, names: &mut OutputNames) {
        let header = match read_header(&path, limit) {
            Ok(header) => header,
            Err(error) => return self.problems.push(error),
        };
        if !matches!(PackageKind::sniff(&header), Some(PackageKind::Zen(_))) {
            return self.others.push(path);
        }
        // An unreadable name makes id 0; the package is still converted, but others cannot refer to it.
        let id = zen::package_name(&header).map_or(PackageId(0), |name| PackageId::from_name(&name));
        let (stem, optional) = split(relative);
        let suffix = if optional { ".o.uexp" } else { ".uexp" };
        let wanted = OutputPath::sanitize(&format!("{stem}{suffix}"));
        // The exports file is claimed for the whole package, since the header's extension is not known yet.
        let (used, clash) = names.claim(wanted, format!("{:016x}", id.0));
        self.clashes.extend(clash);
        let stem = used.as_str().strip_suffix(suffix).unwrap_or(used.as_str());
        let name = if optional { AssetName::optional(stem) } else { AssetName::new(stem) };
        self.add_bulk(&path, stem, optional);
        let len = std::fs::metadata(&path).map_or(0, |data| data.len());
        self.files.push(LooseFile { path, id, len, name });
    }

    /// Adds the bulk data files beside a package.
    fn add_bulk(&mut self, package: &Path, stem: &str, optional: bool) {
        let stem = if optional { format!("{stem}.o") } else { stem.to_owned() };
        for extension in BULK {
            let path = package.with_extension(extension);
            if path.is_file() {
                self.bulk.push((path, OutputPath::sanitize(&format!("{stem}.{extension}"))));
            }
        }
    }
}

/// Extensions of bulk data files.
const BULK: [&str; 3] = ["ubulk", "uptnl", "m.ubulk"];

/// Reads the header of a package, or the start of another file.
pub(super) fn read_header(path: &Path, limit: u64) -> Result<Vec<u8>> {
    let mut file = open_file(path).map_err(Error::io("open", path))?;
    let mut bytes = Vec::new();
    let mut read = |len: u64, bytes: &mut Vec<u8>| {
        file.by_ref().take(len).read_to_end(bytes).map_err(Error::io("read", path))
    };
    read(FIRST_READ, &mut bytes)?;
    let have = bytes.len() as u64;
    // A file shorter than the first read is complete; a header above the limit is left to fail in the parser.
    if let Some(len) = zen::header_len(&bytes).filter(|len| have == FIRST_READ && (have..limit).contains(len))
    {
        read(len - have, &mut bytes)?;
    }
    Ok(bytes)
}

/// Splits a path into the stem, and true if it is an optional segment.
fn split(path: &str) -> (String, bool) {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    match stem.strip_suffix(".o") {
        Some(stem) => (stem.to_owned(), true),
        None => (stem.to_owned(), false),
    }
}
