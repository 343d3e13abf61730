//! What is shown, in the package that it is in.

use crate::property::Scope;

/// A value, list, struct or text, in FModel's form.
pub(super) struct Shown<'s, 'a, T> {
    pub scope: &'s Scope<'a>,
    pub value: &'s T,
}
