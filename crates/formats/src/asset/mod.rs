//! Assets: payloads after the properties of exports, such as textures, sounds and meshes.
//!
//! ```text
//! export   properties │ has a GUID, GUID │ payload, to the last byte
//! ```
//!
//! [`read`] looks up the class of an export in a table. The reader of a class gets a [`Payload`]: a cursor at
//! the start of the payload, with the primitives that all readers share. It has to consume every byte, so
//! that a layout that is only nearly right is never accepted.
//!
//! Properties without tags cannot be decoded without mappings: the start of the payload is then searched for.
//! Data outside the export stay references, [`Bulk`].
//!
//! A new class takes one module with a reader and a summary, and one row in the table below. A new kind of
//! asset does not compile until every `match` on [`Asset`] has an arm for it, in other crates as well.
//!
//! Verified on cooked assets of 4.27 to 6.0. Source: the payload sheet, drawn from real files, and CUE4Parse.

mod bulk;
mod error;
mod fmodel;
mod form;
mod lookup;
mod payload;
mod reference;
mod releases;
mod search;
mod socket;
mod spline;
mod table;
mod transform;

pub mod animation;
pub mod collision;
pub mod document;
pub mod font;
pub mod geometry_cache;
pub mod geometry_collection;
pub mod gltf;
pub mod height_map;
pub mod material;
pub mod mesh;
pub mod morph_target;
pub mod skeleton;
pub mod sound;
pub mod sound_cue;
pub mod source_data;
pub mod source_mesh;
pub mod sprite;
pub mod texture;
pub mod wwise;

pub use animation::{Animation, AnimationSummary};
pub use bulk::{Bulk, BulkHeader, OwnHeader};
pub use collision::{CollisionBody, CollisionForm, CollisionShape};
pub use document::{Document, DocumentSummary};
pub use error::{AssetError, Reason};
pub use fmodel::Payloads;
pub use font::{FontFace, FontSummary};
pub use form::ExportForm;
pub use geometry_cache::{GeometryCache, GeometryCacheSummary, GeometryTrack, GeometryTrackSummary};
pub use geometry_collection::{GeometryCollection, GeometryCollectionSummary};
pub use height_map::{HeightMap, HeightMapSummary, HeightMip};
pub use lookup::{has_source, is_known, is_texture, read};
pub use material::{Material, MaterialSummary};
pub use mesh::{LodSummary, MeshSummary, SkeletalMesh, StaticMesh};
pub use morph_target::{MorphSummary, MorphTarget};
pub use payload::{Payload, StripFlags};
pub use releases::releases_that_read;
pub use search::FoundAsset;
pub use skeleton::{Skeleton, SkeletonSummary};
pub use socket::Socket;
pub use sound::{Sound, SoundSummary};
pub use sound_cue::{CueSummary, SoundCue};
pub use source_data::{SourceData, SourceSummary};
pub use source_mesh::SourceMesh;
pub use spline::{SplineBend, SplineEnd};
pub use sprite::{Sprite, SpriteSummary};
pub use texture::{MipSummary, Texture, TextureSummary};
pub use transform::Transform;
pub use wwise::{WwiseFile, WwiseSummary};

use crate::wire::Fault;
use texture::Shape;

/// Reads the payload of one class.
type ReadPayload = for<'s, 'a> fn(&mut Payload<'s, 'a>) -> Result<Asset<'a>, Fault>;

/// Class and its reader.
struct ClassRow {
    class: &'static str,
    kind: AssetKind,
    read: ReadPayload,
    /// Reader of the editor's data, which take the place of the cooked payload.
    read_uncooked: Option<ReadPayload>,
}

// Each kind: its type, its summary, its tag in JSON, its name in singular and plural, and its file formats.
// Inside: each class of the kind and its reader. Classes that extend one of these use the same row.
table::assets! {
    /// Motion of bones.
    Animation(Animation<'a>, AnimationSummary, "animation", "animation", "animations", [Gltf]) {
        "AnimSequence" => Animation::read();
    }
    /// Asset that consists of values.
    Document(Document, DocumentSummary, "document", "document", "documents", [Json, Gltf]) {
        "AnimComposite" => Document::read();
        "AnimMontage" => Document::read();
        "AimOffsetBlendSpace" => Document::read();
        "BlendSpace" => Document::read();
        "BlendSpaceBase" => Document::read();
        "Font" => Document::read();
        "IKRetargeter" => Document::read();
        "IKRigDefinition" => Document::read();
        "LevelSequence" => Document::read();
        "MapBuildDataRegistry" => Document::read();
        "MaterialFunctionInterface" => Document::read();
        "MaterialFunction" => Document::read();
        "MaterialParameterCollection" => Document::read();
        "MetaSoundPatch" => Document::read();
        "MetaSoundSource" => Document::read();
        "NiagaraEmitter" => Document::read();
        "NiagaraSystem" => Document::read();
        "ParticleSystem" => Document::read();
        "PaperFlipbook" => Document::read();
        "PhysicsAsset" => Document::read();
        "PoseAsset" => Document::read();
        "VectorFieldStatic" => Document::read();
    }
    /// Font.
    Font(FontFace<'a>, FontSummary, "font", "font", "fonts", [Ttf]) {
        "FontFace" => FontFace::read();
    }
    /// Meshes that change in each frame.
    GeometryCache(GeometryCache, GeometryCacheSummary, "geometry_cache", "geometry cache", "geometry caches", [Gltf]) {
        "GeometryCache" => GeometryCache::read();
    }
    /// Mesh of a geometry cache; exported in the file of its cache.
    GeometryTrack(GeometryTrack<'a>, GeometryTrackSummary, "geometry_track", "geometry track", "geometry tracks", []) {
        "GeometryCacheTrackStreamable" => GeometryTrack::read();
    }
    /// Pieces of an object that breaks.
    GeometryCollection(GeometryCollection<'a>, GeometryCollectionSummary, "geometry_collection", "geometry collection", "geometry collections", [Gltf]) {
        "GeometryCollection" => GeometryCollection::read();
    }
    /// Heights of a landscape; exported in the scene of its level.
    HeightMap(HeightMap<'a>, HeightMapSummary, "height_map", "height map", "height maps", []) {
        "LandscapeTextureStorageProviderFactory" => HeightMap::read();
    }
    /// Material, or an instance of one.
    Material(Material, MaterialSummary, "material", "material", "materials", [Json]) {
        "Material" => Material::read();
        "MaterialInstance" => Material::read();
        "MaterialInstanceConstant" => Material::read();
        "MaterialInstanceDynamic" => Material::read();
    }
    /// Motion of vertices from one shape to another; exported in the file of their mesh.
    MorphTarget(MorphTarget, MorphSummary, "morph_target", "morph target", "morph targets", []) {
        "MorphTarget" => MorphTarget::read();
    }
    /// Mesh whose vertices are moved by bones.
    SkeletalMesh(SkeletalMesh<'a>, MeshSummary, "mesh", "mesh", "meshes", [Gltf]) {
        "SkeletalMesh" => SkeletalMesh::read(), uncooked SourceMesh(SourceMesh::read_skeletal);
    }
    /// Hierarchy of bones.
    Skeleton(Skeleton, SkeletonSummary, "skeleton", "skeleton", "skeletons", [Gltf]) {
        "Skeleton" => Skeleton::read();
    }
    /// Sound.
    Sound(Sound<'a>, SoundSummary, "sound", "sound", "sounds", [Wav, Ogg, Json, Raw]) {
        "SoundWave" => Sound::read(), uncooked Source(SourceData::read_sound);
    }
    /// Graph that combines sounds.
    SoundCue(SoundCue, CueSummary, "sound_cue", "sound cue", "sound cues", [Json]) {
        "SoundCue" => SoundCue::read();
    }
    /// Imported data of an uncooked texture or sound. The rows of textures and sounds have the readers.
    Source(SourceData<'a>, SourceSummary, "source", "source", "sources", [Png, Exr, Wav, Raw]) {}
    /// Imported meshes of an uncooked mesh, whose row has the reader.
    SourceMesh(SourceMesh<'a>, MeshSummary, "source_mesh", "mesh", "meshes", [Gltf]) {}
    /// Rectangle of a texture.
    Sprite(Sprite, SpriteSummary, "sprite", "sprite", "sprites", [Png]) {
        "PaperSprite" => Sprite::read();
    }
    /// Mesh without bones.
    StaticMesh(StaticMesh<'a>, MeshSummary, "mesh", "mesh", "meshes", [Gltf]) {
        "StaticMesh" => StaticMesh::read(), uncooked SourceMesh(SourceMesh::read);
    }
    /// Image, or several.
    Texture(Texture<'a>, TextureSummary, "texture", "texture", "textures", [Png, Exr, Dds, Raw]) {
        "Texture2D" => Texture::read(Shape::Flat), uncooked Source(SourceData::read_texture);
        "TextureLightProfile" => Texture::read(Shape::Flat), uncooked Source(SourceData::read_texture);
        "CurveLinearColorAtlas" => Texture::read(Shape::Flat), uncooked Source(SourceData::read_texture);
        "TerrainWeightMapTexture" => Texture::read(Shape::Flat), uncooked Source(SourceData::read_texture);
        "VirtualTexture2D" => Texture::read(Shape::Flat), uncooked Source(SourceData::read_texture);
        "LightMapVirtualTexture2D" => Texture::read(Shape::Flat), uncooked Source(SourceData::read_texture);
        "LightMapTexture2D" => Texture::read_light_map(), uncooked Source(SourceData::read_texture);
        "ShadowMapTexture2D" => Texture::read(Shape::Flat), uncooked Source(SourceData::read_texture);
        "TextureCube" => Texture::read(Shape::Cube), uncooked Source(SourceData::read_texture);
        "TextureCubeArray" => Texture::read(Shape::CubeArray), uncooked Source(SourceData::read_texture);
        "Texture2DArray" => Texture::read(Shape::Array), uncooked Source(SourceData::read_texture);
        "VolumeTexture" => Texture::read(Shape::Volume), uncooked Source(SourceData::read_texture);
    }
    /// File of the Wwise sound engine.
    Wwise(WwiseFile<'a>, WwiseSummary, "wwise", "Wwise file", "Wwise files", [Raw]) {
        "AkAssetData" => WwiseFile::read_bank();
        "AkAssetDataSwitchContainer" => WwiseFile::read_bank();
        "AkAssetDataWithMedia" => WwiseFile::read_bank();
        "AkAudioEventData" => WwiseFile::read_bank();
        "AkInitBankAssetData" => WwiseFile::read_bank();
        "AkMediaAssetData" => WwiseFile::read_media();
    }
}
