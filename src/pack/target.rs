//! Output file: the meaning of its name, and checks of existing files.

use super::data;
use super::objections::Objections;
use super::options::PackOptions;
use crate::error::{Error, Result};
use crate::id::ContainerId;
use crate::objection::Objection;
use crate::source::real_path;
use crate::store::MountOrder;
use std::path::{Path, PathBuf};

/// Returns the id for a container: from its name, or that of the original that it replaces.
pub(super) fn container_id(toc_path: &Path, options: &PackOptions) -> ContainerId {
    let of_original = options.original.as_deref().and_then(|original| original.container_id(toc_path));
    of_original.unwrap_or_else(|| container_id_of(toc_path))
}

/// Returns the id for a container by its name.
pub(super) fn container_id_of(toc_path: &Path) -> ContainerId {
    let name = toc_path.file_stem().unwrap_or_default().to_string_lossy();
    // `global` holds the native objects of the game, and has a fixed id.
    if name.eq_ignore_ascii_case("global") { ContainerId::GLOBAL } else { ContainerId::from_name(&name) }
}

/// Objects to existing files of the container, and to versions that no released engine reads.
pub(super) fn object_to_target(
    toc_path: &Path,
    options: &PackOptions,
    objections: &mut Objections,
) -> Result<()> {
    object_to_existing(&data::existing(toc_path), objections)?;
    if !options.version().is_released() {
        objections.add(Objection::Unreleased { version: options.version() }, toc_path);
    }
    Ok(())
}

/// Objects to existing files; a folder in their place is an error.
pub(super) fn object_to_existing(existing: &[PathBuf], objections: &mut Objections) -> Result<()> {
    for path in existing {
        if path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir()) {
            return Err(Error::io("write", path)(std::io::ErrorKind::IsADirectory.into()));
        }
        objections.add(Objection::Exists, path);
    }
    Ok(())
}

/// True if two paths lead to the same existing file.
pub(super) fn is_same_file(a: &Path, b: &Path) -> bool {
    let names = a.file_name().zip(b.file_name());
    // Names first: following links takes time, and only few of many containers have the same name.
    names.is_some_and(|(a, b)| a.eq_ignore_ascii_case(b))
        && real_path(a).is_ok_and(|a| real_path(b).is_ok_and(|b| a == b))
}

/// True if the engine's packager puts project files into a container of this name: the main one, or the first
/// pakchunk.
pub(super) fn is_of_game(path: &Path) -> bool {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    // `pakchunk0` and `pakchunk0-Windows`, but not `pakchunk01`.
    let next = name.strip_prefix("pakchunk0").map(|rest| rest.bytes().next());
    name == "global"
        || next.is_some_and(|next| !next.is_some_and(|next| next.is_ascii_digit()))
        || MountOrder::of(path).is_main()
}

/// Creates the folder of a file.
pub(super) fn make_folder(path: &Path) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder
        .map_or(Ok(()), |folder| std::fs::create_dir_all(folder).map_err(Error::io("create folder", folder)))
}
