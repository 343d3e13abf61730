use super::names::Names;
use super::near::nearest;
use crate::package::legacy::Name;
use crate::property::Scope;
use std::collections::BTreeSet;

/// The context of an edit: the package, its names, and notes.
pub(in crate::property) struct Context<'s, 'a> {
    pub scope: &'s Scope<'a>,
    pub names: Names,
    /// Values that could not be checked: address and reason.
    pub unchecked: Vec<(String, String)>,
    /// Paths of objects that values were to refer to, but that the package does not import; `None` if such a value is refused.
    pub not_imported: Option<BTreeSet<String>>,
}

impl Context<'_, '_> {
    /// Notes that a value could not be checked, and why.
    pub(in crate::property) fn unchecked(&mut self, at: &str, what: &str) {
        self.unchecked.push((at.to_owned(), what.to_owned()));
    }

    /// Notes an object that the package does not import, and refers to none in its place; false if such a value is refused.
    pub(super) fn note_not_imported(&mut self, path: Option<String>) -> bool {
        let (Some(noted), Some(path)) = (&mut self.not_imported, path) else { return false };
        noted.insert(path);
        true
    }

    /// True if the package's name table has this text, so that something in the package uses it.
    pub(in crate::property) fn has_name(&self, text: &str) -> bool {
        self.scope.package.names.iter().any(|name| name.text.as_str().eq_ignore_ascii_case(text))
    }

    /// The text of a name, including new ones.
    pub(in crate::property) fn text(&self, name: Name) -> String {
        match self.names.added_text(name) {
            Some(base) if name.number == 0 => base.to_owned(),
            // Names store a number of n + 1 for the suffix `_n`, as 0 stands for no suffix.
            Some(base) => format!("{base}_{}", name.number - 1),
            None => self.scope.package.text(name).to_string(),
        }
    }
}

/// Lists the first of many names for a message, with the one nearest to a name that was not found.
pub(in crate::property) fn listed_near(wanted: &str, names: impl IntoIterator<Item = String>) -> String {
    let names: Vec<String> = names.into_iter().collect();
    let near = nearest(wanted, names.iter().map(String::as_str)).map(str::to_owned);
    let listed = listed(names);
    match near {
        Some(near) => format!("{listed}; the nearest name is {near}"),
        None => listed,
    }
}

/// Lists the first of many texts for a message.
pub(in crate::property) fn listed(texts: impl IntoIterator<Item = String>) -> String {
    const SHOWN: usize = 12;
    let texts: Vec<String> = texts.into_iter().collect();
    let Some(shown) = texts.get(..texts.len().min(SHOWN)).filter(|shown| !shown.is_empty()) else {
        return "nothing".to_owned();
    };
    let more = texts.len() - shown.len();
    let shown = shown.join(", ");
    if more == 0 { shown } else { format!("{shown} and {more} more") }
}
