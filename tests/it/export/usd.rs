//! `uncask export --as usd`: levels as stages of USD, opened with the library of USD itself.

use super::scenes::{converted, expected, numbers, same, scene};
use super::script;
use crate::support::corpus;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Prims that have a path, by file and path; `None` without a Python that has the library of USD.
fn opened(files: &[PathBuf]) -> Option<BTreeMap<(String, String), Value>> {
    let prims = script("usd.py", ["UNCASK_USD", "python"], "pxr", files)?.into_iter();
    let outer = prims.filter(|prim| prim["is_inner"] == false);
    let text = |prim: &Value, field: &str| prim[field].as_str().unwrap().to_owned();
    Some(outer.map(|prim| ((text(&prim, "file"), text(&prim, "path")), prim)).collect())
}

#[test]
fn usd_has_every_component_in_its_place() {
    let Some(corpus) = corpus::with("geometry/expected.json") else { return };
    let folder = tempfile::tempdir().unwrap();
    let all = ["--classes", "*", "--hidden", "--textures", "none", "--as", "usd"];
    let levels: Vec<(PathBuf, Value)> = expected(&corpus, "levels")
        .into_iter()
        .enumerate()
        .map(|(number, (name, level))| {
            let path = scene(&corpus, &name, &folder.path().join(number.to_string()), &all);
            (path.with_extension("usda"), level)
        })
        .collect();
    let files: Vec<PathBuf> = levels.iter().map(|(path, _)| path.clone()).collect();
    let Some(prims) = opened(&files) else { return };
    let (mut components, mut instances, mut meshes) = (0, 0, 0);
    for (path, level) in levels {
        for component in level["components"].as_array().unwrap() {
            let own = component["name"].as_str().unwrap();
            let Some(prim) = prims.get(&(path.to_str().unwrap().to_owned(), own.to_owned())) else {
                assert!(component["mesh"].is_null(), "{own} is missing");
                continue;
            };
            // Rows are the images of the axes, then of the origin.
            let row = |at: usize| {
                let [x, y, z, _] = numbers::<4>(&prim["matrix"][at], [0.0; 4]);
                [x, y, z]
            };
            same(&std::array::from_fn(row), &converted(&component["world"]), &format!("{own} in USD"));
            components += 1;
            if let Some(count) = component["instances"].as_u64() {
                assert_eq!(prim["instances"].as_u64(), Some(count), "{own}: instances in USD");
                instances += count;
            }
            // Every slot of every mesh has a material.
            assert_eq!(prim["subsets"], prim["bound"], "{own}");
            meshes += prim["meshes"].as_u64().unwrap();
        }
    }
    assert!(components > 120 && instances == 42 && meshes > 20, "{components}, {instances}, {meshes}");
}
