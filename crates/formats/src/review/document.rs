//! The document: sections in an order of their own.

use super::expressions::Expressions;
use super::lines::Line;
use super::{blueprint, components, graphs, objects};
use crate::graph::{Graph, Labels, Node, graphs_of};
use crate::package::legacy::PackageIndex;
use crate::property::{Object, Scope};
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::fmt;

/// Options for a review.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReviewOptions {
    /// True for everything, with the data that the editor keeps for itself.
    pub all: bool,
}

/// A package as text for review.
#[derive(Debug, Clone)]
pub struct Review {
    /// The sections, in order.
    pub sections: Vec<Section>,
    /// Its graphs.
    pub graphs: Vec<Graph>,
    /// Names of the nodes, which a newer version takes over.
    pub labels: Labels,
}

/// A section: an object, or a view of several.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Section {
    /// Kind of section.
    pub kind: SectionKind,
    /// Path in the package of the object that it shows; empty for several.
    pub object: String,
    /// Its heading, unique in the document unless the package has several objects of one path.
    pub heading: String,
    /// The lines below the heading.
    pub lines: Vec<Line>,
}

/// Kind of section, in the order of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SectionKind {
    /// A blueprint: its parent, interfaces and variables.
    Blueprint,
    /// The components of a blueprint.
    Components,
    /// The defaults of a class.
    Defaults,
    /// A graph.
    Graph,
    /// Any other object.
    Object,
    /// The code of functions.
    Code,
}

/// Everything that sections are made from.
pub(super) struct Context<'c, 'a> {
    pub scope: &'c Scope<'a>,
    pub objects: &'c [Object],
    pub graphs: &'c [Graph],
    /// The nodes of all graphs, by export.
    pub nodes: HashMap<u32, &'c Node>,
    pub labels: &'c Labels,
    pub expressions: &'c Expressions,
    pub options: ReviewOptions,
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
            Context { scope, objects, graphs, nodes, labels, expressions, options }.sections()
        };
        Self { sections, graphs, labels }
    }
}

impl Context<'_, '_> {
    fn sections(&self) -> Vec<Section> {
        let mut sections = Vec::new();
        // Exports that a section before has shown.
        let mut shown: HashSet<u32> = HashSet::new();
        for graph in self.graphs {
            sections.push(graphs::section(self, graph));
            shown.insert(graph.export);
            shown.extend(graph.nodes.iter().map(|node| node.export));
        }
        sections.extend(components::section(self, &mut shown));
        for at in objects::in_order(self) {
            if shown.contains(&at) {
                continue;
            }
            sections.extend(blueprint::section(self, at).or_else(|| objects::section(self, at)));
        }
        // Stable: sections of a kind stay in their order.
        sections.sort_by_key(|section| section.kind);
        sections
    }

    /// The path of an export in the package.
    pub(super) fn path(&self, at: u32) -> String {
        PackageIndex::export(at).map(|index| self.reference(index)).unwrap_or_default()
    }

    /// The path of an object: whole for one of another package, without the package for one of this.
    pub(super) fn reference(&self, index: PackageIndex) -> String {
        match self.scope.package.path(index, "") {
            None => "None".to_owned(),
            Some(path) if path.package().is_empty() => path.names().join("."),
            Some(path) => path.to_string(),
        }
    }
}

impl Section {
    /// A section of code, a line for each of its lines; `None` if there is none.
    #[must_use]
    pub fn of_code(code: &str) -> Option<Self> {
        // A comment with the name of the package, which others call differently, comes first.
        let lines = code.lines().skip_while(|line| line.starts_with("//") || line.is_empty());
        let lines: Vec<Line> = lines.map(|line| Line { depth: 1, text: line.to_owned() }).collect();
        let (object, heading) = (String::new(), "code".to_owned());
        (!lines.is_empty()).then_some(Self { kind: SectionKind::Code, object, heading, lines })
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

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.heading)?;
        self.lines.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}
