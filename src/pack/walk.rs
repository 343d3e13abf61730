//! The files of a folder, and what else is in it.

use super::objections::Objections;
use super::options::PackOptions;
use super::packed::SkipReason;
use super::target::is_of_game;
use crate::error::{Error, Result};
use crate::objection::{Objection, ProjectFile};
use crate::package::convert::sidecar::SIDECAR_NAME;
use crate::sink::DirectorySink;
use crate::source::in_one_style;
use crate::wire::MAX_PATH_LEN;
use std::path::{Path, PathBuf};

/// Files that were left out, and why.
pub(super) type LeftOut = Vec<(PathBuf, SkipReason)>;

/// A file to pack.
pub(super) struct LooseFile {
    /// Where it lies.
    pub source: PathBuf,
    /// Its path below the mount point.
    pub path: String,
    /// Length in bytes when it was found.
    pub len: u64,
}

impl LooseFile {
    /// Its path below the mount point, and where it lies.
    pub(super) fn place(&self) -> (&str, &Path) {
        (&self.path, &self.source)
    }
}

/// All files of a folder, sorted by path. Whatever else is in it is left out, with the reason: only folders need none.
///
/// Links to files inside the folder count as files. Others do not: what a link outside the folder leads to is hardly meant
/// to go into a mod.
pub(super) fn all_files(folder: &Path, mount_point: &str) -> Result<(Vec<LooseFile>, LeftOut)> {
    let root = folder.canonicalize().map_err(Error::io("read folder", folder))?;
    let (mut files, mut left_out) = (Vec::new(), LeftOut::new());
    // What is still to come, the next one last; of a folder, its content by name.
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

/// The content of a folder, sorted by name, and which of it are folders. A link is none.
fn content(folder: &Path) -> std::io::Result<Vec<(PathBuf, bool)>> {
    let mut content = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        // What is gone by now is taken for a file, and reported when it is read.
        content.push((entry.path(), entry.file_type().is_ok_and(|kind| kind.is_dir())));
    }
    content.sort();
    Ok(content)
}

/// Leaves out what `to-legacy` keeps for `to-zen`: it is not part of the game.
pub(super) fn leave_out_sidecars(files: &mut Vec<LooseFile>, objections: &mut Objections) {
    files.retain(|file| {
        let is_sidecar = file.path.rsplit('/').next() == Some(SIDECAR_NAME);
        if is_sidecar {
            objections.add(Objection::SidecarLeftOut, &file.source);
        }
        !is_sidecar
    });
}

/// Objects to files of the whole project in a mod. `files` are their paths below the mount point, and where they lie.
pub(super) fn object_to_project_files<'f>(
    files: impl Iterator<Item = (&'f str, &'f Path)>,
    output: &Path,
    options: &PackOptions,
    objections: &mut Objections,
) {
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

/// The file at a path that is not a folder, or why it cannot be packed.
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

/// What a symbolic link leads to, if that lies in the folder.
fn linked(link: &Path, root: &Path) -> Result<std::fs::Metadata, SkipReason> {
    let target = link.canonicalize().map_err(SkipReason::BrokenLink)?;
    if !target.starts_with(root) {
        return Err(SkipReason::LinkOut(target));
    }
    let metadata = target.metadata().map_err(SkipReason::BrokenLink)?;
    if metadata.is_dir() {
        return Err(SkipReason::LinkToFolder);
    }
    Ok(metadata)
}

/// Whether a file is one that a run of ours has not finished: such names never come out of a container.
fn is_unfinished(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().as_encoded_bytes();
    name.starts_with(DirectorySink::TEMPORARY_PREFIX.as_bytes())
}

fn relative_path(folder: &Path, file: &Path) -> String {
    let relative = file.strip_prefix(folder).unwrap_or(file);
    let parts: Vec<_> = relative.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    parts.join("/")
}
