//! Assets that consist of values, such as montages, blend spaces and sequences: a document has all of them.
//!
//! ```text
//! payload   bytes of the class, as far as it has any: kept out of the document unless the values include them
//! ```
//!
//! Verified on 5.1, 5.4 and 5.8. Source: the properties of these files.

use super::Payload;
use crate::property::{Object, Scope};
use crate::wire::{Fault, counted};
use std::fmt;

/// Asset that consists of the properties of its object and of those inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Document;

impl Document {
    pub(super) fn read(payload: &mut Payload<'_, '_>) -> Result<Self, Fault> {
        payload.r.bytes("payload of values", payload.r.remaining())?;
        Ok(Self)
    }
}

/// Summary of an asset that consists of values.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct DocumentSummary {
    /// Number of properties.
    pub properties: usize,
}

impl Document {
    #[expect(clippy::unused_self, reason = "every kind of asset has this method")]
    pub(crate) fn summary(self, scope: &Scope<'_>, object: &Object) -> DocumentSummary {
        let list = object.properties.as_ref();
        DocumentSummary { properties: list.map_or(0, |list| list.members(scope.package).count()) }
    }
}

impl fmt::Display for DocumentSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "document: {}", counted(self.properties as u64, "property", "properties"))
    }
}
