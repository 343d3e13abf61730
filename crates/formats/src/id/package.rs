use super::hash;
use std::fmt;

/// A package id (`FPackageId`): the hash of a package name such as `/Game/Maps/Level`.
#[doc(alias = "FPackageId")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackageId(
    /// The hash.
    pub u64,
);

impl PackageId {
    /// Hashes a package name, without regard to case.
    #[must_use]
    pub fn from_name(name: &str) -> Self {
        Self(hash::lower_utf16(name))
    }
}

impl fmt::Display for PackageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#018x}", self.0)
    }
}

/// A reference to an object in any package (`FPackageObjectIndex`).
///
/// ```text
/// bits 63-62 │ 61 … 32                     31 … 0
/// 00 export  │ 0                           index of the export
/// 01 script  │ hash of the object's path
/// 10 package │ UE4: hash of the full path  UE5: imported package │ index of the public export hash
/// 11 null    │ all ones
/// ```
#[doc(alias = "FPackageObjectIndex")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackageObjectIndex(
    /// Stored number.
    pub u64,
);

/// Decoded [`PackageObjectIndex`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ObjectRef {
    /// Nothing: as an outer the package itself, as an import a package.
    Null,
    /// An export of the same package.
    Export(u32),
    /// A native object, by the hash of its path: a key into the script objects.
    Script(u64),
    /// An object of another package.
    Package(PackageImport),
    /// Damage: the kind bits mean null, but the rest is not all ones.
    Invalid,
}

/// The low 62 bits of a reference to another package; their meaning depends on the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PackageImport(
    /// The 62 bits.
    pub u64,
);

impl PackageImport {
    /// UE5: returns the index into the imported packages.
    #[must_use]
    pub const fn package(self) -> u32 {
        let [_, _, _, _, a, b, c, d] = self.0.to_le_bytes();
        u32::from_le_bytes([a, b, c, d])
    }

    /// UE5: returns the index into the imported public export hashes.
    #[must_use]
    pub const fn hash(self) -> u32 {
        let [a, b, c, d, ..] = self.0.to_le_bytes();
        u32::from_le_bytes([a, b, c, d])
    }
}

impl PackageObjectIndex {
    /// The null index.
    pub const NULL: Self = Self(u64::MAX);

    // The two top bits are the kind.
    const LOW: u64 = u64::MAX >> 2;

    /// Creates a reference to an export of the same package.
    #[must_use]
    pub const fn export(index: u32) -> Self {
        Self(index as u64)
    }

    /// Creates a reference to a native object by its path, such as `/Script/Engine.Actor`; `.` and `:` count
    /// as `/`.
    #[must_use]
    pub fn script(path: &str) -> Self {
        // The kind replaces the top two bits of the hash.
        Self(hash::lower_utf16(&path.replace(['.', ':'], "/")) & Self::LOW | 1 << 62)
    }

    /// UE4: creates a reference to an object of another package by its full path.
    #[must_use]
    pub(crate) fn global_import(path: &str) -> Self {
        Self(hash::lower_utf16(&path.replace(['.', ':'], "/")) & Self::LOW | 2 << 62)
    }

    /// UE5: creates a reference to an object of another package by two indices.
    #[must_use]
    pub const fn package_import(package: u32, hash: u32) -> Self {
        Self(2 << 62 | (package as u64) << 32 | hash as u64)
    }

    /// Decodes the number.
    #[must_use]
    pub fn decode(self) -> ObjectRef {
        let low = self.0 & Self::LOW;
        match self.0 >> 62 {
            // Export indices have 32 bits; anything above is damage.
            // Kinds 0 to 2 use the low bits, each in its own way.
            0 => u32::try_from(low).map_or(ObjectRef::Invalid, ObjectRef::Export),
            1 => ObjectRef::Script(low),
            2 => ObjectRef::Package(PackageImport(low)),
            _ if self == Self::NULL => ObjectRef::Null,
            _ => ObjectRef::Invalid,
        }
    }

    /// Returns true for the null index.
    #[must_use]
    pub fn is_null(self) -> bool {
        self == Self::NULL
    }
}

impl fmt::Display for PackageObjectIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#018x}", self.0)
    }
}

impl fmt::Debug for PackageObjectIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Returns the hash that identifies a public export since UE5: of its path inside the package, with `/`
/// between levels, without regard to case.
#[must_use]
pub fn public_export_hash(path: &str) -> u64 {
    hash::lower_utf16(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_vectors() {
        assert_eq!(PackageId::from_name("/Game/Maps/Example").0, 0xFC90_3945_F577_DA07);
        assert_eq!(PackageId::from_name("/engine/engineMaterials/defaultmaterial").0, 0xC04E_95A7_6B12_D3B4);
    }

    #[test]
    fn object_indices() {
        for (path, low) in [
            ("/Script/CoreUObject", 0x61FE_BF02_CDDE_2AF3),
            ("/Script/Engine.Texture2D", 0x5B93_BCA7_96D1_FA6F),
            ("/Script/Engine.Default__Texture2D", 0x6BFA_D34A_C8B1_F6D0),
            ("/Script/Engine.Actor:K2_DestroyActor", 0x71BF_D389_D739_7402),
        ] {
            assert_eq!(PackageObjectIndex::script(path).0, low, "{path}");
        }
        let global = PackageObjectIndex::global_import("/Engine/Engine_MI_Shaders/T_Emissive.T_Emissive");
        assert_eq!(global.0, 0xAA96_ED73_3C26_BABF);
        let ObjectRef::Package(import) = PackageObjectIndex::package_import(7, 9).decode() else { panic!() };
        assert_eq!((import.package(), import.hash()), (7, 9));
        assert_eq!(PackageObjectIndex(3 << 62).decode(), ObjectRef::Invalid);
        assert_eq!(PackageObjectIndex::NULL.decode(), ObjectRef::Null);
        assert_eq!(PackageObjectIndex::export(5).decode(), ObjectRef::Export(5));
        assert_eq!(PackageObjectIndex(1 << 40).decode(), ObjectRef::Invalid);
        assert_eq!(public_export_hash("DA_AllProperties"), 0xB5F4_625E_E8E7_4FEF);
    }
}
