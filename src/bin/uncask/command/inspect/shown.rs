//! JSON output for one or several chunks.

use crate::printer;
use serde::Serialize;

/// Documents to print.
pub(super) enum Shown {
    /// A single document, printed at once.
    One,
    /// Several documents, printed as one array.
    Several(Vec<serde_json::Value>),
}

impl Shown {
    pub(super) const fn new(count: usize) -> Self {
        if count == 1 { Self::One } else { Self::Several(Vec::new()) }
    }

    /// Prints a document, or keeps it until all are complete.
    pub(super) fn json(&mut self, document: &impl Serialize) -> anyhow::Result<()> {
        match self {
            Self::One => printer::print_json(document)?,
            Self::Several(documents) => documents.push(serde_json::to_value(document)?),
        }
        Ok(())
    }

    pub(super) fn finish(self) -> anyhow::Result<()> {
        match self {
            // Nothing was kept if the output is text.
            Self::Several(documents) if !documents.is_empty() => Ok(printer::print_json(&documents)?),
            _ => Ok(()),
        }
    }
}
