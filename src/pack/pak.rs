//! Packing of paks, of version 11: enough for mods and round trips.
//!
//! ```text
//! per file   entry header │ blocks, encrypted ones padded to 16 bytes
//! end        index, path hashes, directories, footer          (pak::PakBuilder)
//! ```
//!
//! A file that compression does not make smaller is stored uncompressed, as by the engine's own tool.

use super::data;
use super::objections::Objections;
use super::options::PackOptions;
use super::packages::object_to_zen;
use super::packed::Packed;
use super::pak_entry::PakFile;
use super::pak_writer::{PakWriter, remove_leftovers};
use super::staging::{self, Staged};
use super::target::{make_folder, object_to_existing};
use super::walk::{LooseFile, all_files, leave_out_sidecars, object_to_project_files};
use super::write::{self, Content};
use crate::error::{Error, Result};
use crate::job::Context;
use crate::report::Event;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Packs the files of a folder into a pak, which appears whole at the end. Options that paks cannot have are
/// ignored.
pub async fn pack_pak(folder: &Path, pak: &Path, options: &PackOptions, context: &Context) -> Result<Packed> {
    let mut objections = Objections::default();
    let (mut files, skipped) = all_files(folder, &options.mount_point)?;
    leave_out_sidecars(&mut files, &mut objections);
    object_to_project_files(files.iter().map(LooseFile::place), pak, options, &mut objections);
    if files.is_empty() {
        return Err(Error::NothingToPack { path: folder.to_owned() });
    }
    object_to_existing(&existing(pak), &mut objections)?;
    object_to_zen(files.iter().map(|file| file.source.as_path()), context.cpu(), &mut objections);
    // Nothing is written before this point.
    let warnings = objections.settle(options)?;
    make_folder(pak)?;
    let raw_bytes = files.iter().map(|file| file.len).sum();
    context.observer().on(&Event::Planned { chunks: files.len() as u64, raw_bytes });
    let chunks = files.len() as u64;
    let mut writer = PakWriter::new(pak, options, context)?;
    let files: Arc<[PakFile]> = files.into_iter().map(PakFile::from).collect();
    writer.add_all(&files).await?;
    let (stored_bytes, staged) = writer.finish()?;
    publish(pak, staged, options, context).await?;
    Ok(Packed { chunks, raw_bytes, stored_bytes, partitions: 1, skipped, warnings, ..Packed::default() })
}

/// Writes a pak with some files or none, under a temporary name. The engine mounts no container without one.
pub(super) async fn write_pak(
    pak: &Path,
    files: Vec<PakFile>,
    options: &PackOptions,
    context: &Context,
) -> Result<Staged> {
    let mut writer = PakWriter::new(pak, options, context)?;
    writer.add_all(&files.into()).await?;
    writer.finish().map(|(_, staged)| staged)
}

/// Gives a pak its name, and adds the empty container that some games need next to it, unless one exists.
pub(super) async fn publish(
    pak: &Path,
    staged: Staged,
    options: &PackOptions,
    context: &Context,
) -> Result<()> {
    let mut all = vec![staged];
    let toc = pak.with_extension("utoc");
    if let Some(version) = options.pak_table.filter(|_| data::existing(&toc).is_empty()) {
        // Default options otherwise: an empty table has no blocks to compress or encrypt.
        let options = PackOptions { version: Some(version), ..PackOptions::default() };
        let nothing = Content { files: Vec::new(), header: None };
        all.extend(write::container(&toc, &options, nothing, context).await?.files);
    }
    staging::publish(&all, &if options.replace { existing(pak) } else { Vec::new() })?;
    remove_leftovers(pak);
    Ok(())
}

/// Returns the pak if it exists.
pub(super) fn existing(pak: &Path) -> Vec<PathBuf> {
    // The link itself counts: one that leads nowhere would be in the way as well.
    Some(pak.to_owned()).filter(|pak| pak.symlink_metadata().is_ok()).into_iter().collect()
}

/// Writes an empty `.pak` for a container, unless one exists. It has the container's key: the engine decrypts
/// the container with the key that the `.pak` names.
pub(super) async fn write_companion(
    toc: &Path,
    options: &PackOptions,
    context: &Context,
) -> Result<Option<Staged>> {
    let pak = toc.with_extension("pak");
    let options = PackOptions { key: options.key.clone(), ..PackOptions::default() };
    if !existing(&pak).is_empty() {
        return Ok(None);
    }
    write_pak(&pak, Vec::new(), &options, context).await.map(Some)
}
