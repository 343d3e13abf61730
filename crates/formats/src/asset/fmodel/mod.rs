//! Payloads of assets as entries of a package's JSON, in FModel's form.
//!
//! ```text
//! Texture2D     SizeX, SizeY, PackedData, PixelFormat, FirstMipToSerialize, Mips
//! StaticMesh    BodySetup, NavCollision, LightingGuid, RenderData
//! SkeletalMesh  ImportedBounds, Materials, LODModels
//! Skeleton      ReferenceSkeleton, Guid
//! MorphTarget   MorphLODModels
//! AnimSequence  CompressedTrackToSkeletonMapTable, CompressedDataStructure, CompressedRawDataSize
//! BodySetup     BodySetupGuid, CookedFormatData
//! ```
//!
//! Pixels, vertices and keys are left out, as FModel leaves them out. Keys are those of CUE4Parse.

mod body_setup;
mod bones;
mod meshes;
mod parts;
mod textures;

use super::Asset;
use crate::package::legacy::Export;
use crate::property::json::Additions;
use crate::property::{Object, Scope};
use body_setup::BodySetup;
use serde::ser::SerializeMap;

/// Payloads as entries of assets in a package's JSON.
#[derive(Debug, Clone, Copy)]
pub struct Payloads<'s, 'a>(&'s Scope<'a>);

impl<'s, 'a> Payloads<'s, 'a> {
    /// The payloads of a package.
    #[must_use]
    pub const fn new(scope: &'s Scope<'a>) -> Self {
        Self(scope)
    }
}

impl Additions for Payloads<'_, '_> {
    fn write<M: SerializeMap>(
        &self,
        _: u32,
        export: &Export,
        object: &Object,
        map: &mut M,
    ) -> Result<(), M::Error> {
        // Where the properties end is where the payload starts; without them it would have to be searched for.
        if object.properties.is_none() || object.problem.is_some() {
            return Ok(());
        }
        let scope = self.0;
        if let Some(body) = BodySetup::of_object(scope, export, object) {
            return body.write(map);
        }
        match super::read(scope, export, object) {
            Some(Ok(found)) => match &found.asset {
                Asset::Texture(texture) => texture.write_json(map),
                Asset::StaticMesh(mesh) => mesh.write_json(scope, map),
                Asset::SkeletalMesh(mesh) => mesh.write_json(scope, map),
                Asset::Skeleton(skeleton) => skeleton.write_json(map),
                Asset::MorphTarget(target) => target.write_json(map),
                Asset::Animation(animation) => animation.write_json(map),
                _ => Ok(()),
            },
            // An addition to FModel's form, which silently omits what it cannot read.
            Some(Err(error)) if scope.package.form.cooked => {
                map.serialize_entry("Problem", &error.to_string())
            }
            None | Some(Err(_)) => Ok(()),
        }
    }
}
