//! UE4's order of loading: imported packages before the ones that import them.

use crate::id::PackageId;
use std::collections::{HashMap, HashSet};

/// Package: its id, its imports, and its number of export bundles.
pub(super) type Node<'a> = (PackageId, &'a [PackageId], u32);

/// Returns the position of each package; it takes one position per bundle. In a cycle of imports, the package
/// that is reached first comes last.
pub(super) fn of(packages: &[Node<'_>]) -> HashMap<PackageId, u32> {
    let nodes: HashMap<PackageId, &Node<'_>> = packages.iter().map(|node| (node.0, node)).collect();
    let (mut orders, mut reached, mut next) = (HashMap::new(), HashSet::new(), 0_u32);
    for root in packages {
        // The path from the root, each package with its remaining imports. Not recursive: import chains may
        // be long.
        let mut open: Vec<_> = reached.insert(root.0).then(|| (root, root.1.iter())).into_iter().collect();
        while let Some((node, imports)) = open.last_mut() {
            if let Some(import) = imports.next() {
                // Marked when reached, not when finished, so that cycles end.
                let import = nodes.get(import).filter(|import| reached.insert(import.0));
                open.extend(import.map(|import| (*import, import.1.iter())));
            } else {
                // All imports are numbered: the package itself comes after them.
                orders.insert(node.0, next);
                next = next.saturating_add(node.2.max(1));
                open.pop();
            }
        }
    }
    orders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_come_first_and_circles_end() {
        let ids: Vec<PackageId> = (0..4).map(PackageId).collect();
        let [a, b, c, d] = ids[..] else { panic!() };
        let orders = of(&[(a, &[c, b], 2), (b, &[a], 1), (c, &[PackageId(99)], 3), (d, &[], 1)]);
        assert_eq!([a, b, c, d].map(|id| orders[&id]), [4, 3, 0, 6]);
    }
}
