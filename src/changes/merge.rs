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
    /// Properties of which it takes elements or keys from others.
    pub joins: Vec<JoinedProperty>,
    /// Functions that it takes from others: the mod, and the paths as they are told.
    pub functions: Vec<(usize, String)>,
    /// Mips of textures that it takes from others.
    pub mips: Vec<TakenMip>,
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

/// A mip that a package takes from another mod.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TakenMip {
    pub mod_at: usize,
    /// Path of the texture in the package.
    pub object: String,
    /// Its place in the texture: 0 is the largest.
    pub level: usize,
}

impl MergedPackage {
    /// True if it takes nothing from others.
    pub(crate) fn takes_nothing(&self) -> bool {
        self.takes.is_empty() && self.joins.is_empty() && self.functions.is_empty() && self.mips.is_empty()
    }
}

/// A property or row to which a mod adds something, or from which it removes something, while others change it as well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JoinedProperty {
    pub mod_at: usize,
    /// Path of the object in the package.
    pub object: String,
    /// The property or row.
    pub property: String,
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
    /// Several mods change one list, and one of them removes elements, or two add some.
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
            joins: Vec::new(),
            texts: Vec::new(),
            functions: Vec::new(),
            mips: Vec::new(),
            open: BTreeMap::new(),
        };
        if item.cut {
            merging.open.entry(UnmergedReason::TooMany).or_default();
        }
        item.changes.iter().for_each(|change| merging.row(change));
        merging.whole_properties(&item.changes);
        let Merging { takes, joins, texts, functions, mips, open, .. } = merging;
        if !texts.is_empty() {
            plan.texts.push(MergedTexts { path: item.path.clone(), base, takes: texts });
        }
        let found = open.into_iter();
        let unmerged = found.map(|(reason, places)| Unmerged { path: item.path.clone(), reason, places });
        plan.unmerged.extend(unmerged);
        if base != winner {
            plan.moved.push((item.path.to_lowercase(), base));
        }
        let expected = expected(&item.changes, base, &takes, &joins);
        let path = item.path.clone();
        let package = MergedPackage { path, base, takes, joins, functions, mips, expected };
        if !package.takes_nothing() {
            plan.packages.push(package);
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
    let mods = |is_hard: fn(&SharedChange) -> bool| -> BTreeSet<usize> {
        let rows = item.changes.iter().filter(|row| is_hard(row) && row.verdict != Verdict::Same);
        rows.flat_map(|row| &row.to).map(|to| to.mod_at).collect()
    };
    // Mips can be put into another package, other data cannot.
    let whole = mods(|row| match row.part {
        ChangedPart::Object => true,
        ChangedPart::Data => row.property.is_none(),
        _ => false,
    });
    // Functions can be put into another package, but need not be.
    let all = if whole.is_empty() { mods(|row| row.part == ChangedPart::Function) } else { whole };
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
    joins: Vec<JoinedProperty>,
    texts: Vec<TakenText>,
    functions: Vec<(usize, String)>,
    mips: Vec<TakenMip>,
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
                (Some(to), Some(mip)) if change.part == ChangedPart::Data => match level(mip) {
                    Some(level) => {
                        let object = change.object.clone();
                        self.mips.push(TakenMip { mod_at: to.mod_at, object, level });
                    }
                    None => self.refuse(UnmergedReason::NotValues, change),
                },
                (Some(to), None)
                    if change.part == ChangedPart::Function && to.change == ValueChange::Changed =>
                {
                    self.functions.push((to.mod_at, change.object.clone()));
                }
                _ => self.refuse(UnmergedReason::NotValues, change),
            },
        }
    }

    /// Puts values of one property that are taken together: the whole property is taken, unless other mods change it, too. Then
    /// single values are, and properties to which something is added are joined.
    fn whole_properties(&mut self, changes: &[SharedChange]) {
        let property =
            |object: &str, property: &str| (object.to_lowercase(), first_step(property).to_lowercase());
        let own: HashSet<(String, String)> = changes
            .iter()
            .filter(|change| change.to.iter().any(|to| to.mod_at == self.base))
            .filter_map(|change| Some(property(&change.object, change.property.as_deref()?)))
            .collect();
        let mut by_property: BTreeMap<(String, String), Vec<TakenValue>> = BTreeMap::new();
        for taken in std::mem::take(&mut self.takes) {
            by_property.entry(property(&taken.object, &taken.property)).or_default().push(taken);
        }
        for (key, all) in by_property {
            let mods: BTreeSet<usize> = all.iter().map(|taken| taken.mod_at).collect();
            if own.contains(&key) || mods.len() > 1 {
                self.single_values(all);
            } else {
                self.takes.extend(whole(all));
            }
        }
    }

    /// Takes values of a property that several mods change.
    fn single_values(&mut self, all: Vec<TakenValue>) {
        for taken in all {
            if taken.values.is_some() {
                self.takes.push(taken);
                continue;
            }
            let property = first_step(&taken.property).to_owned();
            let join = JoinedProperty { mod_at: taken.mod_at, object: taken.object, property };
            if !self.joins.contains(&join) {
                self.joins.push(join);
            }
        }
    }
}

/// Values of one mod, as the whole property that they are of.
fn whole(all: Vec<TakenValue>) -> Option<TakenValue> {
    let mut all = all.into_iter();
    let first = all.next()?;
    let property = first_step(&first.property).to_owned();
    let first = TakenValue { property, is_whole: true, ..first };
    Some(all.fold(first, |known, taken| {
        let values = known.values.zip(taken.values).map(|(known, new)| [known, new].concat());
        TakenValue { values, ..known }
    }))
}

/// Values that a package has to have once it is merged.
fn expected(
    changes: &[SharedChange],
    base: usize,
    takes: &[TakenValue],
    joins: &[JoinedProperty],
) -> Vec<ExpectedValue> {
    let is_taken = |change: &SharedChange, to: &ModChange| {
        let first = change.property.as_deref().map(first_step).unwrap_or_default();
        let is_joined = joins.iter().any(|join| {
            let is_it = join.property.eq_ignore_ascii_case(first) && join.mod_at == to.mod_at;
            is_it && join.object.eq_ignore_ascii_case(&change.object)
        });
        is_joined
            || takes.iter().any(|taken| {
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

/// The place of a mip, from its path.
fn level(mip: &str) -> Option<usize> {
    mip.strip_prefix("Mips[")?.strip_suffix(']')?.parse().ok()
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
mod tests;
