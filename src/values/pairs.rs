//! Pairs the packages of two builds.

use super::inputs::PackageInputs;
use super::library::Library;
use std::collections::HashMap;

/// Finds the position in the old build of each package of the new one.
///
/// Two single files are always a pair. If the builds have the same layout, paths decide, since two projects in one
/// folder may have packages of the same name. Otherwise names decide: first those derived from paths, then those
/// recorded in packages.
pub(super) fn pairs(old: &Library, new: &Library) -> Vec<Option<usize>> {
    let mut pairs = Pairs::new(old.inputs.len(), new.inputs.len());
    if old.inputs.is_file && new.inputs.is_file {
        pairs.join(0, 0);
    }
    let paths = paths(&old.inputs);
    // Most reliable first: a package paired by path is not available to the weaker rules below.
    pairs.fill(|at| paths.get(&new.inputs.items().get(at)?.name.to_lowercase()).copied());
    pairs.fill(|at| old.find(&new.inputs.items().get(at)?.package_name()));
    pairs.fill(|at| old.find(&new.own_name(at)?));
    pairs.of_new
}

/// Finds the position in the old build of each package of the new one with the same path.
pub(super) fn pairs_by_path(old: &Library, new: &Library) -> Vec<Option<usize>> {
    let mut pairs = Pairs::new(old.inputs.len(), new.inputs.len());
    let paths = paths(&old.inputs);
    pairs.fill(|at| paths.get(&new.inputs.items().get(at)?.name.to_lowercase()).copied());
    pairs.of_new
}

fn paths(inputs: &PackageInputs) -> HashMap<String, usize> {
    inputs.items().iter().enumerate().map(|(at, item)| (item.name.to_lowercase(), at)).collect()
}

/// Pairs found so far; each package is in at most one.
struct Pairs {
    of_new: Vec<Option<usize>>,
    is_taken: Vec<bool>,
    /// Number of unpaired old packages.
    left: usize,
}

impl Pairs {
    fn new(old: usize, new: usize) -> Self {
        Self { of_new: vec![None; new], is_taken: vec![false; old], left: old }
    }

    /// Searches the old package of each unpaired new one.
    fn fill(&mut self, find: impl Fn(usize) -> Option<usize>) {
        for new in 0..self.of_new.len() {
            // Builds are mostly alike: once all old packages are paired, no further header is read for its name.
            let is_open = self.left > 0 && self.of_new.get(new).is_some_and(Option::is_none);
            if let Some(old) = is_open.then(|| find(new)).flatten() {
                self.join(new, old);
            }
        }
    }

    fn join(&mut self, new: usize, old: usize) {
        if let (Some(pair), Some(is_taken @ false)) = (self.of_new.get_mut(new), self.is_taken.get_mut(old)) {
            (*pair, *is_taken) = (Some(old), true);
            self.left -= 1;
        }
    }
}
