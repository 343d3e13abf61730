//! Packages with assets, whole.

use super::bounds::bounded;
use super::made::{is_glb, make};
use super::{PER_BYTE, number, part};
use uncask::asset::geometry_cache::CacheMesh;
use uncask::asset::gltf::{self, CacheTrack, MeshOptions};
use uncask::asset::material::Material;
use uncask::asset::skeleton::{Bone, Bones};
use uncask::asset::source_mesh::{Mesh, MeshForm, SourceMesh, SourceModel};
use uncask::asset::{self, Asset, Transform};
use uncask::level::landscape::{Grid, HeightPixels, Heights};
use uncask::level::{LevelContents, Template};
use uncask::package::legacy::{Export, Package, PackageIndex};
use uncask::property::{Object, Scope};

/// Exports that are looked at.
const ENOUGH: usize = 16;

/// A header and the data of its exports: what can be read becomes what the exporter makes of it.
pub(super) fn payloads(data: &[u8]) {
    objects(data, |scope, export, object, data| {
        if let Some(Ok(found)) = asset::read(scope, export, object) {
            make((scope, export, object), &found, data);
        }
    });
}

/// A header and the data of its exports: sounds and what is done with them, as far as nodes lead to one another.
pub(super) fn sound_cue(data: &[u8]) {
    objects(data, |scope, export, object, _| {
        let Some(Ok(found)) = asset::read(scope, export, object) else { return };
        let Asset::SoundCue(cue) = found.asset else { return };
        assert!(cue.nodes.len() <= scope.package.exports.len(), "each node is there once");
        assert!(cue.waves().len() <= cue.nodes.len());
        let places = cue.nodes.iter().flat_map(|node| node.children.iter().flatten()).chain(&cue.first);
        assert!(places.into_iter().all(|place| *place < cue.nodes.len()), "children are among the nodes");
    });
}

/// A number that chooses the form, and the data of an imported mesh.
pub(super) fn source_mesh(mut data: &[u8]) {
    let form = match number(&mut data) % 4 {
        0 => MeshForm::Raw,
        form => MeshForm::Description { has_holes: form == 1, has_triangles: form == 3 },
    };
    bounded(data.len(), PER_BYTE, || {
        let Ok(mesh) = Mesh::read(data, form) else { return };
        let model = SourceModel { place: None, scale: [1.0, 2.0, 3.0], sections: vec![(1, 0)] };
        let bone = |name: &str| Bone { name: name.into(), parent: None, pose: Transform::IDENTITY };
        let bones = Bones(if mesh.weights.is_empty() { Vec::new() } else { vec![bone("a"), bone("b")] });
        let whole =
            SourceMesh { models: Vec::new(), slots: Vec::new(), body_setup: PackageIndex::NONE, bones, form };
        is_glb(&gltf::source_mesh("Asset", &whole, (&model, &mesh), &MeshOptions::default()));
    });
}

/// A frame of a geometry cache.
pub(super) fn geometry_cache(data: &[u8]) {
    bounded(data.len(), PER_BYTE, || {
        let Ok(mesh) = CacheMesh::parse(data) else { return };
        is_glb(&gltf::geometry_cache(
            &[CacheTrack { name: "Track".to_owned(), mesh, first_material: 0 }],
            &[],
        ));
    });
}

/// A header and the data of its exports: each taken for a material, and for the parent of the one before.
pub(super) fn material(data: &[u8]) {
    let mut before = Material::default();
    objects(data, |scope, _, object, _| {
        let mut material = Material::new(scope, object);
        drop(material.look(|_| false, |_| true));
        material.inherit(std::mem::take(&mut before));
        drop(material.look(|_| true, |_| false));
        before = material;
    });
}

/// A header and the data of its exports: the level in it, its templates, and the grids of its landscapes.
pub(super) fn level(mut data: &[u8]) {
    let header = part(&mut data);
    let Ok(found) = Package::parse_partial(header, None) else { return };
    let package = found.value;
    if package.exports.len() > MANY {
        return;
    }
    let scope = Scope::new(&package, data, package.header_len(), None);
    bounded(header.len() + data.len(), PER_BYTE, || {
        drop(Template::read_all(&scope));
        let Some(level) = LevelContents::read(&scope, &|_, _| ()) else { return };
        let actors = level.actors.len();
        for component in &level.components {
            assert!(component.actor < actors, "each component has an actor");
            assert!(component.parent.is_none_or(|parent| parent < level.components.len()));
            if let Ok(grid) = Grid::new(&component.values.landscape) {
                let pixels = HeightPixels::of_texels(64, data);
                drop(Heights::new(grid, [0.0; 2], &pixels));
            }
            if let Some(instances) = &component.values.instances {
                assert!(instances.transforms().count() == instances.matrices.len());
            }
        }
    });
}

/// Exports of a level that is looked at: a class is looked up for each.
const MANY: usize = 256;

/// Calls `each` with the objects of a package whose header comes first.
fn objects(mut data: &[u8], mut each: impl FnMut(&Scope<'_>, &Export, &Object, &[u8])) {
    let header = part(&mut data);
    let Ok(found) = Package::parse_partial(header, None) else { return };
    let package = found.value;
    let scope = Scope::new(&package, data, package.header_len(), None);
    for export in package.exports.iter().take(ENOUGH) {
        let object = Object::read(&scope, export);
        bounded(data.len(), PER_BYTE, || each(&scope, export, &object, data));
    }
}
