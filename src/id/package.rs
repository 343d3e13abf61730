use super::hash;
use std::fmt;

/// `FPackageId`: the hash of a package name such as `/Game/Maps/Level`.
#[doc(alias = "FPackageId")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackageId(
    /// The hash.
    pub u64,
);

impl PackageId {
    /// The id of a package name; letter case does not matter.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_vectors() {
        assert_eq!(PackageId::from_name("/Game/Maps/Example").0, 0xFC90_3945_F577_DA07);
        assert_eq!(PackageId::from_name("/engine/engineMaterials/defaultmaterial").0, 0xC04E_95A7_6B12_D3B4);
    }
}
