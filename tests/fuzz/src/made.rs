//! The exporter's output for assets, without files.

use uncask::asset::gltf::{self, Glb, GltfError, MeshOptions};
use uncask::asset::skeleton::{Bone, Bones};
use uncask::asset::sound::AudioFile;
use uncask::asset::texture::{Mip, NewMip, Texture};
use uncask::asset::{Asset, FontFace, FoundAsset, Summary, Transform};
use uncask::image::Picture;
use uncask::package::legacy::Export;
use uncask::property::{Object, Scope};

/// Exports an asset. Bulk data outside the export is the whole input.
pub(super) fn make(
    (scope, export, object): (&Scope<'_>, &Export, &Object),
    found: &FoundAsset<'_>,
    data: &[u8],
) {
    drop(Summary::new(&found.asset, scope, object));
    let options = |lod| MeshOptions { lod, ..MeshOptions::default() };
    match &found.asset {
        Asset::Texture(texture) => {
            let own = scope.bytes(export).and_then(|bytes| bytes.get(found.payload_at..));
            assert_eq!(texture.payload.to_bytes().ok().as_deref(), own, "what was read is written the same");
            pictures(texture, data);
        }
        Asset::Sound(sound) => {
            for chunk in sound.encodings.iter().flat_map(|encoding| &encoding.chunks) {
                let audio = chunk.bulk.inline.unwrap_or_default();
                if let Ok(file) = AudioFile::playable(audio) {
                    drop(sound.markers.added_to(&file.bytes));
                }
            }
        }
        Asset::StaticMesh(mesh) => {
            let full = mesh.nanite.as_ref().and_then(|nanite| nanite.mesh(Some(data)).ok());
            if let Some(full) = full {
                is_glb(&gltf::nanite_mesh("Asset", mesh, &full, &options(0)));
            }
            for error in [0.0, 1.0, 100.0] {
                let coarse =
                    mesh.nanite.as_ref().and_then(|nanite| nanite.mesh_within(Some(data), error).ok());
                if let Some(coarse) = coarse {
                    is_glb(&gltf::nanite_mesh("Asset", mesh, &coarse, &options(0)));
                }
            }
            for lod in 0..mesh.lods.len() {
                is_glb(&gltf::static_mesh("Asset", mesh, &options(lod)));
                let mut loaded = mesh.clone();
                if loaded.load(lod, &mut found.bulk_payload(scope, export, object, data)).is_ok() {
                    is_glb(&gltf::static_mesh("Asset", &loaded, &options(lod)));
                }
            }
        }
        Asset::SkeletalMesh(mesh) => {
            for lod in 0..mesh.lods.len() {
                is_glb(&gltf::skeletal_mesh("Asset", mesh, &options(lod)));
                let mut loaded = mesh.clone();
                if loaded.load(lod, &mut found.bulk_payload(scope, export, object, data)).is_ok() {
                    is_glb(&gltf::skeletal_mesh("Asset", &loaded, &options(lod)));
                }
            }
        }
        Asset::Skeleton(skeleton) => is_glb(&gltf::skeleton("Asset", &skeleton.bones)),
        Asset::Animation(animation) => {
            is_glb(&gltf::animation("Asset", animation, &bones(), None));
            is_glb(&gltf::animation("Asset", animation, &bones(), Some(animation)));
        }
        Asset::HeightMap(map) => {
            for level in 0..map.mips.len() {
                drop(map.heights(level, data));
            }
        }
        Asset::Font(font) => drop(font.inline.and_then(FontFace::extension)),
        Asset::Wwise(file) => {
            let first = file.parts.first().and_then(|part| part.inline).unwrap_or_default();
            assert!(!file.extension(first).is_empty());
        }
        _ => {}
    }
}

/// Every picture that is there, and the payload with its own mips in the place of those that it has.
fn pictures(texture: &Texture<'_>, data: &[u8]) {
    replace(texture);
    for mip in &texture.mips {
        let bytes = mip.data.inline.unwrap_or_default();
        if let Ok(picture) = Picture::new(texture.format, mip.width, mip.height, bytes) {
            let _ = picture.decode();
        }
    }
    if let Some(tiles) = &texture.virtual_texture {
        let chunks = [Some(data)];
        for mip in 0..tiles.mips.len() {
            let _ = tiles.assemble(mip, 0, &chunks);
        }
    }
}

/// The mips that a texture has go into it again.
fn replace(texture: &Texture<'_>) {
    let mip = |mip: &Mip<'_>| {
        let bytes = mip.data.inline.unwrap_or_default().to_vec();
        NewMip { width: mip.width, height: mip.height, slices: mip.slices, bytes }
    };
    let mips: Vec<NewMip> = texture.mips.iter().map(mip).collect();
    let files = texture.files().into_iter().map(|key| (key, vec![0; 64])).collect();
    if let Ok(new) = texture.replace(&mips, mips.len(), &files) {
        // Where a header tells of more elements than there are bytes, the new one has the right number.
        let is_whole = |bytes: &[u8], mip: &Mip<'_>| bytes.len() as u64 == mip.data.record.raw_len;
        let is_inline =
            texture.mips.iter().all(|mip| mip.data.inline.is_some_and(|bytes| is_whole(bytes, mip)));
        assert!(!is_inline || texture.payload.to_bytes().ok() == Some(new.payload));
    }
}

/// A written file is as long as its header says.
pub(super) fn is_glb(made: &Result<Glb, GltfError>) {
    if let Ok(Glb { bytes, .. }) = made {
        assert_eq!(bytes.get(..4), Some(&b"glTF"[..]));
        assert_eq!(
            bytes.get(8..12),
            Some(&u32::try_from(bytes.len()).expect("a short file").to_le_bytes()[..])
        );
    }
}

/// Bones that tracks may move.
fn bones() -> Bones {
    let bone = |at: usize| Bone {
        name: format!("Bone{at}").into(),
        parent: at.checked_sub(1),
        pose: Transform::IDENTITY,
    };
    Bones((0..8).map(bone).collect())
}
