//! `uncask export --as scene`: levels as glTF, with everything where an independent reader found it.

use super::opened::validate;
use super::{files, json_of, script, uncask};
use crate::support::corpus;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A matrix: the images of the axes, then of the origin.
pub(super) type Matrix = [[f64; 3]; 4];

/// Numbers of a field, or what it has where it is left out.
pub(super) fn numbers<const N: usize>(of: &Value, usual: [f64; N]) -> [f64; N] {
    match of.as_array() {
        Some(list) => std::array::from_fn(|at| list[at].as_f64().unwrap()),
        None => usual,
    }
}

fn matrix(translation: [f64; 3], [x, y, z, w]: [f64; 4], scale: [f64; 3]) -> Matrix {
    let axes = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)],
        [2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)],
        [2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)],
    ];
    let [a, b, c] = std::array::from_fn(|at| axes[at].map(|part| part * scale[at]));
    [a, b, c, translation]
}

/// The second matrix, then the first.
fn product(outer: &Matrix, inner: &Matrix) -> Matrix {
    let turned = |of: [f64; 3]| -> [f64; 3] {
        std::array::from_fn(|row| (0..3).map(|at| outer[at][row] * of[at]).sum())
    };
    let [a, b, c, origin] = *inner;
    let moved = turned(origin);
    [turned(a), turned(b), turned(c), std::array::from_fn(|at| moved[at] + outer[3][at])]
}

/// Matrices of all nodes in the scene, by the paths of their components.
fn placed(json: &Value) -> BTreeMap<String, Matrix> {
    let nodes = json["nodes"].as_array().map_or(&[][..], Vec::as_slice);
    let mut found = BTreeMap::new();
    let index = |at: &Value| usize::try_from(at.as_u64().unwrap()).unwrap();
    let start = json["scenes"][0]["nodes"].as_array().into_iter().flatten();
    let mut next: Vec<(usize, Option<Matrix>)> = start.map(|at| (index(at), None)).collect();
    while let Some((at, outer)) = next.pop() {
        let node = &nodes[at];
        let own = matrix(
            numbers(&node["translation"], [0.0; 3]),
            numbers(&node["rotation"], [0.0, 0.0, 0.0, 1.0]),
            numbers(&node["scale"], [1.0; 3]),
        );
        let own = outer.map_or(own, |outer| product(&outer, &own));
        // Other levels have names of their own.
        if node["extras"]["ue"]["level"].is_string() {
            continue;
        }
        if let Some(path) = node["extras"]["ue"]["path"].as_str() {
            assert!(found.insert(path.to_owned(), own).is_none(), "{path} is there twice");
        }
        next.extend(node["children"].as_array().into_iter().flatten().map(|child| (index(child), Some(own))));
    }
    found
}

/// Where glTF has a transform of the engine: Y and Z swapped, in metres.
pub(super) fn converted(world: &Value) -> Matrix {
    let [x, y, z, w] = numbers(&world["q"], [0.0; 4]);
    let swapped = |of: &Value| {
        let [x, y, z] = numbers(of, [0.0; 3]);
        [x, z, y]
    };
    matrix(swapped(&world["t"]).map(|part| part / 100.0), [-x, -z, -y, w], swapped(&world["s"]))
}

pub(super) fn same(found: &Matrix, expected: &Matrix, what: &str) {
    let largest = expected.iter().flatten().fold(1.0, |most: f64, part| most.max(part.abs()));
    for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
        assert!((found - expected).abs() < 3e-6 * largest, "{what}: {found}, not {expected}");
    }
}

/// Exports a level of the expected values, and returns its file.
pub(super) fn scene(corpus: &Path, name: &str, folder: &Path, more: &[&str]) -> PathBuf {
    let text = |path: &str| corpus.join(path).to_str().unwrap().to_owned();
    let out = folder.to_str().unwrap().to_owned();
    let mut args: Vec<String> = vec!["export".to_owned()];
    let map = match name.split_once(':') {
        Some((folder, package)) => {
            args.extend([text(&format!("{folder}/Uncompressed")), text(&format!("{folder}/global.utoc"))]);
            if folder.ends_with("unversioned") {
                let mappings = "payloads/ue5.8/Mappings/CUE4ParseFixtures-Uncompressed.usmap";
                args.extend(["--mappings".to_owned(), text(mappings)]);
            }
            package
        }
        None => {
            let release = name.split('/').find_map(|part| part.strip_prefix("ue")).unwrap();
            let mappings = match release {
                "5.1" => "payloads/ue5.1-cooked/Clay.usmap",
                "5.3" => "geometry/landscape/ue5.3/Engine.usmap",
                _ => "properties/games/mappings/5.4.3-34507850+++UE5+Release-5.4-DeepSpace7.usmap",
            };
            args.extend([text(name), "--engine".to_owned(), release.to_owned()]);
            args.extend(["--mappings".to_owned(), text(mappings)]);
            name
        }
    };
    args.extend(name.contains(':').then(|| map.to_owned()));
    args.extend(["--as", "scene", "-o", &out].map(str::to_owned));
    args.extend(more.iter().map(|arg| (*arg).to_owned()));
    let ran = uncask(args);
    // What cannot be read may be in the wrong place, and is told.
    let levels = expected(corpus, "levels");
    let unread = levels.get(name).and_then(|level| level["unreadable"].as_array());
    let code = i32::from(unread.is_some_and(|unread| !unread.is_empty()));
    assert_eq!(ran.code, code, "{name}: {}", ran.stderr);
    assert_eq!(ran.stderr.contains("not read"), code == 1, "{name}: {}", ran.stderr);
    let stem = map.rsplit('/').next().unwrap().trim_end_matches(".umap").to_owned();
    files(folder).remove(&format!("{stem}.glb")).unwrap_or_else(|| panic!("{name}: {}", ran.stderr))
}

pub(super) fn expected(corpus: &Path, list: &str) -> BTreeMap<String, Value> {
    let all: Value =
        serde_json::from_slice(&std::fs::read(corpus.join("geometry/expected.json")).unwrap()).unwrap();
    serde_json::from_value(all[list].clone()).unwrap()
}

/// Size and samples of a grey picture.
fn grey(path: &Path) -> (usize, Vec<u16>) {
    let mut reader =
        png::Decoder::new(std::io::BufReader::new(std::fs::File::open(path).unwrap())).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!(info.color_type, png::ColorType::Grayscale);
    let samples = match info.bit_depth {
        png::BitDepth::Sixteen => bytes.as_chunks::<2>().0.iter().map(|of| u16::from_be_bytes(*of)).collect(),
        _ => bytes.into_iter().map(u16::from).collect(),
    };
    (usize::try_from(info.width).unwrap(), samples)
}

/// Checks the picture of heights and the meshes of a level against what is expected of its landscape.
fn check_landscape(name: &str, scene: &Path, expected: &Value) -> usize {
    let components = expected["landscape"].as_array().unwrap();
    let folder = scene.parent().unwrap();
    let stem = scene.file_stem().unwrap().to_str().unwrap();
    let (width, samples) = grey(&folder.join(format!("{stem}_Landscape_height.png")));
    let number = |of: &Value| of.as_i64().unwrap();
    let base = |axis: usize| components.iter().map(|of| number(&of["base"][axis])).min().unwrap();
    let json = json_of(scene);
    for component in components {
        let what = format!("{name}: {}", component["name"]);
        let side = usize::try_from(number(&component["quads"])).unwrap() + 1;
        let [x, y] =
            [0, 1].map(|axis| usize::try_from(number(&component["base"][axis]) - base(axis)).unwrap());
        let rows = (y..y + side).map(|row| &samples[row * width + x..row * width + x + side]);
        let heights: Vec<u16> = rows.flatten().copied().collect();
        let bytes: Vec<u8> = heights.iter().flat_map(|height| height.to_le_bytes()).collect();
        assert_eq!(Some(&*super::hash(&bytes)), component["sha256_heights_u16"].as_str(), "{what}");
        // The mesh of the component has these heights, in units of a quad's side.
        let own = format!("Landscape {} {}", component["base"][0], component["base"][1]);
        let mesh = json["meshes"].as_array().unwrap().iter().find(|mesh| mesh["name"] == *own);
        let mesh = mesh.unwrap_or_else(|| panic!("{what}: no mesh {own}"));
        let at = mesh["primitives"][0]["attributes"]["POSITION"].as_u64().unwrap();
        let accessor = &json["accessors"][usize::try_from(at).unwrap()];
        assert_eq!(accessor["count"].as_u64(), Some((side * side) as u64), "{what}");
        for (bound, height) in [("min", "height_min"), ("max", "height_max")] {
            let expected = (component[height].as_f64().unwrap() - 32768.0) / 128.0 / 100.0;
            let found = accessor[bound][1].as_f64().unwrap();
            assert!((found - expected).abs() < 1e-6, "{what}: {found}, not {expected}");
        }
    }
    components.len()
}

#[test]
fn landscapes_have_the_heights_that_an_independent_reader_found() {
    let Some(corpus) = corpus::with("geometry/expected.json") else { return };
    let folder = tempfile::tempdir().unwrap();
    let (mut components, mut written) = (0, Vec::new());
    let cells = expected(&corpus, "landscape_proposed_corpus").into_iter();
    let cells = cells.map(|(name, expected)| (format!("geometry/{name}"), expected));
    let levels = expected(&corpus, "levels").into_iter().filter(|(_, level)| level["landscape"].is_array());
    for (number, (name, expected)) in levels.chain(cells).enumerate() {
        let path = scene(&corpus, &name, &folder.path().join(number.to_string()), &[]);
        components += check_landscape(&name, &path, &expected);
        written.push(path);
    }
    assert_eq!((components, written.len()), (34, 8));
    validate(&written);
    // The weights of the fixture: 3 x + 5 y, as it was made.
    let weights = files(folder.path()).remove("Landscape_Landscape_weight_FixtureLayer.png").unwrap();
    let (width, samples) = grey(&weights);
    assert_eq!(width, 64);
    let expected = (0..64_u16).flat_map(|y| (0..64_u16).map(move |x| (3 * x + 5 * y) % 256));
    assert!(expected.eq(samples), "weights of the fixture");
}

/// Samples of an EXR file of one channel, row by row.
fn floats(path: &Path) -> Vec<f32> {
    let image = exr::prelude::read_first_flat_layer_from_file(path).unwrap();
    let [channel] = &image.layer_data.channel_data.list[..] else { panic!("channels of {}", path.display()) };
    assert_eq!(channel.name.to_string(), "Y");
    channel.sample_data.values_as_f32().collect()
}

#[test]
fn heights_and_weights_are_floats_on_request() {
    let Some(corpus) = corpus::with("geometry/expected.json") else { return };
    let levels = expected(&corpus, "levels").into_iter().filter(|(_, level)| level["landscape"].is_array());
    let folder = tempfile::tempdir().unwrap();
    let mut compared = 0;
    for (number, (name, _)) in levels.enumerate() {
        let [stored, float] = [&[][..], &["--heights", "exr"]].map(|args| {
            let folder = folder.path().join(format!("{number}-{}", args.len()));
            scene(&corpus, &name, &folder, args).parent().unwrap().to_owned()
        });
        for (name, path) in files(&stored) {
            let Some(stem) = name.strip_suffix(".png").filter(|stem| stem.contains("_Landscape_")) else {
                continue;
            };
            let value = |sample: u16| {
                if stem.ends_with("_height") {
                    (f32::from(sample) - 32_768.0) / 128.0
                } else {
                    f32::from(sample) / 255.0
                }
            };
            let found = floats(&float.join(format!("{stem}.exr")));
            assert!(found.into_iter().eq(grey(&path).1.into_iter().map(value)), "{stem}");
            compared += 1;
        }
        assert!(files(&float).keys().all(|name| !name.ends_with("_height.png")));
    }
    assert!(compared >= 2, "{compared}");
}

#[test]
fn every_component_of_a_level_stands_where_an_independent_reader_found_it() {
    let Some(corpus) = corpus::with("geometry/expected.json") else { return };
    let (mut components, mut written) = (0, Vec::new());
    let folder = tempfile::tempdir().unwrap();
    for (number, (name, expected)) in expected(&corpus, "levels").into_iter().enumerate() {
        let all = ["--classes", "*", "--hidden", "--textures", "none"];
        let path = scene(&corpus, &name, &folder.path().join(number.to_string()), &all);
        let placed = placed(&json_of(&path));
        for component in expected["components"].as_array().unwrap() {
            // Without a mesh there is nothing to show, whatever the class.
            let own = component["name"].as_str().unwrap();
            let Some(found) = placed.get(own) else {
                assert!(component["mesh"].is_null(), "{name}: {own} is missing");
                continue;
            };
            same(found, &converted(&component["world"]), &format!("{name}: {own}"));
            components += 1;
        }
        written.push(path);
    }
    assert!(components > 120, "{components}");
    validate(&written);
}

/// The engine's sun is two and a half times as large as other things, which neither the level nor a `.usmap` says.
#[test]
fn values_of_native_objects_come_from_a_dump() {
    let Some(corpus) = corpus::with("found/Clay.jmap.gz") else { return };
    let folder = tempfile::tempdir().unwrap();
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let map = text(&corpus.join("to-zen/ue5.1/Demo/Content/ThirdPerson/Maps/ThirdPersonMap.umap"));
    let sun = |mappings: &str| {
        let (out, mappings) = (folder.path().join(mappings.replace('/', "_")), corpus.join(mappings));
        let args = ["--engine", "5.1", "--as", "scene", "--mappings", &text(&mappings), "-o", &text(&out)];
        uncask([&["export", &*map], &args[..]].concat());
        let scene = json_of(&files(&out)["ThirdPersonMap.glb"]);
        scene["nodes"]
            .as_array()
            .unwrap()
            .iter()
            .find(|node| node["name"] == "DirectionalLight")
            .unwrap()
            .clone()
    };
    let [plain, dumped] = ["payloads/ue5.1-cooked/Clay.usmap", "found/Clay.jmap.gz"].map(sun);
    assert_eq!((&plain["scale"], &dumped["scale"]), (&Value::Null, &json!([2.5, 2.5, 2.5])));
    for part in ["/translation", "/rotation", "/extras/ue/light/intensity", "/extras/ue/mobility"] {
        assert!(
            plain.pointer(part).is_some() && plain.pointer(part) == dumped.pointer(part),
            "the level says {part}"
        );
    }
}

#[test]
fn instances_are_one_node_or_many() {
    let Some(corpus) = corpus::with("geometry/expected.json") else { return };
    let name = "iostore/ue5.8/tagged:/Game/Fixtures/Maps/Instancing";
    let folder = tempfile::tempdir().unwrap();
    let instanced = json_of(&scene(&corpus, name, &folder.path().join("one"), &[]));
    assert_eq!(instanced["extensionsUsed"], serde_json::json!(["EXT_mesh_gpu_instancing"]));
    let accessor = |at: &Value| &instanced["accessors"][usize::try_from(at.as_u64().unwrap()).unwrap()];
    let mut found: Vec<(u64, usize)> = Vec::new();
    for node in instanced["nodes"].as_array().unwrap() {
        let attributes = &node["extensions"]["EXT_mesh_gpu_instancing"]["attributes"];
        let Some(attributes) = attributes.as_object() else { continue };
        let own: BTreeSet<u64> =
            attributes.values().map(|at| accessor(at)["count"].as_u64().unwrap()).collect();
        assert_eq!((own.len(), node["mesh"].is_u64()), (1, true), "{node}");
        found.extend(own.into_iter().map(|count| (count, attributes.len())));
    }
    found.sort_unstable();
    // Instances, and attributes: three of the place, and the component's numbers for materials, of which it has two, none or one.
    assert_eq!(found, [(4, 5), (5, 3), (12, 4)]);
    let nodes = json_of(&scene(&corpus, name, &folder.path().join("many"), &["--instances", "nodes"]));
    let with_mesh = nodes["nodes"].as_array().unwrap().iter().filter(|node| node["mesh"].is_u64()).count();
    assert_eq!((with_mesh, nodes["extensionsUsed"].is_null()), (21, true));
    // The first row of one of them, along X: 0, 1.25, 2.5 and 3.75 metres.
    let near = json_of(&scene(&corpus, name, &folder.path().join("near"), &["--within", "0,0,200"]));
    let counts: Vec<u64> = near["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|node| {
            let at = node["extensions"]["EXT_mesh_gpu_instancing"]["attributes"]["TRANSLATION"].as_u64()?;
            near["accessors"][usize::try_from(at).unwrap()]["count"].as_u64()
        })
        .collect();
    assert_eq!(counts, [2]);
}

#[test]
fn a_scene_can_have_its_origin_elsewhere() {
    let Some(corpus) = corpus::with("geometry/expected.json") else { return };
    let folder = tempfile::tempdir().unwrap();
    let all = ["--classes", "*", "--hidden", "--textures", "none"];
    let origin = ["--origin", "-400000,100000.5,-7"];
    for (number, (name, expected)) in expected(&corpus, "levels").into_iter().enumerate() {
        let path =
            scene(&corpus, &name, &folder.path().join(number.to_string()), &[&all[..], &origin].concat());
        let placed = placed(&json_of(&path));
        for component in expected["components"].as_array().unwrap() {
            let Some(found) = placed.get(component["name"].as_str().unwrap()) else { continue };
            let mut world = converted(&component["world"]);
            for (part, by) in world[3].iter_mut().zip([4000.0, 0.07, -1000.005]) {
                *part += by;
            }
            same(found, &world, &format!("{name}: {}", component["name"]));
        }
    }
    // The circle is one of the world, whatever the origin.
    let name = "iostore/ue5.8/tagged:/Game/Fixtures/Maps/Instancing";
    let near = |origin: &str| {
        let args = ["--within", "0,0,200", "--origin", origin];
        json_of(&scene(&corpus, name, &folder.path().join(origin), &args))["nodes"].as_array().unwrap().len()
    };
    assert_eq!(near("0,0,0"), near("5000,6000,0"));
}

#[test]
fn levels_stand_in_the_level_that_loads_them() {
    let Some(corpus) = corpus::with("geometry/expected.json") else { return };
    let folder = tempfile::tempdir().unwrap();
    let name = "iostore/ue5.8/tagged:/Game/Fixtures/Maps/Streaming";
    let json = json_of(&scene(&corpus, name, folder.path(), &[]));
    let nodes = json["nodes"].as_array().unwrap();
    let levels: Vec<&Value> = nodes.iter().filter(|node| node["extras"]["ue"]["level"].is_string()).collect();
    // One for the actor that stands for it, and one for the list of the world.
    assert_eq!(levels.len(), 2, "{levels:?}");
    assert_eq!(json["meshes"].as_array().unwrap().len(), 1, "the mesh is there once");
    let places: BTreeSet<String> = levels.iter().map(|node| node["translation"].to_string()).collect();
    assert_eq!(places, BTreeSet::from(["[10.0,30.0,20.0]".to_owned(), "[40.0,5.0,-20.0]".to_owned()]));
    assert!(levels.iter().all(|node| node["children"].as_array().is_some_and(|list| list.len() == 1)));
}

/// Objects as Blender has them, by file and path; `None` without a Python that has Blender as a module.
fn in_blender(files: &[PathBuf]) -> Option<BTreeMap<(String, String), Value>> {
    let objects = script("blender.py", ["UNCASK_BLENDER", "blender"], "bpy", files)?.into_iter();
    let outer = objects.filter(|object| object["is_inner"] == false);
    let text = |object: &Value, field: &str| object[field].as_str().unwrap().to_owned();
    Some(outer.map(|object| ((text(&object, "file"), text(&object, "path")), object)).collect())
}

#[test]
fn blender_has_every_component_in_its_place() {
    let Some(corpus) = corpus::with("geometry/expected.json") else { return };
    let folder = tempfile::tempdir().unwrap();
    let all = ["--classes", "*", "--hidden", "--textures", "none"];
    let levels: Vec<(PathBuf, Value)> = expected(&corpus, "levels")
        .into_iter()
        .enumerate()
        .map(|(number, (name, level))| {
            (scene(&corpus, &name, &folder.path().join(number.to_string()), &all), level)
        })
        .collect();
    let files: Vec<PathBuf> = levels.iter().map(|(path, _)| path.clone()).collect();
    let Some(objects) = in_blender(&files) else { return };
    let (mut components, mut instances) = (0, 0);
    for (path, level) in levels {
        for component in level["components"].as_array().unwrap() {
            let own = component["name"].as_str().unwrap();
            let key = (path.to_str().unwrap().to_owned(), own.to_owned());
            let Some(object) = objects.get(&key) else {
                assert!(component["mesh"].is_null(), "{own} is missing");
                continue;
            };
            // Blender has Z up, as the engine, and Y in the other direction.
            let [x, y, z, w] = numbers(&component["world"]["q"], [0.0; 4]);
            let [tx, ty, tz] = numbers(&component["world"]["t"], [0.0; 3]).map(|part| part / 100.0);
            let expected = matrix([tx, -ty, tz], [-x, y, -z, w], numbers(&component["world"]["s"], [1.0; 3]));
            let row = |at: usize| numbers::<4>(&object["matrix"][at], [0.0; 4]);
            let found = std::array::from_fn(|column| std::array::from_fn(|at| row(at)[column]));
            same(&found, &expected, &format!("{own} in Blender"));
            components += 1;
            if let Some(count) = component["instances"].as_u64() {
                assert_eq!(object["meshes_below"].as_u64(), Some(count), "{own}: instances in Blender");
                instances += count;
            }
        }
    }
    assert!(components > 120 && instances == 42, "{components} components, {instances} instances");
}
