//! Findings about a file or chunk.

use super::print;
use crate::printer::Out;
use crate::shared::description::{self, Description};
use serde::Serialize;
use uncask::id::ChunkKind;
use uncask::identify::{Format, Identified, Input, View};
use uncask::wire::Fault;

/// Findings about a file or chunk.
pub(super) struct FoundContent<'a> {
    /// Its format.
    pub kind: String,
    /// Evidence for the format.
    pub detected_by: String,
    /// Its content.
    pub content: Content<'a>,
    /// The damaged structure, with the fault.
    pub fault: Option<(&'static str, Fault)>,
    /// A warning.
    pub warning: Option<String>,
    /// True if it refers to names from the global container.
    pub refers_to_scripts: bool,
    /// Command that shows more of it.
    pub see_also: Option<&'static str>,
}

/// Content of a file or chunk.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Content<'a> {
    /// Decoded content; `None` if it has no structure, or cannot be read at all.
    View(Option<Box<dyn View + 'a>>),
    /// Containers.
    Containers(Vec<Description>),
    /// Unrecognised content.
    Unknown {
        /// Its first bytes, in hex.
        first_bytes: String,
    },
}

impl<'a> FoundContent<'a> {
    /// Reads identified content.
    pub(super) fn read(identified: &Identified, input: &Input<'a>) -> Self {
        let format = identified.format;
        let finding = format.read(input);
        // Hints only make sense for content that could be read.
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

    /// Findings about a chunk without a known structure.
    pub(super) fn opaque(kind: ChunkKind) -> Self {
        let content = Content::View(None);
        Self::plain(format!("chunk of type {kind}"), format!("the chunk's type is {kind}"), content)
    }

    /// Findings about a file of unrecognised format.
    pub(super) fn unknown(bytes: &[u8]) -> Self {
        // Enough for a reader of a bug report to recognise the format.
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

/// Command that shows more of a format.
fn see_also(format: &dyn Format) -> Option<&'static str> {
    let scripts = [ChunkKind::ScriptObjects, ChunkKind::LoaderInitialLoadMeta];
    let is_scripts = format.chunk_kinds().iter().any(|kind| scripts.contains(kind));
    is_scripts.then_some("`uncask scripts` lists them all")
}
