//! Reports on rebuilt packages.

use crate::extract::RebuiltShaderLibrary;
use crate::package::convert::{Converted, Loss};
use crate::package::zen::Header;
use crate::sink::OutputPath;

/// Report on a rebuilt package, including what could not be rebuilt.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct AssetReport {
    /// Name of the package.
    pub package: String,
    /// The `.uasset` or `.umap`, relative to the output folder.
    pub header: String,
    /// The `.uexp`, relative to the output folder.
    pub exports: String,
    /// Release whose layout was written.
    pub engine: &'static str,
    /// Evidence for the release.
    pub engine_by: String,
    /// All possible releases, if their layouts differ: the chosen one may be wrong.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub engines_that_fit: Vec<&'static str>,
    /// Data in the cooker's own file that this one lacks.
    pub losses: Vec<Loss>,
}

impl AssetReport {
    pub(super) fn new(
        header: &Header,
        converted: &Converted<'_>,
        header_path: &OutputPath,
        exports: &OutputPath,
    ) -> Self {
        Self {
            package: header.name().to_string(),
            header: header_path.to_string(),
            exports: exports.to_string(),
            engine: converted.release.name,
            engine_by: converted.how.to_string(),
            engines_that_fit: converted
                .left
                .iter()
                .filter(|_| converted.is_open)
                .map(|release| release.name)
                .collect(),
            losses: converted.losses.clone(),
        }
    }
}

/// Report on a rebuilt shader library.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct LibraryReport {
    /// The file, relative to the output folder.
    pub path: String,
    /// Its content.
    #[serde(flatten)]
    pub library: RebuiltShaderLibrary,
}
