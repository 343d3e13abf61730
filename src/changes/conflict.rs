//! Changes of several mods to one package or file, held against each other.

use crate::code::FunctionChange;
use crate::values::{DATA, ShownValue, ValueChange, ValueDifference};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Relation of the changes of several mods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// All do the same.
    Same,
    /// They change different values: one mod could have both.
    Compatible,
    /// They change one value, in different ways.
    Conflict,
}

/// A package or file that several mods have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SharedItem {
    /// Name of the package, such as `/Game/Items/Sword`, or path of the file.
    pub path: String,
    /// Positions of the mods that have it.
    pub mods: Vec<usize>,
    /// The mod that a game takes it from.
    pub winner: usize,
    /// True if the game has it, too.
    pub in_game: bool,
    /// The hardest relation between its changes.
    pub verdict: Verdict,
    /// Its changes. A file that is no package has one, of its data.
    pub changes: Vec<SharedChange>,
    /// True if there are more changes than listed.
    pub cut: bool,
}

/// A change to a value, function or object by one mod or more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SharedChange {
    /// Kind of what is changed.
    pub part: ChangedPart,
    /// Path of the object or function in its package.
    pub object: String,
    /// Path of the value in the object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub property: Option<String>,
    /// Value in the game; `None` if the game does not have it.
    pub from: Option<ShownValue>,
    /// The mods that change it, and how.
    pub to: Vec<ModChange>,
    /// Relation of these changes.
    pub verdict: Verdict,
}

/// Kind of a changed part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangedPart {
    /// A whole object.
    Object,
    /// A value of an object.
    Value,
    /// A function; its values are pseudo-code.
    Function,
    /// Data after the values of an object, such as pixels; or a mip of a texture, `Mips[2]`.
    Data,
    /// A text of a localization file: the object is its namespace, and the property its key.
    Text,
}

/// A change by one mod.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ModChange {
    /// Position of the mod.
    #[serde(rename = "mod")]
    pub mod_at: usize,
    /// Kind of change.
    pub change: ValueChange,
    /// Value in the mod; `None` if it removes it.
    pub value: Option<ShownValue>,
}

impl SharedChange {
    /// The changed part in words: `Sword.Damage`, or for a text its namespace and key, as in `Menu/Play`.
    #[must_use]
    pub fn place(&self) -> String {
        match (&self.property, self.part) {
            (Some(key), ChangedPart::Text) if self.object.is_empty() => key.clone(),
            (Some(key), ChangedPart::Text) => format!("{}/{key}", self.object),
            (Some(property), _) => format!("{}.{property}", self.object),
            (None, _) => self.object.clone(),
        }
    }
}

/// Differences between two forms of a package.
#[derive(Debug, Clone, Default)]
pub(crate) struct PackageChanges {
    pub values: Vec<ValueDifference>,
    pub functions: Vec<FunctionChange>,
    /// Mips of textures, as values with paths like `Mips[2]`.
    pub mips: Vec<ValueDifference>,
    pub cut: bool,
}

/// Fields of functions whose changes are told as pseudo-code.
const BYTECODE: [&str; 2] = ["ScriptBytecode", "BytecodeSize"];

/// True for a field of a function that has its code.
fn is_bytecode(field: &str) -> bool {
    BYTECODE.contains(&field)
}

/// Start of the name of the function that has the code of all events of a class.
const EVENT_GRAPH: &str = "ExecuteUbergraph";

/// Address of a change: object, kind and property in lower case.
type Address = (String, ChangedPart, String);

/// Changes in the order of their first mod.
#[derive(Default)]
struct Table {
    places: BTreeMap<Address, usize>,
    rows: Vec<SharedChange>,
}

impl Table {
    fn add(&mut self, row: SharedChange) {
        let property = row.property.as_deref().unwrap_or_default().to_lowercase();
        let address = (row.object.to_lowercase(), row.part, property);
        let at = *self.places.entry(address).or_insert(self.rows.len());
        match self.rows.get_mut(at) {
            Some(known) => known.to.extend(row.to),
            None => self.rows.push(row),
        }
    }
}

impl PackageChanges {
    /// Paths of the functions whose code has other bytes. Events are told as functions, though their code is in a graph; and code
    /// may change without being told.
    pub(crate) fn functions_in_bytes(&self) -> BTreeSet<String> {
        let has_code = |value: &&ValueDifference| value.property.as_deref().is_some_and(is_bytecode);
        self.values.iter().filter(has_code).map(|value| value.export.replace(':', ".")).collect()
    }

    /// True for a value of a function whose change is told as pseudo-code.
    fn is_told_as_code(&self, value: &ValueDifference) -> bool {
        let object = value.export.replace(':', ".");
        let name = object.rsplit('.').next().unwrap_or_default();
        // The code of events is in one function for all, which is not told by itself.
        let is_graph = name.starts_with(EVENT_GRAPH) && !self.functions.is_empty();
        is_graph || self.functions.iter().any(|function| function.function.eq_ignore_ascii_case(&object))
    }

    /// Variables of classes that are others than before: their further fields tell nothing more.
    fn other_variables(&self) -> HashSet<(&str, &str)> {
        let names = self.values.iter().filter_map(|value| Some((value, variable(value)?)));
        names
            .filter(|(_, (_, field))| *field == "Name")
            .map(|(value, (at, _))| (&*value.export, at))
            .collect()
    }

    /// Its changes as rows of a mod.
    fn rows(&self, mod_at: usize) -> impl Iterator<Item = SharedChange> + '_ {
        let others = self.other_variables();
        let is_known = move |value: &&ValueDifference| {
            let found = variable(value).filter(|(_, field)| *field != "Name");
            found.is_some_and(|(variable, _)| others.contains(&(&*value.export, variable)))
        };
        let values = self.values.iter().filter(|value| !self.is_told_as_code(value));
        let values = values.filter(move |value| !is_known(value));
        let values = values.filter_map(move |value| {
            let property = value.property.as_deref();
            let part = match property {
                None => ChangedPart::Object,
                Some(DATA) => ChangedPart::Data,
                Some(property) if is_bytecode(property) => return None,
                Some(_) => ChangedPart::Value,
            };
            let to = vec![ModChange { mod_at, change: value.change, value: value.to.clone() }];
            Some(SharedChange {
                part,
                object: value.export.clone(),
                property: property.filter(|_| part == ChangedPart::Value).map(str::to_owned),
                from: value.from.clone(),
                to,
                verdict: Verdict::Compatible,
            })
        });
        let functions = self.functions.iter().map(move |function| {
            let text = |code: &String| (!code.is_empty()).then(|| ShownValue::word(code.clone()));
            SharedChange {
                part: ChangedPart::Function,
                object: function.function.clone(),
                property: None,
                from: text(&function.from),
                to: vec![ModChange { mod_at, change: function.change, value: text(&function.to) }],
                verdict: Verdict::Compatible,
            }
        });
        let mips = self.mips.iter().map(move |mip| SharedChange {
            part: ChangedPart::Data,
            object: mip.export.clone(),
            property: mip.property.clone(),
            from: mip.from.clone(),
            to: vec![ModChange { mod_at, change: mip.change, value: mip.to.clone() }],
            verdict: Verdict::Compatible,
        });
        values.chain(functions).chain(mips)
    }
}

/// Address of a variable of a class, and the field of it that differs.
fn variable(value: &ValueDifference) -> Option<(&str, &str)> {
    let property = value.property.as_deref().filter(|property| property.starts_with("ChildProperties["))?;
    property.split_once("].")
}

/// Holds the changes of several mods to a package of the game against each other. `between` are the differences of
/// the first mod from each other one, which count for objects that both add.
pub(crate) fn judge(
    of_mods: &[(usize, PackageChanges)],
    between: &[(usize, PackageChanges)],
) -> (Verdict, Vec<SharedChange>) {
    let mut table = Table::default();
    for (mod_at, changes) in of_mods {
        changes.rows(*mod_at).for_each(|row| table.add(row));
    }
    let removed = touched(&table.rows, ValueChange::Removed);
    let added = touched(&table.rows, ValueChange::Added);
    for row in &mut table.rows {
        row.verdict = relation(&row.to, of_mods.len());
        // Nobody can change a value of an object that is gone.
        let is_inside = row.part != ChangedPart::Object && removed.contains(&row.object.to_lowercase());
        if is_inside {
            row.verdict = Verdict::Conflict;
        }
    }
    if let Some((first, _)) = of_mods.first() {
        for (other, changes) in between {
            let rows = changes.rows(*other).filter(|row| added.contains(&row.object.to_lowercase()));
            table.rows.extend(rows.map(|row| against(*first, row)));
        }
    }
    let verdict = table.rows.iter().map(|row| row.verdict).max().unwrap_or(Verdict::Same);
    (verdict, table.rows)
}

/// Relation of changes to one value by some of as many mods.
pub(super) fn relation(changes: &[ModChange], mods: usize) -> Verdict {
    let is_one = changes.windows(2).all(|pair| matches!(pair, [a, b] if a.value == b.value));
    match changes.len() {
        n if n == mods && is_one => Verdict::Same,
        // Where more than two mods share a package, some may leave a value alone.
        _ if is_one => Verdict::Compatible,
        _ => Verdict::Conflict,
    }
}

/// Objects that a mod adds or removes, in lower case.
fn touched(rows: &[SharedChange], change: ValueChange) -> HashSet<String> {
    let is_it = |row: &&SharedChange| {
        row.part == ChangedPart::Object && row.to.iter().any(|found| found.change == change)
    };
    rows.iter().filter(is_it).map(|row| row.object.to_lowercase()).collect()
}

/// A difference between two mods, as a conflict: what was that of the game is that of the first one.
pub(crate) fn against(first: usize, row: SharedChange) -> SharedChange {
    let value = row.from;
    let is_there = |value: &Option<ShownValue>| {
        if value.is_some() { ValueChange::Added } else { ValueChange::Removed }
    };
    let own = ModChange { mod_at: first, change: is_there(&value), value };
    let others = row.to.into_iter().map(|other| ModChange { change: is_there(&other.value), ..other });
    let to = std::iter::once(own).chain(others).collect();
    SharedChange { from: None, to, verdict: Verdict::Conflict, ..row }
}

impl PackageChanges {
    /// Differences between two mods that both add a package, as conflicts.
    pub(crate) fn between(&self, [first, other]: [usize; 2]) -> Vec<SharedChange> {
        self.rows(other).map(|row| against(first, row)).collect()
    }
}

/// Holds the content of a file in several mods against each other, by its hashes; `original` is that of the game.
pub(crate) fn judge_file<H: PartialEq>(
    of_mods: &[(usize, H)],
    original: Option<&H>,
) -> (Verdict, Vec<ModChange>) {
    let is_one = of_mods.windows(2).all(|pair| matches!(pair, [(_, a), (_, b)] if a == b));
    let others = of_mods.iter().filter(|(_, hash)| Some(hash) != original);
    let change = if original.is_some() { ValueChange::Changed } else { ValueChange::Added };
    let changes: Vec<ModChange> =
        others.map(|(mod_at, _)| ModChange { mod_at: *mod_at, change, value: None }).collect();
    let verdict = match changes.len() {
        _ if is_one => Verdict::Same,
        0 | 1 => Verdict::Compatible,
        _ => Verdict::Conflict,
    };
    (verdict, changes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(property: &str, from: &str, to: Option<&str>) -> ValueDifference {
        let word = |text: &str| ShownValue::word(text.to_owned());
        ValueDifference {
            export: "Sword".to_owned(),
            property: Some(property.to_owned()),
            change: if to.is_some() { ValueChange::Changed } else { ValueChange::Removed },
            from: Some(word(from)),
            to: to.map(word),
        }
    }

    fn object(change: ValueChange) -> ValueDifference {
        ValueDifference { export: "Sword".to_owned(), property: None, change, from: None, to: None }
    }

    fn mods(changes: [Vec<ValueDifference>; 2]) -> Vec<(usize, PackageChanges)> {
        let of = |values| PackageChanges { values, ..PackageChanges::default() };
        changes.into_iter().map(of).enumerate().collect()
    }

    #[test]
    fn values_are_the_same_compatible_or_in_conflict() {
        let of_mods = mods([
            vec![
                value("Damage", "10", Some("12")),
                value("Range", "3", Some("4")),
                value("Cost", "1", Some("2")),
            ],
            vec![value("damage", "10", Some("15")), value("Range", "3", Some("4"))],
        ]);
        let (verdict, rows) = judge(&of_mods, &[]);
        let verdicts: Vec<Verdict> = rows.iter().map(|row| row.verdict).collect();
        assert_eq!(verdicts, [Verdict::Conflict, Verdict::Same, Verdict::Compatible]);
        assert_eq!((verdict, rows[0].to.len()), (Verdict::Conflict, 2));
        let (verdict, _) =
            judge(&mods([vec![value("A", "1", Some("2"))], vec![value("A", "1", Some("2"))]]), &[]);
        assert_eq!(verdict, Verdict::Same);
        assert_eq!(judge(&mods([vec![], vec![]]), &[]).0, Verdict::Same);
    }

    #[test]
    fn values_of_a_removed_object_are_in_conflict() {
        let removed = vec![object(ValueChange::Removed)];
        let (verdict, rows) = judge(&mods([removed.clone(), vec![value("A", "1", Some("2"))]]), &[]);
        assert_eq!((verdict, rows.len()), (Verdict::Conflict, 2));
        assert_eq!(judge(&mods([removed.clone(), removed]), &[]).0, Verdict::Same);
    }

    #[test]
    fn objects_that_both_add_are_compared_with_each_other() {
        let added = || vec![object(ValueChange::Added)];
        let between = |values| [(1, PackageChanges { values, ..PackageChanges::default() })];
        assert_eq!(judge(&mods([added(), added()]), &between(vec![])).0, Verdict::Same);
        let (verdict, rows) = judge(&mods([added(), added()]), &between(vec![value("A", "1", Some("2"))]));
        assert_eq!(verdict, Verdict::Conflict);
        assert_eq!(rows[1].to.iter().map(|to| to.mod_at).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn files_are_compared_as_wholes() {
        let verdict = |hashes: [u8; 2], original: Option<u8>| {
            let of_mods: Vec<(usize, u8)> = hashes.into_iter().enumerate().collect();
            let (verdict, changes) = judge_file(&of_mods, original.as_ref());
            (verdict, changes.into_iter().map(|change| change.mod_at).collect::<Vec<_>>())
        };
        assert_eq!(verdict([1, 1], Some(2)), (Verdict::Same, vec![0, 1]));
        assert_eq!(verdict([2, 1], Some(2)), (Verdict::Compatible, vec![1]));
        assert_eq!(verdict([3, 1], Some(2)), (Verdict::Conflict, vec![0, 1]));
        assert_eq!(verdict([3, 1], None), (Verdict::Conflict, vec![0, 1]));
    }
}
