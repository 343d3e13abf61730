use super::options::ExportOptions;
use crate::values::{Job, Loaded, PackageInput};

/// An asset that is being exported.
pub(super) struct Source<'s, 'a> {
    pub(super) job: &'s Job,
    pub(super) item: &'s PackageInput,
    pub(super) loaded: &'a Loaded,
    /// Its path in the package.
    pub(super) object: String,
    pub(super) class: String,
    pub(super) options: &'s ExportOptions,
}
