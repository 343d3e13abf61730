//! A value paired with its package, for display.

use crate::package::legacy::Export;
use crate::property::{Object, Scope, Value};

/// A value, list, struct or text in FModel's form.
pub(in crate::property) struct Shown<'s, 'a, T> {
    pub scope: &'s Scope<'a>,
    pub value: &'s T,
}

/// A callback that receives each export after it was read.
#[derive(Clone, Copy)]
pub(in crate::property) struct Note<'s>(pub &'s dyn Fn(&Export, &Object));

impl std::fmt::Debug for Note<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Note")
    }
}

/// Reads an export of a document, and notes it.
pub(in crate::property) fn read(scope: &Scope<'_>, export: &Export, note: Option<Note<'_>>) -> Object {
    let object = Object::read(scope, export);
    if let Some(Note(note)) = note {
        note(export, &object);
    }
    object
}

/// A value in FModel's form, as JSON on one line.
#[must_use]
pub fn value_text(scope: &Scope<'_>, value: &Value) -> String {
    serde_json::to_string(&Shown { scope, value }).unwrap_or_default()
}
