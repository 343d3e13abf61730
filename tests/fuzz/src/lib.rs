//! Functions of the fuzz targets. Nothing may panic, hang, or use unbounded memory; everything read,
//! written or decoded must agree with itself.
//!
//! The main crate's tests run the same functions over the seeds, and over inputs that once caused trouble
//! (`testdata/regressions`), so this file is a module there.

pub mod clips;
pub mod cooked;
pub mod counting;
pub mod draw;
pub mod kernels;
pub mod payloads;
pub mod seeds;

mod assets;
mod bounds;
mod bytecode;
mod codecs;
mod containers;
mod loose;
mod made;
mod packages;
mod properties;
mod shapes;
mod whole;

/// A target: its name, and what it does with an input.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: [Target; 69] = [
    ("toc", containers::toc),
    ("directory_index", containers::directory_index),
    ("container_header", containers::container_header),
    ("script_objects", containers::script_objects),
    ("shader_library", containers::shader_library),
    ("pak", containers::pak),
    ("localization", loose::localization),
    ("mappings", loose::mappings),
    ("name_map", packages::name_map),
    ("zen", packages::zen),
    ("legacy", packages::legacy),
    ("to_zen", packages::to_zen),
    ("classic", packages::classic),
    ("asset_registry", packages::asset_registry),
    ("recipe", loose::recipe),
    ("small_files", packages::small_files),
    ("properties_tagged", properties::tagged),
    ("properties_unversioned", properties::unversioned),
    ("properties_reencode", properties::reencode),
    ("properties_tree", properties::tree),
    ("review", properties::review),
    ("merge", properties::merge),
    ("bytecode", bytecode::functions),
    ("asset_payloads", assets::payloads),
    ("image", kernels::any_image),
    ("asset_texture", |data| payloads::run("asset_texture", data)),
    ("asset_sound", |data| payloads::run("asset_sound", data)),
    ("asset_static_mesh", |data| payloads::run("asset_static_mesh", data)),
    ("asset_skeletal_mesh", |data| payloads::run("asset_skeletal_mesh", data)),
    ("asset_skeleton", |data| payloads::run("asset_skeleton", data)),
    ("asset_animation", |data| payloads::run("asset_animation", data)),
    ("asset_morph_target", |data| payloads::run("asset_morph_target", data)),
    ("asset_font", |data| payloads::run("asset_font", data)),
    ("asset_wwise", |data| payloads::run("asset_wwise", data)),
    ("asset_height_map", |data| payloads::run("asset_height_map", data)),
    ("level", assets::level),
    ("asset_acl", clips::acl),
    ("asset_sound_cue", assets::sound_cue),
    ("asset_material", assets::material),
    ("asset_source_mesh", assets::source_mesh),
    ("asset_geometry_cache", assets::geometry_cache),
    ("sound_wave", |data| kernels::sound(b"RIFF", data)),
    ("sound_vorbis", |data| kernels::sound(b"OggS", data)),
    ("sound_opus", |data| kernels::sound(b"UE", data)),
    ("sound_bink", |data| kernels::sound(b"ABEU", data)),
    ("image_bc", |data| kernels::image("image_bc", data)),
    ("image_astc", |data| kernels::image("image_astc", data)),
    ("image_etc", |data| kernels::image("image_etc", data)),
    ("image_pvrtc", |data| kernels::image("image_pvrtc", data)),
    ("image_plain", |data| kernels::image("image_plain", data)),
    ("image_dds", kernels::dds),
    ("image_files", loose::picture_file),
    ("plan", whole::plan),
    ("pipeline", whole::pipeline),
    ("pack_roundtrip", whole::pack_roundtrip),
    ("codec_zlib", codecs::zlib),
    ("codec_gzip", codecs::gzip),
    ("codec_lz4", codecs::lz4),
    ("codec_zstd", codecs::zstd),
    ("compress", codecs::compress),
    ("oodle_block", codecs::oodle_block),
    ("oodle_entropy", codecs::oodle_entropy),
    ("oodle_lz", codecs::oodle_lz),
    ("shape_classic", shapes::classic),
    ("shape_mappings", shapes::mappings),
    ("shape_pak", shapes::pak),
    ("shape_store", shapes::store),
    ("shape_zen", shapes::zen),
    ("shape_zen4", shapes::zen4),
];

/// Bytes of memory for each byte of an asset: a block of 16 bytes may be 12 by 12 pixels of four bytes, and tiles may be shared.
const PER_BYTE: usize = 1024;

/// Gives an input to a target.
pub fn run(target: &str, data: &[u8]) {
    let (_, run) = TARGETS.iter().find(|(name, _)| *name == target).expect("a target");
    run(data);
}

/// Splits a number off the front of an input; 0 where it has ended.
fn number(data: &mut &[u8]) -> u32 {
    let (front, rest) = data.split_at(data.len().min(4));
    *data = rest;
    let mut word = [0; 4];
    word[..front.len()].copy_from_slice(front);
    u32::from_le_bytes(word)
}

/// Splits a part off the front whose length is in the input, too.
fn part<'a>(data: &mut &'a [u8]) -> &'a [u8] {
    let len = number(data) as usize;
    let (front, rest) = data.split_at(len.min(data.len()));
    *data = rest;
    front
}
