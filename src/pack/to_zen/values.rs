//! Checks of export data: properties that the game's classes lack, and names that a container drops.

use super::game::BaseGame;
use super::input::Asset;
use super::made::{Converter, Cooked};
use super::origin::CookedFile;
use super::plan::Verdict;
use crate::error::Result;
use crate::objection::Objection;
use crate::package::legacy::{Export, Package};
use crate::property::{Object, Scope};
use crate::wire::FaultKind;

/// Limit for export data that is checked, in bytes. Anything longer consists of bulk data.
const MAX_LEN: u64 = 32 << 20;

impl Verdict {
    /// Reads the values of a package, if they have tags or the game's classes are known.
    pub(super) fn object_to_values(
        &mut self,
        cooked: &Cooked,
        asset: &Asset,
        exports: &CookedFile,
        converter: &Converter,
    ) -> Result<()> {
        let package = &cooked.package;
        let is_unversioned = package.form.unversioned_properties;
        let schemas = converter.game.as_deref().and_then(BaseGame::schemas).filter(|_| is_unversioned);
        let limit = MAX_LEN.min(converter.limit);
        // Unversioned values can only be read with the classes that they were saved with.
        if (is_unversioned && schemas.is_none()) || exports.len > limit {
            return Ok(());
        }
        let data = exports.read(limit)?;
        let data_at = package.header_len();
        let scope = || Scope::new(package, &data, data_at, Some(converter.release)).with_mappings(schemas);
        let (all, counted) = (scope(), names_counted(package));
        // Read as the game will: with the names that a container keeps.
        let kept = scope().with_name_count(counted);
        let mut found = package.exports.iter().filter_map(|export| objection(package, export, &kept, &all));
        if let Some(objection) = found.next() {
            self.object(objection, &asset.header);
        }
        Ok(())
    }
}

/// Returns the number of names that a container keeps for export data.
fn names_counted(package: &Package) -> usize {
    let counted = package.summary.names_referenced.and_then(|count| usize::try_from(count).ok());
    counted.unwrap_or(package.names.len())
}

/// Returns the fault of an export. `kept` has the names that a container keeps, `all` has the cooker's.
fn objection(package: &Package, export: &Export, kept: &Scope<'_>, all: &Scope<'_>) -> Option<Objection> {
    /// Field that the property reader reports for a member that a class does not have.
    const NO_MEMBER: &str = "member of an unversioned list";
    let fault = Object::read(kept, export).problem?.fault;
    let class = || package.class_path(export);
    if fault.field == NO_MEMBER {
        return Some(Objection::OtherSchema { class: class(), fault: fault.kind });
    }
    let FaultKind::OutOfRange { index, count } = fault.kind else { return None };
    // If all of the cooker's names do not help either, the names are not the fault.
    let is_lost = Object::read(all, export).has_all_properties();
    is_lost.then(|| Objection::NamesUncounted { class: class(), index, counted: count })
}
