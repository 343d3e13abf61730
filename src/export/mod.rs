//! Assets as files that people open.
//!
//! ```text
//! package ──► objects ──► asset::read ──► a writer for each kind ──► Sink
//!             (values)    (payloads)      texture: PNG, EXR, DDS, raw
//!                                         sound: WAV, Ogg, raw
//!                                         mesh, skeleton, animation: glTF
//!                                         font: TrueType, OpenType
//!                                         sound cue: JSON
//!                                         uncooked texture or sound: what it was made from
//!                                         Wwise: as it is
//! ```
//!
//! Each package is a task of its own on a worker, once its memory is paid for, with its bulk data. Packages without anything
//! that can be exported are counted by class; what should have been exported and was not is a failure with its reason.
//!
//! A gallery needs no files: it shows the numbers of each asset, and textures as small pictures.
//!
//! A new kind of asset: one module with a writer, and one arm in `write`, without which nothing compiles.

mod cue;
mod files;
mod font;
mod gallery;
mod job;
mod loose_media;
mod materials;
mod media;
mod model;
mod options;
mod other;
mod outcome;
mod sound;
mod source;
mod source_data;
mod texture;
mod wanted;
mod wwise;

pub use gallery::{GalleryAsset, THUMBNAIL_SIDE, gallery};
pub use job::{ExportInputs, export};
pub use loose_media::LooseMedia;
pub use media::media_files;
pub use options::{CubeForm, ExportForm, ExportOptions, Forms, Levels};
pub use outcome::{Exported, ExportedAssets, Left, WrittenFile};

use crate::asset::Asset;
use crate::error::Result;
use files::Files;
use materials::Materials;
use source::Source;

/// Writes an asset in the forms that are wanted. The text says what was not written, and why.
fn write(source: &Source<'_, '_>, materials: &Materials, files: &mut Files<'_>) -> Result<Option<String>> {
    let asset = &source.found.asset;
    if !source.options.forms.want_any(asset.kind().forms()) {
        return Ok(None);
    }
    // No arm for the rest: a kind that was added to the table of `asset` needs a writer here.
    match asset {
        Asset::Animation(animation) => model::animation(source, animation, files),
        Asset::Font(font) => font::write(source, font, files),
        Asset::MorphTarget(_) => Ok(None),
        Asset::SkeletalMesh(mesh) => model::skeletal_mesh(source, mesh, materials, files),
        Asset::Skeleton(skeleton) => model::skeleton(source, skeleton, files),
        Asset::Sound(sound) => sound::write(source, sound, files),
        Asset::SoundCue(cue) => cue::write(source, cue, files),
        Asset::Source(found) => source_data::write(source, found, files),
        Asset::StaticMesh(mesh) => model::static_mesh(source, mesh, materials, files),
        Asset::Texture(texture) => texture::write(source, texture, files),
        Asset::Wwise(file) => wwise::write(source, file, files),
    }
}
