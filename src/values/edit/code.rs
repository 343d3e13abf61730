//! Edits of functions.

use crate::bytecode::{CodeEditor, CodeError, CodePlace, CodeValueChange, Function, Symbols};
use crate::property::{Object, Scope};
use std::collections::BTreeMap;

/// An edit of a function.
#[derive(Debug, Clone)]
pub enum CodeEdit {
    /// A constant, or the condition of a jump, gets a value.
    Set {
        /// The place.
        place: CodePlace,
        /// The value.
        value: String,
        /// The value that is expected there.
        was: Option<String>,
    },
    /// A statement loses its effect.
    Remove(CodePlace),
    /// A function gets a script from a listing.
    Assemble {
        /// Name of the function, or its path.
        function: String,
        /// The listing.
        listing: String,
    },
}

/// Changes of the edits, each with its place.
type CodeChanges = Vec<(String, CodeValueChange)>;

/// Returns the functions that change, as objects by export index, and what each edit changed.
pub(super) fn edit(
    scope: &Scope<'_>,
    edits: &[CodeEdit],
) -> Result<(BTreeMap<usize, Object>, CodeChanges), CodeError> {
    let symbols = Symbols::new(scope.package);
    let functions = Function::all(scope);
    let mut editor = CodeEditor::new(scope, &symbols, &functions)?;
    let mut changes = Vec::new();
    for edit in edits {
        let (address, change) = match edit {
            CodeEdit::Set { place, value, was } => {
                (place.to_string(), editor.set(place, value, was.as_deref())?)
            }
            CodeEdit::Remove(place) => (place.to_string(), editor.remove(place)?),
            CodeEdit::Assemble { function, listing } => {
                (function.clone(), editor.assemble(function, listing)?)
            }
        };
        // A listing that is the function's own changes nothing.
        if change.from != change.to || !matches!(edit, CodeEdit::Assemble { .. }) {
            changes.push((address, change));
        }
    }
    let mut objects = BTreeMap::new();
    for changed in editor.finish()? {
        let place = changed.export as usize;
        let Some(export) = scope.package.exports.get(place) else { continue };
        let mut object = Object::read(scope, export);
        changed.put_into(&mut object);
        objects.insert(place, object);
    }
    Ok((objects, changes))
}
