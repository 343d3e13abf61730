use super::{classic, legacy, zen};
use crate::{
    version::{ClassicVersion, LegacyFileVersion, ZenGeneration},
    wire::Reader,
};

/// Form of a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum PackageKind {
    /// A chunk of an IoStore container.
    Zen(ZenGeneration),
    /// A `.uasset` or `.umap` file.
    Legacy(LegacyFileVersion),
    /// A package of Unreal Engine 1 to 3.
    Classic(ClassicVersion),
    /// A package with big-endian numbers, from an old console; not supported.
    Swapped,
}

impl PackageKind {
    /// Recognises a file or chunk by its first bytes; for a zen package they must include the name table.
    ///
    /// ```
    /// # use uncask_formats as uncask;
    /// use uncask::{package::PackageKind, version::LegacyFileVersion};
    ///
    /// let start = [0xC1, 0x83, 0x2A, 0x9E, 0xF8, 0xFF, 0xFF, 0xFF];
    /// assert_eq!(PackageKind::sniff(&start), Some(PackageKind::Legacy(LegacyFileVersion(-8))));
    /// assert_eq!(PackageKind::sniff(b"something else"), None);
    /// ```
    #[must_use]
    pub fn sniff(start: &[u8]) -> Option<Self> {
        let mut r = Reader::new(start);
        match r.u32("tag").ok()? {
            legacy::TAG => {}
            legacy::SWAPPED_TAG => return Some(Self::Swapped),
            // Zen packages have no tag, so everything else is left to their detection.
            _ => return zen::detect(start).ok().map(Self::Zen),
        }
        // Both families share the tag; only the sign of the next number separates them.
        if classic::is_classic(start) {
            let version = ClassicVersion { file: r.u16("version").ok()?, licensee: r.u16("licensee").ok()? };
            return Some(Self::Classic(version));
        }
        let version = LegacyFileVersion(r.i32("legacy version").ok()?);
        version.is_supported().then_some(Self::Legacy(version))
    }
}
