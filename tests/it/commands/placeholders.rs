//! Containers without their game: `to-legacy` gives names to what it cannot name, and `to-zen` makes the same packages of them.

use super::run::{corpus, corpus_with, uncask};
use crate::support::containers::open;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use uncask::id::{ChunkKind, RawChunkId};

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Containers with data, none of which has the names of native objects.
const CONTAINERS: [&str; 7] = [
    "found/container/dup.utoc",
    "found/container/ue5.1-patch_0_P.utoc",
    "mods/patch-5.1/pakchunk0-Windows_0_P.utoc",
    "iostore/ue5.8/patch/CUE4ParseFixtures-PatchBase.utoc",
    "iostore/ue5.8/patch/CUE4ParseFixtures-PatchBase_0_P.utoc",
    "iostore/ue5.8/tagged/Uncompressed/CUE4ParseFixtures-Minimal-Uncompressed-Windows.utoc",
    "iostore/ue5.8/unversioned/Uncompressed/CUE4ParseFixtures-Minimal-Uncompressed-Windows.utoc",
];

/// Loose cooks, which make containers as the engine's own packager does, whose imports of the engine are missing.
const COOKS: [&str; 4] = ["5.0", "5.1", "5.2", "5.4"];

/// A container in a folder of its own.
fn alone(utoc: &Path, folder: &Path) -> PathBuf {
    for extension in ["utoc", "ucas", "pak"] {
        let file = utoc.with_extension(extension);
        if file.exists() {
            std::fs::copy(&file, folder.join(file.file_name().unwrap())).unwrap();
        }
    }
    folder.join(utoc.file_name().unwrap())
}

/// The packages of a container.
fn packages(utoc: &Path) -> BTreeMap<(String, RawChunkId), Vec<u8>> {
    let store = open(utoc, &[]);
    let chunks = store.entries().filter(|entry| {
        let container = store.container(*entry).unwrap();
        container.table().chunk_kind(entry.chunk) == ChunkKind::ExportBundleData
    });
    let bytes = |entry| {
        let container = store.container(entry).unwrap();
        container.read(entry.chunk, 0..u64::MAX, 64 << 20).unwrap()
    };
    chunks.map(|entry| ((store.display_path(entry), store.chunk_id(entry).unwrap()), bytes(entry))).collect()
}

/// The packages of `dup` call themselves `None`, and get the names of their paths; one of them imports a package that its container
/// does not list.
#[test]
fn packages_come_back_without_their_game_or_are_refused() {
    let Some(corpus) = corpus_with("found/container/dup.utoc") else { return };
    let mut table = String::new();
    let cooked = tempfile::tempdir().unwrap();
    let of_cook = |release: &&str| {
        let (from, to) =
            (corpus.join(format!("to-zen/ue{release}")), cooked.path().join(format!("Cook{release}_P.utoc")));
        uncask(&["to-zen", text(&from), "-o", text(&to), "--engine", release, "--force", "--overwrite"]).ok();
        to
    };
    for container in CONTAINERS.iter().map(|path| corpus.join(path)).chain(COOKS.iter().map(of_cook)) {
        for sidecar in [&[][..], &["--sidecar"]] {
            let folder = tempfile::tempdir().unwrap();
            let original = alone(&container, folder.path());
            let (tree, made) = (folder.path().join("tree"), folder.path().join("made"));
            std::fs::create_dir(&made).unwrap();
            uncask(&[&["to-legacy", text(&original), "-o", text(&tree)], sidecar].concat());
            let made = made.join(original.file_name().unwrap());
            let args = [
                "to-zen",
                text(&tree),
                "-o",
                text(&made),
                "--like",
                text(&original),
                "--force",
                "--overwrite",
            ];
            let run = uncask(&args);
            assert_eq!(run.code == 1, run.err.contains(" left out"), "{}", run.err);
            let (before, after) = (packages(&original), packages(&made));
            let equal = before.iter().filter(|(id, bytes)| after.get(id) == Some(bytes)).count();
            let name = original.file_stem().unwrap().to_str().unwrap();
            let with = if sidecar.is_empty() { "alone" } else { "with a sidecar" };
            writeln!(table, "{name} {with}: {equal} of {} equal", before.len()).unwrap();
            for (id, bytes) in &after {
                if before.get(id) != Some(bytes) {
                    writeln!(table, "  {}: different", id.0).unwrap();
                }
            }
            for refusal in run.err.lines().filter(|line| line.contains("cannot become")) {
                writeln!(table, "  {}", refusal.split(text(folder.path())).next().unwrap()).unwrap();
            }
        }
    }
    insta::assert_snapshot!("placeholders", table);
}

/// Placeholders of other tools hold no number, and must not be taken for names.
#[test]
fn what_stands_for_nothing_in_particular_is_refused() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let original = alone(&corpus.join(CONTAINERS[4]), folder.path());
    let tree = folder.path().join("tree");
    uncask(&["to-legacy", text(&original), "-o", text(&tree)]).ok();
    let path = tree.join("CUE4ParseFixtures/Content/PatchFixtures/DA_PatchTarget.uasset");
    let mut bytes = std::fs::read(&path).unwrap();
    let at = bytes.windows(16).position(|found| found == b"UnknownExport_x5");
    let at = at.expect("a native object whose name is not known");
    // Not a number any more.
    bytes[at + 15] = b'y';
    std::fs::write(&path, bytes).unwrap();
    let run = uncask(&["to-zen", text(&tree), "-o", text(&folder.path().join("New_P.utoc"))]);
    assert_eq!(run.code, 1, "{}", run.err);
    let expected = "stands for an object that was not known, and does not say for which: \
                    /Script/UnknownPackage.UnknownExport_xy";
    assert!(run.err.contains(expected), "{}", run.err);
    assert!(!folder.path().join("New_P.utoc").exists());
}
