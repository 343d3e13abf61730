//! A plan for one mod out of several: which mod each package is taken from, and what it takes from the others.

use super::conflict::{ChangedPart, ModChange, SharedChange, SharedItem, Verdict};
use super::texts::{MergedTexts, TakenText};
use crate::values::ValueChange;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// A package of a merged mod that is put together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MergedPackage {
    /// Its name.
    pub path: String,
    /// The mod whose package it is at first.
    pub base: usize,
    /// Values that it takes from others.
    pub takes: Vec<TakenValue>,
    /// Functions that it takes from others: the mod, and the paths as they are told.
    pub functions: Vec<(usize, String)>,
    /// Every value that it has to have in the end.
    pub expected: Vec<ExpectedValue>,
}

/// A value that a package takes from another mod.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TakenValue {
    pub mod_at: usize,
    /// Path of the object in the package.
    pub object: String,
    /// Path of the property or row, or of a single value in it.
    pub property: String,
    /// True if all of it is taken, as far as that can be set.
    pub is_whole: bool,
    /// Its values, each with its text; `None` if some come or go.
    pub values: Option<Vec<(String, String)>>,
}

/// A value of a merged package; `None` if it is removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ExpectedValue {
    pub object: String,
    pub property: String,
    pub text: Option<String>,
}

/// A plan for one mod out of several.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct MergePlan {
    /// Packages that are put together.
    pub packages: Vec<MergedPackage>,
    /// Localization files that are put together.
    pub texts: Vec<MergedTexts>,
    /// Packages and files that are taken from another mod than the one that wins, by their paths in lower case.
    pub moved: Vec<(String, usize)>,
    /// Packages and files that cannot be merged.
    pub unmerged: Vec<Unmerged>,
}

/// A package or file that cannot be merged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unmerged {
    /// The package or file.
    pub path: String,
    /// The reason.
    pub reason: UnmergedReason,
    /// Objects with their properties, and functions.
    pub places: Vec<String>,
}

/// A reason that something cannot be merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum UnmergedReason {
    /// Several mods change one value in different ways.
    Conflict,
    /// Several mods change one list, or one property by adding to it or removing from it.
    SameProperty,
    /// Another mod than the one that it is taken from changes objects or data, or adds or removes functions.
    NotValues,
    /// Several mods change the code of one function, such as the one for all events.
    SameFunction,
    /// There are more changes than can be listed.
    TooMany,
}

/// Plans a mod out of several. `ranks` are the mods by precedence, the one that wins last; what the mod `prefer` has wins
/// over others wherever they cannot be merged.
pub(crate) fn plan(items: &[SharedItem], ranks: &[usize], prefer: Option<usize>) -> MergePlan {
    let mut plan = MergePlan::default();
    for item in items.iter().filter(|item| item.verdict != Verdict::Same) {
        let winner = ranks.iter().rev().find(|at| item.mods.contains(at)).copied().unwrap_or_default();
        let base = base(item, winner, prefer);
        let mut merging = Merging {
            base,
            prefer,
            takes: Vec::new(),
            texts: Vec::new(),
            functions: Vec::new(),
            open: BTreeMap::new(),
        };
        if item.cut {
            merging.open.entry(UnmergedReason::TooMany).or_default();
        }
        item.changes.iter().for_each(|change| merging.row(change));
        merging.whole_properties(&item.changes);
        let Merging { takes, texts, functions, open, .. } = merging;
        if !texts.is_empty() {
            plan.texts.push(MergedTexts { path: item.path.clone(), base, takes: texts });
        }
        let found = open.into_iter();
        let unmerged = found.map(|(reason, places)| Unmerged { path: item.path.clone(), reason, places });
        plan.unmerged.extend(unmerged);
        if base != winner {
            plan.moved.push((item.path.to_lowercase(), base));
        }
        if !(takes.is_empty() && functions.is_empty()) {
            let expected = expected(&item.changes, base, &takes);
            plan.packages.push(MergedPackage { path: item.path.clone(), base, takes, functions, expected });
        }
    }
    plan
}

/// The mod that a package is taken from: the one that changes more in it than values, which cannot be put into the
/// package of another, or the one that wins.
fn base(item: &SharedItem, winner: usize, prefer: Option<usize>) -> usize {
    if let Some(preferred) = prefer.filter(|at| item.mods.contains(at)) {
        return preferred;
    }
    let mods = |is_hard: fn(ChangedPart) -> bool| -> BTreeSet<usize> {
        let rows = item.changes.iter().filter(|row| is_hard(row.part) && row.verdict != Verdict::Same);
        rows.flat_map(|row| &row.to).map(|to| to.mod_at).collect()
    };
    let whole = mods(|part| matches!(part, ChangedPart::Object | ChangedPart::Data));
    // Functions can be put into another package, but need not be.
    let all = if whole.is_empty() { mods(|part| part == ChangedPart::Function) } else { whole };
    match (all.first(), all.len()) {
        (Some(only), 1) => *only,
        _ => winner,
    }
}

/// A package or file that is merged.
struct Merging {
    base: usize,
    prefer: Option<usize>,
    takes: Vec<TakenValue>,
    texts: Vec<TakenText>,
    functions: Vec<(usize, String)>,
    open: BTreeMap<UnmergedReason, Vec<String>>,
}

impl Merging {
    fn refuse(&mut self, reason: UnmergedReason, change: &SharedChange) {
        self.open.entry(reason).or_default().push(change.place());
    }

    fn row(&mut self, change: &SharedChange) {
        let is_of_base = change.to.iter().any(|to| to.mod_at == self.base);
        match change.verdict {
            // The mod that it is taken from has it, or is the one that is preferred.
            Verdict::Same => {}
            Verdict::Compatible if is_of_base => {}
            Verdict::Conflict => {
                if !(is_of_base && self.prefer == Some(self.base)) {
                    self.refuse(UnmergedReason::Conflict, change);
                }
            }
            Verdict::Compatible => match (change.to.first(), &change.property) {
                (Some(to), Some(property)) if change.part == ChangedPart::Value => {
                    let (object, property) = (change.object.clone(), property.clone());
                    let text = to.value.as_ref().map(|value| value.text.clone());
                    // A value that comes or goes is one of a list or row: that is taken as a whole, below.
                    let text = text.filter(|_| to.change == ValueChange::Changed);
                    let values = text.map(|text| vec![(property.clone(), text)]);
                    self.takes.push(TakenValue {
                        mod_at: to.mod_at,
                        object,
                        property,
                        is_whole: false,
                        values,
                    });
                }
                (Some(to), Some(key)) if change.part == ChangedPart::Text => {
                    let (namespace, key) = (change.object.clone(), key.clone());
                    self.texts.push(TakenText { mod_at: to.mod_at, namespace, key });
                }
                (Some(to), None)
                    if change.part == ChangedPart::Function && to.change == ValueChange::Changed =>
                {
                    self.functions.push((to.mod_at, change.object.clone()));
                }
                _ => self.refuse(UnmergedReason::NotValues, change),
            },
        }
    }

    /// Joins values of one property that are taken: the whole property is, unless the mod that the package is from
    /// changes other values of it.
    fn whole_properties(&mut self, changes: &[SharedChange]) {
        let property =
            |object: &str, property: &str| (object.to_lowercase(), first_step(property).to_lowercase());
        let own: HashSet<(String, String)> = changes
            .iter()
            .filter(|change| change.to.iter().any(|to| to.mod_at == self.base))
            .filter_map(|change| Some(property(&change.object, change.property.as_deref()?)))
            .collect();
        let mut whole: BTreeMap<(String, String), TakenValue> = BTreeMap::new();
        let mut single = Vec::new();
        for taken in std::mem::take(&mut self.takes) {
            let key = property(&taken.object, &taken.property);
            let is_shared = own.contains(&key);
            let is_of_another = whole.get(&key).is_some_and(|known| known.mod_at != taken.mod_at);
            if is_shared && taken.values.is_some() {
                single.push(taken);
            } else if is_shared || is_of_another {
                let place = format!("{}.{}", taken.object, taken.property);
                self.open.entry(UnmergedReason::SameProperty).or_default().push(place);
            } else if let Some(known) = whole.get_mut(&key) {
                known.values =
                    known.values.take().zip(taken.values).map(|(known, new)| [known, new].concat());
            } else {
                let property = first_step(&taken.property).to_owned();
                whole.insert(key, TakenValue { property, is_whole: true, ..taken });
            }
        }
        self.takes = whole.into_values().chain(single).collect();
    }
}

/// Values that a package has to have once it is merged.
fn expected(changes: &[SharedChange], base: usize, takes: &[TakenValue]) -> Vec<ExpectedValue> {
    let is_taken = |change: &SharedChange, to: &ModChange| {
        let first = change.property.as_deref().map(first_step).unwrap_or_default();
        takes.iter().any(|taken| {
            let is_it = taken.property.eq_ignore_ascii_case(first)
                || Some(&*taken.property) == change.property.as_deref();
            is_it && taken.object.eq_ignore_ascii_case(&change.object) && taken.mod_at == to.mod_at
        })
    };
    let values = changes.iter().filter(|change| change.part == ChangedPart::Value);
    let value = |change: &SharedChange| {
        let own = change.to.iter().find(|to| to.mod_at == base);
        let to = own.or_else(|| change.to.iter().find(|to| is_taken(change, to)))?;
        let text = to.value.as_ref().map(|value| value.text.clone());
        Some(ExpectedValue { object: change.object.clone(), property: change.property.clone()?, text })
    };
    values.filter_map(value).collect()
}

/// Address of the property that an address begins with; of a table, that of the row.
pub(crate) fn first_step(property: &str) -> &str {
    // Keys with separators are in quotation marks, and may have brackets.
    let quoted = |text: &str| text.strip_prefix('"').and_then(|rest| rest.find('"')).map(|at| at + 2);
    if let Some(key) = property.strip_prefix(ROWS) {
        let end = quoted(key).or_else(|| key.find(']')).unwrap_or(key.len());
        return property.get(..ROWS.len() + end + 1).unwrap_or(property);
    }
    if property.starts_with('"') {
        return property.get(..quoted(property).unwrap_or(property.len())).unwrap_or(property);
    }
    property.split(['.', '[']).next().unwrap_or(property)
}

/// Start of the address of a row.
pub(crate) const ROWS: &str = "Rows[";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::ShownValue;

    fn change(property: &str, to: &[(usize, &str)], verdict: Verdict) -> SharedChange {
        let to = to.iter().map(|(mod_at, text)| ModChange {
            mod_at: *mod_at,
            change: ValueChange::Changed,
            value: Some(ShownValue::word((*text).to_owned())),
        });
        SharedChange {
            part: ChangedPart::Value,
            object: "Sword".to_owned(),
            property: Some(property.to_owned()),
            from: None,
            to: to.collect(),
            verdict,
        }
    }

    fn item(changes: Vec<SharedChange>) -> SharedItem {
        let verdict = changes.iter().map(|change| change.verdict).max().unwrap_or(Verdict::Same);
        let path = "/Game/Sword".to_owned();
        SharedItem { path, mods: vec![0, 1], winner: 1, in_game: true, verdict, changes, cut: false }
    }

    #[test]
    fn what_the_others_change_is_taken_as_whole_properties() {
        let changes = vec![
            change("Damage", &[(1, "15")], Verdict::Compatible),
            change("Levels[2].Range", &[(0, "4")], Verdict::Compatible),
            change("Cost", &[(0, "2"), (1, "2")], Verdict::Same),
        ];
        let MergePlan { packages, unmerged, .. } = plan(&[item(changes)], &[0, 1], None);
        assert_eq!(unmerged, []);
        let taken = &packages[0].takes;
        assert_eq!((packages[0].base, taken.len()), (1, 1));
        assert_eq!((&*taken[0].property, taken[0].is_whole), ("Levels", true));
        assert_eq!(packages[0].expected.len(), 3);
    }

    #[test]
    fn values_of_a_property_that_both_change_are_set_one_by_one() {
        let changes = vec![
            change("Levels[0].Range", &[(1, "9")], Verdict::Compatible),
            change("Levels[2].Range", &[(0, "4")], Verdict::Compatible),
        ];
        let MergePlan { packages, unmerged, .. } = plan(&[item(changes.clone())], &[0, 1], None);
        assert_eq!(unmerged, []);
        assert_eq!(
            packages[0].takes[0].values.as_deref(),
            Some(&[("Levels[2].Range".to_owned(), "4".to_owned())][..])
        );
        // A list that one of them makes longer has no place for what the other one changes.
        let mut longer = changes;
        longer[1].to[0].change = ValueChange::Added;
        let MergePlan { unmerged, .. } = plan(&[item(longer)], &[0, 1], None);
        assert_eq!(unmerged[0].reason, UnmergedReason::SameProperty);
    }

    #[test]
    fn conflicts_are_refused_unless_a_mod_is_preferred() {
        let conflict = || vec![change("Damage", &[(0, "1"), (1, "2")], Verdict::Conflict)];
        let MergePlan { unmerged, .. } = plan(&[item(conflict())], &[0, 1], None);
        assert_eq!((unmerged[0].reason, &*unmerged[0].places[0]), (UnmergedReason::Conflict, "Sword.Damage"));
        assert_eq!(plan(&[item(conflict())], &[1, 0], Some(0)), MergePlan::default());
    }

    #[test]
    fn a_package_is_taken_from_the_mod_that_changes_more_than_values() {
        let data = SharedChange {
            part: ChangedPart::Data,
            property: None,
            ..change("", &[(0, "pixels")], Verdict::Compatible)
        };
        let changes = vec![data, change("Damage", &[(1, "15")], Verdict::Compatible)];
        let found = plan(&[item(changes.clone())], &[0, 1], None);
        assert_eq!((found.unmerged.len(), found.packages[0].base, found.packages[0].takes.len()), (0, 0, 1));
        assert_eq!(found.moved, [("/game/sword".to_owned(), 0)]);
        // Functions come along, other data does not.
        let with = |part| {
            let mut both = changes.clone();
            both[1] = SharedChange { part, property: None, ..both[1].clone() };
            plan(&[item(both)], &[0, 1], None)
        };
        let found = with(ChangedPart::Function);
        assert_eq!((found.unmerged.len(), found.packages[0].base), (0, 0));
        assert_eq!(found.packages[0].functions, [(1, "Sword".to_owned())]);
        assert_eq!(with(ChangedPart::Data).unmerged[0].reason, UnmergedReason::NotValues);
    }

    #[test]
    fn the_first_step_is_the_property() {
        for (address, first) in [
            ("A", "A"),
            ("A.B", "A"),
            ("A[2].B", "A"),
            ("\"A.B\"[1].C", "\"A.B\""),
            ("\"A", "\"A"),
            ("Rows[Sword].Damage[1]", "Rows[Sword]"),
            ("Rows[\"a]b\"].C", "Rows[\"a]b\"]"),
            ("Rows[A", "Rows[A"),
        ] {
            assert_eq!(first_step(address), first, "{address}");
        }
    }
}
