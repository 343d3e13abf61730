//! Names of nodes that are unique in their graph.
//!
//! A node is called by its title. Of several with one title, the one whose object has the lowest number keeps it, and the others
//! have that number after it: `PrintString #4`. So a node keeps its name when others are added, and the texts of two versions of
//! a graph differ only where the graph does. Where the older version is at hand, its names are taken over by node id.

use super::facts::{Graph, Node};
use super::order::number_of;
use crate::id::Guid;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Identity of a node across versions: the path of its graph, and its id.
pub type NodeKey = (Arc<str>, Guid);

/// Names of nodes.
#[derive(Debug, Clone, Default)]
pub struct Labels {
    by_export: HashMap<u32, String>,
    by_key: HashMap<NodeKey, (String, String)>,
}

impl Labels {
    /// Names the nodes of some graphs; those that `old` has, with the same title, keep their names.
    #[must_use]
    pub fn new(graphs: &[Graph], old: Option<&Self>) -> Self {
        let mut labels = Self::default();
        for graph in graphs {
            // One text for all nodes of a graph.
            let path: Arc<str> = Arc::from(graph.path.as_str());
            let key_of = |node: &Node| node.id.map(|id| (Arc::clone(&path), id));
            let kept = |node: &Node| {
                let (title, label) = old?.by_key.get(&key_of(node)?)?;
                (*title == node.title).then(|| label.clone())
            };
            let titles = graph.nodes.iter().map(|node| (node.title.clone(), number_of(node), kept(node)));
            let names = number_titles(&titles.collect::<Vec<_>>());
            for (node, label) in graph.nodes.iter().zip(names) {
                if let Some(key) = key_of(node) {
                    labels.by_key.insert(key, (node.title.clone(), label.clone()));
                }
                labels.by_export.insert(node.export, label);
            }
        }
        labels
    }

    /// The name of a node, by its export; empty for what is no node.
    #[must_use]
    pub fn of(&self, export: u32) -> &str {
        self.by_export.get(&export).map_or("", String::as_str)
    }
}

/// Makes titles unique; each comes with the number of its object, and with the name to keep, if any.
pub(crate) fn number_titles(titles: &[(String, u32, Option<String>)]) -> Vec<String> {
    let mut order: Vec<usize> = (0..titles.len()).collect();
    order.sort_by_key(|&at| titles.get(at).map(|(title, number, kept)| (kept.is_none(), title, *number, at)));
    let mut taken = HashSet::new();
    // The next number to try for a title, so that many equal ones take linear time.
    let mut next: HashMap<&str, u32> = HashMap::new();
    let mut labels = vec![String::new(); titles.len()];
    for at in order {
        let Some((title, number, kept)) = titles.get(at) else { continue };
        let mut label = kept.clone().unwrap_or_else(|| title.clone());
        if !taken.insert(label.clone()) {
            // Objects count from 0 in their names, and from 1 in the package.
            label = format!("{title} #{}", number.saturating_sub(1));
            let free = next.entry(title).or_insert(2);
            while !taken.insert(label.clone()) {
                label = format!("{title} #{free}");
                *free = free.saturating_add(1);
            }
        }
        if let Some(slot) = labels.get_mut(at) {
            *slot = label;
        }
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_when_a_node_is_added() {
        let print = |number: u32, kept: Option<&str>| ("Print".to_owned(), number, kept.map(str::to_owned));
        let before = number_titles(&[print(3, None), print(8, None)]);
        assert_eq!(before, ["Print", "Print #7"]);
        assert_eq!(
            number_titles(&[print(9, None), print(3, None), print(8, None)]),
            ["Print #8", "Print", "Print #7"]
        );
        // The first one is gone: with the old names at hand, the other keeps its own.
        assert_eq!(number_titles(&[print(8, Some("Print #7")), print(9, None)]), ["Print #7", "Print"]);
        // Equal numbers.
        assert_eq!(
            number_titles(&[print(3, None), print(3, None), print(3, None)]),
            ["Print", "Print #2", "Print #3"]
        );
    }
}
