//! What became of each package.

use crate::extract::RebuiltShaderLibrary;
use crate::package::convert::{Converted, Loss};
use crate::package::zen::Header;
use crate::sink::OutputPath;

/// What a package was rebuilt as, and what could not be rebuilt.
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
    /// How the release was found.
    pub engine_by: String,
    /// All releases that fit, if they write different layouts: the one that was taken may be wrong.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub engines_that_fit: Vec<&'static str>,
    /// What the cooker's own file has and this one has not.
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
                .fitting
                .into_iter()
                .flat_map(|all| all.iter().map(|release| release.name))
                .collect(),
            losses: converted.losses.clone(),
        }
    }
}

/// A shader library that was rebuilt.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct LibraryReport {
    /// The file, relative to the output folder.
    pub path: String,
    /// What is in it.
    #[serde(flatten)]
    pub library: RebuiltShaderLibrary,
}
