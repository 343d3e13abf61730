//! Options for rebuilding packages.

use crate::extract::UnpackOptions;
use crate::package::convert::Target;

/// Options of a job that rebuilds packages.
#[derive(Debug, Clone, Copy, Default)]
pub struct LegacyOptions {
    /// Options for writing and verifying.
    pub unpack: UnpackOptions,
    /// Options for converting packages.
    pub convert: ConvertOptions,
}

/// Options for converting packages.
#[derive(Debug, Clone, Copy, Default)]
pub struct ConvertOptions {
    /// Target of the conversion.
    pub target: Target,
    /// Read every asset back and compare its exports with those of the package.
    pub check: bool,
    /// Keep data that legacy files cannot hold in an `.uncask.json` in each folder.
    pub sidecar: bool,
}
