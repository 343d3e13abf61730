//! Generates containers, in case no game is available.

use super::content::Content;
use super::mix::Mix;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use uncask::codec::Method;
use uncask::error::{Error, Result};
use uncask::game::{Cpu, GameOptions, PackOptions};

/// Memory limit for packing, in bytes.
const MEMORY: u64 = 256 << 20;

/// Compression of a container.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Uncompressed.
    None,
    /// Zlib, level 6.
    Zlib,
    /// LZ4.
    Lz4,
    /// Zstandard, level 3.
    Zstd,
    /// Oodle Kraken.
    Kraken,
    /// Oodle Mermaid.
    Mermaid,
    /// Oodle Selkie.
    Selkie,
    /// One container of each other kind, with equal shares of the chunks.
    Mixed,
}

impl Kind {
    /// All kinds with a single method.
    pub(crate) const SINGLE: [Self; 7] =
        [Self::None, Self::Zlib, Self::Lz4, Self::Zstd, Self::Mermaid, Self::Kraken, Self::Selkie];

    /// Its name.
    #[must_use]
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Zlib => "zlib",
            Self::Lz4 => "lz4",
            Self::Zstd => "zstd",
            Self::Kraken => "kraken",
            Self::Mermaid => "mermaid",
            Self::Selkie => "selkie",
            Self::Mixed => "mixed",
        }
    }

    const fn method(self) -> (Method, Option<i32>) {
        match self {
            Self::None | Self::Mixed => (Method::None, None),
            Self::Zlib => (Method::Zlib, Some(6)),
            Self::Lz4 => (Method::Lz4, None),
            Self::Zstd => (Method::Zstd, Some(3)),
            Self::Selkie => (Method::Oodle, Some(1)),
            Self::Mermaid => (Method::Oodle, Some(2)),
            Self::Kraken => (Method::Oodle, Some(3)),
        }
    }

    fn parts(self) -> Vec<Self> {
        match self {
            Self::Mixed => {
                // A build without Zstandard cannot compress it.
                let without = |kind: &Self| cfg!(feature = "zstd") || *kind != Self::Zstd;
                Self::SINGLE.into_iter().filter(without).collect()
            }
            single => vec![single],
        }
    }
}

/// A generated container, and the files it was made from.
#[derive(Debug, Default)]
pub(crate) struct Synthetic {
    /// Folder of the containers.
    pub(crate) containers: PathBuf,
    /// Folder of the files.
    pub(crate) files: PathBuf,
}

/// Generates files with about `total` bytes below `folder`, and packs them. The same arguments give the same bytes.
pub(crate) fn synthesize(folder: &Path, kind: Kind, mix: Mix, total: u64, cpu: &Cpu) -> Result<Synthetic> {
    let (containers, files) = (folder.join("containers"), folder.join("files"));
    std::fs::create_dir_all(&containers).map_err(Error::io("create folder", &containers))?;
    let parts = kind.parts();
    let lens = mix.lens(total);
    for (at, part) in parts.iter().enumerate() {
        let tree = files.join(part.name());
        // Every n-th chunk, so that each part has the same distribution of sizes.
        let share: Vec<(usize, u64)> =
            lens.iter().copied().enumerate().skip(at).step_by(parts.len()).collect();
        write_files(&tree, &share, cpu)?;
        let toc = containers.join(format!("{}.utoc", part.name()));
        let (method, level) = part.method();
        let options = PackOptions {
            method,
            level,
            mount_point: format!("../../../{}/", part.name()),
            // The content resembles that of packages, but is not valid, which packing would refuse.
            force: true,
            ..PackOptions::default()
        };
        GameOptions::default().workers(cpu.clone()).memory(MEMORY).pack(&tree, &toc, &options)?;
    }
    Ok(Synthetic { containers, files })
}

/// Writes files with these numbers and lengths.
fn write_files(tree: &Path, files: &[(usize, u64)], cpu: &Cpu) -> Result<()> {
    let content = Content::new();
    // Folders first, on one thread: the files are then created in parallel.
    for (number, _) in files {
        let folder = tree.join(folder_of(*number));
        if !folder.exists() {
            std::fs::create_dir_all(&folder).map_err(Error::io("create folder", &folder))?;
        }
    }
    let write = |(number, len): &(usize, u64)| {
        let path = tree.join(folder_of(*number)).join(format!("Asset{number}.uasset"));
        let mut file = File::create(&path).map_err(Error::io("create", &path))?;
        for piece in content.pieces(*number as u64, *len) {
            file.write_all(piece).map_err(Error::io("write", &path))?;
        }
        Ok(())
    };
    cpu.map(files, write).into_iter().collect()
}

/// Number of files per folder.
const FILES_IN_FOLDER: usize = 100;

fn folder_of(number: usize) -> String {
    format!("Content/Folder{}", number / FILES_IN_FOLDER)
}
