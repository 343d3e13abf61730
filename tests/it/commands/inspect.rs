//! `uncask inspect` on every kind of thing.

use super::made::stored;
use super::run::{corpus, corpus_with, fixture, head, uncask};
use crate::support::cli;
use uncask::id::{PackageId, RawChunkId};
use uncask::version::TocVersion;

#[test]
fn files_of_every_kind() {
    let Some(corpus) = corpus_with("iostore/ue5.8/tagged/expected.tsv") else { return };
    for (name, file, lines) in [
        ("zen_4_27", "packages/ue4.27/T_Emissive.uasset", 40),
        ("zen_5_4", "packages/ue5.4/BP_Table_Lamp.uzenasset", 40),
        ("cooked", "packages/ue5.8-tagged/T_Streaming.uasset", 40),
        ("cooked_unversioned", "packages/ue5.8-unversioned/Empty.umap", 40),
        ("editor", "uncooked/UE57/BP_FirstPersonCharacter.uasset", 20),
        ("editor_4_10", "uncooked/UE410/SimpleRefsRoot.uasset", 40),
        ("classic_1", "classic/TestUC1.u", 12),
        ("classic_3", "classic/TestUC3.u", 12),
        ("container_header_4_27", "headers/ue4.27/ContainerHeader_1.bin", 8),
        ("container_header_5_3", "headers/ue5.3/ContainerHeader_1.bin", 8),
        ("script_objects", "headers/ue5.3/ScriptObjects.bin", 8),
        ("script_objects_4_27", "headers/ue4.27/LoaderInitialLoadMeta_1.bin", 8),
        ("table_of_contents", "iostore/ue5.8/patch/CUE4ParseFixtures-PatchBase.utoc", 30),
        ("unknown", "iostore/ue5.8/tagged/expected.tsv", 8),
        ("folder", "classic", 8),
    ] {
        let ran = uncask(&["inspect", corpus.join(file).to_str().unwrap()]);
        let (out, err) =
            ran.shown(&corpus).split_once("---\n").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
        insta::assert_snapshot!(format!("inspect_{name}"), format!("{}\n---\n{err}", head(&out, lines + 1)));
    }
    assert_eq!(uncask(&["inspect", "no/such.uasset"]).code, 3);
}

#[test]
fn chunks_of_containers() {
    let Some(corpus) = corpus() else { return };
    let [container, global] = fixture(&corpus, "tagged");
    for (name, chunk, lines) in [
        ("package", "/Game/Fixtures/Properties/DA_AllProperties", 60),
        ("package_by_path", "CUE4ParseFixtures/Content/Fixtures/Textures/T_BC1.uasset", 60),
        ("container_header", "*.container_header", 8),
        ("bulk", "*/SM_Nanite.ubulk", 8),
        ("no_such_chunk", "/Game/Nowhere", 8),
    ] {
        let ran = uncask(&["inspect", &format!("{container}:{chunk}"), "-i", &global]);
        let (out, err) =
            ran.shown(&corpus).split_once("---\n").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
        insta::assert_snapshot!(
            format!("inspect_chunk_{name}"),
            format!("{}\n---\n{err}", head(&out, lines + 1))
        );
    }
    let scripts = uncask(&["inspect", &format!("{global}:*.script_objects")]).ok();
    insta::assert_snapshot!("inspect_chunk_script_objects", scripts.shown(&corpus));
}

#[test]
fn json_has_everything() {
    let Some(corpus) = corpus() else { return };
    let patch = corpus.join("iostore/ue5.8/patch/CUE4ParseFixtures-PatchBase_0_P.utoc");
    let ran = uncask(&["inspect", &format!("{}:*.uasset", patch.display()), "--json"]).ok();
    insta::assert_snapshot!("inspect_json_zen", ran.shown(&corpus));
    let [container, global] = fixture(&corpus, "tagged");
    for (target, kind, pointer, len) in [
        (
            format!("{container}:/Game/Fixtures/Properties/DA_AllProperties"),
            "zen package",
            "/content/imports",
            15,
        ),
        (format!("{container}:*.container_header"), "container header", "/content/packages", 97),
        (format!("{global}:*.script_objects"), "script objects", "/content/objects", 36_979),
        (global.clone(), "container", "/content", 1),
        (corpus.join("classic/TestUC1.u").display().to_string(), "classic package", "/content/exports", 102),
        (
            corpus.join("packages/ue5.8-tagged/Empty.umap").display().to_string(),
            "legacy package",
            "/content/package/data_resources/entries",
            0,
        ),
    ] {
        let found = uncask(&["inspect", &target, "--json"]).ok().json();
        assert_eq!(found["schema"], "uncask.inspect/1");
        assert!(found["kind"].as_str().unwrap().starts_with(kind), "{}", found["kind"]);
        assert!(!found["detected_by"].as_str().unwrap().is_empty());
        let list = found.pointer(pointer).and_then(|list| list.as_array()).map_or(0, Vec::len);
        assert_eq!(list, len, "{target}");
    }
}

#[test]
fn a_loose_package_borrows_names_from_containers() {
    let Some(corpus) = corpus() else { return };
    let [_, global] = fixture(&corpus, "tagged");
    let file = corpus.join("packages/ue5.5/T_Test.uzenasset");
    let alone = uncask(&["inspect", file.to_str().unwrap()]).ok();
    assert!(alone.out.contains("no script object has this index"));
    let among = uncask(&["inspect", file.to_str().unwrap(), "--base", &global]).ok();
    assert!(among.out.contains("/Script/Engine.Texture2D, "), "{}", among.out);
    assert!(!among.out.contains("unresolved"), "{}", among.out);
}

#[test]
fn what_is_cut_off_shows_what_was_read_and_one_error() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    for (name, file, len) in [
        ("zen", "packages/ue5.4/BP_Table_Lamp.uzenasset", 900),
        ("zen_start", "packages/ue5.4/BP_Table_Lamp.uzenasset", 60),
        ("legacy", "uncooked/UE410/SimpleRefsRoot.uasset", 1500),
        ("classic", "classic/TestUC1.u", 1000),
        ("header", "headers/ue5.3/ContainerHeader_1.bin", 1000),
        ("header_store", "headers/ue5.3/ContainerHeader_1.bin", 100_000),
        ("scripts", "headers/ue5.3/ScriptObjects.bin", 1000),
        ("scripts_entries", "headers/ue5.3/ScriptObjects.bin", 2_000_000),
    ] {
        let bytes = std::fs::read(corpus.join(file)).unwrap();
        let extension = std::path::Path::new(file).extension().unwrap();
        let cut = folder.path().join(name).with_extension(extension);
        std::fs::write(&cut, &bytes[..len]).unwrap();
        let ran = uncask(&["inspect", cut.to_str().unwrap()]);
        assert_eq!((ran.code, ran.err.matches("error:").count()), (1, 1), "{}", ran.err);
        let fault = uncask(&["inspect", cut.to_str().unwrap(), "--json"]).json()["fault"].clone();
        assert!(ran.err.contains(fault["problem"].as_str().unwrap()), "{fault}");
        insta::assert_snapshot!(format!("inspect_cut_{name}"), head(&ran.shown(folder.path()), 30));
    }
}

#[test]
fn script_objects_of_ue4_have_names_only_with_the_files_beside_them() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let from = |name: &str| corpus.join(format!("headers/ue4.27/{name}_1.bin"));
    let meta = folder.path().join("LoaderInitialLoadMeta.bin");
    std::fs::copy(from("LoaderInitialLoadMeta"), &meta).unwrap();
    let alone = uncask(&["inspect", meta.to_str().unwrap()]).ok();
    insta::assert_snapshot!("inspect_load_meta_alone", alone.shown(folder.path()));
    for name in ["LoaderGlobalNames", "LoaderGlobalNameHashes"] {
        std::fs::copy(from(name), folder.path().join(format!("{name}.bin"))).unwrap();
    }
    let found = uncask(&["inspect", meta.to_str().unwrap(), "--json"]).ok().json();
    let objects = found["content"]["objects"].as_array().unwrap();
    assert_eq!((objects.len(), &found["content"]["wrong_hashes"]), (23_393, &serde_json::Value::from(0)));
    assert!(objects.iter().all(|object| object["path"].as_str().unwrap().starts_with("/Script/")));
}

#[test]
fn data_files_are_described_by_their_table_of_contents() {
    let ran = uncask(&["inspect", "testdata/demo/pakchunk2-Demo_s1.ucas", "--memory", "16K", "--json"]).ok();
    let found = ran.json();
    assert_eq!(found["kind"], "container: table of contents");
    assert_eq!(found["content"][0]["name"], "pakchunk2-Demo");
    let large = uncask(&["inspect", "testdata/demo/pakchunk0-Demo:/Game/Maps/Start"]);
    assert_eq!(large.code, 3, "{}", large.err);
}

#[test]
fn text_under_the_name_of_a_package_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let id = RawChunkId::new(PackageId::from_name("/Game/A").0, 0, 1);
    let text = b"a line of text, not a package\n".repeat(100);
    let chunk = (id, Some("G/Content/A.uasset".to_owned()), text);
    let utoc = stored(folder.path(), "text", TocVersion::ReplaceIoChunkHashWithIoHash, [chunk]);
    let ran = uncask(&["inspect", &format!("{}:/Game/A", utoc.display())]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!("inspect_not_a_package", ran.shown(folder.path()));
}

/// Assets are described in numbers, in containers and in files, without `-p`.
#[test]
fn assets_are_shown_in_numbers() {
    let rock = "testdata/demo:/Game/Textures/T_Rock";
    let shown = cli::run(cli::command().args(["inspect", rock])).expect(0).stdout;
    let facts = "texture: PF_B8G8R8A8 256 x 256, sRGB, 2 mips, 1 of them in .ubulk";
    assert!(shown.contains(&format!("assets\n  [0] T_Rock (Texture2D)\n      {facts}\n")), "{shown}");
    let json = cli::run(cli::command().args(["inspect", rock, "--json"])).expect(0).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let [asset] = json["assets"].as_array().unwrap().as_slice() else { panic!("{json}") };
    assert_eq!((&asset["object"], &asset["class"]), (&"T_Rock".into(), &"Texture2D".into()));
    assert_eq!((&asset["asset"]["kind"], &asset["asset"]["width"]), (&"texture".into(), &256.into()));
    assert!(asset.get("problem").is_none());
    let map =
        cli::run(cli::command().args(["inspect", "testdata/demo:/Game/Maps/Start", "--json"])).expect(0);
    assert!(!map.stdout.contains("\"assets\""), "{}", map.stdout);
    let Some(corpus) = crate::support::corpus::find() else { return };
    let folder = corpus.join("payloads/ue5.1-cooked");
    let is_mesh = |file: &walkdir::DirEntry| file.file_name().to_str() == Some("Cylinder.uasset");
    let files = walkdir::WalkDir::new(folder).into_iter().map(Result::unwrap);
    let Some(mesh) = files.into_iter().find(is_mesh) else { panic!("no mesh") };
    let shown = cli::run(cli::command().arg("inspect").arg(mesh.path())).expect(0).stdout;
    assert!(shown.contains("Cylinder (StaticMesh)\n      mesh: LOD 0 has "), "{shown}");
    // Damage is reported, and does not keep the header from being shown.
    let bytes = std::fs::read(mesh.path().with_extension("uexp")).unwrap();
    let broken = tempfile::tempdir().unwrap();
    std::fs::copy(mesh.path(), broken.path().join("Cylinder.uasset")).unwrap();
    std::fs::write(broken.path().join("Cylinder.uexp"), vec![0xFF; bytes.len()]).unwrap();
    let shown =
        cli::run(cli::command().arg("inspect").arg(broken.path().join("Cylinder.uasset"))).expect(0).stdout;
    assert!(shown.contains("Cylinder (StaticMesh)\n      not understood: "), "{shown}");
}
