//! The document: sections in an order of their own.

use super::context::{ReviewContext, ReviewOptions};
use super::expressions::Expressions;
use super::section::ReviewSection;
use super::{blueprint, components, graphs, objects};
use crate::graph::{Graph, Labels, graphs_of};
use crate::property::{Object, Scope};
use std::collections::HashSet;
use std::fmt;

/// A package as text for review.
#[derive(Debug, Clone)]
pub struct Review {
    /// The sections, in order.
    pub sections: Vec<ReviewSection>,
    /// Its graphs.
    pub graphs: Vec<Graph>,
    /// Names of the nodes, which a newer version takes over.
    pub labels: Labels,
}

impl Review {
    /// Makes the review of a package; `objects` are its exports, decoded, in order. Nodes that `old`, an older version, has are
    /// called as there.
    #[must_use]
    pub fn new(scope: &Scope<'_>, objects: &[Object], options: ReviewOptions, old: Option<&Self>) -> Self {
        let graphs = graphs_of(scope, objects);
        let labels = Labels::new(&graphs, old.map(|old| &old.labels));
        let expressions = Expressions::new(scope);
        let sections = {
            let nodes =
                graphs.iter().flat_map(|graph| &graph.nodes).map(|node| (node.export, node)).collect();
            let (graphs, labels, expressions) = (graphs.as_slice(), &labels, &expressions);
            sections(&ReviewContext { scope, objects, graphs, nodes, labels, expressions, options })
        };
        Self { sections, graphs, labels }
    }
}

impl fmt::Display for Review {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, section) in self.sections.iter().enumerate() {
            if place > 0 {
                f.write_str("\n")?;
            }
            section.fmt(f)?;
        }
        Ok(())
    }
}

/// The sections of a package, in order.
fn sections(of: &ReviewContext<'_, '_>) -> Vec<ReviewSection> {
    let mut sections = Vec::new();
    // Exports that a section before has shown.
    let mut shown: HashSet<u32> = HashSet::new();
    for graph in of.graphs {
        sections.push(graphs::section(of, graph));
        shown.insert(graph.export);
        shown.extend(graph.nodes.iter().map(|node| node.export));
    }
    sections.extend(components::section(of, &mut shown));
    for at in objects::in_order(of) {
        if shown.contains(&at) {
            continue;
        }
        sections.extend(blueprint::section(of, at).or_else(|| objects::section(of, at)));
    }
    // Stable: sections of a kind stay in their order.
    sections.sort_by_key(|section| section.kind);
    sections
}
