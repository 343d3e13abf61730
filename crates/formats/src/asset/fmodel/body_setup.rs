//! `UBodySetup`: a shape for physics.
//!
//! ```text
//! payload   GUID │ bool32 cooked │ cooked: bool32 has data │ i32 n │ n × { Name format, bulk data }
//! ```
//!
//! Verified on 5.8. Source: CUE4Parse.

use super::super::{Bulk, Payload, search};
use super::parts::{BulkText, GuidText};
use crate::id::Guid;
use crate::package::legacy::Export;
use crate::property::{Object, Scope};
use crate::wire::{Fault, Reader};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use std::sync::Arc;

/// The payload of a shape.
pub(super) struct BodySetup<'a> {
    guid: Guid,
    /// Cooked shapes by the format of the physics engine.
    formats: Vec<(Arc<str>, Bulk<'a>)>,
}

impl<'a> BodySetup<'a> {
    /// Reads the payload of an export; `None` if it is none of this class, or if it has another layout.
    pub(super) fn of_object(scope: &Scope<'a>, export: &Export, object: &Object) -> Option<Self> {
        let classes = scope.classes(export.class);
        let class = classes.first().filter(|class| class.eq_ignore_ascii_case("BodySetup"))?;
        let bytes = scope.bytes(export)?;
        let at = bytes.len() - object.rest.len();
        search::candidates(scope).into_iter().find_map(|versions| {
            let r = Reader::at(bytes, at as u64, "payload").ok()?;
            let mut payload = Payload { scope, export, object, class, versions, r };
            let found = Self::read(&mut payload).ok()?;
            payload.r.finish("payload").ok()?;
            Some(found)
        })
    }

    fn read(payload: &mut Payload<'_, 'a>) -> Result<Self, Fault> {
        let guid = payload.r.array("GUID of a shape").map(Guid)?;
        if !payload.r.bool32("cooked")? {
            return Ok(Self { guid, formats: Vec::new() });
        }
        payload.r.bool32("has cooked data")?;
        let count = payload.r.count("formats of a shape", 12)?;
        let format = |payload: &mut Payload<'_, 'a>| Ok((payload.name_text("format")?, payload.bulk()?));
        let formats = (0..count).map(|_| format(payload)).collect::<Result<_, Fault>>()?;
        Ok(Self { guid, formats })
    }

    /// Writes its entries in FModel's form.
    pub(super) fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("BodySetupGuid", &GuidText(self.guid))?;
        if self.formats.is_empty() { Ok(()) } else { map.serialize_entry("CookedFormatData", &Formats(self)) }
    }
}

struct Formats<'b, 'a>(&'b BodySetup<'a>);

impl Serialize for Formats<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.formats.iter().map(|(name, bulk)| (&**name, BulkText(bulk))))
    }
}
