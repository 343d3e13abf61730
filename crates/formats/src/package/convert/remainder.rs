//! What a zen package has and its legacy form cannot say.
//!
//! | part | lost where |
//! |---|---|
//! | length of the cooker's header | entries of preload dependencies are missing, or names stand for unknown ones |
//! | steps of loading and arcs | up to 5.2: a legacy package has the dependencies that these were made of |
//! | imported packages | UE4: nothing says in which package an unknown object is |
//! | the whole header | the packager did not follow the engine's rules |

use crate::id::PackageId;
use crate::package::zen::{Loading, text};

/// What a legacy package does not say: with it, [`to_zen`](super::to_zen) makes the zen package that there was before.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Remainder {
    /// Bytes of the header that the cooker wrote, as the zen package records them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cooked_header_len: Option<u32>,
    /// How the package is loaded (up to 5.2).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loading: Option<Loading>,
    /// The packages that it imports from, in the order that its import map refers to, where the header does not name them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported_packages: Option<Ids>,
    /// The header of the zen package, where it cannot be made again in any other way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<Bytes>,
}

/// Ids of packages, as hexadecimal numbers: JSON readers lose digits of large ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ids(pub Vec<PackageId>);

/// Bytes, as base64.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Bytes(#[serde(with = "text")] pub Vec<u8>);

impl Remainder {
    /// Whether the legacy package says everything.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        let Self { cooked_header_len, loading, imported_packages, header } = self;
        cooked_header_len.is_none() && loading.is_none() && imported_packages.is_none() && header.is_none()
    }

    /// Bytes of memory that it takes, about.
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
