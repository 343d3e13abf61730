//! What an asset is, in a few numbers.

use super::animation::Animation;
use super::bulk::Bulk;
use super::mesh::{SkeletalMesh, StaticMesh};
use super::sound::{Facts, Sound};
use super::source_data::{SourceData, SourceKind, SourcePlace};
use super::table::Asset;
use super::texture::Texture;
use crate::image::PixelFormat;
use crate::package::bulk::BulkPlace;
use crate::property::{Object, Scope};
use crate::wire::counted;
use std::fmt;

/// What an asset is. What is not known without files beside the package, or without its properties, is left out.
///
/// ```
/// use uncask_formats::asset::{LodSummary, Summary};
///
/// let lod = LodSummary { vertices: Some(24), triangles: Some(12) };
/// let cube = Summary::Mesh { lods: vec![lod], materials: 1, bones: None, nanite_triangles: None };
/// assert_eq!(cube.to_string(), "mesh: LOD 0 has 24 vertices, 12 triangles; 1 material");
/// ```
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
#[expect(missing_docs, reason = "names and units say it")]
pub enum Summary {
    /// How bones move.
    Animation { seconds: Option<f32>, frames: u32, tracks: usize, codec: String },
    /// A font; nothing is known of its size if it lies beside the package.
    Font { bytes: Option<usize> },
    /// How vertices move from one shape to another.
    MorphTarget { vertices: Vec<u32> },
    /// A mesh, with bones or without.
    Mesh {
        lods: Vec<LodSummary>,
        materials: usize,
        #[serde(skip_serializing_if = "Option::is_none")]
        bones: Option<usize>,
        #[serde(skip_serializing_if = "Option::is_none")]
        nanite_triangles: Option<u32>,
    },
    /// Bones.
    Skeleton { bones: usize },
    /// A sound.
    Sound { format: String, bytes: u64, seconds: Option<f32>, channels: Option<u32>, rate: Option<u32> },
    /// Sounds, and how they are put together.
    SoundCue { nodes: usize, waves: Vec<String> },
    /// What an uncooked texture or sound was made from. A sound has no pixels.
    Source { format: String, width: u32, height: u32, bytes: u64 },
    /// A picture, or several.
    Texture {
        format: PixelFormat,
        width: u32,
        height: u32,
        slices: u32,
        is_virtual: bool,
        srgb: bool,
        mips: Vec<MipSummary>,
    },
    /// A file that Wwise plays.
    Wwise { bytes: u64 },
}

/// A level of detail. Its numbers are in another file if it is streamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct LodSummary {
    /// Number of vertices.
    pub vertices: Option<usize>,
    /// Number of triangles.
    pub triangles: Option<usize>,
}

/// A mip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct MipSummary {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Bytes of it.
    pub bytes: u64,
    /// Where it lies.
    pub place: BulkPlace,
}

impl Summary {
    /// Of an asset whose properties are in `object`.
    #[must_use]
    pub fn new(asset: &Asset<'_>, scope: &Scope<'_>, object: &Object) -> Self {
        match asset {
            Asset::Animation(animation) => Self::of_animation(animation),
            Asset::Font(font) => Self::Font { bytes: font.inline.map(<[u8]>::len) },
            Asset::MorphTarget(morph) => {
                Self::MorphTarget { vertices: morph.lods.iter().map(|lod| lod.count).collect() }
            }
            Asset::SkeletalMesh(mesh) => Self::of_skeletal_mesh(mesh),
            Asset::Skeleton(skeleton) => Self::Skeleton { bones: skeleton.bones.0.len() },
            Asset::Sound(sound) => Self::of_sound(sound, scope, object),
            Asset::SoundCue(cue) => Self::SoundCue {
                nodes: cue.nodes.len(),
                waves: cue.waves().into_iter().map(ToString::to_string).collect(),
            },
            Asset::Source(source) => Self::of_source(source),
            Asset::StaticMesh(mesh) => Self::of_static_mesh(mesh),
            Asset::Texture(texture) => Self::of_texture(texture),
            Asset::Wwise(file) => {
                let lens = file.parts.iter().map(|part| part.record.len);
                Self::Wwise { bytes: lens.fold(0, u64::saturating_add) }
            }
        }
    }

    /// What it is in one word, as its text starts.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Animation { .. } => "animation",
            Self::Font { .. } => "font",
            Self::MorphTarget { .. } => "morph target",
            Self::Mesh { .. } => "mesh",
            Self::Skeleton { .. } => "skeleton",
            Self::Sound { .. } => "sound",
            Self::SoundCue { .. } => "sound cue",
            Self::Source { .. } => "source",
            Self::Texture { .. } => "texture",
            Self::Wwise { .. } => "Wwise file",
        }
    }

    fn of_animation(animation: &Animation<'_>) -> Self {
        let Animation { seconds, frames, bones, codec, .. } = animation;
        Self::Animation { seconds: *seconds, frames: *frames, tracks: bones.len(), codec: codec.clone() }
    }

    fn of_static_mesh(mesh: &StaticMesh<'_>) -> Self {
        let lods = mesh.lods.iter().map(|lod| {
            let found = lod.geometry.inline();
            found.map_or_else(LodSummary::default, |found| {
                LodSummary::new(found.vertices.len(), found.indices.len())
            })
        });
        let nanite_triangles = mesh.nanite.as_ref().map(|nanite| nanite.triangles);
        Self::Mesh { lods: lods.collect(), materials: mesh.materials.len(), bones: None, nanite_triangles }
    }

    fn of_skeletal_mesh(mesh: &SkeletalMesh<'_>) -> Self {
        let lods = mesh.lods.iter().map(|lod| {
            let found = lod.geometry.inline();
            found.map_or_else(LodSummary::default, |found| {
                LodSummary::new(found.vertices.len(), found.indices.len())
            })
        });
        let nanite_triangles = mesh.nanite.as_ref().map(|nanite| nanite.triangles);
        let bones = Some(mesh.bones.0.len());
        Self::Mesh { lods: lods.collect(), materials: mesh.materials.len(), bones, nanite_triangles }
    }

    /// What the audio itself says counts; its first part has that as a rule, and properties have it, too.
    fn of_sound(sound: &Sound<'_>, scope: &Scope<'_>, object: &Object) -> Self {
        let encoding = sound.encodings.first();
        let chunks = encoding.map(|encoding| &encoding.chunks[..]).unwrap_or_default();
        let facts = match chunks {
            [first, ..] => first.bulk.inline.and_then(|audio| Facts::parse(audio).ok()),
            [] => None,
        };
        let number = |name| object.get::<i32>(scope, name).and_then(|number| u32::try_from(number).ok());
        Self::Sound {
            format: encoding.map(|encoding| encoding.format.to_string()).unwrap_or_default(),
            bytes: chunks.iter().map(|chunk| chunk.len).sum(),
            seconds: object.get(scope, "Duration"),
            channels: facts.and_then(|facts| facts.channels).map(u32::from).or_else(|| number("NumChannels")),
            rate: facts.and_then(|facts| facts.rate).or_else(|| number("SampleRate")),
        }
    }

    fn of_source(source: &SourceData<'_>) -> Self {
        let bytes = match &source.place {
            SourcePlace::Bulk(bulk) => bulk.record.raw_len,
            SourcePlace::Editor(bulk) => bulk.raw_len,
        };
        match &source.kind {
            SourceKind::Picture(picture) => Self::Source {
                format: picture.format.to_string(),
                width: picture.width,
                height: picture.height,
                bytes,
            },
            SourceKind::Sound => Self::Source { format: "sound".to_owned(), width: 0, height: 0, bytes },
        }
    }

    fn of_texture(texture: &Texture<'_>) -> Self {
        let mip = |width, height, data: &Bulk<'_>| MipSummary {
            width,
            height,
            bytes: data.record.len,
            place: data.record.place,
        };
        let &Texture { format, width, height, slices, .. } = texture;
        Self::Texture {
            format,
            width,
            height,
            slices,
            is_virtual: texture.virtual_texture.is_some(),
            srgb: texture.is_srgb(format),
            mips: texture.mips.iter().map(|found| mip(found.width, found.height, &found.data)).collect(),
        }
    }
}

impl Default for LodSummary {
    /// Nothing is known.
    fn default() -> Self {
        Self { vertices: None, triangles: None }
    }
}

impl LodSummary {
    const fn new(vertices: usize, indices: usize) -> Self {
        Self { vertices: Some(vertices), triangles: Some(indices / 3) }
    }
}

fn number(number: usize, one: &str, many: &str) -> String {
    counted(number as u64, one, many)
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Animation { seconds, frames, tracks, codec } => {
                let seconds = seconds.map(|seconds| format!("{seconds:.2} s, ")).unwrap_or_default();
                let frames = counted((*frames).into(), "frame", "frames");
                write!(f, "animation: {seconds}{frames}, {}, {codec}", number(*tracks, "track", "tracks"))
            }
            Self::Font { bytes: Some(bytes) } => write!(f, "font: {}", number(*bytes, "byte", "bytes")),
            Self::Font { bytes: None } => f.write_str("font: in a .ufont beside its package"),
            Self::MorphTarget { vertices } => {
                let first = vertices.first().copied().unwrap_or_default();
                write!(f, "morph target: moves {}", counted(first.into(), "vertex", "vertices"))
            }
            Self::Mesh { lods, materials, bones, nanite_triangles } => {
                f.write_str("mesh:")?;
                for (at, lod) in lods.iter().enumerate() {
                    write!(f, " LOD {at} {lod};")?;
                }
                write!(f, " {}", number(*materials, "material", "materials"))?;
                if let Some(bones) = bones {
                    write!(f, ", {}", number(*bones, "bone", "bones"))?;
                }
                match nanite_triangles {
                    Some(triangles) => {
                        write!(f, ", Nanite: {}", counted((*triangles).into(), "triangle", "triangles"))
                    }
                    None => Ok(()),
                }
            }
            Self::Skeleton { bones } => write!(f, "skeleton: {}", number(*bones, "bone", "bones")),
            Self::Sound { format, bytes, seconds, channels, rate } => {
                write!(f, "sound: {format}")?;
                if let Some(seconds) = seconds {
                    write!(f, ", {seconds:.2} s")?;
                }
                if let Some(channels) = channels {
                    write!(f, ", {}", counted((*channels).into(), "channel", "channels"))?;
                }
                if let Some(rate) = rate {
                    write!(f, ", {rate} Hz")?;
                }
                write!(f, ", {}", counted(*bytes, "byte", "bytes"))
            }
            Self::SoundCue { nodes, waves } => {
                let nodes = number(*nodes, "node", "nodes");
                write!(f, "sound cue: {nodes}, {}", number(waves.len(), "sound", "sounds"))
            }
            Self::Source { format, width: 0, height: 0, bytes } => {
                write!(f, "source: {format}, {}", counted(*bytes, "byte", "bytes"))
            }
            Self::Source { format, width, height, bytes } => {
                write!(f, "source: {format} {width} x {height}, {}", counted(*bytes, "byte", "bytes"))
            }
            Self::Wwise { bytes } => write!(f, "Wwise file: {}", counted(*bytes, "byte", "bytes")),
            Self::Texture { format, width, height, slices, is_virtual, srgb, mips } => {
                let kind = if *is_virtual { "virtual texture" } else { "texture" };
                write!(f, "{kind}: {format} {width} x {height}")?;
                if *slices > 1 {
                    write!(f, " x {slices}")?;
                }
                f.write_str(if *srgb { ", sRGB" } else { "" })?;
                if mips.is_empty() {
                    return Ok(());
                }
                write!(f, ", {}", number(mips.len(), "mip", "mips"))?;
                let in_files = mips.iter().filter_map(|mip| mip.place.extension(0)).collect::<Vec<_>>();
                match in_files.first() {
                    Some(extension) => write!(f, ", {} of them in .{extension}", in_files.len()),
                    None => Ok(()),
                }
            }
        }
    }
}

impl fmt::Display for LodSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.vertices, self.triangles) {
            (Some(vertices), Some(triangles)) => {
                let vertices = number(vertices, "vertex", "vertices");
                write!(f, "has {vertices}, {}", number(triangles, "triangle", "triangles"))
            }
            _ => f.write_str("is elsewhere"),
        }
    }
}
