//! Requested changes of a package.

use super::code::CodeEdit;
use super::rules::RuleSet;
use crate::property::edit::Address;
use crate::store::package_path;
use serde_json::Value as Json;
use std::path::Path;
use std::sync::Arc;

/// Requested changes.
#[derive(Debug, Clone)]
pub enum Wanted {
    /// Values, by address.
    Values(Vec<(Address, String)>),
    /// All values of a document in the lossless form.
    Document(Json),
    /// All values of a document in FModel's form.
    Shown(Json),
    /// Texts of string tables: for each table the index of its export, and texts by entry position.
    Entries(Vec<(usize, Vec<(usize, String)>)>),
    /// Functions of blueprints.
    Code(Vec<CodeEdit>),
    /// All values that fit some rules.
    Rules(Vec<Arc<RuleSet>>),
}

impl Wanted {
    /// The changes in a document, and the name of its package: as the document says itself, or, in FModel's form, by the file that its
    /// exports are of, or else by its own path. `None` if nothing tells it.
    #[must_use]
    pub fn of_document(document: Json, path: &Path) -> Option<(String, Self)> {
        let recorded = document.get("package").and_then(Json::as_str).map(str::to_owned);
        if document.get("objects").is_none() && !document.is_array() {
            return Some((recorded?, Self::Document(document)));
        }
        let exports = document.as_array();
        let file = || exports?.iter().find_map(|export| export.get("Package")?.as_str());
        let name = |path: &str| package_path::to_package_names(path).into_iter().next();
        let of_file =
            || file().and_then(|file| if file.starts_with('/') { Some(file.to_owned()) } else { name(file) });
        let path = path.with_extension("").to_string_lossy().replace('\\', "/");
        let own = || name(package_path::below_mount_point(&path)?);
        Some((recorded.or_else(of_file).or_else(own)?, Self::Shown(document)))
    }
}
