//! The directory index of a new container.

use super::blocks;
use super::files::PackFile;
use super::options::PackOptions;
use crate::container::DirectoryIndexBuilder;
use crate::container::toc::raw;
use crate::crypto::Cipher;
use crate::error::Result;
use std::path::Path;

/// The way from the engine's binaries to the root of a game, which mount points start with.
const ROOT: &str = "../../../";

/// Paths for the chunks that have some, in the order of the table; empty if there is to be no index.
pub(super) fn make(files: &[PackFile], slots: &[u32], options: &PackOptions) -> Vec<u8> {
    if !options.directory_index || !options.version().has_directory_index() {
        return Vec::new();
    }
    let slots = (0..).zip(slots);
    let paths: Vec<(u32, String)> =
        slots.filter_map(|(slot, at)| Some((slot, path(files.get(*at as usize)?, options)?))).collect();
    // Under the mount point of the original, unless something lies elsewhere now.
    let original = options.original.as_deref().map(|original| original.container().mount_point());
    let covers = |mount: &&str| paths.iter().all(|(_, path)| below(path, mount).is_some());
    let mount = original.filter(|mount| !mount.is_empty()).filter(covers).unwrap_or(&options.mount_point);
    let mut index = DirectoryIndexBuilder::new(mount);
    for (slot, path) in &paths {
        index.add(below(path, mount).unwrap_or(path), *slot);
    }
    index.finish()
}

/// Encrypts the index. One that is that of the original stays so.
pub(super) fn encrypt(
    cipher: &Cipher,
    index: &[u8],
    options: &PackOptions,
    toc_path: &Path,
) -> Result<(Option<raw::Iv>, Vec<u8>)> {
    let original = options.original.as_deref().and_then(|original| original.toc());
    if let Some((iv, original)) = original.and_then(|toc| Some((toc.directory_index_iv()?, toc))) {
        let same = blocks::encrypt(cipher, Some(iv), index, toc_path)?;
        if original.directory_index_bytes() == same.1 {
            return Ok(same);
        }
    }
    blocks::encrypt(cipher, None, index, toc_path)
}

/// The path of a file below the root of the game: as the original spells it, if that has the chunk.
fn path(file: &PackFile, options: &PackOptions) -> Option<String> {
    let own = file.path.as_deref()?;
    let of_original = options.original.as_deref().and_then(|original| original.path(file.id));
    let full = || format!("{}/{own}", options.mount_point.trim_end_matches('/'));
    Some(of_original.unwrap_or_else(full))
}

/// A path relative to a mount point that it lies below.
fn below<'a>(path: &'a str, mount: &str) -> Option<&'a str> {
    let trim = |text: &'a str| text.strip_prefix(ROOT).unwrap_or(text);
    let mount = mount.strip_prefix(ROOT).unwrap_or(mount).trim_end_matches('/');
    let path = trim(path);
    if mount.is_empty() { Some(path) } else { path.strip_prefix(mount)?.strip_prefix('/') }
}
