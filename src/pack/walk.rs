//! Search for the files of a folder.

use super::objections::Objections;
use super::options::PackOptions;
use super::packed::SkipReason;
use super::target::is_of_game;
use crate::error::{Error, Result};
use crate::objection::{Objection, ProjectFile};
use crate::package::convert::sidecar::SIDECAR_NAME;
use crate::sink::DirectorySink;
use crate::source::{in_one_style, real_path};
use crate::wire::MAX_PATH_LEN;
use std::path::{Path, PathBuf};

/// Skipped files, with the reason.
pub(super) type LeftOut = Vec<(PathBuf, SkipReason)>;

/// File to pack.
pub(super) struct LooseFile {
    /// Path on disk.
    pub source: PathBuf,
    /// Path below the mount point.
    pub path: String,
    /// Expected length in bytes.
    pub len: u64,
}

impl LooseFile {
    /// Returns the path below the mount point, and the path on disk.
    pub(super) fn place(&self) -> (&str, &Path) {
        (&self.path, &self.source)
    }
}

/// Returns all files of a folder, sorted by path, and everything else with the reason that it is skipped.
///
/// Links to files inside the folder count as files. Other links are skipped: their targets are hardly meant
/// to be part of a mod.
pub(super) fn all_files(folder: &Path, mount_point: &str) -> Result<(Vec<LooseFile>, LeftOut)> {
    let root = real_path(folder).map_err(Error::io("read folder", folder))?;
    let (mut files, mut left_out) = (Vec::new(), LeftOut::new());
    // Remaining entries, the next one last; the content of a folder is added in reverse order.
    let mut ahead = vec![(in_one_style(folder), true)];
    while let Some((source, is_folder)) = ahead.pop() {
        if is_folder {
            match content(&source) {
                Ok(content) => ahead.extend(content.into_iter().rev()),
                Err(error) => left_out.push((source, SkipReason::Unreadable(error))),
            }
            continue;
        }
        match regular_file(&source, folder, &root, mount_point) {
            Ok(file) => files.push(file),
            Err(reason) => left_out.push((source, reason)),
        }
    }
    Ok((files, left_out))
}

/// Lists a folder, sorted by name, with a flag for folders. A link is not a folder.
fn content(folder: &Path) -> std::io::Result<Vec<(PathBuf, bool)>> {
    let mut content = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        // An entry that has vanished counts as a file; reading it reports the error.
        content.push((entry.path(), entry.file_type().is_ok_and(|kind| kind.is_dir())));
    }
    content.sort();
    Ok(content)
}

/// Removes the files that `to-legacy` keeps for `to-zen`: they are not part of the game.
pub(super) fn leave_out_sidecars(files: &mut Vec<LooseFile>, objections: &mut Objections) {
    files.retain(|file| {
        let is_sidecar = file.path.rsplit('/').next() == Some(SIDECAR_NAME);
        if is_sidecar {
            objections.add(Objection::SidecarLeftOut, &file.source);
        }
        !is_sidecar
    });
}

/// Objects to files of the whole project in a mod. `files` are their paths below the mount point and on disk.
pub(super) fn object_to_project_files<'f>(
    files: impl Iterator<Item = (&'f str, &'f Path)>,
    output: &Path,
    options: &PackOptions,
    objections: &mut Objections,
) {
    // Wanted, or expected in a rebuilt container and in the game's own.
    if options.project_files || options.original.is_some() || is_of_game(output) {
        return;
    }
    let mount = options.mount_point.trim_start_matches("../").trim_matches('/');
    for (path, source) in files {
        let full = if mount.is_empty() { path.to_owned() } else { format!("{mount}/{path}") };
        if let Some(file) = ProjectFile::of(&full) {
            objections.add(Objection::ProjectFile(file), source);
        }
    }
}

/// Objects to containers and paks, which nobody would find inside of another.
pub(super) fn object_to_containers<'f>(files: impl Iterator<Item = &'f Path>, objections: &mut Objections) {
    let is_container = |source: &&Path| {
        let extension = source.extension().unwrap_or_default();
        ["utoc", "ucas", "pak"].iter().any(|known| extension.eq_ignore_ascii_case(known))
    };
    files.filter(is_container).for_each(|source| objections.add(Objection::ContainerInside, source));
}

/// Returns the file at a path that is not a folder, or the reason that it cannot be packed.
fn regular_file(
    source: &Path,
    folder: &Path,
    root: &Path,
    mount_point: &str,
) -> Result<LooseFile, SkipReason> {
    if is_unfinished(source) {
        return Err(SkipReason::Unfinished);
    }
    let metadata = source.symlink_metadata().map_err(SkipReason::Unreadable)?;
    // Links are followed only here, so that they cannot lead the search in circles.
    let metadata = if metadata.is_symlink() { linked(source, root)? } else { metadata };
    if !metadata.is_file() {
        return Err(SkipReason::NotAFile);
    }
    let path = relative_path(folder, source);
    let path_len = mount_point.len() + 1 + path.len();
    if path_len > MAX_PATH_LEN {
        return Err(SkipReason::PathTooLong(path_len));
    }
    Ok(LooseFile { source: source.to_owned(), path, len: metadata.len() })
}

/// Returns the metadata of a symbolic link's target, if it is inside the folder.
fn linked(link: &Path, root: &Path) -> Result<std::fs::Metadata, SkipReason> {
    let target = real_path(link).map_err(SkipReason::BrokenLink)?;
    if !target.starts_with(root) {
        return Err(SkipReason::LinkOut(target));
    }
    let metadata = target.metadata().map_err(SkipReason::BrokenLink)?;
    if metadata.is_dir() {
        return Err(SkipReason::LinkToFolder);
    }
    Ok(metadata)
}

/// True if a file is an unfinished one of another run: such names never come out of a container.
fn is_unfinished(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().as_encoded_bytes();
    name.starts_with(DirectorySink::TEMPORARY_PREFIX.as_bytes())
}

fn relative_path(folder: &Path, file: &Path) -> String {
    let relative = file.strip_prefix(folder).unwrap_or(file);
    let parts: Vec<_> = relative.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    parts.join("/")
}
