use super::Guid;
use crate::version::CustomVersionKey;
use crate::wire::WireString;

/// A custom version (`FCustomVersion`): a version number counted by one part of the engine.
#[doc(alias = "FCustomVersion")]
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct CustomVersion {
    /// Part of the engine.
    pub key: Guid,
    /// Version number.
    pub number: i32,
    /// Friendly name, stored only in old packages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<WireString>,
}

impl CustomVersion {
    /// Returns the number of a part of the engine, if listed.
    pub(crate) fn number_of(versions: &[Self], key: CustomVersionKey) -> Option<i32> {
        let key = Guid(key.to_bytes());
        versions.iter().find(|version| version.key == key).map(|version| version.number)
    }
}
