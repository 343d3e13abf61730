//! Which classes are read, and by what: one row each.

use super::animation::Animation;
use super::font::FontFace;
use super::mesh::{SkeletalMesh, StaticMesh};
use super::morph_target::MorphTarget;
use super::payload::Payload;
use super::skeleton::Skeleton;
use super::sound::Sound;
use super::sound_cue::SoundCue;
use super::source_data::SourceData;
use super::texture::{self, Shape, Texture};
use super::wwise::WwiseFile;
use crate::id::PackageObjectIndex;
use crate::package::legacy::Export;
use crate::package::placeholder;
use crate::property::Scope;
use crate::wire::Fault;
use std::sync::Arc;

/// An asset, by what it is.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Asset<'a> {
    /// How bones move.
    Animation(Box<Animation<'a>>),
    /// A font.
    Font(FontFace<'a>),
    /// How vertices move from one shape to another.
    MorphTarget(Box<MorphTarget>),
    /// A mesh whose vertices are moved by bones.
    SkeletalMesh(Box<SkeletalMesh<'a>>),
    /// Bones.
    Skeleton(Box<Skeleton>),
    /// A sound.
    Sound(Box<Sound<'a>>),
    /// Sounds, and how they are put together.
    SoundCue(Box<SoundCue>),
    /// What an uncooked texture or sound was made from.
    Source(Box<SourceData<'a>>),
    /// A mesh that does not move by itself.
    StaticMesh(Box<StaticMesh<'a>>),
    /// A picture, or several.
    Texture(Box<Texture<'a>>),
    /// A file that Wwise plays.
    Wwise(WwiseFile<'a>),
}

/// Classes that extend one of the table, but are described by properties alone: a MetaSound has no audio of its own.
const WITHOUT_PAYLOAD: [&str; 1] = ["MetaSoundSource"];

/// The bits of a hash that say what it is of.
const LOW: u64 = (1 << 62) - 1;

/// Reads the payload of one class.
pub(super) type Read = for<'s, 'a> fn(&mut Payload<'s, 'a>) -> Result<Asset<'a>, Fault>;

/// A class, and what reads it.
type Row = (&'static str, Read);

/// The classes. What extends one of them is read as the class that it extends.
const CLASSES: &[Row] = &[
    ("AkAssetData", |p| WwiseFile::read_bank(p).map(Asset::Wwise)),
    ("AkAssetDataSwitchContainer", |p| WwiseFile::read_bank(p).map(Asset::Wwise)),
    ("AkAssetDataWithMedia", |p| WwiseFile::read_bank(p).map(Asset::Wwise)),
    ("AkAudioEventData", |p| WwiseFile::read_bank(p).map(Asset::Wwise)),
    ("AkInitBankAssetData", |p| WwiseFile::read_bank(p).map(Asset::Wwise)),
    ("AkMediaAssetData", |p| WwiseFile::read_media(p).map(Asset::Wwise)),
    ("AnimSequence", |p| Animation::read(p).map(|found| Asset::Animation(Box::new(found)))),
    ("FontFace", |p| FontFace::read(p).map(Asset::Font)),
    ("MorphTarget", |p| MorphTarget::read(p).map(|found| Asset::MorphTarget(Box::new(found)))),
    ("SkeletalMesh", |p| SkeletalMesh::read(p).map(|found| Asset::SkeletalMesh(Box::new(found)))),
    ("Skeleton", |p| Skeleton::read(p).map(|found| Asset::Skeleton(Box::new(found)))),
    ("SoundCue", |p| SoundCue::read(p).map(|found| Asset::SoundCue(Box::new(found)))),
    ("SoundWave", sound),
    ("StaticMesh", |p| StaticMesh::read(p).map(|found| Asset::StaticMesh(Box::new(found)))),
];

/// The classes of textures.
const TEXTURES: &[Row] = &[
    ("Texture2D", |p| texture(p, Shape::Flat)),
    ("TextureLightProfile", |p| texture(p, Shape::Flat)),
    ("CurveLinearColorAtlas", |p| texture(p, Shape::Flat)),
    ("TerrainWeightMapTexture", |p| texture(p, Shape::Flat)),
    ("VirtualTexture2D", |p| texture(p, Shape::Flat)),
    ("LightMapVirtualTexture2D", |p| texture(p, Shape::Flat)),
    ("LightMapTexture2D", light_map),
    ("ShadowMapTexture2D", |p| texture(p, Shape::Flat)),
    ("TextureCube", |p| texture(p, Shape::Cube)),
    ("TextureCubeArray", |p| texture(p, Shape::CubeArray)),
    ("Texture2DArray", |p| texture(p, Shape::Array)),
    ("VolumeTexture", |p| texture(p, Shape::Volume)),
];

fn texture<'a>(p: &mut Payload<'_, 'a>, shape: Shape) -> Result<Asset<'a>, Fault> {
    if SourceData::is_of(p) {
        source(SourceData::read_texture(p))
    } else {
        texture::read(p, shape).map(boxed)
    }
}

fn light_map<'a>(p: &mut Payload<'_, 'a>) -> Result<Asset<'a>, Fault> {
    if SourceData::is_of(p) {
        source(SourceData::read_texture(p))
    } else {
        texture::read_light_map(p).map(boxed)
    }
}

fn sound<'a>(p: &mut Payload<'_, 'a>) -> Result<Asset<'a>, Fault> {
    if SourceData::is_of(p) {
        return source(SourceData::read_sound(p));
    }
    Sound::read(p).map(|found| Asset::Sound(Box::new(found)))
}

fn source(found: Result<SourceData<'_>, Fault>) -> Result<Asset<'_>, Fault> {
    found.map(|found| Asset::Source(Box::new(found)))
}

fn boxed(texture: Texture<'_>) -> Asset<'_> {
    Asset::Texture(Box::new(texture))
}

fn table() -> impl Iterator<Item = &'static Row> {
    CLASSES.iter().chain(TEXTURES)
}

/// The class of an export, and what reads it: a class that it extends, if need be.
pub(super) fn class_of(scope: &Scope<'_>, export: &Export) -> Option<(Arc<str>, Read)> {
    let (class, (_, read)) = row_of(scope, export)?;
    Some((class, *read))
}

/// Whether the class of an export is one of textures.
pub(super) fn is_texture(scope: &Scope<'_>, export: &Export) -> bool {
    let row = row_of(scope, export);
    row.is_some_and(|(_, (class, _))| TEXTURES.iter().any(|(texture, _)| texture == class))
}

fn row_of(scope: &Scope<'_>, export: &Export) -> Option<(Arc<str>, &'static Row)> {
    let classes = scope.classes(export.class);
    let own = classes.first()?;
    if let Some(index) = placeholder::script_index(own) {
        return of_hash(index);
    }
    let row = |class: &Arc<str>| table().find(|(name, _)| name.eq_ignore_ascii_case(class));
    let has_payload =
        |class: &&Arc<str>| !WITHOUT_PAYLOAD.iter().any(|name| name.eq_ignore_ascii_case(class));
    Some((Arc::clone(own), classes.iter().take_while(has_payload).find_map(row)?))
}

/// The class of a hash: without script objects, nothing else is known of a class. Those of the engine are in one package.
fn of_hash(index: PackageObjectIndex) -> Option<(Arc<str>, &'static Row)> {
    let is_it =
        |class: &str| PackageObjectIndex::script(&format!("/Script/Engine.{class}")).0 & LOW == index.0 & LOW;
    table().find(|(class, _)| is_it(class)).map(|row| (Arc::from(row.0), row))
}
