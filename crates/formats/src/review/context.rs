//! Everything that sections are made from.

use super::expressions::Expressions;
use crate::graph::{Graph, Labels, Node};
use crate::package::legacy::PackageIndex;
use crate::property::{Object, Scope};
use std::collections::HashMap;

/// Options for a review.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReviewOptions {
    /// True for everything, with the data that the editor keeps for itself.
    pub all: bool,
}

/// Everything that sections are made from.
pub(super) struct ReviewContext<'c, 'a> {
    pub scope: &'c Scope<'a>,
    pub objects: &'c [Object],
    pub graphs: &'c [Graph],
    /// The nodes of all graphs, by export.
    pub nodes: HashMap<u32, &'c Node>,
    pub labels: &'c Labels,
    pub expressions: &'c Expressions,
    pub options: ReviewOptions,
}

impl ReviewContext<'_, '_> {
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
