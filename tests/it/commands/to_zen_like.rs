//! `uncask to-zen`, the container side: keys of the game, and containers made like others.

use super::run::{corpus, uncask};
use crate::support::containers::{open, verify_all};
use crate::support::corpus::KEY;
use std::path::Path;
use uncask::container::Toc;

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The container of the corpus in some form, and its cooked files as `to-legacy` makes them, with bulk data.
fn cooked(corpus: &Path, form: &str, to: &Path) -> std::path::PathBuf {
    let folder = corpus.join("iostore/ue5.8").join(form);
    let global = folder.parent().unwrap().join("global.utoc");
    uncask(&["to-legacy", text(&folder), "-o", text(to), "--base", text(&global), "--aes-key", KEY]).ok();
    let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
    folder.join(format!("CUE4ParseFixtures-Minimal-{name}-Windows.utoc"))
}

#[test]
fn cooked_assets_take_the_places_of_the_original() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    for form in ["tagged/Uncompressed", "unversioned/Uncompressed", "tagged/OodlePartitioned"] {
        let tree = folder.path().join(form).join("cooked");
        let original = cooked(&corpus, form, &tree);
        let out = folder.path().join(form).join(original.file_name().unwrap());
        uncask(&[
            "to-zen",
            text(&tree),
            "-o",
            text(&out),
            "--like",
            text(&original),
            "--force",
            "--overwrite",
        ])
        .ok();
        assert!(verify_all(&open(&out, &[])).is_ok());
        let toc = |path: &Path| Toc::parse(std::fs::read(path).unwrap().into()).unwrap();
        let (made, there) = (toc(&out), toc(&original));
        assert_eq!(made.chunk_ids(), there.chunk_ids(), "{form}: the same chunks in the same slots");
        assert_eq!(made.chunks_by_offset(), there.chunks_by_offset(), "{form}: in the same order");
        assert_eq!(made.directory_index_bytes(), there.directory_index_bytes(), "{form}");
        let differing = made.chunks().filter(|chunk| made.meta(*chunk) != there.meta(*chunk)).count();
        assert_eq!(differing, 0, "{form}: headers are as long as the cooker's, whatever is lost of them");
        assert_eq!(made.file_len(), there.file_len(), "{form}");
    }
}

#[test]
fn a_mod_for_an_encrypted_game_has_its_key() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let tree = folder.path().join("cooked");
    let game = cooked(&corpus, "tagged/OodleEncrypted", &tree);
    let out = folder.path().join("Mod_P.utoc");
    let game = text(game.parent().unwrap());
    let run = |more: &[&str]| {
        let args = [
            "to-zen",
            text(&tree),
            "-o",
            text(&out),
            "--game",
            game,
            "--aes-key",
            KEY,
            "--force",
            "--overwrite",
        ];
        uncask(&[&args, more].concat()).ok();
    };
    run(&[]);
    for file in [out.clone(), out.with_extension("pak")] {
        let store = open(&file, &[KEY]);
        let [container] = store.containers() else { panic!("one container") };
        assert!(container.table().is_encrypted() || container.table().pak().is_some());
        assert!(container.locked().is_none() && verify_all(&store).is_ok(), "{}", file.display());
    }
    assert!(open(&out, &[]).containers()[0].locked().is_some(), "nobody reads it without the key");
    let bytes = std::fs::read(out.with_extension("ucas")).unwrap();
    let shows = |bytes: &[u8], text: &[u8]| bytes.windows(text.len()).any(|window| window == text);
    assert!(!shows(&bytes, b"nCoI"), "the container header is encrypted, too");
    run(&["--no-encrypt"]);
    assert!(open(&out, &[]).containers()[0].locked().is_none());
    assert!(shows(&std::fs::read(out.with_extension("ucas")).unwrap(), b"nCoI"));
}
