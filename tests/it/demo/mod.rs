//! The demo in `testdata`: what it is made of, and that every command of the README works on it.

mod content;
mod cooked;
#[cfg(unix)]
mod readme;

use crate::support::cli::uncask;
use crate::support::containers::write_tree;
use crate::support::cpu;
use crate::support::packing::{pack, to_zen};
use crate::support::zen::script_objects;
use content::{CLASSES, Cook, File, base, big, extra, start};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use uncask::codec::Method;
use uncask::crypto::AesKey;
use uncask::id::Guid;
use uncask::pack::{PackOptions, ToZenInput};
use uncask::version::Release;

/// The key of the encrypted container: 32 times 0x11.
const KEY: [u8; 32] = [0x11; 32];
#[cfg(unix)]
const KEY_TEXT: &str = "0x1111111111111111111111111111111111111111111111111111111111111111";

/// A container of the demo: its name, the release that it is for, the cooked files in it.
type Recipe = (&'static str, &'static str, fn(Cook) -> Vec<File>);

const PATCHED: Recipe = ("demo/pakchunk0-Demo_0_P", "5.5", |cook| start(cook, true));
const RECIPES: [Recipe; 5] = [
    ("demo/pakchunk0-Demo", "5.5", base),
    ("demo/pakchunk1-Demo", "5.3", extra),
    ("demo/pakchunk2-Demo", "6.0", big),
    PATCHED,
    ("encrypted/secret-Demo", "5.5", extra),
];

/// The cooked files of a container.
fn cooked((_, release, files): Recipe) -> BTreeMap<String, Vec<u8>> {
    files(Cook(Release::from_name(release).unwrap())).into_iter().collect()
}

/// The options for packing a container.
fn options((name, release, _): Recipe) -> PackOptions {
    // The demo is a game, not a mod: it has settings of its own.
    let usual =
        PackOptions { engine: Release::from_name(release), project_files: true, ..PackOptions::default() };
    match name {
        "demo/pakchunk0-Demo" => PackOptions { method: Method::Zlib, level: Some(6), ..usual },
        "demo/pakchunk1-Demo" => PackOptions { method: Method::Lz4, ..usual },
        "demo/pakchunk2-Demo" => {
            PackOptions { method: Method::Zstd, partition_size: Some(128 << 10), ..usual }
        }
        "encrypted/secret-Demo" => PackOptions {
            method: Method::Zlib,
            level: Some(6),
            key: Some((Guid::ZERO, AesKey::new(KEY))),
            ..usual
        },
        _ => usual,
    }
}

/// Makes all containers below a folder.
fn make(folder: &Path) {
    const LIMIT: u64 = 1 << 20;
    for recipe in RECIPES {
        let tree = tempfile::tempdir().unwrap();
        let files = cooked(recipe);
        write_tree(tree.path(), files.iter().map(|(path, content)| (path.as_str(), content.clone())));
        let toc = folder.join(recipe.0).with_extension("utoc");
        let inputs = [ToZenInput::Folder(tree.path().to_owned())];
        let made = to_zen(&inputs, &toc, &options(recipe), None, LIMIT, cpu()).unwrap();
        assert!(made.packed.skipped.is_empty(), "{:?}", made.packed.skipped);
    }
    // Cookers write no file of native objects.
    let tree = tempfile::tempdir().unwrap();
    write_tree(tree.path(), [("chunks/000000000000000000000005.script_objects", script_objects(&CLASSES))]);
    let bare = PackOptions { directory_index: false, ..PackOptions::default() };
    pack(tree.path(), &folder.join("demo/global.utoc"), &bare, cpu()).unwrap();
}

fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata")
}

/// Every file below a folder, by its path there.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let found = walkdir::WalkDir::new(folder).into_iter().map(Result::unwrap);
    let files = found.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path);
    let name = |path: &PathBuf| path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
    files.map(|path| (name(&path), std::fs::read(&path).unwrap())).collect()
}

/// The names of files that are not the same in both.
fn differing(a: &BTreeMap<String, Vec<u8>>, b: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let names = a.keys().chain(b.keys().filter(|name| !a.contains_key(*name)));
    names.filter(|name| a.get(*name) != b.get(*name)).cloned().collect()
}

/// `UPDATE_TESTDATA=1` writes the demo again.
#[test]
fn the_demo_is_what_to_zen_makes_of_its_cooked_files() {
    let made = tempfile::tempdir().unwrap();
    make(made.path());
    for folder in ["demo", "encrypted"] {
        let (made, kept) = (files(&made.path().join(folder)), testdata().join(folder));
        if std::env::var_os("UPDATE_TESTDATA").is_some() {
            std::fs::remove_dir_all(&kept).unwrap();
            write_tree(&kept, made.iter().map(|(name, bytes)| (name.as_str(), bytes.clone())));
        }
        assert_eq!(differing(&files(&kept), &made), [""; 0], "in {folder}");
    }
}

/// A texture, a sound, a material and a mesh, whose payloads are spelled out here by what is known of the formats.
#[test]
fn everything_in_the_demo_can_be_exported() {
    let folder = tempfile::tempdir().unwrap();
    let demo = testdata().join("demo").display().to_string();
    let ran = uncask(["export", &demo, "-o", &folder.path().display().to_string()]).expect(0);
    assert!(!ran.stderr.contains("warning"), "{}", ran.stderr);
    let written = files(folder.path());
    let sizes: Vec<(&str, usize)> =
        written.iter().map(|(path, bytes)| (path.as_str(), bytes.len())).collect();
    let names: Vec<&str> = sizes.iter().map(|(path, _)| *path).collect();
    let expected = [
        "Demo/Content/Audio/Theme.wav",
        "Demo/Content/Materials/M_Rock.json",
        "Demo/Content/Textures/T_Rock.png",
        "Engine/Content/Basic/Cube.glb",
    ];
    assert_eq!(names, expected);
    assert_eq!(sizes[0].1, 44 + 180_000);
    // The JSON of a GLB starts after 20 bytes.
    let glb = &written[expected[3]];
    let len = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let document: serde_json::Value = serde_json::from_slice(&glb[20..20 + len]).unwrap();
    let counts: Vec<u64> = document["accessors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|accessor| accessor["count"].as_u64().unwrap())
        .collect();
    assert!(counts.contains(&24) && counts.contains(&36), "{document:#}");
}

#[test]
fn the_packages_of_the_demo_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let [out, report] = ["out", "report.json"].map(|name| folder.path().join(name).display().to_string());
    let demo = testdata().join("demo").display().to_string();
    let ran = uncask(["to-legacy", &demo, "-o", &out, "--check", "--report", &report]).expect(0);
    let report: serde_json::Value = serde_json::from_slice(&std::fs::read(report).unwrap()).unwrap();
    let assets = report["assets"].as_array().unwrap();
    assert_eq!(assets.len(), 8, "{}", ran.stderr);
    for asset in assets {
        // Zen packages do not keep the GUID that packages had before 5.6.
        let losses = asset["losses"].as_array().unwrap();
        assert!(losses.iter().all(|loss| loss["kind"] == "package_guid"), "{asset:#}");
    }
}

/// There and back: `to-legacy` makes the cooked files of the demo, byte for byte, for every engine that it is of, and `to-zen`
/// the container of those.
#[test]
fn the_demo_survives_to_legacy_and_to_zen() {
    let demo = testdata().join("demo").display().to_string();
    for recipe in RECIPES.into_iter().filter(|(name, ..)| name.starts_with("demo/")) {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name).display().to_string();
        let name = recipe.0.trim_start_matches("demo/");
        let original = testdata().join(recipe.0).with_extension("utoc").display().to_string();
        uncask(["to-legacy", &original, "-o", &place("legacy"), "--base", &demo]).expect(0);
        let mut expected = cooked(recipe);
        expected.retain(|path, _| !is_loose(path));
        let rebuilt = files(&folder.path().join("legacy"));
        assert_eq!(differing(&rebuilt, &expected), [""; 0], "{name}");

        let made = place(&format!("made/{name}.utoc"));
        let args = ["to-zen", &place("legacy"), "-o", &made, "--engine", recipe.1, "--like", &original];
        uncask(args).expect(0);
        let mut expected = files(&testdata().join("demo"));
        let is_part = |file: &str| {
            let rest = file.strip_prefix(name).unwrap_or("?");
            [".utoc", ".ucas", "_s1.ucas"].contains(&rest)
        };
        expected.retain(|file, _| is_part(file));
        let mut made = files(&folder.path().join("made"));
        made.retain(|file, _| is_part(file));
        assert_eq!(differing(&made, &expected), [""; 0], "{name}");
    }
}

/// True if a demo file belongs to no package.
fn is_loose(path: &str) -> bool {
    [".ini", ".bin"].iter().any(|end| path.ends_with(end))
}
