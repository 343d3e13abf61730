//! Edited packages, until they are written.

use super::kept::{KeptForm, KeptPackage};
use super::rules::RuleOutcome;
use crate::error::{Error, Result};
use crate::source::Shelved;
use crate::values::inputs::PackageInput;
use crate::values::raw_package::RawPackage;

/// An edited package, not yet written.
#[derive(Debug)]
pub struct Edited {
    /// Its path.
    pub path: String,
    /// Result for each value named in the request; for a document, the values in which it differs.
    pub changes: Vec<Changed>,
    /// True if there are more changes than listed.
    pub cut: bool,
    /// True if the values came from a document of another build of the package.
    pub is_of_other_build: bool,
    /// Number of exports with changed data.
    pub exports: usize,
    /// Number of names added.
    pub names: usize,
    /// Number of objects of other packages that it did not import before.
    pub imports: usize,
    /// Values written without a type check: their addresses, and the reason.
    pub unchecked: Vec<(String, String)>,
    /// Number of optional textures that do not exist.
    pub missing: usize,
    /// Outcomes of the rules that found something to change, or should have.
    pub rules: Vec<RuleOutcome>,
    /// Number of objects that rules may be for, but that cannot be read.
    pub unread: usize,
    pub(super) content: KeptPackage,
    pub(super) item: PackageInput,
}

/// A changed value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// Its address; for a texture, its object name.
    pub address: String,
    /// Old value as JSON; `None` if it was the default of its class. A texture is described in words.
    pub from: Option<String>,
    /// New value; `None` if it is the default of its class again.
    pub to: Option<String>,
}

impl Edited {
    /// The content that it has now.
    pub(super) fn raw(&self) -> Result<RawPackage> {
        let bytes = |kept: &Shelved| Ok::<Vec<u8>, Error>(kept.bytes()?.into());
        Ok(match &self.content.form {
            KeptForm::Zen(zen) => RawPackage::Zen(zen.raw()?),
            KeptForm::Legacy(header, exports) => {
                RawPackage::Legacy(bytes(header)?, exports.as_ref().map(bytes).transpose()?)
            }
        })
    }

    /// This edit and the one after it, as one.
    pub(super) fn and(self, after: Self) -> Self {
        let mut content = after.content;
        for (key, file) in self.content.files {
            content.files.entry(key).or_insert(file);
        }
        let joined = |mut a: Vec<_>, b| {
            a.extend(b);
            a
        };
        Self {
            changes: joined(self.changes, after.changes),
            cut: self.cut || after.cut,
            is_of_other_build: self.is_of_other_build || after.is_of_other_build,
            exports: self.exports + after.exports,
            names: self.names + after.names,
            imports: self.imports + after.imports,
            unchecked: [self.unchecked, after.unchecked].concat(),
            missing: self.missing + after.missing,
            rules: [self.rules, after.rules].concat(),
            unread: self.unread + after.unread,
            content,
            ..after
        }
    }
}
