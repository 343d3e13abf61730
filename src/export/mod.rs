//! Exports assets in common file formats.
//!
//! ```text
//! package ──► objects ──► asset::read ──► a writer for each kind ──► Sink
//!             (values)    (payloads)      texture: PNG, EXR, DDS, raw
//!                                         sound: WAV, Ogg, raw
//!                                         mesh, skeleton, animation: glTF
//!                                         sprite: PNG, cut out of its texture
//!                                         font: TrueType, OpenType
//!                                         sound cue, material, document of values: JSON
//!                                         table, curve, enum: CSV
//!                                         uncooked texture, sound or static mesh: what was imported
//!                                         Wwise: copied
//!                         level: one glTF with all meshes, lights and cameras, when asked for
//! ```
//!
//! Each package is its own task on a worker, started once its memory and that of its bulk data is paid for. Packages
//! without exportable assets are counted by class; an asset that should have been exported and was not is a failure
//! with its reason.
//!
//! A gallery needs no files: it has a summary of each asset, and thumbnails of textures.
//!
//! A new kind of asset: one module with a writer, and one arm in `write`, without which nothing compiles.

mod asker;
mod cue;
mod document;
mod exporter;
mod files;
mod font;
mod gallery;
mod geometry_cache;
mod inner;
mod job;
mod loose_media;
mod material;
mod materials;
mod media;
mod model;
mod nanite;
mod options;
mod other;
mod outcome;
mod scene;
mod sound;
mod source;
mod source_data;
mod sprite;
#[cfg(feature = "csv")]
mod table;
mod texture;
mod wanted;
mod wwise;

pub use gallery::{GalleryAsset, THUMBNAIL_SIDE, gallery};
pub use job::{ExportInputs, export};
pub use loose_media::LooseMedia;
pub use media::media_files;
pub use options::{
    CubeForm, ExportForm, ExportOptions, Forms, HeightForm, InstanceForm, Levels, NaniteDetail, SceneOptions,
};
pub use outcome::{Exported, ExportedAssets, Left, WrittenFile};
pub use scene::{SceneCounts, UnshownReason};

use crate::asset::Asset;
use crate::error::Result;
use files::Files;
use materials::Materials;
use source::Source;

/// Writes an asset in the requested forms. The text says what was not written, and why.
fn write(source: &Source<'_, '_>, materials: &Materials, files: &mut Files<'_>) -> Result<Option<String>> {
    let asset = &source.found.asset;
    // Nothing of this kind is requested: spare the decoding.
    if !source.options.forms.want_any(asset.kind().forms()) {
        return Ok(None);
    }
    // No catch-all arm: a kind added to `asset` must not compile until it has a writer here.
    match asset {
        Asset::Animation(animation) => model::animation(source, animation, files),
        Asset::Document(_) => document::write(source, files),
        Asset::Font(font) => font::write(source, font, files),
        Asset::GeometryCache(found) => geometry_cache::write(source, found, materials, files),
        Asset::GeometryCollection(found) => model::geometry_collection(source, found, materials, files),
        Asset::Material(material) => material::write(source, material, materials, files),
        // Morph targets are written with their mesh, tracks with their cache, heights in the scene of their level.
        Asset::MorphTarget(_) | Asset::GeometryTrack(_) | Asset::HeightMap(_) => Ok(None),
        Asset::SkeletalMesh(mesh) => model::skeletal_mesh(source, mesh, materials, files),
        Asset::Skeleton(skeleton) => model::skeleton(source, skeleton, files),
        Asset::Sound(sound) => sound::write(source, sound, files),
        Asset::SoundCue(cue) => cue::write(source, cue, files),
        Asset::Source(found) => source_data::write(source, found, files),
        Asset::SourceMesh(mesh) => model::source_mesh(source, mesh, materials, files),
        Asset::Sprite(sprite) => Ok(sprite::write(source, sprite, materials, files)),
        Asset::StaticMesh(mesh) => model::static_mesh(source, mesh, materials, files),
        Asset::Texture(texture) => texture::write(source, texture, files),
        Asset::Wwise(file) => wwise::write(source, file, files),
    }
}
