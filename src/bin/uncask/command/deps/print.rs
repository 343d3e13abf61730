//! A graph of packages as a tree, or for Graphviz.

use super::graph::Graph;
use crate::printer::printable;
use std::collections::HashSet;
use std::io::Write;
use uncask::id::PackageId;
use uncask::store::packages::{Direction, Presence};

/// Prints a tree in which every package is unfolded once; where it comes again, `…` stands for what is below it.
///
/// It walks with a stack of its own: the packages decide how deep the tree goes.
pub(super) fn tree(graph: &Graph, out: &mut impl Write) -> anyhow::Result<()> {
    let mut unfolded = HashSet::new();
    let below = line(graph, graph.root, "", &mut unfolded, out)?;
    let mut stack = vec![(below.into_iter().peekable(), String::new())];
    while let Some((links, prefix)) = stack.last_mut() {
        let Some(id) = links.next() else {
            stack.pop();
            continue;
        };
        let last = links.peek().is_none();
        let prefix = prefix.clone();
        let branch = format!("{prefix}{}", if last { "└── " } else { "├── " });
        let below = line(graph, id, &branch, &mut unfolded, out)?;
        let indent = if last { "    " } else { "│   " };
        stack.push((below.into_iter().peekable(), prefix + indent));
    }
    Ok(out.flush()?)
}

/// Prints a package, and returns what is to be shown below it.
fn line(
    graph: &Graph,
    id: PackageId,
    branch: &str,
    unfolded: &mut HashSet<PackageId>,
    out: &mut impl Write,
) -> anyhow::Result<Vec<PackageId>> {
    let label = graph.label(id);
    let node = graph.walk.get(id);
    let state = match node.map(|node| node.presence) {
        Some(Presence::Missing) => "  (missing)",
        Some(Presence::Unreadable) => "  (cannot be read)",
        Some(Presence::Present) | None => "",
    };
    let links = node.filter(|node| graph.follows(node)).map(|node| node.links.clone()).unwrap_or_default();
    let again = !unfolded.insert(id) && !links.is_empty();
    writeln!(out, "{branch}{}{state}{}", printable(&label), if again { "  …" } else { "" })?;
    Ok(if again { Vec::new() } else { links })
}

/// Prints a graph for Graphviz. Arrows lead from the package that imports to the one that is imported.
pub(super) fn dot(graph: &Graph, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "digraph packages {{\n  rankdir=LR;\n  node [shape=box];")?;
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
            let (this, other) = (quoted(&graph.label(node.id)), quoted(&graph.label(*link)));
            match graph.direction {
                Direction::Dependencies => writeln!(out, "  {this} -> {other};")?,
                Direction::Dependants => writeln!(out, "  {other} -> {this};")?,
            }
        }
    }
    writeln!(out, "}}")?;
    Ok(out.flush()?)
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", printable(text).replace('\\', "\\\\").replace('"', "\\\""))
}
