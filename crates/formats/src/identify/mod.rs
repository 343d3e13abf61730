//! What is this file? Every format that can be shown, in one table.
//!
//! A format is one file here and one row of [`FORMATS`]. It [detects](Format::detect) its files by content and name, says how
//! [sure](Sureness) that is, and [reads](Format::read) them into a [`View`]: parts for people, JSON for programs. Nothing here
//! reads a file: what a format needs besides the bytes is in its [`Input`].
//!
//! ```
//! # use uncask_formats as uncask;
//! use std::path::Path;
//! use uncask::identify::{File, Input, Sureness, identify};
//! use uncask::localization::META_MAGIC;
//!
//! // Which languages a game has. This one says only that it was written in English, and where its texts are.
//! let mut file = META_MAGIC.to_vec();
//! file.extend(b"\0\x03\0\0\0en\0\x0F\0\0\0en/Game.locres\0");
//! let found = identify(&File { name: Path::new("Game.locmeta"), start: &file }).expect("it has a magic");
//! assert_eq!(found.detected.sureness, Sureness::Mark);
//! assert_eq!(found.detected.reason, "the magic of localization metadata");
//!
//! let finding = found.format.read(&Input::new(&file));
//! assert_eq!(finding.kind, "localization metadata, version 0");
//! let json = serde_json::to_value(&finding.view)?;
//! assert_eq!(json["native_culture"], "en");
//! # Ok::<(), serde_json::Error>(())
//! ```

mod asset_registry;
mod bulk;
mod classic;
mod container;
mod container_header;
mod format;
mod legacy;
mod localization;
mod mappings;
mod reference;
mod script_objects;
mod shader_library;
mod swapped;
mod view;
mod zen;

pub use format::{Detected, File, Finding, Format, Input, Sureness, has_extension};
pub use script_objects::ScriptRow;
pub use view::{ListRow, SHOWN, View, ViewPart};

use crate::id::ChunkKind;
use std::path::Path;

/// Every format. Where several are equally sure of a file, the first one has it.
pub const FORMATS: &[&dyn Format] = &[
    &container::Container,
    &localization::Texts,
    &localization::Languages,
    &mappings::TypeMappings,
    &zen::Zen,
    &legacy::Legacy,
    &classic::Classic,
    &swapped::Swapped,
    &asset_registry::Registry,
    &script_objects::Ue5,
    &script_objects::Ue4,
    &container_header::Header,
    &shader_library::InContainer,
    &shader_library::InFile,
];

/// What a file is.
#[derive(Clone)]
pub struct Identified {
    /// Its format.
    pub format: &'static dyn Format,
    /// Why.
    pub detected: Detected,
}

/// What a file is, by its content; its name counts only where the content is silent.
#[must_use]
pub fn identify(file: &File<'_>) -> Option<Identified> {
    surest(|format| format.detect(file)).or_else(|| surest(|format| format.guess(file)))
}

/// What a chunk of a container is, by the type in its id.
#[must_use]
pub fn identify_chunk(kind: ChunkKind, start: &[u8]) -> Option<Identified> {
    of_chunk(kind).map(|format| Identified { format, detected: format.detect_chunk(kind, start) })
}

/// The format of chunks of a type; `None` if they have no structure that is known.
#[must_use]
pub fn of_chunk(kind: ChunkKind) -> Option<&'static dyn Format> {
    FORMATS.iter().copied().find(|format| format.chunk_kinds().contains(&kind))
}

/// Bytes at the start of a file that are enough to detect and read it, if its name says how many.
#[must_use]
pub fn enough(name: &Path) -> Option<u64> {
    FORMATS.iter().filter_map(|format| format.enough(name)).min()
}

fn surest(detect: impl Fn(&dyn Format) -> Option<Detected>) -> Option<Identified> {
    let mut best: Option<Identified> = None;
    for format in FORMATS.iter().copied() {
        let Some(detected) = detect(format) else { continue };
        if best.as_ref().is_none_or(|best| best.detected.sureness < detected.sureness) {
            best = Some(Identified { format, detected });
        }
    }
    best
}

#[cfg(test)]
mod tests;
