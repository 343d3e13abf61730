//! Index of a pak: the paths and places of all files.

use super::directory::{Files, Location};
use super::{Entry, Footer, Primary};
use crate::wire::{Fault, FaultKind, Reader};

/// Index of a file in the pak.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileIndex(pub u32);

/// A file of a pak.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Path, relative to the game's root if the mount point shows it.
    pub path: String,
    /// Storage of the file.
    pub entry: Entry,
}

/// The files of a pak.
#[derive(Debug, Clone)]
pub struct Index {
    footer: Footer,
    primary: Primary,
    files: Files,
}

impl Index {
    /// Joins the parts. `directory` holds the plain bytes of the full directory index or, if it does not
    /// exist, of the path-hash index; none up to version 9.
    pub fn new(footer: Footer, mut primary: Primary, directory: Option<&[u8]>) -> Result<Self, Fault> {
        let files = match directory {
            // Up to version 9 the primary index contains the paths.
            None => std::mem::take(&mut primary.files),
            Some(bytes) if primary.directory_index.is_some() => Files::parse(bytes, footer.version)?,
            Some(bytes) => Files::parse_hashes(bytes)?,
        };
        Ok(Self { footer, primary, files })
    }

    /// Creates an index of which only the footer can be read.
    #[must_use]
    pub fn empty(footer: Footer) -> Self {
        Self { footer, primary: Primary::default(), files: Files::default() }
    }

    /// Returns the footer.
    #[must_use]
    pub const fn footer(&self) -> &Footer {
        &self.footer
    }

    /// Returns the base of all paths, as stored.
    #[must_use]
    pub fn mount_point(&self) -> &str {
        &self.primary.mount_point
    }

    /// Returns the number of files.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.files.len()
    }

    /// Returns true if there are no files.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.files.len() == 0
    }

    /// Iterates over all files, in index order.
    pub fn files(&self) -> impl ExactSizeIterator<Item = FileIndex> + use<> {
        (0..u32::try_from(self.files.len()).unwrap_or(u32::MAX)).map(FileIndex)
    }

    /// Writes the path of a file, relative to the game's root, into `path`, replacing its content.
    pub fn path_into(&self, file: FileIndex, path: &mut String) {
        path.clear();
        // Mount points start at the engine's binaries, some levels below the root.
        let mount = self.primary.mount_point.trim_start_matches("../").trim_start_matches('/');
        path.push_str(mount);
        if !mount.is_empty() && !mount.ends_with('/') {
            path.push('/');
        }
        self.files.path_into(file.0 as usize, path);
    }

    /// Returns the storage of a file.
    pub fn entry(&self, file: FileIndex) -> Result<Entry, Fault> {
        let out_of_range = |index: u32, count| Fault {
            offset: 0,
            field: "entry location",
            kind: FaultKind::out_of_range(index, count),
        };
        match self.files.location(file.0 as usize) {
            Some(Location::Packed(at)) => {
                // Packed entries have no table of positions, so each is decoded on demand.
                let mut r = Reader::at(&self.primary.packed, at.into(), "packed entry")?;
                Entry::read_packed(&mut r, &self.footer)
            }
            Some(Location::Long(at)) => {
                let long = &self.primary.long;
                long.get(at as usize).cloned().ok_or_else(|| out_of_range(at, long.len()))
            }
            None => Err(out_of_range(file.0, self.files.len())),
        }
    }

    /// Returns a file with its path and entry.
    pub fn file(&self, file: FileIndex) -> Result<File, Fault> {
        let mut path = String::new();
        self.path_into(file, &mut path);
        Ok(File { path, entry: self.entry(file)? })
    }
}
