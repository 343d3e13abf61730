//! Recognition of files: a table of every format that can be shown.
//!
//! A format is one file here and one row of [`FORMATS`]. It [detects](Format::detect) its files by content
//! and name, with a [certainty](Sureness), and [reads](Format::read) them into a [`View`]: parts for people,
//! JSON for programs. Nothing here opens a file: everything that a format needs besides the bytes is in its
//! [`Input`].
//!
//! ```
//! # use uncask_formats as uncask;
//! use std::path::Path;
//! use uncask::identify::{File, Input, Sureness, identify};
//! use uncask::localization::META_MAGIC;
//!
//! // The languages of a game. This one only says that its texts are in English, and their path.
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

/// All formats. If several are equally sure of a file, the first one wins.
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

/// An identified file.
#[derive(Clone)]
pub struct Identified {
    /// Format.
    pub format: &'static dyn Format,
    /// Certainty and reason.
    pub detected: Detected,
}

/// Identifies a file by its content; its name counts only if the content is not conclusive.
#[must_use]
pub fn identify(file: &File<'_>) -> Option<Identified> {
    // Guesses come last: they parse the content, and a lucky fit must not beat a detection.
    surest(|format| format.detect(file)).or_else(|| surest(|format| format.guess(file)))
}

/// Identifies a chunk of a container by the type in its id.
#[must_use]
pub fn identify_chunk(kind: ChunkKind, start: &[u8]) -> Option<Identified> {
    of_chunk(kind).map(|format| Identified { format, detected: format.detect_chunk(kind, start) })
}

/// Returns the format of chunks of a type; `None` if their structure is unknown.
#[must_use]
pub fn of_chunk(kind: ChunkKind) -> Option<&'static dyn Format> {
    FORMATS.iter().copied().find(|format| format.chunk_kinds().contains(&kind))
}

/// Returns the number of bytes at the start of a file that suffice to detect and read it, if the name
/// determines it.
#[must_use]
pub fn enough(name: &Path) -> Option<u64> {
    // The smallest, since one format is enough to read the file.
    FORMATS.iter().filter_map(|format| format.enough(name)).min()
}

fn surest(detect: impl Fn(&dyn Format) -> Option<Detected>) -> Option<Identified> {
    let mut best: Option<Identified> = None;
    for format in FORMATS.iter().copied() {
        let Some(detected) = detect(format) else { continue };
        // Strictly less, so that the earlier row wins a tie.
        if best.as_ref().is_none_or(|best| best.detected.sureness < detected.sureness) {
            best = Some(Identified { format, detected });
        }
    }
    best
}

#[cfg(test)]
mod tests;
