//! `uncask check` and the checks of `to-zen`, on mods for the demo.

use super::run::uncask;
use crate::support::containers::{open, write_tree};
use crate::support::zen::script_objects;
use std::fs;
use std::path::{Path, PathBuf};
use uncask::container::Toc;
use uncask::id::hash::ChunkHash;
use uncask::package::legacy::Package;
use uncask::version::{ChunkHashKind, Release};

const GAME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/demo");

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A folder, and in it the cooked files of one container of the demo, as `to-legacy` makes them.
fn cooked() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let tree = folder.path().join("cooked");
    let container = format!("{GAME}/pakchunk0-Demo.utoc");
    uncask(&["to-legacy", &container, "-o", text(&tree), "--base", GAME]).ok();
    (folder, tree)
}

/// A mod for the demo, with all packages of one container.
fn packed() -> (tempfile::TempDir, PathBuf) {
    let (folder, tree) = cooked();
    let mods = folder.path().join("mods/Mod_9_P.utoc");
    uncask(&["to-zen", text(&tree), "-o", text(&mods), "--engine", "5.5"]).ok();
    (folder, mods)
}

/// The messages about the mods in a folder.
fn checked(mods: &Path) -> String {
    uncask(&["check", text(mods.parent().unwrap()), "--game", GAME]).err
}

#[test]
fn a_material_without_a_library_of_shaders_is_told() {
    let (folder, tree) = cooked();
    let mods = folder.path().join("mods/Mod_9_P.utoc");
    let pack = || {
        uncask(&["to-zen", text(&tree), "-o", text(&mods), "--engine", "5.5", "--force", "--overwrite"])
            .ok()
            .err
    };
    let expected = "1 material is packed without a shader library";
    assert!(pack().contains(expected), "{}", pack());
    assert!(checked(&mods).contains(expected), "{}", checked(&mods));
    // Any library will do: nobody knows which shaders are in it by its name.
    let library = "Demo/Content/ShaderArchive-Mod-PCD3D_SM6-PCD3D_SM6.ushaderbytecode";
    write_tree(&tree, [(library, b"shaders".to_vec())]);
    assert!(!pack().contains(expected), "{}", pack());
    assert!(!checked(&mods).contains(expected), "{}", checked(&mods));
}

#[test]
fn wrong_seeds_are_told() {
    let (_folder, mods) = packed();
    assert!(!checked(&mods).contains("perfect hash"));
    let mut bytes = fs::read(&mods).unwrap();
    let count = Toc::parse(bytes.clone().into()).unwrap().chunk_count() as usize;
    // The header has 144 bytes, an id 12, a place 10; the seeds follow. A seed of 0 leads nowhere.
    let seeds = 144 + count * 22;
    bytes[seeds..seeds + 4 * count.div_ceil(2)].fill(0);
    fs::write(&mods, bytes).unwrap();
    let found = checked(&mods);
    let expected = format!("{count} chunks are where the perfect hash of the container does not lead");
    assert!(found.contains(&expected), "{found}");
}

#[test]
fn hashes_of_another_kind_are_told() {
    let (_folder, mods) = packed();
    assert!(!checked(&mods).contains("SHA-1"));
    let mut bytes = fs::read(&mods).unwrap();
    let store = open(&mods, &[]);
    let container = &store.containers()[0];
    for chunk in container.table().chunks() {
        let content = container.read(chunk, 0..u64::MAX, 8 << 20).unwrap();
        let [from, to] =
            [ChunkHashKind::Blake3, ChunkHashKind::Sha1].map(|kind| ChunkHash::of(kind, &content).0);
        let at = bytes.windows(20).position(|window| window == from).unwrap();
        bytes[at..at + 20].copy_from_slice(&to);
    }
    fs::write(&mods, bytes).unwrap();
    let found = checked(&mods);
    let expected = "the hashes of the chunks are SHA-1, but containers of this toc version have BLAKE3";
    assert!(found.contains(expected), "{found}");
}

#[test]
fn native_objects_that_are_not_those_of_the_game_are_told() {
    let (folder, mods) = packed();
    for extension in ["utoc", "ucas"] {
        fs::copy(format!("{GAME}/global.{extension}"), mods.with_file_name(format!("global.{extension}")))
            .unwrap();
    }
    assert!(!checked(&mods).contains("native objects"), "{}", checked(&mods));
    let chunk = script_objects(&["/Script/Engine.Actor", "/Script/Other.Thing"]);
    let tree = folder.path().join("scripts");
    write_tree(&tree, [("chunks/000000000000000000000005.script_objects", chunk)]);
    let global = mods.with_file_name("global.utoc");
    uncask(&["pack", text(&tree), "-o", text(&global), "--force", "--overwrite", "--no-directory-index"])
        .ok();
    let found = checked(&mods);
    // A package, a class and its default object more; of the game's two packages, 14 classes and default objects, three are left.
    let expected = "are not those of the game: 3 more, 27 missing";
    assert!(found.contains(expected), "{found}");
}

/// Names that a header does not count do not get into a container.
#[test]
fn names_that_are_not_counted_are_told() {
    let (folder, tree) = cooked();
    let mods = folder.path().join("Mod_9_P.utoc");
    let pack = || {
        uncask(&["to-zen", text(&tree), "-o", text(&mods), "--engine", "5.5", "--force", "--overwrite"])
            .ok()
            .err
    };
    assert!(!pack().contains("does not count"), "{}", pack());
    let path = tree.join("Demo/Content/Materials/M_Rock.uasset");
    let release = Release::from_name("5.5").unwrap();
    let mut package = Package::parse_as(&fs::read(&path).unwrap(), release).unwrap();
    assert_eq!(package.summary.names_referenced, Some(3), "None, NumTextures, IntProperty");
    package.summary.names_referenced = Some(2);
    fs::write(&path, package.write_header().unwrap()).unwrap();
    let expected = "1 package uses names that its header does not count among those that data uses, so that they are lost in \
                    a container (/Script/Engine.Material: name 2, 2 are counted)";
    assert!(pack().contains(expected), "{}", pack());
}

/// The container of a game under its own name, in another folder: what takes its place has its id.
#[test]
fn a_container_of_the_game_is_made_again_under_its_name() {
    let (folder, tree) = cooked();
    let game = folder.path().join("game");
    for name in ["pakchunk0-Demo", "global"] {
        for extension in ["utoc", "ucas"] {
            let bytes = fs::read(format!("{GAME}/{name}.{extension}")).unwrap();
            write_tree(&game, [(format!("{name}.{extension}").as_str(), bytes)]);
        }
    }
    let original = game.join("pakchunk0-Demo.utoc");
    let made = folder.path().join("new/pakchunk0-Demo.utoc");
    let args = ["to-zen", text(&tree), "-o", text(&made), "--game", text(&game), "--engine", "5.5"];
    let ran = uncask(&args);
    assert!(ran.code == 1 && ran.err.contains("gives the container the id of another"), "{}", ran.err);
    uncask(&[&args[..], &["--like", text(&original)]].concat()).ok();
    assert_eq!(fs::read(&made).unwrap(), fs::read(&original).unwrap());
    // Another container of the game keeps its own.
    let other = folder.path().join("new/global.utoc");
    let ran = uncask(&[
        "to-zen",
        text(&tree),
        "-o",
        text(&other),
        "--game",
        text(&game),
        "--like",
        text(&original),
    ]);
    assert!(ran.code == 1 && ran.err.contains("gives the container the id of another"), "{}", ran.err);
}

#[test]
fn sidecars_are_not_packed() {
    let (folder, tree) = cooked();
    write_tree(&tree, [("Demo/Content/Maps/.uncask.json", b"{}".to_vec()), (".uncask.json", b"{}".to_vec())]);
    let pak = folder.path().join("Mod_P.pak");
    let ran = uncask(&["pack", text(&tree), "-o", text(&pak)]).ok();
    let expected = "warning: 2 .uncask.json files are left out; only to-zen uses such files";
    assert!(ran.err.contains(expected), "{}", ran.err);
    let listed = uncask(&["list", text(&pak)]).ok().out;
    assert!(listed.contains("Start.umap") && !listed.contains(".uncask.json"), "{listed}");
}

#[test]
fn sidecars_have_to_fit_into_the_memory() {
    let (folder, tree) = cooked();
    let mods = folder.path().join("Mod_P.utoc");
    let padded = format!("{{{}\"schema\": \"uncask.sidecar/1\", \"packages\": {{}}}}", " ".repeat(300_000));
    write_tree(&tree, [("Demo/Content/Maps/.uncask.json", padded.into_bytes())]);
    let pack = |memory: &str| {
        uncask(&[
            "to-zen",
            text(&tree),
            "-o",
            text(&mods),
            "--engine",
            "5.5",
            "--force",
            "--overwrite",
            "--memory",
            memory,
        ])
    };
    pack("1M").ok();
    let ran = pack("256K");
    assert!(ran.code != 0 && ran.err.contains("size of the .uncask.json files so far is"), "{}", ran.err);
}
