//! The game's mappings as evidence of its release, and the choice of built-in schemas where there are no mappings.
//!
//! Several releases may have written a package whose header looks the same for all of them. Their classes differ, so the
//! schemas that fit the objects of some packages best tell which it was.

use super::engine_schemas::EngineSchemas;
use super::library::Library;
use super::loaded::Loaded;
use crate::package::convert::{Clue, Evidence, How, is_settled};
use crate::package::zen::Header;
use crate::property::{Object, Problem, ReadCause, Scope, release_of_classes};
use crate::version::{Release, Releases};
use std::sync::PoisonError;

/// Packages that are read to choose among releases, and the longest one, in bytes.
const SAMPLE: (usize, u64) = (32, 1 << 20);

/// Weight of an object that does not fit its class, against one whose class is missing.
const MISFIT: usize = 4;

impl Library {
    /// Clues about the release of a zen package: no more than needed.
    pub(super) fn clues(&self, header: &Header, container: Option<usize>) -> Vec<Clue> {
        let mut clues = self.world().clues(header, container);
        if !is_settled(header, Evidence { clues: &clues }) {
            clues.extend(self.clue_of_mappings());
        }
        clues
    }

    /// The clue in the mappings. It comes after all others: they may be those of another release, which fit most objects, too.
    pub(super) fn clue_of_mappings(&self) -> Option<Clue> {
        let release = || release_of_classes(self.mappings.as_ref()?);
        let release = (*self.release_of_mappings.get_or_init(release))?;
        Some(Clue { how: How::Mappings, releases: Releases::between(release.name, release.name) })
    }

    /// The built-in schemas for a package; `None` if it needs none, if there are mappings, or if there are none of its release.
    pub(crate) fn engine_schemas(&self, loaded: &Loaded) -> Option<EngineSchemas> {
        if self.mappings.is_some() || !loaded.package.form.unversioned_properties {
            return None;
        }
        let left = loaded.left;
        let known = || self.choices.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(chosen) = known().get(&left) {
            return *chosen;
        }
        // Not chosen under the lock, since other packages are read for it. Of two threads, the first one's choice counts.
        let chosen = self.choose(loaded);
        *known().entry(left).or_insert(chosen)
    }

    /// The release of the built-in schemas that were used; the newest, if there are several.
    pub(crate) fn engine_classes(&self) -> Option<&'static Release> {
        let known = self.choices.0.lock().unwrap_or_else(PoisonError::into_inner);
        let used: Vec<&Release> = known.values().flatten().map(|engine| engine.release).collect();
        Release::all().rev().find(|release| used.contains(release))
    }

    fn choose(&self, loaded: &Loaded) -> Option<EngineSchemas> {
        let candidates: Vec<EngineSchemas> = EngineSchemas::among(loaded.left).collect();
        if candidates.len() < 2 {
            return candidates.first().copied();
        }
        let mut misfits = vec![0_usize; candidates.len()];
        let mut count = |loaded: &Loaded| {
            for (misfits, candidate) in misfits.iter_mut().zip(&candidates) {
                *misfits += misfit(&loaded.scope().with_mappings(Some(candidate.schemas)));
            }
        };
        let mut is_counted = false;
        let (most, longest) = SAMPLE;
        // Every n-th package: neighbours are often of one class.
        let items = self.inputs.items();
        let step = items.len().div_ceil(most).max(1);
        for item in items.iter().step_by(step).filter(|item| item.len <= longest) {
            if let Ok(other) = self.load(item)
                && other.left == loaded.left
            {
                count(&other);
                is_counted = true;
            }
        }
        // Only if nothing else tells: which package comes first depends on the threads.
        if !is_counted {
            count(loaded);
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
