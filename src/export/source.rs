use super::options::ExportOptions;
use crate::package::legacy::PackageIndex;
use crate::property::{Object, Scope};
use crate::values::{Job, Loaded, PackageInput};

/// An asset that is being exported.
pub(super) struct Source<'s, 'a> {
    pub(super) job: &'s Job,
    pub(super) item: &'s PackageInput,
    pub(super) loaded: &'a Loaded,
    pub(super) scope: &'s Scope<'a>,
    /// The export, as others refer to it.
    pub(super) index: PackageIndex,
    /// What was read of it in front of the asset.
    pub(super) fields: &'s Object,
    /// Its path in the package.
    pub(super) object: String,
    pub(super) class: String,
    pub(super) options: &'s ExportOptions,
}
