//! What a file or chunk is, and what was read of it.

use super::print;
use crate::printer::Out;
use crate::shared::description::{self, Description};
use serde::Serialize;
use uncask::id::ChunkKind;
use uncask::identify::{Format, Identified, Input, View};
use uncask::wire::Fault;

/// What was found out about a file or chunk.
pub(super) struct FoundContent<'a> {
    /// What it is.
    pub kind: String,
    /// How that was detected.
    pub detected_by: String,
    /// What was read.
    pub content: Content<'a>,
    /// The structure that is damaged, and what is wrong with it.
    pub fault: Option<(&'static str, Fault)>,
    /// What to warn of.
    pub warning: Option<String>,
    /// Whether names from the global container are missed.
    pub refers_to_scripts: bool,
    /// What else shows it.
    pub see_also: Option<&'static str>,
}

/// What was read.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Content<'a> {
    /// The content of a file or chunk; `None` if it has no structure of its own, or could not be read at all.
    View(Option<Box<dyn View + 'a>>),
    /// Containers.
    Containers(Vec<Description>),
    /// Nothing: it is not known what it is.
    Unknown {
        /// Its first bytes, as hex.
        first_bytes: String,
    },
}

impl<'a> FoundContent<'a> {
    /// Reads what has been identified.
    pub(super) fn read(identified: &Identified, input: &Input<'a>) -> Self {
        let format = identified.format;
        let finding = format.read(input);
        let was_read = finding.view.is_some();
        Self {
            kind: finding.kind,
            detected_by: identified.detected.reason.clone().into_owned(),
            content: Content::View(finding.view),
            fault: finding.fault,
            warning: finding.warning,
            refers_to_scripts: was_read && format.refers_to_scripts(),
            see_also: see_also(format).filter(|_| was_read),
        }
    }

    /// A chunk that has no structure that is known.
    pub(super) fn opaque(kind: ChunkKind) -> Self {
        let content = Content::View(None);
        Self::plain(format!("chunk of type {kind}"), format!("the chunk's type is {kind}"), content)
    }

    /// A file that is of no known format.
    pub(super) fn unknown(bytes: &[u8]) -> Self {
        let first_bytes = hex::encode(bytes.get(..32).unwrap_or(bytes));
        let reason = "no magic, tag or layout fits".to_owned();
        Self::plain("unknown".to_owned(), reason, Content::Unknown { first_bytes })
    }

    fn plain(kind: String, detected_by: String, content: Content<'a>) -> Self {
        Self {
            kind,
            detected_by,
            content,
            fault: None,
            warning: None,
            refers_to_scripts: false,
            see_also: None,
        }
    }

    pub(super) fn print(&self, out: &mut Out) -> anyhow::Result<()> {
        print::line(out, "kind", &self.kind)?;
        print::line(out, "detected by", &self.detected_by)?;
        match &self.content {
            Content::View(view) => view.iter().try_for_each(|view| print::view(out, &**view))?,
            Content::Containers(containers) => {
                containers.iter().try_for_each(|container| description::print(container, out))?;
            }
            Content::Unknown { first_bytes } => print::line(out, "first bytes", first_bytes)?,
        }
        self.see_also.map_or(Ok(()), |command| print::line(out, "see also", command))
    }
}

/// The command that shows more of a format.
fn see_also(format: &dyn Format) -> Option<&'static str> {
    let scripts = [ChunkKind::ScriptObjects, ChunkKind::LoaderInitialLoadMeta];
    let is_scripts = format.chunk_kinds().iter().any(|kind| scripts.contains(kind));
    is_scripts.then_some("`uncask scripts` lists them all")
}
