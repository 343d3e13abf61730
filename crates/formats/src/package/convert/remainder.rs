//! Facts of a zen package that its legacy form cannot express.
//!
//! | part | lost when |
//! |---|---|
//! | length of the cooker's header | preload dependencies are missing, or placeholder names were added |
//! | loading steps and arcs | up to 5.2: a legacy package has the dependencies from which they were built |
//! | imported packages | UE4: the package of an unknown object is not recorded |
//! | the whole header | the packager did not follow the engine's rules |

use crate::id::PackageId;
use crate::package::zen::{Loading, text};

/// Facts missing from a legacy package: with them, [`to_zen`](super::to_zen) restores the original zen
/// package.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Remainder {
    /// Length in bytes of the cooker's header, as recorded in the zen package.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cooked_header_len: Option<u32>,
    /// Loading steps and arcs (up to 5.2).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loading: Option<Loading>,
    /// Imported packages in the order that the import map refers to, if the header does not name them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported_packages: Option<Ids>,
    /// Header of the zen package, if it cannot be restored otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<Bytes>,
}

/// Package ids as hexadecimal numbers: JSON readers lose digits of large integers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ids(pub Vec<PackageId>);

/// Bytes in base64.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Bytes(#[serde(with = "text")] pub Vec<u8>);

impl Remainder {
    /// Returns true if the legacy package is complete without it.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        // Destructured, so that a new field cannot be forgotten here.
        let Self { cooked_header_len, loading, imported_packages, header } = self;
        cooked_header_len.is_none() && loading.is_none() && imported_packages.is_none() && header.is_none()
    }

    /// Estimates its memory in bytes.
    pub(super) fn memory_len(&self) -> usize {
        let loading = self.loading.as_ref().map_or(0, |loading| loading.steps.len() + loading.graph.len());
        let ids = self.imported_packages.as_ref().map_or(0, |ids| size_of_val(ids.0.as_slice()));
        loading + ids + self.header.as_ref().map_or(0, |header| header.0.len())
    }
}

impl serde::Serialize for Ids {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|id| format!("{:016x}", id.0)))
    }
}

impl<'de> serde::Deserialize<'de> for Ids {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let texts = <Vec<String> as serde::Deserialize>::deserialize(deserializer)?;
        let id =
            |text: &String| u64::from_str_radix(text, 16).map(PackageId).map_err(serde::de::Error::custom);
        texts.iter().map(id).collect::<Result<_, _>>().map(Self)
    }
}
