//! What the data of a package shows: properties that the classes of the game do not have, and names that get lost.

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

/// Bytes of export data that are read for the sake of checks. What is longer consists of bulk data.
const MAX_LEN: u64 = 32 << 20;

impl Verdict {
    /// Reads the values of a package, if they have tags or the classes of the game are known.
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
        if (is_unversioned && schemas.is_none()) || exports.len > limit {
            return Ok(());
        }
        let data = exports.read(limit)?;
        let data_at = package.header_len();
        let scope = || Scope::new(package, &data, data_at, Some(converter.release)).with_mappings(schemas);
        let (all, counted) = (scope(), names_counted(package));
        let kept = scope().with_name_count(counted);
        let mut found = package.exports.iter().filter_map(|export| objection(package, export, &kept, &all));
        if let Some(objection) = found.next() {
            self.object(objection, &asset.header);
        }
        Ok(())
    }
}

/// How many names a container keeps for the data.
fn names_counted(package: &Package) -> usize {
    let counted = package.summary.names_referenced.and_then(|count| usize::try_from(count).ok());
    counted.unwrap_or(package.names.len())
}

/// What is wrong with an export. `kept` has the names that a container keeps for it, `all` has those of the cooker.
fn objection(package: &Package, export: &Export, kept: &Scope<'_>, all: &Scope<'_>) -> Option<Objection> {
    /// What the reader of properties says about a place that a class does not have.
    const NO_MEMBER: &str = "member of an unversioned list";
    let fault = Object::read(kept, export).problem?.fault;
    let class = || package.class_path(export);
    if fault.field == NO_MEMBER {
        return Some(Objection::OtherSchema { class: class(), fault: fault.kind });
    }
    let FaultKind::OutOfRange { index, count } = fault.kind else { return None };
    // Where the other names are no help either, they are not what is wrong.
    let is_lost = Object::read(all, export).has_all_properties();
    is_lost.then(|| Objection::NamesUncounted { class: class(), index, counted: count })
}
