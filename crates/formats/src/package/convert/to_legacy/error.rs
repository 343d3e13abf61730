use crate::version::{PackageFileVersion, Release};
use crate::wire::Fault;

/// Errors from converting a zen package to legacy form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConvertError {
    /// Data and header do not agree.
    #[error("{0}")]
    Malformed(#[from] Fault),
    /// The object versions are newer than any known release.
    #[error("object version {found} is not supported (newest known: {newest})", newest = PackageFileVersion::NEWEST_UE5)]
    UnknownVersion {
        /// Versions in the package.
        found: PackageFileVersion,
    },
    /// The requested release does not write packages of this form.
    #[error("the package is from {found}, expected {wanted}")]
    WrongRelease {
        /// Releases that do.
        found: &'static str,
        /// Requested release.
        wanted: &'static Release,
    },
}
