use std::fmt;

/// Version of an asset registry (`FAssetRegistryVersion`), 0 to 24.
#[doc(alias = "FAssetRegistryVersion")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(transparent)]
pub struct AssetRegistryVersion(u32);

/// Unreal's names of the versions, by number; no public source has names for the later ones.
const NAMES: [&str; 23] = [
    "PreVersioning",
    "HardSoftDependencies",
    "AddAssetRegistryState",
    "ChangedAssetData",
    "RemovedMD5Hash",
    "AddedHardManage",
    "AddedCookedMD5Hash",
    "AddedDependencyFlags",
    "FixedTags",
    "WorkspaceDomain",
    "PackageImportedClasses",
    "PackageFileSummaryVersionChange",
    "ObjectResourceOptionalVersionChange",
    "AddedChunkHashes",
    "ClassPaths",
    "RemoveAssetPathFNames",
    "AddedHeader",
    "AssetPackageDataHasExtension",
    "AssetPackageDataHasPackageLocation",
    "MarshalledTextAsUTF8String",
    "PackageSavedHash",
    "ExternalActorToWorldIsEditorOnly",
    "ManageDependenciesCookRule",
];

impl AssetRegistryVersion {
    /// Newest known version.
    pub const NEWEST: Self = Self(24);

    /// Version of a file without the GUID, from before versions were recorded.
    pub const UNVERSIONED: Self = Self(0);

    /// First sixteen bytes of a registry, 717F9EE7-E9B0493A-88B39132-1B388107.
    pub const GUID: [u8; 16] =
        [0xE7, 0x9E, 0x7F, 0x71, 0x3A, 0x49, 0xB0, 0xE9, 0x32, 0x91, 0xB3, 0x88, 0x07, 0x81, 0x38, 0x1B];

    /// Creates a version from the stored number. Numbers beyond the newest known one get the newest layout.
    #[must_use]
    pub const fn from_wire(version: u32) -> Self {
        Self(version)
    }

    /// Iterates over all known versions, oldest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..=Self::NEWEST.0).map(Self)
    }

    /// Returns the stored number.
    #[must_use]
    pub const fn to_wire(self) -> u32 {
        self.0
    }

    /// Returns true if the layout is known.
    #[must_use]
    pub const fn is_known(self) -> bool {
        self.0 <= Self::NEWEST.0
    }

    /// Returns Unreal's name of the version.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        NAMES.get(self.0 as usize).copied()
    }

    /// Names are written in full where they are used, and there are no offsets.
    #[must_use]
    pub(crate) const fn has_names_in_place(self) -> bool {
        self.0 < 2
    }

    /// Assets have the flags of their package, and lists of dependencies follow.
    #[must_use]
    pub(crate) const fn has_dependencies(self) -> bool {
        self.0 >= 1
    }

    /// Assets name a group.
    #[must_use]
    pub(crate) const fn has_groups(self) -> bool {
        self.0 < 4
    }

    /// The data after the assets is known; before, packages had one more hash.
    #[must_use]
    pub(crate) const fn has_known_dependencies(self) -> bool {
        self.0 >= 4
    }

    /// Hard manage dependencies have a separate list.
    #[must_use]
    pub(crate) const fn has_hard_manage(self) -> bool {
        self.0 >= 5
    }

    /// Packages have the MD5 hash of their cooked form.
    #[must_use]
    pub(crate) const fn has_cooked_hash(self) -> bool {
        self.0 >= 6
    }

    /// Dependencies carry property bits, in a section with a recorded size.
    #[must_use]
    pub(crate) const fn has_dependency_flags(self) -> bool {
        self.0 >= 7
    }

    /// A name batch and a tag store come first; before, a name table at an offset, and tags with each asset.
    #[must_use]
    pub(crate) const fn has_tag_store(self) -> bool {
        self.0 >= 8
    }

    /// Packages have the versions of their last saving.
    #[must_use]
    pub(crate) const fn has_file_versions(self) -> bool {
        self.0 >= 9
    }

    /// Packages list the classes that they import.
    #[must_use]
    pub(crate) const fn has_imported_classes(self) -> bool {
        self.0 >= 10
    }

    /// The file version of a package has a number for UE5.
    #[must_use]
    pub(crate) const fn has_ue5_file_version(self) -> bool {
        self.0 >= 11
    }

    /// Packages have the hashes of their chunks.
    #[must_use]
    pub(crate) const fn has_chunk_hashes(self) -> bool {
        self.0 >= 13
    }

    /// Classes, and assets of bundles, are two names: a package and an object.
    #[must_use]
    pub(crate) const fn has_class_paths(self) -> bool {
        self.0 >= 14
    }

    /// Assets have the name of their full path.
    #[must_use]
    pub(crate) const fn has_object_paths(self) -> bool {
        self.0 < 15
    }

    /// Assets have the name of their outer, unless editor-only data was stripped.
    #[must_use]
    pub(crate) const fn has_outer_paths(self) -> bool {
        self.0 >= 15
    }

    /// A header records if editor-only data was stripped.
    #[must_use]
    pub(crate) const fn has_header(self) -> bool {
        self.0 >= 16
    }

    /// Packages have the extension of their file.
    #[must_use]
    pub const fn has_extension(self) -> bool {
        self.0 >= 17
    }

    /// Packages record their location, according to public readers. Files of version 24 do not; the version
    /// that dropped it is unknown.
    #[must_use]
    pub(crate) const fn has_location(self) -> bool {
        // No files of 18 to 23 are available to narrow this down.
        self.may_have_location() && self.0 < 24
    }

    /// Packages may record their location.
    #[must_use]
    pub(crate) const fn may_have_location(self) -> bool {
        self.0 >= 18
    }

    /// Texts are UTF-8 without a terminator.
    #[must_use]
    pub(crate) const fn has_utf8_texts(self) -> bool {
        self.0 >= 19
    }

    /// Packages have a 20-byte hash in place of a GUID.
    #[must_use]
    pub const fn has_saved_hash(self) -> bool {
        self.0 >= 20
    }

    /// The tag store and its tables start at multiples of 16 bytes, counted in the file.
    #[must_use]
    pub(crate) const fn has_aligned_store(self) -> bool {
        self.0 >= 24
    }

    /// Returns the number of bits per manage dependency.
    #[must_use]
    pub(crate) const fn manage_flag_width(self) -> u32 {
        if self.0 >= 22 { 3 } else { 1 }
    }
}

impl fmt::Display for AssetRegistryVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
