//! Places of actors and components in JSON documents.

use super::each::PackageJob;
use super::levels::LevelReader;
use super::loaded::Loaded;
use crate::asset::Transform;
use crate::package::legacy::Export;
use crate::property::Object;
use crate::property::json::Additions;
use serde::Serialize;
use serde::ser::SerializeMap;
use std::collections::HashMap;

/// Places by export. An actor is where its root component is.
#[derive(Default)]
pub(super) struct Places(HashMap<u32, Transform>);

impl Places {
    /// The places in the level of a package; none if it has no level.
    pub(super) fn new(reader: &LevelReader, job: &PackageJob, loaded: &Loaded) -> Self {
        let Some(level) = reader.read(job, loaded, &|_, _| ()) else { return Self::default() };
        let components = level.components.iter().map(|of| (of.component.export, of.place));
        let actors = level.actors.iter().filter_map(|actor| {
            let root = level.components.get(actor.root?)?;
            Some((actor.export, root.place))
        });
        Self(components.chain(actors).collect())
    }
}

/// `FTransform`, with FModel's names.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Shown {
    rotation: ShownParts,
    translation: ShownParts,
    #[serde(rename = "Scale3D")]
    scale: ShownParts,
}

/// A vector or a quaternion.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct ShownParts {
    x: f64,
    y: f64,
    z: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    w: Option<f64>,
}

impl Additions for Places {
    fn write<M: SerializeMap>(
        &self,
        place: u32,
        _: &Export,
        _: &Object,
        map: &mut M,
    ) -> Result<(), M::Error> {
        let Some(found) = self.0.get(&place) else { return Ok(()) };
        let vector = |[x, y, z]: [f64; 3]| ShownParts { x, y, z, w: None };
        let [x, y, z, w] = found.rotation;
        let rotation = ShownParts { x, y, z, w: Some(w) };
        let shown = Shown { rotation, translation: vector(found.translation), scale: vector(found.scale) };
        map.serialize_entry("WorldTransform", &shown)
    }
}
