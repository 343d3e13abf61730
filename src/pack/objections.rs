//! Objections of a job, together.

use super::options::PackOptions;
use crate::error::{Error, Result};
use crate::objection::{Finding, Objection, ObjectionKind, ProjectFile};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::Path;

/// All objections, one of each kind, with the number of files that they are about.
#[derive(Debug, Default)]
pub(super) struct Objections(BTreeMap<(ObjectionKind, Option<ProjectFile>), Finding>);

impl Objections {
    /// Objects to a file. Faults are many; the first stands for all.
    pub(super) fn add(&mut self, objection: Objection, path: &Path) {
        self.add_all(Finding::new(objection, path));
    }

    fn add_all(&mut self, new: Finding) {
        let file = match new.objection {
            Objection::ProjectFile(file) | Objection::ProjectFileLeftOut(file) => Some(file),
            _ => None,
        };
        match self.0.entry((new.objection.kind(), file)) {
            Entry::Occupied(mut known) => known.get_mut().count += new.count,
            Entry::Vacant(place) => drop(place.insert(new)),
        }
    }

    /// Takes over those of others.
    pub(super) fn append(&mut self, others: Self) {
        others.0.into_values().for_each(|finding| self.add_all(finding));
    }

    /// An error if there are reasons not to pack; where these are to be packed all the same, they are warnings, too.
    pub(super) fn settle(mut self, options: &PackOptions) -> Result<Vec<Finding>> {
        if options.replaces() {
            self.0.retain(|(kind, _), _| *kind != ObjectionKind::Exists);
        }
        let (mut reasons, warnings) = self.findings();
        if !reasons.is_empty() && !options.force {
            return Err(Error::Refused { reasons });
        }
        reasons.extend(warnings);
        Ok(reasons)
    }

    /// The reasons not to pack, and the warnings.
    pub(super) fn findings(self) -> (Vec<Finding>, Vec<Finding>) {
        self.0.into_values().partition(|finding| !finding.objection.is_warning())
    }
}
