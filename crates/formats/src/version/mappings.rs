/// Version of a `.usmap` file (`EUsmapVersion`). The versions belong to the tools that write it, not to
/// engine releases.
#[doc(alias = "EUsmapVersion")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum UsmapVersion {
    /// Names, enums and structs.
    Initial = 0,
    /// The versions of the game's packages may be recorded.
    PackageVersioning = 1,
    /// Lengths of names have 16 bits instead of 8.
    LongFName = 2,
    /// Counts of enum values have 16 bits instead of 8.
    LargeEnums = 3,
    /// Enum values are recorded instead of counted.
    ExplicitEnumValues = 4,
    /// The engine's version may be recorded.
    EngineVersioning = 5,
    /// Creator of the file, packages, flags, and wider counts.
    ExtendedMetadata = 6,
}

counted!(UsmapVersion:
    Initial, PackageVersioning, LongFName, LargeEnums, ExplicitEnumValues, EngineVersioning, ExtendedMetadata
);

impl UsmapVersion {
    /// A flag records if package versions follow.
    #[must_use]
    pub const fn has_package_versions(self) -> bool {
        self.to_wire() >= Self::PackageVersioning as u8
    }

    /// Lengths of names have 16 bits.
    #[must_use]
    pub(crate) const fn has_long_names(self) -> bool {
        self.to_wire() >= Self::LongFName as u8
    }

    /// Counts of enum values have 16 bits.
    #[must_use]
    pub(crate) const fn has_large_enums(self) -> bool {
        self.to_wire() >= Self::LargeEnums as u8
    }

    /// Each enum value is recorded.
    #[must_use]
    pub(crate) const fn has_explicit_values(self) -> bool {
        self.to_wire() >= Self::ExplicitEnumValues as u8
    }

    /// The engine's version comes before those of packages.
    #[must_use]
    pub const fn has_engine_version(self) -> bool {
        self.to_wire() >= Self::EngineVersioning as u8
    }

    /// The creator of the file is recorded; enums and structs have packages, structs and properties have
    /// flags, and the counts of properties and elements are wider.
    #[must_use]
    pub(crate) const fn has_extended_metadata(self) -> bool {
        self.to_wire() >= Self::ExtendedMetadata as u8
    }
}
