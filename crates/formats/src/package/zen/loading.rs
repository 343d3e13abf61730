//! The two sections that define how a package up to 5.2 is loaded, extracted from one header and put into
//! another.
//!
//! ```text
//! steps   UE4: bundle headers, then entries │ 5.0–5.2: entries
//! graph   UE4: arcs from other packages     │ 5.0–5.2: bundle headers, arcs inside the package, arcs from imports
//! ```

use super::graph::{self, BundleEntry, Graph};
use super::{Header, raw};
use crate::wire::{Fault, FaultKind, Reader, Writer};
use std::collections::HashSet;

/// The sections in file form.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Loading {
    /// Bundles (UE4) and their entries.
    #[serde(with = "text")]
    pub steps: Vec<u8>,
    /// Arcs; in 5.0 to 5.2 after the bundles.
    #[serde(with = "text")]
    pub graph: Vec<u8>,
}

impl Header {
    /// Returns the loading sections; `None` from 5.3 on, where packages have dependency lists instead.
    #[must_use]
    pub fn loading(&self) -> Option<Loading> {
        if self.generation.has_dependency_bundles() {
            return None;
        }
        let (mut steps, mut graph) = (Writer::new(), Writer::new());
        self.write_steps(&mut steps);
        self.write_graph(&mut graph);
        Some(Loading { steps: steps.into_bytes(), graph: graph.into_bytes() })
    }

    /// Replaces the loading sections. The new ones must create and serialize each export once, as before, and
    /// name as many imported packages.
    pub fn set_loading(&mut self, loading: &Loading) -> Result<(), Fault> {
        // Parsed with the readers of headers, so that a foreign file is checked as strictly as a package.
        let (bundles, entries, graph) = if self.generation.is_ue4() {
            let (bundles, entries) = graph::ue4_bundles(Reader::new(&loading.steps), self.exports.len())?;
            let graph = graph::ue4_graph(Reader::new(&loading.graph), bundles.len())?;
            (bundles, entries, graph)
        } else {
            let mut r = Reader::new(&loading.steps);
            let rows = r.table::<raw::BundleEntry>("export bundle entries", r.remaining() / 8)?;
            r.finish("export bundle entries")?;
            let entries = graph::entries(rows, 0, self.exports.len())?;
            let r = Reader::new(&loading.graph);
            let (bundles, graph) = graph::ue5_graph(r, entries.len(), self.imports.len())?;
            (bundles, entries, graph)
        };
        // Both counts: an entry listed twice in place of another would pass the plain length.
        expect("export bundle entries", distinct(&entries), distinct(&self.bundle_entries))?;
        expect("export bundle entries", entries.len(), self.bundle_entries.len())?;
        expect("external arcs", external(&graph), external(&self.graph))?;
        (self.bundles, self.bundle_entries, self.graph) = (bundles, entries, graph);
        Ok(())
    }
}

fn distinct(entries: &[BundleEntry]) -> usize {
    entries.iter().map(|entry| (entry.export, entry.command)).collect::<HashSet<_>>().len()
}

/// Counts the imported packages with a list, empty or not.
fn external(graph: &Graph) -> usize {
    match graph {
        Graph::Arcs { external, .. } => external.len(),
        _ => 0,
    }
}

fn expect(field: &'static str, found: usize, expected: usize) -> Result<(), Fault> {
    if found == expected {
        return Ok(());
    }
    let kind = FaultKind::Unexpected { found: found as u64, expected: expected as u64 };
    Err(Fault { offset: 0, field, kind })
}

/// Serializes bytes as base64.
pub(crate) mod text {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(crate) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(bytes))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        STANDARD.decode(String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}
