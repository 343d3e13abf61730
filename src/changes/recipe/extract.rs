//! Changes of a mod, as those of a recipe.

use crate::changes::conflict::{ChangedPart, PackageChanges, SharedChange, judge};
use crate::changes::port::{PortedValue, values_to_set};
use crate::values::ValueChange;

/// Changes to a package that a recipe can name.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct NamedChanges {
    pub values: Vec<PortedValue>,
    /// Paths of functions.
    pub functions: Vec<String>,
    /// Paths of objects with other data, such as pixels.
    pub data: Vec<String>,
}

/// The changes of a mod to a package; `None` if there are more than can be compared, or if objects come or go.
pub(crate) fn changes_of(changes: PackageChanges) -> Option<NamedChanges> {
    if changes.cut {
        return None;
    }
    let functions = changes.functions_in_bytes();
    let (_, rows) = judge(&[(0, changes)], &[]);
    let mut named = NamedChanges::default();
    let mut values: Vec<SharedChange> = Vec::new();
    for row in rows {
        match row.part {
            ChangedPart::Function if is_changed(&row) => {}
            ChangedPart::Object | ChangedPart::Function | ChangedPart::Text => return None,
            ChangedPart::Data => named.data.push(row.object),
            ChangedPart::Value => values.push(row),
        }
    }
    named.functions.extend(functions);
    named.values = values_to_set(values.into_iter().filter_map(|row| PortedValue::of(&row, 0)));
    (named != NamedChanges::default()).then_some(named)
}

/// True if both sides have it: a recipe cannot add a function.
fn is_changed(row: &SharedChange) -> bool {
    row.to.iter().all(|to| to.change == ValueChange::Changed)
}
