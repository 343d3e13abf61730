use super::Guid;
use crate::version::CustomVersionKey;
use crate::wire::WireString;

/// `FCustomVersion`: a number that one part of the engine counts for itself.
#[doc(alias = "FCustomVersion")]
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct CustomVersion {
    /// Which part.
    pub key: Guid,
    /// The number.
    pub number: i32,
    /// Its name, which only old packages carry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<WireString>,
}

impl CustomVersion {
    /// The number of a part of the engine, if it is among these.
    pub(crate) fn number_of(versions: &[Self], key: CustomVersionKey) -> Option<i32> {
        let key = Guid(key.to_bytes());
        versions.iter().find(|version| version.key == key).map(|version| version.number)
    }
}
