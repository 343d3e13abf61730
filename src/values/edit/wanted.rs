//! Requested changes of a package.

use super::code::CodeEdit;
use super::rules::RuleSet;
use crate::property::edit::Address;
use std::sync::Arc;

/// Requested changes.
#[derive(Debug, Clone)]
pub enum Wanted {
    /// Values, by address.
    Values(Vec<(Address, String)>),
    /// All values of a document in the lossless form.
    Document(serde_json::Value),
    /// Texts of string tables: for each table the index of its export, and texts by entry position.
    Entries(Vec<(usize, Vec<(usize, String)>)>),
    /// Functions of blueprints.
    Code(Vec<CodeEdit>),
    /// All values that fit some rules.
    Rules(Vec<Arc<RuleSet>>),
}
