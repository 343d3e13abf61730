use super::files::Target;
use super::options::ExportOptions;
use crate::values::{PackageInput, PackageJob};

/// The file that is to have a material or a picture.
#[derive(Clone, Copy)]
pub(super) struct Asker<'s> {
    pub(super) job: &'s PackageJob,
    pub(super) options: &'s ExportOptions,
    /// The package that the file is made from.
    pub(super) owner: &'s PackageInput,
    pub(super) target: &'s Target,
    /// False if materials are to have no pictures.
    pub(super) with_pictures: bool,
}
