//! Script objects: native classes, functions and other objects that packages refer to.

use super::format::{Detected, File, Finding, Format, Input, Sureness};
use super::view::{View, ViewPart};
use crate::container::script_objects::{ScriptObject, ScriptObjects};
use crate::id::ChunkKind;
use crate::names::HASH_ALGORITHM;
use crate::version::ChunkKindNumbering;
use crate::wire::Partial;
use crate::wire::count;
use serde::Serialize;

/// Script objects of UE5: one chunk.
pub(super) struct Ue5;

/// Script objects of UE4: three chunks. The first has no names; they are in the other two.
pub(super) struct Ue4;

const STRUCTURE: &str = "script objects";

/// A native object.
#[derive(Debug, Clone, Serialize)]
pub struct ScriptRow {
    /// Full path; absent if an outer object is missing, or the outer objects form a cycle.
    pub path: Option<String>,
    /// Index by which packages refer to the object.
    pub index: String,
    /// True if it is certainly a class: it has a class default object.
    pub is_class: bool,
    /// Class of a class default object, or of an object in one.
    pub default_of: Option<String>,
    /// Reason for a missing path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// Script objects with their paths.
#[derive(Serialize)]
struct ScriptsView {
    generation: String,
    classes: usize,
    /// Number of wrong hashes; absent if there are no names.
    wrong_hashes: Option<usize>,
    objects: Vec<ScriptRow>,
    #[serde(skip)]
    numbering: ChunkKindNumbering,
}

impl Format for Ue5 {
    fn detect(&self, file: &File<'_>) -> Option<Detected> {
        // The hash algorithm of a name batch follows two `u32` of lengths. Its 8 bytes are the same in every
        // file.
        let has_names = file.start.get(8..16) == Some(&HASH_ALGORITHM.to_le_bytes()[..]);
        let reason = "it starts with a name batch, as script objects do";
        has_names.then(|| Detected::new(Sureness::Layout, reason))
    }

    fn read<'a>(&self, input: &Input<'a>) -> Finding<'a> {
        finding(STRUCTURE.to_owned(), &ScriptObjects::parse_partial(input.bytes))
    }

    fn chunk_kinds(&self) -> &'static [ChunkKind] {
        &[ChunkKind::ScriptObjects]
    }
}

impl Format for Ue4 {
    // Without a magic there is nothing to detect. The table is only tried if no other format has the file.
    fn detect(&self, _file: &File<'_>) -> Option<Detected> {
        None
    }

    fn guess(&self, file: &File<'_>) -> Option<Detected> {
        let reason = "it has no magic, but a table of script objects of UE4 fills it";
        ScriptObjects::is_load_meta(file.start).then(|| Detected::new(Sureness::Guess, reason))
    }

    fn read<'a>(&self, input: &Input<'a>) -> Finding<'a> {
        // Both chunks or none: names without hashes cannot be checked.
        let names = match input.others {
            [Some(names), Some(hashes)] => Some((names.as_slice(), hashes.as_slice())),
            _ => None,
        };
        finding(format!("{STRUCTURE} of UE4"), &ScriptObjects::parse_ue4_partial(input.bytes, names))
    }

    fn chunk_kinds(&self) -> &'static [ChunkKind] {
        &[ChunkKind::LoaderInitialLoadMeta, ChunkKind::LoaderGlobalNames, ChunkKind::LoaderGlobalNameHashes]
    }
}

fn finding<'a>(kind: String, found: &Partial<ScriptObjects>) -> Finding<'a> {
    Finding::new(STRUCTURE, kind, ScriptsView::new(&found.value), found.fault)
}

impl ScriptRow {
    /// Creates the row of an object.
    #[must_use]
    pub fn new(scripts: &ScriptObjects, object: &ScriptObject) -> Self {
        let path = scripts.path(object);
        // Null for an object outside of class default objects.
        let default_of = (!object.default_of.is_null()).then_some(object.default_of);
        Self {
            index: object.index.to_string(),
            is_class: scripts.is_class(object.index),
            default_of: default_of.map(|class| scripts.path_of(class).unwrap_or_else(|| class.to_string())),
            problem: path.as_ref().err().map(ToString::to_string),
            path: path.ok(),
        }
    }
}

impl ScriptsView {
    fn new(scripts: &ScriptObjects) -> Self {
        let objects: Vec<ScriptRow> = scripts.iter().map(|object| ScriptRow::new(scripts, object)).collect();
        Self {
            generation: format!("{:?}", scripts.generation),
            classes: objects.iter().filter(|row| row.is_class).count(),
            wrong_hashes: (!scripts.names().is_empty()).then(|| scripts.wrong_hashes().count()),
            objects,
            numbering: scripts.generation,
        }
    }
}

impl View for ScriptsView {
    fn parts(&self) -> Vec<ViewPart<'_>> {
        let (objects, classes) = (count(self.objects.len() as u64), count(self.classes as u64));
        let names = match (self.wrong_hashes, self.numbering) {
            (Some(wrong), _) => ViewPart::fact("wrong hashes", count(wrong as u64)),
            (None, ChunkKindNumbering::Ue4) => ViewPart::fact(
                "names",
                "none: those of UE4 are in LoaderGlobalNames and LoaderGlobalNameHashes",
            ),
            (None, ChunkKindNumbering::Ue5) => ViewPart::fact("names", "none: they could not be read"),
        };
        vec![
            ViewPart::fact("generation", self.generation.as_str()),
            ViewPart::fact("objects", format!("{objects}, of which {classes} are certainly classes")),
            names,
        ]
    }
}
