//! What is shown, in the package that it is in.

use crate::property::{Scope, Value};

/// A value, list, struct or text, in FModel's form.
pub(super) struct Shown<'s, 'a, T> {
    pub scope: &'s Scope<'a>,
    pub value: &'s T,
}

/// A value in FModel's form, on one line.
#[must_use]
pub fn value_text(scope: &Scope<'_>, value: &Value) -> String {
    serde_json::to_string(&Shown { scope, value }).unwrap_or_default()
}
