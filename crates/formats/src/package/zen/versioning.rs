//! Versions recorded in a package, if it was cooked with them.

use crate::{
    id::{CustomVersion, Guid},
    version::{CustomVersionKey, PackageFileVersion, Releases},
    wire::{Fault, FaultKind, Reader, Writer},
};

/// Versions of a package (`FZenPackageVersioningInfo`).
#[doc(alias = "FZenPackageVersioningInfo")]
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Versioning {
    /// Format of the package (`EZenPackageVersion`), 0 to 3.
    pub zen: u32,
    /// Object versions.
    pub objects: PackageFileVersion,
    /// Licensee version.
    pub licensee: i32,
    /// Custom versions, in file order.
    pub custom: Vec<CustomVersion>,
}

impl Versioning {
    /// Reads the record; implausible numbers show that the bytes are something else.
    pub(super) fn read(r: &mut Reader<'_>) -> Result<Self, Fault> {
        let at = r.clone();
        let zen = r.u32("zen version")?;
        // The newest known is 3; the margin leaves room for later releases without accepting arbitrary
        // numbers.
        if zen >= 16 {
            return Err(at.fault("zen version", FaultKind::TooLarge { found: zen.into(), limit: 15 }));
        }
        let objects = PackageFileVersion { ue4: r.i32("file version")?, ue5: r.i32("file version")? };
        if !objects.is_plausible() {
            return Err(at.fault("file version", FaultKind::Unsupported { found: objects.ue4.into() }));
        }
        let licensee = r.i32("licensee version")?;
        let custom = r.list("custom versions", 20, |r| {
            Ok(CustomVersion {
                key: Guid(r.array("custom version")?),
                number: r.i32("custom version")?,
                name: None,
            })
        })?;
        Ok(Self { zen, objects, licensee, custom })
    }

    /// Writes the record.
    pub(super) fn write(&self, w: &mut Writer) {
        w.u32(self.zen).i32(self.objects.ue4).i32(self.objects.ue5).i32(self.licensee);
        w.u32(u32::try_from(self.custom.len()).unwrap_or(u32::MAX));
        for version in &self.custom {
            w.bytes(&version.key.0).i32(version.number);
        }
    }

    /// Returns the release that wrote the package, as far as its custom versions show.
    #[must_use]
    pub fn release(&self) -> Option<&'static str> {
        CustomVersionKey::fingerprint(|key| self.custom(key))
    }

    /// Returns the releases that may have written the package.
    #[must_use]
    pub fn releases(&self) -> Releases {
        Releases::of_versions(self.objects, |key| self.custom(key))
    }

    /// Returns the number of one custom version.
    #[must_use]
    pub fn custom(&self, key: CustomVersionKey) -> Option<i32> {
        CustomVersion::number_of(&self.custom, key)
    }
}
