//! Values that refer to objects which their packages did not import: `uncask set`.

use super::run::{Ran, corpus_with, uncask, whole_game};
use serde_json::{Value, json};
use std::path::Path;

const ALL: &str = "/Game/Fixtures/Properties/DA_AllProperties";

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A value by its name, anywhere in the documents of a package.
fn value<'d>(document: &'d Value, name: &str) -> &'d Value {
    let exports = document.as_array().unwrap();
    exports.iter().find_map(|export| export["Properties"].get(name)).unwrap()
}

fn mappings(corpus: &Path) -> String {
    text(&corpus.join("payloads/ue5.8/Mappings/CUE4ParseFixtures-Uncompressed.usmap")).to_owned()
}

fn fmodel(args: &[&str]) -> Value {
    let ran = uncask(&[&["json", "--form", "fmodel"], args].concat());
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {}", ran.err))
}

#[test]
fn objects_of_other_packages_and_native_classes_are_imported() {
    let Some(corpus) = corpus_with("iostore/ue5.8") else { return };
    let temp = tempfile::tempdir().unwrap();
    for cook in ["tagged", "unversioned"] {
        let game = whole_game(&corpus, cook, temp.path());
        let maps = mappings(&corpus);
        let out = temp.path().join(format!("{cook}_P.utoc"));
        let shown = json!({
            "ObjectName": "CurveTable'CT_Rich'",
            "ObjectPath": "CUE4ParseFixtures/Content/Fixtures/Curves/CT_Rich.0"
        });
        let target = format!("{game}:{ALL}");
        let at = |name: &str| format!("DA_AllProperties.{name}");
        let (texture, weak, class) =
            (at("HardTextureReference"), at("WeakObjectReference"), at("ClassReference"));
        let new = [
            (&*texture, "/Game/Fixtures/Textures/T_BC1.T_BC1".to_owned()),
            (&*weak, shown.to_string()),
            (&*class, "/Script/Engine.StaticMesh".to_owned()),
        ];
        let values: Vec<&str> = new.iter().flat_map(|(address, value)| [*address, value]).collect();
        let options = ["--mappings", &maps, "-o", text(&out), "--json"];
        let report = uncask(&[&["set", &target], &*values, &options].concat()).ok();
        assert_eq!(report.json()["packages"][0]["imports_added"], 3);
        assert!(report.err.contains("3 objects are newly imported from other packages"), "{}", report.err);

        let document = fmodel(&[text(&out), "--base", &game, "--mappings", &maps]);
        let found = |name: &str| value(&document, name).clone();
        assert_eq!(found("WeakObjectReference"), shown);
        assert_eq!(found("HardTextureReference")["ObjectName"], "Texture2D'T_BC1'");
        assert_eq!(
            found("ClassReference"),
            json!({"ObjectName": "Class'StaticMesh'", "ObjectPath": "/Script/Engine"})
        );
        // What was there before still leads where it did.
        assert_eq!(found("HardObjectReference")["ObjectName"], "DataTable'DT_AllProperties'");
        uncask(&["check", text(&out), "--game", &game]).ok();
    }
}

#[test]
fn what_is_not_there_or_not_public_is_refused() {
    let Some(corpus) = corpus_with("iostore/ue5.8") else { return };
    let temp = tempfile::tempdir().unwrap();
    let game = whole_game(&corpus, "tagged", temp.path());
    let target = format!("{game}:{ALL}");
    let missing = [
        "/Game/Fixtures/Textures/T_None.T_None",
        "/Game/Fixtures/Textures/T_BC1.T_Other",
        "/Script/Engine.NoSuchClass",
        // An object inside another, which only its own package may use.
        "/Game/Fixtures/Properties/DA_AllProperties.DA_AllProperties.InlineFixture2",
    ];
    for path in missing {
        let out = temp.path().join("Mod_P.utoc");
        let ran = uncask(&["set", &target, "DA_AllProperties.WeakObjectReference", path, "-o", text(&out)]);
        assert_eq!(ran.code, 1, "{path}: {}", ran.err);
        assert!(ran.err.contains("or of another one that can be read, by its path"), "{path}: {}", ran.err);
        assert!(!out.exists(), "{path}");
    }
}

/// A package of UE4 waits for the bundle of the other one that creates the object, as the packager has it.
#[test]
fn packages_of_ue4_wait_for_the_new_object() {
    let Some(corpus) = corpus_with("mods/drg") else { return };
    let temp = tempfile::tempdir().unwrap();
    let place = |name: &str| temp.path().join(name);
    let [files, edited, game] = ["files", "edited", "game"].map(place);
    for name in ["native-spawner_P", "custom-difficulty2_P"] {
        let pak = corpus.join(format!("mods/drg/{name}.pak"));
        uncask(&["unpack", text(&pak), "-o", text(&files)]).ok();
    }
    let engine = ["--engine", "4.27"];
    let convert = |from: &Path, to: &Path| {
        // Some of its packages wait for each other through the game, which is not here.
        uncask(
            &[&["to-zen", text(from), "-o", text(&to.join("pakchunk0-FSD.utoc")), "--force"], &engine[..]]
                .concat(),
        );
    };
    convert(&files, &game);
    let value = "/Game/_AssemblyStorm/CustomDifficulty2/CD2_Module.CD2_Module_C";
    let set = |target: &str, out: &Path| {
        let address = "Default__BP_PlayerControllerBase_C.PlayerCameraManagerClass";
        uncask(&[&["set", target, address, value, "-o", text(out)], &engine[..]].concat()).ok()
    };
    let found = place("M_P.utoc");
    let ran = set(&format!("{}:/Game/Game/BP_PlayerControllerBase", text(&game)), &found);
    assert!(ran.err.contains("1 object is newly imported"), "{}", ran.err);
    // The packager's way: the cooked package with that value, converted.
    set(text(&files.join("FSD/Content/Game/BP_PlayerControllerBase.uasset")), &edited);
    for end in ["uasset", "uexp"] {
        let path = format!("FSD/Content/Game/BP_PlayerControllerBase.{end}");
        std::fs::write(files.join(&path), std::fs::read(edited.join(&path)).unwrap()).unwrap();
    }
    let wanted = place("wanted");
    convert(&files, &wanted);
    let graph = |input: &Path| {
        let name = "/Game/Game/BP_PlayerControllerBase";
        let shown = uncask(&["inspect", text(input), name, "--json"]).ok().json();
        let arcs = shown.pointer("/content/header/graph/Packages").unwrap_or_else(|| panic!("{shown}"));
        // Ids and the bundles that are waited for; the own bundles are those of another conversion.
        let arcs = arcs.as_array().unwrap().iter();
        arcs.map(|of| (of["package"].clone(), of["arcs"][0]["from"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(graph(&found), graph(&wanted));
    assert_eq!(graph(&found).len(), graph(&game).len() + 1);
}

const MESH: &str = "/Game/LevelPrototyping/Meshes/SM_Cube";
const NEW: &str = "/Engine/EngineMaterials/DefaultPhysicalMaterial";

/// The container header of 5.0 to 5.2 lists the imported packages, so that the mod's has to list the new one, too.
#[test]
fn containers_before_5_3_list_the_new_package() {
    let Some(corpus) = corpus_with("to-zen/ue5.1") else { return };
    let temp = tempfile::tempdir().unwrap();
    let source = corpus.join("to-zen/ue5.1");
    let [zen, pak, loose] = ["zen", "pak", "loose"].map(|name| temp.path().join(name));
    uncask(&["to-zen", text(&source), "-o", text(&zen.join("Demo.utoc")), "--engine", "5.1"]).ok();
    uncask(&["pack", text(&source), "-o", text(&pak.join("Demo.pak"))]).ok();
    uncask(&["unpack", text(&pak), "-o", text(&loose)]).ok();

    let set = |target: &str, out: &Path| -> Ran {
        let path = format!("{NEW}.DefaultPhysicalMaterial");
        let at = "SM_Cube.StaticMaterials[0].MaterialInterface";
        uncask(&["set", target, at, &path, "--engine", "5.1", "-o", text(out)])
    };
    let [of_zen, of_pak, of_files] = ["Zen_P.utoc", "Pak_P.pak", "Files"].map(|name| temp.path().join(name));
    let file = loose.join("Demo/Content/LevelPrototyping/Meshes/SM_Cube.uasset");
    set(&format!("{}:{MESH}", text(&zen)), &of_zen).ok();
    set(&format!("{}:{MESH}", text(&pak)), &of_pak).ok();
    set(text(&file), &of_files).ok();

    let shown = |args: &[&str]| {
        let document = fmodel(&[args, &["--engine", "5.1"]].concat());
        value(&document, "StaticMaterials")[0]["MaterialInterface"].clone()
    };
    let object = "PhysicalMaterial'DefaultPhysicalMaterial'";
    assert_eq!(shown(&[text(&of_zen), "--base", text(&zen)])["ObjectName"], object);
    assert_eq!(shown(&[text(&of_pak), "--base", text(&pak)])["ObjectName"], object);
    assert_eq!(shown(&[text(&of_files)])["ObjectName"], object);

    let inspected =
        uncask(&["inspect", &format!("{}:{MESH}", text(&of_zen)), "--json", "--base", text(&zen)]);
    let imported = inspected.ok().json()["content"]["imported_packages"].clone();
    assert!(imported.as_array().unwrap().contains(&json!(NEW)), "{imported}");
    uncask(&["check", text(&of_zen), "--game", text(&zen)]).ok();
}
