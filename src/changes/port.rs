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
    /// Its likely path in the new build: that of the only new value beside it that is what it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub maybe_renamed: Option<String>,
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
        Self { path, place: String::new(), reason, value: None, new_value: None, maybe_renamed: None }
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
    /// The property in the new build, if it was renamed.
    pub renamed: Option<String>,
    /// Its likely path in the new build.
    pub maybe_renamed: Option<String>,
}

impl PortedValue {
    /// The value that a mod changes in a row; `None` if the row is not one of a value, or the mod leaves it alone.
    pub(crate) fn of(row: &SharedChange, mod_at: usize) -> Option<Self> {
        let own = row.to.iter().find(|to| to.mod_at == mod_at)?;
        let property = row.property.clone().filter(|_| row.part == ChangedPart::Value)?;
        let is_single = own.change == ValueChange::Changed;
        let text = own.value.as_ref().filter(|_| is_single).map(|value| value.text.clone());
        let (object, from) = (row.object.clone(), row.from.clone());
        Some(Self { object, property, text, from, renamed: None, maybe_renamed: None })
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
            let renamed = value.renamed.as_deref().map(|renamed| first_step(renamed).to_owned());
            PortedValue { property, text: None, from: None, renamed, ..value }
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
    renames: &Renames,
) -> (Vec<PortedValue>, Vec<PortedDoubt>) {
    let mut doubts = Vec::new();
    if of_mod.cut || update.cut {
        doubts.push(PortedDoubt::of_whole(path.to_owned(), PortReason::TooMany));
    }
    let names = NewNames::new(&update);
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
            maybe_renamed: None,
        };
        // The new build has it already. Of an object that both add, only the name is known to be the same.
        let is_new_object = row.part == ChangedPart::Object && own.change == ValueChange::Added;
        if row.verdict == Verdict::Same && !is_new_object {
            continue;
        }
        let Some(mut value) = PortedValue::of(&row, MOD) else {
            doubts.push(doubt(PortReason::NotAValue));
            continue;
        };
        value.renamed = renames.of(&value.property);
        if let Some(renamed) = &value.renamed {
            let now = names.values.get(&key(&value.object, renamed));
            if now.is_some() && now != row.from.as_ref() {
                doubts.push(PortedDoubt { new_value: now.cloned(), ..doubt(PortReason::ChangedByBoth) });
            }
            values.push(value);
            continue;
        }
        value.maybe_renamed = names.likely(&value);
        if row.verdict == Verdict::Conflict {
            doubts.push(doubt(PortReason::ChangedByBoth));
        }
        values.push(value);
    }
    (values_to_set(values.into_iter()), doubts)
}

/// Properties that the new build calls by other names.
#[derive(Debug, Clone, Default)]
pub(crate) struct Renames(pub Vec<[String; 2]>);

impl Renames {
    /// The path of a property in the new build; `None` if it is the same.
    fn of(&self, property: &str) -> Option<String> {
        let mut is_renamed = false;
        let new: Vec<String> = steps(property)
            .map(|step| {
                let name = step.split('[').next().unwrap_or(step);
                let new = self.0.iter().find(|[old, _]| old.eq_ignore_ascii_case(name));
                is_renamed |= new.is_some();
                new.map_or_else(|| step.to_owned(), |[_, new]| format!("{new}{}", &step[name.len()..]))
            })
            .collect();
        is_renamed.then(|| new.join("."))
    }
}

/// Values that only the new build has, and those that only the old one had.
struct NewNames {
    values: Values,
    gone: Values,
}

/// Values by object and property.
type Values = BTreeMap<(String, String), ShownValue>;

impl NewNames {
    fn new(update: &PackageChanges) -> Self {
        let (mut values, mut gone) = (Values::new(), Values::new());
        for row in &update.values {
            let Some(property) = row.property.as_deref() else { continue };
            let key = key(&row.export, property);
            match row.change {
                ValueChange::Added => values.extend(row.to.clone().map(|shown| (key, shown))),
                ValueChange::Removed => gone.extend(row.from.clone().map(|shown| (key, shown))),
                ValueChange::Changed => {}
            }
        }
        Self { values, gone }
    }

    /// The only new value beside a value that is gone, and that is what that one was.
    fn likely(&self, value: &PortedValue) -> Option<String> {
        let own = key(&value.object, &value.property);
        let was = self.gone.get(&own)?;
        let beside = |of: &Values| {
            let of_object =
                of.range((own.0.clone(), String::new())..).take_while(|(place, _)| place.0 == own.0);
            let alike = of_object.filter(|(place, shown)| outer(&place.1) == outer(&own.1) && *shown == was);
            alike.map(|((_, property), _)| property.clone()).collect::<Vec<_>>()
        };
        match (beside(&self.gone).as_slice(), beside(&self.values).as_slice()) {
            ([_], [new]) => Some(new.clone()),
            _ => None,
        }
    }
}

fn key(object: &str, property: &str) -> (String, String) {
    (object.to_lowercase(), property.to_owned())
}

/// The property that a property lies in.
fn outer(property: &str) -> &str {
    let last = steps(property).last().map_or(0, str::len);
    property.get(..property.len() - last).unwrap_or_default()
}

/// Steps of a path, between dots that are not in keys.
fn steps(property: &str) -> impl Iterator<Item = &str> {
    let (mut is_quoted, mut depth) = (false, 0_usize);
    property.split(move |letter: char| {
        match letter {
            '"' => is_quoted = !is_quoted,
            '[' if !is_quoted => depth += 1,
            ']' if !is_quoted => depth = depth.saturating_sub(1),
            '.' => return !is_quoted && depth == 0,
            _ => {}
        }
        false
    })
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
        let (_, doubts) = split("/Game/Sword", added(), added(), &Renames::default());
        assert_eq!(doubts[0].reason, PortReason::NotAValue, "an object that both add may have other values");
        let (_, doubts) =
            split("/Game/Sword", PackageChanges { cut: true, ..added() }, changes(&[]), &Renames::default());
        assert_eq!(doubts[0].reason, PortReason::TooMany);
        assert!(doubts[0].reason.is_loss());
    }

    #[test]
    fn values_of_the_mod_go_over_those_of_the_build_and_are_told() {
        use ValueChange::{Added, Changed};
        let of_mod = changes(&[("Damage", Changed, "12"), ("Cost", Changed, "1"), ("List[3]", Added, "4")]);
        let update = changes(&[("Damage", Changed, "11"), ("Cost", Changed, "1"), ("Range", Changed, "9")]);
        let (values, doubts) = split("/Game/Sword", of_mod, update, &Renames::default());
        let shown: Vec<(&str, Option<&str>)> =
            values.iter().map(|value| (&*value.property, value.text.as_deref())).collect();
        assert_eq!(shown, [("Damage", Some("12")), ("List", None)]);
        assert_eq!((doubts.len(), doubts[0].reason), (1, PortReason::ChangedByBoth));
        assert_eq!(doubts[0].new_value.as_ref().map(|value| &*value.text), Some("11"));
    }

    /// A value of the update that is gone, or new.
    fn renamed(property: &str, change: ValueChange, text: &str) -> ValueDifference {
        let value = Some(ShownValue::word(text.to_owned()));
        let (from, to) = if change == ValueChange::Added { (None, value) } else { (value, None) };
        ValueDifference { export: "Sword".to_owned(), property: Some(property.to_owned()), change, from, to }
    }

    #[test]
    fn a_renamed_property_is_told_and_taken_on_request() {
        use ValueChange::{Added, Changed, Removed};
        let of_mod = || changes(&[("Stats[\"a.b\"].Damage", Changed, "12"), ("Speed", Changed, "2")]);
        let update = || PackageChanges {
            values: vec![
                renamed("Stats[\"a.b\"].Damage", Removed, "10"),
                renamed("Stats[\"a.b\"].Power", Added, "10"),
                renamed("Damage", Added, "10"),
                renamed("Speed", Removed, "1"),
                renamed("Pace", Added, "1"),
                renamed("Size", Added, "1"),
            ],
            ..PackageChanges::default()
        };
        let (values, _) = split("/Game/Sword", of_mod(), update(), &Renames::default());
        let likely: Vec<Option<&str>> = values.iter().map(|value| value.maybe_renamed.as_deref()).collect();
        // Two new values are what the speed was.
        assert_eq!(likely, [None, Some("Stats[\"a.b\"].Power")]);

        let renames = Renames(vec![["damage".to_owned(), "Power".to_owned()]]);
        let (values, _) = split("/Game/Sword", of_mod(), update(), &renames);
        let places: Vec<Option<&str>> = values.iter().map(|value| value.renamed.as_deref()).collect();
        assert_eq!(places, [None, Some("Stats[\"a.b\"].Power")]);
    }
}
