//! Rebuilds packages from changed objects, and reads them again.

use crate::error::{ChangeProblem, Error, ReadBackProblem, Result};
use crate::package::rebuild::{Changes, LegacyFiles, rebuild_legacy, rebuild_zen};
use crate::property::edit::{Names, check_again};
use crate::property::json::Tree;
use crate::property::{Object, Scope};
use crate::values::loaded::Loaded;
use crate::values::raw_package::{RawPackage, ZenPackage};
use crate::wire::Writer;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The name table that the exports' data refers to.
pub(super) fn names(raw: &RawPackage, loaded: &Loaded) -> Result<Names> {
    match raw {
        RawPackage::Zen(zen) => {
            let header = zen.header(&loaded.path)?;
            // Only the names referenced by export data count; the converted package records their number.
            let referenced = loaded.package.summary.names_referenced;
            let known = referenced.map_or(usize::MAX, |count| count.unsigned_abs() as usize);
            Ok(Names::new(header.names.iter(), known))
        }
        RawPackage::Legacy(..) => {
            // A legacy package refers to its whole table.
            Ok(Names::new(loaded.package.names.iter().map(|name| name.text.as_str()), usize::MAX))
        }
    }
}

/// The new data of all changed exports.
pub(super) fn of_exports(
    scope: &Scope<'_>,
    objects: &BTreeMap<usize, Object>,
    names: &Names,
    loaded: &Loaded,
) -> Result<Changes> {
    let mut exports = BTreeMap::new();
    for (at, object) in objects {
        let Some(export) = scope.package.exports.get(*at) else { continue };
        let mut w = Writer::new();
        object.write(&mut w).map_err(|fault| refused(fault, loaded))?;
        let data = w.into_bytes();
        // A value set to an equal one gives the same bytes; leave such exports alone.
        if scope.bytes(export) != Some(&data) {
            exports.insert(*at, data);
        }
    }
    Ok(Changes { names: names.added().to_vec(), names_used: names.used(), exports, ..Changes::default() })
}

pub(super) fn rebuild(raw: RawPackage, loaded: &Loaded, changes: &Changes) -> Result<RawPackage> {
    match raw {
        RawPackage::Zen(zen) => {
            let chunk = rebuild_zen(zen.header(&loaded.path)?, &zen.chunk, changes);
            let chunk = chunk.map_err(|error| refused(error, loaded))?;
            let mut rebuilt = ZenPackage::new(chunk, zen.container);
            rebuilt.imported = zen.imported;
            Ok(RawPackage::Zen(rebuilt))
        }
        RawPackage::Legacy(header, exports) => {
            let files = LegacyFiles { header: Cow::Owned(header), exports: exports.map(Cow::Owned) };
            let files = rebuild_legacy(&loaded.package, &files, changes);
            let files = files.map_err(|error| refused(error, loaded))?;
            Ok(RawPackage::Legacy(files.header.into_owned(), files.exports.map(Cow::into_owned)))
        }
    }
}

/// A package before and after a change.
pub(super) struct ReadBack<'c, 'a, 'b> {
    pub before: &'c Scope<'a>,
    pub after: &'c Scope<'b>,
    pub loaded: &'c Loaded,
}

impl ReadBack<'_, '_, '_> {
    /// Checks that the written values read back equal. This catches values of a wrong type.
    pub(super) fn check(
        &self,
        objects: &BTreeMap<usize, Object>,
        exports: impl Iterator<Item = usize>,
        by_value: bool,
    ) -> Result<()> {
        let tree = Tree::new(self.after);
        for at in exports {
            let pair = self.before.package.exports.get(at).zip(self.after.package.exports.get(at));
            let Some(((before, after), wanted)) = pair.zip(objects.get(&at)) else { continue };
            let (before, found) = (Object::read(self.before, before), Object::read(self.after, after));
            // A document may name values in several equal forms, so only single values are compared as text.
            let same = !by_value || tree.export_text(at, &found) == tree.export_text(at, wanted);
            let sound = check_again(&before, &found).map_err(ReadBackProblem::from);
            let sound = sound.and(if same { Ok(()) } else { Err(ReadBackProblem::Values) });
            let object = || self.after.package.text(after.name).to_string();
            sound.map_err(|source| {
                refused(ChangeProblem::ReadBack { object: object(), source }, self.loaded)
            })?;
        }
        Ok(())
    }
}

pub(super) fn refused(problem: impl Into<ChangeProblem>, loaded: &Loaded) -> Error {
    Error::CannotChange { problem: Box::new(problem.into()), path: loaded.path.clone() }
}
