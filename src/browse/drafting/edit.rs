//! Edits, as the page asks for them.

use crate::browse::refusal::Refusal;
use crate::browse::row_id::RowId;
use crate::game::{Recipe, RecipeChange, RecipePlace, RecipeText, RuleChange};
use serde::Deserialize;

/// A change of a value.
#[derive(Debug, Clone, Deserialize)]
pub(in crate::browse) struct ValueEdit {
    /// Row of the package.
    pub row: RowId,
    /// Address of the value.
    pub address: String,
    #[serde(flatten)]
    pub wish: Wish,
}

/// Change of a value.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "action", rename_all = "lowercase")]
pub(in crate::browse) enum Wish {
    /// It gets another one.
    Set {
        /// The new value, as text.
        value: String,
    },
    /// It gets one more element, or with a key, one more entry.
    Append {
        /// The new value, as text.
        value: String,
        #[serde(default)]
        key: Option<String>,
    },
    /// The element, row or entry goes.
    Remove,
    /// Changes of it are taken out of the draft.
    Reset,
}

/// A change of a text in a localization file.
#[derive(Debug, Clone, Deserialize)]
pub(in crate::browse) struct TextEdit {
    pub file: String,
    pub culture: String,
    pub namespace: String,
    pub key: String,
    /// The old text.
    pub from: String,
    /// The new one.
    pub set: String,
}

impl ValueEdit {
    /// Makes sure that the address is that of one value.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        if self.address.contains(['*', '?']) {
            return Err(Refusal::unprocessable(
                "names with * or ? cannot be edited here: they stand for others",
            ));
        }
        Ok(())
    }

    /// Adds the edit to a recipe; returns the position of the change, if it is in there.
    pub(super) fn add_to(&self, recipe: &mut Recipe, package: &str, place: RecipePlace) -> Option<usize> {
        let change = match &self.wish {
            Wish::Set { value } => {
                if let Some((at, before)) = self.last_set(recipe, package) {
                    before.change = RuleChange::Set(value.clone());
                    return Some(at);
                }
                RuleChange::Set(value.clone())
            }
            Wish::Append { value, key } => RuleChange::Append(vec![(key.clone(), value.clone())]),
            Wish::Remove => RuleChange::Remove,
            Wish::Reset => {
                recipe.changes.retain(|change| !self.is_same(change, package));
                return None;
            }
        };
        recipe.changes.push(RecipeChange {
            place,
            packages: vec![package.to_owned()],
            property: self.address.clone(),
            class: None,
            conditions: Vec::new(),
            from: None,
            change,
            is_optional: false,
        });
        Some(recipe.changes.len() - 1)
    }

    /// An earlier change that sets the value, and may be replaced: nothing after it in the package moves addresses.
    fn last_set<'r>(&self, recipe: &'r mut Recipe, package: &str) -> Option<(usize, &'r mut RecipeChange)> {
        let of_package = recipe.changes.iter_mut().enumerate().rev();
        let mut sets = of_package
            .filter(|(_, change)| change.packages.iter().any(|name| name.eq_ignore_ascii_case(package)))
            .take_while(|(_, change)| matches!(change.change, RuleChange::Set(_)));
        sets.find(|(_, change)| self.is_same(change, package))
    }

    fn is_same(&self, change: &RecipeChange, package: &str) -> bool {
        matches!(change.packages.as_slice(), [one] if one.eq_ignore_ascii_case(package))
            && change.property.eq_ignore_ascii_case(&self.address)
            && change.conditions.is_empty()
    }
}

impl TextEdit {
    /// Adds the edit to a recipe, in place of an earlier one of the same text.
    pub(in crate::browse) fn add_to(self, recipe: &mut Recipe, place: RecipePlace) {
        let Self { file, culture, namespace, key, from, set } = self;
        let is_same = |text: &RecipeText| {
            (&text.file, &text.culture, &text.namespace, &text.key) == (&file, &culture, &namespace, &key)
        };
        let before = recipe.texts.iter().position(is_same).map(|at| recipe.texts.remove(at));
        // The old text is the game's, not that of the edit before.
        let from = before.and_then(|text| text.from).unwrap_or(from);
        if from != set {
            let (from, is_optional) = (Some(from), false);
            recipe.texts.push(RecipeText { place, file, culture, namespace, key, from, set, is_optional });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(address: &str, wish: Wish) -> ValueEdit {
        ValueEdit { row: RowId::new(1, 0), address: address.to_owned(), wish }
    }

    fn set(address: &str, value: &str) -> ValueEdit {
        edit(address, Wish::Set { value: value.to_owned() })
    }

    #[test]
    fn a_value_that_is_set_again_is_one_change() {
        let mut recipe = Recipe::default();
        let mut add = |edit: ValueEdit, package| edit.add_to(&mut recipe, package, RecipePlace::default());
        assert_eq!(add(set("A.X", "1"), "/Game/A"), Some(0));
        assert_eq!(add(set("A.X", "1"), "/Game/B"), Some(1));
        assert_eq!(add(set("a.x", "2"), "/game/a"), Some(0));
        // What is removed moves what follows it: the address is not that of the same value any more.
        assert_eq!(add(edit("A.L[0]", Wish::Remove), "/Game/A"), Some(2));
        assert_eq!(add(set("A.X", "3"), "/Game/A"), Some(3));
        assert_eq!(add(edit("A.X", Wish::Reset), "/Game/A"), None);
        let left: Vec<&str> = recipe.changes.iter().map(|change| change.property.as_str()).collect();
        assert_eq!(left, ["A.X", "A.L[0]"]);
    }

    #[test]
    fn a_text_that_is_as_it_was_is_no_change() {
        let mut recipe = Recipe::default();
        let mut add = |from: &str, set: &str| {
            let [file, culture, namespace, key] = ["F", "de", "", "K"].map(str::to_owned);
            let edit = TextEdit { file, culture, namespace, key, from: from.to_owned(), set: set.to_owned() };
            edit.add_to(&mut recipe, RecipePlace::default());
            recipe.texts.iter().map(|text| (text.from.clone(), text.set.clone())).collect::<Vec<_>>()
        };
        assert_eq!(add("a", "b"), [(Some("a".to_owned()), "b".to_owned())]);
        assert_eq!(add("b", "c"), [(Some("a".to_owned()), "c".to_owned())]);
        assert_eq!(add("c", "a"), []);
    }
}
