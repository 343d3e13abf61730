//! A walk with the names of all packages in it.

use serde::Serialize;
use std::collections::HashMap;
use uncask::game::{Direction, Link, LinkKind, Node, Packages, Presence, Walk};
use uncask::id::PackageId;

/// Packages of a walk with their names.
pub(super) struct Graph {
    pub(super) walk: Walk,
    pub(super) root: PackageId,
    pub(super) direction: Direction,
    depth: Option<u32>,
    /// Names of all packages reached or linked to.
    names: HashMap<PackageId, String>,
    containers: HashMap<PackageId, String>,
}

#[derive(Serialize)]
pub(super) struct DepsReport<'a> {
    schema: &'static str,
    direction: &'static str,
    package: &'a str,
    depth: Option<u32>,
    missing: u64,
    packages: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    id: String,
    depth: u32,
    state: &'static str,
    container: Option<&'a str>,
    /// Imported packages.
    links: Vec<&'a str>,
    /// Packages referred to in any way.
    references: Vec<Reference<'a>>,
}

#[derive(Serialize)]
struct Reference<'a> {
    name: &'a str,
    kind: &'static str,
}

impl Graph {
    /// Names everything in a walk from `root`, for which the user typed `called`.
    pub(super) fn new(
        packages: &Packages,
        walk: Walk,
        root: PackageId,
        direction: Direction,
        depth: Option<u32>,
        called: &str,
    ) -> Self {
        let mut names = HashMap::new();
        // A missing package has no name anywhere, but the user has just typed it.
        if PackageId::from_name(called) == root && packages.name(root).is_none() {
            names.insert(root, called.to_owned());
        }
        let mut containers = HashMap::new();
        for node in &walk.nodes {
            // A missing package can still be named by one that imports it.
            let importer = |link| if direction == Direction::Dependencies { node.id } else { link };
            name(packages, &mut names, node.id, node.links.first().map_or(node.id, |link| link.id));
            for link in &node.links {
                name(packages, &mut names, link.id, importer(link.id));
            }
            let entry = packages.find(node.id);
            if let Some(container) = entry.and_then(|entry| packages.store().container(entry)) {
                containers.insert(node.id, container.name());
            }
        }
        Self { walk, root, direction, depth, names, containers }
    }

    /// Name of a package, or its id if it has none.
    pub(super) fn label(&self, id: PackageId) -> String {
        self.names.get(&id).cloned().unwrap_or_else(|| id.to_string())
    }

    /// True if the links of a node were followed.
    pub(super) fn follows(&self, node: &Node) -> bool {
        self.depth.is_none_or(|depth| node.depth < depth)
    }

    /// Number of packages with this presence.
    pub(super) fn count(&self, presence: Presence) -> u64 {
        self.walk.nodes.iter().filter(|node| node.presence == presence).count() as u64
    }

    /// The graph as a JSON report.
    pub(super) fn report(&self) -> DepsReport<'_> {
        DepsReport {
            schema: "uncask.deps/1",
            direction: match self.direction {
                Direction::Dependencies => "dependencies",
                Direction::Dependants => "dependants",
            },
            package: self.name_of(self.root),
            depth: self.depth,
            missing: self.count(Presence::Missing),
            packages: self.walk.nodes.iter().map(|node| self.row(node)).collect(),
        }
    }

    fn row(&self, node: &Node) -> Row<'_> {
        Row {
            name: self.name_of(node.id),
            id: node.id.to_string(),
            depth: node.depth,
            state: match node.presence {
                Presence::Present => "present",
                Presence::Unreadable => "unreadable",
                Presence::Missing => "missing",
            },
            container: self.containers.get(&node.id).map(String::as_str),
            links: {
                let hard = node.links.iter().filter(|link| link.kind == LinkKind::Hard);
                hard.map(|link| self.name_of(link.id)).collect()
            },
            references: {
                let reference =
                    |link: &Link| Reference { name: self.name_of(link.id), kind: kind_name(link.kind) };
                node.links.iter().map(reference).collect()
            },
        }
    }

    fn name_of(&self, id: PackageId) -> &str {
        self.names.get(&id).map_or("", String::as_str)
    }
}

/// Name of a link kind.
pub(super) const fn kind_name(kind: LinkKind) -> &'static str {
    match kind {
        LinkKind::Hard => "hard",
        LinkKind::Optional => "optional",
        LinkKind::Soft => "soft",
    }
}

/// Looks up the name of a package, if necessary in the header of one that imports it.
fn name(packages: &Packages, names: &mut HashMap<PackageId, String>, id: PackageId, importer: PackageId) {
    if names.contains_key(&id) {
        return;
    }
    let found = packages.name(id).or_else(|| packages.name_in_importer(id, importer));
    // The id is kept as well, so that the search is not repeated.
    names.insert(id, found.unwrap_or_else(|| id.to_string()));
}
