//! How packages are rebuilt.

use crate::extract::UnpackOptions;
use crate::package::convert::Target;

/// How a job that rebuilds packages works.
#[derive(Debug, Clone, Copy, Default)]
pub struct LegacyOptions {
    /// What is written, and what is verified.
    pub unpack: UnpackOptions,
    /// How packages are converted.
    pub convert: ConvertOptions,
}

/// How packages are converted.
#[derive(Debug, Clone, Copy, Default)]
pub struct ConvertOptions {
    /// What they are converted for.
    pub target: Target,
    /// Read every asset again and compare its exports with those of the package.
    pub check: bool,
    /// Keep what legacy files cannot say in an `.uncask.json` in each folder.
    pub sidecar: bool,
}
