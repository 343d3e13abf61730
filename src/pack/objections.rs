//! Collected objections of a job.

use super::options::PackOptions;
use crate::error::{Error, Result};
use crate::objection::{Finding, Objection, ObjectionKind, ProjectFile};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::Path;

/// Objections, one of each kind, with the number of affected files.
#[derive(Debug, Default)]
pub(super) struct Objections(BTreeMap<(ObjectionKind, Option<ProjectFile>), Finding>);

impl Objections {
    /// Adds an objection to a file. Only the first of each kind is kept; the others are counted.
    pub(super) fn add(&mut self, objection: Objection, path: &Path) {
        self.add_all(Finding::new(objection, path));
    }

    fn add_all(&mut self, new: Finding) {
        // Different project files need different actions, so each kind of file is listed separately.
        let file = match new.objection {
            Objection::ProjectFile(file) | Objection::ProjectFileLeftOut(file) => Some(file),
            _ => None,
        };
        match self.0.entry((new.objection.kind(), file)) {
            Entry::Occupied(mut known) => known.get_mut().count += new.count,
            Entry::Vacant(place) => drop(place.insert(new)),
        }
    }

    /// Takes over the objections of another collection.
    pub(super) fn append(&mut self, others: Self) {
        others.0.into_values().for_each(|finding| self.add_all(finding));
    }

    /// Fails if there are reasons not to pack. If the options force it, they become warnings, except that a
    /// file already exists.
    pub(super) fn settle(mut self, options: &PackOptions) -> Result<Vec<Finding>> {
        // The caller asked for the replacement of existing files.
        if options.replace {
            self.0.retain(|(kind, _), _| *kind != ObjectionKind::Exists);
        }
        let (mut reasons, warnings) = self.findings();
        // Who accepts a faulty mod has not thereby given up the file that is in its place.
        let exists = reasons.iter().any(|reason| reason.objection.kind() == ObjectionKind::Exists);
        if exists || !reasons.is_empty() && !options.force {
            return Err(Error::Refused { reasons });
        }
        reasons.extend(warnings);
        Ok(reasons)
    }

    /// Returns the reasons not to pack, and the warnings.
    pub(super) fn findings(self) -> (Vec<Finding>, Vec<Finding>) {
        self.0.into_values().partition(|finding| !finding.objection.is_warning())
    }
}
