use super::names::Names;
use crate::package::legacy::Name;
use crate::property::Scope;

/// What values are changed in.
pub(super) struct Context<'s, 'a> {
    pub scope: &'s Scope<'a>,
    pub names: Names,
}

impl Context<'_, '_> {
    /// The text of a name, be it new or not.
    pub(super) fn text(&self, name: Name) -> String {
        match self.names.added_text(name) {
            Some(base) if name.number == 0 => base.to_owned(),
            Some(base) => format!("{base}_{}", name.number - 1),
            None => self.scope.package.text(name).to_string(),
        }
    }
}

/// A few of many texts, for messages.
pub(super) fn listed(texts: impl IntoIterator<Item = String>) -> String {
    const SHOWN: usize = 12;
    let texts: Vec<String> = texts.into_iter().collect();
    let Some(shown) = texts.get(..texts.len().min(SHOWN)).filter(|shown| !shown.is_empty()) else {
        return "nothing".to_owned();
    };
    let more = texts.len() - shown.len();
    let shown = shown.join(", ");
    if more == 0 { shown } else { format!("{shown} and {more} more") }
}
