//! `UGeometryCache`: meshes that change in each frame.
//!
//! The cache itself is values: its tracks, which are objects inside it, and materials. See [`GeometryTrack`] for what they hold, and
//! [`CacheMesh`] for a frame.

mod frame;
mod track;

pub use frame::{CacheBatch, CacheMesh};
pub use track::{GeometryTrack, GeometryTrackSummary, TrackChunk, TrackSample};

use super::Payload;
use crate::package::legacy::PackageIndex;
use crate::property::{FromValue, Object, Scope, Value};
use crate::wire::{Fault, FaultKind, counted};
use std::fmt;

/// `UGeometryCache`: meshes that change in each frame.
#[doc(alias = "UGeometryCache")]
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GeometryCache {
    /// Tracks, each with a mesh.
    pub tracks: Vec<PackageIndex>,
    /// Materials of all tracks, one track after the other.
    pub materials: Vec<PackageIndex>,
}

impl GeometryCache {
    pub(super) fn read(payload: &mut Payload<'_, '_>) -> Result<Self, Fault> {
        if payload.object.properties.is_none() {
            // A payload without bytes is found anywhere.
            let kind = FaultKind::TooSmall { found: 0, limit: 1 };
            return Err(payload.r.fault("tracks of a geometry cache", kind));
        }
        let objects = |name: &str| -> Vec<PackageIndex> {
            let found: Option<&Value> =
                payload.object.find(payload.scope, name).and_then(|found| found.value);
            let items = found.and_then(Value::items).unwrap_or_default().iter();
            items.map(|value| PackageIndex::from_value(value).unwrap_or_default()).collect()
        };
        Ok(Self { tracks: objects("Tracks"), materials: objects("Materials") })
    }

    pub(crate) fn summary(&self, _: &Scope<'_>, _: &Object) -> GeometryCacheSummary {
        GeometryCacheSummary { tracks: self.tracks.len(), materials: self.materials.len() }
    }
}

/// Summary of a geometry cache.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct GeometryCacheSummary {
    /// Number of tracks.
    pub tracks: usize,
    /// Number of materials.
    pub materials: usize,
}

impl fmt::Display for GeometryCacheSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "geometry cache: {}", counted(self.tracks as u64, "track", "tracks"))
    }
}
