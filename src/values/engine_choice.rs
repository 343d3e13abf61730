//! Choice of the built-in schemas for packages without tags, where there are no mappings.
//!
//! Several releases may have written a package whose header looks the same for all of them. Their classes differ, so the
//! schemas that fit the objects of some packages best tell which it was.

use super::engine_schemas::EngineSchemas;
use super::library::Library;
use super::load::Loaded;
use crate::property::{Object, Problem, ReadCause, Scope};
use std::sync::PoisonError;

/// Packages that are read to choose among releases, and the longest one, in bytes.
const SAMPLE: (usize, u64) = (32, 1 << 20);

/// Weight of an object that does not fit its class, against one whose class is missing.
const MISFIT: usize = 4;

impl Library {
    /// The built-in schemas for a package; `None` if it needs none, or if there are none of its release.
    pub(crate) fn engine_schemas(&self, loaded: &Loaded) -> Option<EngineSchemas> {
        if !loaded.package.form.unversioned_properties {
            return None;
        }
        let left = loaded.left;
        let known = || self.choices.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(chosen) = known().get(&left) {
            return *chosen;
        }
        // Not chosen under the lock. Two threads may do it; both choose the same.
        let chosen = self.choose(loaded);
        known().insert(left, chosen);
        chosen
    }

    fn choose(&self, loaded: &Loaded) -> Option<EngineSchemas> {
        let candidates: Vec<EngineSchemas> = EngineSchemas::among(loaded.left).collect();
        if candidates.len() < 2 {
            return candidates.first().copied();
        }
        let mut misfits = vec![0_usize; candidates.len()];
        let mut count = |loaded: &Loaded| {
            for (misfits, candidate) in misfits.iter_mut().zip(&candidates) {
                *misfits += misfit(&loaded.scope().with_engine(Some(candidate.schemas)));
            }
        };
        count(loaded);
        let (most, longest) = SAMPLE;
        // Every n-th package: neighbours are often of one class.
        let items = self.inputs.items();
        let step = items.len().div_ceil(most).max(1);
        for item in items.iter().step_by(step).filter(|item| item.len <= longest) {
            if let Ok(other) = self.load(item)
                && other.left == loaded.left
            {
                count(&other);
            }
        }
        // Of equal ones the first: the newest.
        let best = candidates.iter().zip(misfits).min_by_key(|(_, misfits)| *misfits);
        best.map(|(candidate, _)| *candidate)
    }
}

/// Badness of fit of schemas to a package. An object of a class that they lack says little; one that does not end where its class
/// says that it should is no object of that class.
fn misfit(scope: &Scope<'_>) -> usize {
    let of = |problem: &Problem| match problem.cause {
        ReadCause::NoSchema(_) => 1,
        _ => MISFIT,
    };
    let exports = scope.package.exports.iter();
    exports.filter_map(|export| Object::read(scope, export).problem.as_ref().map(of)).sum()
}
