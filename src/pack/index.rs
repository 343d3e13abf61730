//! Directory index of a new container.

use super::blocks;
use super::files::PackFile;
use super::options::PackOptions;
use crate::container::DirectoryIndexBuilder;
use crate::container::toc::raw;
use crate::crypto::Cipher;
use crate::error::Result;
use std::path::Path;

/// Path from the engine's binaries to the root of a game; mount points start with it.
const ROOT: &str = "../../../";

/// Builds the index for chunks with a path, in slot order; empty if none is wanted.
pub(super) fn make(files: &[PackFile], slots: &[u32], options: &PackOptions) -> Vec<u8> {
    if !options.directory_index || !options.version().has_directory_index() {
        return Vec::new();
    }
    let slots = (0..).zip(slots);
    let paths: Vec<(u32, String)> =
        // `slots` has the files in the order of the table, in which the engine's packager adds paths.
        slots.filter_map(|(slot, at)| Some((slot, path(files.get(*at as usize)?, options)?))).collect();
    // The original's mount point, unless a path is outside of it now.
    let original = options.original.as_deref().map(|original| original.container().mount_point());
    let covers = |mount: &&str| paths.iter().all(|(_, path)| below(path, mount).is_some());
    let mount = original.filter(|mount| !mount.is_empty()).filter(covers).unwrap_or(&options.mount_point);
    let mut index = DirectoryIndexBuilder::new(mount);
    for (slot, path) in &paths {
        index.add(below(path, mount).unwrap_or(path), *slot);
    }
    index.finish()
}

/// Encrypts the index. One equal to the original's keeps its encrypted bytes.
pub(super) fn encrypt(
    cipher: &Cipher,
    index: &[u8],
    options: &PackOptions,
    toc_path: &Path,
) -> Result<(Option<raw::Iv>, Vec<u8>)> {
    let original = options.original.as_deref().and_then(|original| original.toc());
    if let Some((iv, original)) = original.and_then(|toc| Some((toc.directory_index_iv()?, toc))) {
        // Encrypted with the old vector to compare: equal bytes mean an equal index.
        let same = blocks::encrypt(cipher, Some(iv), index, toc_path)?;
        if original.directory_index_bytes() == same.1 {
            return Ok(same);
        }
    }
    blocks::encrypt(cipher, None, index, toc_path)
}

/// Returns the path of a file below the root of the game, in the original's spelling if it has the chunk.
fn path(file: &PackFile, options: &PackOptions) -> Option<String> {
    let own = file.path.as_deref()?;
    let of_original = options.original.as_deref().and_then(|original| original.path(file.id));
    let full = || format!("{}/{own}", options.mount_point.trim_end_matches('/'));
    Some(of_original.unwrap_or_else(full))
}

/// Returns a path relative to a mount point above it.
fn below<'a>(path: &'a str, mount: &str) -> Option<&'a str> {
    let trim = |text: &'a str| text.strip_prefix(ROOT).unwrap_or(text);
    let mount = mount.strip_prefix(ROOT).unwrap_or(mount).trim_end_matches('/');
    let path = trim(path);
    if mount.is_empty() { Some(path) } else { path.strip_prefix(mount)?.strip_prefix('/') }
}
