use crate::version::{PackageFileVersion, Release};
use crate::wire::Fault;

/// Why a package cannot be converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConvertError {
    /// Its data does not fit its header.
    #[error("{0}")]
    Malformed(#[from] Fault),
    /// Its object versions are newer than any that is known.
    #[error("object version {found} is not supported (newest known: {newest})", newest = PackageFileVersion::NEWEST_UE5)]
    UnknownVersion {
        /// The versions in the package.
        found: PackageFileVersion,
    },
    /// The release that was asked for does not write packages of this form.
    #[error("the package is from {found}, expected {wanted}")]
    WrongRelease {
        /// The releases that do.
        found: &'static str,
        /// The release.
        wanted: &'static Release,
    },
}
