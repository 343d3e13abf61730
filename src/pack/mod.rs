//! Packing of containers and paks.
//!
//! ```text
//! folder ──► files ──────────► blocks ───────────────────► .ucas, _s1.ucas, …
//!            id, kind, path    compress · encrypt · pad     └─► .utoc (blocks, hashes, index)
//! ```
//!
//! Packages and their bulk data get the ids that the engine looks them up by; other files become external
//! files; `chunks/<id>.<type>` keeps its id, so that the output of `unpack` can be packed again. The last
//! chunk is a container header for the packages, without which a game finds none of them; it is not
//! compressed. Stored blocks follow the engine's rules: aligned to 16 bytes, padded with the block's own
//! bytes repeated, never across partitions; a block that does not get smaller is stored uncompressed. Chunks
//! are aligned as the engine's packager aligns them. With an [`Original`], a container keeps its layout, and
//! its blocks where nothing changed.
//!
//! Cooked assets can be converted to packages of a container ([`to_zen()`]), and existing containers can be
//! checked for faults that make games crash or ignore a mod ([`check()`]).
//!
//! Input that no game would accept is refused with a list of objections, unless the options say otherwise. A
//! container appears whole or not at all.

mod blocks;
mod check;
mod chunks;
mod data;
mod engine;
mod files;
mod folder;
mod header;
mod index;
mod input;
mod installed;
mod job;
mod large;
mod load_order;
mod mod_files;
mod objections;
mod old_headers;
mod options;
mod original;
mod output;
mod packages;
mod packed;
mod pak;
mod pak_building;
mod pak_entry;
mod pak_writer;
mod parts;
mod staging;
mod standing;
mod target;
mod to_zen;
mod walk;
mod write;

pub use check::{Checked, check};
pub use installed::{InstallError, InstalledMod, install, mod_files, paks_folder, uninstall};
pub use mod_files::{ModFile, ModPackage, pack_files, pack_packages};
pub use options::PackOptions;
pub use original::Original;
pub use packed::{Packed, SkipReason};
pub use pak::pack_pak;
pub use to_zen::{BaseGame, ToZenInput, Zenned, to_zen};

pub use crate::objection::{Finding, Objection, ObjectionKind, ProjectFile};

use crate::error::Result;
use crate::job::Context;
use crate::release::Verdict;
use crate::version::TocVersion;
use folder::Folder;
use job::{Beside, PackJob};
use objections::Objections;
use old_headers::OldHeaders;
use std::path::Path;
use target::container_id;
use target::object_to_existing;
use walk::object_to_project_files;

/// Packs the files of a folder into `toc_path` and its `.ucas` files. All appear together, at the end;
/// missing folders in the path are created.
pub async fn pack(
    folder: &Path,
    toc_path: &Path,
    options: &PackOptions,
    context: &Context,
) -> Result<Packed> {
    let (mut objections, mut warnings) = (Objections::default(), Vec::new());
    let folder = Folder::read(folder, &options.mount_point, context.cpu(), &mut objections)?;
    let container = container_id(toc_path, options);
    let old = OldHeaders::read(&folder.headers, container, options.original.as_deref(), &mut warnings);
    let was_asked_for = options.engine.is_some() || options.version.is_some();
    let has_old = !folder.headers.is_empty();
    // Decided before any chunk has an id: the numbering of kinds depends on the release.
    let verdict = engine::of_folder(options, &folder, toc_path, &old);
    if folder.packages().next().is_some() {
        let uncertain = engine::warning(options, &verdict);
        warnings.extend(uncertain.map(|uncertain| Finding::new(uncertain, toc_path)));
    }
    let options = &with_version(options, &verdict);

    let mut job = PackJob::begin(toc_path, options, context)?;
    job.objections.append(objections);
    job.warnings.extend(warnings);
    let chunks = folder.into_chunks(options, context.cpu(), &mut job.objections);
    let paths = chunks.files.iter().filter_map(|file| Some((file.path.as_deref()?, &*file.input.source)));
    object_to_project_files(paths, toc_path, options, &mut job.objections);
    // A folder with old headers gets a new one, even if it has no packages.
    let has_header = !chunks.packages.is_empty() || has_old;
    let header = has_header.then(|| job.header(&chunks.packages, &old, &verdict));
    if !chunks.beside.is_empty() {
        object_to_existing(&pak::existing(&toc_path.with_extension("pak")), &mut job.objections)?;
    }
    let beside = match (options.companion, chunks.beside.is_empty()) {
        (_, false) => Beside::Pak(chunks.beside),
        (true, true) => Beside::Companion,
        (false, true) => Beside::Nothing,
    };
    let packed = job.finish(chunks.files, header, beside).await?;
    let verdict = (!was_asked_for).then_some(verdict);
    Ok(Packed { skipped: chunks.left_out, verdict, ..packed })
}

/// Returns the options with the version of a release, unless they name one.
fn with_version(options: &PackOptions, verdict: &Verdict) -> PackOptions {
    let version = options.version.or_else(|| TocVersion::of_release(verdict.release));
    PackOptions { version, ..options.clone() }
}
