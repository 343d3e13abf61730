//! Loose cooks of several releases, none of which says so: for which they are packed, and how they are read.

use super::run::{corpus, corpus_with, uncask};
use crate::support::containers::open;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use uncask::id::ChunkKind;
use uncask::store::Store;

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Chunks whose length and hash are those that the packaged build of the same project recorded.
fn equal(store: &Store, expected: &Path) -> (usize, usize) {
    let table = std::fs::read_to_string(expected).unwrap();
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|line| line.split('\t').collect()).collect();
    let is_there = |row: &&Vec<&str>| {
        let [_, _, id, len, hash, ..] = row[..] else { panic!("{row:?}") };
        let mut chunks = store.entries().filter(|entry| {
            let kind = store.container(*entry).unwrap().table().chunk_kind(entry.chunk);
            kind == ChunkKind::ExportBundleData && store.chunk_id(*entry).unwrap().to_string() == id
        });
        let chunk = chunks.next();
        chunk.is_some_and(|entry| {
            let bytes = store.container(entry).unwrap().read(entry.chunk, 0..u64::MAX, 64 << 20).unwrap();
            bytes.len().to_string() == len && blake3::hash(&bytes).to_hex().starts_with(hash)
        })
    };
    (rows.iter().filter(is_there).count(), rows.len())
}

#[test]
fn the_release_of_a_cook_is_found_out_by_all_of_it() {
    let Some(corpus) = corpus_with("to-zen/ue5.0/expected.tsv") else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut table = String::new();
    for release in ["5.0", "5.1", "5.2", "5.4"] {
        let cook = corpus.join(format!("to-zen/ue{release}"));
        let out = folder.path().join(format!("Cook{release}_P.utoc"));
        let run = uncask(&["to-zen", text(&cook), "-o", text(&out), "--json", "--force", "--overwrite"]).ok();
        let json = run.json();
        let fitting: Vec<&str> =
            json["engines_that_fit"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        let (found, all) = equal(&open(&out, &[]), &cook.join("expected.tsv"));
        writeln!(
            table,
            "{release}: packed for {}, of {}; {found} of {all} equal\n  {}",
            json["engine"].as_str().unwrap(),
            fitting.join(", "),
            json["engine_by"].as_str().unwrap()
        )
        .unwrap();
        assert!(run.err.contains("choose another with --engine"), "{}", run.err);
    }
    insta::assert_snapshot!("releases", table);
}

/// Containers that are unpacked, and packed again without a word about the release.
#[test]
fn the_release_of_zen_packages_is_found_out_by_all_of_them() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut containers: Vec<(String, PathBuf)> = ["5.0", "5.1", "5.2", "5.4"]
        .map(|release| {
            let cook = corpus.join(format!("to-zen/ue{release}"));
            let made = folder.path().join(format!("Cook{release}_P.utoc"));
            uncask(&[
                "to-zen",
                text(&cook),
                "-o",
                text(&made),
                "--engine",
                release,
                "--force",
                "--overwrite",
            ])
            .ok();
            (format!("made of a cook of {release}"), made)
        })
        .into();
    let real = [
        ("found/container/ue5.1-patch_0_P.utoc", "real patch of 5.1"),
        ("iostore/ue5.8/tagged/Zlib/CUE4ParseFixtures-Minimal-Zlib-Windows.utoc", "real container of 5.8"),
    ];
    containers.extend(real.map(|(path, name)| (name.to_owned(), corpus.join(path))));
    let mut table = String::new();
    for (name, container) in &containers {
        for keeps_header in [true, false] {
            let [tree, out] = ["tree", "out/Mod_P.utoc"]
                .map(|path| folder.path().join(&*name.replace(' ', "-")).join(path));
            uncask(&["unpack", text(container), "-o", text(&tree)]).ok();
            if !keeps_header {
                std::fs::remove_dir_all(tree.join("chunks")).unwrap();
            }
            let run =
                uncask(&["pack", text(&tree), "-o", text(&out), "--json", "--force", "--overwrite"]).ok();
            let json = run.json();
            let version = open(&out, &[]).containers()[0].table().iostore().unwrap().version();
            let fitting =
                json["engines_that_fit"].as_array().unwrap().iter().map(|name| name.as_str().unwrap());
            writeln!(
                table,
                "{name}, {}: for {}, toc version {version}, of {}\n  {}",
                if keeps_header { "with its header" } else { "without one" },
                json["engine"].as_str().unwrap(),
                fitting.collect::<Vec<_>>().join(", "),
                json["engine_by"].as_str().unwrap()
            )
            .unwrap();
            let others = json["warnings"].as_array().unwrap().iter().filter_map(|warning| warning.as_str());
            for warning in others.filter(|warning| warning.contains("would fit as well")) {
                writeln!(table, "  warning: {warning}").unwrap();
            }
        }
    }
    insta::assert_snapshot!("releases_of_zen_packages", table);
}

/// Of textures without versions, those of 5.2 are not read as those of the newest release with such headers.
#[test]
fn loose_packages_are_read_as_the_release_that_wrote_them() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let cook = corpus.join("to-zen/ue5.2/Terrestre/Content/Core/World/Textures");
    let run = uncask(&["export", text(&cook), "-o", text(folder.path())]).ok();
    assert!(run.err.contains("taken for UE 5.2: "), "{}", run.err);
    let is_picture = |entry: &walkdir::DirEntry| entry.path().extension().is_some_and(|end| end == "png");
    let pictures = walkdir::WalkDir::new(folder.path()).into_iter().filter_map(Result::ok).filter(is_picture);
    assert!(pictures.count() > 0, "{}", run.err);
}
