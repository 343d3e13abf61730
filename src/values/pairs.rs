//! Which package of one build is which of another.

use super::inputs::PackageInputs;
use super::library::Library;
use std::collections::HashMap;

/// For each package of the new build, its place in the old one.
///
/// Two files are a pair, whatever they are called. Where builds are laid out alike, a pair is at one path: two projects in one folder may have packages of one
/// name. Otherwise names decide: those that paths stand for, then those that the packages say themselves.
pub(super) fn pairs(old: &Library, new: &Library) -> Vec<Option<usize>> {
    let mut pairs = Pairs::new(old.inputs.len(), new.inputs.len());
    if old.inputs.is_file && new.inputs.is_file {
        pairs.join(0, 0);
    }
    let paths = paths(&old.inputs);
    pairs.fill(|at| paths.get(&new.inputs.items().get(at)?.name.to_lowercase()).copied());
    pairs.fill(|at| old.find(&new.inputs.items().get(at)?.package_name()));
    pairs.fill(|at| old.find(&new.own_name(at)?));
    pairs.of_new
}

fn paths(inputs: &PackageInputs) -> HashMap<String, usize> {
    inputs.items().iter().enumerate().map(|(at, item)| (item.name.to_lowercase(), at)).collect()
}

/// Pairs so far: no package is in two of them.
struct Pairs {
    of_new: Vec<Option<usize>>,
    is_taken: Vec<bool>,
    /// Old packages that are in none.
    left: usize,
}

impl Pairs {
    fn new(old: usize, new: usize) -> Self {
        Self { of_new: vec![None; new], is_taken: vec![false; old], left: old }
    }

    /// Looks for the old package of each new one that has none yet.
    fn fill(&mut self, find: impl Fn(usize) -> Option<usize>) {
        for new in 0..self.of_new.len() {
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
