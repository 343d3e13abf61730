//! Prints a graph of packages as a tree, or for Graphviz.

use super::graph::Graph;
use crate::printer::{Out, printable};
use std::collections::HashSet;
use uncask::game::{Direction, Link, LinkKind, Presence};
use uncask::id::PackageId;

/// Prints a tree in which each package is expanded once; later occurrences end in `…`.
///
/// Uses a stack of its own instead of recursion: the packages decide how deep the tree is.
pub(super) fn tree(graph: &Graph, out: &mut Out) -> anyhow::Result<()> {
    let mut unfolded = HashSet::new();
    let root = Link { id: graph.root, kind: LinkKind::Hard };
    let below = line(graph, root, "", &mut unfolded, out)?;
    let mut stack = vec![(below.into_iter().peekable(), String::new())];
    while let Some((links, prefix)) = stack.last_mut() {
        let Some(link) = links.next() else {
            stack.pop();
            continue;
        };
        // The last link of a level gets a corner instead of a tee.
        let last = links.peek().is_none();
        let prefix = prefix.clone();
        let branch = format!("{prefix}{}", if last { "└── " } else { "├── " });
        let below = line(graph, link, &branch, &mut unfolded, out)?;
        let indent = if last { "    " } else { "│   " };
        stack.push((below.into_iter().peekable(), prefix + indent));
    }
    Ok(out.flush()?)
}

/// Prints a package, and returns the links to print below it.
fn line(
    graph: &Graph,
    Link { id, kind }: Link,
    branch: &str,
    unfolded: &mut HashSet<PackageId>,
    out: &mut Out,
) -> anyhow::Result<Vec<Link>> {
    let label = graph.label(id);
    let node = graph.walk.get(id);
    let mark = match kind {
        LinkKind::Hard => "",
        LinkKind::Optional => "  (optional)",
        LinkKind::Soft => "  (soft)",
    };
    if kind == LinkKind::Soft {
        // Soft references are not followed, so nothing is printed below them.
        writeln!(out, "{branch}{label}{mark}")?;
        return Ok(Vec::new());
    }
    let state = match node.map(|node| node.presence) {
        Some(Presence::Missing) => "  (missing)",
        Some(Presence::Unreadable) => "  (cannot be read)",
        Some(Presence::Present) | None => "",
    };
    let links = node.filter(|node| graph.follows(node)).map(|node| node.links.clone()).unwrap_or_default();
    // A package without links is never marked as repeated: there is nothing below it.
    let again = !unfolded.insert(id) && !links.is_empty();
    writeln!(out, "{branch}{label}{mark}{state}{}", if again { "  …" } else { "" })?;
    Ok(if again { Vec::new() } else { links })
}

/// Prints a graph for Graphviz. Arrows point from the importing package to the imported one.
pub(super) fn dot(graph: &Graph, out: &mut Out) -> anyhow::Result<()> {
    writeln!(out, "digraph packages {{")?;
    writeln!(out, "  rankdir=LR;")?;
    writeln!(out, "  node [shape=box];")?;
    for node in &graph.walk.nodes {
        let style = match node.presence {
            Presence::Present => "",
            Presence::Unreadable => " [style=dotted]",
            Presence::Missing => " [style=dashed]",
        };
        writeln!(out, "  {}{style};", quoted(&graph.label(node.id)))?;
    }
    for node in graph.walk.nodes.iter().filter(|node| graph.follows(node)) {
        for link in &node.links {
            let (this, other) = (quoted(&graph.label(node.id)), quoted(&graph.label(link.id)));
            let style = match link.kind {
                LinkKind::Hard => "",
                LinkKind::Optional => " [style=dashed]",
                LinkKind::Soft => " [style=dotted]",
            };
            match graph.direction {
                Direction::Dependencies => writeln!(out, "  {this} -> {other}{style};")?,
                // Links point back to importers here, so the arrow is turned around.
                Direction::Dependants => writeln!(out, "  {other} -> {this}{style};")?,
            }
        }
    }
    writeln!(out, "}}")?;
    Ok(out.flush()?)
}

fn quoted(text: &str) -> String {
    // Names come from files: control characters first, then the quoting of the DOT language.
    format!("\"{}\"", printable(text).replace('\\', "\\\\").replace('"', "\\\""))
}
