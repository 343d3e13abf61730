//! Changes of a mod, for another build of its game.

use super::conflict::{ChangedPart, PackageChanges, SharedChange, Verdict, judge};
use super::merge::first_step;
use crate::values::{ShownValue, ValueChange};
use serde::Serialize;
use std::collections::BTreeMap;

/// Position of the mod, and of the new build, among the sides that are held against each other.
const MOD: usize = 0;
const BUILD: usize = 1;

/// A change that did not come along, or came along over one of the new build.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PortedDoubt {
    /// The package or file.
    pub path: String,
    /// The object and property, or function; empty for the whole package.
    pub place: String,
    /// The reason.
    pub reason: PortReason,
    /// Value in the mod.
    pub value: Option<ShownValue>,
    /// Value in the new build, where it changed it.
    pub new_value: Option<ShownValue>,
}

/// A reason to doubt a ported change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PortReason {
    /// The new build does not have the package.
    PackageGone,
    /// The new build does not have the object or value, or has it with another type.
    Gone,
    /// It is a function, an object or data, which cannot be put into the new package.
    NotAValue,
    /// The mod or the new build changes more values than can be listed.
    TooMany,
    /// The new build changed it, too: the mod's value is kept.
    ChangedByBoth,
}

impl PortedDoubt {
    /// A doubt about a whole package or file.
    pub(crate) const fn of_whole(path: String, reason: PortReason) -> Self {
        Self { path, place: String::new(), reason, value: None, new_value: None }
    }
}

impl PortReason {
    /// True if the change is not in the ported mod.
    #[must_use]
    pub const fn is_loss(self) -> bool {
        !matches!(self, Self::ChangedByBoth)
    }
}

/// A value to set in a package of the new build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PortedValue {
    pub object: String,
    pub property: String,
    /// Text of a single value; `None` if the whole property is taken from the mod.
    pub text: Option<String>,
    /// Value in the old build, where a single one is set.
    pub from: Option<ShownValue>,
}

impl PortedValue {
    /// The value that a mod changes in a row; `None` if the row is not one of a value, or the mod leaves it alone.
    pub(crate) fn of(row: &SharedChange, mod_at: usize) -> Option<Self> {
        let own = row.to.iter().find(|to| to.mod_at == mod_at)?;
        let property = row.property.clone().filter(|_| row.part == ChangedPart::Value)?;
        let is_single = own.change == ValueChange::Changed;
        let text = own.value.as_ref().filter(|_| is_single).map(|value| value.text.clone());
        Some(Self { object: row.object.clone(), property, text, from: row.from.clone() })
    }
}

/// Puts values of one property together: they are set one by one, or, if an element comes or goes, as a whole.
pub(crate) fn values_to_set(values: impl Iterator<Item = PortedValue>) -> Vec<PortedValue> {
    let mut by_property: BTreeMap<(String, String), Vec<PortedValue>> = BTreeMap::new();
    for value in values {
        let key = (value.object.to_lowercase(), first_step(&value.property).to_lowercase());
        by_property.entry(key).or_default().push(value);
    }
    let settle = |values: Vec<PortedValue>| {
        if values.iter().all(|value| value.text.is_some()) {
            return values;
        }
        let first = values.into_iter().next();
        let whole = first.map(|value| {
            let property = first_step(&value.property).to_owned();
            PortedValue { property, text: None, from: None, ..value }
        });
        whole.into_iter().collect()
    };
    by_property.into_values().flat_map(settle).collect()
}

/// Splits the changes of a mod to a package into those that can be set in a new build, and doubts. `update` are the changes
/// of the new build.
pub(crate) fn split(
    path: &str,
    of_mod: PackageChanges,
    update: PackageChanges,
) -> (Vec<PortedValue>, Vec<PortedDoubt>) {
    let mut doubts = Vec::new();
    if of_mod.cut || update.cut {
        doubts.push(PortedDoubt::of_whole(path.to_owned(), PortReason::TooMany));
    }
    let (_, rows) = judge(&[(MOD, of_mod), (BUILD, update)], &[]);
    let mut values = Vec::new();
    for row in rows {
        let Some(own) = row.to.iter().find(|to| to.mod_at == MOD).cloned() else { continue };
        let of_build = row.to.iter().find(|to| to.mod_at == BUILD).and_then(|to| to.value.clone());
        let doubt = |reason| PortedDoubt {
            path: path.to_owned(),
            place: place(&row),
            reason,
            value: own.value.clone(),
            new_value: of_build.clone(),
        };
        // The new build has it already. Of an object that both add, only the name is known to be the same.
        let is_new_object = row.part == ChangedPart::Object && own.change == ValueChange::Added;
        if row.verdict == Verdict::Same && !is_new_object {
            continue;
        }
        let Some(value) = PortedValue::of(&row, MOD) else {
            doubts.push(doubt(PortReason::NotAValue));
            continue;
        };
        if row.verdict == Verdict::Conflict {
            doubts.push(doubt(PortReason::ChangedByBoth));
        }
        values.push(value);
    }
    (values_to_set(values.into_iter()), doubts)
}

fn place(row: &SharedChange) -> String {
    match &row.property {
        Some(property) => format!("{}.{property}", row.object),
        None => row.object.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::ValueDifference;

    fn changes(values: &[(&str, ValueChange, &str)]) -> PackageChanges {
        let value = |(property, change, to): &(&str, ValueChange, &str)| ValueDifference {
            export: "Sword".to_owned(),
            property: Some((*property).to_owned()),
            change: *change,
            from: None,
            to: Some(ShownValue::word((*to).to_owned())),
        };
        PackageChanges { values: values.iter().map(value).collect(), ..PackageChanges::default() }
    }

    #[test]
    fn what_cannot_be_compared_is_told() {
        let added = || {
            let mut changes = changes(&[("X", ValueChange::Added, "1")]);
            changes.values[0].property = None;
            changes
        };
        let (_, doubts) = split("/Game/Sword", added(), added());
        assert_eq!(doubts[0].reason, PortReason::NotAValue, "an object that both add may have other values");
        let (_, doubts) = split("/Game/Sword", PackageChanges { cut: true, ..added() }, changes(&[]));
        assert_eq!(doubts[0].reason, PortReason::TooMany);
        assert!(doubts[0].reason.is_loss());
    }

    #[test]
    fn values_of_the_mod_go_over_those_of_the_build_and_are_told() {
        use ValueChange::{Added, Changed};
        let of_mod = changes(&[("Damage", Changed, "12"), ("Cost", Changed, "1"), ("List[3]", Added, "4")]);
        let update = changes(&[("Damage", Changed, "11"), ("Cost", Changed, "1"), ("Range", Changed, "9")]);
        let (values, doubts) = split("/Game/Sword", of_mod, update);
        let shown: Vec<(&str, Option<&str>)> =
            values.iter().map(|value| (&*value.property, value.text.as_deref())).collect();
        assert_eq!(shown, [("Damage", Some("12")), ("List", None)]);
        assert_eq!((doubts.len(), doubts[0].reason), (1, PortReason::ChangedByBoth));
        assert_eq!(doubts[0].new_value.as_ref().map(|value| &*value.text), Some("11"));
    }
}
