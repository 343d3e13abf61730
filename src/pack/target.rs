//! The file that is to be made: what its name says, and what may lie in its place.

use super::data;
use super::objections::Objections;
use super::options::PackOptions;
use crate::error::{Error, Result};
use crate::id::ContainerId;
use crate::objection::Objection;
use crate::store::MountOrder;
use std::path::{Path, PathBuf};

/// The id of a container: that of its name, unless it takes the place of one that has another.
pub(super) fn container_id(toc_path: &Path, options: &PackOptions) -> ContainerId {
    let of_original = options.original.as_deref().and_then(|original| original.container_id(toc_path));
    of_original.unwrap_or_else(|| container_id_of(toc_path))
}

/// The id of a container, by its name.
pub(super) fn container_id_of(toc_path: &Path) -> ContainerId {
    let name = toc_path.file_stem().unwrap_or_default().to_string_lossy();
    if name.eq_ignore_ascii_case("global") { ContainerId::GLOBAL } else { ContainerId::from_name(&name) }
}

/// Objects to a container that is there, and to one that no game reads.
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

/// Whether two paths lead to one file, which is there.
pub(super) fn is_same_file(a: &Path, b: &Path) -> bool {
    let names = a.file_name().zip(b.file_name());
    // Following links takes time, and few of many containers have one name.
    names.is_some_and(|(a, b)| a.eq_ignore_ascii_case(b))
        && a.canonicalize().is_ok_and(|a| b.canonicalize().is_ok_and(|b| a == b))
}

/// True if a container is where the engine's packager puts files of the whole project: the main one, or the first pakchunk.
pub(super) fn is_of_game(path: &Path) -> bool {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    let next = name.strip_prefix("pakchunk0").map(|rest| rest.bytes().next());
    name == "global"
        || next.is_some_and(|next| !next.is_some_and(|next| next.is_ascii_digit()))
        || MountOrder::of(path).is_main()
}

/// Makes the folder of a file.
pub(super) fn make_folder(path: &Path) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder
        .map_or(Ok(()), |folder| std::fs::create_dir_all(folder).map_err(Error::io("create folder", folder)))
}
