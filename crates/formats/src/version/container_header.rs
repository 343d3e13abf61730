/// Version of a container header chunk (`EIoContainerHeaderVersion`).
#[doc(alias = "EIoContainerHeaderVersion")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
pub enum ContainerHeaderVersion {
    /// UE 4.26 and 4.27: no magic, no version field.
    Ue4,
    /// UE 5.0 development.
    Initial,
    /// UE 5.0.
    LocalizedPackages,
    /// UE 5.1 and 5.2.
    OptionalSegmentPackages,
    /// UE 5.3 and 5.4.
    NoExportInfo,
    /// UE 5.5.
    SoftPackageReferences,
    /// UE 5.6–6.0.
    SoftPackageReferencesOffset,
}

impl ContainerHeaderVersion {
    /// Magic of a container header since UE5: `nCoI`, the number 0x496F436E.
    pub const MAGIC: [u8; 4] = *b"nCoI";

    /// Reads the version from the first eight bytes of a container header chunk. Numbers beyond the newest
    /// known version give that version.
    #[must_use]
    pub fn sniff(start: [u8; 8]) -> Self {
        let [m0, m1, m2, m3, v0, v1, v2, v3] = start;
        // UE4 starts with the container id instead.
        if [m0, m1, m2, m3] != Self::MAGIC {
            return Self::Ue4;
        }
        match u32::from_le_bytes([v0, v1, v2, v3]) {
            0 => Self::Initial,
            1 => Self::LocalizedPackages,
            2 => Self::OptionalSegmentPackages,
            3 => Self::NoExportInfo,
            4 => Self::SoftPackageReferences,
            // A newer number is tried as the newest layout, which fits if only the number changed.
            _ => Self::SoftPackageReferencesOffset,
        }
    }

    /// Returns the stored number; UE4 has none.
    #[must_use]
    pub const fn to_wire(self) -> Option<u32> {
        match self {
            Self::Ue4 => None,
            Self::Initial => Some(0),
            Self::LocalizedPackages => Some(1),
            Self::OptionalSegmentPackages => Some(2),
            Self::NoExportInfo => Some(3),
            Self::SoftPackageReferences => Some(4),
            Self::SoftPackageReferencesOffset => Some(5),
        }
    }

    /// All versions, newest first.
    pub const ALL: [Self; 7] = [
        Self::SoftPackageReferencesOffset,
        Self::SoftPackageReferences,
        Self::NoExportInfo,
        Self::OptionalSegmentPackages,
        Self::LocalizedPackages,
        Self::Initial,
        Self::Ue4,
    ];

    /// The header has no magic.
    #[must_use]
    pub const fn is_ue4(self) -> bool {
        matches!(self, Self::Ue4)
    }

    /// Store entries list shader maps.
    #[must_use]
    pub(crate) const fn has_shader_maps(self) -> bool {
        !self.is_ue4()
    }

    /// A count of packages precedes their ids.
    #[must_use]
    pub(crate) const fn has_package_count(self) -> bool {
        matches!(self, Self::Initial | Self::LocalizedPackages)
    }

    /// A second list of packages follows: optional segments.
    #[must_use]
    pub const fn has_optional_segments(self) -> bool {
        self as u8 >= Self::OptionalSegmentPackages as u8
    }

    /// Store entries count exports and export bundles.
    #[must_use]
    pub const fn has_export_counts(self) -> bool {
        (self as u8) < Self::NoExportInfo as u8
    }

    /// Soft references follow the redirects.
    #[must_use]
    pub const fn has_soft_references(self) -> bool {
        self as u8 >= Self::SoftPackageReferences as u8
    }

    /// Soft references are at a recorded offset.
    #[must_use]
    pub(crate) const fn has_soft_references_offset(self) -> bool {
        self as u8 >= Self::SoftPackageReferencesOffset as u8
    }
}
