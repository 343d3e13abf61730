use super::super::Bulk;
use crate::id::Guid;
use crate::property::guid_text;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

/// A vector.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Vector<T> {
    x: T,
    y: T,
    z: T,
}

impl<T> From<[T; 3]> for Vector<T> {
    fn from([x, y, z]: [T; 3]) -> Self {
        Self { x, y, z }
    }
}

/// A GUID as four groups.
pub(super) struct GuidText(pub Guid);

impl Serialize for GuidText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&guid_text(self.0))
    }
}

/// A piece of bulk data.
pub(super) struct BulkText<'b, 'a>(pub &'b Bulk<'a>);

impl Serialize for BulkText<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let record = &self.0.record;
        let names: Vec<String> = record.flags.names().map(|name| format!("BULKDATA_{name}")).collect();
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry(
            "BulkDataFlags",
            &if names.is_empty() { "0".to_owned() } else { names.join(" | ") },
        )?;
        map.serialize_entry("ElementCount", &record.raw_len)?;
        map.serialize_entry("SizeOnDisk", &record.len)?;
        map.serialize_entry("OffsetInFile", &format!("0x{:X}", record.offset))?;
        map.end()
    }
}
