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
mod header;
mod index;
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
mod pak_entry;
mod scratches;
mod staging;
mod target;
mod to_zen;
mod walk;
mod write;

pub use check::{Checked, check};
pub use memory::{MemoryFile, pack_files, pack_packages};
pub use options::PackOptions;
pub use original::Original;
pub use packed::Packed;
pub use pak::pack_pak;
pub use to_zen::{BaseGame, ToZenInput, Zenned, to_zen};

use crate::error::{Error, Result};
use crate::pipeline::Cpu;
use crate::report::Observer;
use files::find_files;
use objections::Objections;
use old_headers::OldHeaders;
use staging::Staged;
use std::path::Path;
use target::{container_id, object_to_target};
use write::{Content, Written};

/// Packs the files of a folder into `toc_path` and the `.ucas` files beside it. All appear together, at the end; missing
/// folders above them are made.
pub fn pack(
    folder: &Path,
    toc_path: &Path,
    options: &PackOptions,
    cpu: &Cpu,
    observer: &dyn Observer,
) -> Result<Packed> {
    options.check(toc_path)?;
    let mut objections = Objections::default();
    object_to_target(toc_path, options, &mut objections)?;
    let found = find_files(folder, options)?;
    if found.files.is_empty() && found.headers.is_empty() {
        return Err(Error::NothingToPack { path: folder.to_owned() });
    }
    let container = container_id(toc_path, options);
    let mut warnings = Vec::new();
    let packages = packages::read(&found.files, cpu, &mut objections)?;
    let original = options.original.as_deref();
    let old = OldHeaders::read(&found.headers, container, original, &mut warnings);
    let mut header = None;
    if !packages.is_empty() || !found.headers.is_empty() {
        let layout = engine::layout(options, &packages, &old, &mut objections, &mut warnings);
        header = Some(header::bytes(container, layout, &packages, &old, original, &mut objections));
    }
    warnings.extend(objections.settle(options.force)?);

    let content = Content { files: found.files, header };
    let Written { files, packed } = write::container(toc_path, options, content, cpu, observer)?;
    let companion = if options.companion { pak::write_companion(toc_path, options, cpu)? } else { None };
    let staged: Vec<Staged> = companion.into_iter().chain(files).collect();
    staging::publish(&staged, &if options.force { data::existing(toc_path) } else { Vec::new() })?;
    Ok(Packed { skipped: found.left_out, warnings, ..packed })
}
