//! Imported meshes of uncooked packages: real ones, whose properties record their bounds, and spelled-out bytes.

use crate::files::corpus;
use std::path::{Path, PathBuf};
use uncask_formats::asset::gltf::{self, MeshOptions};
use uncask_formats::asset::source_data::{SourcePlace, inflate};
use uncask_formats::asset::source_mesh::{Mesh, MeshForm, SourceMesh, SourceModel};
use uncask_formats::asset::{self, Asset};
use uncask_formats::package::legacy::{Package, Trailer};
use uncask_formats::property::{Body, FromValue, Object, Scope, Struct, Value};
use uncask_formats::wire::FaultKind;

fn packages(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> = entries
        .flat_map(|entry| if entry.is_dir() { packages(&entry) } else { vec![entry] })
        .filter(|path| path.extension().is_some_and(|extension| extension == "uasset"))
        .collect();
    found.sort();
    found
}

/// The data of a model, from the file of its package.
fn data(model: &SourceModel<'_>, file: &[u8], package: &Package) -> Vec<u8> {
    match model.place.unwrap() {
        SourcePlace::Bulk(bulk) => {
            let start = usize::try_from(bulk.record.offset).unwrap();
            let len = usize::try_from(bulk.record.len).unwrap();
            inflate(&file[start..start + len], 1 << 30).unwrap()
        }
        SourcePlace::Editor(bulk) => {
            let trailer = Trailer::parse(file, package).unwrap();
            bulk.bytes(file, trailer.as_ref(), 1 << 30).unwrap()
        }
    }
}

/// A vector among the properties of an object.
fn vector(scope: &Scope<'_>, object: &Object, of: &str, name: &str) -> [f64; 3] {
    let field = |found: &Struct, name: &str| match &found.body {
        Body::Native(record) => record.get(name).cloned(),
        Body::List(list) => list.find(scope.package, name).and_then(|found| found.value).cloned(),
        Body::Empty => None,
    };
    let whole: &Struct = object.get(scope, of).unwrap();
    let Some(Value::Struct(found)) = field(whole, name) else { return [0.0; 3] };
    ["X", "Y", "Z"].map(|axis| f64::from_value(&field(&found, axis).unwrap()).unwrap())
}

/// Centre and half size of the box around a mesh.
fn bounds(mesh: &Mesh) -> [[f64; 3]; 2] {
    let axis = |axis: usize| {
        let all = || mesh.positions.iter().map(|position| f64::from(position[axis]));
        let (low, high) = (all().fold(f64::MAX, f64::min), all().fold(f64::MIN, f64::max));
        [f64::midpoint(low, high), (high - low) / 2.0]
    };
    let all = [axis(0), axis(1), axis(2)];
    [all.map(|[centre, _]| centre), all.map(|[_, half]| half)]
}

#[test]
fn imported_meshes_fill_the_bounds_that_their_packages_record() {
    let Some(corpus) = corpus() else { return };

    let folders = [corpus.join("uncooked-projects"), corpus.join("mods/drg/editor")];
    let (mut meshes, mut triangles, mut files) = (0, 0, Vec::new());
    let folder = tempfile::tempdir().unwrap();
    for path in folders.iter().flat_map(|folder| packages(folder)) {
        let file = std::fs::read(&path).unwrap();
        let Ok(package) = Package::parse(&file) else { continue };
        let scope = Scope::new(&package, &file, 0, None);
        for export in &package.exports {
            let object = Object::read(&scope, export);
            let Some(found) = asset::read(&scope, export, &object) else { continue };
            let Asset::SourceMesh(source) = found.unwrap().asset else { continue };
            let name = package.text(export.name).to_string();
            let [model] = &source.models[..] else { panic!("{name}") };
            let mesh = source.mesh(&data(model, &file, &package)).unwrap();
            let [centre, half] = bounds(&mesh);
            let recorded = ["Origin", "BoxExtent"].map(|of| vector(&scope, &object, "ExtendedBounds", of));
            for (found, recorded) in centre.iter().chain(&half).zip(recorded.iter().flatten()) {
                assert!((found - recorded).abs() < 1e-3, "{name}: {centre:?} {half:?}, {recorded:?}");
            }
            // Every triangle has a material that exists.
            let slots = || mesh.triangles.iter().map(|found| source.slot(model, &mesh, found.group));
            assert!(slots().all(|slot| (slot as usize) < source.slots.len()), "{name}");
            (meshes, triangles) = (meshes + 1, triangles + mesh.triangles.len());
            let glb = gltf::source_mesh(&name, &source, (model, &mesh), &MeshOptions::default()).unwrap();
            files.push(folder.path().join(format!("{meshes}.glb")));
            std::fs::write(files.last().unwrap(), glb.bytes).unwrap();
        }
    }
    assert_eq!((meshes, triangles), (26, 7_950));
    crate::validator::validate(&files);
}

/// Little-endian numbers.
fn numbers(of: &[u32]) -> Vec<u8> {
    of.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn floats(of: &[f32]) -> Vec<u8> {
    of.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn text(of: &str) -> Vec<u8> {
    let len = u32::try_from(of.len() + 1).unwrap();
    [&len.to_le_bytes(), of.as_bytes(), b"\0"].concat()
}

const CORNERS: [f32; 12] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 2.0, 0.0, 0.0, 2.0, 3.0];

/// A raw mesh of two triangles over four positions.
fn raw_mesh(version: u32) -> Vec<u8> {
    let up = [0.0, 0.0, 1.0].repeat(6);
    [
        numbers(&[version, 0, 2, 0, 1, 2, 7, 7, 4]),
        floats(&CORNERS),
        numbers(&[6, 0, 1, 2, 0, 2, 3]),
        numbers(&[6]),
        floats(&[1.0, 0.0, 0.0].repeat(6)),
        numbers(&[6]),
        floats(&[0.0, -1.0, 0.0].repeat(6)),
        numbers(&[6]),
        floats(&up),
        numbers(&[6]),
        floats(&[0.25, 0.5].repeat(6)),
        numbers(&[0; 7]),
        numbers(&[6]),
        [255, 0, 0, 128].repeat(6),
        if version > 0 { numbers(&[2, 1, 0]) } else { Vec::new() },
    ]
    .concat()
}

#[test]
fn raw_meshes_have_everything_for_each_wedge() {
    for version in [0, 1] {
        let bytes = raw_mesh(version);
        let mesh = Mesh::read(&bytes, MeshForm::Raw).unwrap();
        assert_eq!(mesh.positions, [[0.0; 3], [1.0, 0.0, 0.0], [1.0, 2.0, 0.0], [0.0, 2.0, 3.0]]);
        let triangles: Vec<_> = mesh.triangles.iter().map(|found| (found.corners, found.group)).collect();
        assert_eq!(triangles, [([0, 1, 2], 0), ([3, 4, 5], 1)]);
        let corner = mesh.corners[4];
        assert_eq!((corner.vertex, corner.normal, corner.tangent), (2, [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]));
        // Normal × tangent is Y; the bitangent is the opposite.
        assert!(corner.sign < 0.0);
        assert_eq!((mesh.uvs.len(), mesh.uvs[0][5]), (1, [0.25, 0.5]));
        // Blue comes first.
        let [red, green, blue, alpha] = mesh.colors[0];
        assert_eq!((red, green, blue), (0.0, 0.0, 1.0));
        assert!((alpha - 128.0 / 255.0).abs() < 1e-6);
        assert!((0..bytes.len()).all(|len| Mesh::read(&bytes[..len], MeshForm::Raw).is_err()));
    }
    let mut bytes = raw_mesh(0);
    bytes[0] = 2;
    assert_eq!(Mesh::read(&bytes, MeshForm::Raw).unwrap_err().kind, FaultKind::Unsupported { found: 2 });
    // The last wedge, after the positions, names a vertex that does not exist.
    let mut bytes = raw_mesh(0);
    bytes[9 * 4 + 48 + 4 + 20] = 4;
    assert_eq!(Mesh::read(&bytes, MeshForm::Raw).unwrap_err().field, "vertex of a corner");
}

/// An attribute of floats, as before 5.0.
fn attribute(name: &str, kind: u32, of: &[f32], len: usize) -> Vec<u8> {
    let count = u32::try_from(of.len() / len).unwrap();
    let head = numbers(&[kind, count, 1, u32::try_from(4 * len).unwrap(), count]);
    [text(name), head, floats(of), floats(&vec![0.0; len]), numbers(&[1])].concat()
}

/// A quad as one polygon of four corners, with the vertex of slot 1 removed.
fn quad(holes: Option<u32>) -> Vec<u8> {
    let none = numbers(&[0, 0]);
    let positions = [&CORNERS[..3], &[9.0; 3], &CORNERS[3..]].concat();
    [
        // Five vertices, of which the second is gone.
        numbers(&[5, 0b11101]),
        numbers(&[4, 0b1111, 0, 2, 3, 4]),
        numbers(&[1, 1, 0, 2]),
        numbers(&[1, 1, 4, 0, 1, 2, 3]),
        holes.map(|holes| numbers(&[holes])).unwrap_or_default(),
        numbers(&[0]),
        numbers(&[1, 1]),
        numbers(&[5, 1]),
        attribute("Position ", 1, &positions, 3),
        numbers(&[4, 1]),
        attribute("Normal", 1, &[0.0, 0.0, 1.0].repeat(4), 3),
        none.clone(),
        none,
        numbers(&[1, 1]),
        text("ImportedMaterialSlotName"),
        numbers(&[6, 1, 1, 1]),
        text("Wood"),
        text("None"),
        numbers(&[0]),
    ]
    .concat()
}

#[test]
fn polygons_of_old_descriptions_are_fans_of_triangles() {
    for (holes, has_holes) in [(None, false), (Some(0), true)] {
        // The polygons have no attributes, and neither have the edges.
        let bytes = quad(holes);
        let form = MeshForm::Description { has_holes, has_triangles: false };
        let mesh = Mesh::read(&bytes, form).unwrap();
        let triangles: Vec<_> = mesh.triangles.iter().map(|found| found.corners).collect();
        assert_eq!(triangles, [[0, 1, 2], [0, 2, 3]]);
        let position = |corner: usize| mesh.positions[mesh.corners[corner].vertex as usize];
        assert_eq!([0, 1, 2, 3].map(position), [[0.0; 3], [1.0, 0.0, 0.0], [1.0, 2.0, 0.0], [0.0, 2.0, 3.0]]);
        assert_eq!((mesh.groups, mesh.corners[3].normal), (vec!["Wood".to_owned()], [0.0, 0.0, 1.0]));
        assert!((0..bytes.len()).all(|len| Mesh::read(&bytes[..len], form).is_err()));
    }
    let form = MeshForm::Description { has_holes: true, has_triangles: false };
    assert_eq!(Mesh::read(&quad(Some(1)), form).unwrap_err().field, "holes of a polygon");
}

/// A mesh description of 5.0, with an attribute of any number of values, as skinned meshes have it.
fn elements(group: u32) -> Vec<u8> {
    let attribute = |name: &str, kind: u32, extent: u32, len: u32, values: Vec<u8>| {
        let count = u32::try_from(values.len()).unwrap() / len;
        let head = numbers(&[kind, extent, count / extent, 1, extent, len, count]);
        [text(name), head, values, vec![0; len as usize], numbers(&[33])].concat()
    };
    let kind = |name: &str, count: u32, attributes: &[Vec<u8>]| {
        let head = numbers(&[1, count, (1 << count) - 1, 0, count, u32::try_from(attributes.len()).unwrap()]);
        [text(name), head, attributes.concat()].concat()
    };
    // Two elements with one and two values: one chunk.
    let weights =
        [text("SkinWeights"), numbers(&[4, 0, 2, 1, 1, 4, 3, 70, 80, 90, 2, 0, 1, 1, 2, 1, 2, 2, 0, 0, 33])]
            .concat();
    let corners = numbers(&[0, 1, 2]);
    [
        numbers(&[4]),
        kind("Vertices", 3, &[attribute("Position", 1, 1, 12, floats(&CORNERS[..9])), weights]),
        kind("VertexInstances", 3, &[attribute("VertexIndex", 4, 1, 4, corners.clone())]),
        kind(
            "Triangles",
            1,
            &[
                attribute("VertexInstanceIndex", 4, 3, 4, corners),
                attribute("PolygonGroupIndex", 4, 1, 4, numbers(&[group])),
            ],
        ),
        kind("PolygonGroups", 1, &[]),
    ]
    .concat()
}

#[test]
fn later_descriptions_have_everything_as_attributes() {
    let bytes = elements(0);
    let mesh = Mesh::read(&bytes, MeshForm::Raw).unwrap();
    assert_eq!(mesh.positions, [[0.0; 3], [1.0, 0.0, 0.0], [1.0, 2.0, 0.0]]);
    assert_eq!((mesh.triangles.len(), mesh.triangles[0].corners), (1, [0, 1, 2]));
    assert!(mesh.colors.is_empty() && mesh.uvs.is_empty());
    assert!((0..bytes.len()).all(|len| Mesh::read(&bytes[..len], MeshForm::Raw).is_err()));
}

#[test]
fn a_section_decides_about_the_material_before_the_name_of_its_group() {
    // color_box: the first group has the second slot.
    let Some(corpus) = corpus() else { return };
    let path = corpus.join("uncooked-projects/serdaraltin/332a1135_color_box.uasset");
    let file = std::fs::read(path).unwrap();
    let package = Package::parse(&file).unwrap();
    let scope = Scope::new(&package, &file, 0, None);
    let mut sources = package.exports.iter().filter_map(|export| {
        match asset::read(&scope, export, &Object::read(&scope, export))?.unwrap().asset {
            Asset::SourceMesh(source) => Some(source),
            _ => None,
        }
    });
    let source: Box<SourceMesh<'_>> = sources.next().unwrap();
    let model = &source.models[0];
    let mesh = source.mesh(&data(model, &file, &package)).unwrap();
    assert_eq!(mesh.groups, ["2", "3", "4", "6", "1", "5"]);
    assert_eq!([0, 1, 2, 3, 4, 5].map(|group| source.slot(model, &mesh, group)), [1, 2, 3, 5, 0, 4]);
}
