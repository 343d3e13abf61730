//! Makes containers: the mirror of everything below.
//!
//! ```text
//! folder ──► files ──────────► blocks ───────────────────► .ucas, _s1.ucas, …
//!            id, kind, path    compress · encrypt · pad     └─► .utoc (blocks, hashes, index)
//! ```
//!
//! Packages and their bulk data get the ids that the engine would look them up by; other files become external
//! files; `chunks/<id>.<type>` keeps its id, so that what `unpack` writes packs again. The last chunk is a container
//! header for the packages inside, without which a game finds none of them; it stays uncompressed. Stored blocks follow
//! the engine's rules: aligned to 16 bytes, padded with the block's own bytes repeated, never across partitions, and a
//! block that does not get smaller is stored as it is. Chunks are aligned as its packager aligns them. What is made like an
//! [`Original`] has its layout in everything, and its blocks where nothing changed.
//!
//! Cooked assets become packages of a container on the way ([`to_zen()`]), and containers that are there can be checked for what
//! makes games crash on mods or ignore them ([`check()`]).
//!
//! What no game would take is refused by name, unless the options say otherwise. A container appears whole, or not at all.

mod ahead;
mod blocks;
mod check;
mod chunks;
mod data;
mod engine;
mod files;
mod groups;
mod header;
mod index;
mod input;
mod job;
mod large;
mod load_order;
mod memory;
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
mod project_files;
mod scratches;
mod staging;
mod standing;
mod target;
mod to_zen;
mod turns;
mod walk;
mod write;

pub use check::{Checked, Damage, check};
pub use memory::{MemoryFile, MemoryPackage, pack_files, pack_packages};
pub use objections::Finding;
pub use options::PackOptions;
pub use original::Original;
pub use packed::Packed;
pub use pak::pack_pak;
pub use project_files::ProjectFile;
pub use to_zen::{BaseGame, ToZenInput, Zenned, to_zen};

use crate::error::{Error, Result};
use crate::pipeline::Cpu;
use crate::report::Observer;
use files::find_files;
use job::{Beside, Job};
use old_headers::OldHeaders;
use std::path::Path;
use target::container_id;
use walk::object_to_project_files;

/// Packs the files of a folder into `toc_path` and the `.ucas` files beside it. All appear together, at the end; missing
/// folders above them are made.
pub fn pack(
    folder: &Path,
    toc_path: &Path,
    options: &PackOptions,
    cpu: &Cpu,
    observer: &dyn Observer,
) -> Result<Packed> {
    let mut job = Job::begin(toc_path, options, cpu, observer)?;
    let found = find_files(folder, options, cpu, &mut job.objections)?;
    let paths = found.files.iter().filter_map(|file| Some((file.path.as_deref()?, &*file.input.source)));
    object_to_project_files(paths, toc_path, options, &mut job.objections);
    if found.files.is_empty() && found.headers.is_empty() {
        return Err(Error::NothingToPack { path: folder.to_owned() });
    }
    let packages = packages::read(&found.files, cpu, &mut job.objections)?;
    let container = container_id(toc_path, options);
    let old = OldHeaders::read(&found.headers, container, options.original.as_deref(), &mut job.warnings);
    let has_header = !packages.is_empty() || !found.headers.is_empty();
    let header = has_header.then(|| job.header(&packages, &old));
    let beside = if options.companion { Beside::Companion } else { Beside::Nothing };
    let packed = job.finish(found.files, header, beside)?;
    Ok(Packed { skipped: found.left_out, ..packed })
}
