//! Objects inside of others.

use crate::package::legacy::{Package, PackageIndex, PackageRef};
use std::cell::OnceCell;
use std::collections::HashMap;

/// Exports of a package by the outermost export around them, found when they are first needed.
#[derive(Debug, Default)]
pub(super) struct InnerObjects(OnceCell<HashMap<u32, Vec<u32>>>);

impl InnerObjects {
    /// Indices of a top-level export and of all exports inside it, in file order, but itself first.
    pub(super) fn of(&self, package: &Package, top: u32) -> Vec<u32> {
        let inner = self.0.get_or_init(|| by_outermost(package));
        let inside = inner.get(&top).into_iter().flatten().copied();
        std::iter::once(top).chain(inside.filter(|at| *at != top)).collect()
    }
}

fn by_outermost(package: &Package) -> HashMap<u32, Vec<u32>> {
    let outer = |at: u32| package.exports.get(at as usize).map(|export| export.outer);
    let mut outermost: Vec<Option<u32>> = vec![None; package.exports.len()];
    let mut is_seen = vec![false; package.exports.len()];
    let mut inner: HashMap<u32, Vec<u32>> = HashMap::new();
    for start in (0..).take(package.exports.len()) {
        // Upwards, to the top or to an export whose top is known. In a circle there is none.
        let (mut path, mut at) = (Vec::new(), start);
        let top = loop {
            match is_seen.get_mut(at as usize) {
                None => break None,
                Some(seen) if *seen => break outermost.get(at as usize).copied().flatten(),
                Some(seen) => *seen = true,
            }
            path.push(at);
            match outer(at).map(PackageIndex::decode) {
                Some(PackageRef::Export(next)) => at = next,
                Some(PackageRef::None) => break Some(at),
                _ => break None,
            }
        };
        for at in path {
            if let Some(place) = outermost.get_mut(at as usize) {
                *place = top;
            }
        }
        if let Some(top) = top {
            inner.entry(top).or_default().push(start);
        }
    }
    inner
}
